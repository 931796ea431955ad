"""`living-table export`: the record of a session or of a room, out of the ledger into a file.

Who owns the store has the record whole, as `living-table store export` gives it, also where a room's players have not.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import anyio

from livingtable.game import Data
from livingtable_server.sessions.codes import heard_code
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import one_line, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.record_files import check_target, record_text, write_record
from livingtable_server.terminal.store import existing_store, opened, whole_record

STDOUT = Path("-")


def export(settings: Settings, game: str, out: Path | None) -> None:
    """`game` is a session's id or a room's code."""
    check_target(out)
    existing_store(settings)
    record = anyio.run(_record, settings, game)
    if out == STDOUT:
        sys.stdout.write(record_text(record))
        return
    file = write_record(record, out)
    terminal().print(one_line(f"{file}"), soft_wrap=True)
    terminal().print(one_line(f"To verify it: living-table verify {shlex.quote(str(file))}"), soft_wrap=True)


async def _record(settings: Settings, game: str) -> Data:
    async with opened(settings) as ledger:
        code = heard_code(game)
        room = await ledger.room(code) if code else None
        session = await ledger.load(room.session_id if room else game)
        if session is None:
            raise UseError(
                f'There is no game "{one_line(game[:60])}" in this store. Its id is what its address in the browser '
                "ends with, or what new_game gave; a room's is its code (living-table rooms list --all). All games at "
                "once: living-table store export."
            )
        return await whole_record(ledger, session)
