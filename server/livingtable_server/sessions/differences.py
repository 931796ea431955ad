"""Where two JSON values differ first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from livingtable.game import Data

NOTHING = object()
"""What stands where one of the two has nothing."""


def first_place(recorded: Any, replayed: Any) -> tuple[str, Any, Any]:
    """The first part in which two JSON values differ: the way to it (`[2].health`), and what stands there in each."""
    for step, one, other in _parts(recorded, replayed):
        if one != other:
            if one is NOTHING or other is NOTHING:
                return step, one, other
            deeper, one, other = first_place(one, other)
            return step + deeper, one, other
    return "", recorded, replayed


def _parts(recorded: Any, replayed: Any) -> Iterator[tuple[str, Any, Any]]:
    """The parts of two objects or two lists, side by side."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        ours, theirs = cast(Data, recorded), cast(Data, replayed)
        for key in dict.fromkeys([*ours, *theirs]):
            yield f".{key}", ours.get(key, NOTHING), theirs.get(key, NOTHING)
    elif isinstance(recorded, list) and isinstance(replayed, list):
        one, other = cast(list[Any], recorded), cast(list[Any], replayed)
        for i in range(max(len(one), len(other))):
            yield f"[{i}]", one[i] if i < len(one) else NOTHING, other[i] if i < len(other) else NOTHING
