"""BW-7: health, death, graves, and what becomes of a line."""

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
    passes_of,
    same_board,
)

import livingtable
from livingtable.errors import Refusal, ScenarioError
from livingtable.games.botwars.state import BotwarsState

WON, LOST = [20, 1, 20, 1], [1, 20, 1, 20]
"""Bouts as the attacker sees them."""
FRAIL: dict[str, Any] = {"health": 1.0}

# --- BW-7.1 ---


def registered(characters: list[dict[str, Any]], **setup: Any) -> dict[str, Any]:
    """The health of everybody at the start."""
    data = {"game": "botwars", "map": ["......"] * 3, "characters": characters, "wizard": None, **setup}
    return {c["id"]: c["health"] for c in livingtable.new_game(data, seed=1).view(None)["characters"]}


def test_health_is_10_by_default() -> None:
    """BW-7.1: players and trolls."""
    assert registered([{}, {"characterType": "troll"}]) == {"p1": 10.0, "t1": 10.0}


def test_the_games_setting_changes_the_default() -> None:
    """BW-7.1: the game's `health`."""
    assert registered([{}, {"characterType": "troll"}], health=7.5) == {"p1": 7.5, "t1": 7.5}


def test_a_characters_own_health_stands_above_the_setting() -> None:
    """BW-7.1: a character's own stands above all."""
    assert registered([{"health": 3.0}, {}], health=7.5) == {"p1": 3.0, "p2": 7.5}


@pytest.mark.parametrize("health", [0, -1.0, 0.0])
def test_health_must_be_above_0(health: float) -> None:
    """BW-7.1: the setting and a living character's own."""
    with pytest.raises(ScenarioError, match="health"):
        registered([{}, {}], health=health)
    with pytest.raises(ScenarioError, match="health"):
        registered([{"health": health}, {}])


# --- BW-7.2 ---


def dead_solo(**more: Any) -> BotwarsState:
    """p1 attacked the troll and died of it."""
    state = drawn("1T....2..3", figures={"p1": FRAIL}, d20=LOST, d3=[3], **more)
    act(state, "p1", "attack t1")
    return state


def test_health_never_falls_below_0() -> None:
    """BW-7.2: at 0, never below: 1.0 less 3."""
    assert character(dead_solo(), "p1")["health"] == 0.0


def test_who_has_no_health_left_is_dead_under_a_gravestone() -> None:
    """BW-7.2: on its last cell."""
    state = dead_solo()
    assert not character(state, "p1")["alive"]
    assert graves_of(state) == {"p1": "0,0"}
    assert same_board(state, "+T....2..3")


def test_the_least_health_above_0_is_life() -> None:
    """BW-7.2: at 0 and not before."""
    state = drawn("1T....2..3", figures={"p1": {"health": 1.1}}, d20=LOST, d3=[1])
    act(state, "p1", "attack t1")
    assert (character(state, "p1")["health"], character(state, "p1")["alive"]) == (0.1, True)


def test_the_dead_are_out_of_the_rotation() -> None:
    """BW-7.2: no further decision."""
    state = dead_solo()
    order: list[str] = []
    for _ in range(6):
        order += state.to_act
        act(state, order[-1], "pass")
    assert order == ["p2", "p3", "t1"] * 2
    assert legal(state, "p1") == []
    assert "dead" in state.why_idle("p1")
    with pytest.raises(Refusal):
        act(state, "p1", "pass")


def test_a_dead_member_is_out_of_its_party() -> None:
    """BW-7.2: the total strength falls with it."""
    state = drawn("G12..3", parties=[["p1", "p2"]], figures={"p1": {"health": 2.0}}, d20=LOST)
    act(state, "p1", "challenge")
    assert parties_of(state) == []
    assert figures_of(state, "leader") == {"p1": None, "p2": None, "p3": None}


def test_a_dead_troll_has_a_grave_too() -> None:
    """BW-7.2, BW-8.6: trolls die alike."""
    state = drawn("1T....2", figures={"t1": FRAIL}, d20=WON, d3=[2])
    events = act(state, "p1", "attack t1")
    assert only(events, "died") == {"type": "died", "side": "p1", "id": "t1", "position": "1,0"}
    assert same_board(state, "1+....2")


def test_several_graves_may_share_a_cell() -> None:
    """BW-7.2: p2 steps onto p1's grave and dies there; a grave is passable."""
    state = drawn(
        """
        1.T.....3
        ..M......
        2........
        """,
        figures={"p1": FRAIL, "p2": FRAIL},
        d20=LOST * 2,
        d3=[1, 1],
    )
    act(state, "p1", "move 1,0")
    act(state, "p2", "move 0,1")
    act(state, "p3", "pass")
    act(state, "t1", "pass")
    act(state, "p2", "move 1,0")
    assert graves_of(state) == {"p1": "1,0", "p2": "1,0"}


def test_the_dead_stay_on_the_scoreboard_with_their_figures() -> None:
    """BW-7.2: final score, strength and figures."""
    state = dead_solo()
    row = next(row for row in state.ranking() if row["side"] == "p1")
    assert (row["score"], row["strength"], row["health"], row["alive"]) == (-1, 2.0, 0.0, False)


# --- BW-7.3 ---


PARTY_OF_FIVE = [["p1", "p2", "p3", "p4", "p5"]]
TWO_PARTIES = [["p1", "p2"], ["p3", "p4", "p5"]]


def test_the_living_step_up_as_many_places_as_died_ahead_of_them() -> None:
    """BW-7.3: p1 and p3 die together; the living, in line order, take the first cells of the old line."""
    state = drawn(
        "54321.T...6",
        parties=PARTY_OF_FIVE,
        figures={"p1": FRAIL, "p3": FRAIL},
        turn="t1",
        d20=WON,
        d3=[1, 1, 1, 1, 1],
    )
    events = act(state, "t1", "move 5,0")
    assert only(events, "line_closed")["line"] == {"p2": "4,0", "p4": "3,0", "p5": "2,0"}
    assert same_board(state, "..542T....6")


def test_graves_stand_where_each_stood_in_the_battle() -> None:
    """BW-7.3: under those who closed up over them."""
    state = drawn(
        "54321.T...6",
        parties=PARTY_OF_FIVE,
        figures={"p1": FRAIL, "p3": FRAIL},
        turn="t1",
        d20=WON,
        d3=[1, 1, 1, 1, 1],
    )
    act(state, "t1", "move 5,0")
    assert graves_of(state) == {"p1": "4,0", "p3": "2,0"}


def test_damage_is_drawn_in_line_order_before_any_death_is_settled() -> None:
    """BW-7.3, BW-2.4: settled together, then the line closes up, then the living are absorbed, then the leader goes."""
    state = drawn(".21.345...6", parties=TWO_PARTIES, figures={"p4": FRAIL}, d20=WON, d3=[2, 3, 1])
    events = act(state, "p1", "move 3,0")
    rest = kinds(events)[kinds(events).index("damaged") :]
    assert rest == ["damaged", "damaged", "damaged", "died", "line_closed", "absorbed", "respawned"]
    losses = [(event["id"], event["amount"], event["health"]) for event in named(events, "damaged")]
    assert losses == [("p3", 2.0, 8.0), ("p4", 3.0, 0.0), ("p5", 1.0, 9.0)]
    assert only(events, "line_closed")["line"] == {"p3": "4,0", "p5": "5,0"}


def test_those_absorbed_fall_in_from_the_cells_to_which_they_closed_up() -> None:
    """BW-7.3, BW-2.6: 2 has stepped up next to the winner, so it stays there, and 3 behind it."""
    state = drawn(
        ".4.123...5",
        parties=[["p1", "p2", "p3"]],
        figures={"p4": {"strength": 5.0}, "p1": FRAIL},
        turn="p4",
        d20=WON,
        d3=[1, 1, 1],
    )
    act(state, "p4", "move 2,0")
    assert same_board(state, "..423....5")
    assert parties_of(state) == [["p4", "p2", "p3"]]


# --- BW-7.4 ---


def leaderless(picture: str, line: list[str], **figures: dict[str, Any]) -> BotwarsState:
    """p1 died of its challenge at the head of the line."""
    state = drawn(picture, parties=[line], figures={"p1": {"health": 2.0}, **figures}, d20=LOST)
    act(state, "p1", "challenge")
    return state


def test_a_dead_leaders_party_is_led_by_its_strongest_living_member() -> None:
    """BW-7.4: the new leader takes the first cell of the closed line, the others follow in their former order."""
    state = leaderless("G1234...5", ["p1", "p2", "p3", "p4"], p3={"strength": 3.0})
    assert parties_of(state) == [["p3", "p2", "p4"]]
    positions = figures_of(state, "position")
    assert (positions["p3"], positions["p2"], positions["p4"]) == ("1,0", "2,0", "3,0")


def test_of_equally_strong_members_the_one_with_the_higher_score_leads() -> None:
    """BW-7.4, BW-1.2: ties by score."""
    state = leaderless("G1234...5", ["p1", "p2", "p3", "p4"], p4={"score": 1}, p2={"strength": 1.9, "score": 5})
    assert parties_of(state) == [["p4", "p2", "p3"]]


def test_of_members_equal_in_strength_and_score_the_earlier_registered_leads() -> None:
    """BW-7.4, BW-1.2: by registration, not by place in the line."""
    state = leaderless("G1432...5", ["p1", "p4", "p3", "p2"])
    assert parties_of(state) == [["p2", "p4", "p3"]]


def test_the_change_of_leader_is_told() -> None:
    """BW-7.4: from whom to whom."""
    state = drawn("G123...4", parties=[["p1", "p2", "p3"]], figures={"p1": {"health": 2.0}}, d20=LOST)
    events = act(state, "p1", "challenge")
    assert only(events, "leader_changed") == {"type": "leader_changed", "side": "p1", "party": "p1", "leader": "p2"}
    assert passes_of(state, "p2") == 0


def test_the_new_leader_decides_from_its_own_turn_on() -> None:
    """BW-7.4, BW-0.6: p3 leads now, p2 is skipped."""
    state = leaderless("G1234...5", ["p1", "p2", "p3", "p4"], p3={"strength": 3.0})
    assert state.to_act == ("p3",)


def test_one_left_is_a_solo_on_the_first_cell() -> None:
    """BW-7.4, BW-2.7: it closes up and the party is dissolved."""
    state = drawn("G12...3", parties=[["p1", "p2"]], figures={"p1": {"health": 2.0}}, d20=LOST)
    events = act(state, "p1", "challenge")
    assert only(events, "party_dissolved")["members"] == ["p2"]
    assert parties_of(state) == []
    assert character(state, "p2")["position"] == "1,0"


def test_a_party_of_which_nobody_lives_is_gone() -> None:
    """BW-7.4: nobody leads."""
    state = drawn(
        "21.T...3..4", parties=[["p1", "p2"]], figures={"p1": FRAIL, "p2": FRAIL}, turn="t1", d20=WON, d3=[1, 1]
    )
    events = act(state, "t1", "move 2,0")
    assert named(events, "leader_changed") == named(events, "party_dissolved") == []
    assert parties_of(state) == []
    assert same_board(state, "++T....3..4")


def test_a_dead_leaders_followers_are_absorbed_by_the_winning_players_all_the_same() -> None:
    """BW-7.4, BW-2.4: unless absorbed: roles are those at the battle's start."""
    state = drawn(".21.345...6", parties=TWO_PARTIES, figures={"p3": FRAIL}, d20=WON, d3=[1, 1, 1])
    events = act(state, "p1", "move 3,0")
    assert named(events, "leader_changed") == []
    assert parties_of(state) == [["p1", "p2", "p4", "p5"]]
    assert same_board(state, "5421+.....6")


# --- BW-7.5 ---


def test_dead_followers_are_not_absorbed() -> None:
    """BW-7.5: the living are."""
    state = drawn(".21.345...6", parties=TWO_PARTIES, figures={"p4": FRAIL}, d20=WON, d3=[1, 1, 1])
    events = act(state, "p1", "move 3,0")
    assert [event["id"] for event in named(events, "absorbed")] == ["p5"]
    assert parties_of(state) == [["p1", "p2", "p5"]]
    assert graves_of(state) == {"p4": "5,0"}


@pytest.mark.parametrize("line", [["p3", "p4", "p5"], []], ids=["leader", "solo"])
def test_a_dead_leader_or_solo_does_not_respawn(line: list[str]) -> None:
    """BW-7.5: its grave stands where it fought."""
    weak = {side: {"strength": 0.1} for side in ("p4", "p5")}
    state = drawn(
        ".21.345...6" if line else ".21.3....6",
        parties=[["p1", "p2"], *([line] if line else [])],
        figures={"p3": {"health": 1.0, "strength": 3.0}, **(weak if line else {})},
        d20=WON,
        d3=[3, 1, 1],
    )
    events = act(state, "p1", "move 3,0")
    assert named(events, "respawned") == []
    assert graves_of(state) == {"p3": "4,0"}


def test_where_all_the_beaten_die_nobody_is_absorbed() -> None:
    """BW-7.5: the winners keep their line."""
    dying = {"p3": FRAIL, "p4": FRAIL, "p5": FRAIL}
    state = drawn(".21.345...6", parties=TWO_PARTIES, figures=dying, d20=WON, d3=[1, 2, 3])
    act(state, "p1", "move 3,0")
    assert parties_of(state) == [["p1", "p2"]]
    assert same_board(state, "..21+++...6")
