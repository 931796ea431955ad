"""A whole turn of skirmish by rules of thumb, quickly: what `search` plays on with.

A piece that can take the castle takes it; else all strike that can; one keeps the own castle where the enemy could come
to it, and the others go each to its best place and strike from there. Dice are thrown as in the game; of a way only its
end matters, save that a Knight's charge goes by the distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from livingtable.agents.greedy_skirmish import costs_to
from livingtable.agents.search_skirmish_places import NO_WAY, Places, counted, loss, reach, strike_worth, zones
from livingtable.events import EventData
from livingtable.game import Action
from livingtable.games.skirmish import rules
from livingtable.games.skirmish.actions import END_TURN, Attack, Move
from livingtable.games.skirmish.position import GONE, Position

KEEPING, TAKING = 60_000, 1_000_000
"""Of staying on the own castle in need, and of the enemy's."""
ATTACKING = 300
"""Of an attack before any move."""


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


def play_turn(position: Position) -> None:
    """To the end of the turn, or of the game."""
    events: list[EventData] = []
    taker = taker_of_castle(position)
    if taker is not None:
        _take(position, taker, events)
        return
    keeper, danger = keeper_of_castle(position), counted(zones(position, 1 - position.side))
    for play in (_strike, partial(_go_and_strike, keeper=keeper, danger=danger)):
        for i in position.army.of_side[position.side]:
            if position.where[i] != GONE:
                play(position, i, events)
                if position.outcome is not None:
                    return
    rules.play(position, END_TURN, events)


def worth_of_actions(position: Position, legal: Sequence[Action]) -> list[int]:
    """What each legal action looks worth, in thousandths of a hit; to end the turn nothing."""
    index = position.army.index
    castle, home = position.terrain.castle[1 - position.side], position.terrain.castle[position.side]
    keeper, danger = keeper_of_castle(position), counted(zones(position, 1 - position.side))
    places: dict[int, tuple[Places, int]] = {}
    values: list[int] = []
    for action in legal:
        match action:
            case Attack(attacker, defender):
                values.append(ATTACKING + strike_worth(position, index[attacker], index[defender]))
            case Move(piece, to):
                i, h = index[piece], position.terrain.index[to]
                if i not in places:
                    there = Places(position, i, danger)
                    places[i] = there, there.worth(position.where[i]) + KEEPING * (i == keeper)
                there, staying = places[i]
                going = TAKING if h == castle else there.worth(h) + KEEPING * (i == keeper and h == home)
                values.append(going - staying)
            case _:
                values.append(0)
    return values


def keeper_of_castle(position: Position) -> int | None:
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


def _take(position: Position, i: int, events: list[EventData]) -> None:
    castle = position.terrain.castle[1 - position.side]
    rules.play(position, Move(position.army.ids[i], position.terrain.names[castle]), events)


def _go_and_strike(position: Position, i: int, events: list[EventData], keeper: int | None, danger: list[int]) -> None:
    if not rules.may_move(position, i):
        return
    castle = position.terrain.castle[1 - position.side]
    if castle not in position.occupant and reach(position, i)[0] >> castle & 1:
        _take(position, i, events)  # Whoever kept it is dead by now.
        return
    if i == keeper:
        to = position.terrain.castle[position.side]
    else:
        to = Places(position, i, danger).best(position.where[i], reach(position, i)[0], position.occupant)
    if to not in position.occupant:  # Nor is it where it stands.
        _go(position, i, to)
        _strike(position, i, events)


def _go(position: Position, i: int, to: int) -> None:
    position.hexes_moved[i] = position.terrain.distance(position.where[i], to)
    position.put(i, to)
    position.moved[i] = True
    position.afraid[i] = False


def _strike(position: Position, i: int, events: list[EventData]) -> None:
    """All attacks that it has, each where a hit takes most."""
    where, enemies = position.where, position.army.of_side[1 - position.side]
    while position.outcome is None and rules.may_attack(position, i):
        bits = rules.target_bits(position, i)
        if not bits:
            return
        near = [j for j in enemies if where[j] != GONE and bits >> where[j] & 1]
        target = max(near, key=partial(loss, position)) if len(near) > 1 else near[0]
        rules.play(position, position.army.attacks[i][target], events)
