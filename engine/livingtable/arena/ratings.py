"""How strong each entrant is: one Plackett-Luce fit over the orders of all games, on an Elo scale, with intervals.

Plackett and Luce: of those not placed yet, each comes next with a chance in proportion to its strength; with two seats
this is Bradley and Terry. A tie counts as the mean over the orders of the tied (over their rotations, both ways round,
if they are more than three). A small prior keeps the undefeated and the winless finite: half a win and half a loss
against an opponent of mean strength. Intervals are those of a bootstrap over whole groups, since the games of one seed
are not independent. Forfeits and games that were cut off are no skilled wins: they do not enter.

Sources: R. Plackett, "The analysis of permutations", 1975; R. D. Luce, "Individual choice behavior", 1959.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from livingtable.game import Data

Floats = NDArray[np.float64]
ELO = 400 / np.log(10)
MEAN_ELO = 1500.0
PRIOR_GAMES = 0.5
RESAMPLES = 1_000
_TIED_EXACTLY = 3


@dataclass(frozen=True, slots=True)
class Rating:
    """`elo` with its 95 % interval; of an entrant without a rated game they are the prior's."""

    entrant: str
    elo: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class Choices:
    """Every "came next among these" of the games: `weights[group, choice]`, `winner[choice]`, and for each choice how
    many of each entrant were left, `among[choice, entrant]`."""

    entrants: tuple[str, ...]
    weights: Floats
    winner: NDArray[np.int64]
    among: Floats


def rated(rows: Sequence[Data]) -> list[Data]:
    """The games that say something of skill."""
    return [row for row in rows if row["end"] in ("won", "drawn")]


def ratings(rows: Sequence[Data], entrants: Sequence[str], seed: int = 0) -> list[Rating]:
    """The best first. Whatever the order of rows and entrants, the same."""
    ordered = tuple(sorted(entrants))
    counted = rated(rows)
    choices = choices_of(counted, ordered)
    best = strengths(choices, choices.weights.sum(axis=0))
    samples = _resampled(choices, seed)
    low, high = np.percentile(samples, (2.5, 97.5), axis=0) if len(samples) else (best, best)
    games = {name: sum(1 for row in counted if name in row["seats"].values()) for name in ordered}
    found = [Rating(name, _elo(best[n]), _elo(low[n]), _elo(high[n]), games[name]) for n, name in enumerate(ordered)]
    return sorted(found, key=lambda rating: (-rating.elo, rating.entrant))


def choices_of(rows: Sequence[Data], entrants: tuple[str, ...]) -> Choices:
    index = {name: n for n, name in enumerate(entrants)}
    groups = {key: n for n, key in enumerate(sorted({(row["scenario"], row["group"]) for row in rows}))}
    found: dict[tuple[int, tuple[int, ...]], dict[int, float]] = {}
    for row in rows:
        group = groups[row["scenario"], row["group"]]
        for order, weight in _orders(row, index):
            left = [0] * len(entrants)
            for n in order:
                left[n] += 1
            for n in order[:-1]:
                if left[n] < sum(left):  # Among its own copies alone there is nothing to choose.
                    weights = found.setdefault((n, tuple(left)), {})
                    weights[group] = weights.get(group, 0.0) + weight
                left[n] -= 1
    keys = sorted(found)
    table = np.zeros((len(groups), len(keys)))
    for column, key in enumerate(keys):
        for group, weight in found[key].items():
            table[group, column] = weight
    among = np.array([left for _, left in keys], dtype=np.float64).reshape(len(keys), len(entrants))
    return Choices(entrants, table, np.array([n for n, _ in keys], dtype=np.int64), among)


def strengths(choices: Choices, weights: Floats) -> Floats:
    """The logarithms of the strengths that fit best, of mean 0."""
    count = len(choices.entrants)
    if count == 1:
        return np.zeros(1)

    def loss(logs: Floats) -> tuple[float, Floats]:
        powers = np.exp(logs)
        sums = choices.among @ powers
        value = float(weights @ (np.log(sums) - logs[choices.winner]))
        gradient = (choices.among * powers).T @ (weights / sums) - np.bincount(choices.winner, weights, minlength=count)
        chance = powers / (1 + powers)
        value += float(PRIOR_GAMES * np.sum(2 * np.log1p(powers) - logs))
        return value, gradient + PRIOR_GAMES * (2 * chance - 1)

    fitted = minimize(loss, np.zeros(count), jac=True, method="L-BFGS-B", options={"ftol": 1e-12, "gtol": 1e-9})
    return fitted.x - fitted.x.mean()


def _orders(row: Data, index: Mapping[str, int]) -> list[tuple[list[int], float]]:
    """The orders that a game stands for, each as entrants from the first to the last, and their weights."""
    by_place: dict[int, list[int]] = {}
    for side, place in row["places"].items():
        by_place.setdefault(place, []).append(index[row["seats"][side]])
    orders: list[tuple[list[int], float]] = [([], 1.0)]
    for place in sorted(by_place):
        ways = _ways(sorted(by_place[place]))
        orders = [(order + way, weight / len(ways)) for order, weight in orders for way in ways]
        if len(orders) > 64:  # Many ties: what is left out is the product of them, not any tie.
            orders = [(order, 1 / 64) for order, _ in orders[:: len(orders) // 64][:64]]
    return orders


def _ways(tied: list[int]) -> list[list[int]]:
    if len(set(tied)) == 1:
        return [tied]
    turned = [tied[n:] + tied[:n] for n in range(len(tied))]
    both = turned + ([list(reversed(way)) for way in turned] if len(tied) > 2 else [])
    return both


def _resampled(choices: Choices, seed: int) -> Floats:
    groups = len(choices.weights)
    if not groups:
        return np.zeros((0, len(choices.entrants)))
    random = np.random.Generator(np.random.PCG64(seed))
    counts = random.multinomial(groups, np.full(groups, 1 / groups), size=RESAMPLES)
    return np.array([strengths(choices, drawn @ choices.weights) for drawn in counts.astype(np.float64)])


def _elo(log_strength: float) -> float:
    return round(float(MEAN_ELO + ELO * log_strength), 1)
