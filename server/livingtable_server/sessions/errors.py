"""A request that cannot be met at all, as opposed to an action that the rules refuse."""

from __future__ import annotations

import logging

from livingtable.game import printable

_log = logging.getLogger(__name__)


class TableError(Exception):
    """The text says what was wrong with the request and what to do; it is shown to the caller on one line, since it
    may repeat what the caller wrote."""

    def __init__(self, text: str) -> None:
        super().__init__(printable(text))


class NotFoundError(TableError):
    """There is nothing of that id or name."""


class ConflictError(TableError):
    """The request is right in itself, and does not go with how things stand."""


class SecretError(TableError):
    """A secret is needed, and the one given is not it; `given` says whether there was one."""

    def __init__(self, text: str, given: bool) -> None:
        super().__init__(text)
        self.given = given


class TooManyError(TableError):
    """A limit is reached; after so many seconds it may be worth another try."""

    def __init__(self, text: str, retry_after: int) -> None:
        super().__init__(text)
        self.retry_after = retry_after


class UnavailableError(TableError):
    """The ledger cannot be reached, or not now. `public` says so without its address, its path and its user; the whole
    text is for the operator."""

    def __init__(self, text: str, public: str = "The store of the games cannot be used now; try again soon.") -> None:
        super().__init__(text)
        self.public = public


def public_text(error: TableError) -> str:
    """The error's text for callers who are not the operator; what is left out stands in the log."""
    if not isinstance(error, UnavailableError):
        return str(error)
    _log.warning("The store could not be used: %s", error)
    return error.public


def shown_value(value: object) -> str:
    """A wrong value, short and safe to print: the digits of huge numbers are not."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int | float):
        return "a number that large" if abs(value) >= 10**18 else repr(value)
    if isinstance(value, str):
        return f'the text "{printable(value[:40])}"'
    return "a list" if isinstance(value, list) else "an object"
