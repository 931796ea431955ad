"""Entrants that are asked over a wire: an address, or an MCP server that is started here."""

from __future__ import annotations

import json
import logging
import shlex
import socket
import time
import urllib.error
import urllib.request
from asyncio import CancelledError
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from livingtable.arena.asking import START_SECONDS, Answer, question, within
from livingtable.arena.children import Child
from livingtable.arena.choices import Forfeit, chosen, no_answer, overlong
from livingtable.errors import innermost
from livingtable.game import Action, Data, State

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client

ANSWER_BYTES_AT_MOST = 64 * 1024
START_BYTES_AT_MOST = 1024 * 1024
"""Of a line in which an MCP server says what it is and what tools it has."""
GRACE_SECONDS = 1.0
"""For an MCP server to end by itself once its stdin is closed."""
_CHUNK = 16 * 1024
CONNECT_SECONDS = 10.0
"""For an address to take a connection."""
TOOL = "choose"

# Else the SDK's loggers show tracebacks of what a server writes that is no MCP.
logging.getLogger("mcp").addHandler(logging.NullHandler())


class HttpSeat:
    """`http://…`: the question is posted as JSON, the answer is JSON or a bare notation."""

    def __init__(self, address: str, side: str, seed: int, seconds: float) -> None:
        self._address, self._side, self._seed, self._seconds = address, side, seed, seconds

    def begin(self) -> None:
        """Tries whether somebody is there, without a question. Raises `Forfeit` if not."""
        host, port = host_and_port(self._address)
        if _goes_by_a_proxy(self._address, host):
            return
        try:
            within(CONNECT_SECONDS, lambda: socket.create_connection((host, port), CONNECT_SECONDS).close())
        except Forfeit:
            raise
        except Exception as error:  # of the network, or of a name that is none
            raise _crash(error, f"nobody answers at {_place(self._address)}: ") from None

    def choose(self, state: State, version: int) -> Action:
        asked = json.dumps(question(state, self._side, self._seed, version)).encode()
        try:
            told = within(self._seconds, lambda: self._posted(asked))
        except TimeoutError:
            raise no_answer(self._seconds) from None
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            raise _crash(error, f"{_place(self._address)}: ") from None
        return chosen(told.decode(errors="replace"), state, self._side)

    def _posted(self, asked: bytes) -> bytes:
        """The answer, of which no more is read than may be in one, and for no longer than it may take."""
        request = urllib.request.Request(self._address, asked, {"Content-Type": "application/json"})
        last = time.monotonic() + self._seconds
        told = b""
        with urllib.request.urlopen(request, timeout=self._seconds) as response:
            while chunk := response.read1(_CHUNK):
                told += chunk
                if len(told) > ANSWER_BYTES_AT_MOST:
                    raise overlong(ANSWER_BYTES_AT_MOST)
                if time.monotonic() > last:
                    raise TimeoutError
        return told

    def leave(self) -> None:
        """Nothing is held."""


class McpSeat:
    """`mcp+stdio:COMMAND`: an MCP server with a tool `choose` that takes the question and gives the answer."""

    def __init__(self, command: str, side: str, seed: int, seconds: float) -> None:
        self._command, self._side, self._seed, self._seconds = shlex.split(command), side, seed, seconds
        self._child: Child | None = None
        self._ways_out = ExitStack()
        self._portal: BlockingPortal | None = None
        self._client: Client | None = None

    def begin(self) -> None:
        """Starts the server, and looks for its tool. Raises `Forfeit` if either is not there."""
        self._started()
        tools = self._asked(START_SECONDS, lambda portal, client: portal.call(_tools_of, client))
        if TOOL not in tools:
            raise Forfeit("crash", f'the server has no tool "{TOOL}", but {", ".join(tools) or "none at all"}')

    def choose(self, state: State, version: int) -> Action:
        asked = question(state, self._side, self._seed, version)
        self._started().longest = ANSWER_BYTES_AT_MOST
        result: Any = self._asked(self._seconds, lambda portal, client: portal.call(client.call_tool, TOOL, asked))
        given = result.structured_content
        text = next((part.text for part in result.content if part.type == "text"), None)
        if result.is_error:
            raise Forfeit("crash", text or "a tool error")
        return chosen(_unwrapped(given) if given is not None else text, state, self._side)

    def _started(self) -> Child:
        """The server, to which the client is there. Raises `Forfeit`."""
        if self._child is None:
            try:
                self._child = self._begun()
            except (OSError, ValueError) as error:
                raise Forfeit("crash", f"the command cannot be run: {error}") from None
        if self._client is None:
            self._client = self._guarded(START_SECONDS, self._enter)
        return self._child

    def _begun(self) -> Child:
        from anyio.from_thread import start_blocking_portal
        from mcp.client.stdio import get_default_environment

        self._portal = self._ways_out.enter_context(start_blocking_portal())
        return Child(self._command, get_default_environment(), START_BYTES_AT_MOST)

    def _enter(self) -> Client:
        from mcp import Client

        from livingtable.arena.mcp_wire import wired

        assert self._portal is not None
        assert self._child is not None
        context = self._portal.wrap_async_context_manager(Client(wired(self._child)))
        try:
            return self._ways_out.enter_context(context)
        except CancelledError:  # `leave` did not wait for it.
            raise Forfeit("crash", "given up") from None

    def _asked(self, seconds: float, ask: Callable[[BlockingPortal, Client], Answer]) -> Answer:
        portal, client = self._portal, self._client
        assert portal is not None
        assert client is not None
        return self._guarded(seconds, lambda: ask(portal, client))

    def _guarded(self, seconds: float, ask: Callable[[], Answer]) -> Answer:
        """What the server brings about, as a `Forfeit` where it is no answer."""
        child = self._child
        assert child is not None
        try:
            return within(seconds, ask)
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            if child.was_overlong:
                raise overlong(child.longest) from None
            if child.is_over:
                raise Forfeit("crash", child.last_words()) from None
            raise _crash(error) from None

    def leave(self) -> None:
        """What is still under way is given up."""
        if self._child is not None:
            self._child.end(GRACE_SECONDS if self._client is not None else 0.0)
        with suppress(Exception):
            if self._portal is not None:
                self._portal.call(self._portal.stop, True)
        with suppress(Exception):
            self._ways_out.close()


def host_and_port(address: str) -> tuple[str, int]:
    """Of a URL. Raises `ValueError`, in words, where it has none."""
    parts = urlsplit(address)
    if not parts.hostname:
        raise ValueError("it names no host")
    return parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _place(address: str) -> str:
    """Host and port of a URL alone: the rest may hold secrets."""
    host, port = host_and_port(address)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _goes_by_a_proxy(address: str, host: str) -> bool:
    """Then that it cannot be reached from here says nothing."""
    scheme = urlsplit(address).scheme
    return scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(host)


def _crash(error: Exception, before: str = "") -> Forfeit:
    said = innermost(error)
    if isinstance(said, urllib.error.HTTPError):
        said.close()
    elif isinstance(said, urllib.error.URLError) and isinstance(said.reason, Exception):
        said = said.reason
    return Forfeit("crash", f"{before}{str(said) or type(said).__name__}")


async def _tools_of(client: Client) -> list[str]:
    """All that a server offers, by name."""
    found, cursor = list[str](), None
    while True:
        page = await client.list_tools(cursor=cursor)
        found += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if not cursor:
            return found


def _unwrapped(given: Data) -> object:
    """SDKs put the text that a tool returns into an object of its own."""
    return given["result"] if given.keys() == {"result"} else given
