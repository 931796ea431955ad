"""When two entrants have played enough: the sequential probability ratio test, by pairs of games.

The two games of a pair have one seed and swapped seats, so the mean score of a pair is what is independent, not a
game's. The test is the generalised one with the normal approximation that chess engines' testing uses: the
log-likelihood ratio of an Elo difference `elo1` against `elo0`, given the mean and the variance of the pairs' scores.

Source: A. Wald, "Sequential tests of statistical hypotheses", 1945.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Literal

from livingtable.arena.plan import Plan
from livingtable.game import Data

ALPHA = BETA = 0.05
PAIRS_AT_LEAST = 10
"""Fewer say too little of their own variance."""

Verdict = Literal["elo1", "elo0", "undecided"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """`mean` is that of the pairs' scores, 0 to 1; `llr` stands against its bounds; `verdict` names the hypothesis that
    is accepted. A pair of which a game was forfeited or cut off is none."""

    pairs: int
    mean: float
    llr: float
    lower: float
    upper: float
    verdict: Verdict


def expected_score(elo: float) -> float:
    """Of a game, against an opponent so much weaker."""
    return 1 / (1 + 10 ** (-elo / 400))


class SequentialTest:
    """Whether `first` is stronger than `second` by `elo1` rather than by `elo0`; the games come one by one."""

    def __init__(self, first: str, second: str, elo0: float, elo1: float) -> None:
        self._first, self._second = first, second
        self._scores = expected_score(elo0), expected_score(elo1)
        self._halves: dict[tuple[str, int], float] = {}
        self._pairs, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, row: Data) -> bool:
        """Takes a game in, and says whether it is decided now."""
        score = _score(row, self._first, self._second)
        pair = (row["scenario"], row["group"])
        if score is None:
            return False
        if pair not in self._halves:
            self._halves[pair] = score
            return False
        mean = (self._halves.pop(pair) + score) / 2
        self._pairs += 1
        self._sum += mean
        self._squares += mean * mean
        return self.found().verdict != "undecided"

    def found(self) -> Sprt:
        """How it stands."""
        lower, upper = log(BETA / (1 - ALPHA)), log((1 - BETA) / ALPHA)
        count = self._pairs
        mean = self._sum / count if count else 0.5
        if count < PAIRS_AT_LEAST:
            return Sprt(count, mean, 0.0, lower, upper, "undecided")
        # Pairs that are all alike say nothing of the spread: one that is a quarter off stands in for it.
        variance = max(self._squares / count - mean * mean, 0.25**2 / count)
        score0, score1 = self._scores
        llr = count * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
        verdict: Verdict = "elo1" if llr >= upper else "elo0" if llr <= lower else "undecided"
        return Sprt(count, mean, llr, lower, upper, verdict)


def sequential_test(plan: Plan) -> SequentialTest | None:
    """That of a tournament which is one."""
    if plan.sprt is None:
        return None
    first, second = plan.entrants
    return SequentialTest(first, second, *plan.sprt)


def _score(row: Data, first: str, second: str) -> float | None:
    """Of the first entrant's seats against the other's: 1 ahead, 0 behind, a half level; None of a game that does not
    count, so that its pair does not either."""
    if row["end"] not in ("won", "drawn") or set(row["seats"].values()) != {first, second}:
        return None
    mine = [row["places"][side] for side, name in row["seats"].items() if name == first]
    theirs = [row["places"][side] for side, name in row["seats"].items() if name == second]
    return sum((a < b) + (a == b) / 2 for a in mine for b in theirs) / (len(mine) * len(theirs))
