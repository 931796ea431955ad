"""How strong each is: against an independent implementation, and where there is next to nothing to go by (C70, C71)."""

from __future__ import annotations

import json
from itertools import permutations
from math import exp, log
from random import Random

import choix
import numpy as np
import pytest
from tests.arena.tournaments import row

from livingtable.arena.ratings import ELO, PRIOR_GAMES, Rating, choices_of, ratings, resampled_strengths, strengths
from livingtable.arena.table import summary
from livingtable.game import Data

ABCD = ("a", "b", "c", "d")
TRUE = {"a": 1.2, "b": 0.4, "c": -0.3, "d": -1.3}


def drawn_order(random: Random, names: tuple[str, ...]) -> list[str]:
    """By Plackett and Luce, from the true strengths."""
    left, order = list(names), list[str]()
    while left:
        order += random.choices(left, [exp(TRUE[name]) for name in left])
        left.remove(order[-1])
    return order


def game(order: list[str], group: int = 0) -> Data:
    return row({name: place for place, name in enumerate(order, start=1)}, group)


def by_name(found: list[Rating]) -> dict[str, Rating]:
    return {rating.entrant: rating for rating in found}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_fit_is_that_of_choix(seats: int) -> None:
    random = Random(seats)
    orders = [drawn_order(random, tuple(random.sample(ABCD, seats))) for _ in range(60)]
    choices = choices_of([game(order, n) for n, order in enumerate(orders)], ABCD)
    many = 1e7  # of each game, so that the prior is next to nothing
    numbers = [tuple(ABCD.index(name) for name in order) for order in orders]
    expected = choix.opt_rankings(4, numbers, tol=1e-10)
    assert strengths(choices, many * choices.weights.sum(axis=0)) == pytest.approx(expected - expected.mean(), abs=1e-4)


def log_likelihood(logs: list[float], orders: list[tuple[int, ...]]) -> float:
    """The mean over the orders of the logarithm of each one's chance, as the books have it."""
    total = 0.0
    for order in orders:
        for place, n in enumerate(order):
            total += logs[n] - log(sum(exp(logs[m]) for m in order[place:]))
    return total / len(orders)


@pytest.mark.parametrize(
    "places",
    [
        {"a": 1, "b": 1},
        {"a": 1, "b": 2, "c": 2, "d": 2},
        {"a": 1, "b": 1, "c": 2, "d": 2},
        {"a": 1, "b": 1, "c": 1, "d": 1},
        {"a": 1, "b": 1, "c": 1, "a'": 1},
        {"a": 1, "b": 2, "b'": 2, "c": 2, "d": 2},
        {"a": 1, "a'": 2, "b": 2, "b'": 4},
    ],
    ids=str,
)
def test_a_tie_counts_as_the_mean_over_all_orders(places: dict[str, int]) -> None:
    seats = list(places)
    orders = [o for o in permutations(seats) if [places[s] for s in o] == sorted(places.values())]
    choices = choices_of([row(places)], ABCD)
    differences: list[float] = []
    for logs in ([0.0, 0.0, 0.0, 0.0], [1.0, 0.5, -0.2, -2.0], [-1.0, 2.0, 0.3, 0.1]):
        sums = choices.among @ np.exp(logs)
        ours = choices.weights.sum(axis=0) @ (np.array(logs)[choices.winner] - np.log(sums))
        numbers = [tuple(ABCD.index(seat[0]) for seat in order) for order in orders]
        differences.append(float(ours) - log_likelihood(logs, numbers))
    # Choices among copies of one entrant are left out: they are the same whatever the strengths.
    assert differences == pytest.approx([differences[0]] * 3)


def test_strengths_of_two_are_those_of_the_odds_with_the_prior() -> None:
    found = by_name(
        ratings([game(["a", "b"], n) for n in range(30)] + [game(["b", "a"], 30 + n) for n in range(10)], "ab")
    )
    gap = (found["a"].elo - found["b"].elo) / ELO
    # At the best fit the gradient is 0: wins less expected wins, and the prior's pull towards the middle.
    chance, pull = 1 / (1 + exp(-gap)), 1 / (1 + exp(-gap / 2)) - 0.5
    assert 30 - 40 * chance == pytest.approx(2 * PRIOR_GAMES * pull, abs=0.02)


def test_the_resamples_are_fitted_as_the_games_themselves() -> None:
    random = Random(4)
    games = [game(drawn_order(random, ABCD[: random.choice([2, 3, 4])]), n) for n in range(30)]
    games += [game(["a", "d"], 30 + n) for n in range(10)]
    choices = choices_of(games, ABCD)
    drawn = np.random.default_rng(1).multinomial(40, [1 / 40] * 40, size=20).astype(np.float64)
    only_one = np.zeros((1, 40))
    only_one[0, 0] = 1e6
    weights = np.concatenate([drawn, only_one]) @ choices.weights
    for start in (np.zeros(4), np.array([5.0, -5.0, 5.0, -5.0])):
        found = resampled_strengths(choices, weights, start)
        for counts, fitted in zip(weights, found, strict=True):
            assert fitted == pytest.approx(strengths(choices, counts), abs=1e-3)


def test_the_intervals_hold_what_is_true_and_shrink() -> None:
    random = Random(3)
    games = [game(drawn_order(random, ABCD), n) for n in range(400)]
    few, many = by_name(ratings(games[:25], ABCD)), by_name(ratings(games, ABCD))
    for name in ABCD:
        assert many[name].low < 1500 + ELO * TRUE[name] < many[name].high
        assert many[name].high - many[name].low < 0.5 * (few[name].high - few[name].low)


def test_games_of_one_seed_that_are_all_alike_are_no_more_evidence_than_their_seeds() -> None:
    def width(copies: int) -> float:
        games = [game(["a", "b"] if n % 3 else ["b", "a"], n) for n in range(12) for _ in range(copies)]
        found = by_name(ratings(games, "ab"))["a"]
        return found.high - found.low

    assert width(8) > 0.7 * width(1)


# next to nothing


def is_finite_and_json(rows: list[Data], entrants: str) -> dict[str, Rating]:
    found = by_name(ratings(rows, tuple(entrants)))
    json.loads(json.dumps(summary(rows, tuple(entrants)), allow_nan=False))
    assert found.keys() == set(entrants)
    assert all(0 < r.low <= r.elo <= r.high < 3_000 for r in found.values()), found
    return found


def test_the_undefeated_and_the_winless_are_finite_and_not_certain() -> None:
    found = is_finite_and_json([game(["a", "b"], n) for n in range(10)], "ab")
    assert found["a"].low > found["b"].elo
    assert found["a"].high - found["a"].low > 100


def test_one_without_games_has_what_is_assumed_of_everyone() -> None:
    found = is_finite_and_json([game(["a", "b"], n) for n in range(10)], "abc")
    assert found["c"].games == 0
    assert found["c"].high - found["c"].low > found["a"].high - found["a"].low


@pytest.mark.parametrize("entrants", ["a", "ab", "abcd"])
def test_without_games_all_are_equal(entrants: str) -> None:
    assert {r.elo for r in is_finite_and_json([], entrants).values()} == {1500.0}


def test_one_against_itself_is_average() -> None:
    assert is_finite_and_json([row({"a": 1, "a'": 2}, n) for n in range(4)], "a")["a"].elo == 1500.0


def test_forfeits_and_games_that_were_cut_off_say_nothing_of_skill() -> None:
    games = [game(["a", "b"], 0), game(["b", "a"], 1)]
    lost = [row({"a": 1, "b": 2}, n, "forfeit", by="b", side="seat-of-b", why="crash", detail="") for n in range(2, 9)]
    cut = [row({"a": 1, "b": 2}, n, "truncated") for n in range(9, 19)]
    assert ratings([*games, *lost, *cut], "ab") == ratings(games, "ab")


# the same table


def test_the_order_of_the_games_does_not_matter() -> None:
    random = Random(1)
    games = [game(drawn_order(random, ABCD), n // 4) for n in range(40)]
    mixed = random.sample(games, 40)
    assert summary(mixed, ABCD) == summary(games, ABCD)


def test_names_do_not_matter() -> None:
    random = Random(1)
    orders = [drawn_order(random, ABCD) for _ in range(40)]
    names: dict[str, str] = dict(zip(ABCD, "wzyx", strict=True))
    found = by_name(ratings([game(o, n // 4) for n, o in enumerate(orders)], ABCD))
    renamed = by_name(ratings([game([names[x] for x in o], n // 4) for n, o in enumerate(orders)], tuple("zxyw")))
    for name in ABCD:
        one, other = found[name], renamed[names[name]]
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high), abs=0.11)
