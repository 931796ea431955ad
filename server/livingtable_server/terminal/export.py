"""`living-table export`: the record of a session or of a room, out of the ledger into a file."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import anyio

from livingtable.game import Data
from livingtable_server.app import session_manager
from livingtable_server.sessions.codes import heard_code
from livingtable_server.sessions.errors import NotFoundError
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.record_files import check_target, record_text, write_record
from livingtable_server.terminal.store import existing_store

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
    terminal().print(f"{file}\nTo verify it: living-table verify {shlex.quote(str(file))}", soft_wrap=True)


async def _record(settings: Settings, game: str) -> Data:
    manager = session_manager(settings)
    try:
        return await (manager.rooms.record(game) if heard_code(game) else manager.record(game))
    except NotFoundError:
        raise UseError(
            f'There is no game "{safe(game[:60])}" in this store. Its id is what its address in the browser ends with, '
            "or what new_game gave; a room's is its code (living-table rooms list --all). All games at once: "
            "living-table store export."
        ) from None
    finally:
        await manager.close()
