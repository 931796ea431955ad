"""What one client may have: so many requests a second, games an hour, and calls, streams and requests at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from httpx2 import AsyncClient, Response
from tests.server.setups import FAR_APART
from tests.web.rest import problem
from tests.web.serving import Site, in_process, settings

from livingtable_server.sessions.errors import TooManyError
from livingtable_server.web.admission import Places
from livingtable_server.web.clients import client_of
from livingtable_server.web.rates import CLIENTS_AT_MOST, Rates
from livingtable_server.web.settings import Limits


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def refused_for_now(response: Response) -> str:
    assert int(response.headers["retry-after"]) >= 1
    return problem(response, 429)


# buckets


def test_a_client_may_send_a_burst_and_then_so_many_a_second() -> None:
    clock = Clock()
    rates = Rates(0.5, 5, clock)
    assert [rates.take("a") for _ in range(6)] == [0, 0, 0, 0, 0, 1]
    clock.now = 0.5
    assert [rates.take("a") for _ in range(2)] == [0, 1]
    clock.now = 100.0
    assert [rates.take("a") for _ in range(6)] == [0, 0, 0, 0, 0, 1]


def test_a_client_is_told_how_long_to_wait_and_may_go_on_then() -> None:
    clock = Clock()
    rates = Rates(60.0, 1, clock)
    assert rates.take("a") == 0
    wait = rates.take("a")
    assert wait == 60
    clock.now = wait - 1
    assert rates.take("a") == 1
    clock.now = wait
    assert rates.take("a") == 0


def test_clients_do_not_use_up_each_others_share() -> None:
    rates = Rates(1.0, 1, Clock())
    assert rates.take("a") == 0
    assert rates.take("b") == 0
    assert rates.take("a") == 1


def test_no_more_clients_are_remembered_than_there_is_room_for() -> None:
    rates = Rates(1.0, 1, Clock())
    for number in range(CLIENTS_AT_MOST + 1):
        rates.take(str(number))
    assert rates.take(str(CLIENTS_AT_MOST)) == 1
    assert rates.take("0") == 0, "it was quiet longest, and is new again"


def test_places_are_given_back_however_their_time_ended() -> None:
    told: list[int] = []
    places = Places(1, "streams", told.append)

    def cut_while_full() -> None:
        with places.taken("a"), places.taken("b"), places.taken("a"):
            raise AssertionError("there was no place")

    for _ in range(2):
        with pytest.raises(TooManyError, match="streams"):
            cut_while_full()
        assert sum(told) == 0


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("a name", "unknown"),
    ],
)
def test_a_client_is_an_address_or_a_network_of_one_owner(address: str, client: str) -> None:
    assert client_of({"type": "http", "client": (address, 1)}) == client


# requests


@pytest.mark.anyio
async def test_too_many_requests_are_429_before_their_body_is_read() -> None:
    async with in_process(settings(limits=Limits(1, 0, 0, 0, 0))) as client:
        answers = [await client.post("/games", content=b"{") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [422, 422, 429]
        assert "requests" in refused_for_now(answers[-1])
        assert (await client.get("/healthz")).status_code == 200


@pytest.mark.anyio
async def test_too_many_games_are_429_over_rest_and_a_tool_error_over_mcp() -> None:
    async with in_process(settings(limits=Limits(0, 2, 0, 0, 0))) as client:
        for _ in range(2):
            assert (await begin(client)).status_code == 200
        assert "games" in refused_for_now(await begin(client))
        assert "games" in await mcp_error(client, "new_game", scenario="crossroads")


@pytest.mark.anyio
async def test_a_game_that_cannot_be_begun_over_mcp_still_counts() -> None:
    """Else set-ups could be tried without end."""
    async with in_process(settings(limits=Limits(0, 1, 0, 0, 0))) as client:
        assert "castling" in await mcp_error(client, "new_game", scenario="castling")
        assert "too many" in await mcp_error(client, "new_game", scenario="crossroads")


async def begin(client: AsyncClient) -> Response:
    return await client.post("/games", json={"setup": FAR_APART})


async def mcp_error(client: AsyncClient, tool: str, **given: object) -> str:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
    answer = await client.post("/mcp", json=message, headers={"accept": "application/json, text/event-stream"})
    assert answer.status_code == 200
    assert '"isError":true' in answer.text
    return answer.text


# at once


def test_a_client_has_so_many_streams_and_its_place_again_when_one_ends() -> None:
    site = Site("--limit", "streams=2")
    with site.client() as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
        client.post(f"/games/{session}/actions", json={"notation": "pass"})
        path = f"/games/{session}/events"
        with client.stream("GET", path) as one, client.stream("GET", path) as other:
            lines = [one.iter_lines(), other.iter_lines()]  # Held: the stream is closed with its iterator.
            assert [next(each) for each in lines] == ["id: 1", "id: 1"]
            assert "streams" in refused_for_now(client.get(path))
            assert 'livingtable_open{kind="streams"} 2.0' in client.get("/metrics").text
        while 'livingtable_open{kind="streams"} 0.0' not in client.get("/metrics").text:
            pass  # The server hears of it a moment later.
        with client.stream("GET", path) as again:
            assert again.status_code == 200
    assert site.stop() == 0


def test_a_client_has_so_many_calls_that_wait() -> None:
    site = Site("--limit", "waiting=1", "--limit", "open=3")
    with site.client() as client, ThreadPoolExecutor(1) as threads:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
        path = f"/games/{session}/wait?side=p2&timeoutSeconds=25"
        first = threads.submit(client.get, path)
        while 'livingtable_open{kind="waiting"} 1.0' not in client.get("/metrics").text:
            pass
        assert "wait" in refused_for_now(client.get(path))
        assert client.post(f"/games/{session}/actions", json={"notation": "pass"}).json()["ok"]
        assert first.result().json()["ready"] is True
    assert site.stop() == 0
