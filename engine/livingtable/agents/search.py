"""`search`: a Monte-Carlo tree search over sequences of actions, for any number of players.

Each iteration plays one game on: from a fork of the state with dice of its own, down the tree by what has been learnt,
then by rules of thumb as far as the guide looks ahead, where the position is valued.

- Chance: each iteration throws anew, and in place of chance nodes with a branch an outcome, a node stands for a
  sequence of actions whatever the dice have made of it, so its mean is over the outcomes as often as they come (open
  loop; Perez Liebana et al., "Open Loop Search for General Video Game Playing", 2015).
- Selection is UCT with a predictor (PUCT; Silver et al., "Mastering the game of Go without human knowledge", 2017): the
  guide weighs the legal actions, and the heavier ones are tried first. Where a node has few visits only few are tried
  (progressive widening; Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008).
- Several players: a leaf's value is one number a seat, and each seat maximises its own (max^n; Luckhardt and Irani,
  "An algorithmic solution of n-person games", 1986).
- Where all choose at once, each seat keeps statistics of its own in the round's node, blind to the others' choices
  (decoupled UCT; Tak, Lanctot and Winands, "Monte Carlo Tree Search variants for simultaneous move games", 2014), the
  actions of all together lead to the next node, and they arrive in a random order.

A choice can be interrupted: whoever asks for it may give a function that is asked again and again, within an iteration
too, whether to stop. The iteration that is going on is then dropped, and the best so far is chosen.

The choice is decided by the state, the seed and the number of iterations, the same on every machine: of floating point
numbers it uses sums, products, quotients and square roots alone, which IEEE 754 rounds the same everywhere, and equal
values are decided by the order of the arms. Only a budget in milliseconds, or an interruption, makes it depend on the
machine. By name the
budget is `search` (100 iterations), `search:200` (1 to 1000) or `search:50ms` (1 to 1000 milliseconds); nothing larger
can be asked for over a wire.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol

from livingtable.agents.search_tree import Arm, Arms, Node
from livingtable.dice import Dice, derive_seed
from livingtable.game import Action, State

Stop = Callable[[], bool]
"""Says whether a choice is to be made now, with what is known."""
Pause = Callable[[], None]
"""Called between the decisions of an iteration; raises what ends it."""


def going_on() -> None:
    """The pause of an iteration that nobody interrupts."""


class _StoppedError(Exception):
    """The iteration is to be dropped."""


class Guide(Protocol):
    """What a search knows of a game beyond its rules."""

    ahead: int
    """How many rounds, or turns of a side, it looks ahead, the one that is open included."""

    def now(self, state: State) -> int:
        """The number of that round or turn."""
        ...

    def weights(self, state: State, side: str, legal: Sequence[Action], depth: int) -> list[float]:
        """How promising each action looks, above 0: only their proportions count. `depth` is 0 where the choice is to
        be made, and grows by 1 with each decision after it."""
        ...

    def work(self, state: State) -> int:
        """How long an iteration takes that begins in such a position, by its size alone: roughly in microseconds of a
        machine of 2025."""
        ...

    def play_on(self, state: State, dice: Dice, end: int, pause: Pause = going_on) -> None:
        """Plays by rules of thumb to the result or to round (or turn) `end`, with a pause before each step."""
        ...

    def values(self, state: State) -> list[float]:
        """What a position without result is worth to each seat, in seat order, from 0 to 1."""
        ...


class Search:
    """The agent of one seat, which may not be asked from two threads at once.

    Its budget is a number of iterations, or milliseconds, or the first of both to be used up; the first iteration is
    always done, and one that has begun is finished, unless the choice is interrupted. Without a budget it raises
    `ValueError`.
    """

    def __init__(
        self, side: str, seed: int, guide: Guide, iterations: int | None, milliseconds: int | None = None
    ) -> None:
        if iterations is None and milliseconds is None:
            raise ValueError("a search needs a budget: iterations or milliseconds")
        self.side, self.seed, self.guide = side, seed, guide
        self.iterations, self.milliseconds = iterations, milliseconds
        self.done = 0
        """How many iterations the latest search has done."""

    def search(self, state: State, interrupt: Stop | None = None) -> Action:
        """The best action for the seat, which is to act in this state. The state stays as it is; give one without
        hidden commands (`State.fork`). Raises `ValueError` for a seat that is not.

        `interrupt` is asked before each decision of an iteration. Once it says stop, the best so far is chosen: before
        the first iteration is done, what looks the most promising."""
        self.done = 0
        legal = state.legal_actions(self.side)
        if not legal:
            raise ValueError(f"{self.side} has no choice to make in this state")
        if len(legal) == 1:
            return legal[0]
        root, end = Node(), self.guide.now(state) + self.guide.ahead
        stop = None if self.milliseconds is None else monotonic() + self.milliseconds / 1000
        own, pause = self._arms(root, state, self.side, 0), _pause(interrupt)
        while self.iterations is None or self.done < self.iterations:
            seed = derive_seed(self.seed, "iteration", self.done)
            try:
                self._iterate(root, state.fork(seed), Dice(derive_seed(seed, "play")), end, pause)
            except _StoppedError:
                break
            self.done += 1
            if stop is not None and monotonic() >= stop:
                break
        return own.best().action

    def _iterate(self, root: Node, state: State, dice: Dice, end: int, pause: Pause) -> None:
        """One game: down the tree, one node beyond it, on to the end; then everybody in it learns."""
        guide, node, depth = self.guide, root, 0
        tried: list[tuple[str, Arms, Arm]] = []
        while guide.now(state) < end and state.to_act:
            acting: list[tuple[str, Arms]] = []
            for side in state.to_act:
                pause()
                acting.append((side, self._arms(node, state, side, depth)))
            chosen = [(side, arms, arms.select()) for side, arms in acting]
            tried += chosen
            after = tuple(arm.action for _, _, arm in chosen)
            if len(chosen) > 1:
                dice.shuffle(chosen)
            for side, _, arm in chosen:
                state.apply(side, arm.action)
            if after not in node.after:
                node.after[after] = Node()
                break
            node, depth = node.after[after], depth + 1
        guide.play_on(state, dice, end, pause)
        pause()
        values = dict(zip(state.sides, worth(state, guide), strict=True))
        for side, arms, arm in tried:
            arms.learn(arm, values[side])

    def _arms(self, node: Node, state: State, side: str, depth: int) -> Arms:
        """The arms of a seat in a node: as they are, or made (anew) for what is legal there this time."""
        legal = state.legal_actions(side)
        known = node.seats.get(side)
        if known is not None and known.legal == legal:
            return known
        arms = node.seats[side] = Arms(legal, self.guide.weights(state, side, legal, depth))
        if known is not None:
            arms.carry_over(known)
        return arms


def _pause(interrupt: Stop | None) -> Pause:
    def pause() -> None:
        if interrupt is not None and interrupt():
            raise _StoppedError

    return going_on if interrupt is None else pause


def worth(state: State, guide: Guide) -> list[float]:
    """By seat, 0 to 1: of a finished game the share of the others whom it has left behind, level ones counted half; of
    any other what the guide says."""
    result = state.result
    if result is None:
        return guide.values(state)
    place = {row["side"]: row["place"] for row in result.ranking}
    others = max(1, len(place) - 1)
    return [
        sum((p > place[side]) + (p == place[side]) / 2 for p in place.values()) / others - 0.5 / others
        for side in state.sides
    ]


def compared(heading: Sequence[float], scale: float) -> list[float]:
    """By seat, 0 to 1: how far it is ahead of each other one, on the average; `scale` ahead is worth three quarters."""
    others = max(1, len(heading) - 1)
    return [sum(0.5 + (a - b) / (abs(a - b) + scale) / 2 for b in heading) / others - 0.5 / others for a in heading]


def shares(values: Sequence[int], scale: int) -> list[float]:
    """Weights for values of a guide's own: `scale` less than the best is worth a quarter of its weight."""
    best = max(values)
    return [1 / (1 + (best - value) / scale) ** 2 for value in values]
