"""What goes on in a room by itself: bots play, paced so that people can watch, and stand in for absent players."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

import anyio

from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.presence import Presence
from livingtable_server.sessions.room import Room
from livingtable_server.sessions.session import LostRace, Session

BOT_DELAY_SECONDS = 1.0
OTHERS_FIRST_SECONDS = 1.5
"""The process that stored the latest action plays the bots' next; the others wait so much longer, lest it is gone."""
RETRY_SECONDS = 2.0
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

    def keep(self, code: str) -> None:
        """Sees to that room from now on, until its game is over."""
        if code not in self._tasks:
            task = asyncio.create_task(self._run(code))
            self._tasks[code] = task
            task.add_done_callback(lambda _: self._tasks.pop(code, None))

    def stop(self) -> None:
        for task in list(self._tasks.values()):
            task.cancel()

    async def _run(self, code: str) -> None:
        while True:
            try:
                if not await self._step(code):
                    self._presence.forget(code)
                    return
            except LostRace:
                continue  # Another process was faster.
            except TableError as error:
                _log.warning("A room is kept waiting: %s", error)
                await anyio.sleep(RETRY_SECONDS)

    async def _step(self, code: str) -> bool:
        """Plays what bots have to play now, or waits for a change; False once there is nothing to see to any more."""
        found = await self._read(code)
        if found is None or not found[1].started:
            return False
        session_id, room = found
        away = await self._presence.away(await self._live.ledger(), code)
        async with self._live.changing(session_id, in_room=True) as session:
            seat(session, room, absent_sides(room, away))
            if session.recording.result is not None:
                return False
            version, bots, pause = session.version, session.bots_to_act, self._pause(session)
        if bots:
            await anyio.sleep(pause)
            async with self._live.changing(session_id, in_room=True) as session:
                if session.version == version:
                    await _play_bots(session)
        else:
            await self._live.change_of(session, _until_somebody_is_away(session, room, away), LOOK_SECONDS)
        return True

    def _pause(self, session: Session) -> float:
        """Before the bots that are to act do: none where players choose at the same time."""
        state = session.recording.state
        players = [s for s in state.sides if session.bot_of(s) is None and state.legal_actions(s)]
        paced = 0.0 if state.game.simultaneous and players else self._bot_delay
        return paced if session.ours else paced + OTHERS_FIRST_SECONDS + secrets.randbelow(500) / 1000


async def _play_bots(session: Session) -> None:
    """One bot's action; where all choose at once, those of all bots in this round."""
    began = session.recording.hidden_from
    while await session.play_bot():
        if session.recording.hidden_from != began:
            return


def seat(session: Session, room: Room, absent: frozenset[str]) -> None:
    """The session takes on who sits in the room, and who of them is away."""
    session.in_room = True
    session.absent = absent
    session.seats = tuple(seat.seat for seat in room.seats)
    session.recording.seats = [seat.to_data() for seat in session.seats]


def absent_sides(room: Room, away: dict[str, float]) -> frozenset[str]:
    """The players who have been away for longer than the room waits."""
    if room.seat_timeout is None:
        return frozenset()
    return frozenset(s.side for s in room.seats if s.secret and away.get(s.side, 0.0) >= room.seat_timeout)


def _until_somebody_is_away(session: Session, room: Room, away: dict[str, float]) -> float:
    """Seconds until the first player who is to act has been away for too long, if nothing changes."""
    if room.seat_timeout is None:
        return LOOK_SECONDS
    waited_for = session.recording.state.to_act
    return min([room.seat_timeout - away.get(side, 0.0) for side in waited_for] or [LOOK_SECONDS]) + 0.01
