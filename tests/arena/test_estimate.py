"""What is said of a tournament's length before it begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from livingtable.agents import choose
from livingtable.arena import estimate
from livingtable.arena.entrants import EntrantSeat
from livingtable.arena.estimate import estimated_seconds
from livingtable.arena.plan import Plan, library
from livingtable.arena.play import play
from livingtable.game import Action, State

STARTING, CHOOSING = 10.0, 1.0


class Clock:
    """It stands still, but for what agents take."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class SlowToStart:
    """Chooses by chance, in a second; with its first choice it starts, in ten."""

    def __init__(self, clock: Clock, side: str, seed: int) -> None:
        self._clock, self._side, self._seed = clock, side, seed
        self._start = STARTING

    def choose(self, state: State, version: int) -> Action:
        self._clock.now += self._start + CHOOSING
        self._start = 0.0
        return choose("random", state, self._side, self._seed, version)

    def leave(self) -> None:
        """Nothing is held."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The estimate's, by which every agent of one's own is slow."""
    clock = Clock()

    def seat(_name: str, side: str, seed: int, _seconds: float) -> EntrantSeat:
        return SlowToStart(clock, side, seed)

    monkeypatch.setattr(estimate, "time", clock)
    monkeypatch.setattr(estimate, "seat", seat)
    return clock


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("scenario", ["duel_glade", "crossroads"])
def test_what_an_agent_takes_to_start_counts_once_a_game_and_what_it_takes_to_choose_for_each_action(
    scenario: str,
) -> None:
    plan = Plan((scenario,), ("own.py:Slow",), 1, 7)
    fixture = next(plan.fixtures())
    seats = len(fixture.seating)
    by_chance = replace(fixture, seating=("random",) * seats)
    actions = play(by_chance, library(()).get(scenario), plan.seconds, plan.max_actions).row["actions"]
    assert estimated_seconds(plan, [fixture]) == seats * STARTING + actions * CHOOSING
