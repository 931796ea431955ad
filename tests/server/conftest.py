from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
from mcp import Client
from tests.server.asking import Asker
from tests.server.commands import Shell
from tests.server.stores import ledger, own_postgres_server, postgres_server, postgres_url, sqlite_url, url
from tests.server.wire import Wire

from livingtable_server.app import session_manager
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.tools.server import build_server

__all__ = ["ledger", "own_postgres_server", "postgres_server", "postgres_url", "sqlite_url", "url"]
"""The fixtures that `stores` defines."""


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


@pytest.fixture(scope="session")
def wire() -> Generator[Wire]:
    """A server process with a ledger in memory."""
    wire = Wire("sqlite://")
    yield wire
    wire.close()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands, with a data folder and a ledger of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LIVING_TABLE_STORE", f"sqlite:///{tmp_path / 'games.db'}")
    for variable in ("LIVING_TABLE_SCENARIOS", "LIVING_TABLE_DEBUG", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return Shell(tmp_path, capsys)
