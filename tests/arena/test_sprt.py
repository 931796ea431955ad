"""When two have played enough."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from tests.arena.tournaments import row

from livingtable.arena.sprt import PAIRS_AT_LEAST, SequentialTest, Sprt, expected_score
from livingtable.game import Data


def pair(group: int, *winners: str) -> list[Data]:
    """The games of a seed, each with its winner, `=` for a draw."""
    draw = {"a": 1, "b": 1}
    return [
        row(draw, group, "drawn") if w == "=" else row({n: 1 if n == w else 2 for n in "ab"}, group) for w in winners
    ]


def after(rows: list[Data], first: str = "a", second: str = "b", elo0: float = 0, elo1: float = 30) -> Sprt:
    test = SequentialTest(first, second, elo0, elo1)
    for game in rows:
        test.add(game)
    return test.found()


def test_a_pair_scores_the_mean_of_its_games() -> None:
    rows = [*pair(0, "a", "a"), *pair(1, "a", "b"), *pair(2, "=", "a"), *pair(3, "b", "b")]
    assert (after(rows).pairs, after(rows).mean) == (4, 2.25 / 4)
    assert after(rows, "b", "a").mean == 1.75 / 4


def test_a_pair_of_which_a_game_was_forfeited_or_is_still_to_be_played_does_not_count() -> None:
    rows = [*pair(0, "a", "a"), *pair(1, "a"), row({"a": 1, "b": 2}, 1, "forfeit"), *pair(2, "b")]
    assert (after(rows).pairs, after(rows).mean) == (1, 1.0)


def test_it_says_at_which_game_it_was_decided() -> None:
    test = SequentialTest("a", "b", 0, 30)
    rows = [game for n in range(100) for game in pair(n, "a", "a")]
    heard = [test.add(game) for game in rows]
    at = heard.index(True)
    assert at >= 2 * PAIRS_AT_LEAST - 1
    assert after(rows[: at + 1]).verdict == "elo1"
    assert after(rows[:at]).verdict == "undecided"


def test_a_score_of_64_percent_is_100_elo() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(100) == pytest.approx(0.640, abs=0.0005)


def test_a_few_pairs_decide_nothing() -> None:
    rows = [g for n in range(PAIRS_AT_LEAST - 1) for g in pair(n, "a", "a")]
    assert after(rows).verdict == "undecided"
    assert after([]).verdict == "undecided"


def test_one_that_always_wins_is_stronger() -> None:
    rows = [g for n in range(PAIRS_AT_LEAST) for g in pair(n, "a", "a")]
    assert after(rows).verdict == "elo1"
    assert after(rows, "b", "a").verdict == "elo0"


def test_the_ratio_is_that_of_two_normal_densities() -> None:
    rows = [*(g for n in range(12) for g in pair(n, "a", "a")), *(g for n in range(12, 20) for g in pair(n, "b", "b"))]
    found = after(rows, elo0=-20, elo1=40)
    low, high = expected_score(-20), expected_score(40)
    variance = 0.6 * 0.4

    def log_density(mean: float) -> float:
        return -(12 * (1 - mean) ** 2 + 8 * mean**2) / (2 * variance)

    assert found.mean == 0.6
    assert found.llr == pytest.approx(log_density(high) - log_density(low))


@pytest.mark.parametrize(("true_elo", "accepted"), [(0, "elo0"), (60, "elo1")])
def test_it_is_seldom_wrong(true_elo: float, accepted: str) -> None:
    """At most 5 % either way are; 200 tests of pairs that are drawn at random."""
    random = Random(int(true_elo))
    chance = expected_score(true_elo)
    found = [decided(random, chance) for _ in range(200)]
    assert found.count(accepted) >= 200 * 0.95 - 2 * (200 * 0.95 * 0.05) ** 0.5


def decided(random: Random, chance: float) -> str:
    test = SequentialTest("a", "b", 0, 60)
    for group in count():
        for game in pair(group, *("a" if random.random() < chance else "b" for _ in range(2))):
            if test.add(game):
                return test.found().verdict
    raise AssertionError
