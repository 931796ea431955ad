"""The ground of a fox hunt: fields by number, and who lies beside whom (FX-0.1)."""

from __future__ import annotations

from functools import lru_cache

from livingtable.grids import FOUR_DIRECTIONS, format_pair

FREE, SOFT, HARD = 0, 1, 2
"""What stands on a field: nothing, a wall that a beam destroys, a wall that nothing destroys."""
SIGNS = "_wW"
"""Their signs in a map."""
DIRECTIONS = ("N", "E", "S", "W")
NOWHERE = -1
_AS_DIGITS = tuple(bytes(b"01"[kind == sign] for kind in range(256)) for sign in (FREE, SOFT, HARD))


class Yard:
    """The geometry of a map of one size. Fields are numbered row by row from the north-west.

    `names[field]` is its coordinate, `index` the inverse; `beside[d][field]` is the field next to it in direction
    `DIRECTIONS[d]`, `NOWHERE` beyond the edge. Sets of fields are bits of one integer: `all_bits` are all of them,
    `west_edge` and `east_edge` the first and the last of each row.
    """

    __slots__ = ("all_bits", "beside", "east_edge", "height", "index", "names", "size", "west_edge", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.size = width * height
        cells = [(x, y) for y in range(height) for x in range(width)]
        self.names = tuple(format_pair(x, y) for x, y in cells)
        self.index = {name: field for field, name in enumerate(self.names)}
        self.beside = tuple(
            tuple(
                (y + dy) * width + x + dx if 0 <= x + dx < width and 0 <= y + dy < height else NOWHERE for x, y in cells
            )
            for dx, dy in FOUR_DIRECTIONS
        )
        self.all_bits = (1 << self.size) - 1
        self.west_edge = self.all_bits // ((1 << width) - 1)
        self.east_edge = self.west_edge << (width - 1)

    def around(self, fields: int) -> int:
        """The neighbours of a set of fields, as bits."""
        across = (fields & ~self.east_edge) << 1 | (fields & ~self.west_edge) >> 1
        return across | fields << self.width & self.all_bits | fields >> self.width


@lru_cache(maxsize=16)
def yard_of(width: int, height: int) -> Yard:
    """Shared by all games on a map of that size."""
    return Yard(width, height)


def ground_of(rows: list[str]) -> bytearray:
    """What stands on each field. Raises `ValueError` for a strange sign."""
    return bytearray(SIGNS.index(sign) for row in rows for sign in row)


def rows_of(ground: bytearray, width: int) -> list[str]:
    """The inverse of `ground_of`."""
    text = ground.translate(bytes.maketrans(bytes((FREE, SOFT, HARD)), SIGNS.encode())).decode()
    return [text[start : start + width] for start in range(0, len(text), width)]


def marked(ground: bytes | bytearray, sign: int) -> int:
    """The fields on which that stands (`FREE`, `SOFT` or `HARD`), as bits."""
    return int(ground.translate(_AS_DIGITS[sign])[::-1], 2)
