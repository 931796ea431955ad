"""Who is told of the board as an MCP App, and what the App's page is made of."""

from __future__ import annotations

import re

import pytest
from mcp import Client
from mcp.client.extension import ClientExtension
from mcp_types import TextResourceContents
from tests.browser.apps import APPS, BOARD, HTML

from livingtable_server.app import mcp_server
from livingtable_server.settings import Settings


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _client(*extensions: ClientExtension) -> Client:
    return Client(mcp_server(Settings("sqlite://")), extensions=list(extensions))


@pytest.mark.anyio
async def test_a_client_with_the_extension_is_shown_the_board_by_new_game_and_get_state() -> None:
    async with _client(APPS) as client:
        tools = {tool.name: tool.meta for tool in (await client.list_tools()).tools}
        assert {name for name, meta in tools.items() if meta} == {"new_game", "get_state"}
        assert tools["new_game"] == {"ui": {"resourceUri": BOARD}}
        assert BOARD in [resource.uri for resource in (await client.list_resources()).resources]
        (page,) = (await client.read_resource(BOARD)).contents
        assert isinstance(page, TextResourceContents)
        assert page.mime_type == HTML
        assert page.text.startswith("<!doctype html>")


@pytest.mark.anyio
async def test_a_client_without_the_extension_sees_nothing_of_it() -> None:
    async with _client() as client:
        tools, resources = await client.list_tools(), await client.list_resources()
        assert "ui://" not in tools.model_dump_json(by_alias=True) + resources.model_dump_json(by_alias=True)
        begun = await client.call_tool("new_game", {"scenario": "castle_siege", "side": "ivory"})
        assert "ui://" not in begun.model_dump_json(by_alias=True)


@pytest.mark.anyio
async def test_the_page_is_one_file_that_fetches_nothing() -> None:
    async with _client(APPS) as client:
        (page,) = (await client.read_resource(BOARD)).contents
        assert isinstance(page, TextResourceContents)
        assert re.findall(r"""\b(?:src|href)=|url\(|@import|^\s*(?:import|export) """, page.text, re.MULTILINE) == []
        assert len(page.text.encode()) < 150_000
