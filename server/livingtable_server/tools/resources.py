"""Resources: rules, scenarios, sessions, boards and records by address; each has a tool that does the same."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from livingtable.errors import UnknownNameError
from livingtable.game import Data, game_names
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.tools.texts import as_json

logger = logging.getLogger("livingtable")
T = TypeVar("T")


def add_resources(server: MCPServer[Any], table: SessionManager) -> None:
    """The templates of the contract, and each game's rules as an address of its own, so that hosts list them."""

    @server.resource("rules://{game}", name="rules", description="The rules of a game", mime_type="text/markdown")
    async def rules(game: str) -> str:
        return await _found(table, lambda: _now(table.read_rules(game)))

    for name in game_names():
        _add_rules_of(server, table, name)

    @server.resource(
        "scenario://{name}", name="scenario", description="A scenario, whole", mime_type="application/json"
    )
    async def scenario(name: str) -> str:
        return await _found(table, lambda: _now(json.dumps(_scenario(table, name), ensure_ascii=False, indent=1)))

    @server.resource(
        "session://{sessionId}", name="session", description="A session's snapshot", mime_type="application/json"
    )
    async def session(sessionId: str) -> str:  # noqa: N803 - the template's name for it
        return as_json(await _found(table, lambda: table.get_state(sessionId, None, None, "full")))

    @server.resource(
        "board://{sessionId}", name="board", description="A session's board as a picture", mime_type="image/svg+xml"
    )
    async def board(sessionId: str) -> str:  # noqa: N803
        return await _found(table, lambda: table.board_svg(sessionId))

    @server.resource(
        "record://{sessionId}", name="record", description="A session's whole record", mime_type="application/json"
    )
    async def record(sessionId: str) -> str:  # noqa: N803
        return as_json(await _found(table, lambda: table.record(sessionId)))

    _ = (rules, scenario, session, board, record)


def _add_rules_of(server: MCPServer[Any], table: SessionManager, game: str) -> None:
    @server.resource(
        f"rules://{game}", name=f"rules of {game}", description=f"The rules of {game}", mime_type="text/markdown"
    )
    async def rules_of() -> str:
        return await _found(table, lambda: _now(table.read_rules(game)))

    _ = rules_of


def _scenario(table: SessionManager, name: str) -> Data:
    try:
        return table.library().get(name).data
    except UnknownNameError as error:
        raise TableError(str(error)) from None


async def _now(value: T) -> T:
    return value


async def _found(table: SessionManager, ask: Callable[[], Awaitable[T]]) -> T:
    """What was asked for, or the reason why it is not there. Addresses hold session ids, so none gets into a log: no
    other exception leaves here for the SDK to log with the address."""
    try:
        return await ask()
    except TableError as error:
        raise ResourceNotFoundError(table.words(error)) from None
    except Exception:
        logger.exception("a resource could not be read")
        raise ResourceError("It could not be read by a fault of the server, not of yours; try again.") from None
