"""A tournament on disk: what was played, and how it goes on after it was interrupted.

A run is a folder: `manifest.json` (what was asked for, and with which versions), `games.jsonl` (a row a game) and
`records.jsonl` or, of many games, `records.jsonl.zst`, both in the order of the schedule. All of it is the same, byte
for byte, whatever the number of workers and however often the run was interrupted; times are kept nowhere in it. While
games are played they stand in `journal.jsonl`; then the files are made anew out of themselves and of the journal, line
by line, so that the memory of a run does not grow with the number of its games.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from livingtable.arena.files import (
    COMPRESSED,
    MEND,
    RECORDS,
    journalled,
    line_of,
    partial,
    record_lines,
    settle,
    unpacked,
    whole_lines,
)
from livingtable.arena.manifest import check_unchanged, manifest_of
from livingtable.arena.plan import Plan
from livingtable.arena.schedule import Fixture
from livingtable.arena.workers import played
from livingtable.errors import RecordError
from livingtable.game import Data

MANIFEST, GAMES, JOURNAL = "manifest.json", "games.jsonl", "journal.jsonl"
MERGED = "journal.merged"
"""What the journal is called from the moment on when the new files are whole, until they have their names."""

Told = Callable[[int, int], None]
Enough = Callable[[Data], bool]
"""Hears every row in the order of the schedule, those that were played before first, and says when to stop."""


def _tell_nobody(_done: int, _of: int) -> None: ...


def never(_row: Data) -> bool:
    """No game is the last one before all are played."""
    return False


class Run:
    """The folder of a tournament."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._journal = folder / JOURNAL

    @property
    def exists(self) -> bool:
        return (self.folder / MANIFEST).is_file()

    def plan(self) -> Plan:
        """What was asked for. Raises `RecordError` where the folder holds no run."""
        try:
            return Plan.from_data(json.loads((self.folder / MANIFEST).read_text("utf-8")))
        except OSError as error:
            raise RecordError(f'"{self.folder}" holds no tournament: {error!r}') from None
        except (ValueError, KeyError, TypeError):
            raise RecordError(
                f'"{self.folder / MANIFEST}" is not the manifest of a tournament: name another folder.'
            ) from None

    def rows(self) -> Iterator[Data]:
        """The games that were played: in the order of the schedule, then those since, as they came in."""
        yield from self._finished()
        yield from (row for row, _ in self._journalled())

    def records(self) -> Iterator[Data]:
        """The records, in the order of `rows`."""
        return map(json.loads, self.record_lines())

    def record_lines(self) -> Iterator[bytes]:
        """The same, each as its line of JSON."""
        yield from record_lines(self.folder)
        yield from (unpacked(record) for _, record in journalled(self._journal))

    def waiting(self, plan: Plan) -> Iterator[Fixture]:
        """What of a plan is still to be played: both it and the files are in the order of the schedule."""
        known = map(plan.place_of, self._finished())
        last = next(known, None)
        for fixture in plan.fixtures():
            place = plan.place(fixture.scenario, fixture.group, fixture.seating)
            while last is not None and last < place:
                last = next(known, None)
            if last != place:
                yield fixture

    def begin(self, plan: Plan) -> None:
        """Makes the folder, or checks that what is in it can be gone on with. Raises `RecordError` and `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._finish_merge()
        if self.exists:
            self._check(plan)
        self._check_records(plan)
        if self._journal.exists():
            self._merge_journal(self.plan())
        with partial(self.folder / MANIFEST) as write:
            write((json.dumps(manifest_of(plan), indent=2, ensure_ascii=False) + "\n").encode())
        settle(self.folder / MANIFEST)

    def go_on(
        self, plan: Plan, workers: int = 1, told: Told = _tell_nobody, enough: Enough = never, ray: str | None = None
    ) -> int:
        """Plays what is still to play, on a Ray cluster if there is an address. `told` hears how many games are done of
        how many. Returns how many were played.

        To be interrupted at any time: what is in the journal stays, and is gone on from. Raises `LostWorkerError`.
        """
        self.begin(plan)
        if any(map(enough, self._finished())):
            return 0
        of = sum(1 for _ in plan.fixtures())
        done = before = of - sum(1 for _ in self.waiting(plan))
        told(done, of)
        if done < of:
            with self._journal.open("ab") as journal, closing(played(plan, self.waiting(plan), workers, ray)) as games:
                for done, game in enumerate(games, start=before + 1):
                    journal.write(line_of(game.row) + game.record)
                    journal.flush()
                    told(done, of)
                    if enough(game.row):
                        break
            self._merge_journal(plan)
        return done - before

    def _merge_journal(self, plan: Plan) -> None:
        """Makes the files anew, with the games of the journal in their places.

        Both are written beside the old ones; only then is the journal renamed, which makes them count. So a process
        that is killed at any moment leaves either the old files and the journal, or the new ones.
        """
        games, records = self.folder / GAMES, self._records(plan)
        with partial(games) as rows_to, partial(records) as records_to:
            kept = zip(self._finished(), record_lines(self.folder), strict=True)
            for row, record in heapq.merge(kept, self._journalled(), key=lambda game: plan.place_of(game[0])):
                rows_to(line_of(row))
                records_to(record)
        self._journal.replace(self.folder / MERGED)
        self._finish_merge()

    def _finish_merge(self) -> None:
        if (self.folder / MERGED).exists():
            for file in (GAMES, RECORDS, RECORDS + COMPRESSED):
                settle(self.folder / file)
            (self.folder / MERGED).unlink()

    def _check(self, plan: Plan) -> None:
        """Raises `RecordError` if the plan is not the run's with more games, entrants or scenarios, or not playable by
        this engine to the same end."""
        check_unchanged(json.loads((self.folder / MANIFEST).read_text("utf-8")), plan, self.folder)
        if not plan.extends(self.plan()):
            raise RecordError(f'"{self.folder}" holds another tournament')

    def _check_records(self, plan: Plan) -> None:
        """Raises `RecordError` if there is not a record of each game that was played."""
        games, records = self.folder / GAMES, self._records(plan)
        rows, kept = sum(1 for _ in self._finished()), sum(1 for _ in record_lines(self.folder))
        if rows == kept:
            return
        odd, said = (games, rows) if rows < kept else (records, kept)
        other = f"{kept} records" if rows < kept else f"{rows} games"
        there = f"has {said} {'games' if odd == games else 'records'}" if odd.exists() else "is not there"
        raise RecordError(f'"{odd}" {there}, but there are {other}: it was damaged. {MEND}')

    def _records(self, plan: Plan) -> Path:
        return self.folder / (RECORDS + COMPRESSED if plan.compressed else RECORDS)

    def _finished(self) -> Iterator[Data]:
        lines = enumerate(whole_lines(self.folder / GAMES), start=1)
        return (_row(line, self.folder / GAMES, number) for number, line in lines)

    def _journalled(self) -> Iterator[tuple[Data, bytes]]:
        games = enumerate(journalled(self._journal))
        return ((_row(row, self._journal, 2 * n + 1), unpacked(record)) for n, (row, record) in games)


def _row(line: bytes, file: Path, number: int) -> Data:
    try:
        return json.loads(line)
    except ValueError:
        raise RecordError(f'"{file}", line {number}: is no JSON, so the file was damaged. {MEND}') from None
