"""Why a player may not act, or may not do that: who, what, why."""

from __future__ import annotations

from livingtable.games.foxhunt.actions import SERVER, Clock, FoxhuntAction, LayBomb, Move, Throw
from livingtable.games.foxhunt.position import Position
from livingtable.games.foxhunt.yard import DIRECTIONS, NOWHERE, SOFT


def why_idle(position: Position, side: str) -> str:
    """Why the player has nothing to choose now, "" if it has (also if it has chosen already)."""
    i = position.cast.index.get(side)
    if i is None:
        return f"there is no seat {side[:40]!a}; the seats are {', '.join(position.cast.ids)}"
    if position.outcome is not None:
        return f"the game is over: {position.outcome.reason}"
    if position.can_act(i):
        return ""
    left = position.rounds_left(position.paralysed_until[i])
    return f"{side} is paralysed for {left} more {'round' if left == 1 else 'rounds'}, this one included"


def why_illegal(position: Position, i: int, action: FoxhuntAction) -> str:
    """For a well-formed action that is not among the legal ones of a player who can act."""
    side = position.cast.ids[i]
    why = _obstacle(position, i, action)
    return f"{side} cannot {action.notation}: {why}" if not isinstance(action, Clock) else why


def _obstacle(position: Position, i: int, action: FoxhuntAction) -> str:
    match action:
        case Move(direction):
            return _wall(position, position.yard.beside[DIRECTIONS.index(direction)][position.field[i]])
        case LayBomb() | Throw() if not position.may_lay(i):
            laid, may = position.bombs_laid(i), position.bomb_count[i]
            return f"it has {laid} unexploded of the {may} {'bomb' if may == 1 else 'bombs'} that it may have"
        case Throw(direction, _):
            return _why_no_throw(position, i, direction)
        case Clock():
            return f"only the table itself ({SERVER}) cuts a round off"
        case _:
            return "it is not among the legal actions"


def _wall(position: Position, field: int) -> str:
    if field == NOWHERE:
        return "that is off the board"
    how = "a beam would break it" if position.ground[field] == SOFT else "nothing breaks it"
    return f"there is a wall at {position.yard.names[field]}; {how}"


def _why_no_throw(position: Position, i: int, direction: str) -> str:
    d = DIRECTIONS.index(direction)
    reach, most = position.throw_reach(position.field[i], d), position.settings.throw_range
    if reach == most:
        return f"a throw goes at most {most} {'field' if most == 1 else 'fields'}"
    if reach:
        return f"a wall or the edge is in its way; {direction} it goes at most {reach}"
    return f"a wall or the edge is next to it in direction {direction}"
