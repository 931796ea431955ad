"""The address of a store, as `--store` takes it: where it is, and how it is shown without its password."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from livingtable_server.store.errors import StoreError

IN_MEMORY = "sqlite://"


@dataclass(frozen=True, slots=True)
class SqliteAddress:
    """A file of SQLite; memory where `path` is None."""

    path: Path | None

    def __str__(self) -> str:
        return IN_MEMORY if self.path is None else f"sqlite:///{self.path}"


def address_of(url: str) -> SqliteAddress:
    """Raises `StoreError` for what is none. Its text does not repeat the URL, which may hold a password."""
    if url in (IN_MEMORY, "sqlite:///:memory:"):
        return SqliteAddress(None)
    if found := re.fullmatch(r"sqlite:///(.+)", url, re.DOTALL):
        return SqliteAddress(Path(found[1]))
    raise StoreError(f'This store is not known: write "sqlite:///PATH" for a file or "{IN_MEMORY}" for memory.')
