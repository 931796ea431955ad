"""Which games a tournament plays: groups of one seed, in which every entrant has every seat as often as the others.

The n-th group's seed depends on the tournament's seed and n alone, so adding entrants or games to a run changes none of
the games that it has, nor their order among themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from livingtable.dice import derive_seed

Seating = tuple[str, ...]
"""Who has each seat, in the order of the scenario's seats."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to play; `group` is the number of its seed."""

    scenario: str
    group: int
    seed: int
    seating: Seating


def group_seed(seed: int, scenario: str, group: int) -> int:
    return derive_seed(seed, "group", scenario, group)


def seatings(entrants: Sequence[str], seats: int) -> list[Seating]:
    """Every way to seat them that a group plays, each once, ordered by who sits where.

    As many of the entrants as there are seats (all of them, if they are fewer, in turn over the seats); of each such
    set all rotations, so that in a group each of them has each seat equally often.
    """
    together = min(seats, len(entrants))
    found = {
        tuple(chosen[(place + shift) % together] for place in range(seats))
        for chosen in combinations(range(len(entrants)), together)
        for shift in range(together)
    }
    return [tuple(entrants[n] for n in seating) for seating in sorted(found)]


def groups_for(games: int, entrants: Sequence[str], seats: int) -> int:
    """How many whole groups are at least so many games."""
    return -(-games // len(seatings(entrants, seats)))


def schedule(scenario: str, seats: int, entrants: Sequence[str], games: int, seed: int) -> Iterator[Fixture]:
    """Whole groups, until they are at least so many games."""
    ways = seatings(entrants, seats)
    for group in range(groups_for(games, entrants, seats)):
        for seating in ways:
            yield Fixture(scenario, group, group_seed(seed, scenario, group), seating)
