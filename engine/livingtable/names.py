"""Names that would be taken for somebody else.

What players call themselves stands beside the ids of seats, in texts that people and models read: `p2 beats p3` is not
to be said of a player of another seat who is named "p2".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

NOT_A_PLAYER = ("server", "you", "system", "referee", "engine", "host", "nobody", "spectator")
"""Words for others than the players."""
_AS_LATIN = str.maketrans("авеіјкмнорсѕтухԁԛԝ" + "αεικνορτυχ", "abeijkmhopcstyxdqw" + "aeikvoptux")
"""Cyrillic and Greek letters that look like Latin ones."""


def taken_for(name: str, side: str, sides: Iterable[str]) -> str | None:
    """Whom a reader could take the player of that seat for, by its name: the seat, of `sides`, that is not its own, or
    a word for somebody who is no player; None where there is nobody.

    Case, width, blanks, signs and alphabet make no difference: `P 2`, `ｐ２`, `[p2]` and a Cyrillic `р2` look like
    `p2`.
    """
    seen = _folded(name)
    return next((other for other in (*sides, *NOT_A_PLAYER) if other != side and _folded(other) == seen), None)


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(sign for sign in folded.translate(_AS_LATIN) if sign.isalnum())
