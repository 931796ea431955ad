"""The whole of HTTP as one ASGI application: the routes, and around them what every request passes, outermost first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, cast

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from livingtable.game import Data
from livingtable.version import __version__
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.web import shapes
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.bodies import Bodies
from livingtable_server.web.closing import Closing
from livingtable_server.web.crowding import Crowding
from livingtable_server.web.descriptions import ANY_ROUTE, add_description, described, problems
from livingtable_server.web.events import event_routes
from livingtable_server.web.figures import Figures
from livingtable_server.web.games import game_routes
from livingtable_server.web.head import HeadAsGet
from livingtable_server.web.headers import SafeHeaders
from livingtable_server.web.hosts import HostCheck
from livingtable_server.web.listings import listing_routes
from livingtable_server.web.lobby import lobby_routes
from livingtable_server.web.logs import log_request
from livingtable_server.web.pages import last_route, page_routes
from livingtable_server.web.problems import add_error_answers
from livingtable_server.web.readiness import Readiness
from livingtable_server.web.rooms import room_routes
from livingtable_server.web.served import Telling
from livingtable_server.web.settings import WebSettings
from livingtable_server.web.showing import showing_routes

MCP_PATH = "/mcp"
MCP_PATH_TOO = "/mcp/"
"""Many write it so. It is no redirect, with which some clients would lose the body."""
_PLAIN_ROUTES = frozenset({MCP_PATH, "/healthz", "/metrics", "/openapi.json"})
_NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""FastAPI's own would give paths, and session ids with them, to whatever collector the environment names."""
_FROM_OTHER_PAGES = ("Authorization", "Content-Type", "Last-Event-ID", "X-Player-Id", "MCP-Protocol-Version")
_TO_OTHER_PAGES = ("Retry-After", "MCP-Protocol-Version")


@dataclass(frozen=True, slots=True)
class Web:
    """`close` lets go of those who wait, before the server is stopped; `routes` are all that `app` answers on."""

    app: ASGIApp
    close: Callable[[], None]
    routes: Sequence[BaseRoute]


def build_web(
    table: SessionManager,
    settings: WebSettings,
    admission: Admission,
    figures: Figures,
    mcp: Sequence[BaseRoute],
    running: Callable[[FastAPI], AbstractAsyncContextManager[None]],
) -> Web:
    """`mcp` are the routes of the MCP server; `running` is held as long as the application runs."""
    app = FastAPI(
        title="living-table",
        summary="Turn-based games, refereed by an exact rules engine.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=running,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
        responses=problems(ANY_ROUTE),
        servers=[{"url": settings.public_url}] if settings.public_url else None,
    )
    add_error_answers(app)
    app.router.routes.extend(page_routes())
    for routes in (listing_routes, game_routes, room_routes, lobby_routes, event_routes, showing_routes):
        app.include_router(routes(table, admission))
    _add_watching(app, Readiness(table.live, settings.clock, settings.crew), figures)
    app.router.routes.extend((*mcp, last_route()))
    add_description(app, settings.token is not None)
    closing = Closing(_guarded(_watched(app, admission), settings, figures))
    outside: ASGIApp = Telling(closing, (log_request, figures.count), _PLAIN_ROUTES)
    if settings.trusted_proxies:
        # Its types are uvicorn's own, for the same thing.
        outside = cast(ASGIApp, ProxyHeadersMiddleware(cast(Any, outside), list(settings.trusted_proxies)))
    return Web(_one_mcp_path(outside), closing.close, app.router.routes)


def _one_mcp_path(app: ASGIApp) -> ASGIApp:
    """Outside of all else, so that the limits, the figures and the log know one path."""

    async def renamed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == MCP_PATH_TOO:
            scope = {**scope, "path": MCP_PATH, "raw_path": MCP_PATH.encode()}
        await app(scope, receive, send)

    return renamed


def _watched(app: ASGIApp, admission: Admission) -> ASGIApp:
    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        with admission.knocking(scope):
            await app(scope, receive, send)

    return watched


def _guarded(app: ASGIApp, settings: WebSettings, figures: Figures) -> ASGIApp:
    app = Bodies(HeadAsGet(app))
    app = Crowding(app, settings.limits, figures, settings.clock)
    if settings.allowed_origins:
        app = CORSMiddleware(
            app,
            allow_origins=settings.allowed_origins,
            allow_methods=("GET", "POST"),
            allow_headers=_FROM_OTHER_PAGES,
            expose_headers=_TO_OTHER_PAGES,
        )
    return SafeHeaders(HostCheck(app, settings))


def _add_watching(app: FastAPI, readiness: Readiness, figures: Figures) -> None:
    @app.get("/healthz", **described("Whether the server process lives", shapes.Health))
    async def health() -> Data:
        return readiness.health()

    not_ready = {503: "The store does not answer, or would not keep anything now; `detail` says why."}

    @app.get("/readyz", **described("Whether the store keeps what players do now", shapes.Ready, more=not_ready))
    async def ready() -> Answer:
        return await readiness.answer()

    app.add_route("/metrics", figures.answer, include_in_schema=False)
    _ = health, ready
