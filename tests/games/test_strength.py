"""Who is stronger on the small scenarios, in few games: `python -m tests.benchmarks.strength` measures by how much.

The games are the same on every machine, so these tests do not depend on luck.
"""

from __future__ import annotations

import pytest
from tests.benchmarks.strength import Strength, play_all

SMALL = ("duel_glade", "border_fort", "fox_pen")


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SMALL)
def test_search_wins_more_pairs_against_greedy_than_it_loses(scenario: str) -> None:
    strength = Strength(play_all(scenario, ("search", "greedy"), range(12), workers=2))
    assert strength.won > strength.decided / 2
    assert strength.games > 0.5


@pytest.mark.parametrize("scenario", SMALL)
def test_greedy_wins_nearly_all_pairs_against_chance(scenario: str) -> None:
    strength = Strength(play_all(scenario, ("greedy", "random"), range(6), workers=1))
    assert strength.decided >= 4
    assert strength.won == strength.decided


def test_entrants_of_one_kind_are_level_when_they_swap_seats() -> None:
    """As they are deterministic, the second game is the first one, with the names changed."""
    strength = Strength(play_all("border_fort", ("greedy", "greedy"), range(3), workers=1))
    assert strength.decided == 0
    assert strength.games == 0.5
