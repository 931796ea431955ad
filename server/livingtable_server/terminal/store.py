"""`living-table store`: how much is in the store, copies of it, and the removal of old games."""

from __future__ import annotations

import re
import sys
from asyncio import CancelledError
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.prompt import Confirm

from livingtable.game import Data
from livingtable_server.sessions.room import Room
from livingtable_server.settings import Settings
from livingtable_server.store.address import PostgresAddress, SqliteAddress, address_of
from livingtable_server.store.ledger import Ledger, StoredSession
from livingtable_server.store.upkeep import Idle, Upkeep
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import UseError, complain
from livingtable_server.terminal.held import partial_file
from livingtable_server.terminal.record_files import record_text

_AGE = re.compile(r"(\d{1,5})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def show_info(settings: Settings) -> None:
    """The address without its password, the schema, and how much there is."""
    address = existing_store(settings)

    async def counted() -> None:
        async with opened(settings) as ledger:
            counts = await Upkeep(ledger.database).counts()
        rows = {
            "store": str(address),
            "schema": str(counts.schema),
            "sessions": f"{counts.sessions} ({counts.running} without a result)",
            "rooms": f"{counts.rooms} ({counts.open_rooms} open)",
            "actions": str(counts.actions),
            "size": f"{counts.bytes / 1_000_000:.1f} MB",
        }
        for name, value in rows.items():
            terminal().print(safe(f"{name:8}  {value}"), soft_wrap=True)

    anyio.run(counted)


def back_up(settings: Settings, target: Path) -> None:
    """A copy of SQLite's file as it stands now, while games may go on; it can be named with --store at once."""
    address = existing_store(settings)
    if isinstance(address, PostgresAddress):
        raise UseError(
            f"PostgreSQL makes its copies itself: pg_dump --file FILE {address}; for the records of all games there is "
            "living-table store export."
        )
    assert address.path is not None
    from livingtable_server.store.backup import back_up as copy

    with _whole_or_not(target) as partial, _progress("pages") as step:
        copy(address.path, partial, step)
    terminal().print(safe(f"{target.absolute()}"), soft_wrap=True)


def export_records(settings: Settings, target: Path) -> None:
    """The records of all sessions, those of rooms too, one a line, the oldest first. For the store's keeper: nothing
    is left out, neither the seeds of rooms nor what was chosen in a round that is still open."""
    existing_store(settings)

    async def written() -> int:
        async with opened(settings) as ledger:
            session_ids = await Upkeep(ledger.database).session_ids()
            with (
                _whole_or_not(target) as partial,
                _progress("records") as step,
                partial.open("w", newline="\n") as file,
            ):
                step(0, len(session_ids))
                for number, session_id in enumerate(session_ids, start=1):
                    if session := await ledger.load(session_id):  # else it was removed meanwhile
                        file.write(record_text(await whole_record(ledger, session)))
                    step(number, len(session_ids))
            return len(session_ids)

    records = anyio.run(written)
    counted = f"{records} {'record' if records == 1 else 'records'}"
    terminal().print(safe(f"{target.absolute()}: {counted}"), soft_wrap=True)


def prune(settings: Settings, age: str, *, dry_run: bool, unasked: bool, also_running: bool) -> None:
    """Removes the games in which nothing has happened for that long, with their rooms; says how many, and asks. Those
    that somebody is connected to or may have to act in stay, unless `also_running`."""
    since = datetime.now(UTC) - _duration(age)
    existing_store(settings)
    console = terminal()

    async def pruned() -> None:
        async with opened(settings) as ledger:
            upkeep = Upkeep(ledger.database)
            idle = await upkeep.idle(since, also_running)
            running = len(await upkeep.idle(since, also_running=True)) - len(idle)
            found = f"{_counted(idle)} without an action since {since:%Y-%m-%d %H:%M} UTC"
            if running > 0:
                found += f", and {running} that may be going on, which stay: --also-running takes them too"
            if dry_run or not idle:
                console.print(f"{found}.{' Nothing was removed.' if idle else ''}")
                return
            if not unasked and not _agreed(f"{found}. Remove them for good?"):
                console.print("Nothing was removed.")
                return
            removed: list[Idle] = []
            with _progress("games") as step:
                for number, session in enumerate(idle, start=1):
                    if await upkeep.remove(session.session_id, since, also_running):
                        removed.append(session)
                    step(number, len(idle))
            console.print(f"{_counted(removed)} removed.")

    anyio.run(pruned)


def _counted(idle: list[Idle]) -> str:
    rooms = sum(session.room is not None for session in idle)
    return f"{len(idle)} {'game' if len(idle) == 1 else 'games'}{f' ({rooms} in rooms)' if rooms else ''}"


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UseError("There is nobody to ask: give --yes to remove the games, or --dry-run to see how many.")
    return Confirm.ask(question, console=terminal(), default=False)


def _duration(age: str) -> timedelta:
    found = _AGE.fullmatch(age)
    if not found:
        raise UseError(
            f'--older-than must be a number of hours, days or weeks, such as 12h, 30d or 8w, not "{age[:40]}".'
        )
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def existing_store(settings: Settings) -> SqliteAddress | PostgresAddress:
    """The store's address. Raises `UseError` where there is none yet: to look at a store must not make one."""
    address = address_of(settings.store)
    if isinstance(address, SqliteAddress):
        if address.path is None:
            raise UseError("A store in memory is empty: name one that is kept with --store.")
        if not address.path.exists():
            raise UseError(
                f'There is no store "{address.path}" yet: a first game makes it, or name another with --store.'
            )
    return address


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Ledger]:
    ledger = await Ledger.open(settings.store)
    try:
        yield ledger
    finally:
        await ledger.close()


async def whole_record(ledger: Ledger, session: StoredSession) -> Data:
    """The record of a game as its store has it, for who owns the store: nothing is left out, in whatever state its room
    is. Who sits at the table of a room, the room knows."""
    code = await ledger.room_of(session.session_id)
    room = await ledger.room(code) if code else None
    seats = {"seats": [seat.seat.to_data() for seat in Room.stored(room).seats]} if room else {}
    return {
        **{key: value for key, value in session.head.items() if key != "room"},
        **seats,
        "actions": [{"version": e.version, "side": e.side, "action": e.action} for e in session.entries],
        "events": [event for entry in session.entries for event in entry.events],
        "result": session.result,
    }


@contextmanager
def _whole_or_not(target: Path) -> Generator[Path]:
    """A file beside the target, its owner's alone, that becomes it at the end. Raises `UseError` where it cannot."""
    if str(target) == "-":
        raise UseError("This goes into a file and not to stdout: name one.")
    if target.exists():
        raise UseError(f'There is a file "{target}" already: name another.')
    try:
        with partial_file(target, 0o600) as partial:
            try:
                yield partial
                partial.replace(target)
            except (KeyboardInterrupt, CancelledError):
                complain(f'broken off: "{target}" was not written')
                raise
    except OSError as error:
        raise UseError(f'"{target}" cannot be written ({error.strerror or error}): name another file.') from None


@contextmanager
def _progress(what: str) -> Generator[Callable[[int, int], None]]:
    """Takes how many are done and how many there are; on stderr, and at a terminal alone."""
    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(what, markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True, markup=False, emoji=False),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task("")
        yield lambda done, of: progress.update(task, completed=done, total=of)
