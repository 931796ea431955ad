"""One explosion: which bombs go off, and what their beams touch (FX-4.3, FX-4.4)."""

from __future__ import annotations

from typing import NamedTuple

from livingtable.games.foxhunt.laid import Laid
from livingtable.games.foxhunt.position import Position
from livingtable.games.foxhunt.yard import HARD, SOFT, Yard, marked
from livingtable.grids import bits_of, places


class Blast(NamedTuple):
    """Fields in map order. `walls` and `specials` are those that are destroyed."""

    bombs: tuple[int, ...]
    beams: tuple[int, ...]
    walls: tuple[int, ...]
    specials: tuple[int, ...]


def blast_of(position: Position) -> Blast | None:
    """What goes off this round, None if nothing does. All beams are measured on the board as it is now."""
    if not position.bombs:
        return None
    return explosion(position.yard, position.ground, position.special_bits(), position.laid(), position.round_number)


def explosion(yard: Yard, ground: bytes | bytearray, lying: int, laid: Laid, now: int) -> Blast | None:
    """What goes off in round `now` on any such board, with specials lying on those fields, which are given as bits."""
    due = laid.due(now)
    if not due:
        return None
    walls = marked(ground, SOFT)
    enterable, going_on = yard.all_bits & ~marked(ground, HARD), yard.all_bits & ~(walls | lying)
    lit = beams = waiting = bits_of(due)
    while waiting:
        touched = _beams(yard, enterable, going_on, _by_reach(laid, yard, waiting))
        beams |= touched
        waiting = touched & laid.bits & ~lit
        lit |= waiting
    return Blast(*(tuple(places(bits)) for bits in (lit, beams, beams & walls, beams & lying)))


def _by_reach(laid: Laid, yard: Yard, bombs: int) -> dict[int, int]:
    """The bombs, as bits, by how far their beams go; none goes farther than from edge to edge."""
    beyond = max(yard.width, yard.height)
    fields: dict[int, list[int]] = {}
    for field in places(bombs):
        fields.setdefault(min(laid.reach[field], beyond), []).append(field)
    return {reach: bits_of(some) for reach, some in fields.items()}


def _beams(yard: Yard, enterable: int, going_on: int, bombs: dict[int, int]) -> int:
    """The fields that the beams of bombs cover beside their own. All beams of a direction go on a field at a time, so
    that thousands of bombs take little longer than one. What ends a beam, a wall or a special, is covered by it."""
    covered = 0
    for step, open_to in (
        (-yard.width, enterable),
        (1, enterable & ~yard.west_edge),
        (yard.width, enterable),
        (-1, enterable & ~yard.east_edge),
    ):
        front = 0
        for left in range(max(bombs), 0, -1):
            front |= bombs.get(left, 0)
            if front:
                front = (front << step if step > 0 else front >> -step) & open_to
                covered |= front
                front &= going_on
    return covered
