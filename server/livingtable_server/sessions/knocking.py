"""Who comes to rooms with codes of none: codes are short enough to be tried, so whoever serves many clients may watch
each, and refuse one that has tried too many.

The watcher is told by the door, which is the one that looks a code up, and so no answer tells a refused client whether
a code is right.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Watcher(Protocol):
    """Of one client. Both raise `TooManyError`, in the same words, for one that has tried too many codes."""

    def missed(self) -> None:
        """There is no room of the code."""

    def found(self, code: str, seated: bool) -> None:
        """There is one; `seated`: the client shows the secret of a seat there, and is never refused."""


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def watcher() -> Watcher | None:
    """Of the request that is being answered; None where nobody watches."""
    return _watcher.get()


@contextmanager
def watched_by(watcher: Watcher | None) -> Generator[None]:
    """Within it that one is told. None: the server itself asks for a room that it knows of."""
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)
