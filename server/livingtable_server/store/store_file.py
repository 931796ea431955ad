"""The file of an open SQLite ledger, looked at from outside: whether it is still there, and takes what is written.

A connection does not notice that its file was taken away or replaced: it goes on with what it has open, and with what
it keeps in memory.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from livingtable_server.store.errors import NotReadyError

LOCK_SECONDS = 1.0
"""How long the attempt to write waits for another's write."""
_SAME = "UPDATE schema_version SET version = version"
_REASONS = {
    "BUSY": "The store is locked by another program.",
    "LOCKED": "The store is locked by another program.",
    "FULL": "The store has no room left.",
    "READONLY": "The store may only be read.",
    "PERM": "The store may not be written.",
    "CANTOPEN": "The store cannot be opened.",
    "NOTADB": "The store is damaged.",
    "CORRUPT": "The store is damaged.",
}
"""By SQLite's name of the error, without what is behind it."""


@dataclass(frozen=True, slots=True)
class StoreFile:
    """`device` and `number` (its inode) are those of the file that the ledger has open."""

    path: Path
    device: int
    number: int

    @classmethod
    def at(cls, path: Path) -> StoreFile:
        found = path.stat()
        return cls(path.absolute(), found.st_dev, found.st_ino)

    def try_writing(self) -> None:
        """Writes something that changes nothing. Raises `NotReadyError` where that cannot be done."""
        self._check_that_it_is_the_same()
        try:
            self._check_that_it_is_a_database()
            with closing(self._connected("mode=rw")) as connection:
                connection.execute(_SAME)
        except sqlite3.Error as error:
            reason = _REASONS.get(_name_of(error), "The store cannot be written.")
            raise NotReadyError(
                reason,
                f'The ledger "{self.path}" cannot be written ({error}): see that its disk has room, that this user may '
                "write it, and that no other program holds it.",
            ) from None

    def _check_that_it_is_the_same(self) -> None:
        try:
            found = self.path.stat()
        except OSError as error:
            raise NotReadyError(
                "The store is gone.",
                f'The ledger "{self.path}" cannot be found ({error.strerror}), and what is written is lost: stop the '
                "server, and put the file back.",
            ) from None
        if (found.st_dev, found.st_ino) != (self.device, self.number):
            raise NotReadyError(
                "The store is gone.",
                f'The ledger "{self.path}" is another file than the one that was opened: restart the server to go on '
                "with it.",
            )
        if not found.st_size:
            raise NotReadyError(
                "The store is damaged.", f'The ledger "{self.path}" is an empty file: stop the server, and put it back.'
            )

    def _check_that_it_is_a_database(self) -> None:
        """What is in the write-ahead log hides what was done to the file itself; read as one that never changes, the
        file is looked at alone. It must not be opened in another way: closing it would drop SQLite's locks on it."""
        with closing(self._connected("immutable=1")) as connection:
            try:
                connection.execute("PRAGMA schema_version").fetchall()
            except sqlite3.Error as error:
                if _name_of(error) == "NOTADB":  # Others may be of a moment in which pages are being written to it.
                    raise

    def _connected(self, how: str) -> sqlite3.Connection:
        uri = f"{self.path.as_uri()}?{how}"
        return sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS, isolation_level=None)


def _name_of(error: sqlite3.Error) -> str:
    return (getattr(error, "sqlite_errorname", None) or "").removeprefix("SQLITE_").partition("_")[0]
