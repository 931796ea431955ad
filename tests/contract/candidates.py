"""Actions to offer in any position: whatever was legal somewhere in a game, and mutations of it.

They are made from the JSON objects alone, so a new game gets its own by being registered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from tests.contract.playing import library, positions

from livingtable.game import Data

STRANGE_VALUES: tuple[Any, ...] = ("", "nobody", "-1,0", "99,99", "0,0", 0, -1, 1.5, None, True, False, [], {})
GAMES_A_SCENARIO = 2
ACTIONS_A_GAME = 250
AT_MOST = 700


def written(action: Data) -> str:
    """One text for one object."""
    return json.dumps(action, sort_keys=True, allow_nan=False)


@cache
def candidates(game: str) -> tuple[Data, ...]:
    """All that was legal in some games of every scenario, and mutations; each once, in a fixed order, thinned out
    evenly where there are many."""
    seen = {written(action): action for action in _legal_somewhere(game)}
    known = [seen[text] for text in sorted(seen)]
    strange = {written(action): action for action in _mutations(known)}
    fresh = [strange[text] for text in sorted(strange.keys() - seen.keys())]
    return (*_thinned(known), *_thinned(fresh))


def _thinned(actions: list[Data]) -> list[Data]:
    return actions[:: -(-len(actions) // AT_MOST)] if actions else []


def _legal_somewhere(game: str) -> Iterator[Data]:
    for scenario in library().all(game):
        for seed in range(GAMES_A_SCENARIO):
            for state in positions(scenario, seed, ACTIONS_A_GAME):
                for side in state.to_act:
                    yield from (action.to_data() for action in state.legal_actions(side))


def _mutations(known: list[Data]) -> Iterator[Data]:
    """Values of one action in another, strange values, keys too few and too many, types that do not exist."""
    values: dict[str, dict[str, Any]] = {}
    shapes: dict[str, Data] = {}
    for action in known:
        shapes.setdefault(written({key: key == "type" and value for key, value in action.items()}), action)
        for key, value in action.items():
            values.setdefault(key, {})[json.dumps(value)] = value
    for action in shapes.values():
        for key in action:
            for value in chain(values[key].values(), STRANGE_VALUES):
                yield {**action, key: value}
            yield {k: v for k, v in action.items() if k != key}
        yield {**action, "extra": 1}
        yield {**action, "type": "no_such_type"}
    yield {}
