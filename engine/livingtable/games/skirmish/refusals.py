"""Why a side may not act, or may not do that: who, what, why (SK-6.3)."""

from __future__ import annotations

from livingtable.games.skirmish.actions import Attack, EndTurn, Move, SkirmishAction
from livingtable.games.skirmish.kinds import ARCHER, SIDES
from livingtable.games.skirmish.position import GONE, Position
from livingtable.games.skirmish.rules import may_attack, may_move, own_piece


def why_idle(position: Position, side: str) -> str:
    """Why the side may not act now, "" if it may."""
    if side not in SIDES:
        return f"there is no seat {side[:40]!a}; the seats are {', '.join(SIDES)}"
    if position.outcome is not None:
        return f"the game is over: {position.outcome.reason}"
    if side == SIDES[position.side]:
        return ""
    return f"{side} waits: it is {SIDES[position.side]}'s turn {position.turn}"


def why_illegal(position: Position, action: SkirmishAction) -> str:
    """For a well-formed action that is not legal for the side to act."""
    match action:
        case Move(piece_id, to):
            i = own_piece(position, piece_id)
            why = _why_not_yours(position, piece_id) if i is None else _why_no_move(position, i, to)
            return f"{piece_id[:40]} cannot move to {to}: {why}"
        case Attack(attacker_id, defender_id):
            i = own_piece(position, attacker_id)
            why = _why_not_yours(position, attacker_id) if i is None else _why_no_attack(position, i, defender_id)
            return f"{attacker_id[:40]} cannot attack {defender_id[:40]}: {why}"
        case EndTurn():
            return "the turn cannot be ended"


def _why_not_yours(position: Position, piece_id: str) -> str:
    i = position.army.index.get(piece_id)
    if i is None:
        return "there is no such piece"
    if position.where[i] == GONE:
        return "it is destroyed"
    return f"it is not {SIDES[position.side]}'s"


def _why_no_move(position: Position, i: int, to: str) -> str:
    terrain = position.terrain
    h = terrain.index.get(to)
    if h is None:
        return f"{to} is no hex of the map"
    if h == position.where[i]:
        return "it stands there already"
    if not may_move(position, i):
        return "it has moved this turn" if position.moved[i] else "it has shot twice this turn"
    if not terrain.cost[h]:
        return "water and mountains cannot be entered"
    if h in position.occupant:
        return f"{position.army.ids[position.occupant[h]]} is there"
    kind = position.army.kinds[i]
    return f"it is at {terrain.names[position.where[i]]}, and every way there costs more than its move of {kind.move}"


def _why_no_attack(position: Position, i: int, defender_id: str) -> str:
    j = position.army.index.get(defender_id)
    if j is None:
        return "there is no such piece"
    if position.where[j] == GONE:
        return "it is destroyed"
    if position.army.sides[j] == position.side:
        return "it is of the same side"
    kind = position.army.kinds[i]
    if not may_attack(position, i):
        if position.afraid[i]:
            return "it is afraid of the Dragon and must move before it attacks"
        volley = kind.letter == ARCHER and position.moved[i]
        return "an Archer that has moved attacks once a turn" if volley else "it has attacked this turn"
    distance = position.terrain.distance(position.where[i], position.where[j])
    return f"it is {distance} hexes away, beyond the range of {kind.range}"
