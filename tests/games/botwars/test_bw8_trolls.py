"""BW-8: trolls, and the battles to which they force others."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import (
    act,
    character,
    drawn,
    figures_of,
    graves_of,
    kinds,
    legal,
    named,
    only,
    parties_of,
    same_board,
)

from livingtable.errors import Refusal, ScenarioError

WON, LOST = [20, 1, 20, 1], [1, 20, 1, 20]
"""Bouts as the attacker sees them."""
SEEDS = range(60)

# --- BW-8.1 ---


def test_a_troll_and_a_player_do_not_ally() -> None:
    """BW-8.1: trolls never ally."""
    assert not [action for action in legal(drawn("1T...2"), "p1") if action.startswith("ally")]
    with pytest.raises(Refusal):
        act(drawn("1T...2"), "p1", "ally t1")


def test_trolls_do_not_ally_with_each_other() -> None:
    """BW-8.1: trolls never ally."""
    state = drawn("TA...1", turn="t1")
    assert not [action for action in legal(state, "t1") if action.startswith("ally")]
    with pytest.raises(Refusal, match="trolls never ally"):
        act(state, "t1", "ally t2")


@pytest.mark.parametrize("line", [["p1", "t1"], ["t1", "p1"]])
def test_a_troll_stands_in_no_party(line: list[str]) -> None:
    """BW-8.1: neither as a member nor as a leader."""
    with pytest.raises(ScenarioError, match="t1"):
        drawn("1T...2", parties=[line])


def test_a_weak_troll_does_not_join_a_strong_party() -> None:
    """BW-8.1, BW-8.3: it battles."""
    state = drawn("12.T..3", parties=[["p1", "p2"]], figures={"t1": {"strength": 0.1}}, turn="t1", d20=LOST, d3=[1])
    assert kinds(act(state, "t1", "move 2,0"))[:2] == ["moved", "battle"]
    assert parties_of(state) == [["p1", "p2"]]


def test_a_troll_cannot_challenge_gary() -> None:
    """BW-8.1: however near."""
    state = drawn("TG..1", turn="t1")
    assert "challenge" not in legal(state, "t1")
    with pytest.raises(Refusal, match="trolls cannot challenge"):
        act(state, "t1", "challenge")


# --- BW-8.2 ---


def test_a_troll_that_comes_to_another_ignores_it() -> None:
    """BW-8.2: no battle."""
    state = drawn("T.A...1", turn="t1")
    assert kinds(act(state, "t1", "move 1,0")) == ["moved"]


def test_trolls_side_by_side_go_on_with_their_hunt() -> None:
    """BW-8.2: no attack is forced, none is possible."""
    state = drawn("TA....1", turn="t1")
    assert legal(state, "t1") == ["sleep", "pass"]
    with pytest.raises(Refusal):
        act(state, "t1", "attack t2")


# --- BW-8.3 ---


def test_a_troll_that_comes_to_a_solo_battles_it() -> None:
    """BW-8.3, BW-2.2: the troll attacks: 4.0 x 1 loses to 2.0 x 3, 4.0 x 2 beats it, 4.0 x 1 loses again."""
    state = drawn("1.T....2", turn="t1", d20=[1, 3, 2, 3, 1, 3], d3=[1])
    event = only(act(state, "t1", "move 1,0"), "battle")
    assert (event["attacker"], event["defender"]) == ("t1", "p1")
    assert (event["attackerStrength"], event["defenderStrength"]) == (4.0, 2.0)
    assert [bout["winner"] for bout in event["bouts"]] == ["p1", "t1", "p1"]
    assert event["winner"] == "p1"


def test_a_troll_that_is_come_to_is_battled() -> None:
    """BW-8.3: the solo attacks."""
    state = drawn("1.T....2", d20=WON, d3=[1])
    event = only(act(state, "p1", "move 1,0"), "battle")
    assert (event["attacker"], event["defender"], event["winner"]) == ("p1", "t1", "p1")


def test_a_troll_that_comes_to_a_follower_battles_the_whole_party() -> None:
    """BW-8.3, BW-2.0: any living members at distance 1."""
    state = drawn("12.T..3", parties=[["p1", "p2"]], turn="t1", d20=WON, d3=[1, 1])
    event = only(act(state, "t1", "move 2,0"), "battle")
    assert (event["defender"], event["defenders"], event["defenderStrength"]) == ("p1", ["p1", "p2"], 4.0)


BETWEEN_TWO = """
    1.2.....3
    .........
    .T.......
    .........
    """


def test_a_troll_between_two_battles_both_in_registration_order() -> None:
    """BW-8.3, BW-2.0: p1, then p2."""
    state = drawn(BETWEEN_TWO, turn="t1", d20=WON + WON, d3=[1, 1])
    battles = named(act(state, "t1", "move 1,1"), "battle")
    assert [event["defender"] for event in battles] == ["p1", "p2"]


def test_a_troll_beaten_by_the_first_leaves_the_second_alone() -> None:
    """BW-8.3, BW-2.0: the sequence ends early when the mover is beaten."""
    state = drawn(BETWEEN_TWO, turn="t1", d20=LOST, d3=[1])
    assert len(named(act(state, "t1", "move 1,1"), "battle")) == 1


# --- BW-8.4 ---


@pytest.mark.parametrize(
    ("picture", "setup", "side", "attacks"),
    [
        ("1T...2", {}, "p1", ["attack t1"]),
        ("1T...2", {}, "t1", ["attack p1"]),
        ("T1A..2", {}, "p1", ["attack t1", "attack t2"]),
        ("A1T..2", {}, "p1", ["attack t1", "attack t2"]),
        ("2T1..3", {}, "t1", ["attack p1", "attack p2"]),
        ("12T...3", {"parties": [["p1", "p2"]]}, "p1", ["attack t1"]),
        ("12T...3", {"parties": [["p1", "p2"]]}, "t1", ["attack p1"]),
        ("3T12...", {"parties": [["p2", "p1"]]}, "t1", ["attack p2", "attack p3"]),
        ("1234..5", {"parties": [["p1", "p2"], ["p4", "p3"]]}, "p1", ["attack p4"]),
        ("1234..5", {"parties": [["p1", "p2"], ["p4", "p3"]]}, "p4", ["attack p1"]),
        ("123...4", {"parties": [["p1", "p2"]], "figures": {"p3": {"strength": 2.1}}}, "p1", ["attack p3"]),
        ("123...4", {"parties": [["p1", "p2"]], "figures": {"p3": {"strength": 2.1}}}, "p3", ["attack p1"]),
    ],
    ids=[
        "solo beside a troll",
        "troll beside a solo",
        "solo between trolls",
        "in registration order",
        "troll between solos",
        "follower beside a troll",
        "troll beside a follower",
        "by the order of deciders",
        "party beside a party",
        "party of which a follower is beside",
        "party beside a stronger solo",
        "solo beside a weaker leader's party",
    ],
)
def test_who_begins_its_turn_beside_a_mandatory_foe_can_only_attack(
    picture: str, setup: dict[str, Any], side: str, attacks: list[str]
) -> None:
    """BW-8.4: one attack for each such foe, a party named by its leader."""
    assert legal(drawn(picture, turn=side, **setup), side) == attacks


@pytest.mark.parametrize(
    ("picture", "setup", "side"),
    [
        ("12....3", {}, "p1"),
        ("TA....1", {}, "t1"),
        ("123...4", {"parties": [["p1", "p2"]]}, "p1"),
        ("123...4", {"parties": [["p1", "p2"]]}, "p3"),
        ("1.T...2", {}, "p1"),
    ],
    ids=["solos", "trolls", "party beside a solo no stronger", "solo no stronger", "at distance 2"],
)
def test_nobody_else_is_forced(picture: str, setup: dict[str, Any], side: str) -> None:
    """BW-8.4: no attack is listed, and a pass is legal."""
    listed = legal(drawn(picture, turn=side, **setup), side)
    assert "pass" in listed
    assert not [action for action in listed if action.startswith("attack")]


def test_an_attack_on_another_than_the_listed_foes_is_refused() -> None:
    """BW-8.4: those alone, by their leader's name."""
    state = drawn("12T...3", parties=[["p1", "p2"]], turn="t1")
    for target in ("p2", "p3", "t1", "nobody"):
        with pytest.raises(Refusal):
            act(state, "t1", f"attack {target}")


def test_an_attack_resolves_that_one_battle_and_spends_the_turn() -> None:
    """BW-8.4, BW-2.0: the other foe is left."""
    state = drawn("T1A..2", d20=WON, d3=[1])
    battle = only(act(state, "p1", "attack t2"), "battle")
    assert (battle["attacker"], battle["defender"]) == ("p1", "t2")
    assert state.to_act == ("p2",)


# --- BW-8.5 ---


def test_a_troll_that_wins_scores_2_and_gains_no_strength() -> None:
    """BW-8.5: +2 score."""
    state = drawn("1T.....2", turn="t1", d20=WON, d3=[1])
    before = character(state, "t1")
    act(state, "t1", "attack p1")
    assert character(state, "t1") == {**before, "score": 2}


def test_a_solo_beaten_by_a_troll_loses_health_and_a_point() -> None:
    """BW-8.5: 1 to 3 health, -1 score."""
    state = drawn("1T.....2", turn="t1", d20=WON, d3=[2])
    act(state, "t1", "attack p1")
    assert (character(state, "p1")["health"], character(state, "p1")["score"]) == (8.0, -1)


def test_a_beaten_solo_respawns_away_from_all_the_living() -> None:
    """BW-8.5, BW-2.5: any free cell not within distance 1 of a living character."""
    cells: set[str] = set()
    for seed in SEEDS:
        state = drawn("1T.....2", turn="t1", d20=WON, d3=[2], seed=seed)
        event = only(act(state, "t1", "attack p1"), "respawned")
        assert event["position"] == character(state, "p1")["position"]
        cells.add(event["position"])
    assert cells == {"3,0", "4,0", "5,0"}


def test_a_beaten_solo_respawns_nearby_where_there_is_no_other_cell() -> None:
    """BW-8.5, BW-2.5: only if there are none, the others serve."""
    state = drawn("1T.2", turn="t1", d20=WON, d3=[2])
    act(state, "t1", "attack p1")
    assert same_board(state, ".T12")


def test_a_beaten_partys_leader_respawns_alone() -> None:
    """BW-8.5: -1 score for the leader, health of every member."""
    state = drawn("321.T.....4", parties=[["p1", "p2", "p3"]], turn="t1", d20=WON, d3=[1, 2, 3])
    act(state, "t1", "move 3,0")
    assert figures_of(state, "health") == {"p1": 9.0, "p2": 8.0, "p3": 7.0, "p4": 10.0, "t1": 10.0}
    assert figures_of(state, "score") == {"p1": -1, "p2": 0, "p3": 0, "p4": 0, "t1": 2}
    assert character(state, "p1")["leader"] is None
    assert character(state, "p1")["position"] in {"5,0", "6,0", "7,0", "8,0"}


def test_the_followers_stay_close_up_and_are_led_by_the_strongest() -> None:
    """BW-8.5, BW-7.4: not absorbed; as if the leader had died there."""
    state = drawn(
        "321.T.....4",
        parties=[["p1", "p2", "p3"]],
        figures={"p3": {"strength": 3.0}},
        turn="t1",
        d20=WON,
        d3=[1, 1, 1],
    )
    events = act(state, "t1", "move 3,0")
    assert named(events, "absorbed") == []
    assert only(events, "leader_changed") == {"type": "leader_changed", "side": "t1", "party": "p1", "leader": "p3"}
    assert parties_of(state) == [["p3", "p2"]]
    positions = figures_of(state, "position")
    assert (positions["p3"], positions["p2"]) == ("2,0", "1,0")


def test_the_same_holds_where_the_party_attacked() -> None:
    """BW-8.5: whoever caused the battle."""
    state = drawn("321T......4", parties=[["p1", "p2", "p3"]], d20=LOST, d3=[1, 1, 1])
    act(state, "p1", "attack t1")
    assert parties_of(state) == [["p2", "p3"]]
    assert (character(state, "p2")["position"], character(state, "p3")["position"]) == ("2,0", "1,0")
    assert figures_of(state, "score") == {"p1": -1, "p2": 0, "p3": 0, "p4": 0, "t1": 2}


def test_a_dead_follower_is_closed_over_too() -> None:
    """BW-8.5, BW-7.3: p3 dies, p1 respawns: p2 and p4 stand on the first two cells."""
    state = drawn(
        "4321.T.....5",
        parties=[["p1", "p2", "p3", "p4"]],
        figures={"p3": {"health": 1.0}},
        turn="t1",
        d20=WON,
        d3=[1, 1, 1, 1],
    )
    act(state, "t1", "move 4,0")
    assert parties_of(state) == [["p2", "p4"]]
    assert (character(state, "p2")["position"], character(state, "p4")["position"]) == ("3,0", "2,0")
    assert graves_of(state) == {"p3": "1,0"}


def test_one_follower_left_is_a_solo() -> None:
    """BW-8.5: on the leader's old cell."""
    state = drawn("21.T......3", parties=[["p1", "p2"]], turn="t1", d20=WON, d3=[1, 1])
    events = act(state, "t1", "move 2,0")
    assert only(events, "party_dissolved")["members"] == ["p2"]
    assert parties_of(state) == []
    assert character(state, "p2")["position"] == "1,0"


def test_a_leader_whose_followers_all_died_is_a_solo_and_respawns() -> None:
    """BW-8.5, BW-2.7: the party is gone."""
    state = drawn("21.T......3", parties=[["p1", "p2"]], figures={"p2": {"health": 1.0}}, turn="t1", d20=WON, d3=[1, 1])
    events = act(state, "t1", "move 2,0")
    assert parties_of(state) == []
    assert character(state, "p1")["leader"] is None
    assert only(events, "respawned")["id"] == "p1"


def test_a_leader_without_a_cell_to_respawn_on_stays_and_is_alone_all_the_same() -> None:
    """BW-8.5, BW-2.5: its followers close up behind it, led anew."""
    state = drawn("321TM4", parties=[["p1", "p2", "p3"]], turn="t1", d20=WON, d3=[1, 1, 1])
    act(state, "t1", "attack p1")
    assert same_board(state, "321TM4")
    assert parties_of(state) == [["p2", "p3"]]


# --- BW-8.6 ---


@pytest.mark.parametrize("loss", [1, 2, 3])
def test_a_troll_that_loses_loses_1_to_3_health_and_stays_where_it_is(loss: int) -> None:
    """BW-8.6: no score, no respawn."""
    state = drawn("1T.....2", d20=WON, d3=[loss])
    before = character(state, "t1")
    events = act(state, "p1", "attack t1")
    assert character(state, "t1") == {**before, "health": 10.0 - loss}
    assert kinds(events) == ["battle", "scored", "damaged"]


def test_a_solo_that_beats_a_troll_scores_2() -> None:
    """BW-8.6, BW-2.3: as the leader of a party of one."""
    state = drawn("1T.....2", d20=WON, d3=[1])
    act(state, "p1", "attack t1")
    assert figures_of(state, "score") == {"p1": 2, "p2": 0, "t1": 0}


def test_a_party_that_beats_a_troll_scores_2_and_1_each() -> None:
    """BW-8.6, BW-2.3: the leader 2, each other member 1."""
    state = drawn("321T.....4", parties=[["p1", "p2", "p3"]], d20=WON, d3=[1])
    act(state, "p1", "attack t1")
    assert figures_of(state, "score") == {"p1": 2, "p2": 1, "p3": 1, "p4": 0, "t1": 0}


def test_a_beaten_troll_without_health_dies() -> None:
    """BW-8.6, BW-7.2: its grave stands where it stood."""
    state = drawn("1T.....2", figures={"t1": {"health": 3.0}}, d20=WON, d3=[3])
    act(state, "p1", "attack t1")
    assert same_board(state, "1+.....2")


# --- BW-8.7 ---


def test_a_troll_that_sleeps_gains_a_tenth_and_spends_its_turn() -> None:
    """BW-8.7: +0.1 health."""
    state = drawn("T....1", figures={"t1": {"health": 5.0, "maxHealth": 10.0}}, turn="t1")
    assert act(state, "t1", "sleep") == [{"type": "slept", "side": "t1", "health": 5.1}]
    assert character(state, "t1")["health"] == 5.1
    assert same_board(state, "T....1")
    assert state.to_act == ("p1",)


def test_sleep_heals_what_a_battle_cost_but_not_above_the_initial_maximum() -> None:
    """BW-8.7: from 9.0 in ten sleeps to 10.0, the eleventh is legal and heals nothing."""
    state = drawn("T....1", figures={"t1": {"health": 9.0, "maxHealth": 10.0}}, turn="t1")
    slept: list[float] = []
    for _ in range(11):
        slept.append(only(act(state, "t1", "sleep"), "slept")["health"])
        act(state, "p1", "pass")
    assert slept == [9.1, 9.2, 9.3, 9.4, 9.5, 9.6, 9.7, 9.8, 9.9, 10.0, 10.0]
    assert "sleep" in legal(state, "t1")


def test_the_maximum_is_the_trolls_own() -> None:
    """BW-8.7, BW-0.5: the health at registration, not the default."""
    state = drawn("T....1", figures={"t1": {"health": 5.0}}, turn="t1")
    act(state, "t1", "sleep")
    assert (character(state, "t1")["health"], character(state, "t1")["maxHealth"]) == (5.0, 5.0)


def test_players_do_not_sleep() -> None:
    """BW-8.7: a troll's action."""
    state = drawn("T....1")
    assert "sleep" not in legal(state, "p1")
    with pytest.raises(Refusal, match="only trolls sleep"):
        act(state, "p1", "sleep")


def test_a_troll_beside_a_player_cannot_sleep() -> None:
    """BW-8.7, BW-8.4: it must attack."""
    assert legal(drawn("1T...2", turn="t1"), "t1") == ["attack p1"]
