"""The rooms in the ledger. What a room's data means, its keeper in `sessions` knows."""

from __future__ import annotations

import json

from livingtable.game import Data
from livingtable_server.store.database import Database, Run
from livingtable_server.store.errors import Conflict, StoreError
from livingtable_server.store.stored import StoredRoom, encode, escaped, now, room_of_row, session_values, unescaped

_NEVER = "9999"
"""Later than any time, as text."""


class RoomLedger:
    """The rooms of one database. The game of a room is a session like any other; no list of sessions shows it."""

    def __init__(self, database: Database) -> None:
        from livingtable_server.store import tables

        self._sql = tables
        self.database = database

    async def create_room(self, code: str, session_id: str, head: Data, data: Data) -> bool:
        """Begins a session, as `create` does, and the room in which it is played: both or neither.

        False: there is a room of this code already. Raises `StoreError` if there is a session of that id.
        """
        session = session_values(session_id, head)
        room = {key: session[key] for key in ("session_id", "created")} | {"code": escaped(code), "data": encode(data)}

        async def both(run: Run) -> None:
            try:
                await run(self._sql.CREATE, session)
            except Conflict:
                raise StoreError("There is a session of this id already: draw another id.") from None
            await run(self._sql.CREATE_ROOM, room)

        try:
            await self.database.transaction(both)
        except Conflict:
            return False
        return True

    async def room(self, code: str) -> StoredRoom | None:
        """None if there is none of that code. Cheap enough to poll."""
        rows = await self.database.rows(self._sql.ROOM, {"code": escaped(code)})
        return room_of_row(rows[0]) if rows else None

    async def room_of(self, session_id: str) -> str | None:
        """The code of the room in which that session is played; None if it is in none."""
        rows = await self.database.rows(self._sql.ROOM_OF, {"session_id": escaped(session_id)})
        return unescaped(rows[0][0]) if rows else None

    async def rooms(self, open_only: bool = True, limit: int = 200) -> list[StoredRoom]:
        """At most `limit` rooms, the newest first; with those that were closed if not `open_only`."""
        rows = await self.database.rows(self._sql.ROOMS[open_only], {"most": limit})
        return [room_of_row(row) for row in rows]

    async def unfinished_rooms(self) -> list[StoredRoom]:
        """The open rooms whose game has no result, the oldest first."""
        return [room_of_row(row) for row in await self.database.rows(self._sql.ROOMS_UNFINISHED, {})]

    async def count_unfinished_rooms(self) -> int:
        rows = await self.database.rows(self._sql.ROOMS_UNFINISHED_COUNT, {})
        return rows[0][0]

    async def update_room(self, code: str, revision: int, data: Data) -> bool:
        """Stores the data of a room that still stands at that revision, and counts the revision up.

        False: somebody else has changed or closed it since, or there is no such room; `room` tells which.
        """
        values = {"of_code": escaped(code), "of_revision": revision, "new_data": encode(data)}
        return bool(await self.database.rows(self._sql.UPDATE_ROOM, values))

    async def lobby(self, name: str, empty: Data) -> tuple[int, Data]:
        """The revision and the data of the lobby of that name; it is opened with `empty` where there is none."""
        rows = await self.database.rows(self._sql.LOBBY, {"name": escaped(name)})
        if not rows:
            await self.database.rows(self._sql.OPEN_LOBBY, {"name": escaped(name), "data": encode(empty)})
            rows = await self.database.rows(self._sql.LOBBY, {"name": escaped(name)})
        return rows[0][0], json.loads(rows[0][1])

    async def update_lobby(self, name: str, revision: int, data: Data) -> bool:
        """Stores the data of a lobby that still stands at that revision, and counts the revision up; else False."""
        values = {"of_name": escaped(name), "of_revision": revision, "new_data": encode(data)}
        return bool(await self.database.rows(self._sql.UPDATE_LOBBY, values))

    async def close_room(self, code: str) -> bool:
        """Closes a room, for good, and counts its revision up, so that an update that knows nothing of it fails.

        False: it is closed already, or there is none of that code.
        """
        return bool(await self.database.rows(self._sql.CLOSE_ROOM, {"of_code": escaped(code), "ended": now()}))

    async def close_stale_room(self, stored: StoredRoom, unseen_since: str | None = None) -> bool:
        """The same, of a room that is as it was when it was read, and, if that is given, in which no player was there
        since that time; else False: who has just come in is not to find it closed."""
        values = {
            "of_code": escaped(stored.code),
            "of_revision": stored.revision,
            "before": _NEVER if unseen_since is None else escaped(unseen_since),
            "ended": now(),
        }
        return bool(await self.database.rows(self._sql.CLOSE_STALE_ROOM, values))

    async def touch(self, code: str, side: str, now_iso: str) -> None:
        """Notes that the player of that seat was there at that time. Raises `StoreError` for an unknown room.

        It is no change of the room: its revision stays, and nobody is woken by it.
        """
        try:
            await self.database.rows(
                self._sql.TOUCH, {"code": escaped(code), "side": escaped(side), "seen": escaped(now_iso)}
            )
        except Conflict:
            raise StoreError("The ledger has no such room.") from None

    async def presence(self, code: str) -> dict[str, str]:
        """When the player of each seat was last there, as `touch` was given it; only seats that were touched."""
        rows = await self.database.rows(self._sql.PRESENCE, {"code": escaped(code)})
        return {unescaped(side): unescaped(seen) for side, seen in rows}
