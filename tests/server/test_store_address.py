"""The address of a store is told apart in one place, and is never shown with its password."""

from __future__ import annotations

from pathlib import Path

import pytest

from livingtable_server.settings import Settings
from livingtable_server.store.address import PostgresAddress, SqliteAddress, address_of
from livingtable_server.store.errors import StoreError
from livingtable_server.terminal.options import how_to_resume


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_memory_has_no_path(url: str) -> None:
    assert address_of(url) == SqliteAddress(None)
    assert str(address_of(url)) == "sqlite://"


@pytest.mark.parametrize("path", ["games.db", "/srv/games.db", "a b/50%20?mode=ro#é.db", "two\nlines"])
def test_a_path_is_taken_as_it_is_written(path: str) -> None:
    assert address_of(f"sqlite:///{path}") == SqliteAddress(Path(path))
    assert str(address_of(f"sqlite:///{path}")) == f"sqlite:///{path}"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://host/table", "postgresql://host/table"),
        ("postgres://me@host:5433/table", "postgresql://me@host:5433/table"),
        ("postgresql://me:hunter2@host/table", "postgresql://me@host/table"),
        ("postgresql://me:hun@ter2:hunter2@host/table", "postgresql://me@host/table"),
        ("postgresql://me:hunter2@one:1,two:2/table", "postgresql://me@one:1,two:2/table"),
        ("postgresql://host/table?user=me&password=hunter2", "postgresql://host/table"),
        ("postgresql:///table?host=/run/pg&password=hunter2", "postgresql:///table?host=%2Frun%2Fpg"),
        ("postgresql://", "postgresql://"),
    ],
)
def test_an_address_of_postgresql_is_shown_without_its_password(url: str, shown: str) -> None:
    address = address_of(url)
    assert address == PostgresAddress(url)
    assert str(address) == shown
    assert "hunter2" not in f"{address} {address!r}"


@pytest.mark.parametrize(
    "url", ["", "games.db", "sqlite:", "sqlite:///", "sqlite://host/x", "mysql://me:hunter2@host/x", "postgresql:x"]
)
def test_what_is_no_address_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(StoreError, match=r'^This store is not known: write "sqlite:///PATH"') as refused:
        address_of(url)
    assert "hunter2" not in str(refused.value)


def test_the_command_that_goes_on_with_a_game_is_told_without_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIVING_TABLE_STORE", raising=False)
    said = how_to_resume(Settings("postgresql://me:hunter2@host/table"), "SESSION")
    assert said.endswith("living-table play --resume SESSION --store postgresql://me@host/table")
    monkeypatch.setenv("LIVING_TABLE_STORE", "postgresql://me:hunter2@host/table")
    said = how_to_resume(Settings("postgresql://me:hunter2@host/table"), "SESSION")
    assert said.endswith("living-table play --resume SESSION")
