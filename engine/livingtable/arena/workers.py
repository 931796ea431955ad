"""Plays the games of a plan, here or in processes of their own; what comes of it is the same."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

from livingtable.arena.plan import Plan, library
from livingtable.arena.play import Played, play
from livingtable.arena.schedule import Fixture

BATCH = 4
"""Games that are handed to a worker at a time."""
AHEAD = 3
"""Batches a worker that may be under way or waiting to be written: what bounds the memory of a run."""


def played(plan: Plan, fixtures: Iterable[Fixture], workers: int) -> Iterator[Played]:
    """The games, in the order of the fixtures, whichever is over first."""
    if workers <= 1:
        for fixture in fixtures:
            yield play_one(plan, fixture)
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _leave_interrupts)
    try:
        waiting: deque[Future[list[Played]]] = deque()
        for batch in _batches(fixtures):
            waiting.append(pool.submit(_play_batch, plan, batch))
            if len(waiting) > AHEAD * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BaseException:
        # Whoever interrupts a tournament does not wait for the games under way.
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def play_one(plan: Plan, fixture: Fixture) -> Played:
    return play(fixture, library(plan.folders).get(fixture.scenario), plan.seconds, plan.max_actions)


def _play_batch(plan: Plan, batch: Sequence[Fixture]) -> list[Played]:
    return [play_one(plan, fixture) for fixture in batch]


def _batches(fixtures: Iterable[Fixture]) -> Iterator[list[Fixture]]:
    left = iter(fixtures)
    while batch := list(islice(left, BATCH)):
        yield batch


def _leave_interrupts() -> None:
    """A Ctrl-C at the terminal reaches every process; the one that began the others sees to them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
