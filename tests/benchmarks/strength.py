"""How strong one bot is against another on the small scenarios: the figures in the README.

    python -m tests.benchmarks.strength duel_glade search greedy --pairs 60 --workers 2
    python -m tests.benchmarks.strength border_fort search greedy --pairs 240 --workers 2
    python -m tests.benchmarks.strength fox_pen search greedy --pairs 60 --workers 2

A pair is two games of one seed: the two entrants share the seats evenly, in a way that goes round with the seed (of
four seats: every second one, the first two, the middle two), then they swap them. Of each game counts who, of each two
seats of different entrants, has the better place. A pair is decided where one of them has more of these after both
games; the share of the decided pairs that the first entrant has won is told with its 95 % interval (Wilson). `--least`
and `--most-ms` make it fail where the share is less, the interval reaches down to one half, or choices took longer.

The share is the same on every machine and with any number of workers. Times are processor time of a choice where there
was more than one, and depend on the machine and on what else runs there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from statistics import fmean, median
from time import process_time

from tests.benchmarks.measure_scenarios import percent
from tests.contract.playing import ACTIONS_AT_MOST, library

from livingtable.agents import check_agent, choose, next_command
from livingtable.arena.table import wilson
from livingtable.errors import ScenarioError, UnknownNameError
from livingtable.game import State

SHARINGS = {2: ((0, 1),), 4: ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))}
"""By number of seats: which entrant has which seat in the first game of a pair."""


@dataclass(frozen=True, slots=True)
class Game:
    """Seen from the first entrant: by how many comparisons of seats it is ahead, and how long each choice took it."""

    ahead: int
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    first: Game
    swapped: Game

    @property
    def ahead(self) -> int:
        return self.first.ahead + self.swapped.ahead

    @property
    def games(self) -> tuple[Game, Game]:
        return self.first, self.swapped


def play(state: State, entrants: tuple[str, str], sharing: Sequence[int], seed: int) -> Game:
    """One game to its end; `sharing` has 0 or 1 for each seat."""
    seats = dict(zip(state.sides, sharing, strict=True))
    seconds: list[float] = []
    version = 0
    while state.to_act and version < ACTIONS_AT_MOST:
        side = next_command(state, seed)
        thinks = seats[side] == 0 and len(state.legal_actions(side)) > 1
        began = process_time()
        action = choose(entrants[seats[side]], state, side, seed, version)
        if thinks:
            seconds.append(process_time() - began)
        state.apply(side, action)
        version += 1
    place = {row["side"]: row["place"] for row in state.ranking()}
    ahead = sum(
        (place[other] > place[side]) - (place[other] < place[side])
        for side in seats
        for other in seats
        if (seats[side], seats[other]) == (0, 1)
    )
    return Game(ahead, tuple(seconds))


def play_pair(seed: int, scenario: str, entrants: tuple[str, str]) -> Pair:
    start = library().get(scenario)
    sharings = SHARINGS[len(start.start(seed).sides)]
    sharing = sharings[seed % len(sharings)]
    swapped = [1 - entrant for entrant in sharing]
    return Pair(play(start.start(seed), entrants, sharing, seed), play(start.start(seed), entrants, swapped, seed))


def play_all(scenario: str, entrants: tuple[str, str], seeds: range, workers: int) -> list[Pair]:
    """In the order of the seeds, whoever has played them."""
    with Pool(workers) as pool:
        return list(pool.imap(partial(play_pair, scenario=scenario, entrants=entrants), seeds))


@dataclass(frozen=True, slots=True)
class Strength:
    """What pairs say of the first entrant."""

    pairs: Sequence[Pair]

    @property
    def won(self) -> int:
        return sum(pair.ahead > 0 for pair in self.pairs)

    @property
    def decided(self) -> int:
        return sum(pair.ahead != 0 for pair in self.pairs)

    @property
    def share(self) -> float:
        return self.won / self.decided if self.decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.decided)

    @property
    def games(self) -> float:
        """The share of single games, drawn ones counted half."""
        return fmean((game.ahead > 0) + (game.ahead == 0) / 2 for pair in self.pairs for game in pair.games)

    @property
    def milliseconds(self) -> list[float]:
        """Of all its choices, the quickest first."""
        return sorted(1000 * seconds for pair in self.pairs for game in pair.games for seconds in game.seconds)

    def told(self, scenario: str, entrants: tuple[str, str]) -> str:
        (low, high), taken = self.interval, self.milliseconds
        return (
            f"{scenario}: {entrants[0]} wins {self.won} of {self.decided} decided pairs against {entrants[1]} "
            f"({len(self.pairs)} played), {percent(self.share)} (95 % interval {percent(low)} to {percent(high)}), "
            f"and {percent(self.games)} of the games. Its choices take {fmean(taken):.1f} ms on the average, "
            f"median {median(taken):.1f}, 95 % at most {taken[int(len(taken) * 0.95)]:.1f}, all {taken[-1]:.1f}."
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.strength", description="Measures one bot against another."
    )
    parser.add_argument("scenario", help="a shipped scenario of two or four seats")
    parser.add_argument("first", help="the bot that is measured: search, search:200, greedy, …")
    parser.add_argument("second", help="whom it is measured against")
    parser.add_argument("--pairs", type=int, default=60, help="pairs of games (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the first pair (default 0); the others follow")
    parser.add_argument("--workers", type=int, default=1, help="processes; the share does not depend on it")
    parser.add_argument("--least", type=float, default=0.0, help="fail if it wins less than this share, as 0.65")
    parser.add_argument("--most-ms", type=float, help="fail if its choices take longer on the average")
    given = parser.parse_args(arguments)
    if given.pairs < 1 or given.workers < 1:
        parser.error("--pairs and --workers must be at least 1")
    entrants = (given.first, given.second)
    try:
        scenario = library().get(given.scenario)
        for entrant in entrants:
            check_agent(entrant, scenario.game)
    except (UnknownNameError, ScenarioError) as error:
        parser.error(str(error))
    if len(scenario.start(0).sides) not in SHARINGS:
        parser.error(f"{given.scenario} has not two or four seats")
    strength = Strength(play_all(given.scenario, entrants, range(given.seed, given.seed + given.pairs), given.workers))
    print(strength.told(given.scenario, entrants))  # noqa: T201
    too_weak = given.least and (strength.share < given.least or strength.interval[0] <= 0.5)
    too_slow = given.most_ms is not None and fmean(strength.milliseconds) > given.most_ms
    return int(bool(too_weak or too_slow))


if __name__ == "__main__":
    sys.exit(main())
