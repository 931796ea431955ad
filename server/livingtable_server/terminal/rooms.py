"""`living-table rooms`: what whoever hosts a table sees of its rooms, and may do in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from rich.table import Table
from rich.text import Text

from livingtable_server.app import session_manager
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.hosting import Hosting
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.store import existing_store

T = TypeVar("T")


def list_rooms(settings: Settings, everything: bool) -> None:
    """The newest rooms: those that are open, or all."""
    rows = _asked(settings, lambda host: host.listing(open_only=not everything))
    if not rows:
        terminal().print("There is no room." if everything else "There is no open room.")
        return
    table = Table("code", "name", "made", "game", "players", box=None, pad_edge=False)
    for row in rows:
        players = ", ".join(f'{p["side"]} "{p["name"]}" {p["controller"]}' for p in row["players"])
        state = "closed" if row["closed"] else "begun" if row["started"] else "waits for players"
        table.add_row(
            *(Text(safe(cell)) for cell in (row["roomCode"], f'"{row["name"]}"', row["made"], state, players))
        )
    terminal().print(table)


def close_room(settings: Settings, code: str) -> None:
    """Nobody can come in or play on there; the game stays in the ledger."""
    closed = _asked(settings, lambda host: host.close(code))
    terminal().print(f"Room {closed} is closed. Its game is kept: living-table export {closed}", soft_wrap=True)


def remove_player(settings: Settings, code: str, side: str, bot: str) -> None:
    """Puts a bot in a player's place."""
    removed = _asked(settings, lambda host: host.remove(code, side, bot))
    out = f'"{removed}" is out of the room; {bot} plays {side} now.'
    again = "Who has the code can take a bot's seat: to keep somebody out, close the room."
    terminal().print(safe(f"{out} {again}"), soft_wrap=True)


def _asked(settings: Settings, ask: Callable[[Hosting], Awaitable[T]]) -> T:
    existing_store(settings)

    async def asked() -> T:
        table = session_manager(settings)
        try:
            return await ask(table.rooms.host)
        except TableError as error:
            raise UseError(str(error)) from None
        finally:
            await table.close()

    return anyio.run(asked)
