"""Bouts, battles and what they cost (BW-2.2 to BW-2.4, BW-3.2, BW-8.5, BW-8.6)."""

from __future__ import annotations

from livingtable.dice import Dice
from livingtable.games.botwars.events import (
    Absorbed,
    Battle,
    Bout,
    Damaged,
    PartyDissolved,
    Respawned,
    Scored,
)
from livingtable.games.botwars.lines import fall_in, settle_deaths, succeed
from livingtable.games.botwars.position import NOBODY, Events, Position


def fight(dice: Dice, attacker: str, a_strength: int, defender: str, d_strength: int) -> tuple[Bout, ...]:
    """Best two of three bouts (BW-2.2); the winner of the last one has won.

    In a bout each side rolls a D20, the attacker first, times its strength; equal products are rolled again.
    """
    bouts: list[Bout] = []
    wins = {attacker: 0, defender: 0}
    while max(wins.values()) < 2:
        a_rolls: list[int] = []
        d_rolls: list[int] = []
        a = d = 0
        while a == d:
            a_rolls.append(dice.roll(20))
            d_rolls.append(dice.roll(20))
            a, d = a_rolls[-1] * a_strength, d_rolls[-1] * d_strength
        winner = attacker if a > d else defender
        wins[winner] += 1
        bouts.append(Bout(tuple(a_rolls), tuple(d_rolls), winner))
    return tuple(bouts)


def battle(position: Position, side: str, attacker: int, defender: int, events: Events) -> int:
    """Fights and settles one battle of two units; returns the winner's deciding seat."""
    ids = position.cast.ids
    attackers, defenders = list(position.members(attacker)), list(position.members(defender))
    a_strength, d_strength = position.total_strength(attacker), position.total_strength(defender)
    bouts = fight(position.dice, ids[attacker], a_strength, ids[defender], d_strength)
    winner = attacker if bouts[-1].winner == ids[attacker] else defender
    events.append(
        Battle(
            side,
            ids[attacker],
            ids[defender],
            tuple(ids[i] for i in attackers),
            tuple(ids[i] for i in defenders),
            a_strength,
            d_strength,
            bouts,
            ids[winner],
        )
    )
    won, lost = (attackers, defenders) if winner == attacker else (defenders, attackers)
    _settle(position, side, won, lost, events)
    return winner


def score(position: Position, side: str, i: int, delta: int, events: Events) -> None:
    position.score[i] += delta
    events.append(Scored(side, position.cast.ids[i], delta, position.score[i]))


def hurt(position: Position, side: str, i: int, tenths: int, events: Events) -> None:
    """Takes health, down to 0 at the most; who dies of it is settled by the caller, for a whole line together."""
    position.health[i] = max(0, position.health[i] - tenths)
    events.append(Damaged(side, position.cast.ids[i], tenths, position.health[i]))


def _settle(position: Position, side: str, won: list[int], lost: list[int], events: Events) -> None:
    for i in won:
        score(position, side, i, 2 if i == won[0] else 1, events)
    if not position.is_troll(lost[0]):
        score(position, side, lost[0], -1, events)
    for i in lost:
        hurt(position, side, i, 10 * position.dice.roll(3), events)
    living = settle_deaths(position, side, lost, events)
    if position.is_troll(lost[0]):
        return  # It stays where it is (BW-8.6).
    if position.is_troll(won[0]):
        _scatter(position, side, lost[0], living, events)
    else:
        _absorb(position, side, won[0], lost[0], living, events)


def _absorb(position: Position, side: str, host: int, beaten: int, living: list[int], events: Events) -> None:
    """Beaten by players (BW-2.4): the living followers fall in behind the winners, the leader respawns last."""
    ids, names = position.cast.ids, position.terrain.names
    was_party = beaten in position.lines
    position.disband(beaten)
    left_over: list[int] = []
    for i in living:
        if i == beaten:
            continue
        if fall_in(position, i, host):
            events.append(Absorbed(side, ids[i], ids[host], names[position.cell[i]]))
        else:
            left_over.append(i)
    if was_party and living == [beaten]:
        left_over.append(beaten)
    if left_over:
        events.append(PartyDissolved(side, tuple(ids[i] for i in left_over)))
    if position.alive[beaten]:
        _respawn(position, side, beaten, events)


def _scatter(position: Position, side: str, beaten: int, living: list[int], events: Events) -> None:
    """Beaten by a troll (BW-8.5): the leader respawns alone, its followers stay, close up and are led anew."""
    if beaten not in position.lines:
        if position.alive[beaten]:
            _respawn(position, side, beaten, events)
        return
    rest = [i for i in living if i != beaten]
    # The deaths are settled, so the living stand on the first cells of the old line; a dead leader's grave, on the
    # very first, has been closed over already.
    cells = [position.cell[i] for i in living]
    if position.alive[beaten]:
        if not rest:
            position.disband(beaten)
            events.append(PartyDissolved(side, (position.cast.ids[beaten],)))
        _respawn(position, side, beaten, events)
        if position.cell[beaten] == cells[0]:
            cells = cells[1:]  # There was no free cell to go to (BW-2.5): it still stands on the first.
    if beaten in position.lines:
        succeed(position, side, beaten, rest, cells, events)


def _respawn(position: Position, side: str, i: int, events: Events) -> None:
    """To a random free open cell, away from all the living where there is one (BW-2.5); it holds its own until then."""
    free = position.free_bits()
    cell = position.draw_cell(free & ~position.crowded_bits() or free)
    if cell != NOBODY:
        position.put(i, cell)
    events.append(Respawned(side, position.cast.ids[i], position.terrain.names[position.cell[i]]))
