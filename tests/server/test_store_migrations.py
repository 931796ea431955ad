"""A ledger of an older living-table is brought forward, whole and once; its games are still there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.server.stores import PostgresServer, opened, run_sql

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
def old_url(url: str) -> str:
    """A store of schema 1."""
    run_sql(url, *[statement for statement in SCHEMA_1.split(";\n") if statement])
    return url


def tables(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Of each table and index: its columns, and what refers to what."""
    if url.startswith("sqlite:"):
        names = [name for (name,) in run_sql(url, "SELECT name FROM sqlite_master ORDER BY name")]
        asked = ("table_info", "foreign_key_list", "index_list", "index_info")
        return {name: [row for ask in asked for row in run_sql(url, f"PRAGMA {ask}({name})")] for name in names}
    columns = "table_name, column_name, data_type, is_nullable, column_default"
    return {
        "columns": run_sql(
            url, f"SELECT {columns} FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, 2"
        ),
        "indexes": run_sql(
            url,
            "SELECT tablename, indexname, replace(indexdef, schemaname || '.', '') FROM pg_indexes "
            "WHERE schemaname = current_schema() ORDER BY 1, 2",
        ),
        "constraints": run_sql(
            url,
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE connamespace = to_regnamespace(current_schema()) ORDER BY 1",
        ),
    }


def version(url: str) -> list[tuple[int]]:
    return run_sql(url, "SELECT version FROM schema_version")


async def test_the_games_of_an_old_store_are_there_and_go_on(old_url: str) -> None:
    async with opened(old_url) as ledger:
        assert [await ledger.load("ended"), await ledger.load("running")] == [ENDED, RUNNING]
        assert [row.session_id for row in await ledger.sessions()] == ["running", "ended"]
        assert await ledger.append("running", Entry(2, "p2", PASS, []), {"reason": "united"})
        assert await ledger.create_room("FOX-1", "new", HEAD, {})
    assert version(old_url) == [(2,)]


async def test_an_old_file_gets_the_tables_of_a_new_one(tmp_path: Path) -> None:
    old, new = f"sqlite:///{tmp_path}/old.db", f"sqlite:///{tmp_path}/new.db"
    run_sql(old, *[statement for statement in SCHEMA_1.split(";\n") if statement])
    for url in (old, new):
        async with opened(url):
            pass
    assert tables(old) == tables(new)


async def test_an_old_database_gets_the_tables_of_a_new_one(postgres_server: PostgresServer) -> None:
    old, new = postgres_server.new_schema(), postgres_server.new_schema()
    run_sql(old, *[statement for statement in SCHEMA_1.split(";\n") if statement])
    for url in (old, new):
        async with opened(url):
            pass
    assert tables(old) == tables(new)
    assert len(tables(new)["columns"]) > 20


async def test_several_programs_may_open_an_old_store_at_once(old_url: str) -> None:
    ledgers = await asyncio.gather(*(Ledger.open(old_url) for _ in range(6)))
    for number, ledger in enumerate(ledgers):
        assert await ledger.load("running") == RUNNING
        assert await ledger.create_room(f"FOX-{number}", f"s{number}", HEAD, {})
    for ledger in ledgers:
        await ledger.close()


async def test_a_step_that_fails_half_way_leaves_the_old_store(old_url: str) -> None:
    run_sql(old_url, "CREATE TABLE presence (of_whom TEXT)")  # in the way of the last statement
    before = tables(old_url)
    with pytest.raises(StoreError, match="presence"):
        await Ledger.open(old_url)
    assert (tables(old_url), version(old_url)) == (before, [(1,)])
