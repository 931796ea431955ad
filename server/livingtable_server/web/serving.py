"""One server process: uvicorn, with what this table needs of it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from livingtable_server.web.application import Web
from livingtable_server.web.connections import TimedConnection

logger = logging.getLogger("livingtable.serving")

GRACE_SECONDS = 1.0
"""For answers that are on their way when the server is stopped; then those who wait are let go of."""
_GRACE_AT_MOST = 3
STOP_SECONDS_AT_MOST = 4.5
"""From the signal to the end of the process, whatever still runs: what was acknowledged is stored already."""
_KEEP_ALIVE_SECONDS = 75
"""Of an idle connection. A player thinks longer than uvicorn's 5 s, and a request on a connection that the server is
just closing fails."""


class HttpServer(uvicorn.Server):
    """Serves until SIGINT or SIGTERM; `ended_by` is then that signal."""

    def __init__(self, web: Web, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                web.app,
                http=TimedConnection,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_GRACE_AT_MOST,
            )
        )
        self._web = web
        self._ready = ready
        self.ended_by: int | None = None

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Whoever presses Ctrl-C again while we stop, or stops us once more, changes nothing."""
        for number in HANDLED_SIGNALS:
            signal.signal(number, self.handle_exit)
        super().run(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Unlike uvicorn's it does not send the signal once more at the end: whoever runs us decides how to leave."""
        if self.ended_by is None:
            _end_in_time(sig)
        self.should_exit = True
        self.ended_by = sig

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._web.close)
        await super().shutdown(sockets)


def _end_in_time(sig: int) -> None:
    """Ends the process even if a computation, the ledger or a library does not let it end by itself."""

    def end() -> None:
        logger.warning("the server did not end in time, and is ended")
        logging.shutdown()
        os._exit(128 + sig if sig == signal.SIGINT else 0)

    timer = threading.Timer(STOP_SECONDS_AT_MOST, end)
    timer.daemon = True
    timer.start()
