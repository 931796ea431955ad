"""The one way into rooms: who comes is known by a secret, and what is to change in a room is changed here.

Who sits where is kept beside the session and changed by compare and set, so that any process on the ledger may serve
any room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import anyio

from livingtable.game import Data
from livingtable_server.sessions.codes import heard_code
from livingtable_server.sessions.errors import NotFoundError, SecretError
from livingtable_server.sessions.keeper import RoomKeeper, absent_sides, seat
from livingtable_server.sessions.knocking import watcher
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.presence import PRESENT_SECONDS, Presence
from livingtable_server.sessions.room import Room, RoomSeat
from livingtable_server.sessions.seats import OPEN
from livingtable_server.sessions.session import LostRace, Session
from livingtable_server.store.ledger import StoredRoom

T = TypeVar("T")

MISS_SECONDS = 0.5
"""How long who asks for a room that there is not is kept waiting: codes are short enough to be tried."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request in a room: `side` is the seat of who makes it, None for a spectator."""

    code: str
    session_id: str
    room: Room
    side: str | None

    @property
    def own_side(self) -> str:
        """The caller's seat. Raises `SecretError` for a spectator."""
        if self.side is None:
            raise SecretError("A playerId is needed: whoever joins gets one.", given=True)
        return self.side

    @property
    def own(self) -> list[str]:
        return [self.side] if self.side is not None else []


class Door:
    """Of all rooms over one ledger. `presence` hears of every player who comes in, and `keeper` sees to the rooms that
    they come to."""

    def __init__(self, live: LiveSessions, bot_delay: float) -> None:
        self._live = live
        self.presence = Presence()
        live.sweepers.append(self.presence.sweep)
        self.keeper = RoomKeeper(live, self.presence, self._read, bot_delay)

    async def visit(
        self, code: str, player_id: str | None, also_creator: bool = False, also_closed: bool = False
    ) -> Visit:
        """Who comes, and into which room. Raises `NotFoundError`, late, `SecretError` for an id without a seat, and
        `TooManyError` for a stranger who has tried many codes."""
        stored = await self.find_kept(code)
        room = Room.stored(stored)
        side = room.side_of(player_id)
        known = side is not None or (player_id is not None and room.is_creator(player_id))
        if (watching := watcher()) is not None:
            watching.found(stored.code, seated=known)
        if not also_closed:
            await _check_open(stored)
        if player_id is not None and side is None and not (also_creator and known):
            raise SecretError("That playerId has no seat in this room: it is another's, or was given up.", given=True)
        if side is not None and not stored.closed:
            await self.presence.touch(await self._live.ledger(), stored.code, side, room.seat_timeout)
        if room.started and not stored.closed:
            self.keeper.keep(stored.code)
        return Visit(stored.code, stored.session_id, room, side)

    async def find(self, code: str) -> StoredRoom:
        """The open room of that code, however it is written. Raises `NotFoundError`, late."""
        stored = await self.find_kept(code)
        await _check_open(stored)
        return stored

    async def find_kept(self, code: str) -> StoredRoom:
        """The same, closed rooms among them. Raises `TooManyError` for who has tried many codes."""
        heard = heard_code(code)
        with readable():
            stored = await (await self._live.ledger()).room(heard) if heard else None
        if stored is None:
            if (watching := watcher()) is not None:
                watching.missed()
            await anyio.sleep(MISS_SECONDS)
            raise NotFoundError("There is no room of this code. It has eight letters and digits, as in 7K3M-Q2XD.")
        return stored

    async def _read(self, code: str) -> tuple[str, Room] | None:
        with readable():
            stored = await (await self._live.ledger()).room(code)
        return None if stored is None or stored.closed else (stored.session_id, Room.stored(stored))

    async def session(self, visit: Visit) -> Session:
        """The room's session as it stands now, with those on its seats who sit there."""
        while True:
            try:
                async with self._live.changing(visit.session_id, in_room=True) as session:
                    absent = session.absent - {visit.side} if visit.side else session.absent
                    seat(session, visit.room, absent)
                    return session
            except LostRace:
                continue

    async def change(self, code: str, change: Callable[[Room], tuple[Room, T]]) -> T:
        """Changes a room, again if another was faster; who waits in it is woken."""
        ledger = await self._live.ledger()
        while True:
            stored = await self.find(code)
            before = Room.stored(stored)
            room, answer = change(before)
            for side in room.newcomers(before):  # Told first, else another process might take them for long away.
                await self.presence.touch(ledger, stored.code, side, room.seat_timeout)
            with readable():
                if await ledger.update_room(stored.code, stored.revision, room.to_data()):
                    break
        room = replace(room, revision=stored.revision + 1)
        async with self._live.changing(stored.session_id, in_room=True) as session:
            seat(session, room, session.absent - room.newcomers(before))
            session.wake()
        if room.started:
            self.keeper.keep(stored.code)
        return answer

    async def seats(self, code: str) -> Data:
        """`room` and `players`, as everybody in the room sees them."""
        stored = await self.find(code)
        room = Room.stored(stored)
        with readable():
            away = await self.presence.away(await self._live.ledger(), stored.code)
        absent = absent_sides(room, away, self.presence.watched_for)
        players = [{**s.seat.to_data(), "present": _is_present(s, away) and s.side not in absent} for s in room.seats]
        told: Data = {"roomCode": stored.code, "name": room.name, "started": room.started}
        if room.rematch is not None:
            told["rematch"] = room.rematch
        return {"room": told, "players": players}


async def _check_open(stored: StoredRoom) -> None:
    if stored.closed:
        await anyio.sleep(MISS_SECONDS)
        raise NotFoundError(
            "This room was closed, by its host or because nobody had been there for long. Its record can still be had, "
            "and a new room be made."
        )


def _is_present(room_seat: RoomSeat, away: Mapping[str, float]) -> bool:
    """A bot always is; a player who was heard of not long ago."""
    if room_seat.secret is None:
        return room_seat.controller != OPEN
    return away.get(room_seat.side, PRESENT_SECONDS) < PRESENT_SECONDS
