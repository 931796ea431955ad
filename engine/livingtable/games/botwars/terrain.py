"""The ground of a botwars board, with everything about it that never changes worked out once.

Cells are numbers, `y * width + x`, so that ascending order is "lowest y, then x"; sets of cells are bits of one
Python integer.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from livingtable.games.botwars.actions import PASS, SLEEP, BotwarsAction, Move
from livingtable.grids import EIGHT_DIRECTIONS, format_pair

OPEN, MOUNTAIN, FOREST = ".", "M", "F"


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
        self.names = [format_pair(c % self.width, c // self.width) for c in range(self.size)]
        self.index = {name: c for c, name in enumerate(self.names)}
        ground = "".join(rows)
        self.is_open = [sign == OPEN for sign in ground]
        self.open_bits = sum(1 << c for c in range(self.size) if self.is_open[c])
        self.exits = [self._exits(c) for c in range(self.size)]
        self.exit_bits = [sum(1 << t for t in targets) for targets in self.exits]
        self.around = [sum(1 << t for t in self._neighbours(c)) | 1 << c for c in range(self.size)]
        self.squeezes = [frozenset(t for t in self.exits[c] if self._is_squeeze(c, t)) for c in range(self.size)]
        self.clearance = self._clearances()
        to = [Move(name) for name in self.names]
        self.moves: list[tuple[BotwarsAction, ...]] = [tuple(to[t] for t in targets) for targets in self.exits]
        self.moves_and_pass = [(*moves, PASS) for moves in self.moves]
        self.moves_sleep_pass = [(*moves, SLEEP, PASS) for moves in self.moves]

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

    def _clearances(self) -> list[int]:
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


@lru_cache(maxsize=64)
def terrain_of(rows: tuple[str, ...]) -> Terrain:
    """The terrain of these rows; games on one map share it."""
    return Terrain(rows)
