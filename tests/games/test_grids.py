"""Square coordinates: how they are written, which are neighbours, how far they are."""

from __future__ import annotations

from itertools import product

import pytest

from livingtable.dice import Dice
from livingtable.grids import EIGHT_DIRECTIONS, FOUR_DIRECTIONS, chebyshev, format_pair, nth_bit, parse_pair


def test_a_written_cell_reads_back() -> None:
    for x, y in product((-999_999, -10, -1, 0, 1, 9, 10, 99, 100, 999_999), repeat=2):
        assert parse_pair(format_pair(x, y)) == (x, y)


@pytest.mark.parametrize(
    "text",
    [
        "", ",", "3", "3,", ",4", "3,4,5", "3 4", "3;4", "(3,4)", "3, 4", " 3,4", "3,4 ", "3,4\n", "+3,4", "03,4",
        "3,04", "00,0", "-0,0", "0,-0", "--1,0", "3.0,4", "1e1,0", "x,y", "３,４", "٣,٤", "3,4\x00", "1000000,0",
        "9" * 5000 + ",0",
    ],
)  # fmt: skip
def test_only_the_canonical_writing_is_a_cell(text: str) -> None:
    assert parse_pair(text) is None


def test_the_eight_directions_start_in_the_north_and_go_with_the_sun() -> None:
    assert EIGHT_DIRECTIONS[:3] == ((0, -1), (1, -1), (1, 0))
    assert len(set(EIGHT_DIRECTIONS)) == 8
    for (ax, ay), (bx, by) in zip(EIGHT_DIRECTIONS, EIGHT_DIRECTIONS[1:] + EIGHT_DIRECTIONS[:1], strict=True):
        assert ax * by - ay * bx > 0, "each is clockwise of the one before (y grows to the south)"
        assert chebyshev((ax, ay), (bx, by)) == 1


def test_the_four_directions_are_every_second_of_the_eight() -> None:
    assert EIGHT_DIRECTIONS[::2] == FOUR_DIRECTIONS


def test_neighbours_are_those_at_distance_one_and_every_direction_has_its_opposite() -> None:
    near = {(dx, dy) for dx, dy in product(range(-3, 4), repeat=2) if chebyshev((0, 0), (dx, dy)) == 1}
    assert near == set(EIGHT_DIRECTIONS)
    for directions in (EIGHT_DIRECTIONS, FOUR_DIRECTIONS):
        assert {(-dx, -dy) for dx, dy in directions} == set(directions)


def test_distance_is_the_number_of_king_s_moves() -> None:
    reached = {(0, 0): 0}
    edge = [(0, 0)]
    for steps in range(1, 6):
        edge = [(x + dx, y + dy) for x, y in edge for dx, dy in EIGHT_DIRECTIONS if (x + dx, y + dy) not in reached]
        reached.update(dict.fromkeys(edge, steps))
        edge = sorted(set(edge))
    assert len(reached) == 121
    for cell, steps in reached.items():
        assert chebyshev((0, 0), cell) == chebyshev(cell, (0, 0)) == steps


def test_the_nth_bit_is_the_nth_that_is_set_from_the_lowest() -> None:
    dice = Dice(2)
    masks = [
        1,
        2,
        3,
        0b1011,
        1 << 576,
        (1 << 10_000) - 1,
        *(dice.below(2**64) << dice.below(700) | 1 for _ in range(60)),
    ]
    for mask in masks:
        places = [place for place in range(mask.bit_length()) if mask >> place & 1]
        for n in {*range(0, len(places), 17), len(places) - 1}:
            assert nth_bit(mask, n) == places[n]
