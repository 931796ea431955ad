"""`greedy` for foxhunt: where to stand after this round's moves, and whether a bomb is worth standing still for.

Whoever it is, it keeps out of the beams that are to come if it can. As a hunter it goes the cheapest way to the fox,
blows up the walls in it, enters the field to which the fox is likely to go, and lays bombs that leave the fox few
places; as the fox it goes where hunters come late and many fields are its own. Weights are tenths of a step; equal
values are decided by the order of the legal actions, so the choice is a function of the view alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from livingtable.agents.foxhunt.fox import Fox
from livingtable.agents.foxhunt.hunter import Hunter
from livingtable.agents.foxhunt.sight import Sight
from livingtable.game import Action, Data


class GreedyFoxhunt:
    def __init__(self, side: str, seed: int) -> None:
        self.side = side

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        if len(legal) == 1:
            return legal[0]
        sight = Sight(view, self.side)
        mind = Fox(sight) if sight.me is sight.fox else Hunter(sight)
        return max(legal, key=mind.value)
