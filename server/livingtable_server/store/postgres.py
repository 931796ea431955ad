"""PostgreSQL: one database for many processes, on one machine or on many."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from livingtable_server.store.address import PostgresAddress
from livingtable_server.store.changes import Changed
from livingtable_server.store.database import Done, Run, Statements, Values
from livingtable_server.store.errors import Conflict, StoreError
from livingtable_server.store.stored import Row

if TYPE_CHECKING:
    from psycopg import AsyncConnection, Error
    from sqlalchemy import ClauseElement

    from livingtable_server.store.listening import Listener

    Connection = AsyncConnection[tuple[Any, ...]]

CONNECTIONS_AT_MOST = 8
"""Of one process, beside the one that listens. Calls above that wait for their turn."""

_LIMITS = {
    "connect_timeout": 5,
    # Else a call would wait for a machine that is gone as long as the system does, which may be a quarter of an hour.
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""What a URL may set otherwise. Seconds, and milliseconds for the last."""
_AT_START = b"""
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET lock_timeout = '5s';
SET idle_in_transaction_session_timeout = '15s'
"""
"""Whatever the database's own defaults are: between writers of one version the primary key is to decide, and nobody is
to wait for a process that stands still."""
_LOCK = 5_405_718_742
"""Any number, but always the same: who holds it is alone with the tables."""


class PostgresDatabase:
    """A database of a server. Each call has a connection of its own while it runs; they are kept and used again.

    A pool of a library would do that too, but it would make its callers wait, out of their sight, while the server is
    away. Here a call says at once that it is, and the first one after its return finds it.
    """

    def __init__(self, address: PostgresAddress, conninfo: str) -> None:
        import psycopg
        from sqlalchemy import text
        from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

        from livingtable_server.store.telling import telling

        # Of a connection that is lost under way it warns, with a line of its own; here an error says it.
        logging.getLogger("psycopg").setLevel(logging.ERROR)
        self.name = str(address)
        self.sender = token_hex(4)
        """By which a process knows its own notices."""
        self.table_names = text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        self.bytes_used = text(
            "SELECT CAST(sum(pg_total_relation_size(oid)) AS BIGINT) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())"
        )
        self._lock = text(f"SELECT pg_advisory_xact_lock({_LOCK})")
        self._told = telling(self.sender)
        self._statements = Statements(PGDialect_psycopg(paramstyle="format"))
        self._driver = psycopg
        self._conninfo = conninfo
        self._idle: list[Connection] = []
        self._places = asyncio.Semaphore(CONNECTIONS_AT_MOST)
        self._closed = False
        self._listener: Listener | None = None

    @classmethod
    async def open(cls, address: PostgresAddress, changed: Changed | None = None) -> PostgresDatabase:
        """Connects. Raises `StoreError` where there is no such server or database, or no driver for it."""
        database = cls(address, _conninfo(address))
        if changed is not None:
            from livingtable_server.store.listening import Listener

            database._listener = await Listener.begin(database.connect, database.sender, changed)
        return database

    @property
    def notifies(self) -> bool:
        return self._listener is not None and self._listener.listening

    def awaited(self) -> AbstractContextManager[None]:
        return nullcontext()

    async def rows(self, statement: ClauseElement, values: Values) -> list[Row]:
        async with self._connection() as connection:
            return await self._run(connection, statement, values)

    async def transaction(self, work: Callable[[Run], Awaitable[Done]], *, alone: bool = False) -> Done:
        async with self._connection() as connection, connection.transaction():
            run = partial(self._run, connection)
            if alone:
                await run(self._lock, {})
            return await work(run)

    async def try_writing(self) -> None:
        from livingtable_server.store.tables import TRY_WRITING

        await self.rows(TRY_WRITING, {})

    async def close(self) -> None:
        if self._listener is not None:
            await self._listener.end()
        self._closed = True
        for _ in range(CONNECTIONS_AT_MOST):
            await self._places.acquire()
        await self._drop_idle()
        for _ in range(CONNECTIONS_AT_MOST):
            self._places.release()

    async def connect(self) -> Connection:
        """A new connection, the caller's to close."""
        try:
            connection = await self._driver.AsyncConnection.connect(self._conninfo, autocommit=True)
            try:
                await connection.execute(_AT_START)
            except BaseException:
                await connection.close()
                raise
        except self._driver.Error as error:
            raise StoreError(
                f'The ledger "{self.name}" cannot be reached ({_reason(error)}): see that PostgreSQL runs there and '
                "lets this user in."
            ) from None
        return connection

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[Connection]:
        async with self._places:
            if self._closed:
                raise StoreError("The ledger is closed.")
            connection = await self._kept() or await self.connect()
            try:
                yield connection
            except self._driver.Error as error:
                raise _failed(connection, error) from None
            finally:
                await self._give_back(connection)

    async def _kept(self) -> Connection | None:
        """One that was used before, and that the server has not closed since."""
        while self._idle:
            connection = self._idle.pop()
            with suppress(self._driver.OperationalError):
                connection.pgconn.consume_input()  # what the server said last: nothing, or that it goes,
                connection.pgconn.consume_input()  # and then the end
            if not connection.closed:
                return connection
            await connection.close()
        return None

    async def _give_back(self, connection: Connection) -> None:
        """A connection on which something is still under way, after a cancelled call, is not used again."""
        if connection.info.transaction_status == self._driver.pq.TransactionStatus.IDLE:
            self._idle.append(connection)
            return
        await connection.close()

    async def _drop_idle(self) -> None:
        while self._idle:
            await self._idle.pop().close()

    async def _run(self, connection: Connection, statement: ClauseElement, values: Values) -> list[Row]:
        sql, ordered = self._statements.prepared(self._told.get(statement, statement), values)
        try:
            cursor = await connection.execute(sql.encode(), ordered)
        except self._driver.IntegrityError:
            raise Conflict from None
        return await cursor.fetchall() if cursor.description else []


def _conninfo(address: PostgresAddress) -> str:
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict, make_conninfo
    except ImportError:
        raise StoreError(
            "For PostgreSQL its driver is needed: install it with pip install 'living-table[postgres]'."
        ) from None
    try:
        return make_conninfo("", **{**_LIMITS, **conninfo_to_dict(address.url)})
    except ProgrammingError:  # Its text may hold a part of the password.
        raise StoreError(
            "The store's address is none that PostgreSQL takes: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
            "with signs such as @ / ? % in a name or password as %40 %2F %3F %25."
        ) from None


def _failed(connection: Connection, error: Error) -> StoreError:
    if connection.closed:
        return StoreError(
            f"The connection to the ledger was lost ({_reason(error)}), and it is not known whether this was stored: "
            "read again what is there before you go on."
        )
    return StoreError(
        f"The ledger cannot be read or written ({_reason(error)}): see that the database has room and that its user "
        "may write its tables."
    )


def _reason(error: Error) -> str:
    """On one line. Never PostgreSQL's details: they show the values of a row, and session ids among them."""
    return " ".join((error.diag.message_primary or str(error)).split())
