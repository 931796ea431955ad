"""What fox and hunter have in common: where to stand after this round, and whether a bomb is worth standing still for.

Weights are tenths of a step.
"""

from __future__ import annotations

from collections.abc import Mapping

from livingtable.agents.foxhunt.fire import NEVER, Fire, fire_of, lasts, refuges
from livingtable.agents.foxhunt.sight import Player, Sight
from livingtable.agents.foxhunt.ways import arrivals, spread
from livingtable.dice import derive_seed
from livingtable.game import Action
from livingtable.games.foxhunt.actions import LayBomb, Move, Throw
from livingtable.games.foxhunt.laid import Bomb, Laid
from livingtable.games.foxhunt.position import BOMBS, HAT, RANGE
from livingtable.games.foxhunt.yard import DIRECTIONS
from livingtable.grids import bits_of

STEP = 10
FAR = 100
BURNT = 100_000
"""More than anything is worth."""
LATE = 16
"""How many rounds ahead one looks who is where."""

PINNED, PINNED_AT_LEAST = 14 * STEP, 5 * STEP
"""Of a bomb that leaves somebody no place to go to; what is less is not worth a bomb."""
PLACES = 3
"""Who can be in more times as many places as a bomb covers need not mind it."""
WORTH = {RANGE: 4 * STEP, BOMBS: 4 * STEP, HAT: 3 * STEP}
DETOUR = 5


class Mind:
    """The beams to come, when hunters can be where, what lies beside the way."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.ground, self.me = sight, sight.ground, sight.me
        self.laid, self.lying = Laid(sight.bombs), bits_of(sight.specials)
        self.fire = fire_of(sight.ground, self.laid, self.lying)
        self.closed = arrivals(sight.ground, sight.hunters, LATE)
        self.to_specials = self._to_specials()
        self.lasts = {field: lasts(self.ground, self.fire, field, self.me.hat) for field in sight.options(self.me)}
        self.refuge = max(self.lasts.values())

    def value(self, action: Action) -> int:
        match action:
            case Move(direction):
                return self._standing_value(self.me.field + self.ground.steps[DIRECTIONS.index(direction)])
            case LayBomb():
                return self._bomb_value(self.me.field)
            case Throw(direction, distance):
                return self._bomb_value(self.me.field + distance * self.ground.steps[DIRECTIONS.index(direction)])
            case _:
                return self._standing_value(self.me.field)

    def _standing_value(self, field: int) -> int:
        """Where it will be hit it only stands if that is so everywhere, and then where it is latest."""
        return self.place_value(field) - (0 if self.lasts[field] == self.refuge else BURNT)

    def _bomb_value(self, field: int) -> int:
        if self.lasts[self.me.field] < NEVER or not self.may_matter(field):
            return -2 * BURNT
        bomb = Bomb(field, 0, self.me.range, self.sight.fuse)
        fire = fire_of(self.ground, self.laid.with_bomb(bomb), self.lying)
        use = self.use_of(fire)
        if not use or (lasts(self.ground, fire, self.me.field, self.me.hat) < NEVER and not self.at_any_price(fire)):
            return -2 * BURNT
        return self._standing_value(self.me.field) + use

    def place_value(self, field: int) -> int:
        raise NotImplementedError

    def may_matter(self, field: int) -> bool:
        """Whether a bomb on that field is worth looking at."""
        raise NotImplementedError

    def use_of(self, fire: Fire) -> int:
        """What a bomb is good for after which that will burn, 0 for nothing."""
        raise NotImplementedError

    def at_any_price(self, fire: Fire) -> bool:
        return False

    def _to_specials(self) -> list[tuple[int, Mapping[int, int]]]:
        """Of each special near by: its worth, and how far from it which fields are."""
        sight, me = self.sight, self.me
        near = [(f, kind) for f, kind in sight.specials.items() if sight.apart(me.field, f) <= DETOUR]
        return [(self._worth(kind), spread(self.ground, f, DETOUR)) for f, kind in near]

    def _worth(self, kind: str) -> int:
        return WORTH[kind] - (STEP // 2 * self.me.range if kind == RANGE else 0)

    def special_value(self, field: int) -> int:
        """A special is worth less by more than a step for each step to it."""
        return max([0, *(worth - (STEP + 2) * far[field] for worth, far in self.to_specials if field in far)])

    def pinned(self, who: Player, before: int, fire: Fire, closed: Mapping[int, int]) -> int:
        """Of what a bomb leaves of somebody's places by the time it goes off."""
        after = len(refuges(self.ground, fire, who.field, who.paralysed, who.hat, closed, self.sight.fuse))
        value = PINNED * (before - after) // before
        return value if value >= PINNED_AT_LEAST else 0

    def few_places(self, who: Player, closed: Mapping[int, int]) -> int:
        """How many places somebody has by the time a new bomb goes off; 0 if it has so many that a bomb does not
        matter."""
        places = len(refuges(self.ground, self.fire, who.field, who.paralysed, who.hat, closed, self.sight.fuse))
        return places if places <= PLACES * (4 * self.me.range + 1) else 0

    def whim(self, field: int, most: int) -> int:
        """Something that nobody foresees but that is the same for the same view: it parts what is equal."""
        return derive_seed(self.sight.fortune, self.me.side, field) % most
