"""Hears on PostgreSQL what other processes have changed, over a connection of its own that it makes anew when lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from psycopg import Error

from livingtable_server.store.changes import Changed
from livingtable_server.store.errors import StoreError
from livingtable_server.store.telling import CHANNEL

if TYPE_CHECKING:
    from psycopg import AsyncConnection

    Connection = AsyncConnection[tuple[Any, ...]]

SECONDS_TO_RETRY = 0.1, 2.0
"""After the first failure to connect again, and at most after the later ones."""


class Listener:
    """`listening` is whether changes are heard now; `changed` is called as `Changed` says."""

    def __init__(self, connect: Callable[[], Awaitable[Connection]], sender: str, changed: Changed) -> None:
        self._connect = connect
        self._sender = sender
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self.listening = False

    @classmethod
    async def begin(cls, connect: Callable[[], Awaitable[Connection]], sender: str, changed: Changed) -> Listener:
        """Once this returns, no change is missed. Raises `StoreError` where it cannot connect."""
        listener = cls(connect, sender, changed)
        listener._task = asyncio.create_task(listener._listen_on(await listener._connected()))
        return listener

    async def end(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _listen_on(self, connection: Connection) -> None:
        while True:
            await self._hear(connection)
            connection = await self._connected_again()
            self._tell(None)

    async def _hear(self, connection: Connection) -> None:
        """Until the connection is lost."""
        try:
            async with aclosing(connection.notifies()) as notices:
                async for notice in notices:
                    sender, _, key = notice.payload.partition(" ")
                    if sender != self._sender:
                        self._tell(key)
        except Error:
            pass
        finally:
            self.listening = False
            await connection.close()

    async def _connected_again(self) -> Connection:
        wait, at_most = SECONDS_TO_RETRY
        while True:
            try:
                return await self._connected()
            except StoreError:
                await asyncio.sleep(wait)
                wait = min(2 * wait, at_most)

    async def _connected(self) -> Connection:
        connection = await self._connect()
        try:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
        except BaseException as error:
            await connection.close()
            if isinstance(error, Error):
                raise StoreError("The ledger's changes cannot be listened to.") from None
            raise
        self.listening = True
        return connection

    def _tell(self, key: str | None) -> None:
        """In a turn of its own, so that a fault of who is told does not end the listening."""
        self._loop.call_soon(self._changed, key)
