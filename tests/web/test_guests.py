"""Where the server has a token, a guest of a room does without it all that can be done there: the secret of the seat
is enough."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, cast

import pytest
from fastapi.routing import iter_route_contexts
from httpx2 import AsyncClient
from tests.server.setups import meadow
from tests.web.rest import Rest, problem
from tests.web.serving import in_process, settings
from tests.web.test_token import BEARER, TOKEN

from livingtable.game import Data
from livingtable_server.app import web
from livingtable_server.settings import Settings
from livingtable_server.tools.catalog import TOOLS, TableTool
from livingtable_server.web.settings import Limits

pytestmark = pytest.mark.anyio

IN_A_ROOM = "/rooms/{code}"
ONE_ROUND = meadow("1_2", "___", rounds=1)
TAKES: dict[str, Data] = {
    f"{IN_A_ROOM}/actions": {"notation": "stay"},
    f"{IN_A_ROOM}/bots": {"side": "p2", "bot": "random"},
}
"""What a route wants beside `playerId`. A new one that takes more is to be added."""
TOOLS_TAKE: dict[str, Data] = {
    "submit_room_action": {"notation": "stay"},
    "seat_bot": {"side": "p2", "bot": "random"},
}


def room_routes() -> list[tuple[str, str]]:
    """Method and path of every route of the application that is about one room."""
    contexts = iter_route_contexts(web(Settings("sqlite://"), settings()).routes)
    found = {
        (method, str(context.path))
        for context in contexts
        for method in cast("set[str]", context.methods or ()) - {"HEAD"}  # which is GET without a body
        if str(context.path).startswith(IN_A_ROOM)
    }
    return sorted(found)


@dataclass(frozen=True)
class Visit:
    """A room at a server with a token, which only its maker knows: the seats' secrets."""

    client: AsyncClient
    code: str
    maker: str
    guest: str

    async def ask(self, method: str, path: str, secret: str, **body: Any) -> Data:
        sent = {"playerId": secret, **body} if method == "POST" else None
        at = path.replace("{code}", self.code)
        answer = await self.client.request(method, at, json=sent, headers={"X-Player-Id": secret})
        assert answer.status_code == 200, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.headers["content-type"] == "application/json" else {}

    async def rematch(self, secret: str) -> Data:
        return await self.ask("POST", f"{IN_A_ROOM}/rematch", secret)

    async def call(self, tool: str, **given: Any) -> str:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
        headers = {"accept": "application/json, text/event-stream"}
        return (await self.client.post("/mcp", json=message, headers=headers)).text


async def visit(client: AsyncClient) -> Visit:
    """Two players, whose game is over."""
    made = (await client.post("/rooms", json={"setup": ONE_ROUND}, headers=BEARER)).json()
    code = made["roomCode"]
    joined = (await client.post(f"/rooms/{code}/join", json={"name": "Bo"})).json()
    visit = Visit(client, code, made["playerId"], joined["playerId"])
    for secret in (visit.maker, visit.guest):
        assert (await visit.ask("POST", f"{IN_A_ROOM}/actions", secret, notation="stay"))["ok"]
    assert (await visit.ask("GET", f"{IN_A_ROOM}/wait", visit.guest))["result"]
    return visit


@pytest.fixture
async def over(anyio_backend: str) -> AsyncGenerator[Visit]:
    assert anyio_backend == "asyncio"
    async with in_process(settings(token=TOKEN)) as client:
        yield await visit(client)


def test_the_table_of_routes_has_those_of_rooms() -> None:
    paths = {path.removeprefix(IN_A_ROOM) for _, path in room_routes()}
    assert paths >= {"", "/join", "/bots", "/actions", "/wait", "/events", "/record", "/rematch", "/board.svg"}
    assert paths >= {"/legal-actions", "/frames", "/animation.svg"}


@pytest.mark.parametrize(("method", "path"), room_routes())
async def test_a_guest_does_everything_in_a_room_without_the_token(over: Visit, method: str, path: str) -> None:
    """Every route that the application has, so that a new one is held to it, too."""
    await over.ask(method, path, over.guest, **TAKES.get(path, {}))


@pytest.mark.parametrize(
    "tool", [t for t in TOOLS if "roomCode" in {p.name for p in t.parameters}], ids=lambda t: t.name
)
async def test_a_guest_calls_every_tool_of_a_room_without_the_token(over: Visit, tool: TableTool) -> None:
    given = {"roomCode": over.code, "playerId": over.guest, **TOOLS_TAKE.get(tool.name, {})}
    assert {"roomCode", "playerId"} <= {p.name for p in tool.parameters}
    answer = await over.call(tool.name, **given)
    assert '"isError":true' not in answer
    assert "structuredContent" in answer


async def test_a_guest_who_joins_over_mcp_needs_no_token(over: Visit) -> None:
    made = (await over.client.post("/rooms", json={"setup": ONE_ROUND}, headers=BEARER)).json()
    assert '"side":"p2"' in await over.call("join_room", roomCode=made["roomCode"])


async def test_a_guest_follows_a_rematch_and_may_call_for_it(over: Visit) -> None:
    """The call that was answered with 401."""
    mine = await over.rematch(over.guest)
    other = await over.rematch(over.maker)
    assert mine["roomCode"] == other["roomCode"] != over.code
    assert (mine["side"], other["side"]) == ("p2", "p1")
    state = await Rest(over.client).get(f"/rooms/{mine['roomCode']}", detail="brief")
    assert [(p["side"], p["name"]) for p in state["players"]] == [("p1", "p1"), ("p2", "Bo")]


async def test_a_rematch_is_for_nobody_without_a_seat(over: Visit) -> None:
    problem(await over.client.post(f"/rooms/{over.code}/rematch", json={"playerId": "x" * 22}), 403)
    problem(await over.client.post(f"/rooms/{over.code}/rematch", json={"playerId": "x" * 22}, headers=BEARER), 403)


async def test_a_rematch_counts_as_a_game_begun() -> None:
    async with in_process(settings(token=TOKEN, limits=Limits(0, 2, 0, 0, 0, 0))) as client:
        room = await visit(client)
        assert (await room.rematch(room.guest))["side"] == "p2"
        answer = await client.post(f"/rooms/{room.code}/rematch", json={"playerId": room.maker})
        assert "too many games" in problem(answer, 429)
        assert int(answer.headers["retry-after"]) >= 1


async def test_a_new_room_still_takes_the_token(over: Visit) -> None:
    problem(await over.client.post("/rooms", json={"setup": ONE_ROUND}), 401)
    assert "Authorization: Bearer" in await over.call("create_room", setup=ONE_ROUND)
