"""What whoever hosts a table may do in its rooms, without a seat there."""

from __future__ import annotations

from livingtable.agents import fitting_agent
from livingtable.errors import UnknownNameError
from livingtable.game import Data
from livingtable_server.sessions.door import Door
from livingtable_server.sessions.errors import ConflictError, NotFoundError
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.room import Room
from livingtable_server.sessions.seats import SeatError, named_side


class Hosting:
    """Of the rooms over one ledger; in no tool and on no route."""

    def __init__(self, live: LiveSessions, door: Door) -> None:
        self._live = live
        self._door = door

    async def listing(self, open_only: bool = True) -> list[Data]:
        """The newest 200 rooms, and who sits in them."""
        rows: list[Data] = []
        with readable():
            found = await (await self._live.ledger()).rooms(open_only)
        for stored in found:
            room = Room.stored(stored)
            row: Data = {"roomCode": stored.code, "name": room.name, "made": stored.created, "closed": stored.closed}
            rows.append({**row, "started": room.started, "players": [s.seat.to_data() for s in room.seats]})
        return rows

    async def close(self, code: str) -> str:
        """Ends a room for everybody in it; returns the code. Raises `NotFoundError`."""
        stored = await self._door.find(code)
        with readable():
            await (await self._live.ledger()).close_room(stored.code)
        return stored.code

    async def remove(self, code: str, side: str, bot: str) -> str:
        """Puts a bot in a player's place, who has no right to it any more; returns the player's name."""
        visit = await self._door.visit(code, None)
        async with self._live.changing(visit.session_id, in_room=True) as session:
            state, start = session.recording.state, session.recording.starting_state()
        try:
            seat_side, name = named_side(state, side), fitting_agent(bot, start)
        except (SeatError, UnknownNameError) as error:
            raise NotFoundError(str(error)) from None

        def removed(room: Room) -> tuple[Room, str]:
            player = next(s for s in room.seats if s.side == seat_side)
            if player.secret is None:
                raise ConflictError(f"No player sits on {seat_side}.")
            return room.with_bots([seat_side], name), player.name

        return await self._door.change(code, removed)
