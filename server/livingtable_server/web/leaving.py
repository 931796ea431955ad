"""What is computed for one client alone ends when that client has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

T = TypeVar("T")


class ClientGoneError(Exception):
    """The client closed its connection before it was answered; so the answer is for nobody."""


async def while_connected(request: Request, computing: Coroutine[Any, Any, T]) -> T:
    """What `computing` returns or raises. It is cancelled when the client goes, and `ClientGoneError` is raised.

    The request's body must have been read.
    """
    leaving = asyncio.create_task(_left(request))
    work = asyncio.create_task(computing)
    try:
        await asyncio.wait({leaving, work}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientGoneError
        return work.result()
    finally:
        leaving.cancel()
        work.cancel()
        await asyncio.gather(leaving, work, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
