"""The address of a store, as `--store` takes it: where it is, and how it is shown without its password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from livingtable_server.store.errors import StoreError

IN_MEMORY = "sqlite://"


@dataclass(frozen=True, slots=True)
class SqliteAddress:
    """A file of SQLite; memory where `path` is None."""

    path: Path | None

    def __str__(self) -> str:
        return IN_MEMORY if self.path is None else f"sqlite:///{self.path}"


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A database of PostgreSQL. `url` is libpq's own form, and may hold a password; as text it is without."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        """Of the parameters behind `?` the host alone is kept: a password may stand there too."""
        _, _, rest = self.url.partition("://")
        place, _, parameters = rest.partition("?")
        who, at, where = place.rpartition("@")
        host = parse_qs(parameters).get("host", [])[:1]
        return f"postgresql://{who.partition(':')[0]}{at}{where}" + ("?" + urlencode({"host": host[0]}) if host else "")


def address_of(url: str) -> SqliteAddress | PostgresAddress:
    """Raises `StoreError` for what is none. Its text does not repeat the URL, which may hold a password."""
    if url in (IN_MEMORY, "sqlite:///:memory:"):
        return SqliteAddress(None)
    if found := re.fullmatch(r"sqlite:///(.+)", url, re.DOTALL):
        return SqliteAddress(Path(found[1]))
    if re.fullmatch(r"postgres(ql)?://\S*", url):
        return PostgresAddress(url)
    raise StoreError(
        f'This store is not known: write "sqlite:///PATH" for a file, "{IN_MEMORY}" for memory, or '
        '"postgresql://USER@HOST/DATABASE".'
    )
