"""Encounters: what happens when units come to distance 1 of each other (BW-2.0, BW-3, BW-8)."""

from __future__ import annotations

from enum import Enum

from livingtable.games.botwars.battles import battle
from livingtable.games.botwars.events import Joined
from livingtable.games.botwars.lines import fall_in
from livingtable.games.botwars.position import Events, Position


class Consequence(Enum):
    """What an encounter of two units brings."""

    NOTHING = 0
    JOIN = 1
    BATTLE = 2


def consequence(position: Position, i: int, j: int) -> Consequence:
    """Of the units of `i` and `j`, by kind: troll and players battle, trolls ignore each other (BW-8), so do solos
    (BW-1.3), parties battle (BW-2.1), a solo joins a party whose leader is not weaker, else they battle (BW-3)."""
    i_troll, j_troll = position.is_troll(i), position.is_troll(j)
    if i_troll or j_troll:
        return Consequence.NOTHING if i_troll and j_troll else Consequence.BATTLE
    i_party, j_party = i in position.lines, j in position.lines
    if i_party and j_party:
        return Consequence.BATTLE
    if not i_party and not j_party:
        return Consequence.NOTHING
    leader, solo = (i, j) if i_party else (j, i)
    return Consequence.JOIN if position.strength[leader] >= position.strength[solo] else Consequence.BATTLE


def mandatory_foes(position: Position, i: int) -> list[int]:
    """The neighbouring units that a unit must battle on its turn (BW-8.4), by deciding seat."""
    return [j for j in position.neighbouring_units(i) if consequence(position, i, j) is Consequence.BATTLE]


def resolve_encounters(position: Position, mover: int, events: Events) -> None:
    """All that the mover's own move or maneuver brings about (BW-2.0).

    The units with which something would happen are listed first and taken once each, in registration order; one no
    longer near is passed over. Once the mover's unit is beaten or has joined another party, the rest is left.
    """
    side = position.cast.ids[mover]
    if not position.reach_bits(mover) & position.occupied & ~position.own_bits(mover):
        return
    listed = [
        j for j in position.neighbouring_units(mover) if consequence(position, mover, j) is not Consequence.NOTHING
    ]
    for j in listed:
        if not position.touches(mover, j):
            continue
        match consequence(position, mover, j):
            case Consequence.BATTLE:
                if battle(position, side, mover, j, events) != mover:
                    return
            case Consequence.JOIN:
                solo, leader = (j, mover) if mover in position.lines else (mover, j)
                joined = join(position, side, solo, leader, events)
                if joined and solo == mover:
                    return
            case Consequence.NOTHING:
                pass


def join(position: Position, side: str, solo: int, leader: int, events: Events) -> bool:
    """A solo falls in behind a party (BW-3.1); False if there is no room at the tail (BW-2.6)."""
    if not fall_in(position, solo, leader):
        return False
    ids, names = position.cast.ids, position.terrain.names
    events.append(Joined(side, ids[solo], ids[leader], names[position.cell[solo]]))
    return True
