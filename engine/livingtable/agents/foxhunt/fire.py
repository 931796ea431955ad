"""When and where beams will be: the bombs that lie, and all that they set off, played ahead (FX-4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from livingtable.agents.foxhunt.sight import Ground
from livingtable.games.foxhunt.blast import explosion
from livingtable.games.foxhunt.laid import Laid
from livingtable.games.foxhunt.yard import FREE
from livingtable.grids import bits_of

ROUNDS_AHEAD = 12
"""Bombs that go off later are no danger yet."""
NEVER = 1_000
NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Fire:
    """`burning[t]` are the fields on which beams will be t rounds from now, after the moves of that round; `walls[w]`
    is when a breakable wall will be gone."""

    burning: dict[int, frozenset[int]]
    walls: dict[int, int]
    ever: frozenset[int]
    last: int


def fire_of(ground: Ground, laid: Laid, specials: int) -> Fire:
    """As if nobody lays another bomb or takes a special before. The specials' fields are given as bits."""
    burning: dict[int, frozenset[int]] = {}
    walls: dict[int, int] = {}
    cells, lying, left = bytearray(ground.cells), specials, laid.copy()
    for t in range(ROUNDS_AHEAD + 1):
        blast = explosion(ground.yard, cells, lying, left, t)
        if blast is None:
            continue
        burning[t] = frozenset(blast.beams)
        for wall in blast.walls:
            cells[wall] = FREE
            walls[wall] = t
        lying &= ~bits_of(blast.specials)
        left.remove(blast.bombs)
    return Fire(burning, walls, NOTHING.union(*burning.values()), max(burning, default=-1))


def lasts(ground: Ground, fire: Fire, field: int, hat: int) -> int:
    """How many rounds one who stands on that field after this round's moves can keep out of the beams; `NEVER` is
    never hit. A hat keeps them off in that many rounds, this one included."""
    places = {field}
    for t in range(fire.last + 1):
        if t:
            places.update([n for place in places for n in ground.around(place)])
        if t >= hat:
            places -= fire.burning.get(t, NOTHING)
            if not places:
                return t
        if not places <= fire.ever:
            return NEVER  # There it can wait for the rest.
    return NEVER


def refuges(
    ground: Ground, fire: Fire, start: int, still: int, hat: int, closed: Mapping[int, int], rounds: int
) -> set[int]:
    """Where one can be so many rounds from now that stands there, does not move for `still` rounds, keeps out of the
    beams, and does not go where others are before it (`closed`: field to round)."""
    places = {start}
    for t in range(rounds + 1):
        if t >= still:
            around = [n for place in places for n in ground.around(place) if closed.get(n, NEVER) > t]
            places = {place for place in places if closed.get(place, NEVER) > t or t == 0}
            places.update(around)
        if t >= hat:
            places -= fire.burning.get(t, NOTHING)
    return places
