"""Whether a ledger would keep something now: what `check_ready` says of each way in which it would not."""

from __future__ import annotations

import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from tests.server.stores import PostgresServer, begin, move, opened, path_of, run_sql

from livingtable_server.store import postgres, store_file
from livingtable_server.store.errors import NotReadyError
from livingtable_server.store.ledger import Ledger, StoreError

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _locks_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(store_file, "LOCK_SECONDS", 0.0)


async def reason(ledger: Ledger) -> str:
    """Why it is not ready; it names no place. The text for the operator is another."""
    with pytest.raises(NotReadyError) as refused:
        await ledger.check_ready()
    assert re.fullmatch(r"[A-Z][a-z ]+\.", refused.value.reason), refused.value.reason
    assert str(refused.value) != refused.value.reason
    return refused.value.reason


async def test_a_store_that_keeps_what_is_written_is_ready_and_the_question_changes_nothing(ledger: Ledger) -> None:
    await begin(ledger, "s", 2)
    for _ in range(3):
        await ledger.check_ready()
    assert await ledger.entries_after("s", 0) == [move(1), move(2)]


# SQLite


async def test_a_file_that_another_program_has_locked_is_told_and_later_it_is_ready_again(sqlite_url: str) -> None:
    async with opened(sqlite_url) as ledger:
        with closing(sqlite3.connect(path_of(sqlite_url), isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            assert await reason(ledger) == "The store is locked by another program."
        await ledger.check_ready()


@pytest.mark.parametrize("overwritten", [b"", b"garbage", b"garbage" * 10_000], ids=["empty", "short", "long"])
async def test_a_file_that_was_overwritten_is_told_though_the_log_hides_it(sqlite_url: str, overwritten: bytes) -> None:
    async with opened(sqlite_url) as ledger:
        await begin(ledger, "s", 3)
        path_of(sqlite_url).write_bytes(overwritten)
        assert await ledger.latest_version("s") == 3
        assert await reason(ledger) == "The store is damaged."


async def test_a_file_that_was_removed_is_told_and_not_made_anew(sqlite_url: str) -> None:
    async with opened(sqlite_url) as ledger:
        path_of(sqlite_url).unlink()
        assert await reason(ledger) == "The store is gone."
        assert not path_of(sqlite_url).exists()
        with pytest.raises(StoreError, match="is gone: stop the server"):
            await Ledger.open(sqlite_url, make=False)
        assert not path_of(sqlite_url).exists()


async def test_a_file_that_another_was_put_in_the_place_of_is_told(sqlite_url: str) -> None:
    async with opened(sqlite_url) as ledger:
        path_of(sqlite_url).rename(path_of(sqlite_url).with_name("before"))
        async with opened(sqlite_url) as other:
            await other.check_ready()
            assert await reason(ledger) == "The store is gone."


@contextmanager
def no_file_grows(beyond: int) -> Generator[None]:
    """As on a full disk: no file of this process may get longer than that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (beyond, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_file_that_cannot_grow_is_told_and_later_it_is_ready_again(sqlite_url: str) -> None:
    async with opened(sqlite_url) as ledger:
        await begin(ledger, "s", 3)
        log = path_of(sqlite_url).with_name(f"{path_of(sqlite_url).name}-wal")
        with no_file_grows(log.stat().st_size):
            assert await reason(ledger) == "The store cannot be written."
            with pytest.raises(StoreError, match="see that its disk has room"):
                await ledger.append("s", move(4), None)
        await ledger.check_ready()
        assert await ledger.append("s", move(4), None)


async def test_a_full_disk_is_told(tmp_path: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", tmp_path], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a file system of one's own may not be mounted here")
    try:
        async with opened(f"sqlite:///{tmp_path}/ledger.db") as ledger:
            await begin(ledger, "s", 3)
            with (tmp_path / "filler").open("wb", buffering=0) as filler, suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            with suppress(StoreError):
                for version in range(4, 1_000):  # What room the log has left is used up first.
                    await ledger.append("s", move(version), None)
            assert await reason(ledger) == "The store has no room left."
            (tmp_path / "filler").unlink()
            await ledger.check_ready()
    finally:
        subprocess.run(["umount", tmp_path], check=True)


READ_ONLY = """
import asyncio, os, sys
from livingtable_server.store.errors import NotReadyError
from livingtable_server.store.ledger import Ledger

async def main():
    await once()
    if os.getuid() == 0:
        os.setuid(65534)  # root may write everything; and all that another user may not import is imported by now
    ledger = await Ledger.open(f"sqlite:///{sys.argv[1]}")
    os.chmod(sys.argv[1], 0o444)
    try:
        await ledger.check_ready()
    except NotReadyError as error:
        print(error.reason)
    await ledger.close()
    ledger = await Ledger.open(f"sqlite:///{sys.argv[1]}")  # SQLite does not say it yet
    try:
        await ledger.check_ready()
    except NotReadyError as error:
        print(error.reason)

async def once():
    ledger = await Ledger.open(f"sqlite:///{sys.argv[1]}.first")
    await ledger.check_ready()
    await ledger.close()

asyncio.run(main())
"""


async def test_a_file_that_may_only_be_read_is_told() -> None:
    with TemporaryDirectory() as folder:  # pytest's are one user's alone
        Path(folder).chmod(0o777)
        done = subprocess.run([sys.executable, "-c", READ_ONLY, f"{folder}/ledger.db"], capture_output=True, text=True)
    assert done.stdout == "The store may only be read.\n" * 2, done.stderr


# PostgreSQL


async def test_a_server_that_is_away_is_told_and_later_it_is_ready_again(own_postgres_server: PostgresServer) -> None:
    async with opened(own_postgres_server.url) as ledger:
        await ledger.check_ready()
        own_postgres_server.control("stop")
        assert await reason(ledger) == "The store cannot be read."
        own_postgres_server.control("start")
        await ledger.check_ready()


async def test_a_database_that_may_only_be_read_is_told(postgres_url: str) -> None:
    async with opened(postgres_url):
        pass
    async with opened(f"{postgres_url}%20-cdefault_transaction_read_only%3Don") as ledger:
        assert await reason(ledger) == "The store cannot be written."


async def test_a_table_that_another_has_locked_is_told(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_AT_START", b"SET lock_timeout = '10ms'")
    async with opened(postgres_url) as ledger:
        with psycopg.connect(postgres_url) as other:
            other.execute("LOCK TABLE schema_version IN ACCESS EXCLUSIVE MODE")
            assert await reason(ledger) == "The store cannot be read."
        await ledger.check_ready()


async def test_a_server_that_takes_no_more_connections_is_told(own_postgres_server: PostgresServer) -> None:
    run_sql(
        own_postgres_server.url,
        "CREATE ROLE player LOGIN CONNECTION LIMIT 1",
        "GRANT CREATE ON SCHEMA public TO player",
    )
    url = own_postgres_server.url.replace("//postgres", "//player", 1)
    async with opened(url) as ledger:
        await ledger.check_ready()
        await ledger.database._drop_idle()  # pyright: ignore
        with psycopg.connect(url):
            assert await reason(ledger) == "The store cannot be read."
        await ledger.check_ready()
