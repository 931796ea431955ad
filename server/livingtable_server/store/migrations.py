"""The versions of the tables: what a database is at, and the steps that bring an older one forward.

A step is written down once and never changed: it says what was done to the databases of that time, whatever `tables`
says today. A test holds that an old database, brought forward, has the tables of a new one.
"""

from __future__ import annotations

from sqlalchemy import ClauseElement, text
from sqlalchemy.schema import CreateIndex, CreateTable

from livingtable_server.store import tables
from livingtable_server.store.database import Database, Run
from livingtable_server.store.errors import StoreError

FIRST_TABLES = {"schema_version", "sessions", "actions"}
"""Those of schema 1: a database that has others, but not these, is another program's."""

STEPS: dict[int, tuple[str, ...]] = {
    2: (
        """CREATE TABLE rooms (
            code TEXT NOT NULL PRIMARY KEY,
            session_id TEXT NOT NULL UNIQUE REFERENCES sessions (session_id),
            created TEXT NOT NULL,
            revision INTEGER NOT NULL,
            data TEXT NOT NULL,
            closed TEXT
        )""",
        "CREATE INDEX rooms_by_created ON rooms (created)",
        """CREATE TABLE presence (
            code TEXT NOT NULL REFERENCES rooms (code),
            side TEXT NOT NULL,
            seen TEXT NOT NULL,
            PRIMARY KEY (code, side)
        )""",
        """CREATE TABLE lobbies (
            name TEXT NOT NULL PRIMARY KEY,
            revision INTEGER NOT NULL,
            data TEXT NOT NULL
        )""",
    ),
}
"""By the version that they lead to, in SQL that every database here understands."""


async def bring_up_to_date(database: Database) -> None:
    """Makes the tables in an empty database and brings older ones forward, each step in a transaction of its own.

    Raises `StoreError` for a database that is a newer or another program's. Of several processes that do this at once
    one does it and the others find it done.
    """
    while await database.transaction(lambda run: _next_step(database, run), alone=True) < tables.SCHEMA:
        pass


async def _next_step(database: Database, run: Run) -> int:
    """The version that the database has afterwards."""
    present = {name for (name,) in await run(database.table_names, {})}
    if not present:
        for statement in _all_tables():
            await run(statement, {})
        await run(tables.SET_SCHEMA_VERSION, {"version": tables.SCHEMA})
        return tables.SCHEMA
    if not present >= FIRST_TABLES:
        raise StoreError(f'"{database.name}" is another program\'s database: name another one with --store.')
    ((version,),) = await run(tables.SCHEMA_VERSION, {})
    if version > tables.SCHEMA:
        raise StoreError(
            f'The ledger "{database.name}" was written by a newer living-table (schema {version}, this one knows '
            f"{tables.SCHEMA}): update living-table, or name another one with --store."
        )
    if version < tables.SCHEMA:
        version += 1
        for step in STEPS[version]:
            await run(text(step), {})
        await run(tables.RAISE_SCHEMA_VERSION, {"now": version})
    return version


def _all_tables() -> list[ClauseElement]:
    made: list[ClauseElement] = []
    for table in tables.metadata.sorted_tables:
        made.append(CreateTable(table))
        made += [CreateIndex(index) for index in sorted(table.indexes, key=lambda index: str(index.name))]
    return made
