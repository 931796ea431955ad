"""What places are worth to a piece of skirmish, at a glance: as `greedy` weighs them, in whole sets of hexes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache

from livingtable.agents.greedy_skirmish import HIT, WORTH, costs_to
from livingtable.games.skirmish.kinds import GENERAL, WIZARD
from livingtable.games.skirmish.position import GONE, Position
from livingtable.games.skirmish.reach import levels, reached
from livingtable.games.skirmish.rules import NEEDED, NEEDED_AGAINST_SHELTER
from livingtable.games.skirmish.terrain import Terrain, places

NO_WAY = 50
STEP, STEP_OF_THE_GENERAL = 130, 20
"""Of a step nearer to the enemy's castle, in thousandths of a hit."""
AT_HOME = 5_000
"""The General keeps the castle."""
LAST_HIT, GUARD = 4, 3
"""What it is worth more to kill, and to hit the one on the castle."""


@lru_cache(maxsize=1 << 13)
def places_reached(terrain: Terrain, start: int, points: int, enemies: int, castle: int) -> tuple[int, tuple[int, ...]]:
    """What a piece reaches, friends aside: as bits and as hexes."""
    bits = reached(levels(terrain, start, points, enemies, castle))
    return bits, places(bits)


def reach(position: Position, i: int) -> tuple[int, tuple[int, ...]]:
    """What a piece of either side reaches, friends aside."""
    enemy = 1 - position.army.sides[i]
    points, terrain = position.army.kinds[i].move, position.terrain
    return places_reached(terrain, position.where[i], points, position.occupied[enemy], terrain.castle[enemy])


def zones(position: Position, side: int) -> list[int]:
    """By living piece of a side: the hexes at which it could strike in a turn, as bits."""
    terrain, kinds = position.terrain, position.army.kinds
    enemies, castle = position.occupied[1 - side], terrain.castle[1 - side]
    return [
        _zone(terrain, h, kinds[i].move, enemies, castle, kinds[i].range)
        for i in position.army.of_side[side]
        if (h := position.where[i]) != GONE
    ]


@lru_cache(maxsize=1 << 13)
def _zone(terrain: Terrain, start: int, points: int, enemies: int, castle: int, distance: int) -> int:
    zone = places_reached(terrain, start, points, enemies, castle)[0] | 1 << start
    for _ in range(distance):
        zone |= terrain.around(zone)
    return zone


def loss(position: Position, j: int) -> int:
    """What a hit takes from a piece's side."""
    keeper = GUARD * (position.where[j] == position.terrain.castle[position.army.sides[j]])
    return WORTH[position.army.kinds[j].letter] + LAST_HIT * (position.hp[j] == 1) + keeper


def strike_worth(position: Position, i: int, j: int) -> int:
    """Of an attack of one piece on another."""
    sheltered = position.terrain.sheltering >> position.where[j] & 1 and position.army.kinds[i].letter != WIZARD
    needed = (NEEDED_AGAINST_SHELTER if sheltered else NEEDED) + position.leaderless[position.army.sides[i]]
    return HIT * (7 - needed) // 6 * loss(position, j) // 2


@lru_cache(maxsize=64)
def _worth_of_ground(terrain: Terrain, side: int, general: bool) -> dict[int, int]:
    """By hex."""
    costs = costs_to(terrain, terrain.castle[1 - side])
    step = STEP_OF_THE_GENERAL if general else STEP
    worth = {h: -step * costs.get(h, NO_WAY) for h in terrain.names}
    worth[terrain.castle[side]] += AT_HOME * general
    return worth


@lru_cache(maxsize=1 << 13)
def _best_ground_first(terrain: Terrain, side: int, general: bool, hexes: int) -> tuple[int, ...]:
    ground = _worth_of_ground(terrain, side, general)
    return tuple(sorted(places(hexes), key=lambda h: (-ground[h], h)))


def counted(zones: Sequence[int]) -> list[int]:
    """In how many of the zones each hex lies: the n-th of the numbers holds, as bits, the hexes whose count has 2^n."""
    count: list[int] = []
    for zone in zones:
        carry = zone
        for n, bits in enumerate(count):
            count[n], carry = bits ^ carry, bits & carry
        if carry:
            count.append(carry)
    return count


class Places:
    """What the hexes are worth to a piece of the side to act, given in how many zones of the enemy's each lies
    (`counted`)."""

    __slots__ = (
        "_danger",
        "_general",
        "_ground",
        "_in_range",
        "_shelter",
        "_sheltered_danger",
        "_side",
        "_targets",
        "_terrain",
        "_zones",
    )

    def __init__(self, position: Position, i: int, danger: list[int]) -> None:
        side, kind, terrain = position.side, position.army.kinds[i], position.terrain
        general = kind.letter == GENERAL
        self._terrain, self._side, self._general = terrain, side, general
        self._ground = _worth_of_ground(terrain, side, general)
        self._zones, self._shelter = danger, terrain.sheltering
        caution = (3 if general else 2 if position.hp[i] == 1 else 1) * WORTH[kind.letter]
        self._danger = HIT * (7 - NEEDED) // 6 * caution // 12
        self._sheltered_danger = HIT * (7 - NEEDED_AGAINST_SHELTER) // 6 * caution // 12
        self._targets: list[tuple[int, int]] = []
        self._in_range = 0
        if not position.attacks_made[i]:
            within, where = terrain.within, position.where
            self._targets = sorted(
                (-strike_worth(position, i, j) * 9 // 10, within(where[j], kind.range))
                for j in position.army.of_side[1 - side]
                if where[j] != GONE
            )
            for _, near in self._targets:
                self._in_range |= near

    def worth(self, h: int) -> int:
        worth = self._ground[h]
        danger = self._sheltered_danger if self._shelter >> h & 1 else self._danger
        for bits in self._zones:
            if bits >> h & 1:
                worth -= danger
            danger *= 2
        if not self._in_range >> h & 1:
            return worth
        for strike, near in self._targets:
            if near >> h & 1:
                return worth - strike
        return worth

    def best(self, here: int, reached: int, taken: Container[int]) -> int:
        """Where to go, of the hexes that are reached and not taken, or where to stay."""
        best, place = self.worth(here), here
        most = -self._targets[0][0] if self._targets else 0
        ground = self._ground
        for h in _best_ground_first(self._terrain, self._side, self._general, reached):
            if ground[h] + most <= best:
                break
            if h not in taken and (worth := self.worth(h)) > best:
                best, place = worth, h
        return place
