"""The round clock: in a game whose rounds have a time, it ends those that last too long (FX-1.2).

The rules know no time. What the clock does is an action of the game (`State.clock`), which goes into the record like
any other, so a replay needs no clock.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from anyio import sleep

from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.session import Session

TICK_SECONDS = 0.25
STALL_SECONDS = 0.5
"""A tick that took so much longer than it should says that this process stood still, and with it the players' calls:
the round gets its time again."""

_log = logging.getLogger(__name__)


class RoundClocks:
    """One task a session with a clock, for as long as `find` has the session in memory.

    `cut` is told the session and the version at which the round began whose time is up.
    """

    def __init__(self, find: Callable[[str], Session | None], cut: Callable[[str, int], Awaitable[None]]) -> None:
        self._find = find
        self._cut = cut
        self._tasks: dict[Session, asyncio.Task[None]] = {}

    def start(self, session: Session) -> None:
        """Begins to count for a session in memory whose game has begun, if nobody does; nothing to do without a
        clock."""
        if session.seconds_left is None or session in self._tasks:
            return
        task = asyncio.create_task(self._run(session))
        self._tasks[session] = task
        task.add_done_callback(lambda _: self._tasks.pop(session))

    def runs(self, session: Session) -> bool:
        return session in self._tasks

    def stop(self) -> None:
        """Ends all of them."""
        for task in self._tasks.values():
            task.cancel()

    async def _run(self, session: Session) -> None:
        while self._find(session.session_id) is session and session.recording.result is None:
            left = session.seconds_left or 0.0
            if left <= 0:
                await self._end_round(session)
                continue
            planned, before = min(left, TICK_SECONDS), monotonic()
            await sleep(planned)
            if monotonic() - before > planned + STALL_SECONDS:
                session.give_time_again()

    async def _end_round(self, session: Session) -> None:
        try:
            await self._cut(session.session_id, session.recording.hidden_from)
        except TableError as error:
            _log.warning("A round could not be ended: %s", error)
            session.give_time_again()
