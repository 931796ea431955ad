"""A connection on which no request comes is ended: who opens many, and sends on each a byte now and then, would else
take up the server's places for ever.

uvicorn waits without end for the head of a request; what comes after the head has its own time in `bodies`.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 30.0
"""For the whole head of a request, from its first byte on or, of the first on a connection, from its opening on. A
connection that is kept alive may be idle for longer in between."""


class TimedConnection(H11Protocol):
    """uvicorn's connection, ended where the head of a request does not come in time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._time_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._time_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timing()
        super().connection_lost(exc)

    def _time_head(self) -> None:
        """Counts while a head is awaited, from when that began: more of its bytes give it no more time."""
        if self.conn.their_state is not h11.IDLE or self.timeout_keep_alive_task is not None:
            self._stop_timing()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_timing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
