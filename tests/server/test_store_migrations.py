"""A ledger of an older living-table is brought forward, whole and once; its games are still there."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from livingtable.game import Data
from livingtable_server.store.ledger import Entry, Ledger, StoredSession, StoreError

pytestmark = pytest.mark.anyio

SCHEMA_1 = """
CREATE TABLE schema_version (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE sessions (
    session_id TEXT NOT NULL,
    game TEXT NOT NULL,
    scenario TEXT NOT NULL,
    created TEXT NOT NULL,
    head TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (session_id)
);
CREATE INDEX sessions_by_created ON sessions (created);
CREATE TABLE actions (
    session_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    side TEXT NOT NULL,
    action TEXT NOT NULL,
    events TEXT NOT NULL,
    created TEXT NOT NULL,
    PRIMARY KEY (session_id, version),
    FOREIGN KEY(session_id) REFERENCES sessions (session_id)
);
INSERT INTO schema_version VALUES (1);
INSERT INTO sessions VALUES
    ('ended', 'botwars', 'duel', '2026-01-31T12:00:00.000000+00:00',
        '{"game":"botwars","scenario":{"name":"duel"}}', '{"reason":"united"}'),
    ('running', 'botwars', 'duel', '2026-01-31T12:00:01.000000+00:00',
        '{"game":"botwars","scenario":{"name":"duel"}}', NULL);
INSERT INTO actions VALUES
    ('ended', 1, 'p1', '{"type":"pass"}', '[{"type":"passed"}]', '2026-01-31T12:00:02.000000+00:00'),
    ('ended', 2, 'p2', '{"type":"pass"}', '[]', '2026-01-31T12:00:03.000000+00:00'),
    ('running', 1, 'p1', '{"type":"pass"}', '[]', '2026-01-31T12:00:04.000000+00:00');
"""
"""As the first living-table made it, with a finished game and a running one."""
HEAD: Data = {"game": "botwars", "scenario": {"name": "duel"}}
PASS: Data = {"type": "pass"}
ENDED = StoredSession(
    "ended", HEAD, {"reason": "united"}, [Entry(1, "p1", PASS, [{"type": "passed"}]), Entry(2, "p2", PASS, [])]
)
RUNNING = StoredSession("running", HEAD, None, [Entry(1, "p1", PASS, [])])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(SCHEMA_1)
    return file


def tables(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Of each table and index: its columns, and what refers to what."""
    with closing(sqlite3.connect(file)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master ORDER BY name")]
        asked = ("table_info", "foreign_key_list", "index_list", "index_info")
        return {name: [row for ask in asked for row in database.execute(f"PRAGMA {ask}({name})")] for name in names}


def version(file: Path) -> list[tuple[int]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute("SELECT version FROM schema_version").fetchall()


async def test_the_games_of_an_old_file_are_there_and_go_on(file: Path) -> None:
    ledger = await Ledger.open(f"sqlite:///{file}")
    assert [await ledger.load("ended"), await ledger.load("running")] == [ENDED, RUNNING]
    assert [row.session_id for row in await ledger.sessions()] == ["running", "ended"]
    assert await ledger.append("running", Entry(2, "p2", PASS, []), {"reason": "united"})
    assert await ledger.create_room("FOX-1", "new", HEAD, {})
    await ledger.close()
    assert version(file) == [(2,)]


async def test_an_old_file_gets_the_tables_of_a_new_one(file: Path, tmp_path: Path) -> None:
    for path in (file, tmp_path / "new.sqlite3"):
        await (await Ledger.open(f"sqlite:///{path}")).close()
    assert tables(file) == tables(tmp_path / "new.sqlite3")


async def test_several_programs_may_open_an_old_file_at_once(file: Path) -> None:
    ledgers = await asyncio.gather(*(Ledger.open(f"sqlite:///{file}") for _ in range(6)))
    for number, ledger in enumerate(ledgers):
        assert await ledger.load("running") == RUNNING
        assert await ledger.create_room(f"FOX-{number}", f"s{number}", HEAD, {})
    for ledger in ledgers:
        await ledger.close()


async def test_a_step_that_fails_half_way_leaves_the_old_file(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE presence (of TEXT)")  # in the way of the second statement
    before = tables(file)
    with pytest.raises(StoreError, match="presence"):
        await Ledger.open(f"sqlite:///{file}")
    assert (tables(file), version(file)) == (before, [(1,)])
