"""How fast one client may go on: so much at once, and then steadily."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable

CLIENTS_AT_MOST = 20_000
"""Of whom it is kept what they have used up; of more, the one that was longest quiet starts anew."""
_ROUNDING = 1e-6


class Rates:
    """For each client at most `burst` at once (0: any number), and in the long run one in `seconds_each`.

    `clock` gives seconds that only go forward. Of a client the time is kept at which all will be made good.
    """

    def __init__(self, seconds_each: float, burst: int, clock: Callable[[], float]) -> None:
        self._seconds_each = seconds_each
        self._burst = burst
        self._clock = clock
        self._good_at: OrderedDict[str, float] = OrderedDict()

    def take(self, client: str) -> int:
        """0 if the client may go on; else the seconds after which it may, and nothing is taken."""
        wait = self.wait(client)
        if wait or not self._burst:
            return wait
        self._good_at[client] = self._next_good_at(client, self._clock())
        self._good_at.move_to_end(client)
        if len(self._good_at) > CLIENTS_AT_MOST:
            self._good_at.popitem(last=False)
        return 0

    def wait(self, client: str) -> int:
        """What `take` would give now."""
        if not self._burst:
            return 0
        now = self._clock()
        wait = self._next_good_at(client, now) - now - self._burst * self._seconds_each
        return max(1, math.ceil(wait - _ROUNDING)) if wait > _ROUNDING else 0

    def _next_good_at(self, client: str, now: float) -> float:
        return max(now, self._good_at.get(client, now)) + self._seconds_each
