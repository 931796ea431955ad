"""Every answer is told to those who keep the log and the figures, without what must stay secret."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNKNOWN_ROUTE = "unknown"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Served:
    """One answer. `route` is the pattern of the path, such as `/games/{session}`: the path itself may hold a key, even
    in a place where it does not belong. `status` is 0 where the client had gone before it was answered."""

    method: str
    route: str
    status: int
    seconds: float


class Telling:
    """ASGI middleware, the outermost: it also sees what the others refuse."""

    def __init__(self, app: ASGIApp, tell: Sequence[Callable[[Served], None]], plain_routes: frozenset[str]) -> None:
        self._app = app
        self._tell = tell
        self._plain_routes = plain_routes
        """Paths that are no patterns and that FastAPI does not know."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.monotonic()
        status, complete = 0, False

        async def sending(message: Message) -> None:
            nonlocal status, complete
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)
            complete = message["type"] == "http.response.body" and not message.get("more_body", False)

        try:
            await self._app(scope, receive, sending)
        except Exception:
            if not complete:  # Else the client has its answer, and the log the fault.
                raise
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            served = Served(method, self._route(scope), status, time.monotonic() - begin)
            for tell in self._tell:
                tell(served)

    def _route(self, scope: Scope) -> str:
        path = getattr(scope.get("route"), "path", scope["path"])
        return path if "route" in scope or path in self._plain_routes else UNKNOWN_ROUTE
