"""BW-7: health, death, graves, and what becomes of a line."""

from __future__ import annotations

from typing import Any

import pytest

import livingtable
from livingtable.errors import Refusal, ScenarioError
from livingtable.games.botwars.state import BotwarsState
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


def test_deaths_in_a_line_are_settled_together_and_the_living_step_up() -> None:
    """BW-7.3: graves where each stood in the battle; the living take the first cells of the old line, each stepping
    up as many places as died ahead of it."""
    state = drawn(
        """
        .......T
        54321...
        .......6
        """.replace(".......6", "........").replace("T", "."),
        parties=[["p1", "p2", "p3", "p4", "p5"]],
    ) if False else drawn(
        """
        543216...
        .........
        T.......7
        """.replace("6", ".").replace("7", "6").replace("T.", ".T").replace(".T.......", ".T......"),
        parties=[["p1", "p2", "p3", "p4", "p5"]],
    )
    del state
