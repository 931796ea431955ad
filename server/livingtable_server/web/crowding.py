"""No client may send more requests, or have more of them open, than its share."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from livingtable_server.sessions.errors import TooManyError
from livingtable_server.web.admission import Places
from livingtable_server.web.clients import client_of
from livingtable_server.web.figures import Figures
from livingtable_server.web.problems import refused
from livingtable_server.web.rates import Rates
from livingtable_server.web.settings import Limits

UNCOUNTED = frozenset({"/healthz", "/readyz"})
"""What watches over the server may ask it at any time."""
_BURST_SECONDS = 2


class Crowding:
    """ASGI middleware: a request beyond its client's share is answered with 429, before anything of it is read."""

    def __init__(self, app: ASGIApp, limits: Limits, figures: Figures, clock: Callable[[], float]) -> None:
        self._app = app
        self._rates = Rates(1 / max(1, limits.requests), limits.requests * _BURST_SECONDS, clock)
        self._open = Places(limits.open, "requests", figures.opened("requests"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNCOUNTED:
            await self._app(scope, receive, send)
            return
        try:
            wait = self._rates.take(client_of(scope))
            if wait:
                raise TooManyError(f"You send too many requests: try again in {wait} s.", wait)
            with self._open.taken(client_of(scope)):
                await self._app(scope, receive, send)
        except TooManyError as error:
            await refused(error)(scope, receive, send)
