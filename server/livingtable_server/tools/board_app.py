"""The board as an MCP App: one HTML page that chat clients with the extension show beside an answer, and play on.

It is made of the same modules as the pages in a browser, put into one file when it is first asked for. Clients that do
not say that they have the extension are told nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from mcp.server.apps import APP_MIME_TYPE, Apps, client_supports_apps
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver.resources import FunctionResource

BOARD_URI = "ui://living-table/board"
SHOWN_AFTER = ("new_game", "get_state")
"""The tools whose answers the board shows."""
META: dict[str, Any] = {"ui": {"resourceUri": BOARD_URI}}

_STATIC = Path(__file__).parents[1] / "web" / "static"
_ENTRY = "app/app.js"
_STYLES = ("page.css", "board.css")
_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "([\w./]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const|let) (\w+))", re.MULTILINE)


def board_app() -> Apps:
    """The extension, with the page as its resource."""
    apps = Apps()
    page = FunctionResource(
        uri=BOARD_URI,
        name="board to play on",
        description="The board of a session, for clients that can show it",
        mime_type=APP_MIME_TYPE,
        meta={"ui": {"prefersBorder": False}},
        fn=app_page,
    )
    apps.add_resource(page)
    return apps


async def hide_board(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Middleware: clients without the extension see neither the page nor what points to it."""
    result = await call_next(ctx)
    if ctx.method not in ("tools/list", "resources/list") or client_supports_apps(ctx):
        return result
    return _without_board(result)


@cache
def app_page() -> str:
    """The whole page, without a line that comes from elsewhere."""
    style = "\n".join((_STATIC / name).read_text("utf-8") for name in _STYLES)
    script = "\n".join(_as_block(name) for name in _in_order(_ENTRY))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>The living table</title>\n'
        f"<style>\n{style}</style>\n</head>\n"
        f'<body class="app-page">\n<main id="app"></main>\n<script type="module">\n{script}</script>\n'
        "</body>\n</html>\n"
    )


def _without_board(result: HandlerResult) -> HandlerResult:
    """The answer of a list, as it goes on the wire, without the page and what points to it."""
    if not isinstance(result, dict):
        return result
    kept = dict(result)
    if "tools" in kept:
        kept["tools"] = [{k: v for k, v in tool.items() if (k, v) != ("_meta", META)} for tool in kept["tools"]]
    if "resources" in kept:
        kept["resources"] = [resource for resource in kept["resources"] if resource["uri"] != BOARD_URI]
    return kept


def _in_order(name: str, seen: set[str] | None = None) -> Iterator[str]:
    """A module after those that it imports, each once."""
    seen = set() if seen is None else seen
    if name in seen:
        return
    seen.add(name)
    for _, target in _IMPORT.findall(_source(name)):
        yield from _in_order(_resolved(name, target), seen)
    yield name


def _as_block(name: str) -> str:
    """A module as a function of its own, so that its names stay its own; it returns what it exports."""
    source = _source(name)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _IMPORT.sub(lambda found: _taken(name, found), source))
    return f"const {_variable(name)} = (() => {{\n{body}return {{ {exported} }};\n}})();".replace("</", r"<\/")


def _taken(name: str, found: re.Match[str]) -> str:
    return f"const {{ {found[1]} }} = {_variable(_resolved(name, found[2]))};"


def _resolved(name: str, target: str) -> str:
    return (_STATIC / name).parent.joinpath(target).resolve().relative_to(_STATIC.resolve()).as_posix()


def _variable(name: str) -> str:
    return "m_" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _source(name: str) -> str:
    return (_STATIC / name).read_text("utf-8")
