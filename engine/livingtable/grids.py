"""Square and hex coordinates: parse, format, neighbours, distance.

A square cell is written `"x,y"`, x from 0 at the west, y from 0 at the north (BW-0.1, FX-0.1).
"""

from __future__ import annotations

import re
from collections.abc import Collection

_COORDINATE = re.compile(r"(-?(?:0|[1-9]\d{0,5})),(-?(?:0|[1-9]\d{0,5}))")

FEW, _ONE = 32, ord("1")

EIGHT_DIRECTIONS: tuple[tuple[int, int], ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""N, NE, E, SE, S, SW, W, NW as (dx, dy): the order in which moves are listed."""

FOUR_DIRECTIONS: tuple[tuple[int, int], ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""N, E, S, W as (dx, dy)."""


def parse_pair(text: str) -> tuple[int, int] | None:
    """`"3,4"` as (3, 4); None if the text is not written so. Only the canonical writing counts: no blanks, no `+`,
    no leading zeros."""
    found = _COORDINATE.fullmatch(text)
    return (int(found[1]), int(found[2])) if found and found[1] != "-0" and found[2] != "-0" else None


def format_pair(x: int, y: int) -> str:
    return f"{x},{y}"


def chebyshev(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The distance of king's moves."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def nth_bit(mask: int, n: int) -> int:
    """The place of the n-th set bit (from 0) of a mask, lowest first: cell n of a set of cells kept as bits."""
    place = 0
    size = 1 << (mask.bit_length() - 1).bit_length()
    while size > 1:
        size >>= 1
        low = mask & ((1 << size) - 1)
        count = low.bit_count()
        if n < count:
            mask = low
        else:
            n -= count
            mask >>= size
            place += size
    return place


def bits_of(cells: Collection[int]) -> int:
    """A set of cells as bits."""
    if len(cells) < FEW:
        bits = 0
        for cell in cells:
            bits |= 1 << cell
        return bits
    digits = bytearray(b"0") * (max(cells) + 1)
    for cell in cells:
        digits[-1 - cell] = _ONE
    return int(digits, 2)


def places(bits: int) -> list[int]:
    """The inverse of `bits_of`: the set bits, lowest first."""
    found: list[int] = []
    if not bits:
        return found
    digits = f"{bits:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        found.append(place)
        place = digits.find("1", place + 1)
    return found


HEX_DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six neighbours of a pointy-top hex in axial coordinates as (dq, dr), in the order of SK-0.1."""


def axial_of_odd_r(column: int, row: int) -> tuple[int, int]:
    """The hex (q, r) of a character of a map whose odd rows are shoved right (SK-0.1)."""
    return column - (row - (row & 1)) // 2, row


def hex_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The number of steps between two hexes on an open map."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))
