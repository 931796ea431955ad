"""What `search` knows of foxhunt: which actions look promising, how to play on, what a position is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from livingtable.agents.greedy_foxhunt import GreedyFoxhunt
from livingtable.agents.search import Pause, compared, going_on, shares
from livingtable.dice import Dice
from livingtable.events import EventData
from livingtable.game import Action, State
from livingtable.games.foxhunt.actions import BOMB, MOVES, STAY, FoxhuntAction, Move, Stay
from livingtable.games.foxhunt.blast import blast_of
from livingtable.games.foxhunt.rules import resolve
from livingtable.games.foxhunt.state import FoxhuntState
from livingtable.games.foxhunt.yard import DIRECTIONS, FREE, NOWHERE, SOFT, Yard, marked
from livingtable.grids import places

STEP, EXIT, SPECIAL, BURNT = 4, 1, 2, 50
"""What places are worth to a player, and a way out of one; `BURNT` is what a beam takes."""
FAR_ENOUGH, CORNERED = 6, 12
"""So many steps away hunters are no matter to the fox; what it takes that one can be there next."""
STAYING, BOMBING = 1, 6
"""What they take from the place where one stays."""
CLOSE = 4
"""An action that falls so far behind the best has a quarter of its weight."""
AHEAD = 20.0
"""Points; ahead by so many, a player is thought to stay ahead in three games of four."""
ESCAPES = 3
"""So many rounds more than the nearest hunter needs the fox is thought to remain one; the next fox then at most
`NEXT`."""
NEXT = 8
BOMBS = 16
"""Of so many commands of a play-out one is a bomb."""
NO_WAY = 25
"""Farther away nobody matters within the horizon."""
FIELDS_SEEN, THINGS_SEEN, ACTIONS_SEEN = 3_600, 500, 40
"""On larger maps, with more bombs and specials, or with more actions to weigh, greedy takes too long to be asked for
each player."""
WALL = 5
"""What a wall that can be broken adds to a way."""


@lru_cache(maxsize=1 << 11)
def steps_to(yard: Yard, ground: bytes, target: int) -> bytes:
    """By field: how far it is from one, at most `NO_WAY`, by fields that are free or can be made so."""
    free, soft = marked(ground, FREE), marked(ground, SOFT)
    steps = bytearray([NO_WAY]) * yard.size
    seen = 0
    coming = [1 << target] + [0] * (NO_WAY + WALL)
    for far in range(NO_WAY):
        level = coming[far] & ~seen
        if not level:
            continue
        seen |= level
        for field in places(level):
            steps[field] = far
        coming[far + 1] |= yard.around(level & free) & (free | soft)
        if level & soft:
            coming[far + 1 + WALL] |= yard.around(level & soft) & (free | soft)
    return bytes(steps)


class FoxhuntGuide:
    """Looks some rounds ahead; for the choice that is to be made, greedy's has half of the weight, of every player, as
    long as greedy is quick."""

    ahead = 6

    def now(self, state: State) -> int:
        return cast(FoxhuntState, state).round_number

    def weights(self, state: State, side: str, legal: Sequence[Action], depth: int) -> list[float]:
        position = cast(FoxhuntState, state)
        i = position.cast.index[side]
        look = Look(position)
        values = [look.value(i, action) for action in legal]
        weights = shares(values, CLOSE)
        if depth == 0 and _is_seen_quickly(position, legal):
            weights[legal.index(GreedyFoxhunt(side, 0).choose(state.view(side), legal))] += sum(weights)
        return weights

    def work(self, state: State) -> int:
        """Of all players' looks over the map, and of what lies on it."""
        position = cast(FoxhuntState, state)
        looks = len(position.field) * (70 + position.yard.size // 6)
        return looks + 6 * len(position.bombs) + len(position.specials)

    def play_on(self, state: State, dice: Dice, end: int, pause: Pause = going_on) -> None:
        position = cast(FoxhuntState, state)
        events: list[EventData] = []
        while position.outcome is None and position.round_number < end:
            pause()
            look = Look(position)
            seats = [i for i in range(len(position.field)) if position.can_act(i)]
            dice.shuffle(seats)
            position.commands = {i: look.quick(i, dice) for i in seats}
            resolve(position, events)
            while position.outcome is None and not any(position.can_act(i) for i in range(len(position.field))):
                pause()
                resolve(position, events)

    def values(self, state: State) -> list[float]:
        """By the points that each is heading for: the fox is fox for as long as hunters are away, then the nearest are
        the likeliest to be the next."""
        position = cast(FoxhuntState, state)
        fox = position.fox
        left = position.settings.rounds - position.round_number + 1
        look = Look(position)
        heading = [float(points) for points in position.points]
        away = {i: look.to_fox[field] + look.wait(i) for i, field in enumerate(position.field) if i != fox}
        rounds = min(left, ESCAPES + min(away.values(), default=left))
        heading[fox] += rounds * position.fox_rounds + rounds * (rounds + 1) / 2
        after = min(left - rounds, NEXT)
        chances = {i: 1 / (2 + steps) ** 2 for i, steps in away.items()}
        whole = sum(chances.values())
        for i, chance in chances.items():
            heading[i] += chance / whole * after * (after + 1) / 2
        return compared(heading, AHEAD)


def _is_seen_quickly(position: FoxhuntState, legal: Sequence[Action]) -> bool:
    return (
        position.yard.size <= FIELDS_SEEN
        and len(position.bombs) + len(position.specials) <= THINGS_SEEN
        and len(legal) <= ACTIONS_SEEN
    )


class Look:
    """A round as one sees it at a glance: how far it is to whom, and what burns now."""

    def __init__(self, position: FoxhuntState) -> None:
        self.position, self.yard = position, position.yard
        self.ground = bytes(position.ground)
        self.to_fox = steps_to(self.yard, self.ground, position.field[position.fox])
        self.hot = self._hot()
        self.hunters: list[tuple[bytes, int]] | None = None

    def wait(self, i: int) -> int:
        return max(0, self.position.paralysed_until[i] - self.position.round_number + 1)

    def _hot(self) -> frozenset[int]:
        blast = blast_of(self.position)
        return frozenset(blast.beams if blast else ())

    def place(self, i: int, field: int) -> int:
        """What standing there after this round's moves is worth to a player."""
        position = self.position
        burnt = BURNT if field in self.hot and position.hat_until[i] < position.round_number else 0
        if i != position.fox:
            return SPECIAL * (field in position.specials) - STEP * self.to_fox[field] - burnt
        near = self._hunters_away(field)
        exits = 0
        for beside in self.yard.beside:
            n = beside[field]
            exits += n != NOWHERE and self.ground[n] == FREE
        return STEP * min(near, FAR_ENOUGH) + EXIT * exits - CORNERED * (near <= 1) - burnt

    def _hunters_away(self, field: int) -> int:
        if self.hunters is None:
            fields = self.position.field
            self.hunters = [
                (steps_to(self.yard, self.ground, fields[j]), self.wait(j))
                for j in range(len(fields))
                if j != self.position.fox
            ]
        return min([steps[field] + wait for steps, wait in self.hunters])

    def value(self, i: int, action: Action) -> int:
        here = self.position.field[i]
        if isinstance(action, Move):
            return self.place(i, self.yard.beside[DIRECTIONS.index(action.direction)][here])
        return self.place(i, here) - (STAYING if isinstance(action, Stay) else BOMBING)

    def quick(self, i: int, dice: Dice) -> FoxhuntAction:
        """The best place or one not much worse (up to a step); now and then a bomb. One throw of the dice serves all
        of it: bits of it say which."""
        here = self.position.field[i]
        whim = dice.below(1 << 20)
        if not whim % BOMBS and self.position.may_lay(i):
            return BOMB
        whim >>= 4
        best, chosen = 8 * self.place(i, here) + (whim & 31), STAY
        for d, beside in enumerate(self.yard.beside):
            n = beside[here]
            if n != NOWHERE and self.ground[n] == FREE:
                whim >>= 3
                value = 8 * self.place(i, n) + (whim & 31)
                if value > best:
                    best, chosen = value, MOVES[d]
        return chosen
