"""How one process tells the others which session it has changed, without saying its id."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from livingtable_server.store.stored import escaped

Changed = Callable[[str | None], None]
"""Is called in the event loop with the `change_key` of a session that another process has changed, or whose room it
has changed; with None where anything may have changed: after a time in which nothing could be heard, and always where
it is not told which."""


def change_key(session_id: str) -> str:
    """What `Changed` is called with for that session: the SHA-256 of its id, in hexadecimal.

    Whoever may connect to the database can listen to the notices, and a session's id is a capability: so its hash is
    sent, from which 128 random bits cannot be found. A room's code has too few of them; its changes are told by the
    id of its session.
    """
    return sha256(escaped(session_id).encode()).hexdigest()
