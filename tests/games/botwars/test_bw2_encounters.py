"""BW-2.0 and BW-2.1: which encounters arise, in which order, and when the sequence ends."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, legal, named, parties_of, same_board

WIN_ALL = [20, 1] * 10
"""The attacker wins both bouts, time and again (where the defender is not twenty times as strong)."""


def fought(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Attacker and defender of each battle, in order."""
    return [(battle["attacker"], battle["defender"]) for battle in named(events, "battle")]


# --- what is an encounter ---


def test_a_move_to_distance_one_is_an_encounter() -> None:
    """BW-2.0: two units with any living members at distance 1; resolved right after the mover's own move."""
    state = drawn("1..T...2", d20=WIN_ALL)
    assert fought(act(state, "p1", "move 1,0")) == []
    act(state, "p2", "pass")
    act(state, "t1", "pass")
    assert fought(act(state, "p1", "move 2,0")) == [("p1", "t1")]


def test_a_diagonal_neighbour_is_met() -> None:
    """BW-2.0: distance 1 is Chebyshev."""
    state = drawn(
        """
        1..
        ...
        ..T
        2..
        """,
        d20=WIN_ALL,
    )
    assert fought(act(state, "p1", "move 1,1")) == [("p1", "t1")]


def test_the_other_sides_follower_is_met_too() -> None:
    """BW-2.0: any living members."""
    state = drawn("1.32.4..", parties=[["p2", "p3"]], figures={"p1": {"strength": 5.0}}, d20=WIN_ALL)
    assert fought(act(state, "p1", "move 1,0")) == [("p1", "p2")]


def test_the_movers_follower_meets_too_once_it_is_in_place() -> None:
    """BW-2.0: leader and followers in place; the leader goes away from p3, its follower comes beside it."""
    state = drawn(
        """
        213..
        .....
        ....4
        """,
        parties=[["p1", "p2"]],
    )
    (joined,) = named(act(state, "p1", "move 0,1"), "joined")
    assert (joined["id"], joined["party"]) == ("p3", "p1")
    assert same_board(
        state,
        """
        .23..
        1....
        ....4
        """,
    )


def test_a_grave_is_not_met() -> None:
    """BW-2.0: any *living* members."""
    state = drawn("1.2.3...4", figures={"p2": {"alive": False, "health": 0}}, parties=[])
    assert [event["type"] for event in act(state, "p1", "move 1,0")] == ["moved"]


def test_an_unstuck_maneuver_is_followed_by_encounters() -> None:
    """BW-2.0: encounters arise from a move or an unstuck maneuver."""
    state = drawn("M21.T..3", parties=[["p1", "p2"]], consecutive_passes={"p1": 1}, d20=WIN_ALL)
    events = act(state, "p1", "pass")
    assert [event["type"] for event in events[:3]] == ["passed", "unstuck", "battle"]
    assert fought(events) == [("p1", "t1")]


# --- what is none ---


def test_a_solos_pass_is_no_encounter() -> None:
    """BW-2.0: not from passes; the weaker solo beside the party does not join."""
    state = drawn("123", parties=[["p1", "p2"]], figures={"p3": {"strength": 1.0}}, turn="p3")
    assert [event["type"] for event in act(state, "p3", "pass")] == ["passed"]
    assert character(state, "p3")["leader"] is None


def test_a_leaders_pass_is_no_encounter() -> None:
    """BW-2.0: not from passes."""
    state = drawn("123", parties=[["p1", "p2"]], figures={"p3": {"strength": 1.0}})
    assert [event["type"] for event in act(state, "p1", "pass")] == ["passed"]


def test_an_alliance_is_no_encounter() -> None:
    """BW-2.0: not from alliances; the weaker p3 stands beside the new party and does not join."""
    state = drawn("123..4", figures={"p3": {"strength": 1.0}})
    act(state, "p1", "ally p2")
    events = act(state, "p2", "accept")
    assert [event["type"] for event in events] == ["ally_answered", "party_formed"]
    assert character(state, "p3")["leader"] is None


def test_falling_in_is_no_encounter() -> None:
    """BW-2.0: not from falling in; p4 is absorbed beside p5's party, which is fought only on the next turn (BW-8.4)."""
    state = drawn(
        """
        .......
        21.....
        ...3...
        ..5.4..
        ..6....
        """,
        parties=[["p1", "p2"], ["p3", "p4"], ["p5", "p6"]],
        figures={"p5": {"strength": 9.0}},
        d20=WIN_ALL,
    )
    events = act(state, "p1", "move 2,1")
    assert fought(events) == [("p1", "p3")]
    assert (parties_of(state)[0], character(state, "p4")["position"]) == (["p1", "p2", "p4"], "2,2")
    assert state.neighbouring_units(0) == [4]


def test_a_respawn_is_no_encounter() -> None:
    """BW-2.0: not from respawns; beaten p1 has one free cell to go to, beside p2's party, and does not join it."""
    state = drawn("T1M.23", parties=[["p2", "p3"]], figures={"p2": {"strength": 9.0}}, d20=WIN_ALL, turn="t1")
    events = act(state, "t1", "attack p1")
    assert character(state, "p1")["position"] == "3,0"
    assert named(events, "joined") == []


# --- the order ---


def test_encounters_come_in_registration_order() -> None:
    """BW-2.0: listed in registration order, wherever they stand."""
    state = drawn(
        """
        ..2....
        T..1...
        ..3....
        """,
        d20=WIN_ALL,
        turn="t1",
    )
    assert fought(act(state, "t1", "move 1,1")) == [("t1", "p2"), ("t1", "p3")]
    state = drawn(
        """
        ..3....
        T..1...
        ..2....
        """,
        d20=WIN_ALL,
        turn="t1",
    )
    assert fought(act(state, "t1", "move 1,1")) == [("t1", "p2"), ("t1", "p3")]


def test_a_party_stands_in_the_order_of_its_leader() -> None:
    """BW-2.0: in registration order of their *deciding seat*: p2 before p3's party, though p1 is in it."""
    state = drawn(
        """
        ..2....
        T.....4
        ..13...
        """,
        parties=[["p3", "p1"]],
        d20=WIN_ALL,
        turn="t1",
    )
    assert fought(act(state, "t1", "move 1,1")) == [("t1", "p2"), ("t1", "p3")]


def test_each_unit_is_taken_once() -> None:
    """BW-2.0: each is taken once; p1 respawns on the only free cell, again beside the troll."""
    state = drawn("T.1", d20=WIN_ALL, turn="t1")
    events = act(state, "t1", "move 1,0")
    assert named(events, "respawned")[0]["position"] == "0,0"
    assert fought(events) == [("t1", "p1")]


def test_what_is_left_of_a_beaten_unit_is_not_taken_again() -> None:
    """BW-2.0: p2 stays beside the troll after its party was beaten (BW-8.5)."""
    state = drawn(
        """
        T.1....
        ..2...3
        """,
        parties=[["p1", "p2"]],
        d20=WIN_ALL,
        turn="t1",
    )
    events = act(state, "t1", "move 1,0")
    assert fought(events) == [("t1", "p1")]
    assert "p2" in [state.sides[j] for j in state.neighbouring_units(3)]


def test_none_is_added_after_the_list_is_made() -> None:
    """BW-2.0: p1 meets p2's weaker party and the solo p4; beside a *solo* mover a solo is not listed, and when p1 leads
    a party, after the battle, it is not added."""
    state = drawn(
        """
        1.2...
        ..43..
        """,
        parties=[["p2", "p3"]],
        figures={"p1": {"strength": 5.0}},
        d20=WIN_ALL,
    )
    events = act(state, "p1", "move 1,0")
    assert (fought(events), named(events, "joined")) == ([("p1", "p2")], [])
    assert (parties_of(state), character(state, "p4")["leader"]) == ([["p1", "p3"]], None)


def test_what_happens_is_decided_when_its_turn_comes() -> None:
    """BW-2.0: p1 would have joined p4's party as a solo, but leads a party itself by then, and must battle."""
    state = drawn(
        """
        ..23..
        1.....
        ..45.6
        """,
        parties=[["p2", "p3"], ["p4", "p5"]],
        figures={"p2": {"strength": 1.0}, "p4": {"strength": 3.0}},
        d20=WIN_ALL,
    )
    events = act(state, "p1", "move 1,1")
    assert fought(events) == [("p1", "p2"), ("p1", "p4")]
    assert parties_of(state) == [["p1", "p3", "p5"]]


def test_several_solos_join_one_after_the_other() -> None:
    """BW-2.0, BW-3.1: each is taken, in registration order, and falls in behind the one before."""
    state = drawn(
        """
        ...4...
        21.....
        ...3..5
        """,
        parties=[["p1", "p2"]],
    )
    events = act(state, "p1", "move 2,1")
    assert [event["id"] for event in named(events, "joined")] == ["p3", "p4"]
    assert parties_of(state) == [["p1", "p2", "p3", "p4"]]


# --- the sequence ends early ---


def test_a_beaten_mover_meets_nobody_else() -> None:
    """BW-2.0: the sequence ends early when the mover's own unit is beaten."""
    state = drawn(
        """
        ..1....
        T.....3
        ..2....
        """,
        d20=[1, 20, 1, 20, 20, 1, 20, 1],
        turn="t1",
    )
    assert fought(act(state, "t1", "move 1,1")) == [("t1", "p1")]
    assert state.dice.loaded[20] == (20, 1, 20, 1)


def test_a_dead_mover_meets_nobody_else() -> None:
    """BW-2.0: or dies."""
    state = drawn(
        """
        ..1....
        T.....3
        ..2....
        """,
        d20=[1, 20, 1, 20],
        d3=[1],
        figures={"t1": {"health": 1.0}},
        turn="t1",
    )
    assert fought(act(state, "t1", "move 1,1")) == [("t1", "p1")]
    assert not character(state, "t1")["alive"]


def test_a_mover_that_joined_meets_nobody_else() -> None:
    """BW-2.0: p1 joins p2's party; p4's, beside which it stands too, is left for the next turn."""
    state = drawn(
        """
        ..23..
        1.....
        ..45.6
        """,
        parties=[["p2", "p3"], ["p4", "p5"]],
        figures={"p2": {"strength": 3.0}, "p4": {"strength": 3.0}},
    )
    events = act(state, "p1", "move 1,1")
    assert [event["type"] for event in events] == ["moved", "joined"]
    assert parties_of(state) == [["p2", "p3", "p1"], ["p4", "p5"]]


def test_a_mover_that_found_no_room_to_join_goes_on() -> None:
    """BW-2.0, BW-2.6: p1 did not join p2's party, whose tail has no free neighbour, so the troll is met next."""
    state = drawn(
        """
        1.23M4
        MMTMMM
        """,
        parties=[["p2", "p3"]],
        d20=WIN_ALL,
    )
    events = act(state, "p1", "move 1,0")
    assert [event["type"] for event in events[:2]] == ["moved", "battle"]
    assert fought(events) == [("p1", "t1")]


# --- the attacker, and the attack ---


@pytest.mark.parametrize(("side", "to", "other"), [("p1", "move 1,0", "t1"), ("t1", "move 1,0", "p1")])
def test_the_attacker_is_whose_move_it_was(side: str, to: str, other: str) -> None:
    """BW-2.0: the attacker is the unit whose move, maneuver or `attack` caused the battle."""
    state = drawn("1.T...2", turn=side, d20=WIN_ALL)
    assert fought(act(state, side, to)) == [(side, other)]


def test_an_attack_resolves_that_one_battle_and_spends_the_turn() -> None:
    """BW-2.0: p1 stands between two trolls and attacks one."""
    state = drawn("TM.....\n.1A...2", d20=WIN_ALL)
    assert fought(act(state, "p1", "attack t2")) == [("p1", "t2")]
    assert state.to_act == ("p2",)


def test_the_attacker_of_an_attack_is_who_attacked() -> None:
    """BW-2.0: the attacker is the unit whose `attack` caused the battle."""
    state = drawn("1T...2", d20=WIN_ALL, turn="t1")
    assert fought(act(state, "t1", "attack p1")) == [("t1", "p1")]


# --- by kind ---


def test_two_trolls_ignore_each_other() -> None:
    """BW-2.0: troll–troll: nothing happens."""
    state = drawn("T.A...1", turn="t1")
    assert [event["type"] for event in act(state, "t1", "move 1,0")] == ["moved"]


def test_two_solos_ignore_each_other() -> None:
    """BW-2.0: solo–solo: nothing happens."""
    state = drawn("1.2...3", figures={"p1": {"strength": 9.0}})
    assert [event["type"] for event in act(state, "p1", "move 1,0")] == ["moved"]


@pytest.mark.parametrize("strength", [0.1, 2.0, 90.0])
def test_two_parties_that_meet_must_battle(strength: float) -> None:
    """BW-2.1: must, however unequal, in the action that brought them together."""
    state = drawn(
        "21.34...5",
        parties=[["p1", "p2"], ["p3", "p4"]],
        figures={"p3": {"strength": strength}},
        d20=[20, 1, 20, 1, 20, 1],
    )
    assert fought(act(state, "p1", "move 2,0")) == [("p1", "p3")]


def test_two_parties_that_stand_together_can_only_attack() -> None:
    """BW-2.1, BW-8.4: and so must those that came together without a move."""
    state = drawn("2134...5", parties=[["p1", "p2"], ["p3", "p4"]])
    assert legal(state, "p1") == ["attack p3"]


def test_figures_of_units_not_met_stay() -> None:
    """BW-2.0: a battle is between two units."""
    state = drawn("1.T..2.A", d20=WIN_ALL)
    act(state, "p1", "move 1,0")
    assert figures_of(state, "score") == {"p1": 2, "p2": 0, "t1": 0, "t2": 0}
