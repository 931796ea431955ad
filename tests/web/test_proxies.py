"""Whose word on the client counts: that of the proxies that the operator trusts, and nobody else's."""

from __future__ import annotations

import pytest
from httpx2 import ASGITransport, AsyncClient
from tests.web.serving import running, settings

from livingtable_server.app import web
from livingtable_server.settings import Settings
from livingtable_server.web.settings import Limits

pytestmark = pytest.mark.anyio


async def statuses(peer: str, trusted: tuple[str, ...], forwarded: list[str]) -> list[int]:
    """Of one request for each client that the peer says it asks for, where a client has two (the burst of one a
    second)."""
    given = settings(limits=Limits(1, 0, 0, 0, 0), trusted_proxies=trusted)
    app = web(Settings("sqlite://"), given).app
    transport = ASGITransport(app=app, client=(peer, 1))
    async with running(app), AsyncClient(transport=transport, base_url="http://localhost") as client:
        return [(await client.get("/scenarios", headers={"x-forwarded-for": f})).status_code for f in forwarded]


async def test_a_trusted_proxy_tells_clients_apart() -> None:
    four = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]
    assert await statuses("10.0.0.7", ("10.0.0.0/8",), four) == [200] * 4
    assert await statuses("10.0.0.7", ("10.0.0.7",), four[:1] * 3) == [200, 200, 429]


@pytest.mark.parametrize("trusted", [(), ("10.0.0.0/8",)])
@pytest.mark.parametrize("peer", ["127.0.0.1", "192.0.2.9"])
async def test_the_word_of_another_counts_for_nothing(peer: str, trusted: tuple[str, ...]) -> None:
    assert await statuses(peer, trusted, ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) == [200, 200, 429]


async def test_what_a_client_writes_itself_before_the_proxy_does_counts_for_nothing() -> None:
    written = [f"192.0.2.{n}, 198.51.100.5" for n in range(3)]
    assert await statuses("10.0.0.7", ("10.0.0.0/8",), written) == [200, 200, 429]


async def test_clients_that_are_no_addresses_are_one() -> None:
    assert await statuses("10.0.0.7", ("10.0.0.0/8",), ["a", "b", "c"]) == [200, 200, 429]
