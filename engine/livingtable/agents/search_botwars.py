"""What `search` knows of botwars: which actions look promising, how to play on, what a position is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from livingtable.agents.greedy_botwars import SMALL, SURE, battle_odds, steps_from
from livingtable.agents.search import Pause, compared, going_on, shares
from livingtable.dice import Dice
from livingtable.game import Action, State
from livingtable.games.botwars.actions import Ally, Answer, Attack, Challenge, Move, Pass, Reward
from livingtable.games.botwars.encounters import Consequence, consequence
from livingtable.games.botwars.position import NOBODY, Position
from livingtable.games.botwars.state import BotwarsState
from livingtable.games.botwars.terrain import Terrain

CLOSE = 500
"""Thousandths of a point; an action that falls so far behind the best has a quarter of its weight."""
WON, LOST = 2500, 1800
"""A battle's, in thousandths of a point; followers and health are in it."""
CHALLENGE_WON, CHALLENGE_LOST, DEATH = 2200, 1200, 9000
DEADLY = 20
"""Exactly two of health are lost to the wizard at the price of life (BW-6.5)."""
ALLY, LEAD, FOLLOW, MEET = 1500, 900, 300, 700
REWARD = {"score": 2000, "strength": 1500, "health": 500}
SQUEEZED, IDLE, PASSED = -10, -100, -300
NEAR = 3
"""Of a hope so many steps away half is left."""

AHEAD = 1.0
"""Points; ahead by so many, a player is thought to stay ahead in three games of four."""
TENTH_OF_STRENGTH, FOLLOWER, DEAD = 0.01, 0.5, -0.5
"""What they are worth at the horizon, in points."""


class BotwarsGuide:
    """Looks some rounds ahead."""

    ahead = 6

    def now(self, state: State) -> int:
        return cast(BotwarsState, state).round_number

    def weights(self, state: State, side: str, legal: Sequence[Action], depth: int) -> list[float]:
        position = cast(BotwarsState, state)
        i = position.deciding_now()
        return shares([_worth(position, i, action) for action in legal], CLOSE)

    def work(self, state: State) -> int:
        """Of the decisions of all units, each of which looks at all others."""
        units = len(state.sides)
        return 60 * units + 14 * units * units

    def play_on(self, state: State, dice: Dice, end: int, pause: Pause = going_on) -> None:
        position = cast(BotwarsState, state)
        while position.round_number < end and position.outcome is None:
            pause()
            i = position.deciding_now()
            side = position.cast.ids[i]
            position.apply(side, _rule_of_thumb(position, i, position.legal_actions(side), dice))

    def values(self, state: State) -> list[float]:
        """By the score, and what leads to more of it."""
        position = cast(BotwarsState, state)
        heading = [
            score + TENTH_OF_STRENGTH * strength + (0 if alive else DEAD)
            for score, strength, alive in zip(position.score, position.strength, position.alive, strict=True)
        ]
        for leader, line in position.lines.items():
            heading[leader] += FOLLOWER * (len(line) - 1)
        return compared(heading, AHEAD)


# how far it is


class _AsTheCrowFlies:
    """The distance of each cell from one, obstacles aside."""

    __slots__ = ("_cell", "_terrain")

    def __init__(self, terrain: Terrain, cell: int) -> None:
        self._terrain, self._cell = terrain, cell

    def __getitem__(self, cell: int) -> int:
        return self._terrain.distance(self._cell, cell)


def _ways_from(terrain: Terrain, cell: int) -> Sequence[int] | _AsTheCrowFlies:
    """By cell, how many steps it is away. On a large board ways would have to be found anew for each cell that
    somebody comes to, which takes longer than all the rest."""
    return steps_from(terrain, cell) if terrain.size <= SMALL else _AsTheCrowFlies(terrain, cell)


# what actions look worth, in thousandths of a point


def _worth(position: Position, i: int, action: Action) -> int:
    match action:
        case Attack(target):
            return _battle(position, i, position.cast.index[target])
        case Move(to):
            return _move(position, i, position.terrain.index[to])
        case Ally():
            return ALLY
        case Answer(accept):
            return MEET if accept else 0
        case Challenge():
            return _challenge(position, i)
        case Reward(choice):
            return REWARD[choice]
        case Pass():
            return PASSED
        case _:
            return IDLE


def _battle(position: Position, i: int, j: int) -> int:
    win = battle_odds(position.total_strength(i), position.total_strength(j))
    return (win * WON - (SURE - win) * LOST) // SURE


def _challenge(position: Position, i: int) -> int:
    win = battle_odds(position.total_strength(i), position.wizard_strength)
    cost = DEATH if position.health[i] == DEADLY else CHALLENGE_LOST
    return (win * CHALLENGE_WON - (SURE - win) * cost) // SURE


def _meeting(position: Position, i: int, j: int) -> int:
    """Of coming to distance 1 of a unit."""
    match consequence(position, i, j):
        case Consequence.BATTLE:
            return _battle(position, i, j)
        case Consequence.JOIN:
            return LEAD if i in position.lines else FOLLOW
        case Consequence.NOTHING:
            return 0 if position.is_troll(i) else MEET


def _move(position: Position, i: int, to: int) -> int:
    """Whom it meets there, and the best hope of all that is farther away."""
    terrain, cell = position.terrain, position.cell
    cells = [to, *(cell[member] for member in position.members(i)[:-1])]
    near = 0
    for c in cells:
        near |= terrain.around[c]
    value, hope = SQUEEZED if to in terrain.squeezes[cell[i]] else 0, 0
    for j in range(len(position.alive)):
        if j == i or not position.decides(j):
            continue
        worth = _meeting(position, i, j)
        others = [cell[member] for member in position.members(j)]
        if any(near >> c & 1 for c in others):
            value += worth
        elif worth > 0:
            hope = max(hope, _from_afar(worth, min(_ways_from(terrain, c)[to] for c in others)))
    if _wants_wizard(position, i):
        away = max(0, _ways_from(terrain, position.wizard_cell)[to] - 1)
        hope = max(hope, _from_afar(_challenge(position, i), away))
    return value + hope


def _from_afar(worth: int, steps: int) -> int:
    return worth * NEAR // (steps + NEAR)


def _wants_wizard(position: Position, i: int) -> bool:
    return position.wizard_cell != NOBODY and not position.is_troll(i) and _challenge(position, i) > 0


# playing on


def _rule_of_thumb(position: Position, i: int, legal: Sequence[Action], dice: Dice) -> Action:
    """Mostly what is good at first sight: the best battle, a union, a point, a challenge that may be won, a step to
    what is worth meeting; else anything."""
    first, last = legal[0], legal[-1]
    if len(legal) == 1:
        return first
    match first:
        case Attack():
            return max(legal, key=lambda action: _worth(position, i, action))
        case Answer():
            return first if dice.below(8) else last
        case Reward():
            return first if dice.below(4) else dice.pick(legal)
        case _:
            return _turn(position, i, legal, dice)


def _turn(position: Position, i: int, legal: Sequence[Action], dice: Dice) -> Action:
    for action in reversed(legal):
        if isinstance(action, Move):
            break  # All others stand behind the moves.
        if isinstance(action, Ally) and dice.below(4):
            return action
        if isinstance(action, Challenge) and _challenge(position, i) > 0:
            return action
    goal = _goal(position, i) if dice.below(3) else NOBODY
    moves = [action for action in legal if isinstance(action, Move)]
    if goal == NOBODY or not moves:
        return dice.pick(legal)
    steps, index = _ways_from(position.terrain, goal), position.terrain.index
    return min(moves, key=lambda move: steps[index[move.to]])


def _goal(position: Position, i: int) -> int:
    """The nearest cell with somebody worth meeting, `NOBODY` if there is none."""
    goals = [
        position.cell[j]
        for j in range(len(position.alive))
        if j != i and position.decides(j) and _meeting(position, i, j) > 0
    ]
    if _wants_wizard(position, i):
        goals.append(position.wizard_cell)
    here = _ways_from(position.terrain, position.cell[i])
    return min(goals, key=lambda cell: here[cell], default=NOBODY)
