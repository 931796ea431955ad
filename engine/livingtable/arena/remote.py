"""Entrants that are asked over a wire: an address, or an MCP server that is started here."""

from __future__ import annotations

import json
import logging
import shlex
import socket
import urllib.request
from asyncio import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from livingtable.arena.asking import START_SECONDS, question, within
from livingtable.arena.choices import Forfeit, chosen
from livingtable.errors import innermost
from livingtable.game import Action, Data, State

if TYPE_CHECKING:
    from mcp import Client

ANSWER_BYTES_AT_MOST = 1024 * 1024
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
            raise _crash(error, f"nobody answers at {host}:{port}: ") from None

    def choose(self, state: State, version: int) -> Action:
        asked = json.dumps(question(state, self._side, self._seed, version)).encode()
        try:
            told = within(self._seconds, lambda: self._posted(asked))
        except TimeoutError:
            raise Forfeit("timeout", f"no answer within {self._seconds:g} s") from None
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            raise _crash(error) from None
        return chosen(told.decode(errors="replace"), state, self._side)

    def _posted(self, asked: bytes) -> bytes:
        request = urllib.request.Request(self._address, asked, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=self._seconds) as response:
            return response.read(ANSWER_BYTES_AT_MOST)

    def leave(self) -> None:
        """Nothing is held."""


class McpSeat:
    """`mcp+stdio:COMMAND`: an MCP server with a tool `choose` that takes the question and gives the answer."""

    def __init__(self, command: str, side: str, seed: int, seconds: float) -> None:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client, StdioServerParameters

        self._side, self._seed, self._seconds = side, seed, seconds
        program, *arguments = shlex.split(command)
        self._portal_context = start_blocking_portal()
        self._portal = self._portal_context.__enter__()
        server = StdioServerParameters(command=program, args=arguments)
        self._client_context = self._portal.wrap_async_context_manager(Client(server))
        self._client: Client | None = None

    def begin(self) -> None:
        """Starts the server, and looks for its tool. Raises `Forfeit` if either is not there."""
        try:
            client = self._begun()
            tools = within(START_SECONDS, lambda: self._portal.call(_tools_of, client))
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            raise _crash(error) from None
        if TOOL not in tools:
            raise Forfeit("crash", f'the server has no tool "{TOOL}", but {", ".join(tools) or "none at all"}')

    def choose(self, state: State, version: int) -> Action:
        asked = question(state, self._side, self._seed, version)
        try:
            client = self._begun()
            result: Any = within(self._seconds, lambda: self._portal.call(client.call_tool, TOOL, asked))
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            raise _crash(error) from None
        given = result.structured_content
        text = result.content[0].text if result.content else None
        if result.is_error:
            raise Forfeit("crash", text or "a tool error")
        return chosen(_unwrapped(given) if given is not None else text, state, self._side)

    def _begun(self) -> Client:
        if self._client is None:
            self._client = within(START_SECONDS, self._enter)
        return self._client

    def _enter(self) -> Client:
        try:
            return self._client_context.__enter__()
        except CancelledError:  # `leave` did not wait for it.
            raise Forfeit("crash", "given up") from None

    def leave(self) -> None:
        """What is still under way is given up."""
        with suppress(Exception):
            if self._client is not None:
                within(START_SECONDS, lambda: self._client_context.__exit__(None, None, None))
        with suppress(Exception):
            self._portal.call(self._portal.stop, True)
        self._portal_context.__exit__(None, None, None)


def host_and_port(address: str) -> tuple[str, int]:
    """Of a URL. Raises `ValueError`, in words, where it has none."""
    parts = urlsplit(address)
    if not parts.hostname:
        raise ValueError("it names no host")
    return parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _goes_by_a_proxy(address: str, host: str) -> bool:
    """Then that it cannot be reached from here says nothing."""
    scheme = urlsplit(address).scheme
    return scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(host)


def _crash(error: Exception, before: str = "") -> Forfeit:
    said = innermost(error)
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
