"""The largest set-ups that the schemas allow: seconds, counted work and memory of each call, of every game.

    python -m tests.benchmarks.largest_setups [WORDS ...] [--without-search]

WORDS choose the set-ups whose names hold them all. Work is lines of Python (`tests.games.work`), the same on every
machine; a call that does more than its limit fails, and the exit code is 1. Seconds are processor time and no limit.
The work of `search` is that of a whole choice of `search:1000` as it is fitted to the game, told from two iterations.
"""

from __future__ import annotations

import argparse
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from time import process_time

from tests.games.largest import setups
from tests.games.measuring import LIMITS, SEED, START_KIB, calls, forget, iterations_of, searching
from tests.games.work import counted

from livingtable.game import Data
from livingtable.scenarios import check_setup

Row = tuple[str, float, int]
"""A call, its seconds, its work."""


def measured(setup: Data) -> list[Row]:
    """Each call's worst."""
    seconds = dict(_worst(setup, _seconds))
    work = dict(_worst(setup, lambda call: counted(call)[0]))
    return [(name, seconds[name], int(work[name])) for name in seconds]


def _worst(setup: Data, measure: Callable[[Callable[[], object]], float]) -> list[tuple[str, float]]:
    forget()
    worst: dict[str, float] = {}
    for name, call in calls(setup):
        worst[name] = max(worst.get(name, 0), measure(call))
    return list(worst.items())


def _seconds(call: Callable[[], object]) -> float:
    began = process_time()
    call()
    return process_time() - began


def search_measured(setup: Data) -> Row | None:
    state = check_setup(setup).start(SEED)
    if not state.to_act:
        return None
    iterations = iterations_of(state)
    forget()
    one, three = (counted(searching(state, n))[0] for n in (1, 3))
    took = _seconds(searching(state, iterations))
    return f"search:{iterations}", took, one + (three - one) * (iterations - 1) // 2


def memory_of_start(setup: Data) -> int:
    """In KiB, at the most."""
    tracemalloc.start()
    state = check_setup(setup).start(SEED)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del state
    return peak // 1024


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.largest_setups", description="Measures the largest set-ups."
    )
    parser.add_argument("words", nargs="*", help="of the names of set-ups")
    parser.add_argument("--without-search", action="store_true")
    given = parser.parse_args(arguments)
    missed = 0
    for name, setup in setups().items():
        if not all(word in name for word in given.words):
            continue
        rows = measured(setup)
        searched = None if given.without_search else search_measured(setup)
        rows += [searched] if searched else []
        kibibytes = memory_of_start(setup)
        sys.stdout.write(f"{name}: start {kibibytes:,} KiB\n")
        missed += kibibytes > START_KIB
        for call, seconds, work in rows:
            limit = LIMITS[call.partition(":")[0]]
            verdict = "" if work <= limit else f"  MISSED: at most {limit:,}"
            sys.stdout.write(f"  {call:12} {1000 * seconds:9.1f} ms {work:12,} lines{verdict}\n")
            missed += work > limit
        sys.stdout.flush()
    sys.stdout.write("all limits kept\n" if not missed else f"{missed} limits missed\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
