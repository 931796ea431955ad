"""What the ledger gives back, and how it stands in the columns.

Texts are stored as ASCII, escaped as in JSON: whatever a text holds, half a surrogate pair or a NUL, any database takes
it. Times are ISO 8601 in UTC with microseconds, so that they sort as text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from livingtable.game import Data

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted action. `version` is its number, from 1; `events` is all that it caused, in order."""

    version: int
    side: str
    action: Data
    events: list[Data]


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A whole session: replayed from its head, the entries give its state."""

    session_id: str
    head: Data
    result: Data | None
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list. `created` and `updated` (the latest action's time) are ISO 8601 in UTC, to the second."""

    session_id: str
    game: str
    scenario: str
    created: str
    updated: str
    version: int
    result: Data | None
    head: Data


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room: its code, the session that is played in it, and `data`, which is its keeper's own.

    `revision` counts the changes of `data`, from 0, and the closing. `created` is ISO 8601 in UTC, to the second.
    """

    code: str
    session_id: str
    created: str
    revision: int
    data: Data
    closed: bool


encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
"""Compact JSON in ASCII."""


def escaped(text: str) -> str:
    """The text for a column, escaped as JSON does it but without the quotes: `p1` stays `p1`."""
    return encode(text)[1:-1]


def unescaped(stored: str) -> str:
    return json.loads(f'"{stored}"')


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def session_values(session_id: str, head: Data) -> dict[str, str]:
    """The columns of a new session."""
    return {
        "session_id": escaped(session_id),
        "game": escaped(head["game"]),
        "scenario": escaped(head["scenario"]["name"]),
        "created": now(),
        "head": encode(head),
    }


def entry_values(session_id: str, entry: Entry) -> dict[str, str | int]:
    """The columns of a new action."""
    return {
        "session_id": escaped(session_id),
        "version": entry.version,
        "side": escaped(entry.side),
        "action": encode(entry.action),
        "events": encode(entry.events),
        "created": now(),
    }


def entry_of(row: Row) -> Entry:
    version, side, action, events = row
    return Entry(version, unescaped(side), json.loads(action), json.loads(events))


def result_of(stored: str | None) -> Data | None:
    return None if stored is None else json.loads(stored)


def session_row_of(row: Row) -> SessionRow:
    session_id, created, updated, version, result, head_text = row
    head: Data = json.loads(head_text)
    return SessionRow(
        session_id=unescaped(session_id),
        game=head["game"],
        scenario=head["scenario"]["name"],
        created=_to_second(created),
        updated=_to_second(updated),
        version=version,
        result=result_of(result),
        head=head,
    )


def room_of_row(row: Row) -> StoredRoom:
    code, session_id, created, revision, data, closed = row
    return StoredRoom(
        unescaped(code), unescaped(session_id), _to_second(created), revision, json.loads(data), closed is not None
    )


def _to_second(time: str) -> str:
    return time[: len("2026-01-31T12:59:59")] + "Z"
