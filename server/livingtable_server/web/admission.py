"""Who may begin a game, and how much one client may have going on; for the routes and for MCP's tools alike."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager

from starlette.requests import HTTPConnection
from starlette.types import Scope

from livingtable_server.sessions.errors import SecretError, TooManyError
from livingtable_server.sessions.knocking import watched_by
from livingtable_server.web.clients import client_of
from livingtable_server.web.figures import Figures
from livingtable_server.web.misses import Misses
from livingtable_server.web.rates import Rates
from livingtable_server.web.settings import Limits

_HOUR = 3600.0
_TRY_AGAIN_SECONDS = 5


class Admission:
    """Counts what each client has begun and has open. Every method raises `TableError` for one that is not admitted."""

    def __init__(self, limits: Limits, token: str | None, figures: Figures, clock: Callable[[], float]) -> None:
        self._token = token
        self._games = Rates(_HOUR / max(1, limits.games), limits.games, clock)
        self._misses = Misses(limits.misses, clock)
        self._waiting = Places(limits.waiting, "calls that wait", figures.opened("waiting"))
        self._computing = Places(limits.computing, "calls that compute", figures.opened("computing"))
        self._streams = Places(limits.streams, "event streams", figures.opened("streams"))

    @contextmanager
    def beginning(self, request: HTTPConnection) -> Generator[None]:
        """Held while a game is made, or somebody registers for one. Needs the server's token, if it has one."""
        self._check_token(request, "To begin a game here")
        with self.playing_again(request):
            yield

    @contextmanager
    def playing_again(self, request: HTTPConnection) -> Generator[None]:
        """Held while the players of a room get another: they have been let in once. It counts as a game begun."""
        wait = self._games.take(client_of(request.scope))
        if wait:
            raise TooManyError(f"You have begun too many games: go on with one, or try again in {wait} s.", wait)
        yield

    @contextmanager
    def waiting(self, request: HTTPConnection) -> Generator[None]:
        """Held while a call waits for others."""
        with self._waiting.taken(client_of(request.scope)):
            yield

    @contextmanager
    def computing(self, request: HTTPConnection) -> Generator[None]:
        """Held while a call keeps a processor busy for long."""
        with self._computing.taken(client_of(request.scope)):
            yield

    def knocking(self, scope: Scope) -> AbstractContextManager[None]:
        """Held while a request is answered that may be for a room: of one client not too many codes are tried."""
        return watched_by(self._misses.of(client_of(scope)))

    def check_record_sender(self, request: HTTPConnection) -> None:
        """A record that is sent may hold anything: to have it replayed needs the server's token, if it has one."""
        self._check_token(request, "To have a record replayed here")

    @contextmanager
    def streaming(self, request: HTTPConnection) -> Generator[None]:
        """Held while a stream of events is open."""
        with self._streams.taken(client_of(request.scope)):
            yield

    def _check_token(self, request: HTTPConnection, what_for: str) -> None:
        if self._token is None:
            return
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not given:
            raise SecretError(
                f'{what_for} takes the server\'s token: send it in the header "Authorization: Bearer TOKEN".',
                given=False,
            )
        if not hmac.compare_digest(given.strip().encode(), self._token.encode()):
            raise SecretError("That is not the server's token; ask whoever runs it.", given=True)


class Places:
    """At most so many at once, of one client (0: any number). `opened` is told of each by 1, and at its end by -1."""

    def __init__(self, a_client: int, what: str, opened: Callable[[int], None]) -> None:
        self._a_client = a_client
        self._what = what
        self._opened = opened
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, client: str) -> Generator[None]:
        if self._a_client and self._taken[client] >= self._a_client:
            raise TooManyError(
                f"You have {self._a_client} {self._what} open, as many as one client may: end one, or try again later.",
                _TRY_AGAIN_SECONDS,
            )
        self._taken[client] += 1
        self._opened(1)
        try:
            yield
        finally:
            self._opened(-1)
            self._taken[client] -= 1
            if not self._taken[client]:
                del self._taken[client]
