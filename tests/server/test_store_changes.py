"""Who has a ledger open hears what other processes change; and nobody hears a session's id."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import psycopg
import pytest
from anyio.lowlevel import checkpoint
from tests.server.stores import HEAD, RESULT, PostgresServer, begin, move, opened

from livingtable_server.store import watching
from livingtable_server.store.ledger import Ledger, StoreError, change_key

pytestmark = pytest.mark.anyio

Heard = asyncio.Queue[str | None]
SECONDS_AT_MOST = 20
"""Of a test that fails; the others do not wait."""


async def next_of(heard: Heard) -> str | None:
    return await asyncio.wait_for(heard.get(), SECONDS_AT_MOST)


async def heard_until(heard: Heard, marked: str) -> list[str | None]:
    """What was heard before that key."""
    before: list[str | None] = []
    while (key := await next_of(heard)) != marked:
        before.append(key)
    return before


@pytest.mark.parametrize("result", [None, RESULT])
async def test_an_action_of_another_ledger_is_heard(postgres_url: str, result: dict[str, object] | None) -> None:
    heard = Heard()
    async with opened(postgres_url) as writer, opened(postgres_url, heard.put_nowait) as reader:
        assert reader.notifies
        await begin(writer, "s")
        await writer.append("s", move(1), result)
        assert await next_of(heard) == change_key("s")
        assert await reader.latest_version("s") == 1


async def test_an_action_of_another_process_is_heard(postgres_url: str) -> None:
    program = (
        "import asyncio, sys\n"
        "from livingtable_server.store.ledger import Entry, Ledger\n"
        "async def main():\n"
        "    ledger = await Ledger.open(sys.argv[1])\n"
        "    await ledger.append('s', Entry(1, 'p1', {'type': 'pass'}, []), None)\n"
        "    await ledger.close()\n"
        "asyncio.run(main())"
    )
    heard = Heard()
    async with opened(postgres_url, heard.put_nowait) as ledger:
        await begin(ledger, "s")
        await asyncio.to_thread(subprocess.run, [sys.executable, "-c", program, postgres_url], check=True)
        assert await next_of(heard) == change_key("s")


async def test_what_a_ledger_changes_itself_and_what_is_no_change_it_does_not_hear(postgres_url: str) -> None:
    heard = Heard()
    async with opened(postgres_url) as writer, opened(postgres_url, heard.put_nowait) as reader:
        await begin(reader, "own", 2)
        assert await reader.create_room("FOX-1", "room", HEAD, {})
        assert await reader.update_room("FOX-1", 0, {})
        assert not await writer.append("own", move(1), RESULT)
        assert not await writer.update_room("FOX-1", 7, {})
        await writer.touch("FOX-1", "p1", "2026-01-31T12:00:00Z")
        await begin(writer, "mark", 1)
        assert await heard_until(heard, change_key("mark")) == []


async def test_a_rooms_changes_are_told_by_the_id_of_its_session(postgres_url: str) -> None:
    heard = Heard()
    async with opened(postgres_url) as writer, opened(postgres_url, heard.put_nowait):
        assert await writer.create_room("FOX-1", "s", HEAD, {})
        assert await writer.update_room("FOX-1", 0, {"seats": 1})
        assert await next_of(heard) == change_key("s")
        assert await writer.close_room("FOX-1")
        assert await next_of(heard) == change_key("s")


async def test_a_notice_does_not_give_the_session_or_the_room_away(postgres_url: str) -> None:
    async with (
        opened(postgres_url) as writer,
        await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as stranger,
    ):
        await stranger.execute("LISTEN living_table")
        assert await writer.create_room("FOX-1", "secret-handle", HEAD, {})
        await writer.append("secret-handle", move(1), None)
        await writer.update_room("FOX-1", 0, {})
        notices = [notice.payload async for notice in stranger.notifies(timeout=SECONDS_AT_MOST, stop_after=2)]
    assert [payload.partition(" ")[2] for payload in notices] == [change_key("secret-handle")] * 2
    assert not any("secret" in payload or "FOX" in payload for payload in notices)


async def test_an_odd_id_is_heard_under_its_key(postgres_url: str) -> None:
    heard = Heard()
    odd = 'half a pair \ud83e, "quoted" \\ and nul\0'
    async with opened(postgres_url) as writer, opened(postgres_url, heard.put_nowait):
        await begin(writer, odd, 1)
        assert await next_of(heard) == change_key(odd)


async def test_after_a_restart_of_the_server_all_is_to_be_looked_at_and_then_heard_again(
    own_postgres_server: PostgresServer,
) -> None:
    heard = Heard()
    async with opened(own_postgres_server.url) as writer, opened(own_postgres_server.url, heard.put_nowait) as reader:
        await begin(writer, "s", 1)
        assert await next_of(heard) == change_key("s")
        own_postgres_server.control("restart", "immediate")
        await writer.append("s", move(2), None)
        while await next_of(heard) is not None:
            pass
        assert reader.notifies
        await writer.append("s", move(3), None)
        assert await next_of(heard) == change_key("s")


async def test_while_the_server_is_away_nothing_is_heard_and_the_ledger_knows(
    own_postgres_server: PostgresServer,
) -> None:
    heard = Heard()
    async with opened(own_postgres_server.url, heard.put_nowait) as ledger:
        own_postgres_server.control("stop")
        with pytest.raises(StoreError):
            await ledger.load("s")
        async with asyncio.timeout(SECONDS_AT_MOST):
            while ledger.notifies:
                await checkpoint()
        own_postgres_server.control("start")
        assert await next_of(heard) is None
        assert ledger.notifies


async def test_a_fault_of_who_is_told_does_not_end_the_listening(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, faults = Heard(), list[dict[str, object]]()

    def changed(key: str | None) -> None:
        heard.put_nowait(key)
        raise ValueError(key)

    monkeypatch.setattr(asyncio.get_running_loop(), "call_exception_handler", faults.append)
    async with opened(postgres_url) as writer, opened(postgres_url, changed):
        await begin(writer, "s", 2)
        assert [await next_of(heard), await next_of(heard)] == [change_key("s")] * 2
    assert [type(fault["exception"]) for fault in faults] == [ValueError] * 2


async def test_memory_tells_nothing_and_says_so() -> None:
    async with opened("sqlite://", Heard().put_nowait) as ledger:
        assert not ledger.notifies


# SQLite


async def test_on_sqlite_who_waits_hears_that_another_ledger_has_written_but_not_what(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.0)
    heard = Heard()
    async with opened(sqlite_url) as writer, opened(sqlite_url, heard.put_nowait) as reader:
        assert reader.notifies
        with reader.awaited():
            await begin(writer, "s", 1)
            assert await next_of(heard) is None
            assert await reader.latest_version("s") is not None


async def test_on_sqlite_what_was_written_before_somebody_waits_is_heard_once_somebody_does(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.0)
    heard = Heard()
    async with opened(sqlite_url) as writer, opened(sqlite_url, heard.put_nowait) as reader:
        await begin(writer, "s", 3)
        assert heard.empty()
        with reader.awaited():
            assert await next_of(heard) is None


async def test_on_sqlite_nobody_hears_of_what_it_has_written_itself(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.0)
    heard = Heard()
    async with opened(sqlite_url, heard.put_nowait) as ledger, opened(sqlite_url) as other:
        with ledger.awaited():
            await begin(ledger, "s", 10)
            assert heard.empty()
            await begin(other, "t")
            assert await next_of(heard) is None


async def test_who_wants_to_hear_nothing_has_no_connection_that_listens(postgres_url: str) -> None:
    ledger = await Ledger.open(postgres_url)
    assert not ledger.notifies
    await ledger.close()
