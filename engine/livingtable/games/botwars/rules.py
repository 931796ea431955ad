"""What is legal, and what an action does (BW-0.7, BW-0.9)."""

from __future__ import annotations

from collections.abc import Sequence

from livingtable.games.botwars.actions import (
    ACCEPT,
    CHALLENGE,
    DECLINE,
    PASS,
    REWARDS,
    SLEEP,
    Ally,
    Answer,
    Attack,
    BotwarsAction,
    Challenge,
    Move,
    Pass,
    Reward,
    Sleep,
)
from livingtable.games.botwars.battles import battle
from livingtable.games.botwars.encounters import mandatory_foes
from livingtable.games.botwars.events import AllyAnswered, AllyOffered, PartyFormed, Slept
from livingtable.games.botwars.lines import leader_of_two
from livingtable.games.botwars.movement import move, pass_turn
from livingtable.games.botwars.position import NOBODY, Events, Position
from livingtable.games.botwars.turns import finish_action
from livingtable.games.botwars.wizard import challenge, reward


def legal_actions(position: Position) -> Sequence[BotwarsAction]:
    """What the seat that is to act may do, in the order that `actions.py` documents; the game goes on."""
    if position.offered_to != NOBODY:
        return (ACCEPT, DECLINE)
    if position.reward_open:
        return REWARDS
    i = position.turn
    terrain, cell, occupied = position.terrain, position.cell[i], position.occupied
    line = position.lines.get(i)
    troll = position.cast.trolls[i]
    neighbours = occupied & (terrain.around[cell] if line is None else position.reach_bits(i))
    allies: list[int] = []
    if neighbours & (neighbours - 1):  # More than the unit's own: some other may be near.
        foes = mandatory_foes(position, i)
        if foes:
            return [Attack(position.cast.ids[j]) for j in foes]
        if line is None and not troll:
            allies = [j for j in position.neighbouring_units(i) if _may_ally(position, j)]
    near_wizard = not troll and position.near_wizard(i)
    blocked = terrain.exit_bits[cell] & occupied
    if not (blocked or allies or near_wizard):
        return terrain.moves_sleep_pass[cell] if troll else terrain.moves_and_pass[cell]
    listed: list[BotwarsAction] = [
        step for step, to in zip(terrain.moves[cell], terrain.exits[cell], strict=True) if not blocked >> to & 1
    ]
    listed += [Ally(position.cast.ids[j]) for j in allies]
    if near_wizard:
        listed.append(CHALLENGE)
    if troll:
        listed.append(SLEEP)
    listed.append(PASS)
    return listed


def play(position: Position, action: BotwarsAction, events: Events) -> None:
    """Does what a legal action of the seat that is to act does, to the end of all that follows from it."""
    actor = position.deciding_now()
    if not isinstance(action, Pass):
        position.passes.pop(actor, None)  # BW-4.4
    match action:
        case Move(to):
            move(position, actor, position.terrain.index[to], events)
        case Pass():
            pass_turn(position, actor, events)
        case Attack(target):
            battle(position, position.cast.ids[actor], actor, position.cast.index[target], events)
        case Ally(target):
            position.offered_to = position.cast.index[target]
            events.append(AllyOffered(position.cast.ids[actor], target))
            return
        case Answer(accept):
            _answer(position, accept, events)
        case Challenge():
            challenge(position, actor, events)
        case Reward(choice):
            reward(position, actor, choice, events)
        case Sleep():
            _sleep(position, actor, events)
    finish_action(position, actor, events)


def _may_ally(position: Position, j: int) -> bool:
    """A solo player may be offered an alliance (BW-1.1)."""
    return not position.is_troll(j) and j not in position.lines


def _answer(position: Position, accept: bool, events: Events) -> None:
    """To an offered alliance (BW-1.1); the new line is leader first, each on its own cell (BW-1.3)."""
    ids = position.cast.ids
    asked, asker = position.offered_to, position.turn
    position.offered_to = NOBODY
    events.append(AllyAnswered(ids[asked], accept))
    if accept:
        line = list(leader_of_two(position, asker, asked))
        position.make_party(line)
        events.append(PartyFormed(ids[asked], tuple(ids[i] for i in line)))


def _sleep(position: Position, i: int, events: Events) -> None:
    """A troll's rest: 0.1 health, not above its maximum (BW-8.7)."""
    position.health[i] = min(position.max_health[i], position.health[i] + 1)
    events.append(Slept(position.cast.ids[i], position.health[i]))
