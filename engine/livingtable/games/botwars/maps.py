"""Maps drawn from the seed: a share of obstacles, all open cells connected."""

from __future__ import annotations

from livingtable.areas import connected_area
from livingtable.dice import Dice
from livingtable.games.botwars.terrain import FOREST, MOUNTAIN, OPEN

_PERMILLE = 1000


def generate_map(width: int, height: int, obstacles_permille: int, dice: Dice) -> tuple[str, ...]:
    """Rows with that share of obstacles, rounded down, mountains and forests evenly; the open cells hang together
    along sides, so that no way needs a squeeze."""
    size = width * height
    open_wanted = max(1, size - size * obstacles_permille // _PERMILLE)
    area = connected_area(list(range(size)), open_wanted, width, height, dice)
    signs = [OPEN if c in area else (MOUNTAIN, FOREST)[dice.below(2)] for c in range(size)]
    return tuple("".join(signs[y * width : (y + 1) * width]) for y in range(height))
