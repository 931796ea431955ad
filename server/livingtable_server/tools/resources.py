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
from livingtable_server.tools.sizes import ANSWER_AT_MOST, fitted, shortened
from livingtable_server.tools.texts import as_json

logger = logging.getLogger("livingtable")
T = TypeVar("T")

_SECTION = "; read_rules gives a section"
_NO_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 48" role="img">'
    '<text x="8" y="30" font-family="sans-serif" font-size="14">'
    "The picture is too large to be sent. get_state with detail brief has the board as text.</text></svg>\n"
)


def add_resources(server: MCPServer[Any], table: SessionManager) -> None:
    """The templates of the contract, and each game's rules as an address of its own, so that hosts list them."""

    @server.resource("rules://{game}", name="rules", description="The rules of a game", mime_type="text/markdown")
    async def rules(game: str) -> str:
        return shortened(await _found(table, lambda: _now(table.read_rules(game))), how=_SECTION)

    for name in game_names():
        _add_rules_of(server, table, name)

    @server.resource(
        "scenario://{name}", name="scenario", description="A scenario, whole", mime_type="application/json"
    )
    async def scenario(name: str) -> str:
        whole = await _found(table, lambda: _now(_scenario(table, name)))
        text = json.dumps(whole, ensure_ascii=False, indent=1)
        how = f'new_game with scenario "{whole["name"]}", then get_record: its pages have the scenario whole'
        return text if len(text) <= ANSWER_AT_MOST else _whole_or_cut(as_json(whole), "scenario", how)

    @server.resource(
        "session://{sessionId}", name="session", description="A session's snapshot", mime_type="application/json"
    )
    async def session(sessionId: str) -> str:  # noqa: N803 - the template's name for it
        snapshot = await _found(table, lambda: table.get_state(sessionId, None, None, "full"))
        return fitted(snapshot, as_json, {"sessionId": sessionId})[1]

    @server.resource(
        "board://{sessionId}", name="board", description="A session's board as a picture", mime_type="image/svg+xml"
    )
    async def board(sessionId: str) -> str:  # noqa: N803
        picture = await _found(table, lambda: table.board_svg(sessionId))
        return picture if len(picture) <= ANSWER_AT_MOST else _NO_PICTURE

    @server.resource(
        "record://{sessionId}", name="record", description="A session's whole record", mime_type="application/json"
    )
    async def record(sessionId: str) -> str:  # noqa: N803
        whole = as_json(await _found(table, lambda: table.record(sessionId)))
        return _whole_or_cut(whole, "record", "get_record gives it in pages: nextCursor of a page has the next")

    _ = (rules, scenario, session, board, record)


def _add_rules_of(server: MCPServer[Any], table: SessionManager, game: str) -> None:
    @server.resource(
        f"rules://{game}", name=f"rules of {game}", description=f"The rules of {game}", mime_type="text/markdown"
    )
    async def rules_of() -> str:
        return shortened(await _found(table, lambda: _now(table.read_rules(game))), how=_SECTION)

    _ = rules_of


def _whole_or_cut(text: str, what: str, how: str) -> str:
    """A JSON text, or in place of one that is too long a JSON text that says how it is had."""
    if len(text) <= ANSWER_AT_MOST:
        return text
    return as_json({"cut": [f"{what}: it has {len(text)} characters; {how}"]})


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
        raise ResourceNotFoundError(shortened(table.words(error)).replace("\n", " ")) from None
    except Exception:
        logger.exception("a resource could not be read")
        raise ResourceError("It could not be read by a fault of the server, not of yours; try again.") from None
