"""`living-table rooms`: what whoever hosts a table sees of its rooms and its lobby, and may do in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from rich.table import Table
from rich.text import Text

from livingtable_server.app import session_manager
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.hosting import Hosting
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.store import existing_store
from livingtable_server.web.lobby import Lobby

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


def list_lobby(settings: Settings) -> None:
    """Who has registered for the next game of botWebWars."""
    lobby = _at_table(settings, lambda table: Lobby(table).listing())
    if lobby["room"] is not None:
        terminal().print(f"A game is being played, in room {lobby['room']}, by {len(lobby['players'])} players.")
        return
    if not lobby["players"]:
        terminal().print("Nobody has registered.")
        return
    rows = Table("id", "name", "kind", "token last used", box=None, pad_edge=False)
    for player in lobby["players"]:
        cells = (player["id"], f'"{player["name"]}"', player["characterType"], player["seen"][:19] + "Z")
        rows.add_row(*(Text(safe(cell)) for cell in cells))
    terminal().print(rows)


def clear_lobby(settings: Settings) -> None:
    """Nobody is registered any more; tokens that were given count no longer."""
    dropped = _at_table(settings, lambda table: Lobby(table).clear())
    terminal().print(
        f"The lobby is empty: {dropped} {'registration was' if dropped == 1 else 'registrations were'} dropped."
    )


def _asked(settings: Settings, ask: Callable[[Hosting], Awaitable[T]]) -> T:
    return _at_table(settings, lambda table: ask(table.rooms.host))


def _at_table(settings: Settings, ask: Callable[[SessionManager], Awaitable[T]]) -> T:
    existing_store(settings)

    async def asked() -> T:
        table = session_manager(settings)
        try:
            return await ask(table)
        except TableError as error:
            raise UseError(str(error)) from None
        finally:
            await table.close()

    return anyio.run(asked)
