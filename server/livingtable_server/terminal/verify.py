"""`living-table verify`: replays record files and says of each record whether it holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from livingtable.errors import RecordError
from livingtable.game import Data
from livingtable.records import Difference, ended_in_words, verify
from livingtable_server.sessions.differences import NOTHING, first_place
from livingtable_server.terminal.display import one_line, terminal
from livingtable_server.terminal.record_files import RecordText, record_texts

DIFFERS, UNREADABLE = 1, 2
_SHOWN_AT_MOST = 100
"""Signs of a value."""


def verify_files(sources: Sequence[str]) -> int:
    """A line a record; returns the exit code: 0 if all hold, 1 if any differs, 2 if any cannot be read."""
    console = terminal()
    worst = 0
    with _progress() as progress:
        task = progress.add_task("", total=None)
        for text in _texts(sources):
            progress.update(task, description=one_line(f"replaying {text.label}"))
            said, code = _verified(text)
            console.print(one_line(f"{text.label}: {said}"), soft_wrap=True)
            worst = max(worst, code)
            progress.advance(task)
    return worst


def _texts(sources: Sequence[str]) -> Iterator[RecordText | _Unreadable]:
    for source in sources:
        try:
            yield from record_texts(source)
        except RecordError as error:
            yield _Unreadable(source, str(error))


class _Unreadable(RecordText):
    """A file of which not even the text could be had."""

    def read(self) -> Data:
        raise RecordError(self.text)


def _verified(text: RecordText) -> tuple[str, int]:
    try:
        record = text.read()
        found = verify(record)
    except RecordError as error:
        return f"cannot be read: {error}", UNREADABLE
    if found.part:
        return f"is only a part: its {len(record['actions'])} actions replay, and end before the game does", DIFFERS
    if found.first_difference:
        return f"differs, first {in_words(found.first_difference, record)}", DIFFERS
    ended = f"ended by {record['result']['reason']}" if record["result"] else "not yet ended"
    ended = ended_in_words(record) or ended
    return f"verified: {len(record['actions'])} actions, {ended}", 0


def in_words(difference: Difference, record: Data) -> str:
    """Where a record and its replay part, and what each says there."""
    place, recorded, replayed = first_place(difference.recorded, difference.replayed)
    where = f"at action {difference.version}" if difference.version else "before the first action"
    if 0 < difference.version <= len(record["actions"]):
        entry = record["actions"][difference.version - 1]
        where += f" ({entry['side']}: {_shown(entry['action'])})"
    return f"{where}: {difference.what}{place} is {_shown(recorded)} in the record, {_shown(replayed)} in the replay"


def _shown(value: Any) -> str:
    if value is NOTHING:
        return "missing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= _SHOWN_AT_MOST else text[:_SHOWN_AT_MOST] + "…"


def _progress() -> Progress:
    """On stderr, and at a terminal alone."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.completed:.0f} records", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True, markup=False, emoji=False),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
