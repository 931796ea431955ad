"""`random`: any legal action, each equally likely."""

from __future__ import annotations

from collections.abc import Sequence

from livingtable.dice import Dice
from livingtable.game import Action, Data


class Uniform:
    """Its seed alone decides: the n-th question of one agent is its n-th draw."""

    def __init__(self, side: str, seed: int) -> None:
        self.side = side
        self._dice = Dice(seed)

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        return self._dice.pick(legal)
