"""The pages for people, and the files that they are made of.

A page is given to whoever accepts one, so also to `Accept: */*`, the default of most programs. Two addresses are of
pages and of the REST API: `/games/{id}` and `/rooms/{code}`. They are a page to who prefers HTML to JSON, as a browser
does when somebody opens them, and JSON to all others, the page's own script among them.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from livingtable_server.web.accepting import accepts_page, prefers_page

STATIC = Path(__file__).parent / "static"
_PAGES = {"/": "lobby.html", "/replay": "replay.html", "/replay/{id}": "replay.html"}
_TABLES = ("/games/{session}", "/rooms/{code}")
_API = re.compile(r"/(games|rooms|records|scenarios|rules|api|mcp|static)(/|$)")
"""Below these an address that is not known is a program's mistake: it is answered as the API answers."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_SCRIPT = re.compile(rb'<script type="module" src="/static/([^"]+)">')
_IMPORT = re.compile(r'^import .* from "(.+)";$', re.MULTILINE)
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Script and style come from this server alone, and no text ever becomes markup."""


_Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class StaticFile:
    content: bytes
    media_type: str
    tag: str
    """Its ETag: a browser that has the file is told so instead of getting it again."""


class PageRoute(Route):
    """Only for those to whom `wanted` gives a page; others are passed on to the routes behind it."""

    def __init__(self, path: str, page: _Endpoint, wanted: Callable[[Scope], bool]) -> None:
        super().__init__(path, page, methods=["GET"], include_in_schema=False)
        self._wanted = wanted

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        return (match, found) if match is Match.FULL and self._wanted(scope) else (Match.NONE, {})


def page_routes() -> list[BaseRoute]:
    """They stand before the routes of the same paths."""
    pages = [PageRoute(path, _page(name), _accepted) for path, name in _PAGES.items()]
    tables = [PageRoute(path, _page("table.html"), _preferred) for path in _TABLES]
    return [*pages, *tables, Route("/static/{name:path}", _static, methods=["GET"], include_in_schema=False)]


def last_route() -> BaseRoute:
    """The page for an address that is not known; it stands behind all other routes."""
    return PageRoute("/{path:path}", _page("nowhere.html", HTTPStatus.NOT_FOUND), _accepted_outside_the_api)


@cache
def static_files() -> dict[str, StaticFile]:
    """Every file there is, by its path in the folder: no other can be asked for."""
    return {
        path.relative_to(STATIC).as_posix(): _read(path)
        for path in sorted(STATIC.rglob("*"))
        if path.is_file() and path.suffix in _TYPES
    }


def _read(path: Path) -> StaticFile:
    content = path.read_bytes()
    if path.suffix == ".html":
        content = _with_preloads(content)
    return StaticFile(content, _TYPES[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:20]}"')


def _with_preloads(page: bytes) -> bytes:
    """The page, telling the browser at once of all the modules that it will need: else it learns of them step by step,
    each step a journey to the server and back."""
    needed: dict[str, None] = {}
    for script in _SCRIPT.findall(page):
        _add_imported(script.decode(), needed)
    links = "".join(f'<link rel="modulepreload" href="/static/{module}" />' for module in needed)
    return page.replace(b"</head>", links.encode() + b"</head>")


def _add_imported(module: str, found: dict[str, None]) -> None:
    """What a module imports, and what that imports in turn, each once and in that order."""
    for target in _IMPORT.findall((STATIC / module).read_text("utf-8")):
        imported = posixpath.normpath(posixpath.join(posixpath.dirname(module), target))
        if imported not in found:
            found[imported] = None
            _add_imported(imported, found)


def _page(name: str, status: HTTPStatus = HTTPStatus.OK) -> _Endpoint:
    async def page(request: Request) -> Response:
        return _answer(request, static_files()[name], {"Content-Security-Policy": _POLICY, "Vary": "Accept"}, status)

    return page


async def _static(request: Request) -> Response:
    file = static_files().get(request.path_params["name"])
    if file is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    return _answer(request, file, {})


def _answer(
    request: Request, file: StaticFile, headers: dict[str, str], status: HTTPStatus = HTTPStatus.OK
) -> Response:
    headers = {**headers, "ETag": file.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, status, headers, media_type=file.media_type)


def _accepted(scope: Scope) -> bool:
    return accepts_page(Headers(scope=scope).get("accept", ""))


def _preferred(scope: Scope) -> bool:
    return prefers_page(Headers(scope=scope).get("accept", ""))


def _accepted_outside_the_api(scope: Scope) -> bool:
    return _preferred(scope) if _API.match(scope["path"]) else _accepted(scope)
