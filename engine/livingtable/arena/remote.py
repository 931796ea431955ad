"""Entrants that are asked over a wire: an address, or an MCP server that is started here."""

from __future__ import annotations

import json
import shlex
import urllib.request
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from livingtable.arena.asking import START_SECONDS, answered, question, within
from livingtable.arena.choices import Forfeit, chosen
from livingtable.game import Action, Data, State

if TYPE_CHECKING:
    from mcp import Client

ANSWER_BYTES_AT_MOST = 1024 * 1024


class HttpSeat:
    """`http://…`: the question is posted as JSON, the answer is JSON."""

    def __init__(self, address: str, side: str, seed: int, seconds: float) -> None:
        self._address, self._side, self._seed, self._seconds = address, side, seed, seconds

    def choose(self, state: State, version: int) -> Action:
        asked = json.dumps(question(state, self._side, self._seed, version)).encode()
        try:
            told = within(self._seconds, lambda: self._posted(asked))
        except TimeoutError:
            raise Forfeit("timeout", f"no answer within {self._seconds:g} s") from None
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            raise Forfeit("crash", str(error)) from None
        return chosen(answered(told.decode(errors="replace")), state, self._side)

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

    def choose(self, state: State, version: int) -> Action:
        asked = question(state, self._side, self._seed, version)
        try:
            client = self._client or within(START_SECONDS, self._client_context.__enter__)
            self._client = client
            result: Any = within(self._seconds, lambda: self._portal.call(client.call_tool, "choose", asked))
        except Forfeit:
            raise
        except Exception as error:  # whatever an unknown server brings about
            raise Forfeit("crash", str(error)) from None
        given = result.structured_content
        text = result.content[0].text if result.content else None
        if result.is_error:
            raise Forfeit("crash", text or "a tool error")
        return chosen(answered(_unwrapped(given) if given is not None else text), state, self._side)

    def leave(self) -> None:
        """What is still under way is given up."""
        with suppress(Exception):
            if self._client is not None:
                within(START_SECONDS, lambda: self._client_context.__exit__(None, None, None))
        with suppress(Exception):
            self._portal.call(self._portal.stop, True)
        self._portal_context.__exit__(None, None, None)


def _unwrapped(given: Data) -> object:
    """SDKs put the text that a tool returns into an object of its own."""
    return given["result"] if given.keys() == {"result"} else given
