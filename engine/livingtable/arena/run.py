"""A tournament on disk: what is played, by how many processes, and how it goes on after it was interrupted.

A run is a folder: `manifest.json` (what was asked for, and with which versions), `games.jsonl` (a row a game, in the
order of the schedule) and `records.jsonl` or, of many games, `records.jsonl.zst`. All of it is the same, byte for byte,
whatever the number of workers and however often the run was interrupted; times are kept nowhere in it. While games are
played they stand in `journal.jsonl`, as they come in.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from livingtable.arena.entrants import check_entrant
from livingtable.arena.play import Played, play
from livingtable.arena.schedule import Fixture, schedule
from livingtable.errors import RecordError
from livingtable.game import Data
from livingtable.scenarios import Scenario, ScenarioLibrary
from livingtable.version import __version__

MANIFEST, GAMES, RECORDS, JOURNAL = "manifest.json", "games.jsonl", "records.jsonl", "journal.jsonl"
ZST = ".zst"
BATCH = 8
"""Games that are handed to a worker at a time."""
AHEAD = 4
"""Batches a worker that may be under way or waiting to be written: what bounds the memory of a run."""
FORMAT = "living-table-arena/1"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a tournament is to play: at least `games` a scenario. A move of those not built in may take `seconds`."""

    scenarios: tuple[str, ...]
    entrants: tuple[str, ...]
    games: int
    seed: int
    seconds: float = 5.0
    max_actions: int = 5_000
    compressed: bool = False
    folders: tuple[str, ...] = ()
    """The user's own scenarios."""

    def fixtures(self) -> Iterator[Fixture]:
        for name in self.scenarios:
            seats = len(library(self.folders).get(name).start(0).sides)
            yield from schedule(name, seats, self.entrants, self.games, self.seed)

    def check(self) -> None:
        """Raises `UnknownNameError` for a scenario or an entrant that there cannot be."""
        for name in self.scenarios:
            scenario = library(self.folders).get(name)
            for entrant in self.entrants:
                check_entrant(entrant, scenario.game)


@cache
def library(folders: tuple[str, ...]) -> ScenarioLibrary:
    """One for each process."""
    return ScenarioLibrary([Path(folder) for folder in folders])


class Run:
    """The folder of a tournament."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def exists(self) -> bool:
        return (self.folder / MANIFEST).is_file()

    def plan(self) -> Plan:
        """What was asked for. Raises `RecordError` where the folder holds no run."""
        try:
            data: Data = json.loads((self.folder / MANIFEST).read_text("utf-8"))
            if data["format"] != FORMAT:
                raise RecordError(f'"{self.folder}" was written in the format {str(data["format"])[:40]!a}')
            known = {name: data[name] for name in asdict(_EMPTY)}
            lists = {name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
            return Plan(**cast(Any, lists))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RecordError(f'"{self.folder}" holds no tournament: {error}') from None

    def rows(self) -> Iterator[Data]:
        """The games that were played: in the order of the schedule, then those since, as they came in."""
        yield from (json.loads(line) for line in _whole_lines(self.folder / GAMES))
        yield from (json.loads(line)["row"] for line in _whole_lines(self.folder / JOURNAL))

    def records(self) -> Iterator[Data]:
        """The records, in the order of `rows`."""
        yield from (json.loads(line) for line in _record_lines(self.folder))
        yield from (json.loads(line)["record"] for line in _whole_lines(self.folder / JOURNAL))

    def go_on(self, plan: Plan, workers: int = 1, told: Callable[[int, int], None] = lambda _done, _of: None) -> int:
        """Plays what is still to play; `told` hears how many games are done of how many. Returns how many were played.

        To be interrupted at any time: what is in the journal stays, and is gone on from.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        _write_whole(self.folder / MANIFEST, [_manifest(plan)])
        _mend(self.folder / JOURNAL)
        known = {key_of(row) for row in self.rows()}
        waiting = [fixture for fixture in plan.fixtures() if fixture.key not in known]
        of = sum(1 for _ in plan.fixtures())
        told(of - len(waiting), of)
        with (self.folder / JOURNAL).open("ab") as journal:
            for done, played in enumerate(_played(plan, waiting, workers), start=of - len(waiting) + 1):
                journal.write(_line({"row": played.row, "record": played.record}))
                journal.flush()
                told(done, of)
        self._put_in_order(plan)
        return len(waiting)

    def _put_in_order(self, plan: Plan) -> None:
        """Makes the files of the finished run out of those of a run before it, and of the journal."""
        rows = {key_of(json.loads(line)): line for line in _whole_lines(self.folder / GAMES)}
        places = dict(zip(rows, range(len(rows)), strict=True))
        journal = {key: offset for key, offset in _journal_offsets(self.folder / JOURNAL)}
        if not journal and list(rows) == [fixture.key for fixture in plan.fixtures()]:
            return
        old_records = list(_record_lines(self.folder)) if places else []
        with (self.folder / JOURNAL).open("rb") as file:

            def both(fixture: Fixture) -> tuple[bytes, bytes]:
                if fixture.key in journal:
                    file.seek(journal[fixture.key])
                    entry: Data = json.loads(file.readline())
                    return _line(entry["row"]), _line(entry["record"])
                return rows[fixture.key], old_records[places[fixture.key]]

            _write_whole(self.folder / RECORDS, (both(f)[1] for f in plan.fixtures()), plan.compressed)
            _write_whole(self.folder / GAMES, (both(f)[0] for f in plan.fixtures()))
        (self.folder / JOURNAL).unlink()


def key_of(row: Data) -> str:
    """The key of the fixture that a row tells of."""
    return f"{row['scenario']}/{row['group']}/{','.join(row['seats'].values())}"


_EMPTY = Plan((), (), 0, 0)


def _played(plan: Plan, fixtures: Sequence[Fixture], workers: int) -> Iterator[Played]:
    """In the order of the schedule, whoever is ready first."""
    batches = [fixtures[n : n + BATCH] for n in range(0, len(fixtures), BATCH)]
    if workers <= 1:
        for batch in batches:
            for fixture in batch:
                yield _play_one(plan, fixture)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting: list[Future[list[Played]]] = []
        try:
            for batch in batches:
                waiting.append(pool.submit(play_batch, plan, batch))
                if len(waiting) > AHEAD * workers:
                    yield from waiting.pop(0).result()
            while waiting:
                yield from waiting.pop(0).result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def play_batch(plan: Plan, batch: Sequence[Fixture]) -> list[Played]:
    """Some games, in a worker."""
    return [_play_one(plan, fixture) for fixture in batch]


def _play_one(plan: Plan, fixture: Fixture) -> Played:
    scenario: Scenario = library(plan.folders).get(fixture.scenario)
    return play(fixture, scenario, plan.seconds, plan.max_actions)


def _manifest(plan: Plan) -> bytes:
    told = {"format": FORMAT, "engine": __version__, **asdict(plan)}
    return (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()


def _line(data: Data) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _whole_lines(file: Path) -> Iterator[bytes]:
    if file.is_file():
        with file.open("rb") as lines:
            yield from (line for line in lines if line.endswith(b"\n"))


def _mend(journal: Path) -> None:
    """Cuts off a last line that was not written to its end."""
    if not journal.is_file():
        return
    with journal.open("r+b") as file:
        end = sum(len(line) for line in _whole_lines(journal))
        file.truncate(end)


def _journal_offsets(journal: Path) -> Iterator[tuple[str, int]]:
    offset = 0
    for line in _whole_lines(journal):
        yield key_of(json.loads(line)["row"]), offset
        offset += len(line)


def _record_lines(folder: Path) -> Iterator[bytes]:
    """The records of a finished run, compressed or not."""
    if (folder / RECORDS).is_file():
        yield from _whole_lines(folder / RECORDS)
    elif (folder / (RECORDS + ZST)).is_file():
        import io

        import zstandard

        with (folder / (RECORDS + ZST)).open("rb") as raw:
            stream = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
            yield from io.BufferedReader(cast(Any, stream))


def _write_whole(file: Path, lines: Iterable[bytes], compressed: bool = False) -> None:
    """All of it or nothing, whenever the process is killed."""
    target = file.with_name(file.name + ZST) if compressed else file
    partial = target.with_name(f".{target.name}.part")
    with partial.open("wb") as raw:
        if compressed:
            import zstandard

            with zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False) as stream:
                for line in lines:
                    stream.write(line)
        else:
            raw.writelines(lines)
    partial.replace(target)
