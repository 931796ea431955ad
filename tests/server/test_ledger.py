"""The ledger keeps what it acknowledged, one action a version, whoever else writes, dies or asks."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import pytest
from anyio import CancelScope
from anyio.lowlevel import checkpoint
from tests.server.stores import HEAD, RESULT, begin, move, opened, refuses, run_sql, tables_of

from livingtable.game import Data
from livingtable_server.store.ledger import Entry, Ledger, StoredSession, StoreError

pytestmark = pytest.mark.anyio

ODD_TEXTS = [
    "🦊 и ☃",
    "half a pair: \ud83e",
    "nul\0and\x01",
    "'; DROP TABLE actions; --",
    '"quoted" \\ back\nnew',
    "",
]


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
    run_sql(
        url,
        "UPDATE sessions SET created = '2026-01-31T12:59:58.999999+00:00' WHERE session_id = 'played'",
        "UPDATE actions SET created = '2026-01-31T13:00:0' || version || '.5+00:00'",
    )
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
        while not await ledger.append("s", move((await ledger.latest_version("s") or 0) + 1), None):
            pass  # PostgreSQL was still at that one


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
        run_sql(url, "ALTER TABLE actions RENAME TO lost")
        for result in (None, RESULT):
            with pytest.raises(
                StoreError, match=r"^The ledger cannot be read or written \([^\n]*actions[^\n]*\): see "
            ):
                await ledger.append("s", move(2), result)
        run_sql(url, "ALTER TABLE lost RENAME TO actions")
        assert await ledger.append("s", move(2), RESULT)


async def test_a_ledger_closes_in_a_cancelled_scope(url: str) -> None:
    with CancelScope() as scope:
        ledger = await Ledger.open(url)
        await begin(ledger, "s", 1)
        scope.cancel()
        await ledger.close()
    async with opened(url) as again:
        assert await again.latest_version("s") == 1


async def test_closing_twice_is_closing(url: str) -> None:
    ledger = await Ledger.open(url)
    await ledger.close()
    await ledger.close()


async def test_another_programs_database_is_refused_and_left_alone(url: str) -> None:
    run_sql(url, "CREATE TABLE bookmarks (url TEXT)")
    await refuses(url, "another program's database")
    assert tables_of(url) == ["bookmarks"]


async def test_a_newer_programs_ledger_is_refused(url: str) -> None:
    async with opened(url):
        pass
    assert run_sql(url, "SELECT version FROM schema_version") == [(2,)]
    run_sql(url, "UPDATE schema_version SET version = 3")
    await refuses(url, r"newer living-table \(schema 3, this one knows 2\): update")


def test_importing_the_ledger_imports_no_driver_and_no_sqlalchemy() -> None:
    program = (
        "import sys, livingtable_server.store.ledger;"
        "print([m for m in ('sqlalchemy', 'sqlite3', 'aiosqlite', 'psycopg') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"[]\n"


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


async def test_a_mark_is_kept_in_the_head_which_is_otherwise_as_it_was(ledger: Ledger) -> None:
    entries = await begin(ledger, "s", 2)
    await begin(ledger, "other")
    assert await ledger.marks("s", ["forked"]) == {}
    await ledger.mark("s", {"forked": True})
    assert await ledger.marks("s", ["forked", "forkedFrom"]) == {"forked": True}
    assert await ledger.load("s") == StoredSession("s", {**HEAD, "forked": True}, None, entries)
    assert await ledger.load("other") == StoredSession("other", HEAD, None, [])
    assert await ledger.marks("unknown", ["forked"]) == {}
