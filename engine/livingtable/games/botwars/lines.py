"""Lines of parties: falling in, closing up, a new leader (BW-2.6, BW-7.3, BW-7.4)."""

from __future__ import annotations

from livingtable.games.botwars.events import (
    Died,
    LeaderChanged,
    LineClosed,
    PartyDissolved,
)
from livingtable.games.botwars.position import Events, Position


def fall_in(position: Position, newcomer: int, host: int) -> bool:
    """Puts a newcomer behind the host's line (BW-2.6). False, and nothing changed, if the tail
    has no free neighbour."""
    terrain = position.terrain
    tail = position.cell[position.members(host)[-1]]
    here = position.cell[newcomer]
    if terrain.distance(here, tail) != 1:
        free = [c for c in terrain.exits[tail] if c not in position.occupant]
        if not free:
            return False
        # Cells are numbered row by row, so the cell itself breaks ties by lowest y, then x.
        position.put(newcomer, min(free, key=lambda c: (terrain.distance(here, c), c)))
    position.add_to_party(host, newcomer)
    return True


def settle_deaths(position: Position, side: str, line: list[int], events: Events) -> list[int]:
    """Buries those of a line who have no health left and closes it up (BW-7.2, BW-7.3); returns the living in line
    order. Who leads is not settled here."""
    if position.cast.classic:
        return line
    dead = [i for i in line if position.health[i] == 0]
    if not dead:
        return line
    cells = [position.cell[i] for i in line]
    for i in dead:
        position.bury(i)
        events.append(Died(side, position.cast.ids[i], position.terrain.names[position.cell[i]]))
    living = [i for i in line if position.alive[i]]
    close_up(position, side, living, cells, events)
    return living


def close_up(position: Position, side: str, line: list[int], cells: list[int], events: Events) -> None:
    """The line takes the first of the cells, in its order; nothing is said where everybody stands there already."""
    taken = cells[: len(line)]
    if [position.cell[i] for i in line] != taken:
        position.place(line, taken)
        events.append(LineClosed(side, position.line_data(line)))


def succeed(position: Position, side: str, old: int, rest: list[int], cells: list[int], events: Events) -> None:
    """The party of `old`, who is gone from it, goes on without: the living close up over the line's cells, led by the
    strongest (BW-7.4), who takes the first cell; one alone is a solo (BW-2.7)."""
    position.disband(old)
    ids = position.cast.ids
    if len(rest) < 2:
        close_up(position, side, rest, cells, events)
        if rest:
            events.append(PartyDissolved(side, (ids[rest[0]],)))
        return
    new = max(rest, key=lambda i: (position.strength[i], position.score[i], -i))
    line = [new, *(i for i in rest if i != new)]
    close_up(position, side, line, cells, events)
    position.make_party(line)
    events.append(LeaderChanged(side, ids[old], ids[new]))


def leader_of_two(position: Position, a: int, b: int) -> tuple[int, int]:
    """Leader and follower of a new alliance: the stronger, then the higher score, then the earlier (BW-1.2)."""
    a_key = (position.strength[a], position.score[a], -a)
    b_key = (position.strength[b], position.score[b], -b)
    return (a, b) if a_key > b_key else (b, a)
