"""Whole games over Streamable HTTP, with clients that others wrote, in both protocol eras."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from fastmcp import Client as FastClient
from mcp import Client
from tests.server.asking import Asker, play_out
from tests.server.test_clients import played_by, verified
from tests.web.serving import Site

from livingtable.game import Data

pytestmark = pytest.mark.anyio

MODES = pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")]
)


@asynccontextmanager
async def connected(site: Site, mode: str = "auto") -> AsyncGenerator[Client]:
    async with Client(f"{site.url}/mcp", mode=mode) as client:
        yield client


@MODES
async def test_the_sdks_client_plays_a_whole_game(site: Site, mode: str, version: str) -> None:
    async with connected(site, mode) as client:
        assert client.protocol_version == version
        asker = Asker(client)
        session = await asker.begin("troll_night", seed=1, side="p1")
        end = await play_out(asker, session, 4, "p1")
        await verified(asker, session, end)


async def test_fastmcps_client_plays_a_whole_game(site: Site) -> None:
    async with FastClient(f"{site.url}/mcp") as client:

        async def ask(tool: str, **more: Any) -> Data:
            result = await client.call_tool(tool, more)
            assert result.structured_content is not None
            return result.structured_content

        end, session = await played_by(ask, "p2")
        assert await ask("verify_record", sessionId=session) == {"ok": True, "result": end["result"]}
        assert await client.read_resource(f"session://{session}")
        assert await client.get_prompt("botwars_review_game", {"session": session})
        failed = await client.call_tool("get_state", {"sessionId": "nowhere"}, raise_on_error=False)
        assert failed.is_error


@MODES
async def test_no_tool_and_no_resource_gives_away_what_others_play(site: Site, mode: str, version: str) -> None:
    async with connected(site, mode) as client:
        assert client.protocol_version == version
        session = await Asker(client).begin()
        assert "list_sessions" not in [tool.name for tool in (await client.list_tools()).tools]
        assert "list_sessions" in await _error_of(client, "list_sessions")
        listed = await client.list_resources()
        assert not [r for r in listed.resources if session in str(r.uri)]


async def _error_of(client: Client, tool: str) -> str:
    result = await client.call_tool(tool, {})
    assert result.is_error
    return str(result.content)


@MODES
async def test_a_game_begun_over_rest_is_gone_on_with_over_mcp(site: Site, mode: str, version: str) -> None:
    with site.client() as rest:
        session = rest.post("/games", json={"scenario": "troll_night", "side": "p1", "seed": 1}).json()["sessionId"]
    async with connected(site, mode) as client:
        assert client.protocol_version == version
        assert (await Asker(client).ask("get_state", sessionId=session))["sessionId"] == session


@MODES
async def test_a_misspelt_argument_is_named_with_the_nearest_known_one(site: Site, mode: str, version: str) -> None:
    """C64"""
    async with connected(site, mode) as client:
        assert client.protocol_version == version
        assert 'did you mean "seed"?' in await Asker(client).error("new_game", scenario="crossroads", sead=1)


async def test_many_clients_are_served_at_once(site: Site) -> None:
    async def play(seed: int) -> None:
        async with connected(site, "legacy" if seed % 2 else "2026-07-28") as client:
            asker = Asker(client)
            session = await asker.begin("troll_night", seed=seed, side="p1")
            for _ in range(5):
                (notation, *_) = await asker.legal(session)
                assert (await asker.submit(session, notation))["ok"]

    async with anyio.create_task_group() as tasks:
        for seed in range(16):
            tasks.start_soon(play, seed)
