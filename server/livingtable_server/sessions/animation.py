"""A whole game as one moving SVG.

The pictures of a game differ in little. So what is drawn in several of them stands there once, and is shown at those
times; programs that move nothing show the last picture. Of a game that is long for its board only some positions are
shown, evenly spread, so that the work stays within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from livingtable.records import Each
from livingtable_server.sessions.frames import Moment, moments, picture_of

_TAG = re.compile(r"<(/?)[a-z][^>]*?(/?)>")
"""In pictures of ours: no comments, and `>` in texts and attributes is escaped."""
_LAST_SECONDS = 3.0
CHARACTERS_AT_MOST = 100_000_000
"""Of all pictures of one animation together, before what they share is put together: seconds of work."""


@dataclass(slots=True)
class _Part:
    """A child of the pictures' roots, and the numbers of the pictures in which it stands. `following` is the next one
    in the order in which they are drawn, `rank` the place in that order after the picture before."""

    text: str
    shown: list[int] = field(default_factory=list[int])
    following: _Part | None = None
    rank: int = -1


def animation(record: Mapping[str, Any], seconds: float, each: Each = lambda: None) -> str:
    """The record as one SVG, each position shown so many seconds. `each` is called before each action; what it raises
    ends the work. Raises as `moments` does."""
    return animated(_spread(record, each), seconds)


def _spread(record: Mapping[str, Any], each: Each) -> Iterator[str]:
    """The picture of the first moment, of every so many after it, and of the last."""
    left_out: Moment | None = None
    interval = 1
    for number, moment in enumerate(moments(record, each)):
        if number % interval:
            left_out = moment
            continue
        left_out = None
        picture = picture_of(moment)
        if number == 0:
            whole = len(picture) * (len(record["actions"]) + 1)
            interval = max(1, -(-whole // CHARACTERS_AT_MOST))
        yield picture
    if left_out is not None:
        yield picture_of(left_out)


def animated(pictures: Iterable[str], seconds: float) -> str:
    """One SVG of several of the same size, each shown so long, the last one longer; then it begins anew."""
    first = _Part("")
    known: dict[str, list[_Part]] = {}
    opening, count = "", 0
    for picture in pictures:
        root, *texts = _pieces(picture)
        opening = opening or root
        _thread(first, known, texts, count)
        count += 1
    lasting = (count - 1) * seconds + _LAST_SECONDS
    timing = _Timing(count, seconds, lasting)
    return opening + "".join(_timed(part, timing) for part in _chain(first)) + "</svg>"


def _pieces(picture: str) -> Iterator[str]:
    """The tag that opens the root, then its children, whole."""
    depth, begin = 0, 0
    for tag in _TAG.finditer(picture):
        closes, empty = tag[1] == "/", tag[2] == "/"
        if depth == 0 and not closes:
            yield tag[0]
            begin = tag.end()
        depth += -1 if closes else 0 if empty else 1
        if depth == 1 and (closes or empty):
            yield picture[begin : tag.end()]
            begin = tag.end()


def _thread(first: _Part, known: dict[str, list[_Part]], texts: list[str], number: int) -> None:
    """Puts the parts of a picture in, new ones after the one that they follow.

    What has stood in a picture before is used again only where it comes in the same order: else what lay below
    would lie above.
    """
    before, rank = first, -1
    for text in texts:
        part = next((each for each in known.get(text, ()) if each.rank > rank), None)
        if part is None:
            part = before.following = _Part(text, following=before.following)
            known.setdefault(text, []).append(part)
        else:
            rank = part.rank
        part.shown.append(number)
        before = part
    for place, part in enumerate(_chain(first)):
        part.rank = place


def _chain(first: _Part) -> Iterator[_Part]:
    part = first.following
    while part is not None:
        yield part
        part = part.following


@dataclass(frozen=True, slots=True)
class _Timing:
    count: int
    seconds: float
    lasting: float


def _timed(part: _Part, timing: _Timing) -> str:
    if len(part.shown) == timing.count:
        return part.text
    times, values = ["0"], ["visible" if part.shown[0] == 0 else "hidden"]
    for number, turns_visible in _changes(part.shown, timing.count):
        times.append(f"{number * timing.seconds / timing.lasting:.5f}")
        values.append("visible" if turns_visible else "hidden")
    still = "" if part.shown[-1] == timing.count - 1 else ' visibility="hidden"'
    animate = (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{timing.lasting:g}s" repeatCount="indefinite"'
        f' keyTimes="{";".join(times)}" values="{";".join(values)}"/>'
    )
    return f"<g{still}>{animate}{part.text}</g>"


def _changes(shown: list[int], count: int) -> Iterator[tuple[int, bool]]:
    """Where a part appears (True) and vanishes (False), after the first picture."""
    standing = set(shown)
    for number in range(1, count):
        if (number in standing) != (number - 1 in standing):
            yield number, number in standing
