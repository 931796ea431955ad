"""The ground of a botwars board, with everything about it that never changes worked out once.

Cells are numbers, `y * width + x`, so that ascending order is "lowest y, then x"; sets of cells are bits of one
Python integer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TypeVar

from livingtable.games.botwars.actions import PASS, SLEEP, BotwarsAction, Move
from livingtable.grids import EIGHT_DIRECTIONS, bits_of, format_pair

T = TypeVar("T")

OPEN, MOUNTAIN, FOREST = ".", "M", "F"
_AS_DIGITS = str.maketrans({OPEN: "1", MOUNTAIN: "0", FOREST: "0"})


class _Table(dict[int, T]):
    """By cell, worked out when it is first asked for: most cells of a large board never are."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cell: int) -> T:
        made = self[cell] = self._make(cell)
        return made


class Terrain:
    """Rows of `.`, `M`, `F` (BW-0.2) and the tables made from them.

    names[c]      the cell as text; `index` is the inverse
    around[c]     the cell and its neighbours, obstacles too, as bits: all within distance 1
    exits[c]      the open neighbours in the order of the directions (BW-0.1); exit_bits[c] the same as bits
    moves[c]      the `Move`s to these exits
    squeezes[c]   those exits that are reached by a squeeze (BW-5.1)
    clearance[c]  distance to the nearest obstacle, 0 everywhere where there is none (BW-4.3)
    """

    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows
        self.width, self.height = len(rows[0]), len(rows)
        self.size = self.width * self.height
        self.names = [format_pair(x, y) for y in range(self.height) for x in range(self.width)]
        self.index = {name: c for c, name in enumerate(self.names)}
        ground = "".join(rows)
        self.is_open = [sign == OPEN for sign in ground]
        self.open_bits = int(ground[::-1].translate(_AS_DIGITS), 2)
        self.exits = _Table(self._exits)
        self.exit_bits = _Table(lambda c: bits_of(self.exits[c]))
        self.around = _Table(lambda c: bits_of(self._neighbours(c)) | 1 << c)
        self.squeezes = _Table(lambda c: frozenset(t for t in self.exits[c] if self._is_squeeze(c, t)))
        self.moves: _Table[tuple[BotwarsAction, ...]] = _Table(
            lambda c: tuple(Move(self.names[t]) for t in self.exits[c])
        )
        self.moves_and_pass = _Table(lambda c: (*self.moves[c], PASS))
        self.moves_sleep_pass = _Table(lambda c: (*self.moves[c], SLEEP, PASS))

    @cached_property
    def clearance(self) -> list[int]:
        """Breadth first from all obstacles at once; the steps of a king measure Chebyshev distance."""
        obstacles = [c for c in range(self.size) if not self.is_open[c]]
        if not obstacles:
            return [0] * self.size
        distance = [-1] * self.size
        for cell in obstacles:
            distance[cell] = 0
        queue = deque(obstacles)
        while queue:
            cell = queue.popleft()
            for target in self._neighbours(cell):
                if distance[target] < 0:
                    distance[target] = distance[cell] + 1
                    queue.append(target)
        return distance

    def distance(self, a: int, b: int) -> int:
        """Chebyshev distance of two cells (BW-0.1)."""
        ay, ax = divmod(a, self.width)
        by, bx = divmod(b, self.width)
        return max(abs(ax - bx), abs(ay - by))

    def _neighbours(self, cell: int) -> list[int]:
        y, x = divmod(cell, self.width)
        return [
            (y + dy) * self.width + x + dx
            for dx, dy in EIGHT_DIRECTIONS
            if 0 <= x + dx < self.width and 0 <= y + dy < self.height
        ]

    def _exits(self, cell: int) -> tuple[int, ...]:
        return tuple(t for t in self._neighbours(cell) if self.is_open[t])

    def _is_squeeze(self, a: int, b: int) -> bool:
        (ay, ax), (by, bx) = divmod(a, self.width), divmod(b, self.width)
        if ax == bx or ay == by:
            return False
        return not self.is_open[ay * self.width + bx] and not self.is_open[by * self.width + ax]


@lru_cache(maxsize=64)
def terrain_of(rows: tuple[str, ...]) -> Terrain:
    """The terrain of these rows; games on one map share it."""
    return Terrain(rows)
