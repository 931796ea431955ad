"""What is measured of the largest set-ups: the calls, and the limits of their counted work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from livingtable.agents import choose, fitting_agent, next_command
from livingtable.dice import Dice
from livingtable.game import Data, State
from livingtable.scenarios import Scenario, check_setup

PLIES = 40
SEED = 1

LIMITS = {
    "check": 200_000,
    "start": 1_300_000,
    "to_data": 300_000,
    "restore": 400_000,
    "copy": 100,
    "legal": 100_000,
    "terms": 500,
    "view": 300_000,
    "board": 300_000,
    "svg": 400_000,
    "apply": 8_000_000,
    "random": 300_000,
    "greedy": 12_000_000,
    "search": 25_000_000,
}
"""Lines of Python, at most, of each call on any set-up. `search` is a whole choice of `search:1000` as it is fitted.
`apply` may play a thousand rounds in which nobody can act (FX-1.2)."""
START_KIB = 24 * 1024
"""Of memory while a set-up is checked and started."""


def forget() -> None:
    """Empties the engine's caches: what is measured next is measured as after a start of the program."""
    for name, module in list(sys.modules.items()):
        if name.startswith("livingtable."):
            for member in list(vars(module).values()):
                if hasattr(member, "cache_clear"):
                    member.cache_clear()


def calls(setup: Data) -> Iterator[tuple[str, Callable[[], object]]]:
    """By the names of `LIMITS`, save `search`; each call is to be made before the next is asked for."""
    made: list[Scenario] = []
    yield "check", lambda: made.append(check_setup(setup))
    states: list[State] = []
    yield "start", lambda: states.append(made[0].start(SEED))
    state = states[0]
    side = (*state.to_act, *state.sides)[0]
    data = state.to_data()
    yield "to_data", state.to_data
    yield "restore", lambda: state.game.restore(data)
    yield "copy", state.copy
    fresh = state.copy()
    yield "legal", lambda: fresh.legal_actions(side)
    yield "terms", lambda: state.terms
    yield "view", lambda: state.view(side)
    yield "board", lambda: state.board(side)
    yield "svg", lambda: state.svg(side)
    if not state.to_act:
        return
    yield "random", lambda: choose("random", state, side, SEED, 0)
    yield "greedy", lambda: choose("greedy", state, side, SEED, 0)
    dice = Dice(SEED)
    for version in range(PLIES):
        if not state.to_act:
            return
        side = next_command(state, SEED)
        action = dice.pick(state.legal_actions(side))
        yield "apply", lambda side=side, action=action: state.apply(side, action)
        if version == PLIES // 2 and state.to_act:
            side = next_command(state, SEED)
            yield "greedy", lambda side=side: choose("greedy", state, side, SEED, PLIES)


def iterations_of(state: State) -> int:
    """How many a bot seated as `search:1000` does a choice."""
    return int(fitting_agent("search:1000", state).rpartition(":")[2])


def searching(state: State, iterations: int) -> Callable[[], object]:
    """One choice of the seat that is to act."""
    side = next_command(state, SEED)
    return lambda: choose(f"search:{iterations}", state, side, SEED, 0)
