"""Entrants that are not built in: a user's own file in a process of its own, an MCP server, an address.

All are asked the same: `{game, side, seed, version, view, legal, actions}`, and answer a notation, or
`{"notation": …}` or `{"action": …}`.
"""

from __future__ import annotations

import json
import select
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from livingtable.arena.choices import Forfeit, chosen
from livingtable.game import Action, Data, State, legal_lines

START_SECONDS = 30.0
"""For a process to be there, whatever the limit of a move."""


def question(state: State, side: str, legal: Sequence[Action], seed: int, version: int) -> Data:
    """What an entrant is asked."""
    return {
        "game": state.game.name,
        "side": side,
        "seed": seed,
        "version": version,
        "view": state.view(side),
        "legal": legal_lines(legal),
        "actions": [{"notation": action.notation, **action.to_data()} for action in legal],
    }


def answered(given: object) -> object:
    """The notation or the action that an answer holds."""
    if isinstance(given, dict):
        data = cast(Data, given)
        return data.get("notation", data.get("action"))
    return given


class ProcessSeat:
    """`path/to/file.py:Name`: a class whose instances have `choose(view, legal)`, made with `(side, seed)`, or a
    function `name(view, legal)`; it returns a notation, or one of the actions."""

    def __init__(self, file: str, name: str, game: str, side: str, seed: int, seconds: float) -> None:
        self._side, self._seed, self._seconds = side, seed, seconds
        command = [sys.executable, "-m", "livingtable.arena.own_agent", file, name, side, str(seed)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._asked = False

    def choose(self, state: State, legal: Sequence[Action], version: int) -> Action:
        asked = question(state, self._side, legal, self._seed, version)
        try:
            _write(self._process, json.dumps(asked))
        except OSError:
            raise Forfeit("crash", self._last_words()) from None
        line = _line(self._process, self._seconds if self._asked else START_SECONDS)
        self._asked = True
        if line is None:
            self.leave()
            raise Forfeit("timeout", f"no answer within {self._seconds:g} s")
        if not line:
            raise Forfeit("crash", self._last_words())
        try:
            told: Data = json.loads(line)
        except ValueError:
            raise Forfeit("unparsable", line[:100]) from None
        if "error" in told:
            raise Forfeit("crash", str(told["error"]))
        return chosen(answered(told.get("choice")), state, legal, self._side)

    def leave(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _last_words(self) -> str:
        self._process.kill()
        self._process.wait()
        lines = (self._process.stderr.read() if self._process.stderr else "").strip().splitlines()
        return lines[-1] if lines else "the process ended"


class HttpSeat:
    """`http://…`: the question is posted as JSON."""

    def __init__(self, address: str, game: str, side: str, seed: int, seconds: float) -> None:
        self._address, self._side, self._seed, self._seconds = address, side, seed, seconds

    def choose(self, state: State, legal: Sequence[Action], version: int) -> Action:
        asked = json.dumps(question(state, self._side, legal, self._seed, version)).encode()
        request = urllib.request.Request(self._address, asked, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=self._seconds) as response:
                told: Any = json.loads(response.read())
        except TimeoutError:
            raise Forfeit("timeout", f"no answer within {self._seconds:g} s") from None
        except urllib.error.URLError as error:
            reason = "timeout" if isinstance(error.reason, TimeoutError) else "crash"
            raise Forfeit(reason, str(error.reason)) from None
        except OSError as error:
            raise Forfeit("crash", str(error)) from None
        except ValueError:
            raise Forfeit("unparsable", "the answer is no JSON") from None
        return chosen(answered(told), state, legal, self._side)

    def leave(self) -> None:
        """Nothing is held."""


class McpSeat:
    """`mcp+stdio:COMMAND`: an MCP server with a tool `choose` that takes the question and gives the answer."""

    def __init__(self, command: str, game: str, side: str, seed: int, seconds: float) -> None:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client, StdioServerParameters

        self._side, self._seed, self._seconds = side, seed, seconds
        program, *arguments = shlex.split(command)
        self._portal_context = start_blocking_portal()
        self._portal = self._portal_context.__enter__()
        server = StdioServerParameters(command=program, args=arguments)
        self._client_context = self._portal.wrap_async_context_manager(Client(server))
        self._client: Any = None

    def choose(self, state: State, legal: Sequence[Action], version: int) -> Action:
        asked = question(state, self._side, legal, self._seed, version)
        try:
            if self._client is None:
                self._client = self._client_context.__enter__()
            result = self._portal.call(self._call, asked)
        except TimeoutError:
            raise Forfeit("timeout", f"no answer within {self._seconds:g} s") from None
        except Exception as error:  # whatever an unknown server brings about
            raise Forfeit("crash", str(error)) from None
        if result.is_error:
            raise Forfeit("crash", str(result.content[0].text if result.content else "a tool error"))
        given = result.structured_content
        if given is None:
            given = result.content[0].text if result.content else None
        return chosen(answered(given), state, legal, self._side)

    async def _call(self, asked: Data) -> Any:
        import anyio

        with anyio.fail_after(self._seconds):
            return await self._client.call_tool("choose", asked)

    def leave(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client_context.__exit__(None, None, None)
        self._portal_context.__exit__(None, None, None)


def _write(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def _line(process: subprocess.Popen[str], seconds: float) -> str | None:
    """The next line that the process writes: "" at its end, None if there is none in that time."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return process.stdout.readline() if ready else None
