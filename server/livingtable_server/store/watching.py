"""Sees on SQLite that other connections have changed the file: one look for all who wait, whatever they wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress

from livingtable_server.store.changes import Changed
from livingtable_server.store.errors import StoreError

LOOK_SECONDS = 0.5


class Watch:
    """Looks as long as anybody waits. `version` gives a number that changes with every commit of another connection;
    `watching` is whether that can be had now."""

    def __init__(self, version: Callable[[], Awaitable[int]], changed: Changed) -> None:
        self._version = version
        self._changed = changed
        self._seen = 0
        self._waiting = 0
        self._somebody_waits = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.watching = False

    async def begin(self) -> None:
        """Once this returns no change is missed. Raises `StoreError`."""
        self._seen = await self._version()
        self.watching = True
        self._task = asyncio.create_task(self._look_on())

    async def end(self) -> None:
        self.watching = False
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @contextmanager
    def awaited(self) -> Generator[None]:
        """As long as somebody waits for a change."""
        self._waiting += 1
        self._somebody_waits.set()
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._somebody_waits.clear()

    async def _look_on(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._somebody_waits.wait()
            try:
                now = await self._version()
            except StoreError:
                self.watching = False
            else:
                if now != self._seen or not self.watching:
                    loop.call_soon(self._changed, None)  # A fault of who is told does not end the watch.
                self._seen, self.watching = now, True
            await asyncio.sleep(LOOK_SECONDS)
