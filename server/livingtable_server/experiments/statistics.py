"""How sure a difference is: clustered intervals, a sign-flip test, Holm's correction, power.

All work on the last axis of an array, so that a thousand tables are done at once. A *cluster* holds the values that
share their dice (one seed of one scenario, in whatever seat): within it they may hang together in any way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import ceil, sqrt
from typing import cast

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEVEL = 0.95
FLIPS = 9_999
"""Random flips where there are too many for all."""
ALL_FLIPS_TO = 13
"""Clusters."""
POWER = 0.8
_FLIPS_AT_ONCE = 1_000
_NEARLY = 1e-9
_SIGNS = np.array([-1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Clustered:
    """Values summed by cluster: `sums` of shape (…, clusters), `counts` of shape (clusters)."""

    sums: Floats
    counts: Floats

    @property
    def number(self) -> int:
        return len(self.counts)

    @property
    def mean(self) -> Floats:
        return np.asarray(self.sums.sum(axis=-1) / self.counts.sum(), dtype=np.float64)


def clustered(values: Floats, clusters: Sequence[int]) -> Clustered:
    """`clusters` says of each value on the last axis to which cluster, from 0, it belongs."""
    of_each = np.asarray(clusters)
    order = np.argsort(of_each, kind="stable")
    counts = np.bincount(of_each)
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
    sums = np.add.reduceat(values[..., order], begins, axis=-1)
    return Clustered(np.asarray(sums, dtype=np.float64), counts.astype(np.float64))


def interval(data: Clustered, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Of the mean, by Student's t over clusters: the cluster-robust (sandwich) variance with its small-sample factor
    G / (G - 1). Infinite with fewer than two clusters."""
    if data.number < 2:
        nothing = np.asarray(np.full_like(data.mean, np.inf), dtype=np.float64)
        return -nothing, nothing
    half = standard_error(data) * t_quantile(0.5 + level / 2, data.number - 1)
    return data.mean - half, data.mean + half


def standard_error(data: Clustered) -> Floats:
    """Of the mean; with two clusters or more."""
    residues = data.sums - data.counts * data.mean[..., None]
    variance = (residues**2).sum(axis=-1) * data.number / (data.number - 1)
    return np.asarray(np.sqrt(variance) / data.counts.sum(), dtype=np.float64)


def sign_flip(data: Clustered, seed: int = 0) -> Floats:
    """Two-sided p-values of paired differences: how often a mean as far from 0 comes if A and B are the same, so that
    the sign of each cluster is a toss. All flips where they are few, else so many random ones, the same for each table.
    """
    far = np.abs(data.sums.sum(axis=-1))[..., None] * (1 - _NEARLY) - 1e-12

    def reached(flips: Floats) -> Floats:
        return np.asarray((np.abs(data.sums @ flips.T) >= far).sum(axis=-1), dtype=np.float64)

    if data.number <= ALL_FLIPS_TO:
        flips = np.array(list(product((1.0, -1.0), repeat=data.number)))
        return reached(flips) / len(flips)
    random = np.random.default_rng(seed)
    found = np.zeros(data.sums.shape[:-1])
    for begin in range(0, FLIPS, _FLIPS_AT_ONCE):
        number = min(_FLIPS_AT_ONCE, FLIPS - begin)
        found += reached(random.choice(_SIGNS, (number, data.number)))
    return (found + 1) / (FLIPS + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: the chance of any false find among all is kept."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, p_values[i] * (len(p_values) - rank)))
        adjusted[i] = highest
    return adjusted


def clusters_needed(difference: float, spread: float, power: float = POWER, level: float = LEVEL) -> int:
    """How many clusters it takes to see a true difference with that chance; `spread` is the standard deviation of a
    cluster's mean difference."""
    if spread == 0:
        return 2
    needed = 2
    for _ in range(50):  # t depends on the number; this settles in a few steps.
        reach = t_quantile(0.5 + level / 2, max(1, needed - 1)) + t_quantile(power, max(1, needed - 1))
        now = max(2, ceil((reach * spread / difference) ** 2))
        if now == needed:
            break
        needed = now if abs(now - needed) > 1 else max(now, needed)
    return needed


def difference_seen(clusters: int, spread: float, power: float = POWER, level: float = LEVEL) -> float:
    """The smallest true difference that so many clusters show with that chance."""
    degrees = max(1, clusters - 1)
    return (t_quantile(0.5 + level / 2, degrees) + t_quantile(power, degrees)) * spread / sqrt(clusters)


def spread_of(data: Clustered) -> Floats:
    """The standard deviation of a cluster's mean, as it follows from the error of the whole."""
    return np.asarray(standard_error(data) * sqrt(data.number), dtype=np.float64)


@cache
def t_quantile(probability: float, degrees: int) -> float:
    from scipy.special import stdtrit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

    return float(cast(float, stdtrit(degrees, probability)))
