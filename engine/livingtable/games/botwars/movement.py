"""Moving in single file, squeezing, and the forced unstuck maneuver (BW-4, BW-5)."""

from __future__ import annotations

from livingtable.games.botwars.encounters import resolve_encounters
from livingtable.games.botwars.events import Moved, Passed, Squeezed, Unstuck, UnstuckFailed
from livingtable.games.botwars.position import Events, Position

PASSES_TO_UNSTICK = 2
PLACEMENTS_TRIED_AT_MOST = 100_000


def move(position: Position, i: int, to: int, events: Events) -> None:
    """One step of a solo, a troll or a leader with its line behind it (BW-4.1, BW-4.2)."""
    names, start = position.terrain.names, position.cell[i]
    line = position.lines.get(i)
    side = position.cast.ids[i]
    if line is None:
        position.put(i, to)
        events.append(Moved(side, names[start], names[to], {side: names[to]}))
    else:
        position.place(line, [to, *(position.cell[m] for m in line[:-1])])
        events.append(Moved(side, names[start], names[to], position.line_data(line)))
    if to in position.terrain.squeezes[start]:
        _squeeze(position, i, events)
    resolve_encounters(position, i, events)


def pass_turn(position: Position, i: int, events: Events) -> None:
    """A pass; at a leader's second one in a row its party must move (BW-4.3)."""
    side = position.cast.ids[i]
    if i not in position.lines:
        events.append(Passed(side, 0))
        return
    count = position.passes.get(i, 0) + 1
    position.passes[i] = count
    events.append(Passed(side, count))
    if count >= PASSES_TO_UNSTICK and not position.cast.classic:
        _unstick(position, i, events)


def _squeeze(position: Position, i: int, events: Events) -> None:
    """The price of a squeeze: 0.1 for one alone, 0.2 for a leader and 0.1 for each follower (BW-5.2)."""
    ids = position.cast.ids
    line = position.members(i)
    costs = [1] if len(line) == 1 else [2, *(1 for _ in line[1:])]
    losses = {ids[m]: position.weaken(m, cost) for m, cost in zip(line, costs, strict=True)}
    events.append(Squeezed(ids[i], losses))


def _unstick(position: Position, leader: int, events: Events) -> None:
    line = position.lines[leader]
    start = position.cell[leader]
    side = position.cast.ids[leader]
    targets = find_unstuck(position, line)
    if targets is None:
        events.append(UnstuckFailed(side))
        return
    position.passes.pop(leader)
    position.place(line, targets)
    events.append(Unstuck(side, position.line_data(line)))
    if targets[0] in position.terrain.squeezes[start]:
        _squeeze(position, leader, events)
    resolve_encounters(position, leader, events)


def find_unstuck(position: Position, line: list[int]) -> list[int] | None:
    """Where each member goes in the maneuver, None if no arrangement exists or 100,000 placements did not find one.

    Depth first: the leader's cells from the clearest on, each follower's from the cell vacated ahead on, then by
    lowest y, then x (BW-4.3).
    """
    terrain = position.terrain
    old = [position.cell[i] for i in line]
    others = position.occupied & ~position.own_bits(line[0])
    choices: list[list[int]] = []
    for k, cell in enumerate(old):
        free = sorted(c for c in terrain.exits[cell] if not others >> c & 1)
        if k == 0:
            free.sort(key=lambda c: -terrain.clearance[c])
        elif old[k - 1] in free:
            free.remove(old[k - 1])
            free.insert(0, old[k - 1])
        choices.append(free)
    tried = 0
    targets: list[int] = []
    taken = 0
    waiting = [iter(choices[0])]
    while waiting:
        for cell in waiting[-1]:
            if taken >> cell & 1 or (targets and not terrain.around[targets[-1]] >> cell & 1):
                continue
            tried += 1
            if tried > PLACEMENTS_TRIED_AT_MOST:
                return None
            targets.append(cell)
            taken |= 1 << cell
            break
        else:
            waiting.pop()
            if targets:
                taken ^= 1 << targets.pop()
            continue
        if len(targets) == len(line):
            return targets
        waiting.append(iter(choices[len(targets)]))
    return None
