"""The ground of a skirmish board, as sets of hexes kept in the bits of one Python integer.

A hex's bit is `r * stride + q + shift`, so that the six neighbours are six shifts, the same in every row, and ascending
order is row by row from the north, in a row from the west. Bits of no hex part the rows; masks keep floods off them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from livingtable import grids
from livingtable.grids import HEX_DIRECTIONS, axial_of_odd_r, format_pair, hex_distance

PLAIN, ROAD, FOREST, HILL, WATER, MOUNTAIN, IVORY, CRIMSON, NOTHING = ".", "=", "F", "^", "~", "M", "I", "C", " "
SIGNS = PLAIN + ROAD + FOREST + HILL + WATER + MOUNTAIN + IVORY + CRIMSON + NOTHING
COST = {PLAIN: 1, ROAD: 1, IVORY: 1, CRIMSON: 1, FOREST: 2, HILL: 2}
"""Of entering (SK-0.2); water and mountain cannot be entered."""


class Terrain:
    """Map rows, read odd-r (SK-0.1), and what follows from them.

    names[h]   the hex as text, for the bits that are hexes; `index` is the inverse
    steps      the six neighbours as differences of bits, in the order of SK-0.1
    cost[h]    of entering it, 0 where that is impossible
    cheap, dear    the hexes that cost 1 and 2
    sheltering     forest and hill: a defender there is hit by 5 or better (SK-3.2)
    castle     the bit of each side's castle, ivory's first
    """

    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows
        width = max(len(row) for row in rows)
        self._shift = (len(rows) - 1) // 2
        self.stride = width + self._shift + 1
        self.steps = tuple(dr * self.stride + dq for dq, dr in HEX_DIRECTIONS)
        self.names: dict[int, str] = {}
        self.sign: dict[int, str] = {}
        self.axial: dict[int, tuple[int, int]] = {}
        for r, row in enumerate(rows):
            for c, sign in enumerate(row):
                if sign != NOTHING:
                    self._add(*axial_of_odd_r(c, r), sign)
        self.index = {name: h for h, name in self.names.items()}
        self.cost = {h: COST.get(sign, 0) for h, sign in self.sign.items()}
        self.cheap = _bits(h for h, cost in self.cost.items() if cost == 1)
        self.dear = _bits(h for h, cost in self.cost.items() if cost == 2)
        self.sheltering = _bits(h for h, sign in self.sign.items() if sign in (FOREST, HILL))
        self.castle = tuple(next((h for h, s in self.sign.items() if s == castle), -1) for castle in (IVORY, CRIMSON))
        self._within: dict[tuple[int, int], int] = {}

    def distance(self, a: int, b: int) -> int:
        """Axial hex distance (SK-0.1)."""
        return hex_distance(self.axial[a], self.axial[b])

    def within(self, h: int, distance: int) -> int:
        """The hexes at most that far away, the hex itself left out, as bits."""
        bits = self._within.get((h, distance))
        if bits is None:
            bits = self._within[h, distance] = _bits(self._found_within(h, distance))
        return bits

    def _found_within(self, h: int, distance: int) -> Iterator[int]:
        q, r = self.axial[h]
        for dr in range(-distance, distance + 1):
            for dq in range(max(-distance, -distance - dr), min(distance, distance - dr) + 1):
                other = h + dr * self.stride + dq
                # Off the map's edges the bit is no hex's, or that of one in another row.
                if other != h and self.axial.get(other) == (q + dq, r + dr):
                    yield other

    def around(self, bits: int) -> int:
        """All neighbours of a set of hexes; bits of no hex may be among them."""
        s = self.stride
        return bits << 1 | bits >> 1 | bits << s | bits >> s | bits << (s - 1) | bits >> (s - 1)

    def _add(self, q: int, r: int, sign: str) -> None:
        h = r * self.stride + q + self._shift
        self.names[h] = format_pair(q, r)
        self.sign[h] = sign
        self.axial[h] = (q, r)


def _bits(hexes: Iterator[int]) -> int:
    bits = 0
    for h in hexes:
        bits |= 1 << h
    return bits


def places(bits: int) -> tuple[int, ...]:
    """The set bits, lowest first."""
    return tuple(grids.places(bits))


@lru_cache(maxsize=64)
def terrain_of(rows: tuple[str, ...]) -> Terrain:
    """The terrain of these rows; games on one map share it."""
    return Terrain(rows)
