"""BW-2.2 to BW-2.4: the bouts, and what winners and losers get."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, named, parties_of, picture_of, same_board

from livingtable.games.botwars.state import BotwarsState

PARTIES = [["p1", "p2"], ["p3", "p4", "p5"]]
ATTACKER, DEFENDER = [20, 1, 20, 1], [1, 20, 1, 20]


def met(**setup: Any) -> tuple[BotwarsState, list[dict[str, Any]]]:
    """p1>p2 moves beside p3>p4>p5; the state after the battle, and its events."""
    given: dict[str, Any] = {"parties": PARTIES, **setup}
    state = drawn("21.345...\n.........\n........6", **given)
    return state, act(state, "p1", "move 2,0")


def bouts(*d20: int, **setup: Any) -> list[tuple[list[int], list[int], str]]:
    _, events = met(d20=d20, **setup)
    (battle,) = named(events, "battle")
    return [(bout["attackerRolls"], bout["defenderRolls"], bout["winner"]) for bout in battle["bouts"]]


EVEN: dict[str, Any] = {"parties": [["p1", "p2"], ["p3", "p4"]]}
"""Two against two, 2.0 each; p5 is a solo."""

# --- bouts ---


def test_a_battle_stops_at_two_bouts() -> None:
    """BW-2.2: the battle stops once a side has two bouts."""
    assert bouts(20, 1, 20, 1, 1, 20) == [([20], [1], "p1"), ([20], [1], "p1")]


def test_a_third_bout_decides_after_one_each() -> None:
    """BW-2.2: best two of three."""
    assert bouts(20, 1, 1, 20, 1, 20) == [([20], [1], "p1"), ([1], [20], "p3"), ([1], [20], "p3")]


@pytest.mark.parametrize(
    ("d20", "winner"),
    [
        ([20, 1, 20, 1], "p1"),
        ([20, 1, 1, 20, 20, 1], "p1"),
        ([1, 20, 20, 1, 20, 1], "p1"),
        ([1, 20, 1, 20], "p3"),
        ([1, 20, 20, 1, 1, 20], "p3"),
        ([20, 1, 1, 20, 1, 20], "p3"),
    ],
)
def test_who_has_two_bouts_wins_the_battle(d20: list[int], winner: str) -> None:
    """BW-2.2: all ways that three bouts can go."""
    state, events = met(d20=d20)
    assert named(events, "battle")[0]["winner"] == winner
    assert state.dice.loaded.get(20) is None


def test_no_die_is_rolled_after_the_second_bout() -> None:
    """BW-2.2: the dice that are left stay."""
    state, _ = met(d20=[20, 1, 20, 1, 7, 8])
    assert state.dice.loaded[20] == (7, 8)


def test_the_roll_is_multiplied_by_the_total_strength() -> None:
    """BW-2.2: 4.0 x 15 = 60.0 against 6.1 x 10 = 61.0, then 4.0 x 16 = 64.0 against 61.0."""
    figures = {"p3": {"strength": 2.1}}
    winners = [winner for _, _, winner in bouts(15, 10, 16, 10, 16, 10, figures=figures)]
    assert winners == ["p3", "p1", "p1"]


def test_total_strengths_stand_in_the_event() -> None:
    """BW-2.2: the sum of the members."""
    _, events = met(d20=ATTACKER, figures={"p2": {"strength": 0.7}, "p5": {"strength": 1.1}})
    (battle,) = named(events, "battle")
    assert (battle["attackers"], battle["attackerStrength"]) == (["p1", "p2"], 2.7)
    assert (battle["defenders"], battle["defenderStrength"]) == (["p3", "p4", "p5"], 5.1)


def test_the_dead_add_no_strength() -> None:
    """BW-2.2: the sum of *living* members; p4 died of the battle before."""
    state = drawn(
        "T2345...1",
        parties=[["p2", "p3", "p4", "p5"]],
        figures={"p4": {"health": 1.0, "strength": 9.0}},
        d20=[20, 1, 20, 1],
        d3=[1, 1, 1, 1],
        turn="t1",
    )
    act(state, "t1", "attack p2")
    assert [(p["members"], p["totalStrength"]) for p in state.view(None)["parties"]] == [(["p3", "p5"], 4.0)]


def test_an_equal_product_is_rolled_again_within_the_bout() -> None:
    """BW-2.2: an equal product is rolled again within the bout, all rolls are recorded."""
    assert bouts(5, 5, 9, 9, 20, 1, 20, 1, **EVEN) == [([5, 9, 20], [5, 9, 1], "p1"), ([20], [1], "p1")]


def test_equal_products_of_unequal_rolls_are_rolled_again() -> None:
    """BW-2.2: it is the product that counts: 4.0 x 15 = 6.0 x 10."""
    assert bouts(15, 10, 20, 1, 20, 1) == [([15, 20], [10, 1], "p1"), ([20], [1], "p1")]


def test_equal_rolls_of_unequal_strengths_are_not_rolled_again() -> None:
    """BW-2.2: higher wins the bout."""
    assert bouts(10, 10, 10, 10) == [([10], [10], "p3"), ([10], [10], "p3")]


def test_a_thousand_equal_rolls_do_not_hang_a_battle() -> None:
    """BW-2.2 (C23): rolled again as often as it takes."""
    first, second = bouts(*[7] * 2000, 20, 1, 20, 1, **EVEN)
    assert (len(first[0]), first[2]) == (1001, "p1")
    assert second == ([20], [1], "p1")


# --- the winners ---


def test_the_winning_leader_gets_two_its_members_one() -> None:
    """BW-2.3: the leader +2 score, each other original member +1."""
    state, _ = met(d20=DEFENDER)
    assert {side: figures_of(state, "score")[side] for side in ("p3", "p4", "p5")} == {"p3": 2, "p4": 1, "p5": 1}


def test_the_absorbed_get_nothing_for_the_battle_they_lost() -> None:
    """BW-2.3: members absorbed in this battle get nothing for it."""
    state, _ = met(d20=ATTACKER)
    assert parties_of(state) == [["p1", "p2", "p4", "p5"]]
    assert figures_of(state, "score") == {"p1": 2, "p2": 1, "p3": -1, "p4": 0, "p5": 0, "p6": 0}


def test_winners_lose_no_health() -> None:
    """BW-2.4: every *losing* member."""
    state, _ = met(d20=ATTACKER)
    assert {side: figures_of(state, "health")[side] for side in ("p1", "p2", "p6")} == {
        "p1": 10.0,
        "p2": 10.0,
        "p6": 10.0,
    }


def test_a_battle_changes_no_strength() -> None:
    """BW-2.3: winners gain score, no strength."""
    state, _ = met(d20=ATTACKER)
    assert set(figures_of(state, "strength").values()) == {2.0}


# --- the losers ---


def test_the_losing_leader_alone_loses_a_point() -> None:
    """BW-2.4: losers: the leader -1 score."""
    state, events = met(d20=ATTACKER)
    assert [(e["id"], e["delta"], e["score"]) for e in named(events, "scored")][-1] == ("p3", -1, -1)
    assert figures_of(state, "score")["p4"] == 0


def test_every_loser_loses_its_own_health_in_line_order() -> None:
    """BW-2.4: every losing member, leader included, loses 1 to 3 whole health, drawn one by one, line order."""
    state, events = met(d20=ATTACKER, d3=[3, 1, 2])
    assert [(e["id"], e["amount"], e["health"]) for e in named(events, "damaged")] == [
        ("p3", 3.0, 7.0),
        ("p4", 1.0, 9.0),
        ("p5", 2.0, 8.0),
    ]
    assert {side: figures_of(state, "health")[side] for side in ("p3", "p4", "p5")} == {"p3": 7.0, "p4": 9.0, "p5": 8.0}


def test_the_losses_of_health_are_one_two_or_three() -> None:
    """BW-2.4: 1 to 3, whole."""
    lost = {e["amount"] for seed in range(30) for e in named(met(d20=ATTACKER, seed=seed)[1], "damaged")}
    assert lost == {1.0, 2.0, 3.0}


def test_deaths_are_settled_after_all_damage() -> None:
    """BW-2.4: then deaths are settled together."""
    figures = {side: {"health": 1.0} for side in ("p3", "p4")}
    _, events = met(d20=ATTACKER, d3=[1, 1, 1], figures=figures)
    kinds = [e["type"] for e in events if e["type"] in ("damaged", "died", "line_closed", "absorbed")]
    assert kinds == ["damaged"] * 3 + ["died"] * 2 + ["line_closed", "absorbed"]


def test_the_line_closes_up_before_it_is_absorbed() -> None:
    """BW-2.4: the line closes up: p5 steps to the cell of p4, who died (BW-7.3)."""
    state, events = met(d20=ATTACKER, d3=[1, 1, 1], figures={"p4": {"health": 1.0}})
    assert named(events, "line_closed") == [
        {"type": "line_closed", "side": "p1", "line": {"p3": "3,0", "p5": "4,0"}},
    ]
    assert parties_of(state) == [["p1", "p2", "p5"]]


def test_a_dead_leaders_followers_are_absorbed_all_the_same() -> None:
    """BW-2.4: roles are those at the battle's start: a dead leader's followers are followers still."""
    state, events = met(d20=ATTACKER, d3=[1, 1, 1], figures={"p3": {"health": 1.0}})
    assert parties_of(state) == [["p1", "p2", "p4", "p5"]]
    assert (named(events, "leader_changed"), named(events, "respawned")) == ([], [])
    assert figures_of(state, "score")["p3"] == -1


def test_a_dead_follower_is_not_absorbed() -> None:
    """BW-2.4: the *living* followers are absorbed (BW-7.5)."""
    state, events = met(d20=ATTACKER, d3=[1, 1, 1], figures={"p5": {"health": 1.0}})
    assert parties_of(state) == [["p1", "p2", "p4"]]
    assert [(e["id"], e["position"]) for e in named(events, "died")] == [("p5", "5,0")]


def test_the_absorbed_fall_in_one_by_one_behind_the_winners_in_their_old_order() -> None:
    """BW-2.4: at the tail of the winners' line in their old order."""
    state = drawn(
        """
        .........
        21.3.....
        ...45....
        ........6
        """,
        parties=PARTIES,
        figures={"p5": {"strength": 9.0}},
        d20=[20, 1, 20, 1],
        seed=4,
    )
    events = act(state, "p1", "move 2,1")
    assert [(e["id"], e["party"], e["position"]) for e in named(events, "absorbed")] == [
        ("p4", "p1", "2,2"),
        ("p5", "p1", "3,2"),
    ]
    assert parties_of(state) == [["p1", "p2", "p4", "p5"]]


def test_the_beaten_leader_respawns_alone_and_last() -> None:
    """BW-2.4: the living leader respawns alone, last."""
    state, events = met(d20=ATTACKER)
    assert [e["type"] for e in events][-1] == "respawned"
    assert (character(state, "p3")["leader"], character(state, "p3")["position"]) == (None, events[-1]["position"])


def test_the_beaten_leader_holds_its_cell_until_the_others_have_fallen_in() -> None:
    """BW-2.4: its cell, the nearest beside the tail, is not to be had for p3, who goes to the other side."""
    state = drawn("1.23", parties=[["p2", "p3"]], figures={"p1": {"strength": 5.0}}, d20=[20, 1, 20, 1])
    act(state, "p1", "move 1,0")
    assert same_board(state, "31.2")


def test_a_beaten_party_of_defenders_and_one_of_attackers_fare_alike() -> None:
    """BW-2.4: the losers are whoever lost."""
    state, events = met(d20=DEFENDER, d3=[2, 3])
    assert [(e["id"], e["amount"]) for e in named(events, "damaged")] == [("p1", 2.0), ("p2", 3.0)]
    assert parties_of(state) == [["p3", "p4", "p5", "p2"]]
    assert (character(state, "p1")["leader"], character(state, "p1")["score"]) == (None, -1)


def test_the_winners_stand_where_they_stood() -> None:
    """BW-2.4: nobody but the beaten moves in a battle."""
    state, _ = met(d20=ATTACKER)
    assert {side: figures_of(state, "position")[side] for side in ("p1", "p2", "p6")} == {
        "p1": "2,0",
        "p2": "1,0",
        "p6": "8,2",
    }


def test_a_whole_party_may_die_of_one_battle() -> None:
    """BW-2.4: deaths are settled together; the graves stand where each stood."""
    state, events = met(d20=ATTACKER, d3=[1, 1, 1], figures={side: {"health": 1.0} for side in ("p3", "p4", "p5")})
    assert [e["type"] for e in events][-3:] == ["died"] * 3
    assert picture_of(state).splitlines()[0] == ".21+++..."
    assert parties_of(state) == [["p1", "p2"]]


def test_health_stops_at_zero() -> None:
    """BW-2.4, BW-7.2: at 0, never below."""
    state, _ = met(d20=ATTACKER, d3=[3, 1, 1], figures={"p3": {"health": 0.5}})
    assert (character(state, "p3")["health"], character(state, "p3")["alive"]) == (0.0, False)


def test_in_classic_those_without_health_are_absorbed_and_respawn() -> None:
    """BW-2.4, classic: health floors at 0, but nobody dies; whoever has 0 plays on."""
    figures = {side: {"health": 1.0} for side in ("p3", "p4")}
    state, events = met(d20=ATTACKER, d3=[3, 3, 3], figures=figures, ruleset="classic")
    assert {side: figures_of(state, "health")[side] for side in ("p3", "p4", "p5")} == {"p3": 0.0, "p4": 0.0, "p5": 7.0}
    assert parties_of(state) == [["p1", "p2", "p4", "p5"]]
    assert [e["id"] for e in named(events, "respawned")] == ["p3"]
    assert all(figures_of(state, "alive").values())


@pytest.mark.parametrize("ruleset", ["full", "classic"])
def test_scores_and_damage_are_the_same_in_both_rulesets(ruleset: str) -> None:
    """BW-2.3, BW-2.4: classic is as full, except where it says otherwise."""
    state, _ = met(d20=ATTACKER, d3=[3, 1, 2], ruleset=ruleset)
    assert figures_of(state, "score") == {"p1": 2, "p2": 1, "p3": -1, "p4": 0, "p5": 0, "p6": 0}
    assert list(figures_of(state, "health").values()) == [10.0, 10.0, 7.0, 9.0, 8.0, 10.0]
