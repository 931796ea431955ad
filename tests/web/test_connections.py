"""Connections on which a request is slow to come, or never does; in time that goes on when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from tests.web.serving import settings
from uvicorn.server import ServerState

from livingtable_server.app import web
from livingtable_server.settings import Settings
from livingtable_server.web.connections import HEAD_SECONDS, TimedConnection
from livingtable_server.web.serving import HttpServer

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


@dataclass
class Timer:
    at: float
    act: Callable[[], object]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass(eq=False)
class HeldLoop:
    """An event loop, as far as a connection needs one."""

    now: float = 0.0
    timers: list[Timer] = field(default_factory=list[Timer])
    begun: list[Coroutine[Any, Any, None]] = field(default_factory=list[Coroutine[Any, Any, None]])

    def call_later(self, seconds: float, act: Callable[[], object]) -> Timer:
        self.timers.append(Timer(self.now + seconds, act))
        return self.timers[-1]

    def create_task(self, coroutine: Coroutine[Any, Any, None], **_: object) -> HeldLoop:
        self.begun.append(coroutine)
        return self

    def add_done_callback(self, _: object) -> None:
        """Of the task: it is run by `answer`."""


class HeldTransport:
    """The socket's side of a connection."""

    def __init__(self) -> None:
        self.closed = False
        self.written = b""

    def get_extra_info(self, name: str) -> object:
        return ("127.0.0.1", 1) if name.endswith("name") else None

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def resume_reading(self) -> None: ...


class Peer:
    """A client whose bytes come when the test says so."""

    def __init__(self) -> None:
        self._loop = HeldLoop()
        self.transport = HeldTransport()
        config = uvicorn.Config(_answer, http=TimedConnection, timeout_keep_alive=75, log_config=None, ws="none")
        config.load()
        self._connection = TimedConnection(config, ServerState(), {}, cast(asyncio.AbstractEventLoop, self._loop))
        self._connection.connection_made(cast(asyncio.Transport, self.transport))

    def sends(self, data: bytes) -> None:
        self._connection.data_received(data)

    def is_answered(self) -> None:
        asyncio.run(self._loop.begun.pop())

    def goes(self) -> None:
        self._connection.connection_lost(None)

    def is_there_after(self, seconds: float) -> bool:
        loop = self._loop
        loop.now += seconds
        for timer in [timer for timer in loop.timers if timer.at <= loop.now]:
            loop.timers.remove(timer)
            if not timer.cancelled:
                timer.act()
        return not self.transport.closed


async def _answer(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def peer() -> Peer:
    return Peer()


def test_a_connection_on_which_nothing_comes_is_ended(peer: Peer) -> None:
    assert peer.is_there_after(HEAD_SECONDS - 1)
    assert not peer.is_there_after(1)


def test_a_byte_now_and_then_gives_no_more_time(peer: Peer) -> None:
    for byte in REQUEST[:9]:
        peer.sends(bytes([byte]))
        assert peer.is_there_after(HEAD_SECONDS / 10)
    assert not peer.is_there_after(HEAD_SECONDS / 10)


def test_a_head_in_pieces_that_comes_in_time_is_answered(peer: Peer) -> None:
    peer.sends(REQUEST[:20])
    assert peer.is_there_after(HEAD_SECONDS - 1)
    peer.sends(REQUEST[20:])
    peer.is_answered()
    assert peer.transport.written.startswith(b"HTTP/1.1 200")


def test_an_answer_may_take_longer(peer: Peer) -> None:
    peer.sends(REQUEST)
    assert peer.is_there_after(10 * HEAD_SECONDS)
    peer.is_answered()
    assert peer.transport.written.startswith(b"HTTP/1.1 200")


def test_a_body_has_its_own_time(peer: Peer) -> None:
    peer.sends(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
    assert peer.is_there_after(10 * HEAD_SECONDS)
    peer.is_answered()


def test_a_connection_that_is_kept_alive_may_be_idle_for_longer(peer: Peer) -> None:
    peer.sends(REQUEST)
    peer.is_answered()
    assert peer.is_there_after(2 * HEAD_SECONDS)
    assert not peer.is_there_after(16)


def test_of_the_next_request_too_the_head_must_come_in_time(peer: Peer) -> None:
    peer.sends(REQUEST)
    peer.is_answered()
    assert peer.is_there_after(2 * HEAD_SECONDS)
    peer.sends(REQUEST[:5])
    assert peer.is_there_after(HEAD_SECONDS - 1)
    assert not peer.is_there_after(1)


def test_no_timer_is_left_of_who_has_gone(peer: Peer) -> None:
    peer.sends(REQUEST[:5])
    peer.goes()
    peer.transport.closed = False
    assert peer.is_there_after(HEAD_SECONDS), "nothing is closed a second time"


def test_the_server_has_such_connections() -> None:
    server = HttpServer(web(Settings("sqlite://"), settings()), lambda: None)
    server.config.load()
    assert server.config.http_protocol_class is TimedConnection
