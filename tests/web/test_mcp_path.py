"""`/mcp/` is `/mcp`. That token, host, method and length are looked at on both is in the tests of those."""

from __future__ import annotations

import pytest
from httpx2 import AsyncClient

from livingtable.game import Data

pytestmark = pytest.mark.anyio

HEADERS = {"accept": "application/json, text/event-stream"}
CALL: Data = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_scenarios", "arguments": {}}}


@pytest.mark.parametrize("query", ["", "?x=1"])
async def test_mcp_with_a_slash_answers_as_without_and_redirects_nobody(client: AsyncClient, query: str) -> None:
    plain = await client.post(f"/mcp{query}", json=CALL, headers=HEADERS, follow_redirects=False)
    slashed = await client.post(f"/mcp/{query}", json=CALL, headers=HEADERS, follow_redirects=False)
    assert (plain.status_code, slashed.status_code) == (200, 200)
    assert "fox_pen" in slashed.text
    assert slashed.text == plain.text


async def test_the_figures_know_one_path(client: AsyncClient) -> None:
    await client.post("/mcp/", json=CALL, headers=HEADERS)
    figures = (await client.get("/metrics")).text
    assert 'route="/mcp"' in figures
    assert 'route="/mcp/"' not in figures


@pytest.mark.parametrize("path", ["/mcp//", "/mcp/x", "/MCP/", "//mcp"])
async def test_other_paths_are_unknown(client: AsyncClient, path: str) -> None:
    assert (await client.post(path, json=CALL, headers=HEADERS)).status_code == 404
