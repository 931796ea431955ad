"""What the server's operator needs to know, such as paths and addresses, stands in the log and in no answer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from httpx2 import AsyncClient
from tests.web.serving import in_process, settings
from tests.web.test_limits import mcp_error

from livingtable.game import Data
from livingtable_server.app import session_manager
from livingtable_server.sessions.errors import UnavailableError
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

NOWHERE = "/dev/null/of-the-operator/games.sqlite3"
"""No ledger can be made there."""
ID = "1" * 22
BODIES: dict[str, Data] = {
    "/games": {"scenario": "crossroads"},
    "/games/{session}/actions": {"notation": "pass"},
    "/records/verify": {"sessionId": ID},
    "/rooms": {"scenario": "crossroads"},
    "/rooms/{code}/join": {},
    "/rooms/{code}/bots": {"playerId": ID},
    "/rooms/{code}/actions": {"playerId": ID, "notation": "pass"},
}


@pytest.fixture
async def without_store(anyio_backend: str) -> AsyncGenerator[AsyncClient]:
    assert anyio_backend == "asyncio"
    async with in_process(settings(), f"sqlite:///{NOWHERE}") as client:
        yield client


async def test_no_route_tells_where_the_store_is_that_cannot_be_used(
    without_store: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    description = (await without_store.get("/openapi.json")).json()
    refused = 0
    for route, methods in description["paths"].items():
        for method in methods:
            path = route.replace("{session}", ID).replace("{code}", "BCDF-GHJK").replace("{id}", "p1")
            body = BODIES.get(route, {}) if method == "post" else None
            headers = {"X-Player-Id": ID, "Accept": "application/json", "Authorization": f"Bearer {ID}"}
            answer = await without_store.request(method, path, json=body, headers=headers)
            assert "operator" not in answer.text, (method, route)
            refused += answer.status_code == 503
    assert refused > 10
    assert "of-the-operator" in caplog.text


async def test_no_tool_tells_it_over_http(without_store: AsyncClient) -> None:
    for tool, given in (
        ("new_game", {"scenario": "crossroads"}),
        ("get_state", {"sessionId": ID}),
        ("create_room", {"scenario": "crossroads"}),
        ("get_record", {"roomCode": "BCDF-GHJK"}),
    ):
        text = await mcp_error(without_store, tool, **given)
        assert "cannot be used now" in text
        assert "operator" not in text


async def test_no_resource_tells_it_over_http(without_store: AsyncClient) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": f"session://{ID}"}}
    answer = await without_store.post("/mcp", json=message, headers={"accept": "application/json, text/event-stream"})
    assert "cannot be used now" in answer.text
    assert "operator" not in answer.text


async def test_the_owner_of_the_machine_is_told_over_stdio(anyio_backend: str) -> None:
    assert anyio_backend == "asyncio"
    table = session_manager(Settings(f"sqlite:///{NOWHERE}"))
    with pytest.raises(UnavailableError) as refused:
        await table.session(ID)
    assert NOWHERE in table.words(refused.value)


async def test_of_a_scenario_file_that_cannot_be_used_others_are_told_the_name_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({"game": "botwars", "name": "bad", "maxRound": 5}))
    monkeypatch.setenv("LIVING_TABLE_SCENARIOS", str(tmp_path))
    table = session_manager(Settings.from_options("sqlite://"))
    assert {p["file"] for p in (await table.list_scenarios())["problems"]} == {str(tmp_path / "bad.json")}
    table.public = True
    assert {p["file"] for p in (await table.list_scenarios())["problems"]} == {"bad.json"}
