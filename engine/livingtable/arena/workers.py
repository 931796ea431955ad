"""Plays the games of a plan, here or in processes of their own; what comes of it is the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice

from livingtable.arena.files import record_line
from livingtable.arena.plan import Plan, library
from livingtable.arena.play import Played, play
from livingtable.arena.schedule import Fixture
from livingtable.arena.stopping import deaf_children, holding
from livingtable.game import Data
from livingtable.scenarios import Scenario

BATCH = 4
"""Games that are handed to a worker at a time."""
AHEAD = 3
"""Batches a worker that may be under way or waiting to be written: what bounds the memory of a run."""

SECONDS_TO_HEAR = 0.5

Job = tuple[Fixture, Scenario]


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is written: its row, and the line of its record, made where it was played."""

    row: Data
    record: bytes


class LostWorkerError(Exception):
    """A process that played has ended before its games were over, and playing them again did not help."""


def played(plan: Plan, fixtures: Iterable[Fixture], workers: int, ray: str | None = None) -> Generator[Kept]:
    """The games, in the order of the fixtures, whichever is over first.

    `ray` is the address of a cluster, or `local`. Raises `LostWorkerError`.
    """
    if ray is not None:
        from livingtable.arena.on_ray import played_on_ray

        yield from played_on_ray(plan, batches(plan, fixtures), workers, ray)
    elif workers > 1:
        yield from _played_in_processes(plan, batches(plan, fixtures), workers)
    else:
        for fixture in fixtures:
            yield _kept(plan, play_one(plan, fixture))


def play_one(plan: Plan, fixture: Fixture) -> Played:
    return play(fixture, library(plan.folders).get(fixture.scenario), plan.seconds, plan.max_actions)


def play_batch(plan: Plan, batch: Sequence[Job]) -> list[Kept]:
    return [_kept(plan, play(fixture, scenario, plan.seconds, plan.max_actions)) for fixture, scenario in batch]


def _kept(plan: Plan, game: Played) -> Kept:
    return Kept(game.row, record_line(game.record, plan.compressed))


def batches(plan: Plan, fixtures: Iterable[Fixture]) -> Iterator[list[Job]]:
    """With their scenarios, for the files of a user's own need not be where the games are played."""
    scenarios = library(plan.folders)
    left = ((fixture, scenarios.get(fixture.scenario)) for fixture in fixtures)
    while batch := list(islice(left, BATCH)):
        yield batch


def _played_in_processes(plan: Plan, jobs: Iterator[list[Job]], workers: int) -> Generator[Kept]:
    others = set(multiprocessing.active_children())
    with holding():
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin_worker)
    try:
        waiting: deque[Future[list[Kept]]] = deque()
        for batch in jobs:
            with holding(), deaf_children():
                waiting.append(pool.submit(play_batch, plan, batch))
            if len(waiting) > AHEAD * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BaseException as error:
        # Whoever interrupts a tournament does not wait for the games under way.
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            _hear_what_ended_them()
            raise LostWorkerError("A process that played has been ended from outside, or had no memory left.") from None
        raise
    finally:
        with holding():
            pool.shutdown(cancel_futures=True)


def _hear_what_ended_them() -> None:
    """A SIGTERM to all processes of a tournament may reach the others first: then it is no loss, but the end."""
    time.sleep(SECONDS_TO_HEAR)


def _begin_worker() -> None:
    """A Ctrl-C at the terminal reaches every process; the one that began the others sees to them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Who began this process may have been killed: then nobody would ever end it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
