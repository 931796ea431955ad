"""Gary the Wizard: challenges, rewards, where he goes (BW-6)."""

from __future__ import annotations

from livingtable.events import shown
from livingtable.games.botwars.battles import fight, hurt, score
from livingtable.games.botwars.events import Challenged, Rewarded, WizardMoved
from livingtable.games.botwars.lines import settle_deaths, succeed
from livingtable.games.botwars.position import NOBODY, Events, Position

WIZARD = "wizard"
DEFEAT_HEALTH = 20
DEFEAT_SCORE = 2
REWARD_SCORE = 2
REWARD_TENTHS = 20


def challenge(position: Position, i: int, events: Events) -> None:
    """Three bouts of the unit's total strength against his (BW-6.3); a victory leaves the reward to choose."""
    side, stood = position.cast.ids[i], position.cell[i]
    strength = position.total_strength(i)
    bouts = fight(position.dice, side, strength, WIZARD, position.wizard_strength)
    won = bouts[-1].winner == side
    events.append(Challenged(side, side, strength, position.wizard_strength, bouts, side if won else WIZARD))
    if won and position.cast.classic:
        score(position, side, i, REWARD_SCORE, events)
    elif won:
        position.reward_open = True
    else:
        _pay_for_defeat(position, side, i, events)
    _relocate(position, side, stood, events)


def reward(position: Position, i: int, choice: str, events: Events) -> None:
    """The victor's choice (BW-6.4)."""
    value: int | float
    if choice == "score":
        position.score[i] += REWARD_SCORE
        value = position.score[i]
    elif choice == "strength":
        position.strength[i] += REWARD_TENTHS
        value = shown(position.strength[i])
    else:
        position.health[i] += REWARD_TENTHS
        position.max_health[i] = max(position.max_health[i], position.health[i])
        value = shown(position.health[i])
    position.reward_open = False
    events.append(Rewarded(position.cast.ids[i], choice, position.cast.ids[i], value))


def roam(position: Position, side: str, events: Events) -> None:
    """At the end of a round, where the scenario says so, he takes a step to a random open neighbour (BW-6.1)."""
    if position.wizard_cell == NOBODY or not position.cast.wizard_roams:
        return
    exits = position.terrain.exit_bits[position.wizard_cell]
    if exits:
        _go(position, side, position.draw_cell(exits), events)


def _pay_for_defeat(position: Position, side: str, i: int, events: Events) -> None:
    """2.0 health, which may be death; who has less pays 2 score instead (BW-6.5)."""
    if position.health[i] < DEFEAT_HEALTH:
        score(position, side, i, -DEFEAT_SCORE, events)
        return
    hurt(position, side, i, DEFEAT_HEALTH, events)
    line = list(position.members(i))
    living = settle_deaths(position, side, line, events)
    if len(line) > 1 and not position.alive[i]:
        succeed(position, side, i, living, [position.cell[m] for m in living], events)


def _relocate(position: Position, side: str, stood: int, events: Events) -> None:
    """To a random free cell other than his last and the challenger's (BW-6.6); with none he stays."""
    cell = position.draw_cell(position.free_bits() & ~(1 << stood))
    if cell != NOBODY:
        _go(position, side, cell, events)


def _go(position: Position, side: str, cell: int, events: Events) -> None:
    position.wizard_cell = cell
    events.append(WizardMoved(side, position.terrain.names[cell]))
