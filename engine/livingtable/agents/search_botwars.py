"""What `search` knows of botwars: rules of thumb for playing on, and what a position is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from livingtable.agents.greedy_botwars import SURE, battle_odds, steps_from
from livingtable.agents.search import compared, shares
from livingtable.dice import Dice
from livingtable.game import Action, State
from livingtable.games.botwars.actions import Ally, Answer, Attack, Challenge, Move, Pass, Reward
from livingtable.games.botwars.encounters import Consequence, consequence
from livingtable.games.botwars.position import NOBODY, Position
from livingtable.games.botwars.state import BotwarsState

CLOSE = 500
"""Thousandths of a point; an action that falls so far behind the best has a quarter of its weight."""


class BotwarsGuide:
    """Looks some rounds ahead."""

    ahead = 6

    def now(self, state: State) -> int:
        return cast(BotwarsState, state).round_number

    def weights(self, state: State, side: str, legal: Sequence[Action], depth: int) -> list[float]:
        position = cast(Position, state)
        i = position.deciding_now()
        return shares([self._value(position, i, action) for action in legal], CLOSE)

    def play_on(self, state: State, dice: Dice, end: int) -> None:
        position = cast(BotwarsState, state)
        while position.round_number < end and position.outcome is None:
            i = position.deciding_now()
            side = position.cast.ids[i]
            position.apply(side, self._quick(position, i, position.legal_actions(side), dice))

    def values(self, state: State) -> list[float]:
        position = cast(Position, state)
        n = len(position.alive)
        heading = [float(position.score[i]) + 0.01 * position.strength[i] for i in range(n)]
        for leader, line in position.lines.items():
            heading[leader] += 0.5 * (len(line) - 1)
        for i in range(n):
            if not position.alive[i]:
                heading[i] -= 0.5
        return compared(heading, 1.0)

    # the prior

    def _value(self, position: Position, i: int, action: Action) -> int:
        match action:
            case Attack(target):
                return self._battle(position, i, position.cast.index[target])
            case Move(to):
                return self._move(position, i, position.terrain.index[to])
            case Ally():
                return 1500
            case Answer(accept):
                return 1000 if accept else 0
            case Challenge():
                return self._challenge(position, i)
            case Reward(choice):
                return {"score": 2000, "strength": 1500, "health": 500}[choice]
            case Pass():
                return -300
            case _:
                return -100

    def _battle(self, position: Position, i: int, j: int) -> int:
        win = battle_odds(position.total_strength(i), position.total_strength(j))
        return (win * 2500 - (SURE - win) * 1800) // SURE

    def _challenge(self, position: Position, i: int) -> int:
        win = battle_odds(position.total_strength(i), position.wizard_strength)
        cost = 9000 if position.health[i] == 20 else 1200
        return (win * 2200 - (SURE - win) * cost) // SURE

    def _meeting(self, position: Position, i: int, j: int) -> int:
        match consequence(position, i, j):
            case Consequence.BATTLE:
                return self._battle(position, i, j)
            case Consequence.JOIN:
                return 900 if i in position.lines else 300
            case _:
                return 0 if position.is_troll(i) else 700

    def _move(self, position: Position, i: int, cell: int) -> int:
        terrain = position.terrain
        line = position.lines.get(i)
        cells = [cell] if line is None else [cell, *(position.cell[m] for m in line[:-1])]
        near = 0
        for c in cells:
            near |= terrain.around[c]
        value = -10 if cell in terrain.squeezes[position.cell[i]] else 0
        hope = 0
        for j in range(len(position.alive)):
            if j == i or not position.decides(j):
                continue
            worth = self._meeting(position, i, j)
            others = position.lines.get(j) or (j,)
            if any(near >> position.cell[m] & 1 for m in others):
                value += worth
            elif worth > 0:
                away = min(steps_from(terrain, position.cell[m])[cell] for m in others)
                hope = max(hope, worth * 3 // (away + 3))
        if position.wizard_cell != NOBODY and not position.is_troll(i):
            worth = self._challenge(position, i)
            if worth > 0:
                away = max(0, steps_from(terrain, position.wizard_cell)[cell] - 1)
                hope = max(hope, worth * 3 // (away + 3))
        return value + hope

    # playing on

    def _quick(self, position: Position, i: int, legal: Sequence[Action], dice: Dice) -> Action:
        first, last = legal[0], legal[-1]
        if isinstance(first, Attack) or len(legal) == 1:
            return max(legal, key=lambda action: self._value(position, i, action)) if len(legal) > 1 else first
        if isinstance(first, Answer):
            return first if dice.below(8) else last
        if isinstance(first, Reward):
            return first if dice.below(4) else dice.pick(legal)
        for action in reversed(legal):
            if isinstance(action, Move):
                break
            if isinstance(action, Ally) and dice.below(4):
                return action
            if isinstance(action, Challenge) and self._challenge(position, i) > 0:
                return action
        if not dice.below(3):
            return legal[dice.below(len(legal))]
        goal = self._goal(position, i, dice)
        if goal == NOBODY:
            return legal[dice.below(len(legal))]
        steps = steps_from(position.terrain, goal)
        index = position.terrain.index
        nearest, best = last, 1_000_000
        for action in legal:
            if isinstance(action, Move):
                away = steps[index[action.to]]
                if away < best:
                    nearest, best = action, away
        return nearest

    def _goal(self, position: Position, i: int, dice: Dice) -> int:
        """A cell worth going to."""
        goals = [
            position.cell[j]
            for j in range(len(position.alive))
            if j != i and position.decides(j) and self._meeting(position, i, j) > 0
        ]
        if position.wizard_cell != NOBODY and not position.is_troll(i) and self._challenge(position, i) > 0:
            goals.append(position.wizard_cell)
        if not goals:
            return NOBODY
        here = steps_from(position.terrain, position.cell[i])
        return min(goals, key=lambda cell: here[cell])
