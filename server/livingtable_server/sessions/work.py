"""Long computations: run in threads, so many of a kind at a time, and stopped when nobody waits for them any more.

Whatever may keep a processor busy for more than a few milliseconds goes through here, so that the event loop stays free
and no kind of work can starve another: a bot chooses at once, however many records are being replayed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from livingtable_server.sessions.errors import TooManyError

T = TypeVar("T")

Stop = Callable[[], bool]
"""Whether the computation is to end now. It asks every few milliseconds."""

RETRY_SECONDS = 2


class StoppedError(Exception):
    """A computation has ended early because nobody waits for it any more; so nobody sees this either."""


class Lane:
    """Computations of one kind: at most `threads` at a time, the others wait in the order in which they came, at most
    `waiting` of them (None: any number)."""

    def __init__(self, name: str, threads: int, waiting: int | None = None) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._at_most = None if waiting is None else threads + waiting
        self._running: set[Event] = set()

    async def run(self, compute: Callable[[Stop], T]) -> T:
        """What `compute` returns or raises. If the caller is cancelled, it is told to stop, and is not started at all
        if it still waited. Raises `TooManyError` where too many wait already."""
        if self._at_most is not None and len(self._running) >= self._at_most:
            raise TooManyError(
                f"The server has enough to compute: try again in {RETRY_SECONDS} s.", retry_after=RETRY_SECONDS
            )
        stopped = Event()
        self._running.add(stopped)
        try:
            return await asyncio.wrap_future(self._executor.submit(compute, stopped.is_set))
        finally:
            stopped.set()
            self._running.discard(stopped)

    @property
    def busy(self) -> int:
        """How many computations run or wait."""
        return len(self._running)


class Work:
    """The lanes of one table. Each has threads of its own, which are started when they are first needed."""

    def __init__(self) -> None:
        self.starts = Lane("starts", threads=2, waiting=64)
        """Set-ups that are checked, and games that begin."""
        self.loads = Lane("loads", threads=2)
        """Sessions that are read from the ledger, and earlier positions of them."""
        self.bots = Lane("bots", threads=2)
        """Bots' choices. Each game has at most one of them here, so they are fair to each other."""
        self.boards = Lane("boards", threads=1, waiting=64)
        """Pictures of one position."""
        self.replays = Lane("replays", threads=2, waiting=32)
        """Records that are verified, or shown move by move."""
        self.animations = Lane("animations", threads=1, waiting=16)
        """Records as moving pictures."""


def check(stop: Stop) -> None:
    """Raises `StoppedError` where the computation is to end."""
    if stop():
        raise StoppedError
