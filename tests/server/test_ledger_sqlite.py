"""What is SQLite's own in the ledger: its file, whose it is and where it may be; and memory."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from anyio import CancelScope
from tests.server.stores import begin, opened, path_of, refuses

from livingtable_server.store.ledger import Ledger

pytestmark = pytest.mark.anyio


async def test_memory_stores_are_apart_and_gone_when_closed() -> None:
    async with opened("sqlite://") as one, opened("sqlite://") as other:
        await begin(one, "s", 1)
        assert await one.latest_version("s") == 1
        assert await other.latest_version("s") is None
    async with opened("sqlite://") as later:
        assert await later.latest_version("s") is None


async def test_a_file_is_put_away_even_in_a_cancelled_scope(sqlite_url: str) -> None:
    with CancelScope() as scope:
        ledger = await Ledger.open(sqlite_url)
        await begin(ledger, "s", 1)
        scope.cancel()
        await ledger.close()
    # The write-ahead log is put away.
    assert [file.name for file in path_of(sqlite_url).parent.iterdir()] == ["ledger.db"]


async def test_a_path_is_taken_as_it_is_written(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/a b/50%20?mode=ro#é.db") as ledger:
        await begin(ledger, "s", 1)
    assert [file.name for file in (tmp_path / "a b").iterdir()] == ["50%20?mode=ro#é.db"]


async def test_the_file_is_its_owners_alone(sqlite_url: str) -> None:
    async with opened(sqlite_url) as ledger:
        await begin(ledger, "s", 1)
        files = sorted(path_of(sqlite_url).parent.iterdir())
        assert {file.name for file in files} >= {"ledger.db", "ledger.db-wal"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear table, " * 100)
    await refuses(f"sqlite:///{letter}", r'^The ledger ".*letter\.txt" cannot be opened \(file is not a database\): ')
    assert letter.read_text() == "Dear table, " * 100


@pytest.mark.parametrize("place", ["file/ledger.db", "file/below/ledger.db", "folder"])
async def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a regular file")
    (tmp_path / "folder").mkdir()
    await refuses(
        f"sqlite:///{tmp_path}/{place}", r"cannot be opened \((Not a directory|unable to open database file)\)"
    )
