"""BW-0: the board, the numbers, the turn, the decisions. Registration has its own file."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import (
    act,
    character,
    drawn,
    figures_of,
    legal,
    named,
    parties_of,
    play_all,
    same_board,
)

from livingtable.errors import Code, Refusal

# --- the board ---


def test_cells_count_from_zero_in_the_north_west() -> None:
    """BW-0.1: column x from 0 at the west, row y from 0 at the north, written "x,y"."""
    state = drawn("""
        1....
        ....2
        .3...
    """)
    assert figures_of(state, "position") == {"p1": "0,0", "p2": "4,1", "p3": "1,2"}


def test_the_eight_directions_begin_in_the_north_which_lowers_y() -> None:
    """BW-0.1: N, NE, E, SE, S, SW, W, NW; N lowers y."""
    state = drawn("""
        .....
        .1..2
        .....
    """)
    ring = ["1,0", "2,0", "2,1", "2,2", "1,2", "0,2", "0,1", "0,0"]
    assert legal(state, "p1") == [*(f"move {cell}" for cell in ring), "pass"]


def test_a_diagonal_neighbour_is_at_distance_one() -> None:
    """BW-0.1: distance is max(|dx|, |dy|)."""
    state = drawn("""
        1..
        .2.
    """)
    assert "ally p2" in legal(state, "p1")


def test_a_knights_jump_is_distance_two() -> None:
    """BW-0.1: distance is max(|dx|, |dy|)."""
    state = drawn("""
        1..
        ..2
    """)
    assert "ally p2" not in legal(state, "p1")


def test_mountains_and_forests_are_closed() -> None:
    """BW-0.2: mountains and forests are the obstacles."""
    state = drawn("""
        M.F.
        .1.2
        F.M.
    """)
    assert legal(state, "p1") == ["move 1,0", "move 2,1", "move 1,2", "move 0,1", "pass"]


def test_the_edge_is_no_obstacle_to_keep_clear_of() -> None:
    """BW-0.2: were the edge an obstacle, the unstuck maneuver (BW-4.3) would shun the cell beside it."""
    state = drawn("M....12.....3", parties=[["p1", "p2"]], consecutive_passes={"p1": 1})
    act(state, "p1", "pass")
    assert same_board(state, "M....21.....3")


# --- the numbers ---


def test_strengths_add_up_exactly() -> None:
    """BW-0.3: 0.1 + 0.2 is 0.3, which it is not in floats."""
    state = drawn("12.3", parties=[["p1", "p2"]], figures={"p1": {"strength": 0.1}, "p2": {"strength": 0.2}})
    assert state.view(None)["parties"][0]["totalStrength"] == 0.3


def test_products_are_compared_exactly() -> None:
    """BW-0.3: (0.1 + 0.2) x 1 equals 0.3 x 1 and is rolled again, which in floats it would not be."""
    figures = {"p1": {"strength": 0.1}, "p2": {"strength": 0.2}, "p3": {"strength": 0.3}}
    state = drawn("12.3", parties=[["p1", "p2"]], figures=figures, d20=[1, 1, 2, 1, 2, 1], turn="p3")
    (battle,) = named(act(state, "p3", "move 2,0"), "battle")
    assert battle["bouts"][0] == {"attackerRolls": [1, 2], "defenderRolls": [1, 1], "winner": "p3"}


@pytest.mark.parametrize("figure", ["strength", "health"])
def test_figures_are_shown_with_one_decimal(figure: str) -> None:
    """BW-0.3: shown with one decimal."""
    state = drawn("1..2", figures={"p1": {figure: 2.7}})
    assert repr(character(state, "p1")[figure]) == "2.7"


def test_strength_never_falls_below_a_tenth() -> None:
    """BW-0.3: a squeeze (BW-5.2) takes no more than there is above 0.1; what was lost stands in the event."""
    state = drawn(
        """
        1M.
        M..
        ..2
        """,
        figures={"p1": {"strength": 0.1}},
    )
    (squeezed,) = named(act(state, "p1", "move 1,1"), "squeezed")
    assert (character(state, "p1")["strength"], squeezed["losses"]) == (0.1, {"p1": 0.0})


def test_score_may_go_below_zero() -> None:
    """BW-0.3: score is a whole number and may go below zero."""
    state = drawn("1T...2", d20=[1, 20, 1, 20])
    act(state, "p1", "attack t1")
    assert repr(character(state, "p1")["score"]) == "-1"


# --- rotation and rounds ---


def test_turns_follow_the_registration_order_over_and_over() -> None:
    """BW-0.6: registration order, over and over."""
    state = drawn("1..T..2..A")
    assert play_all(state, "pass", 9) == ["p1", "p2", "t1", "t2"] * 2 + ["p1"]


def test_the_registration_order_is_that_of_the_list_not_of_the_ids() -> None:
    """BW-0.6: a troll that registers first acts first."""
    characters = [
        {"id": "zed", "characterType": "troll", "position": "0,0"},
        {"id": "abe", "position": "4,0"},
        {"id": "mia", "position": "8,0"},
    ]
    state = drawn(".........", characters=characters)
    assert play_all(state, "pass", 4) == ["zed", "abe", "mia", "zed"]


def test_followers_are_skipped() -> None:
    """BW-0.6: a turn belongs to a unit and is decided by its leader."""
    state = drawn("132...4", parties=[["p3", "p1"]])
    assert play_all(state, "pass", 4) == ["p2", "p3", "p4", "p2"]


def test_the_dead_are_skipped() -> None:
    """BW-0.6: the dead are skipped."""
    state = drawn("1..2..3", figures={"p2": {"alive": False, "health": 0}})
    assert play_all(state, "pass", 4) == ["p1", "p3", "p1", "p3"]


def test_a_round_ends_when_the_rotation_passes_the_last_registered() -> None:
    """BW-0.6: not before the last registered character has had its turn."""
    state = drawn("1..2..3")
    rounds: list[int] = []
    for _ in range(7):
        rounds.append(state.round)
        act(state, state.to_act[0], "pass")
    assert rounds == [1, 1, 1, 2, 2, 2, 3]


def test_a_round_ends_at_the_last_registered_whoever_began() -> None:
    """BW-0.6: a game begun in the middle has a short first round."""
    state = drawn("1..2..3", turn="p3")
    act(state, "p3", "pass")
    assert (state.to_act, state.round) == (("p1",), 2)


@pytest.mark.parametrize("last", [{"alive": False, "health": 0}, {}], ids=["dead", "following"])
def test_a_round_ends_past_a_last_registered_that_takes_no_turn(last: dict[str, Any]) -> None:
    """BW-0.6: the rotation passes the last registered, dead or following."""
    parties = [] if last else [["p2", "p3"]]
    state = drawn("1..23", figures={"p3": last}, parties=parties)
    play_all(state, "pass", 2)
    assert (state.to_act, state.round) == (("p1",), 2)


# --- decisions ---


def test_an_open_answer_is_the_asked_seats_alone() -> None:
    """BW-0.7: while an answer is open, that seat alone is to act."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    assert (state.phase, state.to_act) == ("answer", ("p2",))
    assert [legal(state, side) for side in state.sides] == [[], ["accept", "decline"], []]


def test_an_open_reward_is_the_victors_alone() -> None:
    """BW-0.7: while a reward is open, that seat alone is to act."""
    state = drawn("1G...2", d20=[20, 1, 20, 1])
    act(state, "p1", "challenge")
    assert (state.phase, state.to_act) == ("reward", ("p1",))
    assert legal(state, "p1") == ["reward score", "reward strength", "reward health"]
    assert legal(state, "p2") == []


def test_after_the_reward_the_rotation_goes_on() -> None:
    """BW-0.7: the choice of a reward is a decision of the same turn."""
    state = drawn("1G...2", d20=[20, 1, 20, 1])
    act(state, "p1", "challenge")
    act(state, "p1", "reward score")
    assert (state.phase, state.to_act) == ("turn", ("p2",))


def test_after_the_answer_the_rotation_goes_on_from_the_one_who_asked() -> None:
    """BW-0.7: the answer is a decision inside the asker's turn."""
    state = drawn("1.2.34", turn="p4")
    act(state, "p4", "ally p3")
    act(state, "p3", "decline")
    assert (state.to_act, state.round) == (("p1",), 2)


def test_out_of_turn_is_refused_and_changes_nothing() -> None:
    """BW-0.7: toAct names exactly the seats that may act."""
    state = drawn("1..2")
    before = state.to_data()
    with pytest.raises(Refusal) as refused:
        act(state, "p2", "pass")
    assert refused.value.code is Code.NOT_YOUR_TURN
    assert state.to_data() == before


# --- the cap ---


def test_the_default_cap_is_two_hundred_rounds() -> None:
    """BW-0.8: default 200."""
    state = drawn("1..2")
    assert len(play_all(state, "pass", 1000)) == 400
    assert (state.round, state.result and state.result.reason) == (200, "round_limit")


def test_null_is_no_cap() -> None:
    """BW-0.8: `null` is no cap."""
    state = drawn("1..2", max_rounds=None)
    assert len(play_all(state, "pass", 1000)) == 1000
    assert state.result is None


@pytest.mark.parametrize(("begins", "turns"), [("p1", 15), ("p2", 14), ("p3", 13)])
def test_five_rounds_are_five_whoever_begins(begins: str, turns: int) -> None:
    """BW-0.8 (C06): `maxRounds` 5 gives exactly 5 rounds, the short first one counted."""
    state = drawn("1..2..3", max_rounds=5, turn=begins)
    assert len(play_all(state, "pass", 100)) == turns
    assert state.round == 5


def test_the_cap_ends_the_game_with_the_ranking_as_it_stands() -> None:
    """BW-0.8: reason `round_limit`, the ranking stands."""
    state = drawn("1..2", max_rounds=1, figures={"p2": {"score": 3}})
    play_all(state, "pass", 2)
    assert state.result is not None
    assert (state.result.reason, state.result.winners) == ("round_limit", ("p2",))
    assert "party" not in state.result.extra


def test_all_pass_for_ever_and_the_cap_ends_it() -> None:
    """BW-0.8 (C22): parties are moved on at each second pass, and the game still ends with its last round."""
    state = drawn(
        """
        12..........34
        ..............
        """,
        parties=[["p1", "p2"], ["p3", "p4"]],
        max_rounds=6,
    )
    events: list[dict[str, Any]] = []
    while state.to_act:
        events += act(state, state.to_act[0], "pass")
    assert (len(named(events, "passed")), len(named(events, "unstuck"))) == (12, 6)
    assert events[-1]["type"] == "game_over"
    assert (events[-1]["reason"], parties_of(state)) == ("round_limit", [["p1", "p2"], ["p3", "p4"]])


# --- the actions ---


@pytest.mark.parametrize(
    ("picture", "first", "form"),
    [
        ("1..2", None, {"type": "move", "to": "1,0"}),
        ("1..2", None, {"type": "pass"}),
        ("12.3", None, {"type": "ally", "target": "p2"}),
        ("12.3", "ally p2", {"type": "answer", "accept": True}),
        ("12.3", "ally p2", {"type": "answer", "accept": False}),
        ("1T.2", None, {"type": "attack", "target": "t1"}),
        ("1G.2", None, {"type": "challenge"}),
        ("1G.2", "challenge", {"type": "reward", "choice": "score"}),
        ("1G.2", "challenge", {"type": "reward", "choice": "strength"}),
        ("1G.2", "challenge", {"type": "reward", "choice": "health"}),
    ],
    ids=str,
)
def test_each_form_of_an_action_is_taken(picture: str, first: str | None, form: dict[str, Any]) -> None:
    """BW-0.9: the forms of the set; an action writes itself as it was given."""
    state = drawn(picture, d20=[20, 1] * 3)
    if first:
        act(state, "p1", first)
    action = state.parse_action(form)
    assert action.to_data() == form
    assert state.apply(state.to_act[0], action)


def test_sleep_is_taken_from_a_troll() -> None:
    """BW-0.9: `{"type":"sleep"}`."""
    state = drawn("1..T", turn="t1")
    assert state.apply("t1", state.parse_action({"type": "sleep"}))


@pytest.mark.parametrize(
    "form",
    [
        {"type": "fly"},
        {},
        {"type": "move"},
        {"type": "move", "to": "1"},
        {"type": "move", "to": "01,0"},
        {"type": "move", "to": [1, 0]},
        {"type": "pass", "to": "1,0"},
        {"type": "answer", "accept": 1},
        {"type": "reward", "choice": "gold"},
        "hop 1,0",
        "move 1,0 1,1",
        "",
    ],
    ids=str,
)
def test_nothing_else_is_an_action(form: Any) -> None:
    """BW-0.9: this is the whole set."""
    with pytest.raises(Refusal) as refused:
        drawn("1..2").parse_action(form)
    assert refused.value.code is Code.MALFORMED_ACTION
