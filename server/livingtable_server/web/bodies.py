"""No body is read further than it may be long, waited for longer than a slow line needs, or parsed if nested too deep.

It is read whole before a route sees the request: what a client says of its length decides nothing but an early refusal.
"""

from __future__ import annotations

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from livingtable_server.web.problems import Problem

BODY_BYTES = 64 * 1024
RECORD_BYTES = 4 * 1024 * 1024
TAKING_RECORDS = frozenset({"/records/verify", "/records/frames", "/mcp"})
NESTING = 32
BODY_SECONDS = 30.0

_AS_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_CLOSE = {"Connection": "close"}
"""What the client still sends of a body that nobody reads would else be taken for its next request."""


class Bodies:
    """ASGI middleware: 413 for a body that is too long, 408 for one that does not come, 415 for one that is no JSON by
    its type, 422 for one that is nested too deep."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = await _read(scope, receive)
        if given is None:  # The client has gone.
            return
        if isinstance(given, Problem):
            await given(scope, receive, send)
            return
        await self._app(scope, _replayed(given, receive), send)


async def _read(scope: Scope, receive: Receive) -> bytes | Problem | None:
    headers = Headers(scope=scope)
    most = RECORD_BYTES if scope["path"] in TAKING_RECORDS else BODY_BYTES
    if _announced(headers) > most:
        return _too_large(most)
    body = bytearray()
    try:
        with anyio.fail_after(BODY_SECONDS):
            while (message := await receive())["type"] == "http.request":
                body += message.get("body", b"")
                if len(body) > most:
                    return _too_large(most)
                if not message.get("more_body", False):
                    return _checked(bytes(body), headers)
    except TimeoutError:
        return Problem(408, f"The body did not come within {BODY_SECONDS:.0f} seconds.", _CLOSE)
    return None


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _checked(body: bytes, headers: Headers) -> bytes | Problem:
    kind = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        return Problem(415, "A body must be JSON, with Content-Type: application/json.")
    if _is_deep(body):
        return Problem(422, f"The body is nested deeper than {NESTING} levels.")
    return body


def _too_large(most: int) -> Problem:
    return Problem(413, f"The body is larger than the {most // 1024} KiB that this route takes.", _CLOSE)


def _is_deep(body: bytes) -> bool:
    """Whether arrays and objects are nested deeper than they may be, in JSON or in what is meant as such.

    Texts are taken out, then the innermost pairs of brackets, time after time: each is a quick pass over the bytes,
    where a loop over the brackets would hold up everybody else.
    """
    without_escapes = body.replace(rb"\\", b"").replace(rb"\"", b"")
    structure = b"".join(without_escapes.split(b'"')[::2])
    brackets = structure.translate(_AS_SQUARE, _NO_BRACKETS)
    for _ in range(NESTING):
        brackets = brackets.replace(b"[]", b"")
    return b"[]" in brackets or brackets.count(b"[") > NESTING


def _replayed(body: bytes, receive: Receive) -> Receive:
    """`receive`, with the whole body first."""
    told = False

    async def replay() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
