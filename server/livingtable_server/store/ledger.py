"""The append-only ledger: every accepted action of every session, stored before its player is answered.

A session is its head (what it was started with) and its actions, each under `(session, version)` as primary key.
Versions go up from 1 without a gap; of two writers of one version one wins, in whatever process each is.

Session ids are capabilities: no error text of the store shows one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager

from livingtable.game import Data
from livingtable_server.store.address import PostgresAddress, SqliteAddress, address_of
from livingtable_server.store.changes import Changed, change_key
from livingtable_server.store.database import Database, Run
from livingtable_server.store.errors import Conflict, NotReadyError, StoreError
from livingtable_server.store.rooms import RoomLedger
from livingtable_server.store.stored import (
    Entry,
    Row,
    SessionRow,
    StoredRoom,
    StoredSession,
    encode,
    entry_of,
    entry_values,
    escaped,
    result_of,
    session_row_of,
    session_values,
)

__all__ = ["Entry", "Ledger", "SessionRow", "StoreError", "StoredRoom", "StoredSession", "change_key"]


class Ledger(RoomLedger):
    """The sessions and rooms of one database. Made by `open`, to be closed by `close`."""

    @classmethod
    async def open(cls, url: str, changed: Changed | None = None, *, make: bool = True) -> Ledger:
        """The ledger at `sqlite:///PATH` (made, with its folder, where there is none), `sqlite://` (memory) or
        `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`.

        Without `make` a file must be there already: one that was taken away under a running server is not made anew,
        empty. Where the ledger `notifies`, `changed` is called for each session that another process changes, its room
        included.
        Raises `StoreError` where there is no ledger and none can be made, and for a newer program's.
        """
        database = await _opened(address_of(url), changed, make)
        from livingtable_server.store.migrations import bring_up_to_date

        try:
            await bring_up_to_date(database)
        except BaseException:
            await database.close()
            raise
        return cls(database)

    @property
    def notifies(self) -> bool:
        """Whether other processes' changes are heard now: on PostgreSQL, but not while its connection is lost, and on a
        file of SQLite, half a second late. Where not, who waits for a change has to look again and again."""
        return self.database.notifies

    def awaited(self) -> AbstractContextManager[None]:
        """To be held by whoever waits for changes: where somebody has to look for them, he looks only then."""
        return self.database.awaited()

    async def check_ready(self) -> None:
        """That what is to be kept now would be kept: writes something that changes nothing, and reads. Raises
        `NotReadyError`."""
        unwritten: StoreError | None = None
        try:
            await self.database.try_writing()
        except NotReadyError:
            raise
        except StoreError as error:
            unwritten = error
        try:
            await self.database.rows(self._sql.SCHEMA_VERSION, {})
        except StoreError as error:
            raise NotReadyError("The store cannot be read.", str(error)) from None
        if unwritten is not None:
            raise NotReadyError("The store cannot be written.", str(unwritten))

    async def close(self) -> None:
        """Closes the database, after the calls that are under way. Closing again does nothing."""
        from anyio import CancelScope

        with CancelScope(shield=True):  # a server that is being stopped closes us in a scope that is cancelled already
            await self.database.close()

    async def create(self, session_id: str, head: Data) -> None:
        """Begins a session. `head` is what it is replayed from; it has at least `game` and `scenario: {name}`.

        Raises `StoreError` if there is one of that id.
        """
        try:
            await self.database.rows(self._sql.CREATE, session_values(session_id, head))
        except Conflict:
            raise StoreError("There is a session of this id already: draw another id.") from None

    async def append(self, session_id: str, entry: Entry, result: Data | None) -> bool:
        """Stores the entry; once this returns True, a kill of the process cannot lose it.

        False: that version is taken (another process was first); `entries_after` tells by what. A `result` finishes
        the session, in the same transaction. Raises `StoreError` for an unknown session, and where the version
        before is missing.
        """
        values = entry_values(session_id, entry)
        try:
            if result is None:
                stored = await self.database.rows(self._sql.APPEND, values)
            else:
                stored = await self._append_last(values, result)
        except Conflict:  # the version is taken, or the session unknown
            stored = []
        if not stored:
            await self._check_taken(session_id, entry.version)
        return bool(stored)

    async def load(self, session_id: str) -> StoredSession | None:
        """The whole session as it stands at one moment; None if there is none of that id."""
        rows = await self.database.rows(self._sql.LOAD, {"session_id": escaped(session_id)})
        if not rows:
            return None
        (_, _, head, result), *actions = rows
        return StoredSession(session_id, json.loads(head), result_of(result), [entry_of(row) for row in actions])

    async def entries_after(self, session_id: str, version: int) -> list[Entry]:
        """The entries above that version, in order; none for an unknown session."""
        values = {"session_id": escaped(session_id), "version": version}
        return [entry_of(row) for row in await self.database.rows(self._sql.ENTRIES_AFTER, values)]

    async def latest_version(self, session_id: str) -> int | None:
        """The number of actions stored, 0 at the start; None for an unknown session. Cheap enough to poll."""
        rows = await self.database.rows(self._sql.LATEST_VERSION, {"session_id": escaped(session_id)})
        return rows[0][0] if rows else None

    async def sessions(self, active: bool | None = None, limit: int = 200) -> list[SessionRow]:
        """At most `limit` sessions that are in no room, the newest first.

        `active` True: those without a result; False: those with one.
        """
        return [session_row_of(row) for row in await self.database.rows(self._sql.LISTINGS[active], {"most": limit})]

    async def mark(self, session_id: str, marks: Data) -> None:
        """Sets keys of a session's head, which for the rest stays as it was begun."""

        async def set_marks(run: Run) -> None:
            for (stored,) in await run(self._sql.HEAD, {"session_id": escaped(session_id)}):
                head = encode({**json.loads(stored), **marks})
                await run(self._sql.SET_HEAD, {"of_session": escaped(session_id), "new_head": head})

        await self.database.transaction(set_marks)

    async def marks(self, session_id: str, names: Sequence[str]) -> Data:
        """Those of these keys that the session's head has."""
        rows = await self.database.rows(self._sql.HEAD, {"session_id": escaped(session_id)})
        head: Data = json.loads(rows[0][0]) if rows else {}
        return {name: head[name] for name in names if name in head}

    async def _check_taken(self, session_id: str, version: int) -> None:
        """Nothing was stored: raises `StoreError` if that is for another reason than that the version is taken."""
        latest = await self.latest_version(session_id)
        if latest is None:
            raise StoreError("The ledger has no such session: create it before its first action.")
        if not 1 <= version <= latest:
            raise StoreError(
                f"Version {version} cannot follow version {latest}: load what is stored and go on from it."
            )

    async def _append_last(self, values: dict[str, str | int], result: Data) -> list[Row]:
        """An append and its session's result, both or neither."""

        async def both(run: Run) -> list[Row]:
            stored = await run(self._sql.APPEND, values)
            if stored:
                await run(self._sql.FINISH, {"of_session": values["session_id"], "ended": encode(result)})
            return stored

        return await self.database.transaction(both)


async def _opened(address: SqliteAddress | PostgresAddress, changed: Changed | None, make: bool) -> Database:
    if isinstance(address, PostgresAddress):
        from livingtable_server.store.postgres import PostgresDatabase

        return await PostgresDatabase.open(address, changed)
    from livingtable_server.store.sqlite import SqliteDatabase

    return await SqliteDatabase.open(address.path, changed, make)
