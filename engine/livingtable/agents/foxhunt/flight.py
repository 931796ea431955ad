"""What the fields beside it are worth to the fox: far from the hunters, with room to run. Hunters weigh it, too."""

from __future__ import annotations

from collections.abc import Mapping

from livingtable.agents.foxhunt.fire import NEVER, NOTHING, Fire, lasts
from livingtable.agents.foxhunt.sight import Ground, Player, Sight
from livingtable.games.foxhunt.yard import FREE

AHEAD = 10
"""How many rounds ahead the fox's own fields are counted."""
ROOM, EXIT, STAYING = 6, 4, 1
"""Of each field that is the fox's own, and of each way out; tenths of a step."""
LEADS = (0, 10, 40, 60, 70, 80, 85, 90, 95, 100, 105)
"""Of the rounds before a hunter comes: the first ones matter most."""
CAUGHT = 500
HIT = 2_000


def room(
    ground: Ground, fire: Fire, field: int, closed: Mapping[int, int], ahead: int, also: Mapping[int, int] | None = None
) -> set[int]:
    """How many fields the fox, standing on that one after this round, enters before any hunter could be there.

    `closed` and `also` say when hunters could.
    """
    cells, steps, others = ground.cells, ground.steps, also or {}
    seen, edge = {field}, [field]
    for t in range(1, ahead + 1):
        hot = fire.burning.get(t, NOTHING)
        next_to = {n for f in edge for step in steps if cells[n := f + step] == FREE and n not in seen}
        edge = [n for n in next_to if closed.get(n, NEVER) > t and others.get(n, NEVER) > t and n not in hot]
        if not edge:
            break
        seen.update(edge)
    return seen


def flight(sight: Sight, fire: Fire, closed: Mapping[int, int]) -> dict[int, int]:
    """By field on which the fox can be after this round's moves: its worth. `closed`: when hunters could be where."""
    fox = sight.fox
    return {field: _worth(sight, fire, field, closed, fox) for field in sight.options(fox)}


def _worth(sight: Sight, fire: Fire, field: int, closed: Mapping[int, int], fox: Player) -> int:
    ground = sight.ground
    lead = closed.get(field, AHEAD)
    worth = ROOM * min(len(room(ground, fire, field, closed, AHEAD)), 40)
    worth += LEADS[min(lead, AHEAD)] + EXIT * len(ground.around(field)) + STAYING * (field == fox.field)
    safe = lasts(ground, fire, field, fox.hat)
    return worth - CAUGHT * (lead == 0) - (HIT - min(safe, HIT) if safe < NEVER else 0)
