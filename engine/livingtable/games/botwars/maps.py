"""Maps drawn from the seed: a share of obstacles, all open cells connected."""

from __future__ import annotations

from livingtable.dice import Dice
from livingtable.games.botwars.terrain import FOREST, MOUNTAIN, OPEN
from livingtable.grids import FOUR_DIRECTIONS

_PERMILLE = 1000


def generate_map(width: int, height: int, obstacles_permille: int, dice: Dice) -> tuple[str, ...]:
    """Rows with that share of obstacles, rounded down, mountains and forests evenly; the open cells hang together
    along sides, so that no way needs a squeeze.

    Obstacles fall at random; what is cut off from the largest open area is filled up, and that area then grows back,
    cell by cell, to the share that was asked for.
    """
    size = width * height
    open_wanted = max(1, size - size * obstacles_permille // _PERMILLE)
    cells = list(range(size))
    dice.shuffle(cells)
    area = _largest_area(set(cells[:open_wanted]), width, height)
    rim = sorted({n for c in area for n in _beside(c, width, height)} - area)
    while len(area) < open_wanted:
        k = dice.below(len(rim))
        cell, rim[k] = rim[k], rim[-1]
        rim.pop()
        area.add(cell)
        known = set(rim) if len(rim) > 64 else rim
        rim += [n for n in _beside(cell, width, height) if n not in area and n not in known]
    signs = [OPEN if c in area else (MOUNTAIN, FOREST)[dice.below(2)] for c in range(size)]
    return tuple("".join(signs[y * width : (y + 1) * width]) for y in range(height))


def _largest_area(open_cells: set[int], width: int, height: int) -> set[int]:
    """The largest connected set of open cells; of equals the one with the lowest cell."""
    left = set(open_cells)
    best: set[int] = set()
    for start in sorted(open_cells):
        if start not in left:
            continue
        left.discard(start)
        area, edge = {start}, [start]
        while edge:
            for neighbour in _beside(edge.pop(), width, height):
                if neighbour in left:
                    left.discard(neighbour)
                    area.add(neighbour)
                    edge.append(neighbour)
        if len(area) > len(best):
            best = area
    return best


def _beside(cell: int, width: int, height: int) -> list[int]:
    y, x = divmod(cell, width)
    return [(y + dy) * width + x + dx for dx, dy in FOUR_DIRECTIONS if 0 <= x + dx < width and 0 <= y + dy < height]
