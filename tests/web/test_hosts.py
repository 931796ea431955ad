"""Who may ask at all: the host that was meant and the page that asks are looked at before anything happens (C49)."""

from __future__ import annotations

import pytest
from httpx2 import AsyncClient
from tests.web.rest import check_headers, problem
from tests.web.serving import Site, in_process, raw, settings

pytestmark = pytest.mark.anyio

GAME = {"scenario": "crossroads"}
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "new_game", "arguments": GAME},
}
EFFECTS = [
    ("POST", "/games", GAME),
    ("POST", "/mcp", CALL),
    ("POST", "/mcp/", CALL),
    ("GET", "/scenarios", None),
    ("GET", "/healthz", None),
]
ROUTES = [*EFFECTS, ("GET", "/metrics", None), ("GET", "/openapi.json", None), ("GET", "/nowhere", None)]
MCP_HEADERS = {"accept": "application/json, text/event-stream"}


async def ask(client: AsyncClient, method: str, path: str, body: object, headers: dict[str, str]) -> int:
    answer = await client.request(method, path, json=body, headers={**MCP_HEADERS, **headers})
    check_headers(answer)
    return answer.status_code


async def games_begun(client: AsyncClient) -> int:
    figures = (await client.get("/metrics")).text
    return figures.count('route="/games",status="200"')


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8000", "127.0.0.1:9999"]
)
@pytest.mark.parametrize(("method", "path", "body"), EFFECTS)
async def test_the_loopback_names_work(client: AsyncClient, host: str, method: str, path: str, body: object) -> None:
    """By any port: a tunnel has another one."""
    assert await ask(client, method, path, body, {"host": host}) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "evil.example#localhost",
        "localhost@evil.example",
        "127.0.0.1.evil.example:8000",
        "localhost:8000:8000",
        "localhost:",
        "0.0.0.0:8000",
        "127.0.0.2",
        "[::]",
        "",
        "[::1",
        "l\u00f6calhost",
    ],
)
@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
async def test_a_host_that_is_not_served_is_refused(
    client: AsyncClient, host: str, method: str, path: str, body: object
) -> None:
    """C49"""
    answer = await client.request(method, path, json=body, headers=[(b"host", host.encode("latin-1"))])
    problem(answer, 421)


@pytest.mark.parametrize("hosts", [b"", b"Host: localhost\r\nHost: localhost\r\n", b"Host: localhost\r\nHost: x\r\n"])
def test_a_request_has_exactly_one_host(site: Site, hosts: bytes) -> None:
    assert raw(site, b"GET /healthz HTTP/1.1\r\n" + hosts + b"\r\n").startswith(b"HTTP/1.1 400 ")


def test_an_old_request_without_a_host_is_refused(site: Site) -> None:
    assert raw(site, b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.example",
        "http://evil.example:8000",
        "http://localhost:3000",
        "http://127.0.0.1:8000",
        "http://localhost:8000.evil.example",
        "file://",
        "chrome-extension://abcdef",
        "http://localhost:8000/",
        "",
    ],
)
@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
async def test_a_page_of_a_foreign_origin_is_refused_before_any_effect(
    client: AsyncClient, origin: str, method: str, path: str, body: object
) -> None:
    """C49"""
    answer = await client.request(method, path, json=body, headers={"host": "localhost:8000", "origin": origin})
    problem(answer, 403)
    assert await games_begun(client) == 0


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("localhost", "http://localhost"),
        ("localhost", "https://localhost"),
        ("localhost:443", "https://localhost"),
        ("localhost", "http://localhost:80"),
    ],
)
@pytest.mark.parametrize(("method", "path", "body"), EFFECTS)
async def test_the_servers_own_pages_may_ask(
    client: AsyncClient, host: str, origin: str, method: str, path: str, body: object
) -> None:
    assert await ask(client, method, path, body, {"host": host, "origin": origin}) == 200


async def test_other_hosts_work_where_they_are_allowed() -> None:
    given = settings(allowed_hosts=("Table.example", "by-port.example:81"), public_url="https://games.example")
    async with in_process(given) as client:
        for host in ("table.example", "table.example:8000", "by-port.example:81", "games.example", "localhost"):
            assert await ask(client, "GET", "/healthz", None, {"host": host}) == 200
        for host in ("by-port.example", "by-port.example:82", "evil.example"):
            assert await ask(client, "GET", "/healthz", None, {"host": host}) == 421
        page = {"host": "games.example", "origin": "https://games.example"}
        assert await ask(client, "GET", "/healthz", None, page) == 200


# pages of other sites


async def preflight(client: AsyncClient, origin: str) -> dict[str, str]:
    asked = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    answer = await client.options("/games", headers=asked)
    return {"status": str(answer.status_code), **answer.headers}


async def test_no_other_page_may_read_answers_unless_it_is_allowed(client: AsyncClient) -> None:
    answer = await preflight(client, "https://pages.example")
    assert answer["status"] == "403"
    assert not [name for name in answer if name.startswith("access-control")]


async def test_an_allowed_page_may_ask_and_read() -> None:
    async with in_process(settings(allowed_origins=("https://pages.example",))) as client:
        answer = await preflight(client, "https://pages.example")
        assert answer["status"] == "200"
        assert answer["access-control-allow-origin"] == "https://pages.example"
        headers = {"origin": "https://pages.example"}
        begun = await client.post("/games", json=GAME, headers=headers)
        assert begun.status_code == 200
        assert begun.headers["access-control-allow-origin"] == "https://pages.example"
        assert (await preflight(client, "https://other.example"))["status"] == "403"
        problem(await client.post("/games", json=GAME, headers={"origin": "https://other.example"}), 403)


def test_a_real_server_refuses_before_any_effect(site: Site) -> None:
    """C49"""
    with site.client() as client:
        for headers in ({"host": "evil.example"}, {"origin": "null"}, {"origin": "http://evil.example"}):
            for path, body in (("/games", GAME), ("/mcp", CALL), ("/mcp/", CALL)):
                answer = client.post(path, json=body, headers={**MCP_HEADERS, **headers})
                assert answer.status_code in (403, 421)
                assert "sessionId" not in answer.text
        for host in ("localhost", "127.0.0.1"):
            assert client.get("/healthz", headers={"host": f"{host}:{site.port}"}).status_code == 200
