"""When two have played enough."""

from __future__ import annotations

import pytest
from tests.arena.tournaments import row

from livingtable.arena.sprt import PAIRS_AT_LEAST, expected_score, pair_scores, sprt
from livingtable.game import Data


def pair(group: int, *winners: str) -> list[Data]:
    """The games of a seed, each with its winner, `=` for a draw."""
    draw = {"a": 1, "b": 1}
    return [
        row(draw, group, "drawn") if w == "=" else row({n: 1 if n == w else 2 for n in "ab"}, group) for w in winners
    ]


def test_a_pair_scores_the_mean_of_its_games() -> None:
    rows = [*pair(0, "a", "a"), *pair(1, "a", "b"), *pair(2, "=", "a"), *pair(3, "b", "b")]
    assert pair_scores(rows, "a", "b") == [1.0, 0.5, 0.75, 0.0]
    assert pair_scores(rows, "b", "a") == [0.0, 0.5, 0.25, 1.0]


def test_a_pair_of_which_a_game_was_forfeited_does_not_count() -> None:
    rows = [*pair(0, "a", "a"), *pair(1, "a"), row({"a": 1, "b": 2}, 1, "forfeit")]
    assert pair_scores(rows, "a", "b") == [1.0]


def test_a_score_of_64_percent_is_100_elo() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(100) == pytest.approx(0.640, abs=0.0005)


def test_a_few_pairs_decide_nothing() -> None:
    rows = [g for n in range(PAIRS_AT_LEAST - 1) for g in pair(n, "a", "a")]
    assert sprt(rows, "a", "b", 0, 30).verdict == "undecided"
    assert sprt([], "a", "b", 0, 30).verdict == "undecided"


def test_one_that_always_wins_is_stronger() -> None:
    rows = [g for n in range(PAIRS_AT_LEAST) for g in pair(n, "a", "a")]
    assert sprt(rows, "a", "b", 0, 30).verdict == "elo1"
    assert sprt(rows, "b", "a", 0, 30).verdict == "elo0"


def test_the_ratio_is_that_of_two_normal_densities() -> None:
    rows = [*(g for n in range(12) for g in pair(n, "a", "a")), *(g for n in range(12, 20) for g in pair(n, "b", "b"))]
    found = sprt(rows, "a", "b", -20, 40)
    low, high = expected_score(-20), expected_score(40)
    variance = 0.6 * 0.4

    def log_density(mean: float) -> float:
        return -(12 * (1 - mean) ** 2 + 8 * mean**2) / (2 * variance)

    assert found.mean == 0.6
    assert found.llr == pytest.approx(log_density(high) - log_density(low))
