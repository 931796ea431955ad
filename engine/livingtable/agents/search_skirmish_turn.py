"""A whole turn of skirmish by rules of thumb, quickly: what `search` plays on with.

A piece that can take the castle takes it; else one keeps the own castle where the enemy could come to it, and each of
the others strikes, goes where it is nearer to the enemy's castle or can strike, and strikes. Dice are thrown as in the
game; of a way only its end matters, save that a Knight's charge goes by the distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from livingtable.agents.greedy_skirmish import WORTH, costs_to
from livingtable.dice import Dice
from livingtable.events import EventData
from livingtable.game import Action
from livingtable.games.skirmish import rules
from livingtable.games.skirmish.actions import END_TURN, Attack, Move
from livingtable.games.skirmish.kinds import GENERAL
from livingtable.games.skirmish.position import GONE, Position
from livingtable.games.skirmish.reach import levels, reached
from livingtable.games.skirmish.terrain import Terrain, places

NO_WAY = 50
STEP, STEP_OF_THE_GENERAL = 120, 20
COVER = 100
STRIKING = 600
"""Of a hex from which it can attack."""
STRIKE = 60
"""Of each hit's worth."""
KEEPING = 5_000
TAKING = 100_000
HABIT = 2_000
"""The General keeps the castle."""
LAST_HIT = 4
WHIM = 127
"""So much chance may add to a place, to play no two games alike; a mask of bits."""


@lru_cache(maxsize=1 << 15)
def places_reached(terrain: Terrain, start: int, points: int, enemies: int, castle: int) -> tuple[int, tuple[int, ...]]:
    """What a piece reaches, friends aside: as bits and as hexes."""
    bits = reached(levels(terrain, start, points, enemies, castle))
    return bits, places(bits)


@lru_cache(maxsize=64)
def _worth_of_places(terrain: Terrain, side: int, step: int, habit: int) -> dict[int, int]:
    castle, home = terrain.castle[1 - side], terrain.castle[side]
    costs = costs_to(terrain, castle)
    worth = {h: COVER * (terrain.sheltering >> h & 1) - step * costs.get(h, NO_WAY) for h in terrain.names}
    worth[home] += habit
    return worth


def reach(position: Position, i: int) -> tuple[int, tuple[int, ...]]:
    """What a piece of either side reaches, friends aside."""
    enemy = 1 - position.army.sides[i]
    points, terrain = position.army.kinds[i].move, position.terrain
    return places_reached(terrain, position.where[i], points, position.occupied[enemy], terrain.castle[enemy])


def taker_of_castle(position: Position) -> int | None:
    """A piece of the side to act that can take the enemy's castle now."""
    castle = position.terrain.castle[1 - position.side]
    if castle in position.occupant:
        return None
    costs = costs_to(position.terrain, castle)
    for i in position.army.of_side[position.side]:
        h = position.where[i]
        near = h != GONE and costs.get(h, NO_WAY) <= position.army.kinds[i].move
        if near and rules.may_move(position, i) and reach(position, i)[0] >> castle & 1:
            return i
    return None


def play_turn(position: Position, dice: Dice) -> None:
    """To the end of the turn, or of the game."""
    events: list[EventData] = []
    taker = taker_of_castle(position)
    if taker is not None:
        castle = position.terrain.castle[1 - position.side]
        rules.play(position, Move(position.army.ids[taker], position.terrain.names[castle]), events)
        return
    whim = dice.below(1 << 30) | 1
    keeper = _keeper(position)
    for i in position.army.of_side[position.side]:
        if position.where[i] != GONE:
            _play_piece(position, i, keeper, whim, events)
            if position.outcome is not None:
                return
    rules.play(position, END_TURN, events)


def _play_piece(position: Position, i: int, keeper: int | None, whim: int, events: list[EventData]) -> None:
    _strike(position, i, events)
    if position.outcome is not None or not rules.may_move(position, i):
        return
    to = position.terrain.castle[position.side] if i == keeper else _best_place(position, i, whim)
    if to != position.where[i]:
        _go(position, i, to)
        _strike(position, i, events)


def _keeper(position: Position) -> int | None:
    """Who stays on, or goes to, the own castle, if the enemy could be there in its next turn."""
    side, terrain, army = position.side, position.terrain, position.army
    home = terrain.castle[side]
    costs = costs_to(terrain, home)
    where = position.where
    if not any(where[j] != GONE and costs.get(where[j], NO_WAY) <= army.kinds[j].move for j in army.of_side[1 - side]):
        return None
    there = position.occupant.get(home)
    if there is not None:
        return there
    for i in reversed(army.of_side[side]):
        if where[i] != GONE and rules.may_move(position, i) and reach(position, i)[0] >> home & 1:
            return i
    return None


def worth_of_actions(position: Position, legal: Sequence[Action]) -> list[int]:
    """What each legal action looks worth; to end the turn nothing."""
    army, index = position.army, position.terrain.index
    castle, home = position.terrain.castle[1 - position.side], position.terrain.castle[position.side]
    keeper = _keeper(position)
    places: dict[str, tuple[dict[int, int], int, int]] = {}
    values: list[int] = []
    for action in legal:
        match action:
            case Attack(_, defender):
                j = army.index[defender]
                values.append(STRIKING + STRIKE * (WORTH[army.kinds[j].letter] + LAST_HIT * (position.hp[j] == 1)))
            case Move(piece, to):
                i, h = army.index[piece], index[to]
                if piece not in places:
                    worth, zone = _places(position, i)
                    here = position.where[i]
                    places[piece] = worth, zone, worth[here] + STRIKING * (zone >> here & 1)
                worth, zone, stay = places[piece]
                value = worth[h] + STRIKING * (zone >> h & 1) - stay
                if i == keeper:
                    value += KEEPING * (h == home) - KEEPING * (position.where[i] == home)
                values.append(TAKING if h == castle else value)
            case _:
                values.append(0)
    return values


def _places(position: Position, i: int) -> tuple[dict[int, int], int]:
    """What each hex is worth to a piece, and from which it could strike, as bits."""
    terrain, kind, side = position.terrain, position.army.kinds[i], position.side
    general = kind.letter == GENERAL
    worth = _worth_of_places(terrain, side, STEP_OF_THE_GENERAL if general else STEP, HABIT if general else 0)
    zone = 0
    if not position.attacks_made[i]:
        zone = position.occupied[1 - side]
        for _ in range(kind.range):
            zone |= terrain.around(zone)
    return worth, zone


def _best_place(position: Position, i: int, whim: int) -> int:
    """Where to go, the hex where it stands included."""
    worth, zone = _places(position, i)
    here, taken = position.where[i], position.occupant
    place, best = here, worth[here] + STRIKING * (zone >> here & 1)
    for h in reach(position, i)[1]:
        value = worth[h] + (h * whim >> 8 & WHIM)
        if zone >> h & 1:
            value += STRIKING
        if value > best and h not in taken:
            place, best = h, value
    return place


def _go(position: Position, i: int, to: int) -> None:
    position.hexes_moved[i] = position.terrain.distance(position.where[i], to)
    position.put(i, to)
    position.moved[i] = True
    position.afraid[i] = False


def _strike(position: Position, i: int, events: list[EventData]) -> None:
    """All attacks that it has, each on the one whose loss is the greatest."""
    army = position.army
    while rules.may_attack(position, i):
        bits = rules.target_bits(position, i)
        if not bits:
            return
        targets = rules.in_order(position, bits)
        target = max(targets, key=lambda j: WORTH[army.kinds[j].letter] + LAST_HIT * (position.hp[j] == 1))
        rules.play(position, army.attacks[i][target], events)
        if position.outcome is not None:
            return
