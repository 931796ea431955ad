"""The wire to an MCP server that is started here: a line a message, none longer than may be, and its end with it.

It takes the place of the SDK's own, which reads a line whole however long it is, and whose servers outlive a process
that was killed.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from livingtable.arena.children import Child, EndedError, OverlongError

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

    Messages = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def wired(child: Child) -> AsyncGenerator[Messages]:
    """A transport for the SDK's client. `child` is left to whoever began it."""
    from mcp.shared.message import SessionMessage

    to_client, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        async with to_client:
            with suppress(EndedError, OverlongError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                while True:
                    line = await to_thread.run_sync(child.line, abandon_on_cancel=True)
                    if line.strip():
                        await to_client.send(_message_of(line))

    async def write() -> None:
        async with from_client:
            async for message in from_client:
                child.tell(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")

    async with anyio.create_task_group() as tasks, from_server, to_server:
        tasks.start_soon(read)
        tasks.start_soon(write)
        try:
            yield from_server, to_server
        finally:
            tasks.cancel_scope.cancel()


def _message_of(line: bytes) -> SessionMessage | Exception:
    """What is no message is left to the SDK, which goes on after it."""
    import mcp_types
    from mcp.shared.message import SessionMessage

    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
