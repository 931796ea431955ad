"""No body is read further than it may be long, and none costs more than that (C61)."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
from httpx2 import AsyncClient, Client
from tests.web.rest import Rest, problem
from tests.web.serving import SECONDS_AT_MOST, Site, raw

pytestmark = pytest.mark.anyio

KIB = 1024
MIB = 1024 * KIB
LIMITS = [
    ("/games", 64 * KIB),
    ("/games/x/actions", 64 * KIB),
    ("/records/verify", 4 * MIB),
    ("/mcp", 4 * MIB),
    ("/mcp/", 4 * MIB),
]
JSON = {"content-type": "application/json"}


def padded(size: int) -> bytes:
    """A JSON object of that many bytes."""
    return b'{"notation": "' + b"x" * (size - 16) + b'"}'


@pytest.mark.parametrize(("path", "most"), LIMITS)
async def test_a_body_at_the_limit_is_read_and_one_above_it_is_not(client: AsyncClient, path: str, most: int) -> None:
    assert (await client.post(path, content=padded(most), headers=JSON)).status_code != 413
    problem(await client.post(path, content=padded(most + 1), headers=JSON), 413)


@pytest.mark.parametrize(("path", "most"), LIMITS)
async def test_a_body_of_unknown_length_is_read_to_the_limit(client: AsyncClient, path: str, most: int) -> None:
    async def pieces() -> AsyncGenerator[bytes]:
        for _ in range(2 * most // (16 * KIB)):
            yield b" " * 16 * KIB

    problem(await client.post(path, content=pieces(), headers=JSON), 413)


@pytest.mark.parametrize("path", [path for path, _ in LIMITS])
@pytest.mark.parametrize(
    "body",
    [
        "[" * 10_000 + "]" * 10_000,
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        '{"setup":' + "[" * 33 + "]" * 33 + "}",
        "[" * 10_000,
        '{"a": "\\"", "b": ' + "[" * 40 + "]" * 40 + "}",
        '{"a": "\\\\", "b": ' + "[" * 40 + "]" * 40 + "}",
        "[[]," * 10_000,
    ],
    ids=lambda body: f"{body[:12]}{len(body)}",
)
async def test_json_nested_deep_is_refused(rest: Rest, path: str, body: str) -> None:
    """C61"""
    assert "32 levels" in await rest.problem(422, "POST", path, content=body, headers=JSON)


@pytest.mark.parametrize(
    "notation", ["[" * 500, '"' + "[" * 500, "\\" + "{" * 500, '\\"' + "[" * 500, "[]" * 500, "]" * 500]
)
async def test_brackets_in_a_text_are_no_nesting(rest: Rest, notation: str) -> None:
    session = await rest.begin()
    assert (await rest.submit(session, notation))["code"] == "malformed_action"


async def test_a_name_of_a_million_characters_is_refused(rest: Rest) -> None:
    """C61"""
    await rest.problem(413, "POST", "/games", json={"scenario": "n" * 1_000_000})


# at a real server


@pytest.fixture
def fresh() -> Generator[Site]:
    site = Site()
    yield site
    assert site.stop() == 0


def memory(site: Site) -> int:
    """Bytes in memory at the most so far."""
    status = Path(f"/proc/{site.process.pid}/status").read_text("utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * KIB


def pieces(size: int) -> Generator[bytes]:
    for _ in range(size // (64 * KIB)):
        yield b" " * 64 * KIB


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_bodies_of_a_hundred_megabytes_leave_memory_flat(fresh: Site) -> None:
    """C61"""
    with fresh.client() as client:
        client.post("/games", json={"scenario": "crossroads"})
        problem(client.post("/records/verify", content=b" " * (5 * MIB), headers=JSON), 413)
        before = memory(fresh)
        for path in ("/games", "/records/verify", "/mcp", "/mcp/"):
            for body in (b" " * (100 * MIB), pieces(100 * MIB)):
                problem(client.post(path, content=body, headers=JSON), 413)
        assert memory(fresh) - before < 16 * MIB
        assert client.get("/healthz").status_code == 200


def begin_with(headers: bytes) -> bytes:
    """A request that begins a game, with these headers on its body."""
    return b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers + b"\r\n\r\n"


GAME = json.dumps({"scenario": "crossroads"}).encode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (b"Content-Length: 104857600", b"413"),
        (b"Content-Length: 99999999999999999999999999", b"4"),
        (b"Content-Length: -1", b"400"),
        (b"Content-Length: abc", b"400"),
        (b"Content-Length: 5\r\nContent-Length: 6", b"400"),
        (b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"4"),
        (b"Transfer-Encoding: chunked", b"400"),
    ],
)
def test_a_false_length_is_refused(site: Site, headers: bytes, status: bytes) -> None:
    """C61"""
    assert raw(site, begin_with(headers) + GAME + b"\r\n").startswith(b"HTTP/1.1 " + status)


def test_a_length_above_what_comes_begins_no_game(site: Site) -> None:
    request = begin_with(b"Content-Length: 1000") + GAME
    assert b"200 OK" not in raw(site, request)
    with site.client() as client:
        assert client.get("/healthz").status_code == 200


def test_what_follows_a_body_that_is_too_large_is_not_taken_for_a_request(site: Site) -> None:
    inner = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = raw(site, begin_with(b"Content-Length: %d" % (65 * KIB)) + inner)
    assert answer.count(b"HTTP/1.1 ") == 1


def test_a_client_that_waits_for_leave_to_send_is_told_at_once(site: Site) -> None:
    request = begin_with(b"Content-Length: 104857600\r\nExpect: 100-continue")
    assert raw(site, request).startswith(b"HTTP/1.1 413 ")


def test_other_clients_are_served_while_one_sends_slowly(site: Site) -> None:
    slow = begin_with(b"Content-Length: 100") + b"{"
    with socket.create_connection(("127.0.0.1", site.port), SECONDS_AT_MOST) as connection:
        connection.sendall(slow)
        with Client(base_url=site.url) as client:
            assert client.get("/healthz").status_code == 200
