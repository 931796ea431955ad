"""One explosion: which bombs go off, and what their beams touch (FX-4.3, FX-4.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from livingtable.games.foxhunt.position import Bomb, Position
from livingtable.games.foxhunt.yard import FREE, NOWHERE, SOFT, Yard


class Blast(NamedTuple):
    """Fields in map order. `walls` and `specials` are those that are destroyed."""

    bombs: tuple[int, ...]
    beams: tuple[int, ...]
    walls: tuple[int, ...]
    specials: tuple[int, ...]


def blast_of(position: Position) -> Blast | None:
    """What goes off this round, None if nothing does. All beams are measured on the board as it is now."""
    return explosion(position.yard, position.ground, position.specials, position.bombs, position.round_number)


def explosion(
    yard: Yard, ground: bytes | bytearray, lying: Collection[int], bombs: Sequence[Bomb], now: int
) -> Blast | None:
    """What goes off in round `now` on any such board, with specials lying on those fields."""
    due = {bomb.field for bomb in bombs if bomb.explodes <= now}
    if not due:
        return None
    reach: dict[int, int] = {}
    for bomb in bombs:  # All bombs on one field go off with the first: the longest beam covers the others.
        reach[bomb.field] = max(bomb.range, reach.get(bomb.field, 0))
    lit, waiting = set(due), sorted(due)
    beams: set[int] = set()
    walls: set[int] = set()
    specials: set[int] = set()
    while waiting:
        field = waiting.pop()
        touched = _beam(yard, ground, lying, field, reach[field], walls, specials)
        beams.update(touched)
        for other in touched:
            if other in reach and other not in lit:
                lit.add(other)
                waiting.append(other)
    return Blast(*(tuple(sorted(fields)) for fields in (lit, beams, walls, specials)))


def _beam(
    yard: Yard,
    ground: bytes | bytearray,
    lying: Collection[int],
    start: int,
    reach: int,
    walls: set[int],
    specials: set[int],
) -> list[int]:
    """The fields that one bomb's beam covers; what it destroys goes into `walls` and `specials`."""
    touched = [start]
    if start in lying:
        specials.add(start)
    for beside in yard.beside:
        field = start
        for _ in range(reach):
            field = beside[field]
            if field == NOWHERE or ground[field] > SOFT:
                break
            touched.append(field)
            if ground[field] != FREE:
                walls.add(field)
                break
            if field in lying:
                specials.add(field)
                break
    return touched
