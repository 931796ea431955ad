"""The rules of three games, exact and pure, behind one contract.

>>> import livingtable
>>> state = livingtable.new_game("crossroads", seed=7)
>>> side = state.to_act[0]
>>> events = state.apply(side, state.legal_actions(side)[0])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from livingtable import games
from livingtable.game import State, get_game
from livingtable.scenarios import ScenarioLibrary, check_setup
from livingtable.version import __version__

__all__ = ["State", "__version__", "games", "get_game", "new_game"]


def new_game(scenario: str | Mapping[str, Any], seed: int) -> State:
    """The state of version 0 of a shipped scenario, by its name, or of a set-up.

    Raises `UnknownNameError` or `ScenarioError`.
    """
    if isinstance(scenario, str):
        return ScenarioLibrary().get(scenario).start(seed)
    return check_setup(scenario).start(seed)
