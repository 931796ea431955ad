"""A few positions of each scenario, with every kind of decision among them, for the contract to look at."""

from __future__ import annotations

from functools import cache

import pytest
from tests.contract.playing import positions, shipped

from livingtable.game import Data, State, get_game
from livingtable.scenarios import Scenario

ACTIONS_AT_MOST = 600
EVERY = 40
OF_EACH_PHASE = 3
SEEDS = (0, 1)

each_scenario = pytest.mark.parametrize("scenario", shipped(), ids=lambda scenario: scenario.name)
"""Over all shipped scenarios of all registered games."""


@cache
def _sampled(name: str) -> tuple[tuple[str, Data], ...]:
    (scenario,) = (s for s in shipped() if s.name == name)
    kept: list[Data] = []
    for seed in SEEDS:
        phases: dict[str, int] = {}
        for number, state in enumerate(positions(scenario, seed, ACTIONS_AT_MOST)):
            phases[state.phase] = phases.get(state.phase, 0) + 1
            if number % EVERY == 0 or phases[state.phase] <= OF_EACH_PHASE or state.result is not None:
                kept.append(state.to_data())
    return tuple((scenario.game, data) for data in kept)


def sampled(scenario: Scenario) -> list[State]:
    """Version 0, the first positions of each phase, some on the way, the last; made anew, so they may be changed."""
    return [get_game(game).restore(data) for game, data in _sampled(scenario.name)]


def running(scenario: Scenario) -> list[State]:
    """Those of them that have no result yet."""
    return [state for state in sampled(scenario) if state.result is None]
