"""`living-table store`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from livingtable_server.commands.options import Store
from livingtable_server.terminal.options import settings_from

store_app = typer.Typer(name="store", help="Look after the ledger: count, copy, remove.")


@store_app.command()
def info(store: Store = None) -> None:
    """Say where the ledger is, and how much is in it."""
    settings = settings_from(store)
    from livingtable_server.terminal.store import show_info

    show_info(settings)


@store_app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; a new file.")], store: Store = None
) -> None:
    """Copy the ledger's file, while games go on in it."""
    settings = settings_from(store)
    from livingtable_server.terminal.store import back_up

    back_up(settings, file)


@store_app.command("export")
def export_all(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Where the records go; a new file.")],
    store: Store = None,
) -> None:
    """Write the records of all games into a file, one a line."""
    settings = settings_from(store)
    from livingtable_server.terminal.store import export_records

    export_records(settings, file)


@store_app.command()
def prune(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Hours, days or weeks, such as 12h, 30d or 8w.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    also_running: Annotated[
        bool, typer.Option("--also-running", help="Also open rooms, and what was played within a day.")
    ] = False,
    store: Store = None,
) -> None:
    """Remove the games and rooms in which nothing has happened for long."""
    settings = settings_from(store)
    from livingtable_server.terminal import store as keeping

    keeping.prune(settings, older_than, dry_run=dry_run, unasked=yes, also_running=also_running)
