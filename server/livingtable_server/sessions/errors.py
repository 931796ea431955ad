"""A request that cannot be met at all, as opposed to an action that the rules refuse."""

from __future__ import annotations


class TableError(Exception):
    """The text says what was wrong with the request and what to do; it is shown to the caller as it stands."""
