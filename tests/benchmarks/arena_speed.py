"""How fast tournaments are played, beside the same games without the arena, and on Ray; and what memory they take.

python -m tests.benchmarks.arena_speed [workers] [ray] [memory] [--games 1000] [--scenario castle_siege]

workers: greedy against itself, with two workers, beside two single processes at once that each play half of the games.
ray: the same games on Ray on this machine, beside two workers. memory: of the process that hands out the games, at the
end of runs of different lengths.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from livingtable.arena.plan import Plan
from livingtable.arena.run import Run
from livingtable.arena.schedule import Fixture
from livingtable.arena.workers import BATCH, play_one

WORKERS = 2
Took = tuple[float, float]
"""Seconds, and of processors: what else a machine does lengthens the first, hardly the second."""
REPEATS = 3
"""Taken in turn, so that what else the machine does hits all alike; the best of each counts."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def alone(plan: Plan, fixtures: Sequence[Fixture]) -> None:
    """Plays, and keeps nothing."""
    for fixture in fixtures:
        play_one(plan, fixture)


def now() -> Took:
    """The second one with that of the processes which have ended."""
    return time.perf_counter(), sum(os.times()[:4])


def since(begun: Took) -> Took:
    seconds, processor = now()
    return seconds - begun[0], processor - begun[1]


def two_at_once(plan: Plan) -> Took:
    """What two processes need which know nothing of each other, from their start to the end of both."""
    fixtures = list(plan.fixtures())
    spawn = multiprocessing.get_context("spawn")
    halves = [spawn.Process(target=alone, args=(plan, fixtures[n::WORKERS])) for n in range(WORKERS)]
    begun = now()
    for process in halves:
        process.start()
    for process in halves:
        process.join()
    return since(begun)


def run(plan: Plan) -> Took:
    """What a whole run needs, with all that is written."""
    with TemporaryDirectory() as folder:
        begun = now()
        Run(Path(folder)).go_on(plan, WORKERS)
        return since(begun)


def workers(plan: Plan) -> None:
    took = [(two_at_once(plan), run(plan)) for _ in range(REPEATS)]
    apart, together = (min(times) for times in zip(*took, strict=True))
    say(f"{plan.games} games of {plan.scenarios[0]}, {WORKERS} workers: {plan.games / together[0]:.1f} a second")
    say(f"    two single processes at once: {plan.games / apart[0]:.1f}; that is {apart[0] / together[0]:.2f} of it")
    apart, together = (min(processor(times)) for times in zip(*took, strict=True))
    say(f"    of processors the run takes {together:.1f} s, the two {apart:.1f} s; a rate of {apart / together:.2f}")


def processor(took: Sequence[Took]) -> list[float]:
    return [seconds for _, seconds in took]


def on_ray(plan: Plan) -> None:
    took = [(after_first_batches(plan), after_first_batches(plan, "local")) for _ in range(REPEATS)]
    (local, local_begin), (remote, remote_begin) = (min(times) for times in zip(*took, strict=True))
    say(f"{plan.games} games of {plan.scenarios[0]}: {local:.1f} s with {WORKERS} workers, {remote:.1f} s on Ray")
    say(f"    {remote / local - 1:+.1%}; before the first games {local_begin:.1f} s, {remote_begin:.1f} s")


def after_first_batches(plan: Plan, ray: str | None = None) -> Took:
    """Seconds from the first games on to the last, and before that."""
    at = [time.perf_counter()]

    def told(done: int, _of: int) -> None:
        if done in (BATCH * WORKERS, plan.games):
            at.append(time.perf_counter())

    with TemporaryDirectory() as folder:
        Run(Path(folder)).go_on(plan, WORKERS, told, ray=ray)
    begun, first, last = at
    return last - first, first - begun


def memory(plan: Plan) -> None:
    """In processes of their own, since a process does not give back what it once had."""
    spawn = multiprocessing.get_context("spawn")
    for games in (plan.games // 10, plan.games // 3, plan.games):
        process = spawn.Process(target=say_peak, args=(plan, games))
        process.start()
        process.join()


def say_peak(plan: Plan, games: int) -> None:
    fewer = Plan(plan.scenarios, plan.entrants, games, plan.seed, compressed=True)
    run(fewer)
    say(f"{games} games: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")


def main() -> None:
    parts = {"workers": workers, "ray": on_ray, "memory": memory}
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("parts", nargs="*", choices=[*parts, []])
    options.add_argument("--games", type=int, default=1_000)
    options.add_argument("--scenario", default="castle_siege")
    given = options.parse_args()
    plan = Plan((given.scenario,), ("greedy",), given.games, 1)
    first = list(islice(plan.fixtures(), 20))
    begun = time.perf_counter()
    alone(plan, first)
    say(f"one game takes {(time.perf_counter() - begun) / len(first):.3f} s here; load {os.getloadavg()[0]:.1f}")
    for part in given.parts or list(parts):
        parts[part](plan)


if __name__ == "__main__":
    main()
