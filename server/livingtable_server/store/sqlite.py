"""SQLite: a file, or memory, for one process and a few beside it."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext, suppress
from errno import ENOTDIR
from pathlib import Path
from typing import TYPE_CHECKING, cast

from anyio import CapacityLimiter, to_thread

from livingtable_server.store.changes import Changed
from livingtable_server.store.database import Done, Run, Statements, Values
from livingtable_server.store.errors import Conflict, StoreError
from livingtable_server.store.store_file import StoreFile
from livingtable_server.store.stored import Row
from livingtable_server.store.watching import Watch

if TYPE_CHECKING:
    import aiosqlite
    from sqlalchemy import ClauseElement
    from sqlalchemy.engine import Dialect
    from sqlalchemy.engine.interfaces import DBAPIModule

BUSY_SECONDS = 5.0
"""How long a statement waits for another process's write."""


class SqliteDatabase:
    """A file, or memory. All goes through one connection, one statement after the other.

    A statement runs in one visit to the driver's thread: SQLAlchemy's own way makes three or four, each of which costs
    more than SQLite does (0.7 ms an append against 0.2 ms). Cancelling a call does not undo it: its statement is with
    the thread by then, and an append may well have been stored.
    """

    def __init__(self, path: Path | None, driver: aiosqlite.Connection, dialect: Dialect, closing: AsyncExitStack):
        from sqlalchemy import text

        self.name = str(path or "memory")
        self._file = None if path is None else StoreFile.at(path)
        self.table_names = text("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        self.bytes_used = text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        self._version_of_data = text("PRAGMA data_version")
        """Changes with what other connections commit, not with this one's."""
        self._begin, self._commit, self._rollback = map(text, ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"))
        self._driver = driver
        self._errors = cast("DBAPIModule", dialect.dbapi)
        self._statements = Statements(dialect)
        self._closing = closing
        self._turn = asyncio.Lock()
        self._watch: Watch | None = None
        self._one_at_a_time = CapacityLimiter(1)

    @classmethod
    async def open(cls, path: Path | None, changed: Changed | None = None, make: bool = True) -> SqliteDatabase:
        """The file is made, with its folder, where there is none and `make` says so. `changed` hears, without which
        session, that others have written to it. Raises `StoreError` where none can be made."""
        from sqlite3 import Error as SqliteError

        from sqlalchemy.exc import DBAPIError

        if path is not None and not make and not path.exists():
            raise StoreError(f'The ledger "{path}" is gone: stop the server, and put the file back from a copy.')
        closing = AsyncExitStack()
        try:
            driver, dialect = await _connect(path, closing)
        except BaseException as error:
            await closing.aclose()
            if isinstance(error, OSError | SqliteError | DBAPIError):
                raise _cannot_open(path, error) from None
            raise
        database = cls(path, driver, dialect, closing)
        if changed is not None and path is not None:
            await database._watch_for(changed)
        return database

    @property
    def notifies(self) -> bool:
        return self._watch is not None and self._watch.watching

    def awaited(self) -> AbstractContextManager[None]:
        return nullcontext() if self._watch is None else self._watch.awaited()

    async def rows(self, statement: ClauseElement, values: Values) -> list[Row]:
        async with self._turn:
            return await self._run(statement, values)

    async def transaction(self, work: Callable[[Run], Awaitable[Done]], *, alone: bool = False) -> Done:
        """It is a task of its own, so that a cancelled caller cannot leave the transaction open behind it."""
        return await asyncio.shield(asyncio.create_task(self._together(work)))

    async def try_writing(self) -> None:
        """Over a connection of its own, which waits for nobody's turn and sees the file as others see it."""
        if self._file is not None:
            await to_thread.run_sync(self._file.try_writing, limiter=self._one_at_a_time, abandon_on_cancel=True)

    async def _watch_for(self, changed: Changed) -> None:
        watch = Watch(self._data_version, changed)
        try:
            await watch.begin()
        except BaseException:
            await self.close()
            raise
        self._watch = watch

    async def _data_version(self) -> int:
        ((version,),) = await self.rows(self._version_of_data, {})
        return version

    async def close(self) -> None:
        if self._watch is not None:
            await self._watch.end()
        async with self._turn:
            await self._closing.aclose()

    async def _together(self, work: Callable[[Run], Awaitable[Done]]) -> Done:
        async with self._turn:
            # "Immediate" takes the write lock at once, which cannot fail half-way then; so each is alone.
            await self._run(self._begin, {})
            try:
                done = await work(self._run)
                await self._run(self._commit, {})
            except BaseException:
                if self._driver.in_transaction:  # SQLite itself has rolled back after some errors
                    await self._run(self._rollback, {})
                raise
            return done

    async def _run(self, statement: ClauseElement, values: Values) -> list[Row]:
        """Needs the turn."""
        sql, ordered = self._statements.prepared(statement, values)
        try:
            rows = await self._driver.execute_fetchall(sql, ordered)
        except self._errors.IntegrityError:
            raise Conflict from None
        except self._errors.Error as error:
            raise StoreError(
                f"The ledger cannot be read or written ({error}): see that its disk has room and that no other program "
                "holds its file."
            ) from None
        return cast("list[Row]", rows)


def _cannot_open(path: Path | None, error: BaseException) -> StoreError:
    reason = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
    return StoreError(
        f'The ledger "{path}" cannot be opened ({reason}): name another file, in a folder that may be written, with '
        "--store sqlite:///PATH."
    )


async def _connect(path: Path | None, closing: AsyncExitStack) -> tuple[aiosqlite.Connection, Dialect]:
    """`closing` gets what is to be closed, even if this raises.

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
    return driver, connection.dialect


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
