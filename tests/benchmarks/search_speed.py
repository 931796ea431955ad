"""Iterations a second of `search`, and how long its choices take, in the games of `greedy` on the small scenarios.

    python -m tests.benchmarks.search_speed [SCENARIO ...] [--games 10] [--budget 100]

Of each position where there was more than one choice the bot that is to act is asked; `greedy` then plays on. Times are
processor time, of one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import median
from time import process_time

from tests.contract.playing import bot_turns, library

from livingtable.agents import choose
from livingtable.errors import ScenarioError, UnknownNameError

SMALL = ("duel_glade", "border_fort", "fox_pen")


def seconds_of_choices(scenario: str, games: int, budget: int) -> list[float]:
    """The quickest first."""
    seconds: list[float] = []
    for seed in range(games):
        state = library().get(scenario).start(seed)
        for version, (side, action) in enumerate(bot_turns(state, "greedy", seed)):
            if len(state.legal_actions(side)) > 1:
                began = process_time()
                choose(f"search:{budget}", state, side, seed, version)
                seconds.append(process_time() - began)
            state.apply(side, action)
    return sorted(seconds)


def told(scenario: str, budget: int, seconds: Sequence[float]) -> str:
    rate = budget * len(seconds) / sum(seconds)
    middle, nearly_all = 1000 * median(seconds), 1000 * seconds[int(len(seconds) * 0.95)]
    return (
        f"{scenario}: {rate:,.0f} iterations a second; a choice of {budget} takes {middle:.1f} ms (median), "
        f"95 % at most {nearly_all:.1f} ms ({len(seconds)} choices)"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.search_speed", description="Measures the speed of search."
    )
    parser.add_argument("scenarios", nargs="*", default=SMALL, help="default: the small ones")
    parser.add_argument("--games", type=int, default=10, help="games of each scenario (default 10)")
    parser.add_argument("--budget", type=int, default=100, help="iterations a choice (default 100)")
    given = parser.parse_args(arguments)
    try:
        for scenario in given.scenarios:
            print(told(scenario, given.budget, seconds_of_choices(scenario, given.games, given.budget)))  # noqa: T201
    except (UnknownNameError, ScenarioError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
