"""Intervals cover what they say, the test finds nothing where there is nothing, and power is what it is said to be.

Simulated tables: of each seed two seats are played by two variants, with a luck that both variants share, one that the
two seats share, and one of each game; scores are whole numbers, skewed, as the games' are.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from livingtable_server.experiments.statistics import (
    Clustered,
    Floats,
    clustered,
    clusters_needed,
    difference_seen,
    holm,
    interval,
    sign_flip,
    spread_of,
)

TABLES, SEEDS, SEATS = 1_000, 40, 2
CLUSTERS = [seed for seed in range(SEEDS) for _ in range(SEATS)]


def differences(random: np.random.Generator, effect: float, tables: int = TABLES, seeds: int = SEEDS) -> Floats:
    """B minus A, of shape (tables, seeds * seats), in the order of `CLUSTERS`; the seeds' own luck is in both."""

    def scores(shift: float, luck: Floats) -> Floats:
        shared = random.gamma(2.0, 1.0, (tables, seeds, 1)) - 2.0
        own = random.gamma(2.0, 1.0, (tables, seeds, SEATS)) - 2.0
        return np.round(luck + shared + own) + shift

    luck = random.normal(0.0, 3.0, (tables, seeds, SEATS))
    found = scores(effect, luck) - scores(0.0, luck)
    return found.reshape(tables, seeds * SEATS)


def share(found: object) -> float:
    return float(np.mean(np.asarray(found)))


# The two promises


def test_intervals_of_a_thousand_tables_cover_the_true_difference_in_94_to_96_of_a_hundred() -> None:
    low, high = interval(clustered(differences(np.random.default_rng(1), effect=1.0), CLUSTERS))
    assert 0.94 <= share((low <= 1) & (high >= 1)) <= 0.96


def test_between_a_variant_and_its_null_twin_nothing_is_found_in_94_to_96_of_a_hundred_tables() -> None:
    p = sign_flip(clustered(differences(np.random.default_rng(2), effect=0.0), CLUSTERS))
    assert 0.94 <= share(p > 0.05) <= 0.96


def many_tables(seeds: int) -> Clustered:
    """Of twins. A thousand tables are a small sample of the method, with an error of 0.7 of a hundred; of these it is
    0.15."""
    clusters = [seed for seed in range(seeds) for _ in range(SEATS)]
    return clustered(differences(np.random.default_rng(3), 0.0, tables=20_000, seeds=seeds), clusters)


def nothing_found(data: Clustered) -> float:
    p = [sign_flip(Clustered(sums, data.counts)) for sums in np.array_split(data.sums, 40)]
    return share(np.concatenate(p) > 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [20, 40])
def test_that_is_so_on_many_more_tables_and_with_fewer_seeds_too(seeds: int) -> None:
    data = many_tables(seeds)
    low, high = interval(data)
    assert 0.94 <= share((low <= 0) & (high >= 0)) <= 0.96
    assert 0.94 <= nothing_found(data) <= 0.96


@pytest.mark.slow
def test_with_few_seeds_and_whole_scores_the_test_errs_on_the_safe_side() -> None:
    """Eight seeds have 256 flips, many of them with the same sum: p cannot come just below 0.05."""
    data = many_tables(8)
    low, high = interval(data)
    assert 0.94 <= share((low <= 0) & (high >= 0)) <= 0.96
    assert 0.95 <= nothing_found(data) <= 0.98


def test_values_of_one_seed_taken_for_independent_ones_would_not_cover() -> None:
    """What clusters are for."""
    found = differences(np.random.default_rng(1), effect=0.0)
    low, high = interval(clustered(found, range(SEEDS * SEATS)))
    assert share((low <= 0) & (high >= 0)) < 0.92


def test_unequal_clusters_are_covered_too() -> None:
    """Games that have no pair, because one crashed, leave holes."""
    kept = [i for i in range(SEEDS * SEATS) if i % 3]
    found = differences(np.random.default_rng(4), effect=1.0)[:, kept]
    low, high = interval(clustered(found, [CLUSTERS[i] for i in kept]))
    assert 0.935 <= share((low <= 1) & (high >= 1)) <= 0.965


# Power


@pytest.mark.parametrize("effect", [1.0, 2.0])
def test_with_the_games_that_are_said_to_be_needed_the_difference_is_found_in_four_of_five_tables(
    effect: float,
) -> None:
    random = np.random.default_rng(5)
    pilot = clustered(differences(random, 0.0, tables=1, seeds=4_000)[0], [i // SEATS for i in range(8_000)])
    needed = clusters_needed(effect, float(spread_of(pilot)))
    clusters = [seed for seed in range(needed) for _ in range(SEATS)]
    p = sign_flip(clustered(differences(random, effect, seeds=needed), clusters))
    assert 0.75 <= share(p <= 0.05) <= 0.87


def test_what_is_needed_and_what_is_seen_are_two_sides_of_the_same() -> None:
    for clusters in (10, 50, 400):
        assert abs(clusters_needed(difference_seen(clusters, 2.0), 2.0) - clusters) <= 1


# By hand


def test_the_interval_of_singletons_is_students() -> None:
    low, high = interval(clustered(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), range(5)))
    assert (float(low), float(high)) == pytest.approx((3 - 2.776445 * 0.707107, 3 + 2.776445 * 0.707107), rel=1e-5)


def test_a_value_twice_in_its_cluster_makes_nothing_surer() -> None:
    once = interval(clustered(np.array([1.0, 2.0, 6.0]), range(3)))
    twice = interval(clustered(np.array([1.0, 1.0, 2.0, 2.0, 6.0, 6.0]), [0, 0, 1, 1, 2, 2]))
    assert [float(x) for x in once] == pytest.approx([float(x) for x in twice])


def test_few_clusters_are_flipped_in_every_way() -> None:
    values = [3.0, 1.0, 2.0, 5.0]
    flipped = [abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in product((1, -1), repeat=4)]
    expected = sum(x >= sum(values) for x in flipped) / 16
    assert float(sign_flip(clustered(np.array(values), range(4)))) == expected == 2 / 16


def test_twins_that_never_differ_are_not_told_apart() -> None:
    data = clustered(np.zeros(60), [i // 2 for i in range(60)])
    assert float(sign_flip(data)) == 1.0
    assert [float(x) for x in interval(data)] == [0.0, 0.0]


def test_one_seed_alone_says_nothing_of_how_sure_it_is() -> None:
    low, high = interval(clustered(np.array([1.0, 2.0]), [0, 0]))
    assert (float(low), float(high)) == (-np.inf, np.inf)


def test_holms_correction_as_in_the_book() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
