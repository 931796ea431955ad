"""Pages of a record: the first has everything but later actions and events, the others only these.

A page is limited by actions and by characters. What does not fit into one by itself, such as the start of a large map
or an explosion on it, goes on in the next: `pieces.joined` makes the whole of the pages.
"""

from __future__ import annotations

import re

from livingtable.game import Data
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.pieces import WHOLE_AT_MOST, joined, size, take

ACTIONS_AT_MOST = 100
"""Actions a page."""
PAGE_AT_MOST = 36_000
"""Characters a page."""
PART_OF_A_RECORD = (
    "all of it replays as recorded, but the actions end before the game does: a page or another part of a record; "
    "fetch the rest by the nextCursor of get_record and join the pages"
)
_CURSOR = re.compile(r"(?P<head>s)?(?P<had>[0-9]{1,9})(\.(?P<pieces>[0-9]{1,9}))?")


def record_page(record: Data, cursor: str | None) -> Data:
    """`{record, nextCursor?}`.

    Raises `TableError` for a cursor that is none of this record's.
    """
    groups = _Groups(record)
    first, pieces = _begin(cursor, len(groups))
    page: Data = {"actions": [], "events": []}
    room = PAGE_AT_MOST
    for number in range(first, len(groups)):
        whole = groups[number]
        needs = size(whole)
        if number - max(1, first) >= ACTIONS_AT_MOST or (needs > room and room < PAGE_AT_MOST and needs < PAGE_AT_MOST):
            return {"record": page, "nextCursor": _cursor(number, 0)}
        part, more = take(whole, pieces, room)
        if pieces and not part:
            raise _no_cursor()
        page, room = joined(page, part), room - size(part)
        if more is not None:
            return {"record": page, "nextCursor": _cursor(number, more)}
        pieces = 0
    return {"record": page}


class _Groups:
    """A record as what stands at its head (group 0), and after it each action with its events."""

    def __init__(self, record: Data) -> None:
        self._record = record
        self._events: dict[int, list[Data]] = {}
        for event in record["events"]:
            self._events.setdefault(event["version"], []).append(event)

    def __len__(self) -> int:
        return len(self._record["actions"]) + 1

    def __getitem__(self, number: int) -> Data:
        if number:
            return {"actions": [self._record["actions"][number - 1]], "events": self._events.get(number, [])}
        head = {key: part for key, part in self._record.items() if key not in ("actions", "events")}
        return dict(sorted(head.items(), key=lambda item: size(item[1]) > WHOLE_AT_MOST))  # What is short comes first.


def _cursor(group: int, pieces: int) -> str:
    """Where a page ends. `7`: it has 7 actions; `7.2`: and two pieces of the eighth; `s2`: two pieces of the head."""
    if group == 0:
        return f"s{pieces}"
    return f"{group - 1}.{pieces}" if pieces or group == 1 else f"{group - 1}"


def _begin(cursor: str | None, groups: int) -> tuple[int, int]:
    """The group with which a page begins, and how many pieces of it are had."""
    if cursor is None:
        return 0, 0
    found = _CURSOR.fullmatch(cursor) if cursor.isascii() else None
    if found is None or (found["head"] and found["pieces"]):
        raise _no_cursor()
    had, pieces = int(found["had"]), int(found["pieces"] or 0)
    if found["head"]:
        return 0, had
    group = had + 1 if found["pieces"] or had else 0
    if group and group >= groups:
        raise _no_cursor()
    return group, pieces


def _no_cursor() -> TableError:
    return TableError("That cursor is none of this record's; leave it out for the first page.")
