"""`living-table export`: the record of a session, out of the ledger into a file."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import anyio

from livingtable.game import Data
from livingtable_server.app import session_manager
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import terminal
from livingtable_server.terminal.record_files import check_target, record_text, write_record

STDOUT = Path("-")


def export(settings: Settings, session_id: str, out: Path | None) -> None:
    check_target(out)
    record = anyio.run(_record, settings, session_id)
    if out == STDOUT:
        sys.stdout.write(record_text(record))
        return
    file = write_record(record, out)
    terminal().print(f"{file}\nTo verify it: living-table verify {shlex.quote(str(file))}", soft_wrap=True)


async def _record(settings: Settings, session_id: str) -> Data:
    manager = session_manager(settings)
    try:
        return await manager.record(session_id)
    finally:
        await manager.close()
