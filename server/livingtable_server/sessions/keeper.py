"""What goes on in a room by itself: bots play, paced so that people can watch, and stand in for absent players."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from anyio import sleep

from livingtable_server.sessions.errors import TableError, UnavailableError
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.presence import Presence
from livingtable_server.sessions.room import Room
from livingtable_server.sessions.session import LostRace, Session

BOT_DELAY_SECONDS = 1.0
OTHERS_FIRST_SECONDS = 1.5
"""The process that stored the latest action plays the bots' next; the others wait so much longer, lest it is gone."""
RETRY_SECONDS = 2.0
RESUMED_AT_ONCE = 4
"""So many rooms are read, and their games played up to where they stood, at a time, after a restart: whoever comes in
then is not kept waiting by all the others."""
LOOK_SECONDS = 5.0

_log = logging.getLogger(__name__)

ReadRoom = Callable[[str], Awaitable[tuple[str, Room] | None]]
"""From a code to the id of the room's session and the room; None where there is none any more."""


class RoomKeeper:
    """One task for each running room that this process has to do with."""

    def __init__(self, live: LiveSessions, presence: Presence, read: ReadRoom, bot_delay: float) -> None:
        self._live = live
        self._presence = presence
        self._read = read
        self._bot_delay = bot_delay
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._resuming = asyncio.Semaphore(RESUMED_AT_ONCE)

    def keep(self, code: str, resumed: bool = False) -> None:
        """Sees to that room from now on, for as long as there is anything to see to. `resumed`: it is one of many, and
        waits for its turn to be read."""
        if code not in self._tasks:
            task = asyncio.create_task(self._run(code, resumed))
            self._tasks[code] = task
            task.add_done_callback(lambda ended: self._ended(code, ended))

    @property
    def kept(self) -> int:
        """How many rooms are seen to."""
        return len(self._tasks)

    async def stop(self) -> None:
        """Ends all tasks, even in a scope that is cancelled already."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, code: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(code) is task:
            del self._tasks[code]
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("A room is not seen to any more, until somebody comes in", exc_info=error)

    async def _run(self, code: str, resumed: bool) -> None:
        while True:
            try:
                if resumed:
                    async with self._resuming, self._looking(code):
                        resumed = False  # From now on it is in memory.
                if not await self._step(code):
                    return
            except LostRace:
                continue  # Another process was faster.
            except UnavailableError as error:
                _log.warning("A room is kept waiting: %s", error)
                await sleep(RETRY_SECONDS)
            except TableError as error:
                _log.warning("A room is not seen to any more: %s", error)
                return

    async def _step(self, code: str) -> bool:
        """Plays what bots have to play now, or waits for a change; False once there is nothing to see to any more."""
        async with self._looking(code) as seen:
            if seen is None:
                return False
            session, bots = seen.session, seen.session.bots_to_act
            self._live.run_clock(session)
            version, pause, wait = session.version, self._pause(session), seen.until_somebody_is_away
        if not bots:
            read = session.read
            await self._live.change_since(read, LOOK_SECONDS if wait is None else wait, LOOK_SECONDS)
            # Where nobody is stood in for, nothing happens but by somebody who comes in.
            return wait is not None or session.round_seconds is not None or read.is_set()
        await sleep(pause)
        async with self._looking(code) as seen:  # Who was away may be back, perhaps in another process.
            if seen is not None and seen.session.version == version:
                await _play_bots(seen.session)
        return True

    @asynccontextmanager
    async def _looking(self, code: str) -> AsyncGenerator[Seen | None]:
        """The running room as it is now, its session under its lock; None where there is none, or its game is over."""
        found = await self._read(code)
        if found is None or not found[1].started:
            yield None
            return
        session_id, room = found
        with readable():
            away = await self._presence.away(await self._live.ledger(), code)
        async with self._live.changing(session_id, in_room=True) as session:
            seat(session, room, absent_sides(room, away, self._presence.watched_for))
            if session.recording.result is not None:
                self._presence.forget(code)
                yield None
                return
            yield Seen(session, room, away, self._presence.watched_for)

    def _pause(self, session: Session) -> float:
        """Before the bots that are to act do: none where players choose at the same time."""
        state = session.recording.state
        players = [s for s in state.sides if session.bot_of(s) is None and state.legal_actions(s)]
        paced = 0.0 if state.game.simultaneous and players else self._bot_delay
        return paced if session.ours else paced + OTHERS_FIRST_SECONDS + secrets.randbelow(500) / 1000


@dataclass(frozen=True, slots=True)
class Seen:
    """A room at a moment: for how long each player had been away, and for how long this process had been watching."""

    session: Session
    room: Room
    away: dict[str, float]
    watched_for: float

    @property
    def until_somebody_is_away(self) -> float | None:
        """Seconds until the first player who is to act has been away for too long, if nothing changes; None: never."""
        timeout = self.room.seat_timeout
        if timeout is None:
            return None
        there = self.room.players - self.session.absent
        waited_for = [min(self.away.get(side, 0.0), self.watched_for) for side in there]
        return timeout - max(waited_for, default=0.0) + 0.01


async def _play_bots(session: Session) -> None:
    """One bot's action; where all choose at once, those of all bots in this round."""
    began = session.recording.hidden_from
    while await session.play_bot():
        if session.recording.hidden_from != began:
            return


def seat(session: Session, room: Room, absent: frozenset[str]) -> None:
    """The session takes on who sits in the room, and who of them is away; unless it knows of a later change."""
    if room.revision < session.seated:
        return
    session.in_room = True
    session.seated = room.revision
    session.absent = absent & room.players
    had_open = bool(session.open_sides)
    session.seats = tuple(seat.seat for seat in room.seats)
    if had_open and not session.open_sides:
        session.give_time_again()  # The first round begins.
    session.recording.seats = [seat.to_data() for seat in session.seats]


def absent_sides(room: Room, away: Mapping[str, float], watched_for: float) -> frozenset[str]:
    """The players who have been away for longer than the room waits. That a process was not there yet to hear of them
    is not counted."""
    if room.seat_timeout is None or watched_for < room.seat_timeout:
        return frozenset()
    return frozenset(side for side in room.players if away.get(side, 0.0) >= room.seat_timeout)
