"""A request that cannot be met at all, as opposed to an action that the rules refuse."""

from __future__ import annotations

from livingtable.game import printable


class TableError(Exception):
    """The text says what was wrong with the request and what to do; it is shown to the caller on one line, since it
    may repeat what the caller wrote."""

    def __init__(self, text: str) -> None:
        super().__init__(printable(text))
