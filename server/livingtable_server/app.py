"""The one place that wires: from settings to a session manager and its server."""

from __future__ import annotations

from functools import cache
from typing import Literal

from mcp.server import MCPServer

from livingtable.scenarios import ScenarioLibrary
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.store.ledger import Ledger
from livingtable_server.tools.server import build_server


def session_manager(settings: Settings) -> SessionManager:
    """Scenarios are read, and the ledger is opened, when they are first needed."""
    library = cache(lambda: ScenarioLibrary(settings.scenarios))
    return SessionManager(library, lambda: Ledger.open(settings.store), settings.health)


def mcp_server(settings: Settings, tools: Literal["core", "all"] = "all") -> MCPServer[None]:
    return build_server(session_manager(settings), tools)
