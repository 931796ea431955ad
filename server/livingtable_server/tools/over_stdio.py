"""MCP over stdin and stdout: one JSON-RPC message a line, and an answer to every line that holds none.

The SDK drops what it cannot read, and whoever sent it waits for ever. So lines are read here: as bytes, ended by LF
alone, of a limited length.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from math import inf
from typing import BinaryIO, cast

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

LINE_BYTES = 16 * 1024 * 1024
"""Longer ones are answered with an error and not kept."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SURROGATES = re.compile("[\ud800-\udfff]")
_DIGITS_READ = 4_300
"""Python's own limit, and that of the parser behind pydantic."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no message: the JSON-RPC code, why, and the id that its answer bears, if one can be told."""

    code: int
    reason: str
    request_id: int | str | None = None

    def answer(self) -> JSONRPCError:
        kind = "Parse error" if self.code == PARSE_ERROR else "Invalid Request"
        error = ErrorData(code=self.code, message=f"{kind}: {self.reason}")
        return JSONRPCError(jsonrpc="2.0", id=self.request_id, error=error)


Incoming = SessionMessage | Exception
"""What the SDK's server reads; exceptions do not come from here."""


@asynccontextmanager
async def stdio_streams() -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]
]:
    """The messages from stdin, and where those for stdout go. While it is held, what is printed does not reach the
    wire, and child processes find an empty stdin."""
    arriving, messages = anyio.create_memory_object_stream[Incoming](0)
    nothing = anyio.wrap_file(io.StringIO())  # The SDK is to write only.
    with _stdin_taken() as wire:
        async with stdio_server(stdin=nothing) as (unused, outgoing):
            unused.close()
            answers = cast(MemoryObjectSendStream[SessionMessage], outgoing)
            async with anyio.create_task_group() as reading:
                reading.start_soon(_read, wire, arriving, answers)
                yield messages, answers
                reading.cancel_scope.cancel()


async def _read(
    wire: BinaryIO, arriving: MemoryObjectSendStream[Incoming], answers: MemoryObjectSendStream[SessionMessage]
) -> None:
    """To the end of the input, or until nobody takes what is read."""
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        async with arriving:
            while line := await anyio.to_thread.run_sync(read_line, wire):
                message = message_of(line)
                if isinstance(message, Unreadable):
                    sys.stderr.write(f"living-table: a line on stdin was answered with an error: {message.reason}\n")
                    sys.stderr.flush()
                    await answers.send(SessionMessage(message.answer()))
                elif message is not None:
                    await arriving.send(SessionMessage(message))


def read_line(wire: BinaryIO) -> bytes:
    """The next line with its end; `b""` after the last. Of one that is too long, the beginning, too long by a byte."""
    line = wire.readline(LINE_BYTES + 1)
    if len(line) <= LINE_BYTES:
        return line
    rest = line
    while rest and not rest.endswith(b"\n"):
        rest = wire.readline(LINE_BYTES)
    return line


def message_of(line: bytes) -> JSONRPCMessage | Unreadable | None:
    """The message on a line; None for an empty line."""
    if len(line) > LINE_BYTES:
        return Unreadable(PARSE_ERROR, f"the line is longer than {LINE_BYTES // (1024 * 1024)} MiB")
    text = line.removeprefix(_BYTE_ORDER_MARK).strip()
    if not text:
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        return _why_not(text)
    # To the SDK a request whose id is none is a notification, and never answered.
    if isinstance(message, JSONRPCNotification) and "id" in json.loads(text):
        return _why_not(text)
    return message


def _why_not(line: bytes) -> Unreadable:
    """Why a line is no message. It is read again, by a parser that takes longer numbers and deeper nesting, so that
    the id is found where there is one."""
    long_numbers: list[str] = []

    def number(digits: str) -> float:
        if len(digits) <= _DIGITS_READ:
            return int(digits)
        long_numbers.append(digits)
        return inf

    try:
        data: object = json.loads(line.decode("utf-8"), parse_int=number)
    except UnicodeDecodeError as error:
        return Unreadable(PARSE_ERROR, f"the line is not UTF-8, from byte {error.start} on")
    except RecursionError:
        return Unreadable(PARSE_ERROR, "the line is nested too deep")
    except json.JSONDecodeError as error:
        return Unreadable(PARSE_ERROR, f"the line is not one whole JSON text: {error.msg} at character {error.pos}")
    if isinstance(data, list):
        return Unreadable(INVALID_REQUEST, "batches are not taken: send one JSON object a line")
    if not isinstance(data, dict):
        return Unreadable(INVALID_REQUEST, "a message is one JSON object")
    message = cast(dict[str, object], data)
    if long_numbers:
        return Unreadable(PARSE_ERROR, f"a number has more than {_DIGITS_READ:,} digits", _id_of(message))
    return _what_is_wrong(message)


def _what_is_wrong(message: dict[str, object]) -> Unreadable:
    request_id = _id_of(message)
    if message.get("jsonrpc") != "2.0":
        return Unreadable(INVALID_REQUEST, '"jsonrpc" must be "2.0"', request_id)
    if "id" in message and request_id is None:
        return Unreadable(INVALID_REQUEST, '"id" must be a text or a whole number')
    if "method" not in message:
        if "result" in message or "error" in message:
            return Unreadable(INVALID_REQUEST, 'a response must have an "id" and an object as "result" or "error"')
        return Unreadable(INVALID_REQUEST, 'there is no "method"', request_id)
    if not isinstance(message["method"], str):
        return Unreadable(INVALID_REQUEST, '"method" must be a text', request_id)
    if not isinstance(message.get("params"), dict | None):
        return Unreadable(INVALID_REQUEST, '"params" must be an object', request_id)
    return Unreadable(PARSE_ERROR, "it is nested too deep, or a text in it holds half of a surrogate pair", request_id)


def _id_of(message: dict[str, object]) -> int | str | None:
    """None where there is none that an answer could bear."""
    request_id = message.get("id")
    if isinstance(request_id, str):
        return None if _SURROGATES.search(request_id) else request_id
    return request_id if isinstance(request_id, int) and not isinstance(request_id, bool) else None


@contextmanager
def _stdin_taken() -> Generator[BinaryIO]:
    """A duplicate of stdin, whose own descriptor reads nothing meanwhile: no child is to read from the wire."""
    stdin = sys.stdin.fileno()
    wire = os.dup(stdin)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, stdin)
    os.close(empty)
    try:
        # A thread may still wait for it after the end: it is never closed.
        yield os.fdopen(wire, "rb", closefd=False)
    finally:
        os.dup2(wire, stdin)
