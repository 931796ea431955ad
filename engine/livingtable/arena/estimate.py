"""How long a tournament will take: a few games are tried out and forgotten."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from livingtable.arena.entrants import EntrantSeat, is_built_in, seat
from livingtable.arena.plan import Plan, library
from livingtable.arena.play import play
from livingtable.arena.schedule import Fixture
from livingtable.game import Action, State

TRIAL_SECONDS = 5.0
"""After which no further game is tried out."""
TRIAL_GAMES = 6
"""A scenario."""
TRIAL_ACTIONS = 4
"""Of agents that are not built in, each of which may take long to choose; besides the first of each."""
_KEPT = 256


@dataclass(slots=True)
class _Waiting:
    """How many games of a scenario are waiting, and the first of them."""

    games: int = 0
    first: list[Fixture] = field(default_factory=list[Fixture])

    def samples(self) -> list[Fixture]:
        """Some of them, by lot: in their order are all games of one pair one after the other."""
        return Random(0).sample(self.first, min(TRIAL_GAMES, len(self.first)))


def estimated_seconds(plan: Plan, fixtures: Iterable[Fixture]) -> float:
    """For one worker to play them all."""
    waiting: dict[str, _Waiting] = {}
    for fixture in fixtures:
        there = waiting.setdefault(fixture.scenario, _Waiting())
        there.games += 1
        if len(there.first) < _KEPT:
            there.first.append(fixture)
    begun = time.perf_counter()
    tried: dict[str, float] = {}
    for scenario, there in waiting.items():
        if tried and time.perf_counter() - begun > TRIAL_SECONDS:
            break
        tried[scenario] = _seconds_a_game(plan, there.samples(), begun + TRIAL_SECONDS)
    mean = sum(tried.values()) / max(1, len(tried))
    return sum(there.games * tried.get(scenario, mean) for scenario, there in waiting.items())


def _seconds_a_game(plan: Plan, samples: Sequence[Fixture], until: float) -> float:
    took: list[float] = []
    for fixture in samples:
        took.append(_seconds_of(plan, fixture))
        if time.perf_counter() > until:
            break
    return sum(took) / len(took)


class _Watched:
    """An entrant in a seat, whose choices are timed but for the first, in which it may have to start."""

    def __init__(self, entrant: EntrantSeat, took: list[float]) -> None:
        self._entrant, self._took = entrant, took
        self._started = False

    def choose(self, state: State, version: int) -> Action:
        begun = time.perf_counter()
        action = self._entrant.choose(state, version)
        if self._started:
            self._took.append(time.perf_counter() - begun)
        self._started = True
        return action

    def leave(self) -> None:
        self._entrant.leave()


def _seconds_of(plan: Plan, fixture: Fixture) -> float:
    """Of a whole game; where others than built-in agents play, of its beginning, as if it had as many actions as one in
    which they choose by chance."""
    scenario = library(plan.folders).get(fixture.scenario)
    instead = tuple(name if is_built_in(name) else "random" for name in fixture.seating)
    whole = instead == fixture.seating
    at_most = plan.max_actions if whole else len(instead) + TRIAL_ACTIONS
    took: list[float] = []

    def watched(name: str, side: str, seed: int, seconds: float) -> EntrantSeat:
        return _Watched(seat(name, side, seed, seconds), took)

    begun = time.perf_counter()
    played = play(fixture, scenario, plan.seconds, at_most, watched)
    seconds = time.perf_counter() - begun
    if whole or played.row["end"] != "truncated":
        return seconds
    like_it = play(replace(fixture, seating=instead), scenario, plan.seconds, plan.max_actions)
    actions = played.row["actions"]
    a_choice = sum(took) / len(took) if took else seconds / actions
    return seconds + a_choice * max(0, like_it.row["actions"] - actions)
