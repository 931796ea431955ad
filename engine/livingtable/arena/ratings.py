"""How strong each entrant is: one Plackett-Luce fit over the orders of all games, on an Elo scale, with intervals.

Plackett and Luce: of those not placed yet, each comes next with a chance in proportion to its strength; with two seats
this is Bradley and Terry. Of those who are tied any order may be the true one: they count as the mean over all orders.
A small prior keeps the undefeated and the winless finite: half a win and half a loss against an opponent of mean
strength. Games that were forfeited or cut off say nothing of skill and do not enter.

Intervals are those of a bootstrap over whole groups, since the games of one seed are not independent. Where all groups
say the same, as of the undefeated, resampling shows no spread; so none is narrower than the curvature of the fit says.

Sources: R. Plackett, "The analysis of permutations", 1975; R. D. Luce, "Individual choice behavior", 1959.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]
from threadpoolctl import threadpool_limits  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from livingtable.game import Data

Floats = NDArray[np.float64]
Counts = tuple[int, ...]
"""How many seats each entrant has, by the entrant's number."""
ELO = 400 / float(np.log(10))
MEAN_ELO = 1500.0
PRIOR_GAMES = 0.5
RESAMPLES = 1_000
RESAMPLES_AT_ONCE = 50
"""What bounds the memory: so many rows of as many numbers as there are groups."""
NEWTON_STEPS_AT_MOST = 100
NEWTON_TOLERANCE = 1e-6
"""Of the logarithm of a strength: 0.0002 Elo."""
Z = 1.959964
"""Of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rating:
    """`elo` with its 95 % interval and the number of rated games; without any, elo and interval are the prior's."""

    entrant: str
    elo: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class Choices:
    """Every "came next among these" of the games, each kind once.

    `winner[choice]` is the entrant that came next, `among[choice, entrant]` how many seats of each were left,
    `weights[group, choice]` how often that was so in each group.
    """

    weights: Floats
    winner: NDArray[np.int64]
    among: Floats


def rated(rows: Sequence[Data]) -> list[Data]:
    """The games that were played to their end, and so say something of skill."""
    return [row for row in rows if row["end"] in ("won", "drawn")]


def ratings(rows: Sequence[Data], entrants: Sequence[str], seed: int = 0) -> list[Rating]:
    """The best first, last those of whom no game counts; the same whatever the order of the rows. `seed` decides the
    bootstrap."""
    counted = rated(rows)
    choices = choices_of(counted, entrants)
    # The matrices are small: several threads would wait for each other for longer than one takes.
    with cast(Any, threadpool_limits)(1, "blas"):
        best = strengths(choices, choices.weights.sum(axis=0))
        low, high = _interval(choices, best, seed)
    games = Counter(name for row in counted for name in set(row["seats"].values()))
    found = [Rating(name, _elo(best[n]), _elo(low[n]), _elo(high[n]), games[name]) for n, name in enumerate(entrants)]
    return sorted(found, key=lambda rating: (not rating.games, -rating.elo, rating.entrant))


def choices_of(rows: Sequence[Data], entrants: Sequence[str]) -> Choices:
    index = {name: n for n, name in enumerate(entrants)}
    groups = {key: n for n, key in enumerate(sorted({(row["scenario"], row["group"]) for row in rows}))}
    found: dict[tuple[int, Counts], dict[int, float]] = {}
    for row in rows:
        for winner, left, weight in _choices_in(row, index):
            weights = found.setdefault((winner, left), {})
            group = groups[row["scenario"], row["group"]]
            weights[group] = weights.get(group, 0.0) + weight
    keys = sorted(found)
    table = np.zeros((len(groups), len(keys)))
    for column, key in enumerate(keys):
        for group, weight in found[key].items():
            table[group, column] = weight
    among = np.array([left for _, left in keys], dtype=np.float64).reshape(len(keys), len(entrants))
    return Choices(table, np.array([winner for winner, _ in keys], dtype=np.int64), among)


def _choices_in(row: Data, index: Mapping[str, int]) -> Iterator[tuple[int, Counts, float]]:
    """Who came next, among whom, with what weight."""
    by_place: dict[int, list[int]] = {}
    for side, place in row["places"].items():
        by_place.setdefault(place, []).append(index[row["seats"][side]])
    behind = (0,) * len(index)
    for place in sorted(by_place, reverse=True):
        tied = tuple(by_place[place].count(n) for n in range(len(index)))
        yield from _choices_of_tied(tied, behind)
        behind = tuple(a + b for a, b in zip(behind, tied, strict=True))


@cache
def _choices_of_tied(tied: Counts, behind: Counts) -> list[tuple[int, Counts, float]]:
    """Of all orders of these, in front of those behind.

    When so many of the tied are still left, every set of that size is equally likely to be.
    """
    size = sum(tied)
    found: list[tuple[int, Counts, float]] = []
    for left in product(*(range(count + 1) for count in tied)):
        still = sum(left)
        among = tuple(a + b for a, b in zip(left, behind, strict=True))
        if not still or max(among) == sum(among):
            continue  # Among copies of one entrant there is nothing to choose.
        chance = prod(comb(of, n) for of, n in zip(tied, left, strict=True)) / comb(size, still)
        found += [(n, among, chance * count / still) for n, count in enumerate(left) if count]
    return found


def strengths(choices: Choices, weights: Floats, start: Floats | None = None) -> Floats:
    """The logarithms of the strengths that fit best, of mean 0."""
    count = choices.among.shape[1]
    wins = np.bincount(choices.winner, weights, minlength=count)

    def loss(logs: Floats) -> tuple[float, Floats]:
        powers = np.exp(logs)
        sums = choices.among @ powers
        value = float(weights @ np.log(sums) - wins @ logs + PRIOR_GAMES * np.sum(2 * np.log1p(powers) - logs))
        gradient = powers * (choices.among.T @ (weights / sums)) - wins
        return value, gradient + PRIOR_GAMES * (2 * powers / (1 + powers) - 1)

    begin = np.zeros(count) if start is None else start
    options = {"ftol": 1e-13, "gtol": 1e-8}
    logs: Floats = cast(Any, minimize)(loss, begin, jac=True, method="L-BFGS-B", options=options).x
    return logs - logs.mean()


def _interval(choices: Choices, best: Floats, seed: int) -> tuple[Floats, Floats]:
    spread = Z * _standard_errors(choices, best)
    low, high = best - spread, best + spread
    groups = len(choices.weights)
    if not groups:
        return low, high
    random = np.random.Generator(np.random.PCG64(seed))
    samples: list[Floats] = []
    for begin in range(0, RESAMPLES, RESAMPLES_AT_ONCE):
        count = min(RESAMPLES_AT_ONCE, RESAMPLES - begin)
        times = random.multinomial(groups, np.full(groups, 1 / groups), size=count).astype(np.float64)
        samples.append(resampled_strengths(choices, times @ choices.weights, best))
    resampled_low, resampled_high = np.percentile(np.concatenate(samples), (2.5, 97.5), axis=0)
    return np.minimum(low, resampled_low), np.maximum(high, resampled_high)


def resampled_strengths(choices: Choices, weights: Floats, start: Floats) -> Floats:
    """The same as `strengths` for every row of weights, all at once.

    Newton's method. A step whose largest and smallest component are `reach` apart is shortened to
    log(1 + reach) / reach of itself, with which it cannot overshoot: T. Sun and Q. Tran-Dinh, "Generalized
    self-concordant functions", 2019, with log-sum-exp's constant.
    """
    kinds, count = choices.among.shape
    wins = np.stack([np.bincount(choices.winner, row, minlength=count) for row in weights])
    pairs = (choices.among[:, :, None] * choices.among[:, None, :]).reshape(kinds, count * count)
    logs = np.tile(start, (len(weights), 1))
    for _ in range(NEWTON_STEPS_AT_MOST):
        powers = np.exp(logs)
        shares = weights / (powers @ choices.among.T)
        won = powers * (shares @ choices.among)
        middling = powers / (1 + powers)
        gradient = won - wins + PRIOR_GAMES * (2 * middling - 1)
        both = (shares**2 / np.where(weights > 0, weights, 1)) @ pairs
        curvature = -both.reshape(-1, count, count) * powers[:, :, None] * powers[:, None, :]
        curvature[:, range(count), range(count)] += won + 2 * PRIOR_GAMES * middling * (1 - middling)
        step = np.linalg.solve(curvature, -gradient[:, :, None])[:, :, 0]
        reach = np.maximum(step.max(axis=1), 0) - np.minimum(step.min(axis=1), 0)
        logs += step * (np.log1p(reach) / np.maximum(reach, 1e-300))[:, None]
        if reach.max() < NEWTON_TOLERANCE:
            break
    return logs - logs.mean(axis=1, keepdims=True)


def _standard_errors(choices: Choices, best: Floats) -> Floats:
    """By the curvature of the likelihood with the prior, as if all games were independent."""
    chances = choices.among * np.exp(best)
    chances /= chances.sum(axis=1, keepdims=True)
    weighted = chances.T * choices.weights.sum(axis=0)
    middling = 1 / (1 + np.exp(-best))
    curvature = np.diag(weighted.sum(axis=1) + 2 * PRIOR_GAMES * middling * (1 - middling)) - weighted @ chances
    centred: Floats = np.eye(len(best)) - 1 / len(best)
    inverse = cast(Floats, np.linalg.inv(curvature))
    return np.sqrt(((centred @ inverse) * centred).sum(axis=1))


def _elo(log_strength: float) -> float:
    return round(MEAN_ELO + ELO * float(log_strength), 1)
