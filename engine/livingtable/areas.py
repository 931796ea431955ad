"""Connected areas of square cells, drawn from dice."""

from __future__ import annotations

from livingtable.dice import Dice
from livingtable.grids import FOUR_DIRECTIONS


def connected_area(cells: list[int], wanted: int, width: int, height: int, dice: Dice) -> set[int]:
    """So many of the cells of a map of that size (cell = y * width + x), hanging together along sides; all of them if
    `wanted` is more, or if the cells themselves do not hang together what can be had.

    `cells` is put into a random order; what the first `wanted` of them leave cut off from their largest area is given
    up, and that area then grows back, cell by cell, to the number that was asked for.
    """
    allowed = set(cells)
    dice.shuffle(cells)
    area = largest_area(set(cells[:wanted]), width, height)
    rim = sorted({n for c in area for n in beside(c, width, height) if n in allowed} - area)
    known = area.union(rim)
    while len(area) < wanted and rim:
        k = dice.below(len(rim))
        cell, rim[k] = rim[k], rim[-1]
        rim.pop()
        area.add(cell)
        new = [n for n in beside(cell, width, height) if n in allowed and n not in known]
        rim += new
        known.update(new)
    return area


def largest_area(cells: set[int], width: int, height: int) -> set[int]:
    """The largest connected set of the cells; of equals the one with the lowest cell."""
    left = set(cells)
    best: set[int] = set()
    for start in sorted(cells):
        if start not in left:
            continue
        left.discard(start)
        area, edge = {start}, [start]
        while edge:
            for neighbour in beside(edge.pop(), width, height):
                if neighbour in left:
                    left.discard(neighbour)
                    area.add(neighbour)
                    edge.append(neighbour)
        if len(area) > len(best):
            best = area
    return best


def beside(cell: int, width: int, height: int) -> list[int]:
    """The neighbours along sides, in the order N, E, S, W."""
    y, x = divmod(cell, width)
    return [(y + dy) * width + x + dx for dx, dy in FOUR_DIRECTIONS if 0 <= x + dx < width and 0 <= y + dy < height]
