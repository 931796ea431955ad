"""`living-table rooms`."""

from __future__ import annotations

from typing import Annotated

import typer

from livingtable_server.commands.options import Store
from livingtable_server.terminal.options import settings_from

rooms_app = typer.Typer(name="rooms", help="Look after the rooms and the lobby of a server.")


@rooms_app.command("list")
def list_rooms(
    everything: Annotated[bool, typer.Option("--all", help="Those that are closed, too.")] = False,
    store: Store = None,
) -> None:
    """List the newest rooms, and who sits in them."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    rooms.list_rooms(settings, everything)


@rooms_app.command("close")
def close_room(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The room's code.")], store: Store = None
) -> None:
    """Close a room: nobody can come in any more."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    rooms.close_room(settings, code)


@rooms_app.command("remove")
def remove_player(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The room's code.")],
    side: Annotated[str, typer.Argument(metavar="SEAT", help="The player's seat.")],
    bot: Annotated[str, typer.Option(metavar="NAME", help="Who plays on.")] = "greedy",
    store: Store = None,
) -> None:
    """Remove a player from a room; a bot plays on."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    rooms.remove_player(settings, code, side, bot)


@rooms_app.command("lobby")
def lobby(
    clear: Annotated[bool, typer.Option("--clear", help="Drop all registrations.")] = False, store: Store = None
) -> None:
    """List who has registered in the lobby of botWebWars, or clear it."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    (rooms.clear_lobby if clear else rooms.list_lobby)(settings)
