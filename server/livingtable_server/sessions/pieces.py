"""Large JSON objects in parts that fit into an answer, and the parts joined again.

A part is an object of the same shape with less in it. `joined` says how parts go together: objects key by key, lists
one after the other, long texts too. The first item of a list may go on with the last item of the part before: then it
says `continued: true`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, cast

from livingtable.game import Data

WHOLE_AT_MOST = 2_000
"""Characters: what is no longer is not taken apart."""
CONTINUED = "continued"
Path = tuple[str | int, ...]


def size(value: object) -> int:
    """Characters of JSON, written with blanks: compact JSON is shorter."""
    return len(json.dumps(value, ensure_ascii=False))


def take(whole: Mapping[str, Any], begin: int, at_most: int) -> tuple[Data, int | None]:
    """The part that begins after so many pieces, of about so many characters but at least one piece, and how many
    pieces are had with it; None: all of them. The part is empty where there are not so many."""
    part, room, number = _Part(), at_most, begin
    of_keys = (_pieces(value, (key,)) for key, value in whole.items())
    pieces = islice(chain.from_iterable(of_keys), max(0, begin - 1), None)
    if begin:
        part.before = next(pieces, ((), None))[0]
    for path, value in pieces:
        room -= size(value) + (len(path[-1]) + 6 if isinstance(path[-1], str) else 2)
        if room < 0 and number > begin:
            return part.data, number
        part.put(path, value)
        number += 1
    return part.data, None


def joined(one: Any, other: Any) -> Any:
    """A whole, as far as it is had, with its next part. Neither is changed."""
    if isinstance(one, dict) and isinstance(other, dict):
        mine, theirs = cast(Data, one), cast(Data, other)
        return mine | {key: joined(mine[key], part) if key in mine else part for key, part in theirs.items()}
    if isinstance(one, list) and isinstance(other, list):
        had, more = cast("list[Any]", one), cast("list[Any]", other)
        if had and more and isinstance(more[0], dict) and CONTINUED in more[0]:
            rest = {key: part for key, part in cast(Data, more[0]).items() if key != CONTINUED}
            return [*had[:-1], joined(had[-1], rest), *more[1:]]
        return had + more
    return one + other if isinstance(one, str) and isinstance(other, str) else other


def _pieces(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """What is short enough to be had whole, in order, each with the way to it."""
    if not isinstance(value, dict | list | str) or size(cast(object, value)) <= WHOLE_AT_MOST:
        yield path, value
    elif isinstance(value, dict):
        for key, part in cast(Data, value).items():
            yield from _pieces(part, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(cast("list[Any]", value)):
            if isinstance(item, dict):
                yield from _pieces(item, (*path, i))
            else:
                yield (*path, i), item
    else:
        for start in range(0, len(value), WHOLE_AT_MOST // 8):
            yield path, value[start : start + WHOLE_AT_MOST // 8]


@dataclass(slots=True)
class _Part:
    """A part as it grows. `before` is the way to the last piece of the part before it."""

    data: Data = field(default_factory=dict[str, Any])
    before: Path = ()
    _opened: dict[Path, Any] = field(default_factory=dict[Path, Any])

    def put(self, path: Path, value: Any) -> None:
        place = self._place(path[:-1], path[-1])
        if isinstance(place, list):
            cast("list[Any]", place).append(value)
        else:
            place[path[-1]] = place[path[-1]] + value if path[-1] in place else value

    def _place(self, path: Path, step: str | int) -> Any:
        """The object or list at that path, into which that step leads."""
        if not path:
            return self.data
        if path not in self._opened:
            opened: Any = [] if isinstance(step, int) else {}
            if isinstance(path[-1], int) and self.before[: len(path)] == path:
                opened[CONTINUED] = True
            outer = self._place(path[:-1], path[-1])
            if isinstance(outer, list):
                cast("list[Any]", outer).append(opened)
            else:
                outer[path[-1]] = opened
            self._opened[path] = opened
        return self._opened[path]
