"""The append-only ledger: every accepted action of every session, stored before its player is answered.

A session is its head (what it was started with) and its actions, each under `(session, version)` as primary key.
Versions go up from 1 without a gap; of two writers of one version one wins, in whatever process each is.

Session ids are capabilities: no error text of this module shows one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import ENOTDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from livingtable.game import Data

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    import aiosqlite
    from sqlalchemy import ClauseElement, Connection
    from sqlalchemy.engine.interfaces import DBAPIModule
    from sqlalchemy.ext.asyncio import AsyncConnection
    from sqlalchemy.sql.compiler import SQLCompiler

    Row = tuple[Any, ...]
    Prepared = tuple[str, list[tuple[str, Any]]]

BUSY_SECONDS = 5.0
"""How long a statement waits for another process's write."""


class StoreError(Exception):
    """The ledger cannot be opened, read or written, or was asked for what it must not do. One plain sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted action. `version` is its number, from 1; `events` is all that it caused, in order."""

    version: int
    side: str
    action: Data
    events: list[Data]


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A whole session: replayed from its head, the entries give its state."""

    session_id: str
    head: Data
    result: Data | None
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list. `created` and `updated` (the latest action's time) are ISO 8601 in UTC, to the second."""

    session_id: str
    game: str
    scenario: str
    created: str
    updated: str
    version: int
    result: Data | None
    head: Data


class Ledger:
    """The sessions of one database. Made by `open`, to be closed by `close`.

    All goes through one connection, one statement after the other. A statement runs in one visit to the driver's
    thread: SQLAlchemy's own way makes three or four, each of which costs more than SQLite does (0.7 ms an append
    against 0.2 ms). So SQLAlchemy writes the SQL, once a statement, and the driver is handed it directly. Cancelling
    a call does not undo it: its statement is with the thread by then, and an append may well have been stored.
    """

    def __init__(self, connection: AsyncConnection, driver: aiosqlite.Connection, closing: AsyncExitStack) -> None:
        from livingtable_server.store import tables

        self._sql = tables
        self._dialect = connection.dialect
        self._errors = cast("DBAPIModule", connection.dialect.dbapi)
        self._driver = driver
        self._closing = closing
        self._turn = asyncio.Lock()
        self._prepared: dict[ClauseElement, Prepared] = {}

    @classmethod
    async def open(cls, url: str) -> Ledger:
        """The ledger at `sqlite:///PATH` (made, with its folder, where there is none) or `sqlite://` (memory).

        Raises `StoreError` where there is no ledger and none can be made, and for a newer program's.
        """
        path = _path_of(url)
        from sqlite3 import Error as SqliteError

        from sqlalchemy.exc import DBAPIError

        closing = AsyncExitStack()
        try:
            connection, driver = await _connect_sqlite(path, closing)
            ledger = cls(connection, driver, closing)
            await ledger._claim(connection, str(path or "memory"))
        except BaseException as error:
            await closing.aclose()
            if isinstance(error, OSError | SqliteError | DBAPIError):
                raise _cannot_open(path, error) from None
            raise
        return ledger

    async def close(self) -> None:
        """Closes the database, after the call that is under way. Closing again does nothing."""
        from anyio import CancelScope

        with CancelScope(shield=True):  # a server that is being stopped closes us in a scope that is cancelled already
            async with self._turn:
                await self._closing.aclose()

    async def create(self, session_id: str, head: Data) -> None:
        """Begins a session. `head` is what it is replayed from; it has at least `game` and `scenario: {name}`.

        Raises `StoreError` if there is one of that id.
        """
        values = {
            "session_id": _ascii(session_id),
            "game": _ascii(head["game"]),
            "scenario": _ascii(head["scenario"]["name"]),
            "created": _now(),
            "head": _encode(head),
        }
        try:
            await self._rows(self._sql.CREATE, values)
        except self._errors.IntegrityError:
            raise StoreError("There is a session of this id already: draw another id.") from None

    async def append(self, session_id: str, entry: Entry, result: Data | None) -> bool:
        """Stores the entry; once this returns True, a kill of the process cannot lose it.

        False: that version is taken (another process was first); `entries_after` tells by what. A `result` finishes
        the session, in the same transaction. Raises `StoreError` for an unknown session, and where the version
        before is missing.
        """
        values = {
            "session_id": _ascii(session_id),
            "version": entry.version,
            "side": _ascii(entry.side),
            "action": _encode(entry.action),
            "events": _encode(entry.events),
            "created": _now(),
        }
        try:
            if result is None:
                stored = await self._rows(self._sql.APPEND, values)
            else:
                stored = await self._append_last(values, result)
        except self._errors.IntegrityError:  # the version is taken, or the session unknown
            stored = []
        if not stored:
            await self._check_taken(session_id, entry.version)
        return bool(stored)

    async def load(self, session_id: str) -> StoredSession | None:
        """The whole session as it stands at one moment; None if there is none of that id."""
        rows = await self._rows(self._sql.LOAD, {"session_id": _ascii(session_id)})
        if not rows:
            return None
        (_, _, head, result), *actions = rows
        return StoredSession(session_id, json.loads(head), _result(result), [_entry(row) for row in actions])

    async def entries_after(self, session_id: str, version: int) -> list[Entry]:
        """The entries above that version, in order; none for an unknown session."""
        values = {"session_id": _ascii(session_id), "version": version}
        return [_entry(row) for row in await self._rows(self._sql.ENTRIES_AFTER, values)]

    async def latest_version(self, session_id: str) -> int | None:
        """The number of actions stored, 0 at the start; None for an unknown session. Cheap enough to poll."""
        rows = await self._rows(self._sql.LATEST_VERSION, {"session_id": _ascii(session_id)})
        return rows[0][0] if rows else None

    async def sessions(self, active: bool | None = None, limit: int = 200) -> list[SessionRow]:
        """At most `limit` sessions, the newest first. `active` True: those without a result; False: those with one."""
        return [_session_row(row) for row in await self._rows(self._sql.LISTINGS[active], {"most": limit})]

    async def _claim(self, connection: AsyncConnection, name: str) -> None:
        """Makes the tables in an empty database; raises `StoreError` for one that is a newer or another program's."""
        tables = self._sql
        async with self._transaction():
            present = await connection.run_sync(_table_names)
            if not present:
                await connection.run_sync(tables.metadata.create_all)
                await self._run(tables.SET_SCHEMA_VERSION, {"version": tables.SCHEMA})
            elif not present >= set(tables.metadata.tables):
                raise StoreError(f'"{name}" is another program\'s database: name another file with --store.')
            ((version,),) = await self._run(tables.SCHEMA_VERSION, {})
        if version > tables.SCHEMA:
            raise StoreError(
                f'The ledger "{name}" was written by a newer living-table (schema {version}, this one knows '
                f"{tables.SCHEMA}): update living-table, or name another file with --store."
            )

    async def _check_taken(self, session_id: str, version: int) -> None:
        """Nothing was stored: raises `StoreError` if that is for another reason than that the version is taken."""
        latest = await self.latest_version(session_id)
        if latest is None:
            raise StoreError("The ledger has no such session: create it before its first action.")
        if not 1 <= version <= latest:
            raise StoreError(
                f"Version {version} cannot follow version {latest}: load what is stored and go on from it."
            )

    async def _append_last(self, values: Mapping[str, Any], result: Data) -> list[Row]:
        """An append and its session's result, both or neither.

        It is a task of its own, so that a cancelled caller cannot leave the transaction open behind it.
        """
        ended = {"of_session": values["session_id"], "ended": _encode(result)}

        async def both() -> list[Row]:
            async with self._transaction():
                stored = await self._run(self._sql.APPEND, values)
                if stored:
                    await self._run(self._sql.FINISH, ended)
                return stored

        return await asyncio.shield(asyncio.create_task(both()))

    @asynccontextmanager
    async def _transaction(self) -> AsyncGenerator[None]:
        """Several `_run`s, all of them or none."""
        async with self._turn:
            await self._run(self._sql.BEGIN, {})
            try:
                yield
                await self._run(self._sql.COMMIT, {})
            except BaseException:
                if self._driver.in_transaction:  # SQLite itself has rolled back after some errors
                    await self._run(self._sql.ROLLBACK, {})
                raise

    async def _rows(self, statement: ClauseElement, values: Mapping[str, Any]) -> list[Row]:
        """Runs one statement, which is its own transaction, and returns what it gives."""
        async with self._turn:
            return await self._run(statement, values)

    async def _run(self, statement: ClauseElement, values: Mapping[str, Any]) -> list[Row]:
        """Of the driver's errors only `IntegrityError` comes out; the others are `StoreError`s. Needs the turn."""
        sql, places = self._prepare(statement)
        try:
            rows = await self._driver.execute_fetchall(sql, [values.get(name, fixed) for name, fixed in places])
        except self._errors.IntegrityError:
            raise
        except self._errors.Error as error:
            raise StoreError(
                f"The ledger cannot be read or written ({error}): see that its disk has room and that no other program "
                "holds its file."
            ) from None
        return cast("list[Row]", rows)

    def _prepare(self, statement: ClauseElement) -> Prepared:
        """The statement as SQL, and for each `?` the name of its value and what it is where none is given."""
        prepared = self._prepared.get(statement)
        if prepared is None:
            compiled = cast("SQLCompiler", statement.compile(dialect=self._dialect))
            fixed = compiled.params
            prepared = str(compiled), [(name, fixed[name]) for name in compiled.positiontup or ()]
            self._prepared[statement] = prepared
        return prepared


def _path_of(url: str) -> Path | None:
    """The file that a store's URL names; None for memory. The URL is not repeated in errors: it may hold a password."""
    if url in ("sqlite://", "sqlite:///:memory:"):
        return None
    scheme, _, path = url.partition(":///")
    if scheme != "sqlite" or not path:
        raise StoreError('This store is not known: write "sqlite:///PATH" for a file or "sqlite://" for memory.')
    return Path(path)


def _cannot_open(path: Path | None, error: BaseException) -> StoreError:
    reason = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
    return StoreError(
        f'The ledger "{path}" cannot be opened ({reason}): name another file, in a folder that may be written, with '
        "--store sqlite:///PATH."
    )


async def _connect_sqlite(path: Path | None, closing: AsyncExitStack) -> tuple[AsyncConnection, aiosqlite.Connection]:
    """All that is SQLite's own. `closing` gets what is to be closed, even if this raises.

    With the write-ahead log a commit is in the system's hands, and so survives the process; `synchronous=NORMAL`
    leaves out the wait for the disk, which only a power cut would need.
    """
    import sqlite3

    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import create_async_engine

    # The driver logs each statement with its values, session ids among them, at level DEBUG.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    if path is not None:
        _make_file(path)
        # Tried here, for where the driver cannot connect its thread may outlive the event loop and print a traceback.
        sqlite3.connect(path).close()
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=None if path is None else str(path)),
        isolation_level="AUTOCOMMIT",
        connect_args={"timeout": BUSY_SECONDS},
        hide_parameters=True,
    )
    closing.push_async_callback(engine.dispose)
    connection = await closing.enter_async_context(engine.connect())
    driver = cast("aiosqlite.Connection", (await connection.get_raw_connection()).driver_connection)
    for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
        await driver.execute_fetchall(f"PRAGMA {setting}")
    return connection, driver


def _make_file(path: Path) -> None:
    """An empty file that only its owner may read: it will hold the ids of sessions. An existing one is left alone.

    It must not even be opened: closing it again would drop the locks that another ledger of this process has on it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR)) from None
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _table_names(connection: Connection) -> set[str]:
    from sqlalchemy import inspect

    return set(inspect(connection).get_table_names())


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
"""Compact JSON in ASCII: whatever a text holds, half a surrogate pair or a NUL, any database takes it."""


def _ascii(text: str) -> str:
    """The text for a column, escaped as JSON does it but without the quotes: `p1` stays `p1`."""
    return _encode(text)[1:-1]


def _text(escaped: str) -> str:
    return json.loads(f'"{escaped}"')


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _to_second(time: str) -> str:
    return time[: len("2026-01-31T12:59:59")] + "Z"


def _result(stored: str | None) -> Data | None:
    return None if stored is None else json.loads(stored)


def _entry(row: Row) -> Entry:
    version, side, action, events = row
    return Entry(version, _text(side), json.loads(action), json.loads(events))


def _session_row(row: Row) -> SessionRow:
    session_id, created, updated, version, result, head_text = row
    head: Data = json.loads(head_text)
    return SessionRow(
        session_id=_text(session_id),
        game=head["game"],
        scenario=head["scenario"]["name"],
        created=_to_second(created),
        updated=_to_second(updated),
        version=version,
        result=_result(result),
        head=head,
    )
