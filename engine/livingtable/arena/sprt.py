"""When two entrants have played enough: the sequential probability ratio test, by pairs of games.

The two games of a pair have one seed and swapped seats, so the mean score of a pair is what is independent, not a
game's. The test is the generalised one with the normal approximation that chess engines' testing uses: the
log-likelihood ratio of an Elo difference `elo1` against `elo0`, given the mean and the variance of the pairs' scores.

Source: A. Wald, "Sequential tests of statistical hypotheses", 1945.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

from livingtable.game import Data

ALPHA = BETA = 0.05
PAIRS_AT_LEAST = 10
"""Fewer say too little of their own variance."""

Verdict = Literal["elo1", "elo0", "undecided"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """`mean` is that of the pairs' scores, 0 to 1; `llr` stands against its bounds; `verdict` names the hypothesis that
    is accepted."""

    pairs: int
    mean: float
    llr: float
    lower: float
    upper: float
    verdict: Verdict


def expected_score(elo: float) -> float:
    """Of a game, against an opponent so much weaker."""
    return 1 / (1 + 10 ** (-elo / 400))


def sprt(rows: Sequence[Data], first: str, second: str, elo0: float, elo1: float) -> Sprt:
    """Whether `first` is stronger than `second` by `elo1` rather than by `elo0`."""
    scores = pair_scores(rows, first, second)
    lower, upper = log(BETA / (1 - ALPHA)), log((1 - BETA) / ALPHA)
    count = len(scores)
    mean = sum(scores) / count if count else 0.5
    variance = sum((score - mean) ** 2 for score in scores) / count if count else 0.0
    if count < PAIRS_AT_LEAST:
        return Sprt(count, mean, 0.0, lower, upper, "undecided")
    # Pairs that are all alike say nothing of the spread: one half-point off stands in for it.
    variance = max(variance, 0.25**2 / count)
    score0, score1 = expected_score(elo0), expected_score(elo1)
    llr = count * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    verdict: Verdict = "elo1" if llr >= upper else "elo0" if llr <= lower else "undecided"
    return Sprt(count, mean, llr, lower, upper, verdict)


def pair_scores(rows: Sequence[Data], first: str, second: str) -> list[float]:
    """The mean score of `first` in each whole group of games between the two: 1 ahead, 0 behind, a half level."""
    groups: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        if row["end"] not in ("won", "drawn") or set(row["seats"].values()) != {first, second}:
            continue
        groups.setdefault((row["scenario"], row["group"]), []).append(_score(row, first, second))
    whole = max((len(scores) for scores in groups.values()), default=0)
    return [sum(scores) / whole for _, scores in sorted(groups.items()) if len(scores) == whole]


def _score(row: Data, first: str, second: str) -> float:
    """Over all pairs of their seats."""
    mine = [row["places"][side] for side, name in row["seats"].items() if name == first]
    theirs = [row["places"][side] for side, name in row["seats"].items() if name == second]
    return sum((a < b) + (a == b) / 2 for a in mine for b in theirs) / (len(mine) * len(theirs))
