"""What is PostgreSQL's own in the ledger: many processes and connections, and what becomes of a call when they end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from anyio.lowlevel import checkpoint
from tests.server.stores import HEAD, RESULT, PostgresServer, begin, move, opened, refuses, run_sql

from livingtable_server.store.ledger import Ledger, StoredSession, StoreError

pytestmark = pytest.mark.anyio

RACING = """
import asyncio, sys
from livingtable_server.store.ledger import Entry, Ledger

async def main():
    url, side = sys.argv[1:]
    ledger = await Ledger.open(url)
    for line in sys.stdin:
        won = await ledger.append("s", Entry(int(line), side, {"type": "pass"}, []), None)
        print(int(won), flush=True)
    await ledger.close()

asyncio.run(main())
"""


@contextmanager
def racer(url: str, side: str) -> Generator[subprocess.Popen[str]]:
    """A process that appends the version of each line that it is given, and says 1 if it was the first."""
    command = [sys.executable, "-c", RACING, url, side]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()


async def test_of_two_processes_that_append_one_version_exactly_one_wins_each_time(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "s")
    winners: list[str] = []
    with racer(url, "ivory") as ivory, racer(url, "crimson") as crimson:
        for version in range(1, 201):
            for process in (ivory, crimson):
                assert process.stdin is not None
                process.stdin.write(f"{version}\n")
            said = [process.stdout.readline() for process in (ivory, crimson) if process.stdout]
            assert sorted(said) == ["0\n", "1\n"]
            winners.append(["ivory", "crimson"][said.index("1\n")])
    async with opened(url) as ledger:
        assert [entry.side for entry in await ledger.entries_after("s", 0)] == winners
    assert set(winners) == {"ivory", "crimson"}


async def test_more_calls_than_connections_wait_for_their_turn(postgres_url: str) -> None:
    async with opened(postgres_url) as ledger:
        sessions = [f"s{number}" for number in range(50)]
        await asyncio.gather(*(begin(ledger, session, 4) for session in sessions))
        assert {await ledger.latest_version(session) for session in sessions} == {4}
        assert 1 < connections_of(postgres_url) <= 8


async def test_calls_that_were_cancelled_leave_no_connection_in_the_way(postgres_url: str) -> None:
    async with opened(postgres_url) as ledger:
        await begin(ledger, "s")
        for steps in range(60):
            appending = asyncio.create_task(ledger.append("s", move(await following(ledger)), None))
            for _ in range(steps % 20):
                await checkpoint()
            appending.cancel()
            with suppress(asyncio.CancelledError):
                await appending
        latest = await ledger.latest_version("s") or 0
        assert await ledger.append("s", move(latest + 1), RESULT)
        assert [entry.version for entry in await ledger.entries_after("s", 0)] == list(range(1, latest + 2))
        assert connections_of(postgres_url) <= 8


async def test_the_isolation_that_a_database_has_by_default_does_not_matter(postgres_url: str) -> None:
    async with opened(f"{postgres_url}%20-cdefault_transaction_isolation%3Dserializable") as ledger:
        for session in ("a", "b", "c"):
            await begin(ledger, session)
        ends = [ledger.append(session, move(1), RESULT) for session in ("a", "b", "c", "a", "b", "c")]
        assert sorted(await asyncio.gather(*ends)) == [False] * 3 + [True] * 3


# lost connections


async def test_after_a_restart_of_the_server_the_next_call_does_not_notice(own_postgres_server: PostgresServer) -> None:
    async with opened(own_postgres_server.url) as ledger:
        await asyncio.gather(*(begin(ledger, f"s{number}", 2) for number in range(8)))
        for mode in ("fast", "immediate"):
            own_postgres_server.control("restart", mode)
            version = await following(ledger, "s0")
            assert await ledger.append("s0", move(version), None)
        assert await ledger.latest_version("s0") == 4


async def test_while_the_server_is_away_it_is_said_at_once_and_once_it_is_back_all_goes_on(
    own_postgres_server: PostgresServer,
) -> None:
    async with opened(own_postgres_server.url) as ledger:
        await begin(ledger, "s", 1)
        own_postgres_server.control("stop")
        for _ in range(3):
            with pytest.raises(
                StoreError, match=r'^The ledger "postgresql://postgres@/\S+" cannot be reached \(.+\): '
            ):
                await ledger.append("s", move(2), None)
        own_postgres_server.control("start")
        assert await ledger.append("s", move(2), None)
        assert await ledger.load("s") == StoredSession("s", HEAD, None, [move(1), move(2)])


@pytest.mark.parametrize("result", [None, RESULT])
async def test_a_call_whose_connection_is_cut_says_so_and_stores_nothing_later(
    postgres_url: str, result: dict[str, Any] | None
) -> None:
    async with opened(postgres_url) as ledger:
        await begin(ledger, "s", 1)
        with psycopg.connect(postgres_url) as other:
            other.execute("LOCK TABLE actions IN EXCLUSIVE MODE")
            appending = asyncio.create_task(ledger.append("s", move(2), result))
            await cut_who_waits(postgres_url)
            with pytest.raises(StoreError, match=r"^The connection to the ledger was lost .+ read again"):
                await appending
        assert await ledger.load("s") == StoredSession("s", HEAD, None, [move(1)])
        assert await ledger.append("s", move(2), result)


async def test_an_append_of_which_the_answer_is_lost_is_there_once_for_who_reads_again(
    postgres_url: str, tmp_path: Path
) -> None:
    async with cable_to(postgres_url, tmp_path) as (cable, url), opened(url) as ledger:
        await begin(ledger, "s", 1)
        cable.cut_at_next_answer = True
        with pytest.raises(StoreError, match=r"^The connection to the ledger was lost"):
            await ledger.append("s", move(2), None)
        assert await ledger.entries_after("s", 1) == [move(2)]
        assert not await ledger.append("s", move(2), None)
        assert await ledger.append("s", move(3), None)


# opening


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql://me:hunter2@[::1/db",
        "postgresql://me:hunter2%zz@localhost/db",
        "postgresql:///?hunter2=1",
    ],
)
async def test_an_address_that_postgresql_does_not_take_is_refused_without_its_password(wrong: str) -> None:
    await refuses(wrong, "^The store's address is none that PostgreSQL takes: write postgresql://")


async def test_a_server_that_is_not_there_is_named_without_the_password(tmp_path: Path) -> None:
    url = f"postgresql://me:hunter2@/table?host={tmp_path}&password=hunter2"
    await refuses(url, r'^The ledger "postgresql://me@/table\?host=\S+" cannot be reached \(.*No such file')


async def test_a_database_that_is_not_there_is_named(postgres_server: PostgresServer) -> None:
    url = postgres_server.url.replace("/postgres?", "/nowhere?")
    await refuses(url, r'cannot be reached \(.*database "nowhere" does not exist')


async def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    await refuses("postgresql://localhost/table", r"install it with pip install 'living-table\[postgres\]'")


async def test_a_closed_ledger_says_so(postgres_url: str) -> None:
    async with opened(postgres_url) as ledger:
        await begin(ledger, "s")
    with pytest.raises(StoreError, match="closed"):
        await ledger.load("s")
    assert connections_of(postgres_url) == 0


async def following(ledger: Ledger, session: str = "s") -> int:
    return (await ledger.latest_version(session) or 0) + 1


def connections_of(url: str) -> int:
    """How many connections the server has, other than this question's."""
    asked = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    return run_sql(url, asked)[0][0]


async def cut_who_waits(url: str) -> None:
    """Ends the connection that waits for a lock, as soon as one does."""
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    while not run_sql(url, cut):
        await checkpoint()


class Cable:
    """Between a ledger and its server; it can be cut after a question was answered, and before the answer arrives."""

    def __init__(self, socket: str) -> None:
        self.cut_at_next_answer = False
        self._socket = socket
        self._plugged: list[asyncio.Task[None]] = []

    async def plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        their_reader, their_writer = await asyncio.open_unix_connection(self._socket)
        self._plugged += [
            asyncio.create_task(self._carry(reader, their_writer, answers=False)),
            asyncio.create_task(self._carry(their_reader, writer, answers=True)),
        ]

    async def unplugged(self) -> None:
        await asyncio.gather(*self._plugged)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        while chunk := await reader.read(65536):
            if answers and self.cut_at_next_answer:
                self.cut_at_next_answer = False
                break
            writer.write(chunk)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def cable_to(url: str, folder: Path) -> AsyncGenerator[tuple[Cable, str]]:
    """A cable to that store, and the URL at its other end."""
    place = url.partition("?host=")[2].partition("&")[0]
    cable = Cable(f"{place}/.s.PGSQL.5432")
    async with await asyncio.start_unix_server(cable.plug, folder / ".s.PGSQL.5432"):
        yield cable, url.replace(f"?host={place}", f"?host={folder}")
        await cable.unplugged()
