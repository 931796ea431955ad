"""Servers over HTTP: one in this process, as an application to call, and ones that are processes of their own."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from httpx2 import ASGITransport, AsyncClient, Client
from starlette.types import ASGIApp, Message

from livingtable.game import Data
from livingtable_server.app import web
from livingtable_server.settings import Settings
from livingtable_server.web.settings import Limits, WebSettings

COMMAND = [sys.executable, "-P", "-m", "livingtable_server.cli", "serve"]
SECONDS_AT_MOST = 120.0
HOST = "http://localhost:8000"


def settings(**more: Any) -> WebSettings:
    """As an operator gives them; without limits where none are named. For limits no time goes by."""
    return replace(WebSettings(limits=Limits(0, 0, 0, 0, 0, 0, 0), clock=lambda: 0.0), **more)


@asynccontextmanager
async def in_process(given: WebSettings, store: str = "sqlite://") -> AsyncGenerator[AsyncClient]:
    """A client of an application in this process. It gets an answer only when that is complete: no live events."""
    app = web(Settings(store), given).app
    async with running(app), AsyncClient(transport=ASGITransport(app=app), base_url=HOST) as client:
        yield client


@asynccontextmanager
async def running(app: ASGIApp) -> AsyncGenerator[None]:
    """The application between its start and its end, as a server runs it."""
    to_app, for_app = anyio.create_memory_object_stream[Message](1)
    to_us, from_app = anyio.create_memory_object_stream[Message](1)
    async with anyio.create_task_group() as tasks, to_app, for_app, to_us, from_app:
        scope: Data = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}

        async def run() -> None:
            await app(scope, for_app.receive, to_us.send)

        tasks.start_soon(run)
        await to_app.send({"type": "lifespan.startup"})
        assert (await from_app.receive())["type"] == "lifespan.startup.complete"
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True):
                await to_app.send({"type": "lifespan.shutdown"})
                assert (await from_app.receive())["type"] == "lifespan.shutdown.complete"


class Site:
    """A server process on a free port of the loopback interface, from its start to `stop` or `kill`."""

    def __init__(self, *arguments: str, store: str = "sqlite://", environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "--port", "0", "--store", store, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            bufsize=0,
        )
        self.said: list[str] = []
        """Every line of stderr so far."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._spoke = threading.Event()
        self._reader.start()
        if not self._spoke.wait(SECONDS_AT_MOST) or not (found := re.search(r"http://\S+:(\d+)", self.said[0])):
            self.process.kill()
            raise AssertionError(f"the server did not start: {self.said}")
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def client(self, **more: Any) -> Client:
        return Client(base_url=self.url, timeout=SECONDS_AT_MOST, verify=False, **more)  # It would read certificates.

    def logged(self) -> list[Data]:
        """The log so far, after the line that says where."""
        return [json.loads(line) for line in self.said[1:]]

    def worker_processes(self) -> set[int]:
        """Of `--workers`, those that run now, whether they serve already or not."""
        number = self.process.pid
        found = Path(f"/proc/{number}/task/{number}/children").read_text("ascii").split()
        return {int(child) for child in found if b"spawn_main" in _command_of(child)}

    def stop(self, number: int = signal.SIGTERM) -> int:
        """The exit code after that signal. Nothing but the log and one line stood on stderr, nothing on stdout."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS_AT_MOST)
        self._leave()
        assert self.logged() is not None
        return code

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self.process.wait(SECONDS_AT_MOST)
        self._leave()

    def _leave(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._reader.join(SECONDS_AT_MOST)
        ready, _, _ = select.select([self.process.stdout], [], [], 0)
        left = self.process.stdout.read(1) if ready else b""
        self.process.stdout.close()
        self.process.stderr.close()
        assert left == b"", "stdout is for nothing"

    def _read(self) -> None:
        assert self.process.stderr is not None
        rest = b""
        while chunk := self.process.stderr.read(65536):
            *lines, rest = (rest + chunk).split(b"\n")
            self.said += [line.decode() for line in lines]
            if self.said:
                self._spoke.set()
        self.said += [rest.decode()] if rest else []
        self._spoke.set()


def _command_of(process: str) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def raw(site: Site, request: bytes) -> bytes:
    """What the server says to these bytes, to the end of the connection."""
    with socket.create_connection(("127.0.0.1", site.port), SECONDS_AT_MOST) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer
