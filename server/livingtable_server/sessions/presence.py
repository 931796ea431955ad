"""Who is there: when the players of rooms were last heard of, in this process and in the others on the ledger."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic

from livingtable_server.store.ledger import Ledger

PRESENT_SECONDS = 30.0
"""Who was heard of within this time counts as present."""
WRITE_SECONDS = 5.0
"""How often the ledger is told, for other processes."""

Place = tuple[str, str]
"""A room's code and a side."""


class Presence:
    """Waiting calls and open streams count as being there all the time."""

    def __init__(self) -> None:
        self._seen: dict[Place, float] = {}
        self._told: dict[Place, float] = {}
        self._holding: dict[Place, int] = {}

    async def touch(self, ledger: Ledger, code: str, side: str) -> None:
        """The player of that seat is there now."""
        place, now = (code, side), monotonic()
        self._seen[place] = now
        if now - self._told.get(place, -WRITE_SECONDS) >= WRITE_SECONDS:
            self._told[place] = now
            await ledger.touch(code, side, datetime.now(UTC).isoformat(timespec="milliseconds"))

    @contextmanager
    def holding(self, code: str, side: str) -> Generator[None]:
        """As long as a player waits or listens."""
        place = (code, side)
        self._holding[place] = self._holding.get(place, 0) + 1
        try:
            yield
        finally:
            self._seen[place] = monotonic()
            self._holding[place] -= 1
            if not self._holding[place]:
                del self._holding[place]

    async def away(self, ledger: Ledger, code: str) -> dict[str, float]:
        """For how many seconds each player of the room has not been heard of; only of seats ever heard of."""
        here = {side: monotonic() - seen for (of, side), seen in self._seen.items() if of == code}
        here |= {side: 0.0 for of, side in self._holding if of == code}
        now = datetime.now(UTC)
        for side, seen in (await ledger.presence(code)).items():
            elsewhere = max(0.0, (now - datetime.fromisoformat(seen)).total_seconds())
            here[side] = min(elsewhere, here.get(side, elsewhere))
        return here

    def forget(self, code: str) -> None:
        """A room whose game is over: nobody is waited for."""
        for places in (self._seen, self._told):
            for place in [place for place in places if place[0] == code]:
                del places[place]
