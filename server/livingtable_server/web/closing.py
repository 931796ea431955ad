"""A server that stops lets go of those who wait: else it would wait for them."""

from __future__ import annotations

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from livingtable_server.web.problems import RETRY_SECONDS, Problem


class Closing:
    """ASGI middleware; `close` ends the requests that are open. Those that were not answered are told to come again,
    streams end as if there were no more of them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: set[anyio.CancelScope] = set()

    def close(self) -> None:
        for scope in self._open:
            scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = ended = False

        async def sending(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            await send(message)
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)

        with anyio.CancelScope() as open_until:
            self._open.add(open_until)
            try:
                await self._app(scope, receive, sending)
            finally:
                self._open.discard(open_until)
        if begun and not ended:  # Streams of events are cut by their own watch over the server, too.
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not begun and open_until.cancelled_caught:
            stopping = Problem(503, "The server is being stopped; try again.", {"Retry-After": str(RETRY_SECONDS)})
            await stopping(scope, receive, send)
