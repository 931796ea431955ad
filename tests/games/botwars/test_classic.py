"""The ruleset `classic`: what differs from `full`, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.games.botwars import drawing
from tests.games.botwars.drawing import (
    act,
    character,
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

from livingtable.errors import Refusal, ScenarioError
from livingtable.games.botwars.state import BotwarsState

WON, LOST = [20, 1, 20, 1], [1, 20, 1, 20]
"""Bouts as the attacker sees them."""


def classic(picture: str, *, d20: Sequence[int] = (), d3: Sequence[int] = (), **more: Any) -> BotwarsState:
    return drawing.drawn(picture, ruleset="classic", d20=d20, d3=d3, **more)


# --- no trolls ---


def test_there_are_no_trolls() -> None:
    """classic: no trolls (BW-8 off)."""
    with pytest.raises(ScenarioError, match="no trolls"):
        classic("1T..2")


def test_nobody_sleeps() -> None:
    """classic: no trolls, no sleep."""
    with pytest.raises(Refusal):
        act(classic("1...2"), "p1", "sleep")


# --- no forced unstuck ---


def test_a_leader_passes_without_end() -> None:
    """classic: no forced unstuck (BW-4.3 off)."""
    state = classic("..12...3", parties=[["p1", "p2"]])
    for n in range(1, 5):
        assert act(state, "p1", "pass") == [{"type": "passed", "side": "p1", "consecutivePasses": n}]
        act(state, "p3", "pass")
    assert same_board(state, "..12...3")
    assert passes_of(state, "p1") == 4


# --- health, but no death ---


def test_health_is_counted_and_stops_at_0() -> None:
    """classic: floors at 0, nobody dies (BW-7 off)."""
    state = classic(
        ".21.345...6",
        parties=[["p1", "p2"], ["p3", "p4", "p5"]],
        figures={"p3": {"health": 1.0}, "p4": {"health": 2.0}},
        d20=WON,
        d3=[3, 2, 1],
    )
    events = act(state, "p1", "move 3,0")
    assert figures_of(state, "health") == {"p1": 10.0, "p2": 10.0, "p3": 0.0, "p4": 0.0, "p5": 9.0, "p6": 10.0}
    assert all(figures_of(state, "alive").values())
    assert named(events, "died") == named(events, "line_closed") == []
    assert graves_of(state) == {}


def test_an_absorbed_character_without_health_plays_on() -> None:
    """classic: absorbed as others are (BW-2.4)."""
    state = classic(
        ".21.34....5", parties=[["p1", "p2"], ["p3", "p4"]], figures={"p4": {"health": 1.0}}, d20=WON, d3=[1, 1]
    )
    act(state, "p1", "move 3,0")
    assert parties_of(state) == [["p1", "p2", "p4"]]
    assert character(state, "p4")["health"] == 0.0


def test_a_beaten_leader_without_health_respawns_and_plays_on() -> None:
    """classic: respawns as others do (BW-2.4), and has its turn."""
    state = classic(
        ".21.34....5", parties=[["p1", "p2"], ["p3", "p4"]], figures={"p3": {"health": 1.0}}, d20=WON, d3=[1, 1]
    )
    events = act(state, "p1", "move 3,0")
    assert only(events, "respawned")["id"] == "p3"
    assert state.to_act == ("p3",)
    assert "pass" in legal(state, "p3")


def test_one_may_begin_without_health() -> None:
    """classic: nobody dies, so 0 is a health like others."""
    state = classic("1...2", figures={"p1": {"health": 0}})
    assert state.to_act == ("p1",)
    assert character(state, "p1")["alive"]


# --- the Wizard ---


def test_he_is_called_the_wizard() -> None:
    """classic: "the Wizard"."""
    assert classic("1G..2").view(None)["wizard"]["name"] == "the Wizard"


def test_a_victory_over_the_wizard_is_2_score_without_a_choice() -> None:
    """classic: +2 score; the next one is to act."""
    state = classic("1G..2", d20=WON)
    events = act(state, "p1", "challenge")
    assert only(events, "scored") == {"type": "scored", "side": "p1", "id": "p1", "delta": 2, "score": 2}
    assert named(events, "wizard_moved")
    assert state.phase == "turn"
    assert state.to_act == ("p2",)


@pytest.mark.parametrize(
    ("health", "after", "score"), [(10.0, 8.0, 0), (2.0, 0.0, 0), (1.9, 1.9, -2), (0.1, 0.1, -2), (0, 0.0, -2)]
)
def test_a_defeat_by_the_wizard_costs_2_health_or_with_less_2_score(health: float, after: float, score: int) -> None:
    """classic: and exactly 2 is paid in health, without dying."""
    state = classic("1G..2", d20=LOST, figures={"p1": {"health": health}})
    act(state, "p1", "challenge")
    assert (character(state, "p1")["health"], character(state, "p1")["score"]) == (after, score)
    assert character(state, "p1")["alive"]


def test_a_leader_without_health_left_after_its_defeat_leads_on() -> None:
    """classic: nobody dies, so no line closes and no leader changes."""
    state = classic("G12..3", parties=[["p1", "p2"]], d20=LOST, figures={"p1": {"health": 2.0}})
    assert kinds(act(state, "p1", "challenge")) == ["challenge", "damaged", "wizard_moved"]
    assert parties_of(state) == [["p1", "p2"]]


# --- what stays the same ---


def test_squeezing_costs_the_same() -> None:
    """classic, BW-5.2: as above."""
    state = classic("1M..\nM...\n...2")
    assert only(act(state, "p1", "move 1,1"), "squeezed")["losses"] == {"p1": 0.1}


def test_a_solo_no_stronger_than_the_leader_joins() -> None:
    """classic, BW-3.1: as above."""
    state = classic("12.3....4", parties=[["p1", "p2"]], turn="p3")
    assert kinds(act(state, "p3", "move 2,0")) == ["moved", "joined"]


def test_beside_another_party_one_must_attack() -> None:
    """classic, BW-8.4: two parties."""
    state = classic("1234..5", parties=[["p1", "p2"], ["p3", "p4"]])
    assert legal(state, "p1") == ["attack p3"]


# --- the end ---


def test_the_game_ends_when_all_are_united() -> None:
    """classic, BW-9.1: in one party."""
    state = classic("12.3", parties=[["p1", "p2"]], turn="p3")
    act(state, "p3", "move 2,0")
    assert state.result is not None
    assert state.result.reason == "united"
    assert state.result.extra["party"] == ["p1", "p2", "p3"]


def test_those_without_health_count_for_the_union() -> None:
    """classic, BW-9.1: a solo with 0 health is living and not yet in the party."""
    state = classic("12...3", parties=[["p1", "p2"]], figures={"p3": {"health": 0}})
    assert state.result is None


def test_one_alone_is_no_sole_survivor() -> None:
    """classic: the only end is BW-9.1, and the round limit."""
    state = classic("1..", maxRounds=2)
    assert state.result is None
    act(state, "p1", "pass")
    act(state, "p1", "pass")
    assert state.result is not None
    assert state.result.reason == "round_limit"
