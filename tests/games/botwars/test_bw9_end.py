"""BW-9: how a game ends, who wins, and that nothing happens afterwards."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.games.botwars.drawing import act, character, drawn, legal, named, play_all

import livingtable
from livingtable.errors import Code, Refusal
from livingtable.games.botwars.state import BotwarsState

DEAD: dict[str, Any] = {"alive": False, "health": 0}
ATTACKER, DEFENDER = [20, 1, 20, 1], [1, 20, 1, 20]


def reason(state: BotwarsState) -> str | None:
    return state.result and state.result.reason


def places(state: BotwarsState) -> list[tuple[int, str]]:
    assert state.result
    return [(row["place"], row["side"]) for row in state.result.ranking]


# --- united ---


def test_all_living_players_in_one_party_are_united() -> None:
    """BW-9.1: all living players are in one party."""
    state = drawn("21.3", parties=[["p1", "p2"]])
    events = act(state, "p1", "move 2,0")
    assert (reason(state), events[-1]) == ("united", {"type": "game_over", "side": "p1", "reason": "united"})


def test_two_are_united_while_trolls_live() -> None:
    """BW-9.1: trolls alive or not."""
    state = drawn("12..T..A")
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert reason(state) == "united"


def test_the_dead_need_not_be_in_the_party() -> None:
    """BW-9.1: all *living* players."""
    state = drawn("12..3", figures={"p3": DEAD})
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert reason(state) == "united"


def test_two_parties_are_not_united() -> None:
    """BW-9.1: in *one* party."""
    assert reason(drawn("12..34", parties=[["p1", "p2"], ["p3", "p4"]])) is None


def test_one_solo_apart_is_enough_not_to_be_united() -> None:
    """BW-9.1: *all* living players."""
    assert reason(drawn("12..3", parties=[["p1", "p2"]])) is None


@pytest.mark.parametrize("ruleset", ["full", "classic"])
def test_one_player_among_trolls_is_not_united(ruleset: str) -> None:
    """BW-9.1: two or more members."""
    state = drawn("1..T" if ruleset == "full" else "1...", ruleset=ruleset)
    assert reason(state) is None


def test_a_death_may_unite_the_rest() -> None:
    """BW-9.1: the last solo dies of a troll."""
    state = drawn("12..3T", parties=[["p1", "p2"]], figures={"p3": {"health": 1.0}}, d20=ATTACKER, d3=[1], turn="t1")
    act(state, "t1", "attack p3")
    assert (reason(state), state.result and state.result.extra["party"]) == ("united", ["p1", "p2"])


def test_a_beaten_leader_that_dies_unites_the_rest() -> None:
    """BW-9.1: its followers are absorbed, and nobody else lives."""
    state = drawn(
        "21.34", parties=[["p1", "p2"], ["p3", "p4"]], figures={"p3": {"health": 1.0}}, d20=ATTACKER, d3=[1, 1]
    )
    act(state, "p1", "move 2,0")
    assert (reason(state), state.result and state.result.extra["party"]) == ("united", ["p1", "p2", "p4"])


def test_a_beaten_leader_that_lives_is_apart() -> None:
    """BW-9.1: it respawns alone."""
    state = drawn("21.34", parties=[["p1", "p2"], ["p3", "p4"]], d20=ATTACKER)
    act(state, "p1", "move 2,0")
    assert reason(state) is None


def test_the_ends_are_looked_at_when_all_encounters_are_resolved() -> None:
    """BW-9.1: when a *whole* action is resolved: p3 joins, which unites all, and the troll is still fought."""
    state = drawn(
        """
        ...3..
        21....
        ...T..
        """,
        parties=[["p1", "p2"]],
        d20=ATTACKER,
    )
    events = act(state, "p1", "move 2,1")
    kinds = [event["type"] for event in events]
    assert kinds[:3] == ["moved", "joined", "battle"]
    assert (kinds[-1], reason(state)) == ("game_over", "united")


def test_a_union_undone_in_the_same_action_is_none() -> None:
    """BW-9.1: the troll beats the party that p3 has just made whole, and its leader respawns alone."""
    state = drawn(
        """
        ...3..
        21....
        ...T..
        """,
        parties=[["p1", "p2"]],
        d20=DEFENDER,
    )
    act(state, "p1", "move 2,1")
    assert reason(state) is None


def test_the_wizard_has_moved_before_the_end_is_looked_at() -> None:
    """BW-9.1: (…, Gary's move): p1 dies of a challenge, Gary goes elsewhere, and p2 is the last."""
    state = drawn("1G...2", figures={"p1": {"health": 2.0}}, d20=DEFENDER)
    kinds = [event["type"] for event in act(state, "p1", "challenge")]
    assert kinds[-2:] == ["wizard_moved", "game_over"]


def test_the_ends_are_looked_at_at_the_start() -> None:
    """BW-9.1: and at the start of the game."""
    state = drawn("12..T", parties=[["p1", "p2"]])
    assert (reason(state), state.to_act, legal(state, "p1")) == ("united", (), [])


@pytest.mark.parametrize(
    ("picture", "figures", "ends"),
    [
        ("1", {}, "sole_survivor"),
        ("T", {}, "sole_survivor"),
        ("1.T", {"p1": DEAD}, "sole_survivor"),
        ("T.A", {}, "only_trolls"),
        ("1.T.A", {"p1": DEAD}, "only_trolls"),
        ("1.2", {}, None),
        ("1.T", {}, None),
    ],
)
def test_every_end_is_looked_at_at_the_start(picture: str, figures: dict[str, Any], ends: str | None) -> None:
    """BW-9.1, BW-9.2, BW-9.3: at the start of the game too."""
    assert reason(drawn(picture, figures=figures)) == ends


# --- sole survivor, only trolls ---


def test_the_last_player_is_the_sole_survivor() -> None:
    """BW-9.2: exactly one living character."""
    state = drawn("1T", figures={"t1": {"health": 1.0}}, d20=ATTACKER, d3=[1])
    act(state, "p1", "attack t1")
    assert (reason(state), state.result and state.result.winners) == ("sole_survivor", ("p1",))


def test_the_last_troll_is_the_sole_survivor() -> None:
    """BW-9.2: a troll is a character as well."""
    state = drawn("1T", figures={"p1": {"health": 1.0}}, d20=DEFENDER, d3=[1])
    act(state, "p1", "attack t1")
    assert (reason(state), state.result and state.result.winners) == ("sole_survivor", ("t1",))


def test_two_living_are_no_end() -> None:
    """BW-9.2: *exactly one*."""
    state = drawn("1T.2", figures={"p1": {"health": 1.0}}, d20=DEFENDER, d3=[1])
    act(state, "p1", "attack t1")
    assert reason(state) is None


def test_when_the_last_player_dies_only_trolls_are_left() -> None:
    """BW-9.3: no living player, two or more trolls."""
    state = drawn("1T.A", figures={"p1": {"health": 1.0}}, d20=DEFENDER, d3=[1])
    act(state, "p1", "attack t1")
    assert reason(state) == "only_trolls"


def test_dead_trolls_do_not_count() -> None:
    """BW-9.3, BW-9.2: of two trolls one is dead: a sole survivor."""
    state = drawn("1T.A", figures={"p1": {"health": 1.0}, "t2": DEAD}, d20=DEFENDER, d3=[1])
    act(state, "p1", "attack t1")
    assert reason(state) == "sole_survivor"


def test_classic_has_no_sole_survivor() -> None:
    """BW-9, classic: the only end is BW-9.1 and `maxRounds`."""
    state = drawn("1...", ruleset="classic", max_rounds=3)
    assert reason(state) is None
    assert play_all(state, "pass", 100) == ["p1"] * 3
    assert reason(state) == "round_limit"


def test_classic_ends_united() -> None:
    """BW-9, classic: the only end is BW-9.1 (all united)."""
    state = drawn("21.3", parties=[["p1", "p2"]], ruleset="classic")
    act(state, "p1", "move 2,0")
    assert reason(state) == "united"


# --- ranking ---


def ranked(**figures: dict[str, Any]) -> list[tuple[int, str]]:
    """Four characters far apart, the game cut off at once."""
    state = drawn("1..2..3..T", figures=figures, max_rounds=1)
    play_all(state, "pass", 100)
    return places(state)


def test_the_ranking_is_by_score() -> None:
    """BW-9.4: by score."""
    assert ranked(p1={"score": -1}, p2={"score": 5}, p3={"score": 3}, t1={"score": 4}) == [
        (1, "p2"),
        (2, "t1"),
        (3, "p3"),
        (4, "p1"),
    ]


def test_equal_scores_are_ranked_by_strength() -> None:
    """BW-9.4: then strength."""
    figures: dict[str, Any] = {"p1": {"strength": 2.1}, "p2": {"strength": 2.3}, "p3": {"strength": 2.2}}
    assert ranked(**figures) == [(1, "t1"), (2, "p2"), (3, "p3"), (4, "p1")]


def test_a_higher_score_beats_any_strength() -> None:
    """BW-9.4: by score, *then* strength."""
    assert ranked(p1={"score": 1, "strength": 0.1})[0] == (1, "p1")


def test_equals_share_a_place_and_the_next_is_skipped() -> None:
    """BW-9.4: still equal: the same place shared: 1, 1, 3."""
    figures: dict[str, Any] = {"p2": {"score": 4}, "p3": {"score": 4}, "t1": {"score": 1}}
    assert ranked(**figures) == [(1, "p2"), (1, "p3"), (3, "t1"), (4, "p1")]


def test_three_equals_at_the_second_place_leave_the_third_and_fourth_empty() -> None:
    """BW-9.4: standard competition ranking."""
    assert ranked(t1={"score": 1}) == [(1, "t1"), (2, "p1"), (2, "p2"), (2, "p3")]


def test_health_does_not_decide_a_place() -> None:
    """BW-9.4: by score, then strength, nothing else."""
    assert [place for place, _ in ranked(p1={"health": 1.0}, t1={"strength": 2.0})] == [1, 1, 1, 1]


def test_the_dead_stand_in_the_ranking() -> None:
    """BW-9.4: all characters, dead or alive."""
    state = drawn("1T.2", figures={"p1": {"health": 1.0, "score": 7}}, d20=DEFENDER, d3=[1], max_rounds=1)
    act(state, "p1", "attack t1")
    play_all(state, "pass", 10)
    assert places(state) == [(1, "p1"), (2, "t1"), (3, "p2")]


def test_a_row_of_the_ranking_has_the_final_figures() -> None:
    """BW-9.4, BW-7.2: place, side, name, score, …"""
    state = drawn("1", figures={"p1": {"name": "Ash", "score": 2, "strength": 1.3, "health": 4.0}})
    assert state.result
    (row,) = state.result.ranking
    assert {key: row[key] for key in ("place", "side", "name", "score", "strength")} == {
        "place": 1,
        "side": "p1",
        "name": "Ash",
        "score": 2,
        "strength": 1.3,
    }


def test_the_ranking_can_be_had_before_the_end() -> None:
    """BW-9.4: for games that are cut off."""
    state = drawn("1..2", figures={"p2": {"score": 1}})
    assert [(row["place"], row["side"]) for row in state.ranking()] == [(1, "p2"), (2, "p1")]


# --- the result ---


def test_all_at_the_first_place_win() -> None:
    """BW-9.5: the winners (all at place 1)."""
    state = drawn("1..2..3", figures={"p1": {"score": 2}, "p3": {"score": 2}}, max_rounds=1)
    play_all(state, "pass", 10)
    assert state.result
    assert state.result.winners == ("p1", "p3")


def test_a_troll_may_win_a_game_that_unites_the_players() -> None:
    """BW-9.5: trolls too."""
    state = drawn("12..T", figures={"t1": {"score": 3}})
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert state.result
    assert (state.result.reason, state.result.winners) == ("united", ("t1",))


def test_the_dead_may_win() -> None:
    """BW-9.5, BW-9.4: all at place 1, dead or alive."""
    state = drawn("1..T", figures={"p1": {**DEAD, "score": 1}})
    assert state.result
    assert state.result.winners == ("p1",)


def test_united_names_the_party_in_line_order() -> None:
    """BW-9.5: and for `united` the united party."""
    state = drawn(".12.3", parties=[["p2", "p1"]], turn="p3")
    act(state, "p3", "move 3,0")
    assert state.result
    assert state.result.to_data()["party"] == ["p2", "p1", "p3"]


def test_only_united_names_a_party() -> None:
    """BW-9.5: for `united`."""
    state = drawn("12..3", parties=[["p1", "p2"]], max_rounds=1)
    play_all(state, "pass", 10)
    assert state.result
    assert "party" not in state.result.to_data()


def test_the_result_says_why_who_and_in_which_order() -> None:
    """BW-9.5: the reason, the ranking, the winners."""
    state = drawn("12", figures={"p2": {"score": 1}})
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert state.result
    data = state.result.to_data()
    assert (data["reason"], data["winners"], data["party"]) == ("united", ["p2"], ["p2", "p1"])
    assert [row["side"] for row in data["ranking"]] == ["p2", "p1"]


# --- after the end ---


def test_after_the_end_nobody_is_to_act() -> None:
    """BW-9.1: the game is over; every action is refused so, and changes nothing."""
    state = drawn("1", figures={})
    before = state.to_data()
    with pytest.raises(Refusal) as refused:
        act(state, "p1", "pass")
    assert refused.value.code is Code.GAME_OVER
    assert (state.to_act, state.to_data()) == ((), before)


def test_no_die_is_rolled_after_the_last_blow() -> None:
    """BW-9.1 (C05): p3's death ends the game: nobody respawns, Gary does not roam, loaded dice are left over."""
    state = drawn(
        "21.3..G",
        parties=[["p1", "p2"]],
        figures={"p3": {"strength": 5.0, "health": 1.0}},
        d20=[1, 20, 1, 20, 9],
        d3=[1, 2],
        turn="p3",
        wizard_roams=True,
    )
    events = act(state, "p3", "move 2,0")
    assert (reason(state), state.dice.draws) == ("united", 0)
    assert state.dice.loaded == {20: (9,), 3: (2,)}
    assert named(events, "wizard_moved") == []


def test_a_game_over_from_the_start_rolls_no_die() -> None:
    """BW-9.1 (C05): nothing is drawn for a game that nobody plays."""
    state = drawn("12.G", parties=[["p1", "p2"]], d20=[3])
    assert (reason(state), state.dice.draws, state.dice.loaded) == ("united", 0, {20: (3,)})


def test_the_round_stays_at_the_last_one_played() -> None:
    """BW-9.1, BW-0.8: the last registered ends the game; no new round begins."""
    state = drawn("1...2T", figures={"p1": DEAD, "p2": {"health": 1.0}}, d20=ATTACKER, d3=[1], turn="t1")
    act(state, "t1", "attack p2")
    assert (reason(state), state.round) == ("sole_survivor", 1)


def test_a_finished_game_is_restored_finished() -> None:
    """BW-9.5: the result is part of the state."""
    state = drawn("12..T", parties=[["p1", "p2"]])
    again = BotwarsState.from_data(state.to_data())
    assert again.result == state.result
    assert again.to_act == ()


def test_every_random_game_ends_with_one_of_the_four_reasons() -> None:
    """BW-9.1 to BW-9.3, BW-0.8: whatever is played."""
    for seed in range(30):
        state = cast(BotwarsState, livingtable.new_game("crossroads", seed=seed))
        n = 0
        while state.to_act:
            side = state.to_act[0]
            options = state.legal_actions(side)
            state.apply(side, options[(seed * 13 + n * 7 + n // 5) % len(options)])
            n += 1
        assert reason(state) in ("united", "sole_survivor", "only_trolls", "round_limit")
        living = [side for side in state.sides if character(state, side)["alive"]]
        assert len(living) == 1 or reason(state) != "sole_survivor"
