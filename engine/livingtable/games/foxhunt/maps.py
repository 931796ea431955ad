"""Maps drawn from the seed (FX-6.2): a border of `W`, inside it `w` and `W`; what is no `W` hangs together."""

from __future__ import annotations

from livingtable.areas import beside, connected_area
from livingtable.dice import Dice
from livingtable.games.foxhunt.yard import FREE, HARD, SOFT

HARD_PERCENT, SOFT_PERCENT = 12, 30
"""The share of the inner fields that is `W`, and of the others that is `w`."""


def generate_map(width: int, height: int, dice: Dice) -> bytearray:
    """What stands on each field, row by row. At least two neighbouring fields are free."""
    inner = [y * width + x for y in range(1, height - 1) for x in range(1, width - 1)]
    wanted = len(inner) - len(inner) * HARD_PERCENT // 100
    area = connected_area(inner, wanted, width, height, dice)
    ground = bytearray([HARD]) * (width * height)
    for field in sorted(area):
        ground[field] = FREE
    walls = sorted(area)
    dice.shuffle(walls)
    for field in walls[: len(area) * SOFT_PERCENT // 100]:
        ground[field] = SOFT
    return ground


def roomy_fields(ground: bytearray, width: int, height: int) -> list[int]:
    """The free fields with a free neighbour, in map order."""
    return [
        field
        for field, wall in enumerate(ground)
        if wall == FREE and any(ground[n] == FREE for n in beside(field, width, height))
    ]
