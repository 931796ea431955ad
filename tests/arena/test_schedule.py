"""Who plays whom, on which seed, from which seat."""

from __future__ import annotations

from collections import Counter

import pytest

from livingtable.arena.schedule import schedule, seatings

ABC = ("a", "b", "c")


def test_two_play_both_sides_of_every_seed() -> None:
    games = list(schedule("any", 2, ("a", "b"), 4, seed=1))
    assert [(game.group, game.seating) for game in games] == [
        *((0, ("a", "b")), (0, ("b", "a")), (1, ("a", "b")), (1, ("b", "a")))
    ]
    assert games[0].seed == games[1].seed != games[2].seed == games[3].seed


@pytest.mark.parametrize("entrants", [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_in_a_group_every_entrant_has_every_seat_equally_often(entrants: int, seats: int) -> None:
    names = "abcdefg"[:entrants]
    for seat in range(seats):
        sat = Counter(seating[seat] for seating in seatings(names, seats))
        assert set(sat) == set(names)
        assert len(set(sat.values())) == 1


def test_no_game_is_on_the_schedule_twice() -> None:
    games = list(schedule("any", 4, ABC, 50, seed=1))
    assert len(set(games)) == len(games) >= 50


def test_twenty_games_of_one_against_itself_have_twenty_seeds_and_the_same_again() -> None:
    games = list(schedule("any", 2, ("a",), 20, seed=5))
    assert len({game.seed for game in games}) == len(games) == 20
    assert list(schedule("any", 2, ("a",), 20, seed=5)) == games
    assert not {game.seed for game in games} & {game.seed for game in schedule("any", 2, ("a",), 20, seed=6)}
    assert not {game.seed for game in games} & {game.seed for game in schedule("other", 2, ("a",), 20, seed=5)}


def test_names_decide_nothing_about_the_seeds_and_seats() -> None:
    games = schedule("any", 3, ABC, 12, seed=1)
    renamed = schedule("any", 3, ("z", "y", "x"), 12, seed=1)
    names: dict[str, str] = dict(zip(ABC, "zyx", strict=True))
    assert [(g.seed, tuple(names[n] for n in g.seating)) for g in games] == [(g.seed, g.seating) for g in renamed]


def test_who_joins_later_changes_neither_the_games_nor_their_order() -> None:
    before = list(schedule("any", 2, ("a", "b"), 4, seed=1))
    after = list(schedule("any", 2, ABC, 12, seed=1))
    assert [game for game in after if game in before] == before
