"""BW-3: a solo player meets a party."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, kinds, legal, named, parties_of, same_board

from livingtable.games.botwars.state import BotwarsState

PARTY: dict[str, Any] = {"parties": [["p2", "p3"]]}
ATTACKER, DEFENDER = [20, 1, 20, 1], [1, 20, 1, 20]


def solo_moves(solo: float, leader: float, follower: float = 2.0, **setup: Any) -> tuple[BotwarsState, list[Any]]:
    """p1 steps beside p2>p3; the state afterwards, and the events."""
    figures = {"p1": {"strength": solo}, "p2": {"strength": leader}, "p3": {"strength": follower}}
    given: dict[str, Any] = {**PARTY, "figures": figures, **setup}
    state = drawn("1.23...4", **given)
    return state, act(state, "p1", "move 1,0")


def party_moves(solo: float, leader: float, **setup: Any) -> tuple[BotwarsState, list[Any]]:
    """p2>p3 steps beside p1."""
    figures = {"p1": {"strength": solo}, "p2": {"strength": leader}}
    given: dict[str, Any] = {**PARTY, "figures": figures, "turn": "p2", **setup}
    state = drawn("1.23...4", **given)
    return state, act(state, "p2", "move 1,0")


# --- joining ---


@pytest.mark.parametrize("ruleset", ["full", "classic"])
@pytest.mark.parametrize(("solo", "leader"), [(2.0, 2.0), (1.9, 2.0), (0.1, 5.0)])
def test_a_solo_joins_a_leader_who_is_not_weaker(solo: float, leader: float, ruleset: str) -> None:
    """BW-3.1: the leader's strength is greater than or equal to the solo's: the solo joins."""
    state, events = solo_moves(solo, leader, ruleset=ruleset)
    assert kinds(events) == ["moved", "joined"]
    assert parties_of(state) == [["p2", "p3", "p1"]]


def test_a_solo_joins_a_party_that_comes_to_it() -> None:
    """BW-3.1: on an encounter, whoever moved."""
    state, events = party_moves(2.0, 2.0)
    assert kinds(events) == ["moved", "joined"]
    assert parties_of(state) == [["p2", "p3", "p1"]]


def test_a_solo_joins_without_a_decision() -> None:
    """BW-3.1: without a decision: the next in the rotation is to act."""
    state, _ = solo_moves(2.0, 2.0)
    assert (state.phase, state.to_act) == ("turn", ("p2",))


def test_a_solo_who_joins_falls_in() -> None:
    """BW-3.1: the solo joins (falls in) behind the tail, BW-2.6."""
    state, events = solo_moves(2.0, 2.0)
    assert events[1] == {"type": "joined", "side": "p1", "id": "p1", "party": "p2", "position": "4,0"}
    assert same_board(state, "..231..4")


def test_joining_costs_and_brings_nothing() -> None:
    """BW-3.1: no battle, no score, no health."""
    state, _ = solo_moves(2.0, 2.0)
    assert set(figures_of(state, "score").values()) == {0}
    assert set(figures_of(state, "health").values()) == {10.0}


def test_the_leaders_own_strength_counts_not_the_partys() -> None:
    """BW-3.1: the *leader's* strength: 1.9 does not draw 2.0, though the party has 10.9."""
    _, events = solo_moves(2.0, 1.9, 9.0, d20=DEFENDER)
    assert kinds(events)[:2] == ["moved", "battle"]


def test_the_score_does_not_count_for_joining() -> None:
    """BW-3.1: equal strength joins, whatever the score."""
    state = drawn("1.23...4", figures={"p1": {"score": 9}}, **PARTY)
    assert kinds(act(state, "p1", "move 1,0")) == ["moved", "joined"]


def test_a_solo_that_stands_beside_a_stronger_leader_may_still_do_as_it_likes() -> None:
    """BW-3.1, BW-8.4: it joins on an encounter only; standing there is none."""
    assert legal(drawn("123...4", **PARTY), "p1") == ["pass"]


def test_an_alliance_can_be_had_beside_a_party() -> None:
    """BW-3.1, BW-1.1: a party that is no foe forbids nothing."""
    assert legal(drawn("4123...5", parties=[["p2", "p3"]]), "p1") == ["ally p4", "pass"]


# --- battling ---


@pytest.mark.parametrize("ruleset", ["full", "classic"])
def test_a_solo_stronger_than_the_leader_battles(ruleset: str) -> None:
    """BW-3.2: else they battle, the solo being a side of one."""
    _, events = solo_moves(2.1, 2.0, d20=ATTACKER, ruleset=ruleset)
    (battle,) = named(events, "battle")
    assert (battle["attackers"], battle["attackerStrength"]) == (["p1"], 2.1)
    assert (battle["defenders"], battle["defenderStrength"]) == (["p2", "p3"], 4.0)


def test_a_party_battles_a_stronger_solo_that_it_comes_to() -> None:
    """BW-3.2: whoever moved; the mover is the attacker."""
    _, events = party_moves(2.1, 2.0, d20=ATTACKER)
    (battle,) = named(events, "battle")
    assert (battle["attacker"], battle["defender"]) == ("p2", "p1")


def test_a_party_and_a_stronger_solo_beside_it_can_only_attack() -> None:
    """BW-3.2, BW-8.4: a mandatory foe from both sides."""
    picture, figures = "123...4", {"p1": {"strength": 2.1}}
    assert legal(drawn(picture, figures=figures, **PARTY), "p1") == ["attack p2"]
    assert legal(drawn(picture, figures=figures, turn="p2", **PARTY), "p2") == ["attack p1"]


def test_a_solo_that_wins_gets_two() -> None:
    """BW-3.2: if the solo wins it gets +2."""
    state, _ = solo_moves(2.1, 2.0, d20=ATTACKER)
    assert figures_of(state, "score") == {"p1": 2, "p2": -1, "p3": 0, "p4": 0}


def test_a_solo_that_wins_leads_the_beaten_followers() -> None:
    """BW-3.2: the losing followers fall in behind it, and it leads; their leader respawns alone."""
    state, events = solo_moves(2.1, 2.0, d20=ATTACKER)
    assert parties_of(state) == [["p1", "p3"]]
    assert figures_of(state, "leader") == {"p1": "p1", "p2": None, "p3": "p1", "p4": None}
    assert kinds(events)[-2:] == ["absorbed", "respawned"]


def test_a_solo_that_wins_leads_a_stronger_one_too() -> None:
    """BW-3.2: it leads even if an absorbed member is stronger."""
    state, _ = solo_moves(2.1, 2.0, 9.0, d20=ATTACKER)
    assert parties_of(state) == [["p1", "p3"]]


def test_a_winner_that_absorbs_nobody_is_a_solo_still() -> None:
    """BW-3.2: the only follower died."""
    figures = {"p1": {"strength": 3.0}, "p3": {"health": 1.0}}
    state = drawn("1.23...4", figures=figures, d20=ATTACKER, d3=[1, 1], **PARTY)
    act(state, "p1", "move 1,0")
    assert (parties_of(state), character(state, "p1")["leader"]) == ([], None)


def test_a_solo_that_loses_pays_and_respawns_alone() -> None:
    """BW-3.2: by BW-2: a side of one is its own leader: -1 score, 1 to 3 health, a respawn; it is not absorbed."""
    state, events = solo_moves(2.1, 2.0, d20=DEFENDER, d3=[3])
    assert (character(state, "p1")["score"], character(state, "p1")["health"], character(state, "p1")["leader"]) == (
        -1,
        7.0,
        None,
    )
    assert events[-1] == {"type": "respawned", "side": "p1", "id": "p1", "position": character(state, "p1")["position"]}
    assert parties_of(state) == [["p2", "p3"]]


def test_a_party_that_beats_a_solo_scores_as_any_winner() -> None:
    """BW-3.2, BW-2.3: the leader +2, the other +1."""
    state, _ = solo_moves(2.1, 2.0, d20=DEFENDER)
    assert figures_of(state, "score") == {"p1": -1, "p2": 2, "p3": 1, "p4": 0}


def test_a_solo_that_dies_of_it_leaves_a_grave() -> None:
    """BW-3.2, BW-7.5: no respawn."""
    figures = {"p1": {"strength": 3.0, "health": 1.0}}
    state = drawn("1.23...4", figures=figures, d20=DEFENDER, d3=[1], **PARTY)
    events = act(state, "p1", "move 1,0")
    assert kinds(events)[-1] == "died"
    assert state.view(None)["graves"] == [{"id": "p1", "position": "1,0"}]


# --- the leader stays ---


def test_after_a_join_the_leader_stays() -> None:
    """BW-3.3: though the newcomer has as much strength and a higher score (BW-1.2)."""
    state = drawn("1.23...4", figures={"p1": {"score": 9}}, **PARTY)
    act(state, "p1", "move 1,0")
    assert figures_of(state, "leader") == {"p1": "p2", "p2": "p2", "p3": "p2", "p4": None}


def test_after_an_absorption_the_leader_stays() -> None:
    """BW-3.3: though the absorbed are stronger; and it is the leader's turn that comes again."""
    state = drawn(
        "21.34...5",
        parties=[["p1", "p2"], ["p3", "p4"]],
        figures={"p4": {"strength": 5.0}},
        d20=[20, 1, 20, 1],
    )
    act(state, "p1", "move 2,0")
    assert parties_of(state) == [["p1", "p2", "p4"]]
    assert {side: figures_of(state, "leader")[side] for side in ("p1", "p2", "p4")} == dict.fromkeys(
        ("p1", "p2", "p4"), "p1"
    )


def test_a_leader_weakened_below_its_follower_stays_leader() -> None:
    """BW-3.2: leadership changes only by death."""
    state = drawn(
        """
        .21M..
        ..M...
        .....3
        """,
        parties=[["p1", "p2"]],
    )
    act(state, "p1", "move 3,1")
    assert (character(state, "p1")["strength"], character(state, "p2")["strength"]) == (1.8, 1.9)
    assert parties_of(state) == [["p1", "p2"]]
