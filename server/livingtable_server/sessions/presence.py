"""Who is there: when the players of rooms were last heard of, in this process and in the others on the ledger."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic

from livingtable_server.sessions.live import IDLE_SECONDS
from livingtable_server.store.ledger import Ledger, StoreError

PRESENT_SECONDS = 30.0
"""Who was heard of within this time counts as present."""
WRITE_SECONDS = 5.0
"""How often the ledger is told, for other processes; twice as often as a player may be silent where that is less."""
ROOMS_IN_MEMORY = 1_024
"""The ledger knows of the others, to within `WRITE_SECONDS`."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Sign:
    """The latest sign of a player that the ledger has: as it stands there, how old it was when it was first read, and
    when that was and when it was last read."""

    seen: str
    age: float
    since: float
    read: float


@dataclass(slots=True)
class _Callers:
    """Of one room, by side: when they were last heard of, when the ledger was last told, how often they listen, and
    what the ledger says of them."""

    seen: dict[str, float] = field(default_factory=dict[str, float])
    told: dict[str, float] = field(default_factory=dict[str, float])
    holding: dict[str, int] = field(default_factory=dict[str, int])
    signs: dict[str, _Sign] = field(default_factory=dict[str, _Sign])


class Presence:
    """Waiting calls and open streams count as being there all the time."""

    def __init__(self) -> None:
        self._rooms: OrderedDict[str, _Callers] = OrderedDict()
        self._begun = monotonic()

    @property
    def watched_for(self) -> float:
        """Seconds that this process has been here for: who could not be heard of before that is not away yet."""
        return monotonic() - self._begun

    async def touch(self, ledger: Ledger, code: str, side: str, timeout: float | None) -> None:
        """The player of that seat is there now, in a room that waits so long for players. That the ledger cannot be
        told is no fault of the player's."""
        callers, now = self._of(code), monotonic()
        callers.seen[side] = now
        every = WRITE_SECONDS if timeout is None else min(WRITE_SECONDS, timeout / 2)
        if now - callers.told.get(side, now - every) < every:
            return
        try:
            await ledger.touch(code, side, utc_now().isoformat(timespec="milliseconds"))
            callers.told[side] = now
        except StoreError as error:
            _log.warning("It could not be noted that a player is there: %s", error)

    @contextmanager
    def holding(self, code: str, side: str) -> Generator[None]:
        """As long as a player waits or listens."""
        callers = self._of(code)
        callers.holding[side] = callers.holding.get(side, 0) + 1
        try:
            yield
        finally:
            callers.seen[side] = monotonic()
            callers.holding[side] -= 1
            if not callers.holding[side]:
                del callers.holding[side]

    async def away(self, ledger: Ledger, code: str) -> dict[str, float]:
        """For how many seconds each player of the room has not been heard of; only of seats ever heard of."""
        elsewhere, here, callers = await ledger.presence(code), self._here(code), self._of(code)
        for side, seen in elsewhere.items():
            seconds = _silence(callers.signs, side, seen)
            here[side] = min(seconds, here.get(side, seconds))
        return here

    def forget(self, code: str) -> None:
        """A room whose game is over: nobody is waited for."""
        if code in self._rooms and not self._rooms[code].holding:
            del self._rooms[code]

    @property
    def kept(self) -> int:
        """How many rooms are in memory."""
        return len(self._rooms)

    def sweep(self) -> int:
        """Forgets the rooms whose players have been silent for long, and returns how many are left. The ledger knows
        when they were last heard of."""
        before = monotonic() - IDLE_SECONDS
        for code, callers in list(self._rooms.items()):
            if not callers.holding and max(callers.seen.values(), default=0.0) <= before:
                del self._rooms[code]
        return len(self._rooms)

    def _here(self, code: str) -> dict[str, float]:
        callers, now = self._rooms.get(code), monotonic()
        if callers is None:
            return {}
        return {side: 0.0 if side in callers.holding else now - seen for side, seen in callers.seen.items()}

    def _of(self, code: str) -> _Callers:
        callers = self._rooms.setdefault(code, _Callers())
        self._rooms.move_to_end(code)
        if len(self._rooms) > ROOMS_IN_MEMORY:
            oldest, its_callers = self._rooms.popitem(last=False)
            if its_callers.holding:
                self._rooms[oldest] = its_callers
        return callers


def _silence(signs: dict[str, _Sign], side: str, seen: str) -> float:
    """Seconds since that sign of a player, which the ledger has from whatever process.

    The clocks of processes may differ, and may be set: so what the clock says is trusted only for a sign that was there
    when this process first looked. A later one is no older than the look before, and from then on its age is counted in
    seconds that only go forward.
    """
    now, known = monotonic(), signs.get(side)
    if known is None or known.seen != seen:
        age = max(0.0, (utc_now() - datetime.fromisoformat(seen)).total_seconds())
        signs[side] = known = _Sign(seen, age if known is None else min(age, now - known.read), now, now)
    known.read = now
    return known.age + now - known.since


def utc_now() -> datetime:
    return datetime.now(UTC)
