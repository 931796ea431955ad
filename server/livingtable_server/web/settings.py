"""What an operator decides about serving over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Number(Protocol):
    """One that several processes see."""

    value: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one client, that is one address; each process counts for itself. 0 stands for no limit.

    `requests` a second, `games` begun an hour, and at once: `waiting` calls, event `streams`, `open` requests of any
    kind, `computing` calls (records that are verified or shown). `misses` are room codes of no room, an hour.
    """

    requests: int = 500
    games: int = 3_600
    waiting: int = 256
    streams: int = 256
    open: int = 1_024
    computing: int = 8
    misses: int = 120


@dataclass(frozen=True, slots=True)
class Crew:
    """How many processes there are to be behind the port, and in `serving`, which the one that looks after them keeps
    for all, how many of them serve now."""

    wanted: int
    serving: Number

    def to_data(self) -> dict[str, int]:
        return {"wanted": self.wanted, "serving": self.serving.value}


@dataclass(frozen=True, slots=True)
class WebSettings:
    """`allowed_hosts` are names, or names with a port, beside the loopback ones; `allowed_origins` are whole origins of
    other sites whose pages may ask; `public_url` is where the server is seen from outside; `trusted_proxies` are
    addresses or networks whose word on who the client is counts; `join_url` is where rooms are found; `clock` gives the
    seconds by which the limits count, which only go forward; `crew` is where there are several processes."""

    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    public_url: str | None = None
    join_url: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    limits: Limits = Limits()
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    crew: Crew | None = None
