"""How many rooms there are: they are found again after a restart, and make way when nobody needs them any more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from time import monotonic

from anyio import CancelScope, sleep

from livingtable_server.sessions.errors import TooManyError, UnavailableError
from livingtable_server.sessions.keeper import RoomKeeper
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.presence import utc_now
from livingtable_server.sessions.room import Room

ROOMS_AT_MOST = 10_000
"""Whose game is not over."""
STALE_HOURS = 24
"""After so long a room that has not begun is closed,"""
LEFT_DAYS = 30
"""and after so long one whose game goes on, but not without its players, who have all left."""
SWEEP_SECONDS = 600.0
"""How often these are looked for, when a room is made."""

RESUME_SECONDS = 1.0, 10.0
"""After the first failure to read the rooms after a start, and at most after the later ones."""

_log = logging.getLogger(__name__)


class RoomUpkeep:
    """Of the rooms over one ledger."""

    def __init__(self, live: LiveSessions, keeper: RoomKeeper) -> None:
        self._live = live
        self._keeper = keeper
        self._swept = -SWEEP_SECONDS
        self._uncounted = 0
        """How many rooms may be made before they are counted again, which takes long where there are many."""

    async def resume(self) -> int:
        """Sees to every room of the ledger whose game is under way, after a restart; returns how many there are."""
        with readable():
            unfinished = await (await self._live.ledger()).unfinished_rooms()
        running = [stored for stored in unfinished if Room.stored(stored).started]
        for stored in running:
            self._keeper.keep(stored.code, resumed=True)
        return len(running)

    @asynccontextmanager
    async def resuming(self) -> AsyncGenerator[None]:
        """Resumes within it as soon as the store can be read: a server starts also while that is away."""
        task = asyncio.create_task(self._resume_once_it_is_there())
        try:
            yield
        finally:
            task.cancel()
            with CancelScope(shield=True):
                await asyncio.gather(task, return_exceptions=True)

    async def _resume_once_it_is_there(self) -> None:
        wait, at_most = RESUME_SECONDS
        while True:
            try:
                await self.resume()
            except UnavailableError as error:
                _log.warning("The rooms cannot be read yet; they are tried again in %s s: %s", wait, error)
            except Exception as error:
                _log.error("The rooms were not resumed; each goes on once somebody comes in", exc_info=error)
                return
            else:
                return
            await sleep(wait)
            wait = min(2 * wait, at_most)

    async def close_stale(self) -> int:
        """Closes the rooms in which nobody has begun to play for long, and those that all players left much longer ago;
        returns how many there were."""
        self._swept = monotonic()
        ledger = await self._live.ledger()
        day, month = (_before(hours=STALE_HOURS), _before(days=LEFT_DAYS))
        closed = 0
        with readable():
            for stored in await ledger.unfinished_rooms():
                if Room.stored(stored).started:
                    closed += stored.created < month and await ledger.close_stale_room(stored, unseen_since=month)
                else:
                    closed += stored.created < day and await ledger.close_stale_room(stored)
        return closed

    async def check_room_left(self) -> None:
        """Raises `TooManyError` where there are too many; rooms in which nobody has begun to play for long make way."""
        if monotonic() - self._swept >= SWEEP_SECONDS:
            await self.close_stale()
        if not self._uncounted:
            with readable():
                left = ROOMS_AT_MOST - await (await self._live.ledger()).count_unfinished_rooms()
            if left <= 0:
                raise TooManyError(
                    f"There are {ROOMS_AT_MOST} rooms whose game is not over; try later.", round(SWEEP_SECONDS)
                )
            self._uncounted = max(1, left // 10)
        self._uncounted -= 1


def _before(**ago: float) -> str:
    return (utc_now() - timedelta(**ago)).isoformat()
