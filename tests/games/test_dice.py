"""The dice: SplitMix64 by counter, loaded values in front, plain data."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from livingtable.dice import MAX_SEED, Dice, derive_seed, shuffled

WORD = 2**64
PINNED_D20 = [2, 15, 8, 6, 11, 15, 7, 13, 15, 6, 1, 3]
PINNED_D3 = [3, 3, 3, 2, 2, 1, 2, 2, 3, 1, 3, 2]


class SplitMix64:
    """As published, to hold the counter-based one against."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
        return z ^ z >> 31


def test_the_reference_gives_the_published_numbers() -> None:
    reference = SplitMix64(1234567)
    assert [reference.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 7, 1234567, MAX_SEED])
def test_the_dice_are_splitmix64_seeded_with_its_own_first_number(seed: int) -> None:
    reference, dice = SplitMix64(SplitMix64(seed).next()), Dice(seed)
    assert [dice.below(WORD) for _ in range(100)] == [reference.next() for _ in range(100)]


def test_the_throws_of_a_seed_never_change() -> None:
    dice = Dice(7)
    assert [dice.roll(20) for _ in range(12)] == PINNED_D20
    assert [dice.roll(3) for _ in range(12)] == PINNED_D3


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 20, 100])
def test_throws_are_in_range_and_every_side_falls_about_as_often(sides: int) -> None:
    dice = Dice(42)
    throws = 200 * sides
    fallen = Counter(dice.roll(sides) for _ in range(throws))
    assert set(fallen) == set(range(1, sides + 1))
    chi_squared = sum((n - 200) ** 2 / 200 for n in fallen.values())
    assert chi_squared < sides + 4 * (2 * sides) ** 0.5


def test_what_does_not_divide_evenly_is_drawn_again() -> None:
    n = WORD // 2 + 1  # Nearly every second draw is above the last whole multiple.
    dice = Dice(3)
    drawn = [dice.below(n) for _ in range(200)]
    assert all(0 <= value < n for value in drawn)
    assert dice.draws > 250


def test_a_throw_depends_on_the_number_of_draws_alone() -> None:
    dice = Dice(5)
    for _ in range(10):
        dice.roll(20)
    assert Dice(5, draws=dice.draws).roll(20) == dice.roll(20)


def test_loaded_values_of_a_die_fall_first_and_in_order_and_cost_no_draw() -> None:
    dice = Dice(1, loaded={20: [20, 1, 7], 6: [6]})
    assert [dice.roll(20), dice.roll(6), dice.roll(20), dice.roll(20)] == [20, 6, 1, 7]
    assert dice.draws == 0
    assert dice.loaded == {}
    assert [dice.roll(20) for _ in range(5)] == [Dice(1, draws=n).roll(20) for n in range(5)]


def test_loaded_values_of_another_die_wait_for_it() -> None:
    dice = Dice(1, loaded={3: [2, 2]})
    assert dice.roll(20) == Dice(1).roll(20)
    assert [dice.roll(3), dice.roll(3)] == [2, 2]


def test_loaded_values_are_not_used_where_something_is_picked_or_shuffled() -> None:
    loaded, plain = Dice(9, loaded={3: [1, 1, 1]}), Dice(9)
    assert loaded.pick("abc") == plain.pick("abc")
    assert loaded.below(3) == plain.below(3)
    assert loaded.loaded == {3: (1, 1, 1)}


def test_a_copy_goes_its_own_way_from_the_same_place() -> None:
    dice = Dice(11, loaded={20: [3, 4]})
    dice.roll(20)
    copy = dice.copy()
    throws = [dice.roll(20) for _ in range(6)]
    assert [copy.roll(20) for _ in range(6)] == throws


def test_dice_go_through_json_in_the_middle_of_a_game() -> None:
    dice = Dice(MAX_SEED, loaded={20: [3, 4, 5], 3: [1]})
    dice.roll(20)
    dice.roll(6)
    data = dice.to_data()
    again = Dice.from_data(json.loads(json.dumps(data, allow_nan=False)))
    assert again.to_data() == data
    assert [again.roll(n) for n in (20, 20, 3, 20, 3, 6)] == [dice.roll(n) for n in (20, 20, 3, 20, 3, 6)]


def test_a_shuffle_keeps_everything_and_reaches_every_order() -> None:
    orders = {tuple(shuffled("abc", seed)) for seed in range(100)}
    assert len(orders) == 6
    assert {tuple(sorted(order)) for order in orders} == {("a", "b", "c")}


def test_shuffled_leaves_what_it_was_given_as_it_was() -> None:
    items = [1, 2, 3, 4, 5]
    assert shuffled(items, 4) == shuffled(items, 4)
    assert items == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("seed", [0, 1, MAX_SEED])
@pytest.mark.parametrize("salt", [(), (0,), ("p1",), ("bot", "p1", 3), (2**200,), (-1,), ("é" * 50,)])
def test_a_derived_seed_is_a_seed(seed: int, salt: tuple[int | str, ...]) -> None:
    assert 0 <= derive_seed(seed, *salt) <= MAX_SEED
    assert derive_seed(seed, *salt) == derive_seed(seed, *salt)


def test_derived_seeds_differ_by_seed_by_salt_and_by_its_order() -> None:
    salts: list[tuple[int | str, ...]] = [("a",), ("b",), ("a", "b"), ("b", "a"), ("ab",), (1,), (2,), (1, 2), (2, 1)]
    seeds = {derive_seed(seed, *salt) for seed in range(50) for salt in salts}
    assert len(seeds) == 50 * len(salts)
