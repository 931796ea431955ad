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
TAKING_RECORDS = frozenset({"/records/verify", "/records/frames", "/records/animation.svg", "/mcp"})
NESTING = 32
BODY_SECONDS = 30.0

_AS_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_CLOSE = {"Connection": "close"}
_LINGER_SECONDS = 10.0


class Bodies:
    """ASGI middleware: 413 for a body that is too long, 408 for one that does not come, 415 for one that is no JSON by
    its type, 422 for one that is nested too deep."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            with anyio.fail_after(BODY_SECONDS):
                body = await _read(scope, receive)
        except TimeoutError:
            problem = Problem(408, f"The body did not come within {BODY_SECONDS:.0f} seconds.", _CLOSE)
            await problem(scope, receive, send)
        except _TooLargeError as error:
            await (_refuse(error.problem, scope, receive, send) if error.more else error.problem(scope, receive, send))
        else:
            if body is not None:  # Else the client has gone.
                await (_problem(body, scope) or self._app)(scope, _replayed(body, receive), send)


class _TooLargeError(Exception):
    """`more`: the client is still sending."""

    def __init__(self, most: int, more: bool) -> None:
        super().__init__()
        self.more = more
        self.problem = Problem(413, f"The body is larger than the {most // 1024} KiB that this route takes.", _CLOSE)


async def _read(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body; None if the client left before its end. Raises `_TooLargeError`."""
    most = RECORD_BYTES if scope["path"] in TAKING_RECORDS else BODY_BYTES
    if _announced(scope) > most:
        raise _TooLargeError(most, more=True)
    body = bytearray()
    while (message := await receive())["type"] == "http.request":
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise _TooLargeError(most, more)
        if not more:
            return bytes(body)
    return None


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers at once, then lets the client send on for a while: a connection that is closed while it sends takes the
    answer with it."""

    async def not_yet_the_end(message: Message) -> None:
        await send({**message, "more_body": True} if message["type"] == "http.response.body" else message)

    await problem(scope, receive, not_yet_the_end)
    with anyio.move_on_after(_LINGER_SECONDS):
        while (await receive()).get("more_body", False):
            pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _announced(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "")
    if not length.isascii() or not length.isdigit():
        return 0
    return int(length[:20])


def _problem(body: bytes, scope: Scope) -> Problem | None:
    kind = Headers(scope=scope).get("content-type", "application/json").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        return Problem(415, "A body must be JSON, with Content-Type: application/json.")
    if _is_deep(body):
        return Problem(422, f"The body is nested deeper than {NESTING} levels.")
    return None


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
