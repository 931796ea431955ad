"""HEAD for every route that has GET: the same answer without its body (RFC 9110, 9.3.2)."""

from __future__ import annotations

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """ASGI middleware. A stream ends as soon as its headers are known."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        with anyio.CancelScope() as answering:

            async def headers_alone(message: Message) -> None:
                if message["type"] != "http.response.start":
                    return
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                answering.cancel()

            scope["method"] = "GET"
            try:
                await self._app(scope, receive, headers_alone)
            finally:
                scope["method"] = "HEAD"  # For the log, which asks afterwards.
