"""Why a side may not act, or may not do that: who, what, why, and what would be legal instead (SK-6.3)."""

from __future__ import annotations

from livingtable.game import printable
from livingtable.games.skirmish.actions import Attack, EndTurn, Move, SkirmishAction, short
from livingtable.games.skirmish.kinds import ARCHER, SIDES
from livingtable.games.skirmish.position import GONE, Position
from livingtable.games.skirmish.rules import in_order, may_attack, may_move, own_piece, target_bits
from livingtable.grids import hex_distance, parse_pair

NEAREST_SHOWN = 3
OFFERED_AT_MOST = 5
"""Pieces that a refusal names to act with, or to attack."""


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
            return f"{_shown(piece_id)} cannot move to {to}: {why}"
        case Attack(attacker_id, defender_id):
            i = own_piece(position, attacker_id)
            why = _why_not_yours(position, attacker_id) if i is None else _why_no_attack(position, i, defender_id)
            return f"{_shown(attacker_id)} cannot attack {_shown(defender_id)}: {why}"
        case EndTurn():
            return "the turn cannot be ended"


def _shown(piece_id: str) -> str:
    """An id as somebody sent it: in quotes where it cannot be one."""
    plain = piece_id.isascii() and piece_id.replace("-", "").isalnum() and len(piece_id) <= 20
    return piece_id if plain else f'"{printable(piece_id[:40])}"'


def _why_not_yours(position: Position, piece_id: str) -> str:
    i = position.army.index.get(piece_id)
    if i is None:
        return f"there is no such piece; {_who_is_left(position)}"
    if not _lives(position, i):
        return f"it is destroyed; {_who_is_left(position)}"
    return f"it is not {SIDES[position.side]}'s; {_who_is_left(position)}"


def _lives(position: Position, i: int) -> bool:
    return position.where[i] != GONE


# --- a move ---


def _why_no_move(position: Position, i: int, to: str) -> str:
    if not may_move(position, i):
        why = "it has moved this turn" if position.moved[i] else "it has shot twice this turn"
        return f"{why}; {_what_is_left(position, i)}"
    return f"{_why_not_there(position, i, to)}; {_nearest(position, i, to)}"


def _why_not_there(position: Position, i: int, to: str) -> str:
    terrain = position.terrain
    h = terrain.index.get(to)
    if h is None:
        return f"{to} is no hex of the map"
    if h == position.where[i]:
        return "it stands there already"
    if not terrain.cost[h]:
        return "water and mountains cannot be entered"
    if h in position.occupant:
        return f"{position.army.ids[position.occupant[h]]} is there"
    points = position.army.kinds[i].move
    return f"it is at {terrain.names[position.where[i]]}, and no way there costs at most its move of {points}"


def _nearest(position: Position, i: int, to: str) -> str:
    """Of what it reaches the nearest to where it was sent."""
    axial, names = position.terrain.axial, position.terrain.names
    wanted = parse_pair(to) or (0, 0)
    free = [h for h in position.reach(i).hexes if h not in position.occupant]
    nearest = sorted(free, key=lambda h: hex_distance(axial[h], wanted))[:NEAREST_SHOWN]
    return f"nearest it reaches {' '.join(names[h] for h in nearest)}" if nearest else "it reaches no other hex"


# --- an attack ---


def _why_no_attack(position: Position, i: int, defender_id: str) -> str:
    if not may_attack(position, i):
        if position.afraid[i]:
            return "it is afraid of the Dragon and must move before it attacks"
        volley = position.army.kinds[i].letter == ARCHER and position.moved[i]
        why = "an Archer that has moved attacks once a turn" if volley else "it has attacked this turn"
        return f"{why}; {_what_is_left(position, i)}"
    return f"{_why_no_target(position, i, defender_id)}; {_targets(position, i) or 'no enemy is in its range'}"


def _why_no_target(position: Position, i: int, defender_id: str) -> str:
    j = position.army.index.get(defender_id)
    if j is None:
        return "there is no such piece"
    if not _lives(position, j):
        return "it is destroyed"
    if position.army.sides[j] == position.side:
        return "it is of the same side"
    distance = position.terrain.distance(position.where[i], position.where[j])
    return f"it is {distance} hexes away, beyond the range of {position.army.kinds[i].range}"


def _targets(position: Position, i: int) -> str:
    """Whom it may attack, "" if nobody."""
    near = in_order(position, target_bits(position, i)) if may_attack(position, i) else []
    names = [short(position.army.ids[j]) for j in near]
    return f"it may attack {_some(names)}" if names else ""


# --- instead ---


def _what_is_left(position: Position, i: int) -> str:
    """For a piece that has done its move, or its attacks: what else the turn still has."""
    if may_move(position, i) and position.moves(i):
        return "it may still move"
    return _targets(position, i) or _who_is_left(position)


def _who_is_left(position: Position) -> str:
    left = [
        short(position.army.ids[i])
        for i in position.army.of_side[position.side]
        if _lives(position, i) and (_targets(position, i) or (may_move(position, i) and position.moves(i)))
    ]
    return f"{_some(left)} can still move or attack" if left else "only end is left"


def _some(names: list[str]) -> str:
    shown = " ".join(names[:OFFERED_AT_MOST])
    return shown if len(names) <= OFFERED_AT_MOST else f"{shown} (and {len(names) - OFFERED_AT_MOST} more)"
