"""How fast one client may go on: a bucket of tokens for each, refilled steadily."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

CLIENTS_AT_MOST = 20_000
"""Whose buckets are kept; of more, the one that was longest quiet starts anew with a full one."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Rates:
    """At most `a_second` in the long run and `burst` at once, for each client (`burst` 0: any number).

    `clock` gives seconds that only go forward.
    """

    def __init__(self, a_second: float, burst: int, clock: Callable[[], float]) -> None:
        self._a_second = a_second
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, client: str) -> int:
        """0 if the client may go on; else the seconds after which it may, and nothing is taken."""
        if not self._burst:
            return 0
        bucket = self._refilled(client)
        if bucket.tokens < 1:
            return max(1, math.ceil((1 - bucket.tokens) / self._a_second))
        bucket.tokens -= 1
        return 0

    def _refilled(self, client: str) -> _Bucket:
        now = self._clock()
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = _Bucket(self._burst, now)
            if len(self._buckets) > CLIENTS_AT_MOST:
                self._buckets.popitem(last=False)
            return bucket
        self._buckets.move_to_end(client)
        bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.at) * self._a_second)
        bucket.at = now
        return bucket
