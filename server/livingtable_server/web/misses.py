"""How many codes of no room one client may try."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from livingtable_server.sessions.errors import TooManyError
from livingtable_server.web.rates import Rates

KNOWN_AT_MOST = 100_000
"""Pairs of a client and a code that it knows; of more, the one that was longest unused is forgotten."""
_HOUR = 3600.0


class Misses:
    """For each client at most `an_hour` misses at once and an hour (0: any number).

    Beyond them the client is refused codes that are right, too, else it could go on trying; but not those that it knows
    already, nor where it shows the secret of a seat: many people may share an address, and who plays goes on playing.
    """

    def __init__(self, an_hour: int, clock: Callable[[], float]) -> None:
        self._rates = Rates(_HOUR / max(1, an_hour), an_hour, clock)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def of(self, client: str) -> MissesOfOne:
        return MissesOfOne(self, client)

    def missed(self, client: str) -> None:
        _refuse(self._rates.take(client))

    def found(self, client: str, code: str, seated: bool) -> None:
        if not seated and (client, code) not in self._known:
            _refuse(self._rates.wait(client))
        self._known[client, code] = None
        self._known.move_to_end((client, code))
        if len(self._known) > KNOWN_AT_MOST:
            self._known.popitem(last=False)


@dataclass(frozen=True, slots=True)
class MissesOfOne:
    """A watcher of the door."""

    misses: Misses
    client: str

    def missed(self) -> None:
        self.misses.missed(self.client)

    def found(self, code: str, seated: bool) -> None:
        self.misses.found(self.client, code, seated)


def _refuse(wait: int) -> None:
    if wait:
        raise TooManyError(f"You have tried too many room codes that are none: try again in {wait} s.", wait)
