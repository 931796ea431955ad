"""BW-1: two solo players ally."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, legal, named, parties_of, same_board

from livingtable.errors import Code, Refusal


def test_neighbours_may_be_asked() -> None:
    """BW-1.1: a solo player at distance 1 of another solo player may ally with it."""
    state = drawn("""
        2.....
        .1....
        ..3..4
    """)
    assert [line for line in legal(state, "p1") if line.startswith("ally")] == ["ally p2", "ally p3"]


def test_one_two_cells_away_is_not_asked() -> None:
    """BW-1.1: at distance 1."""
    assert "ally p2" not in legal(drawn("1.2"), "p1")


@pytest.mark.parametrize("target", ["p1", "p3", "t1", "p9"])
def test_nobody_else_can_be_asked(target: str) -> None:
    """BW-1.1: not oneself, one far away, a troll, nobody."""
    state = drawn("12...3...T")
    with pytest.raises(Refusal) as refused:
        act(state, "p1", f"ally {target}")
    assert refused.value.code is Code.ILLEGAL_ACTION


@pytest.mark.parametrize("target", ["p2", "p3"])
def test_a_member_of_a_party_is_not_asked(target: str) -> None:
    """BW-1.1: of another *solo* player."""
    state = drawn("""
        1.4
        23.
    """, parties=[["p2", "p3"]])  # fmt: skip
    assert f"ally {target}" not in legal(state, "p1")


def test_a_party_asks_nobody() -> None:
    """BW-1.1: a *solo* player may ally."""
    assert legal(drawn("213...4", parties=[["p1", "p2"]]), "p1") == ["pass"]


def test_asking_spends_the_turn_when_accepted() -> None:
    """BW-1.1: that spends the turn."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert state.to_act == ("p3",)


def test_asking_spends_the_turn_when_declined_and_the_asked_has_its_own() -> None:
    """BW-1.1: the answer is not the asked seat's turn."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    act(state, "p2", "decline")
    assert (state.to_act, state.phase) == (("p2",), "turn")


def test_the_other_seat_answers_at_once() -> None:
    """BW-1.1: before anybody else's turn."""
    state = drawn("2.31", turn="p1")
    assert act(state, "p1", "ally p3") == [{"type": "ally_offered", "side": "p1", "target": "p3"}]
    assert state.to_act == ("p3",)
    assert state.view(None)["offer"] == {"from": "p1", "to": "p3"}


def test_a_no_changes_nothing() -> None:
    """BW-1.1: `accept:false` changes nothing but the turn."""
    state = drawn("12.3")
    before = state.view(None)
    act(state, "p1", "ally p2")
    assert act(state, "p2", "decline") == [{"type": "ally_answered", "side": "p2", "accept": False}]
    assert state.view(None) == {**before, "turn": "p2"}


def test_nobody_is_obliged_to_ask() -> None:
    """BW-1.1: nobody is obliged; a neighbour may be left alone."""
    state = drawn("12.3")
    assert legal(state, "p1") == ["ally p2", "pass"]
    assert named(act(state, "p1", "pass"), "ally_offered") == []


def test_nobody_is_obliged_to_accept() -> None:
    """BW-1.1: nobody is obliged."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    assert legal(state, "p2") == ["accept", "decline"]


def test_one_beside_a_foe_cannot_ask() -> None:
    """BW-1.1, BW-8.4: beside a troll only `attack` is legal."""
    assert legal(drawn("21T.3"), "p1") == ["attack t1"]


def test_one_beside_a_troll_may_be_asked_and_may_accept() -> None:
    """BW-1.1: the answer is no turn, so BW-8.4 does not bear on it."""
    state = drawn("12T.3")
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert parties_of(state) == [["p1", "p2"]]


@pytest.mark.parametrize(
    ("asker", "asked", "leader"),
    [
        ({"strength": 2.1}, {"strength": 2.0, "score": 9}, "p1"),
        ({"strength": 2.0, "score": 9}, {"strength": 2.1}, "p2"),
        ({"score": 0}, {"score": 1}, "p2"),
        ({"score": 1}, {"score": 0}, "p1"),
        ({"score": -1}, {"score": 0}, "p2"),
        ({"health": 1.0}, {"health": 9.0}, "p1"),
    ],
    ids=str,
)
def test_the_stronger_leads_then_the_higher_score_then_the_earlier(
    asker: dict[str, Any], asked: dict[str, Any], leader: str
) -> None:
    """BW-1.2: the stronger; equal strength: the higher score; still equal: the earlier registered."""
    state = drawn("12.3", figures={"p1": asker, "p2": asked})
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert figures_of(state, "leader") == {"p1": leader, "p2": leader, "p3": None}


def test_the_earlier_registered_leads_though_the_later_asked() -> None:
    """BW-1.2: still equal: the earlier registered."""
    state = drawn("12.3", turn="p2")
    act(state, "p2", "ally p1")
    act(state, "p1", "accept")
    assert parties_of(state) == [["p1", "p2"]]


def test_the_line_is_leader_first_each_on_its_own_cell() -> None:
    """BW-1.3: the new party's line is leader first, the other behind, each on its own cell."""
    state = drawn("12.3", figures={"p2": {"strength": 3.0}})
    act(state, "p1", "ally p2")
    events = act(state, "p2", "accept")
    assert named(events, "party_formed") == [{"type": "party_formed", "side": "p2", "members": ["p2", "p1"]}]
    assert parties_of(state) == [["p2", "p1"]]
    assert same_board(state, "12.3")


def test_a_new_party_has_the_strength_of_both_and_no_passes() -> None:
    """BW-1.3, BW-4.4: a new party starts at 0."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    (party,) = state.view(None)["parties"]
    assert (party["totalStrength"], party["consecutivePasses"]) == (4.0, 0)


def test_solo_players_who_meet_do_not_battle() -> None:
    """BW-1.3: solo players never battle each other."""
    state = drawn("1.2...3")
    assert [event["type"] for event in act(state, "p1", "move 1,0")] == ["moved"]


def test_a_solo_cannot_attack_a_solo() -> None:
    """BW-1.3: solo players never battle each other."""
    with pytest.raises(Refusal) as refused:
        act(drawn("12..3"), "p1", "attack p2")
    assert refused.value.code is Code.ILLEGAL_ACTION


def test_an_alliance_of_the_last_two_ends_the_game() -> None:
    """BW-1.1, BW-9.1: the answer is a whole action."""
    state = drawn("12")
    act(state, "p1", "ally p2")
    assert state.result is None
    events = act(state, "p2", "accept")
    assert events[-1] == {"type": "game_over", "side": "p2", "reason": "united"}


def test_the_follower_is_in_its_leaders_party_in_the_state() -> None:
    """BW-1.2: the state names the leader of each member."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    act(state, "p2", "accept")
    assert (character(state, "p1")["leader"], character(state, "p2")["leader"]) == ("p1", "p1")
