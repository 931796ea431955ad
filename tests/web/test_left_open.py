"""Clients that go and never say so (C45)."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient
from tests.server.setups import FAR_APART
from tests.server.test_round_clock import HeldTime
from tests.web.serving import HOST, running, settings

from livingtable_server import app
from livingtable_server.sessions import live
from livingtable_server.sessions.live import IDLE_SECONDS
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.session import Session
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

CLIENTS = 2_000
HEADERS = {"accept": "application/json, text/event-stream"}


async def connect(client: AsyncClient, number: int) -> None:
    """A client of the older era opens its session, begins a game and is never heard of again."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    opened = await client.post("/mcp", json=message("initialize", hello), headers=HEADERS)
    assert opened.status_code == 200
    assert "mcp-session-id" not in opened.headers, "there is nothing to end"
    call = {"name": "new_game", "arguments": {"setup": FAR_APART, "seed": number, "detail": "brief"}}
    begun = await client.post("/mcp", json=message("tools/call", call), headers=HEADERS)
    assert "sessionId" in begun.text


def message(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def sessions_alive() -> int:
    gc.collect()
    return sum(isinstance(each, Session) for each in gc.get_objects())


@pytest.mark.slow
async def test_two_thousand_mcp_sessions_left_open_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """C45"""
    held = HeldTime()
    monkeypatch.setattr(live, "monotonic", held.monotonic)
    tables: list[SessionManager] = []
    made = app.session_manager

    def session_manager(given: Settings, public: bool) -> SessionManager:
        tables.append(made(given, public))
        return tables[-1]

    monkeypatch.setattr(app, "session_manager", session_manager)
    whole = app.web(Settings("sqlite://"), settings()).app
    async with running(whole), AsyncClient(transport=ASGITransport(app=whole), base_url=HOST) as client:
        await connect(client, 0)
        base = sessions_alive() - 1, len(asyncio.all_tasks())
        for number in range(1, CLIENTS):
            await connect(client, number)
        (table,) = tables
        assert sessions_alive() == table.live.kept == live.SESSIONS_IN_MEMORY
        held.now += IDLE_SECONDS
        table.live.sweep()
        assert (sessions_alive(), len(asyncio.all_tasks())) == base
        assert table.live.kept == 0
