"""The ledger keeps what it acknowledged, one action a version, whoever else writes, dies or asks."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest
from anyio import CancelScope
from anyio.lowlevel import checkpoint

from livingtable.game import Data
from livingtable_server.store.ledger import Entry, Ledger, StoredSession, StoreError

pytestmark = pytest.mark.anyio

HEAD: Data = {"game": "botwars", "scenario": {"name": "two-trolls", "map": ["..", ".."]}, "seed": 7}
RESULT: Data = {"reason": "united", "winners": ["p1"], "ranking": [{"place": 1, "side": "p1", "score": 0.5}]}
ODD_TEXTS = [
    "🦊 и ☃",
    "half a pair: \ud83e",
    "nul\0and\x01",
    "'; DROP TABLE actions; --",
    '"quoted" \\ back\nnew',
    "",
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/table/ledger.db"


@pytest.fixture(params=["file", "memory"])
async def ledger(request: pytest.FixtureRequest, url: str, anyio_backend: str) -> AsyncGenerator[Ledger]:
    assert anyio_backend == "asyncio"
    opened = await Ledger.open(url if request.param == "file" else "sqlite://")
    yield opened
    await opened.close()


def move(version: int, side: str = "p1", to: str = "4,4") -> Entry:
    events = [{"type": "moved", "version": version, "side": side, "from": "3,4", "to": to, "line": {side: to}}]
    return Entry(version, side, {"type": "move", "to": to}, events)


async def begin(ledger: Ledger, session_id: str, actions: int = 0) -> list[Entry]:
    await ledger.create(session_id, HEAD)
    entries = [move(version) for version in range(1, actions + 1)]
    for entry in entries:
        assert await ledger.append(session_id, entry, None)
    return entries


async def test_a_session_comes_back_as_it_was_stored(ledger: Ledger) -> None:
    entries = await begin(ledger, "s", 3)
    assert await ledger.load("s") == StoredSession("s", HEAD, None, entries)
    assert await ledger.entries_after("s", 1) == entries[1:]
    assert await ledger.entries_after("s", 3) == []
    assert await ledger.latest_version("s") == 3


async def test_a_session_without_actions_stands_at_version_0(ledger: Ledger) -> None:
    await begin(ledger, "s")
    assert await ledger.load("s") == StoredSession("s", HEAD, None, [])
    assert await ledger.latest_version("s") == 0


async def test_sessions_do_not_see_each_others_actions(ledger: Ledger) -> None:
    entries = await begin(ledger, "one", 2)
    await begin(ledger, "other", 1)
    assert await ledger.load("one") == StoredSession("one", HEAD, None, entries)
    assert await ledger.latest_version("other") == 1


async def test_the_last_action_and_the_result_are_stored_together(ledger: Ledger) -> None:
    await begin(ledger, "s", 1)
    assert await ledger.append("s", move(2), RESULT)
    assert await ledger.load("s") == StoredSession("s", HEAD, RESULT, [move(1), move(2)])


async def test_a_result_whose_version_is_taken_is_not_stored(ledger: Ledger) -> None:
    await begin(ledger, "s", 1)
    assert not await ledger.append("s", move(1), RESULT)
    assert await ledger.load("s") == StoredSession("s", HEAD, None, [move(1)])
    assert await ledger.append("s", move(2), None)


async def test_a_taken_version_is_refused_and_the_first_action_stays(ledger: Ledger) -> None:
    await begin(ledger, "s", 2)
    assert not await ledger.append("s", move(1, to="0,0"), None)
    assert not await ledger.append("s", move(2, to="0,0"), None)
    assert await ledger.entries_after("s", 0) == [move(1), move(2)]


@pytest.mark.parametrize("version", [-1, 0, 3, 4])
@pytest.mark.parametrize("result", [None, RESULT])
async def test_a_gap_is_refused(ledger: Ledger, version: int, result: Data | None) -> None:
    await begin(ledger, "s", 1)
    with pytest.raises(StoreError, match=rf"^Version {version} cannot follow version 1: "):
        await ledger.append("s", move(version), result)
    assert await ledger.load("s") == StoredSession("s", HEAD, None, [move(1)])


async def test_the_first_action_has_version_1(ledger: Ledger) -> None:
    await begin(ledger, "s")
    with pytest.raises(StoreError, match=r"^Version 2 cannot follow version 0: "):
        await ledger.append("s", move(2), None)


async def test_an_unknown_session_is_none_and_takes_no_action(ledger: Ledger) -> None:
    assert await ledger.load("nobody") is None
    assert await ledger.latest_version("nobody") is None
    assert await ledger.entries_after("nobody", 0) == []
    for version, result in [(1, None), (2, None), (1, RESULT)]:
        with pytest.raises(StoreError, match="no such session"):
            await ledger.append("nobody", move(version), result)


async def test_an_id_is_given_once_and_stands_in_no_error(ledger: Ledger) -> None:
    await begin(ledger, "secret-handle", 1)
    with pytest.raises(StoreError) as again:
        await ledger.create("secret-handle", {**HEAD, "seed": 8})
    with pytest.raises(StoreError) as gap:
        await ledger.append("secret-handle", move(9), None)
    assert "secret-handle" not in f"{again.value} {gap.value}"
    assert await ledger.load("secret-handle") == StoredSession("secret-handle", HEAD, None, [move(1)])


@pytest.mark.parametrize("odd", ODD_TEXTS, ids=ascii)
async def test_any_text_survives_in_any_place(ledger: Ledger, odd: str) -> None:
    head: Data = {"game": odd, "scenario": {"name": odd, odd: odd}}
    entry = Entry(1, odd, {odd: odd}, [{odd: [odd]}])
    await ledger.create(odd, head)
    assert await ledger.append(odd, entry, {odd: odd})
    assert await ledger.load(odd) == StoredSession(odd, head, {odd: odd}, [entry])
    (row,) = await ledger.sessions()
    assert (row.session_id, row.game, row.scenario, row.head, row.result) == (odd, odd, odd, head, {odd: odd})
    assert await ledger.load(odd + "\udfff") is None


async def test_the_list_has_the_newest_first(ledger: Ledger) -> None:
    for session_id in ("first", "second", "third"):
        await begin(ledger, session_id)
    await ledger.append("first", move(1), None)
    assert [row.session_id for row in await ledger.sessions()] == ["third", "second", "first"]
    assert [row.session_id for row in await ledger.sessions(limit=2)] == ["third", "second"]


async def test_the_list_can_be_of_running_or_of_finished_sessions(ledger: Ledger) -> None:
    await begin(ledger, "running", 2)
    await begin(ledger, "finished", 1)
    await ledger.append("finished", move(2), RESULT)
    (running,) = await ledger.sessions(active=True)
    (finished,) = await ledger.sessions(active=False)
    assert (running.session_id, running.version, running.result) == ("running", 2, None)
    assert (finished.session_id, finished.version, finished.result) == ("finished", 2, RESULT)
    assert (running.game, running.scenario, running.head) == ("botwars", "two-trolls", HEAD)


async def test_times_are_utc_to_the_second_and_the_latest_action_is_the_update(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "idle")
        await begin(ledger, "played", 2)
    with sqlite(url) as database:
        database.execute("UPDATE sessions SET created = '2026-01-31T12:59:58.999999+00:00' WHERE session_id = 'played'")
        database.execute("UPDATE actions SET created = '2026-01-31T13:00:0' || version || '.5+00:00'")
    async with opened(url) as ledger:
        idle, played = await ledger.sessions()
    assert (played.created, played.updated) == ("2026-01-31T12:59:58Z", "2026-01-31T13:00:02Z")
    assert idle.created == idle.updated


async def test_sessions_survive_reopening(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "s", 2)
    async with opened(url) as ledger:
        assert await ledger.load("s") == StoredSession("s", HEAD, None, [move(1), move(2)])
        assert await ledger.append("s", move(3), RESULT)
    async with opened(url) as ledger:
        assert await ledger.latest_version("s") == 3


async def test_of_two_writers_of_one_version_exactly_one_wins(url: str) -> None:
    async with opened(url) as ivory, opened(url) as crimson:
        await begin(ivory, "s")
        for version in range(1, 51):
            entries = move(version, "ivory"), move(version, "crimson")
            result = RESULT if version == 50 else None
            won = await asyncio.gather(ivory.append("s", entries[0], result), crimson.append("s", entries[1], result))
            assert sorted(won) == [False, True]
            winner = entries[won.index(True)]
            assert await ivory.entries_after("s", version - 1) == [winner]
            assert await crimson.entries_after("s", version - 1) == [winner]


async def test_several_programs_may_open_a_new_file_at_once(url: str) -> None:
    ledgers = await asyncio.gather(*(Ledger.open(url) for _ in range(6)))
    for number, ledger in enumerate(ledgers):
        await begin(ledger, f"s{number}", 1)
    assert len(await ledgers[0].sessions()) == 6
    for ledger in ledgers:
        await ledger.close()


async def test_many_calls_at_once_on_one_ledger_do_not_mix(ledger: Ledger) -> None:
    async def play(session_id: str) -> StoredSession | None:
        await begin(ledger, session_id, 10)
        await ledger.append(session_id, move(11), RESULT)
        return await ledger.load(session_id)

    names = [f"s{number}" for number in range(8)]
    played = await asyncio.gather(*map(play, names))
    assert played == [StoredSession(name, HEAD, RESULT, [move(v) for v in range(1, 12)]) for name in names]


async def test_a_killed_process_loses_nothing_that_it_acknowledged(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "s")
    acknowledged = append_until_killed(url, enough=100)
    async with opened(url) as ledger:
        stored = await ledger.load("s")
        assert stored is not None
        versions = [entry.version for entry in stored.entries]
        assert versions[: len(acknowledged)] == acknowledged
        assert len(versions) <= len(acknowledged) + 1  # at most the one that was under way
        assert await ledger.append("s", move(len(versions) + 1), None)


@pytest.mark.parametrize("result", [None, RESULT])
async def test_a_cancelled_append_leaves_all_of_it_or_nothing(ledger: Ledger, result: Data | None) -> None:
    await begin(ledger, "s")
    appending = asyncio.create_task(ledger.append("s", move(1), result))
    await checkpoint()
    appending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await appending
    stored = await ledger.load("s")
    assert stored in (StoredSession("s", HEAD, None, []), StoredSession("s", HEAD, result, [move(1)]))
    assert await ledger.append("s", move(len(stored.entries) + 1), None)


async def test_a_ledger_that_breaks_under_way_says_so_in_a_sentence(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "s", 1)
        with sqlite(url) as database:
            database.execute("ALTER TABLE actions RENAME TO lost")
        for result in (None, RESULT):
            with pytest.raises(StoreError, match=r"^The ledger cannot be read or written \(no such table: actions\): "):
                await ledger.append("s", move(2), result)
        with sqlite(url) as database:
            database.execute("ALTER TABLE lost RENAME TO actions")
        assert await ledger.append("s", move(2), RESULT)


async def test_memory_stores_are_apart_and_gone_when_closed() -> None:
    async with opened("sqlite://") as one, opened("sqlite://") as other:
        await begin(one, "s", 1)
        assert await one.latest_version("s") == 1
        assert await other.latest_version("s") is None
    async with opened("sqlite://") as later:
        assert await later.latest_version("s") is None


async def test_a_ledger_closes_in_a_cancelled_scope(url: str) -> None:
    with CancelScope() as scope:
        ledger = await Ledger.open(url)
        await begin(ledger, "s", 1)
        scope.cancel()
        await ledger.close()
    assert [file.name for file in path_of(url).parent.iterdir()] == ["ledger.db"]  # the write-ahead log is put away


async def test_closing_twice_is_closing(url: str) -> None:
    ledger = await Ledger.open(url)
    await ledger.close()
    await ledger.close()


async def test_a_path_is_taken_as_it_is_written(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/a b/50%20?mode=ro#é.db") as ledger:
        await begin(ledger, "s", 1)
    assert [file.name for file in (tmp_path / "a b").iterdir()] == ["50%20?mode=ro#é.db"]


async def test_the_file_is_its_owners_alone(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "s", 1)
        files = sorted(path_of(url).parent.iterdir())
        assert {file.name for file in files} >= {"ledger.db", "ledger.db-wal"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear table, " * 100)
    await refuses(f"sqlite:///{letter}", r'^The ledger ".*letter\.txt" cannot be opened \(file is not a database\): ')
    assert letter.read_text() == "Dear table, " * 100


async def test_another_programs_database_is_refused_and_left_alone(url: str) -> None:
    path_of(url).parent.mkdir()
    with sqlite(url) as database:
        database.execute("CREATE TABLE bookmarks (url TEXT)")
    await refuses(url, "another program's database")
    with sqlite(url) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]


async def test_a_newer_programs_ledger_is_refused(url: str) -> None:
    async with opened(url):
        pass
    with sqlite(url) as database:
        assert database.execute("SELECT version FROM schema_version").fetchall() == [(2,)]
        database.execute("UPDATE schema_version SET version = 3")
    await refuses(url, r"newer living-table \(schema 3, this one knows 2\): update")


@pytest.mark.parametrize("place", ["file/ledger.db", "file/below/ledger.db", "folder"])
async def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a regular file")
    (tmp_path / "folder").mkdir()
    await refuses(
        f"sqlite:///{tmp_path}/{place}", r"cannot be opened \((Not a directory|unable to open database file)\)"
    )


@pytest.mark.parametrize("wrong", ["", "ledger.db", "sqlite:///", "sqlite://host/x", "mysql://me:hunter2@host/x"])
async def test_an_unknown_store_is_refused_without_its_password(wrong: str) -> None:
    await refuses(wrong, '^This store is not known: write "sqlite:///PATH"')


def test_importing_the_ledger_does_not_import_sqlalchemy() -> None:
    program = "import sys, livingtable_server.store.ledger; print('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"False\n"


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Ledger]:
    ledger = await Ledger.open(url)
    try:
        yield ledger
    finally:
        await ledger.close()


async def refuses(url: str, words: str) -> None:
    """The error is one sentence and shows nothing of what led to it."""
    with pytest.raises(StoreError, match=words) as refused:
        await Ledger.open(url)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    assert "hunter2" not in str(refused.value)


def path_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


@contextmanager
def sqlite(url: str) -> Generator[sqlite3.Connection]:
    """The ledger's file, without the ledger."""
    with closing(sqlite3.connect(path_of(url))) as database, database:
        yield database


APPENDING = """
import asyncio, sys
from livingtable_server.store.ledger import Entry, Ledger

async def main():
    ledger = await Ledger.open(sys.argv[1])
    version = 0
    while True:
        version += 1
        assert await ledger.append("s", Entry(version, "p1", {"type": "pass"}, []), None)
        print(version, flush=True)

asyncio.run(main())
"""


def append_until_killed(url: str, enough: int) -> list[int]:
    """A process that appends to session `s` and is killed (-9) after `enough`: the versions it had acknowledged."""
    with subprocess.Popen([sys.executable, "-c", APPENDING, url], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline() for _ in range(enough)]
        process.kill()
        acknowledged += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [int(line) for line in acknowledged]
