"""A copy of a ledger's file, as it stands at one moment, while games go on in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from livingtable_server.store.errors import StoreError
from livingtable_server.store.sqlite import BUSY_SECONDS

PAGES_A_STEP = 1024
"""4 MB."""


def back_up(source: Path, target: Path, progress: Callable[[int, int], None]) -> None:
    """Copies the database `source` into `target`, a file that is empty or not there.

    `progress` is called with the number of pages that are copied and of all. Raises `StoreError` where it cannot be
    done; then, or interrupted, it leaves a part in `target`.
    """
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS)) as ledger,
            closing(sqlite3.connect(target)) as copy,
        ):
            # What is written meanwhile is not seen any more; else each such write would begin the copy anew.
            ledger.execute("BEGIN")
            ledger.execute("SELECT count(*) FROM sessions").fetchone()
            ledger.backup(copy, pages=PAGES_A_STEP, progress=lambda _, left, pages: progress(pages - left, pages))
    except sqlite3.Error as error:
        raise StoreError(
            f'The ledger "{source}" cannot be copied ({error}): see that it is a ledger and that the disk has room.'
        ) from None
