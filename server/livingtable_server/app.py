"""The one place that wires: from settings to a session manager and its server."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Literal

from mcp.server import MCPServer

from livingtable.game import Data
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.store.ledger import Ledger
from livingtable_server.tools.over_http import mcp_routes
from livingtable_server.tools.server import build_server

if TYPE_CHECKING:  # Serving over stdio must not wait for what only HTTP needs.
    from starlette.requests import HTTPConnection

    from livingtable_server.web.application import Web
    from livingtable_server.web.settings import WebSettings


_log = logging.getLogger(__name__)


def session_manager(settings: Settings, public: bool = False) -> SessionManager:
    """Scenarios are read, and the ledger is opened, when they are first needed. `public`: others than the owner ask,
    who are not told where a scenario file is that cannot be used: the log says it."""

    @cache
    def library() -> ScenarioLibrary:
        found = ScenarioLibrary(settings.scenarios)
        for problem in found.problems if public else ():
            place = ": ".join(filter(None, (problem.file, problem.key)))
            _log.warning("a scenario file is left out: %s: %s", place, problem.reason)
        return found

    live = LiveSessions(lambda changed: Ledger.open(settings.store, changed, make=not settings.store_is_there))
    return SessionManager(library, live, settings.health, public=public)


def web(settings: Settings, web_settings: WebSettings) -> Web:
    """Everything that is served over HTTP, MCP with it."""
    from livingtable_server.web.admission import Admission
    from livingtable_server.web.application import build_web
    from livingtable_server.web.figures import Figures

    table = session_manager(settings, public=True)
    table.rooms.join_base = web_settings.join_url
    figures = Figures()
    admission = Admission(web_settings.limits, web_settings.token, figures, web_settings.clock)
    doors: dict[str, Callable[[HTTPConnection], AbstractContextManager[None]]] = {
        "new_game": admission.beginning,
        "create_room": admission.beginning,
        "wait_for_turn": admission.waiting,
        "verify_record": admission.computing,
    }

    @contextmanager
    def admit(tool: str, given: Data, request: HTTPConnection) -> Generator[None]:
        if tool == "verify_record" and "record" in given:
            admission.check_record_sender(request)
        with admission.knocking(request.scope), doors[tool](request) if tool in doors else nullcontext():
            yield

    mcp = build_server(table, over_http=True, admit=admit)
    routes = mcp_routes(mcp)

    @asynccontextmanager
    async def running(_app: object) -> AsyncGenerator[None]:
        # The first closes the table at its end.
        async with mcp.session_manager.run(), table.rooms.upkeep.resuming():
            yield

    return build_web(table, web_settings, admission, figures, routes, running)


def mcp_server(settings: Settings, tools: Literal["core", "all"] = "all") -> MCPServer[None]:
    return build_server(session_manager(settings), tools)
