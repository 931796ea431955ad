"""A server process, spoken to in bytes: for what no client would send, and for killing it."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from typing import Any, cast

from livingtable.game import Data

SECONDS_AT_MOST = 60.0


def command(store: str) -> list[str]:
    """How a host starts the server."""
    return [sys.executable, "-P", "-m", "livingtable_server.cli", "mcp", "--store", store]


class Wire:
    """One process, from its start to `close` or `kill`. Requests are numbered from 1, which the handshake has."""

    def __init__(self, store: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command(store),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=environment,
        )
        self.requests = 0
        self._received = b""
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}
        self.handshake = self.request("initialize", json.dumps(client))["result"]
        self.send_line(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def send_line(self, line: str, end: str = "\n") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((line + end).encode())

    def send(self, method: str, parameters: str, end: str = "\n") -> int:
        """A request with its parameters as JSON text; returns its number."""
        self.requests += 1
        head = f'{{"jsonrpc":"2.0","id":{self.requests},"method":"{method}","params":'
        self.send_line(f"{head}{parameters}}}", end)
        return self.requests

    def send_call(self, tool: str, **arguments: Any) -> int:
        return self.send("tools/call", json.dumps({"name": tool, "arguments": arguments}))

    def request(self, method: str, parameters: str) -> Data:
        number = self.send(method, parameters)
        return self.answer(number)

    def call(self, tool: str, **arguments: Any) -> Data:
        """The structured half of a tool's answer."""
        result = self.answer(self.send_call(tool, **arguments))["result"]
        assert not result.get("isError"), result
        return result["structuredContent"]

    def answer(self, number: int, seconds: float = SECONDS_AT_MOST) -> Data:
        """The answer to that request. Fails where none comes in time."""
        while True:
            line = self.line(seconds)
            assert line is not None, "no answer"
            message = cast(Data, json.loads(line))
            if message.get("id") == number:
                return message

    def line(self, seconds: float = SECONDS_AT_MOST) -> bytes | None:
        """The next line without its end, None if none comes in time, or the server is gone."""
        assert self.process.stdout is not None
        while b"\n" not in self._received:
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            chunk = self.process.stdout.read(65536) if ready else b""
            if not chunk:
                return None
            self._received += chunk
        line, _, self._received = self._received.partition(b"\n")
        return line

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self._leave()

    def close(self) -> None:
        """As a host does: closes the server's input and waits for its end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(SECONDS_AT_MOST)
        self._leave()

    def _leave(self) -> None:
        self.process.wait(SECONDS_AT_MOST)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
