"""`greedy` for foxhunt: where to stand after this round's moves, and whether a bomb is worth standing still for.

Whoever it is, it keeps out of the beams that are to come if it can. As a hunter it goes the cheapest way to the fox,
blows up the walls in it, enters the field to which the fox is likely to go, and lays bombs that leave the fox few
places; as the fox it goes where hunters come late and many fields are its own. Weights are tenths of a step; equal
values are decided by the order of the legal actions, so the choice is a function of the view alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from livingtable.agents.foxhunt_fire import NEVER, Fire, fire_of, lasts, refuges
from livingtable.agents.foxhunt_flight import CAUGHT, flight, room
from livingtable.agents.foxhunt_sight import Player, Sight
from livingtable.agents.foxhunt_ways import arrivals, costs_to, spread
from livingtable.dice import derive_seed
from livingtable.game import Action, Data
from livingtable.games.foxhunt.actions import LayBomb, Move, Throw
from livingtable.games.foxhunt.position import BOMBS, HAT, RANGE, Bomb
from livingtable.games.foxhunt.yard import DIRECTIONS, FREE

STEP = 10
FAR = 100
BURNT = 100_000
"""More than anything is worth."""
CATCH = 50 * STEP
ROUNDS = 40
CUT_OFF, FLANKING = 40, 2
PARTING, APART = 10, 3
"""Of each field less that is the fox's own, and of each step nearer, to those who are not the nearest."""
PACK = 5
"""So many hunters mind each other."""
CROWDED = 6
OPENING = 6 * STEP
WALL = 3
"""What a wall costs more than its bomb's fuse, in steps."""
WALL_NEAR = 4
PINNED, PINNED_AT_LEAST = 14 * STEP, 5 * STEP
"""Of a bomb that leaves somebody no place to go to; what is less is not worth a bomb."""
WORTH = {RANGE: 4 * STEP, BOMBS: 4 * STEP, HAT: 3 * STEP}
DETOUR = 5
AT_LEISURE = 3
"""Rounds before a hunter comes, so that the fox can stand still for a bomb."""
NEAR = 40
LATE = 16
"""How many rounds ahead one looks who is where."""


class GreedyFoxhunt:
    def __init__(self, side: str, seed: int) -> None:
        self.side = side

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        if len(legal) == 1:
            return legal[0]
        sight = Sight(view, self.side)
        mind = Fox(sight) if sight.me is sight.fox else Hunter(sight)
        return max(legal, key=mind.value)


class Mind:
    """What fox and hunter have in common: the beams to come, when hunters can be where, what lies beside the way."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.ground, self.me = sight, sight.ground, sight.me
        self.fire = fire_of(sight.ground, sight.bombs, sight.specials)
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
        fire = fire_of(self.ground, [*self.sight.bombs, bomb], self.sight.specials)
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
        """What a bomb is good for with which that will burn, 0 for nothing."""
        raise NotImplementedError

    def at_any_price(self, fire: Fire) -> bool:
        return False

    def _to_specials(self) -> list[tuple[int, Mapping[int, int]]]:
        """Of each special near by: its worth, and how far from it which fields are."""
        sight, me = self.sight, self.me
        near = [(f, kind) for f, kind in sight.specials.items() if sight.apart(me.field, f) <= DETOUR]
        return [(self._worth(kind), spread(self.ground, {f: 0}, DETOUR)) for f, kind in near]

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
        return places if places <= 3 * (4 * self.me.range + 1) else 0

    def whim(self, field: int, most: int) -> int:
        """Something that nobody foresees but that is the same for the same view: it parts what is equal."""
        return derive_seed(self.sight.fox_rounds, self.me.side, field) % most


class Hunter(Mind):
    def __init__(self, sight: Sight) -> None:
        super().__init__(sight)
        self.fox = sight.fox
        doomed = tuple(sorted(self.fire.walls.items()))
        self.wall_cost = sight.fuse + WALL
        self.costs = costs_to(self.ground, self.fox.field, self.wall_cost, doomed)
        self.wall = self._wall_ahead()
        self.chances = self._chances()
        self.likely = max(self.chances, key=self.chances.__getitem__)
        self.pack = self._pack()
        self.place_in_pack = self.pack.index(self.me) if self.me in self.pack else 0
        self.taken, self.taken_places = self._others_ahead()

    def place_value(self, field: int) -> int:
        value = self._approach(self.place_in_pack, field, self.taken)
        value += CATCH * self.chances.get(field, 0) // 100
        value += self.special_value(field)
        return value - CROWDED * (field in self.taken_places) + self.whim(field, 3)

    def _approach(self, place: int, field: int, taken: Mapping[int, int]) -> int:
        """What a field is worth to the hunter of that place in the pack: the first is close on the fox's heels, the
        others leave it little room. `taken`: when those before it will be where."""
        cost = min(self.costs.get(field, FAR), FAR)
        if not place:
            return -STEP * cost
        mine = spread(self.ground, {field: 0}, NEAR)
        free = room(self.ground, self.fire, self.likely, taken, ROUNDS, mine)
        return -CUT_OFF * len(free) - FLANKING * cost + PARTING * min(taken.get(field, APART), APART)

    def _pack(self) -> list[Player]:
        """The hunters that are near the fox, the nearest first."""
        near = [h for h in self.sight.hunters if self.costs.get(h.field, FAR) <= NEAR and not h.paralysed]
        return sorted(near, key=lambda hunter: self.costs[hunter.field])[:PACK]

    def _others_ahead(self) -> tuple[dict[int, int], set[int]]:
        """When those before it in the pack will be where, and to which fields they go now, as far as can be told."""
        taken: dict[int, int] = {}
        places: set[int] = set()
        for place, hunter in enumerate(self.pack[: self.place_in_pack]):
            field = max(self.sight.options(hunter), key=lambda f: self._approach(place, f, taken))
            places.add(field)
            for n, t in spread(self.ground, {field: 0}, NEAR).items():
                taken[n] = min(t, taken.get(n, FAR))
        return taken, places

    def _chances(self) -> dict[int, int]:
        """In percent: to which field the fox goes. If it has good ones to the best of these, else anywhere."""
        worth = flight(self.sight, self.fire, self.closed)
        best = max(worth.values())
        weights = {field: (1 if best < 0 else 8 if w == best else 2 if w > 0 else 1) for field, w in worth.items()}
        return {field: 100 * weight // sum(weights.values()) for field, weight in weights.items()}

    def _wall_ahead(self) -> int | None:
        """The first wall on the cheapest way to the fox, if it is not far."""
        field = self.me.field
        for _ in range(WALL_NEAR):
            around = [n for step in self.ground.steps if (n := field + step) in self.costs]
            field = min(around, key=self._cost_through, default=field)
            if self.ground.cells[field] != FREE:
                return field
        return None

    def _cost_through(self, field: int) -> int:
        standing = 0 if self.ground.cells[field] == FREE else self.fire.walls.get(field, self.wall_cost)
        return self.costs[field] + min(standing, self.wall_cost)

    @cached_property
    def places_of_the_fox(self) -> int:
        """A paralysed fox is fetched, not bombed."""
        return 0 if self.fox.paralysed else self.few_places(self.fox, self.closed)

    def may_matter(self, field: int) -> bool:
        opens = self.wall is not None and self.sight.apart(field, self.wall) <= self.me.range
        return opens or (self.sight.apart(field, self.fox.field) <= self.me.range + 2 and self.places_of_the_fox > 0)

    def use_of(self, fire: Fire) -> int:
        opening = OPENING if self.wall in fire.walls and self.wall not in self.fire.walls else 0
        before = self.places_of_the_fox
        return opening + (self.pinned(self.fox, before, fire, self.closed) if before else 0)

    def at_any_price(self, fire: Fire) -> bool:
        """Shut in, where every bomb hits its owner, it takes the hit."""
        within = spread(self.ground, {self.me.field: 0}, LATE)
        return self.wall in fire.walls and len(within) <= 4 * self.me.range + 4


class Fox(Mind):
    def __init__(self, sight: Sight) -> None:
        super().__init__(sight)
        self.worth = flight(sight, self.fire, self.closed)

    def place_value(self, field: int) -> int:
        """Where hunters can come anyway it goes by whim, so that they cannot know."""
        caught = self.closed.get(field, FAR) == 0
        return self.worth[field] + (self.whim(field, CAUGHT // 5) if caught else self.special_value(field))

    @cached_property
    def pursuer(self) -> Player | None:
        able = [hunter for hunter in self.sight.hunters if not hunter.paralysed]
        return min(able, key=lambda h: self.sight.apart(h.field, self.me.field), default=None)

    @cached_property
    def places_of_the_pursuer(self) -> int:
        return self.few_places(self.pursuer, {}) if self.pursuer else 0

    def may_matter(self, field: int) -> bool:
        if self.pursuer is None or self.closed.get(self.me.field, FAR) < AT_LEISURE:
            return False
        return self.sight.apart(field, self.pursuer.field) <= self.me.range + 2 and self.places_of_the_pursuer > 0

    def use_of(self, fire: Fire) -> int:
        """It opens no walls: they keep the hunters off."""
        if self.pursuer is None or fire.walls.keys() != self.fire.walls.keys():
            return 0
        return self.pinned(self.pursuer, self.places_of_the_pursuer, fire, {})
