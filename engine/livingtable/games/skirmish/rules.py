"""What is legal, and what an action does (SK-1 to SK-4)."""

from __future__ import annotations

from typing import Any

from livingtable.game import Result
from livingtable.games.skirmish.actions import END_TURN, Attack, EndTurn, Move, SkirmishAction
from livingtable.games.skirmish.events import (
    Afraid,
    Attacked,
    CastleTaken,
    Damaged,
    Destroyed,
    GameOver,
    Moved,
    Regenerated,
    TurnEnded,
)
from livingtable.games.skirmish.kinds import ARCHER, DRAGON, GENERAL, KNIGHT, SIDE_NAMES, SIDES, TROLL, WIZARD
from livingtable.games.skirmish.position import GONE, Events, Position
from livingtable.games.skirmish.reach import path
from livingtable.games.skirmish.terrain import places

NEEDED, NEEDED_AGAINST_SHELTER = 4, 5
CHARGE_HEXES = 3
VOLLEY_ATTACKS = 2


# --- what is legal ---


def may_move(position: Position, i: int) -> bool:
    """Once a turn (SK-1.2); an Archer that has shot twice stays (SK-3.7)."""
    return not position.moved[i] and position.attacks_made[i] < VOLLEY_ATTACKS


def may_attack(position: Position, i: int) -> bool:
    """Once a turn, an Archer that has not moved twice (SK-3.7); not in fear (SK-3.9)."""
    attacks = VOLLEY_ATTACKS if position.army.kinds[i].letter == ARCHER and not position.moved[i] else 1
    return position.attacks_made[i] < attacks and not position.afraid[i]


def target_bits(position: Position, i: int) -> int:
    """The hexes of the enemies within range (SK-3.1)."""
    return (
        position.terrain.within(position.where[i], position.army.kinds[i].range) & position.occupied[1 - position.side]
    )


def in_order(position: Position, bits: int) -> list[int]:
    """The pieces on these hexes, in the order of the set-up."""
    return sorted(position.occupant[h] for h in places(bits))


def legal_actions(position: Position) -> list[SkirmishAction]:
    """All of the side to act, in the order that `actions.py` documents."""
    listed: list[SkirmishAction] = []
    for i in position.army.of_side[position.side]:
        if position.where[i] == GONE:
            continue
        if may_attack(position, i):
            bits = target_bits(position, i)
            if bits:
                listed += [position.army.attacks[i][j] for j in in_order(position, bits)]
        if may_move(position, i):
            listed += position.moves(i)
    listed.append(END_TURN)
    return listed


def is_legal(position: Position, action: SkirmishAction) -> bool:
    """The same question for one action."""
    match action:
        case EndTurn():
            return True
        case Move(piece_id, to):
            i = own_piece(position, piece_id)
            h = position.terrain.index.get(to)
            if i is None or h is None or h in position.occupant or not may_move(position, i):
                return False
            return bool(position.reach(i).bits >> h & 1)
        case Attack(attacker_id, defender_id):
            i, j = own_piece(position, attacker_id), position.army.index.get(defender_id)
            if i is None or j is None or position.where[j] == GONE or not may_attack(position, i):
                return False
            return bool(target_bits(position, i) >> position.where[j] & 1)


def own_piece(position: Position, piece_id: str) -> int | None:
    """The number of a living piece of the side to act."""
    i = position.army.index.get(piece_id)
    return i if i is not None and position.army.sides[i] == position.side and position.where[i] != GONE else None


# --- what an action does ---


def play(position: Position, action: SkirmishAction, events: Events) -> None:
    """Does what a legal action of the side to act does."""
    match action:
        case Move(piece_id, to):
            _move(position, position.army.index[piece_id], position.terrain.index[to], events)
        case Attack(attacker_id, defender_id):
            _attack(position, position.army.index[attacker_id], position.army.index[defender_id], events)
        case EndTurn():
            _end_turn(position, events)


def _move(position: Position, i: int, to: int, events: Events) -> None:
    terrain, start = position.terrain, position.where[i]
    enemy_castle = terrain.castle[1 - position.side]
    way, cost = path(terrain, position.reach(i).levels, to, enemy_castle)
    position.put(i, to)
    position.moved[i] = True
    position.hexes_moved[i] = len(way)
    position.afraid[i] = False  # SK-3.9: the mark ends with the move.
    names = terrain.names
    side, piece_id = SIDES[position.side], position.army.ids[i]
    events.append(Moved(side, piece_id, names[start], names[to], tuple(names[h] for h in way), cost))
    if to == enemy_castle:
        events.append(CastleTaken(side, piece_id))
        _win(position, "castle_taken", events)


def _attack(position: Position, i: int, j: int, events: Events) -> None:
    side, ids = SIDES[position.side], position.army.ids
    roll, modifier, needed = position.dice.roll(6), _modifier(position, i), _needed(position, i, j)
    hit = roll + modifier >= needed
    position.attacks_made[i] += 1
    events.append(Attacked(side, ids[i], ids[j], roll, modifier, needed, hit))
    if hit:
        position.hp[j] -= 1
        events.append(Damaged(side, ids[j], position.hp[j]))
        if position.hp[j] == 0:
            _destroy(position, j, events)
    if position.army.kinds[i].letter == DRAGON:
        _frighten(position, i, events)
    if not position.occupied[1 - position.side]:
        _win(position, "army_destroyed", events)


def _modifier(position: Position, i: int) -> int:
    """Charge adds one (SK-3.3), a dead General takes one (SK-3.4); they add up (SK-3.5)."""
    charge = position.army.kinds[i].letter == KNIGHT and position.hexes_moved[i] >= CHARGE_HEXES
    return charge - position.leaderless[position.side]


def _needed(position: Position, i: int, j: int) -> int:
    """Forest and hill shelter, though not from a Wizard (SK-3.2)."""
    sheltered = position.terrain.sheltering >> position.where[j] & 1
    return NEEDED_AGAINST_SHELTER if sheltered and position.army.kinds[i].letter != WIZARD else NEEDED


def _destroy(position: Position, j: int, events: Events) -> None:
    position.remove(j)
    position.afraid[j] = False
    enemy = 1 - position.side
    kinds = position.army.kinds
    if kinds[j].letter == GENERAL and not any(
        kinds[k].letter == GENERAL and position.where[k] != GONE for k in position.army.of_side[enemy]
    ):
        position.leaderless[enemy] = True
    events.append(Destroyed(SIDES[position.side], position.army.ids[j]))


def _frighten(position: Position, dragon: int, events: Events) -> None:
    """Whoever stands beside the Dragon after its attack fears it (SK-3.9)."""
    beside = position.terrain.within(position.where[dragon], 1) & position.occupied[1 - position.side]
    scared = in_order(position, beside)
    for j in scared:
        position.afraid[j] = True
    if scared:
        events.append(Afraid(SIDES[position.side], tuple(position.army.ids[j] for j in scared)))


def _end_turn(position: Position, events: Events) -> None:
    """The other side's turn; after the second side's the next number (SK-1.1)."""
    side = position.side
    for i in position.army.of_side[side]:  # SK-1.4
        position.moved[i], position.hexes_moved[i], position.attacks_made[i] = False, 0, 0
        position.afraid[i] = False
    second = side != position.army.first_side
    last = second and position.turn == position.army.turn_limit
    events.append(TurnEnded(SIDES[side], position.turn, None if last else SIDES[1 - side]))
    if last:
        position.outcome = draw()
        events.append(GameOver(SIDES[side], "turn_limit"))
        return
    position.turn += second
    position.side = 1 - side
    position.forget_reach()
    _regenerate(position, SIDES[side], events)


def _regenerate(position: Position, acting: str, events: Events) -> None:
    """At the start of their side's turn Trolls heal (SK-3.8). The acting seat is the one that has ended its turn."""
    for i in position.army.of_side[position.side]:
        kind = position.army.kinds[i]
        if kind.letter == TROLL and position.where[i] != GONE and position.hp[i] < kind.hp:
            position.hp[i] += 1
            events.append(Regenerated(acting, position.army.ids[i], position.hp[i]))


def _win(position: Position, reason: str, events: Events) -> None:
    position.outcome = victory(position.side, reason)
    events.append(GameOver(SIDES[position.side], reason))


# --- results ---


def victory(side: int, reason: str) -> Result:
    rows = (_row(1, side, 1), _row(2, 1 - side, 0))
    return Result(reason, (SIDES[side],), rows, {})


def draw() -> Result:
    return Result("turn_limit", (), level_ranking(), {})


def level_ranking() -> tuple[dict[str, Any], ...]:
    """Nobody is ahead: both at place 1 with half a point."""
    return (_row(1, 0, 0.5), _row(1, 1, 0.5))


def _row(place: int, side: int, score: float) -> dict[str, Any]:
    return {"place": place, "side": SIDES[side], "name": SIDE_NAMES[SIDES[side]], "score": score}
