"""Room codes that are tried: slowed down per request, and limited for each client, which still plays on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from starlette.types import ASGIApp
from tests.server.setups import FAR_APART
from tests.web.rest import Rest, problem
from tests.web.serving import HOST, running, settings
from tests.web.test_guests import room_routes, visit
from tests.web.test_limits import Clock, mcp_error, refused_for_now

from livingtable.game import Data
from livingtable_server.app import web
from livingtable_server.sessions import door
from livingtable_server.sessions.errors import TooManyError
from livingtable_server.settings import Settings
from livingtable_server.web import misses
from livingtable_server.web.misses import Misses
from livingtable_server.web.settings import Limits

AT_MOST = 3
WRONG = "/rooms/AAAA-AAAA"


@pytest.fixture(autouse=True)
def _misses_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(door, "MISS_SECONDS", 0.0)


@dataclass
class Server:
    app: ASGIApp
    clock: Clock

    @asynccontextmanager
    async def client(self, address: str = "192.0.2.7") -> AsyncGenerator[AsyncClient]:
        async with AsyncClient(transport=ASGITransport(app=self.app, client=(address, 1)), base_url=HOST) as client:
            yield client


@pytest.fixture
async def server(anyio_backend: str) -> AsyncGenerator[Server]:
    assert anyio_backend == "asyncio"
    clock = Clock()
    given = settings(limits=Limits(0, 0, 0, 0, 0, 0, AT_MOST), clock=clock)
    app = web(Settings("sqlite://"), given).app
    async with running(app):
        yield Server(app, clock)


@pytest.fixture
async def client(server: Server) -> AsyncGenerator[AsyncClient]:
    async with server.client() as client:
        yield client


async def room(server: Server) -> Data:
    """One that somebody at another address has made."""
    async with server.client("198.51.100.1") as maker:
        return (await maker.post("/rooms", json={"setup": FAR_APART})).json()


async def use_up(client: AsyncClient) -> None:
    for _ in range(AT_MOST):
        problem(await client.get(WRONG), 404)


def tried_too_many(answer: Response) -> None:
    assert "too many room codes" in refused_for_now(answer)


def test_by_default_a_person_who_mistypes_is_never_hit() -> None:
    watched = Misses(Limits().misses, Clock()).of("a")
    for _ in range(100):
        watched.missed()
    watched.found("7K3M-Q2XD", seated=False)


@pytest.mark.anyio
async def test_too_many_misses_of_one_client_are_429_with_retry_after(client: AsyncClient) -> None:
    await use_up(client)
    tried_too_many(await client.get(WRONG))


@pytest.mark.anyio
@pytest.mark.parametrize(("method", "path"), room_routes())
async def test_every_route_of_a_room_counts_a_miss_and_refuses_after_too_many(
    client: AsyncClient, method: str, path: str
) -> None:
    body = {"playerId": "x", **({"notation": "pass"} if path.endswith("actions") else {})}
    at = path.replace("{code}", "AAAA-AAAA")
    sent: dict[str, Any] = {"json": body} if method == "POST" else {"headers": {"X-Player-Id": "x"}}
    for _ in range(AT_MOST):
        problem(await client.request(method, at, **sent), 404)
    tried_too_many(await client.request(method, at, **sent))


@pytest.mark.anyio
async def test_a_right_code_is_refused_in_the_same_words_so_that_it_cannot_be_found_so(
    server: Server, client: AsyncClient
) -> None:
    made = await room(server)
    await use_up(client)
    wrong, right = await client.get(WRONG), await client.get(f"/rooms/{made['roomCode']}")
    assert (wrong.status_code, wrong.text, wrong.headers["retry-after"]) == (
        right.status_code,
        right.text,
        right.headers["retry-after"],
    )
    tried_too_many(await client.post(f"/rooms/{made['roomCode']}/join", json={}))
    tried_too_many(await client.get(f"/rooms/{made['roomCode']}", headers={"X-Player-Id": "x"}))
    async with server.client("198.51.100.1") as maker:
        players = (await Rest(maker).get(f"/rooms/{made['roomCode']}"))["players"]
    assert [p["controller"] for p in players] == ["human", "open", "open"], "nobody has joined"


@pytest.mark.anyio
async def test_misses_at_once_do_not_slip_through(client: AsyncClient) -> None:
    answers = await asyncio.gather(*(client.get(WRONG) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [404] * AT_MOST + [429] * (20 - AT_MOST)


@pytest.mark.anyio
async def test_who_has_a_seat_plays_on_at_the_same_address(server: Server, client: AsyncClient) -> None:
    made = await room(server)
    await use_up(client)
    path, secret = f"/rooms/{made['roomCode']}", made["playerId"]
    assert (await client.get(path, headers={"X-Player-Id": secret})).status_code == 200
    for side in ("p2", "p3"):
        seated = await client.post(f"{path}/bots", json={"playerId": secret, "side": side})
        assert seated.status_code == 200
    moved = await client.post(f"{path}/actions", json={"playerId": secret, "notation": "pass"})
    assert moved.json()["ok"]


@pytest.mark.anyio
async def test_a_room_that_the_client_was_in_before_stays_open_to_it(server: Server, client: AsyncClient) -> None:
    made = await room(server)
    assert (await client.get(f"/rooms/{made['roomCode']}")).status_code == 200
    await use_up(client)
    assert (await client.get(f"/rooms/{made['roomCode']}")).status_code == 200
    assert (await client.post(f"/rooms/{made['roomCode']}/join", json={})).status_code == 200


@pytest.mark.anyio
async def test_after_the_time_that_it_is_told_the_client_may_try_again(server: Server, client: AsyncClient) -> None:
    await use_up(client)
    server.clock.now += int((await client.get(WRONG)).headers["retry-after"])
    problem(await client.get(WRONG), 404)
    tried_too_many(await client.get(WRONG))


@pytest.mark.anyio
async def test_other_clients_are_not_refused(server: Server, client: AsyncClient) -> None:
    made = await room(server)
    await use_up(client)
    async with server.client("203.0.113.9") as other:
        assert (await other.get(f"/rooms/{made['roomCode']}")).status_code == 200
        problem(await other.get(WRONG), 404)


@pytest.mark.anyio
async def test_over_mcp_misses_count_with_those_over_rest(server: Server, client: AsyncClient) -> None:
    made = await room(server)
    problem(await client.get(WRONG), 404)
    for tool in ("get_room_state", "join_room"):
        assert "no room of this code" in await mcp_error(client, tool, roomCode="AAAA-AAAA")
    assert "too many room codes" in await mcp_error(client, "get_room_state", roomCode="AAAA-AAAA")
    assert "too many room codes" in await mcp_error(client, "join_room", roomCode=made["roomCode"])
    tried_too_many(await client.get(WRONG))


@pytest.mark.anyio
async def test_players_follow_a_rematch_at_an_address_that_is_refused(server: Server, client: AsyncClient) -> None:
    played = await visit(client)
    async with server.client("203.0.113.9") as other:
        await use_up(other)
        for secret in (played.guest, played.maker):
            answer = await other.post(f"/rooms/{played.code}/rematch", json={"playerId": secret})
            assert answer.status_code == 200


@pytest.mark.anyio
async def test_the_lobby_is_looked_at_by_a_client_that_is_refused(client: AsyncClient) -> None:
    tokens = [(await client.post("/api/players", json={"name": name})).json()["token"] for name in ("Ada", "Bo")]
    started = await client.post("/api/start", headers={"Authorization": f"Bearer {tokens[0]}"})
    assert started.status_code == 200
    await use_up(client)
    assert (await client.get("/api/state")).json()["started"] is True
    moved = await client.post("/api/players/p1/pass", headers={"Authorization": f"Bearer {tokens[0]}"})
    assert moved.status_code == 200


def test_no_more_codes_are_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misses, "KNOWN_AT_MOST", 2)
    watched = Misses(1, Clock()).of("a")
    for code in ("1", "2", "3"):
        watched.found(code, seated=False)
    watched.missed()
    watched.found("3", seated=False)
    with pytest.raises(TooManyError):
        watched.found("1", seated=False)
