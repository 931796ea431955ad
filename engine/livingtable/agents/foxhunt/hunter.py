"""A hunter: the cheapest way to the fox, through walls if need be, and a pack that leaves the fox little room."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from livingtable.agents.foxhunt.fire import Fire
from livingtable.agents.foxhunt.flight import flight, room
from livingtable.agents.foxhunt.mind import FAR, LATE, STEP, Mind
from livingtable.agents.foxhunt.sight import Player, Sight
from livingtable.agents.foxhunt.ways import arrivals, costs_to, spread
from livingtable.dice import derive_seed
from livingtable.games.foxhunt.yard import FREE

CATCH = 50 * STEP
OPENING = 6 * STEP
WALL = 3
"""What a wall costs more than its bomb's fuse, in steps."""
WALL_NEAR = 4
NEAR, PACK = 20, 4
"""So many hunters, not farther than that from the fox, mind each other and the fox's room."""
CUT_OFF, FLANKING = 4 * STEP, 2
"""Of each field less that is the fox's own, and of each step nearer, to those of a pack who are not the nearest."""
PARTING, APART, CROWDED = STEP, 3, 6
"""Of each step, up to so many, from where those before it in the pack go; and of going to the very same field."""
CROWD, FOLLOWING = 6, 10
"""Who has so many hunters before it, and farther to go than that, does not follow."""


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
        self.spare = self._is_spare()

    @cached_property
    def rivals(self) -> Mapping[int, int]:
        return arrivals(self.ground, self.sight.rivals, LATE)

    def place_value(self, field: int) -> int:
        if self.spare:
            return STEP * self.rivals.get(field, LATE) + self.special_value(field) + self.whim(field, 3)
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
        mine = spread(self.ground, field, NEAR)
        free = room(self.ground, self.fire, self.likely, taken, NEAR, mine)
        return -CUT_OFF * len(free) - FLANKING * cost + PARTING * min(taken.get(field, APART), APART)

    def _is_spare(self) -> bool:
        """Of a crowd those who are farthest off do not follow: the next fox will be somewhere else."""
        cost = self.costs.get(self.me.field, FAR)
        return cost > FOLLOWING and sum(self.costs.get(h.field, FAR) < cost for h in self.sight.rivals) >= CROWD

    def _pack(self) -> list[Player]:
        """The hunters that are near the fox, the nearest first; of equals it may be any, but for all the same."""
        near = [h for h in self.sight.hunters if self.costs.get(h.field, FAR) <= NEAR and not h.paralysed]
        fortune = self.sight.fortune
        return sorted(near, key=lambda hunter: (self.costs[hunter.field], derive_seed(fortune, hunter.side)))[:PACK]

    def _others_ahead(self) -> tuple[dict[int, int], set[int]]:
        """When those before it in the pack will be where, and to which fields they go now, as far as can be told."""
        taken: dict[int, int] = {}
        places: set[int] = set()
        for place, hunter in enumerate(self.pack[: self.place_in_pack]):
            worth = {field: self._approach(place, field, taken) for field in self.sight.options(hunter)}
            field = max(worth, key=worth.__getitem__)
            places.add(field)
            for n, t in spread(self.ground, field, NEAR).items():
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
        within = spread(self.ground, self.me.field, LATE)
        return self.wall in fire.walls and len(within) <= 4 * self.me.range + 4
