"""Where the server has a token, nobody begins a game without it; what is begun is played by its own key."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from httpx2 import AsyncClient
from tests.server.setups import FAR_APART
from tests.web.rest import Rest, problem
from tests.web.serving import in_process, settings
from tests.web.test_limits import mcp_error

pytestmark = pytest.mark.anyio

TOKEN = "s3same-öpen".encode().hex()
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
async def guarded(anyio_backend: str) -> AsyncGenerator[AsyncClient]:
    assert anyio_backend == "asyncio"
    async with in_process(settings(token=TOKEN)) as client:
        yield client


async def test_without_the_token_no_game_is_begun(guarded: AsyncClient) -> None:
    answer = await guarded.post("/games", json={"scenario": "crossroads"})
    assert "Authorization: Bearer" in problem(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "given",
    [
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        "Bearer x",
        f"Bearer {TOKEN} {TOKEN}",
        "Bearer \u00e9\u00e9",
    ],
)
async def test_a_wrong_token_is_refused(guarded: AsyncClient, given: str) -> None:
    headers = {b"Authorization": given.encode("latin-1")}
    answer = await guarded.post("/games", json={"scenario": "crossroads"}, headers=headers)
    assert TOKEN not in problem(answer, 403)


@pytest.mark.parametrize("given", [TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer ", ""])
async def test_another_kind_of_authorization_is_none(guarded: AsyncClient, given: str) -> None:
    headers = {"Authorization": given}
    problem(await guarded.post("/games", json={"scenario": "crossroads"}, headers=headers), 401)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_with_the_token_a_game_is_begun_and_without_it_played(guarded: AsyncClient, scheme: str) -> None:
    headers = {"Authorization": f"{scheme} {TOKEN}"}
    begun = await guarded.post("/games", json={"setup": FAR_APART}, headers=headers)
    session = begun.json()["sessionId"]
    rest = Rest(guarded)
    assert (await rest.submit(session, "pass"))["ok"]
    assert await rest.get(f"/games/{session}")
    assert (await rest.get("/scenarios"))["scenarios"]


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_over_mcp_it_is_the_same(guarded: AsyncClient, path: str) -> None:
    assert "Authorization: Bearer" in await mcp_error(guarded, "new_game", scenario="crossroads")
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "new_game", "arguments": {"scenario": "crossroads"}},
    }
    headers = {"accept": "application/json, text/event-stream"}
    wrong = await guarded.post(path, json=message, headers={**headers, "Authorization": "Bearer x"})
    assert '"isError":true' in wrong.text
    right = await guarded.post(path, json=message, headers={**headers, **BEARER})
    assert '"isError":true' not in right.text
    assert "sessionId" in right.text


async def test_the_token_is_needed_for_a_fork_too(guarded: AsyncClient) -> None:
    begun = await guarded.post("/games", json={"setup": FAR_APART}, headers=BEARER)
    problem(await guarded.post("/games", json={"fork": begun.json()["sessionId"]}), 401)


async def test_the_description_tells_of_the_token_only_where_there_is_one(
    guarded: AsyncClient, client: AsyncClient
) -> None:
    described = (await guarded.get("/openapi.json")).json()
    assert described["paths"]["/games"]["post"]["security"] == [{"token": []}]
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert "security" not in (await client.get("/openapi.json")).json()["paths"]["/games"]["post"]
