"""The tree that `search` grows: what each seat has tried after which sequence of actions, and which to try next."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isqrt, sqrt

from livingtable.game import Action

EXPLORATION = 0.6
WIDTH = 4
"""How many arms a seat looks at in a new node; one more with each further square of visits."""
HOPE = 0.5
"""What an arm counts for before anything is known."""


class Arm:
    """One action of one seat in one node; `share` is the guide's weight of it, of 1 in all."""

    __slots__ = ("action", "share", "total", "visits")

    def __init__(self, action: Action, share: float) -> None:
        self.action, self.share = action, share
        self.visits, self.total = 0, 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


class Arms:
    """What one seat has tried in one node, where these are its legal actions: the most promising first, equally
    promising ones in the order of the list."""

    __slots__ = ("arms", "legal", "total", "visits")

    def __init__(self, legal: Sequence[Action], weights: Sequence[float]) -> None:
        self.legal = legal
        whole = sum(weights)
        order = sorted(range(len(legal)), key=lambda n: -weights[n])
        self.arms = [Arm(legal[n], weights[n] / whole) for n in order]
        self.visits, self.total = 0, 0.0

    def select(self) -> Arm:
        """By PUCT; an arm without visits counts for as much as all the others together."""
        visits = self.visits
        curiosity = EXPLORATION * sqrt(visits + 1)
        unknown = self.total / visits if visits else HOPE
        chosen, best = self.arms[0], -1.0
        for arm in self.arms[: WIDTH + isqrt(visits)]:
            tried = arm.visits
            value = (arm.total / tried if tried else unknown) + curiosity * arm.share / (1 + tried)
            if value > best:
                chosen, best = arm, value
        return chosen

    def learn(self, arm: Arm, value: float) -> None:
        arm.visits += 1
        arm.total += value
        self.visits += 1
        self.total += value

    def best(self) -> Arm:
        """The one tried most; of several the one with the highest mean, then the first."""
        return max(self.arms, key=lambda arm: (arm.visits, arm.mean))

    def carry_over(self, known: Arms) -> None:
        """Takes in what has been learnt of actions that are still legal."""
        old = {arm.action: arm for arm in known.arms if arm.visits}
        for arm in self.arms:
            before = old.get(arm.action)
            if before is not None:
                arm.visits, arm.total = before.visits, before.total
                self.visits += before.visits
                self.total += before.total


class Node:
    """A sequence of actions. Who acts after it, and what is legal, may differ with the dice."""

    __slots__ = ("after", "seats")

    def __init__(self) -> None:
        self.seats: dict[str, Arms] = {}
        self.after: dict[Hashable, Node] = {}
