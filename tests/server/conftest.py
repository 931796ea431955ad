from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from mcp import Client

from livingtable_server.app import session_manager
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.tools.server import build_server
from tests.server.asking import Asker


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def table(anyio_backend: str) -> AsyncGenerator[SessionManager]:
    """A session manager over a ledger in memory."""
    assert anyio_backend == "asyncio"
    table = session_manager(Settings("sqlite://"))
    yield table
    await table.close()


@pytest.fixture
async def asker(table: SessionManager) -> AsyncGenerator[Asker]:
    """A client of a server over that table."""
    async with Client(build_server(table)) as client:
        yield Asker(client)
