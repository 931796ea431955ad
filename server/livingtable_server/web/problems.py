"""Errors as answers: problem details (RFC 9457), whose `detail` says what was wrong and what would be right."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from livingtable_server.sessions.errors import (
    ConflictError,
    NotFoundError,
    SecretError,
    TableError,
    TooManyError,
    UnavailableError,
    public_text,
)
from livingtable_server.store.errors import StoreError
from livingtable_server.web.answers import Answer
from livingtable_server.web.leaving import ClientGoneError

logger = logging.getLogger("livingtable.web")

_CLIENT_GONE = 499
"""As nginx calls it."""
RETRY_SECONDS = 1
"""After which a request that found no ledger, or a server that stops, is worth sending again."""


class Problem(Answer):
    """An error as an answer."""

    media_type = "application/problem+json"

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        content = {"title": HTTPStatus(status).phrase, "status": status, "detail": detail}
        super().__init__(content, status, headers)


def refused(error: TableError) -> Problem:
    """A request that cannot be met, with the status that says why."""
    match error:
        case NotFoundError():
            return Problem(404, str(error))
        case ConflictError():
            return Problem(409, str(error))
        case SecretError(given=True):
            return Problem(403, str(error))
        case SecretError():
            return Problem(401, str(error), {"WWW-Authenticate": "Bearer"})
        case TooManyError():
            return Problem(429, str(error), {"Retry-After": str(error.retry_after)})
        case UnavailableError():
            return Problem(503, public_text(error), {"Retry-After": str(RETRY_SECONDS)})
        case _:
            return Problem(422, str(error))


def add_error_answers(app: FastAPI) -> None:
    """Whatever a route raises becomes a problem; of our own faults the client learns no more than that."""

    @app.exception_handler(TableError)
    async def table_error(_request: Request, error: TableError) -> Problem:
        return refused(error)

    @app.exception_handler(StoreError)
    async def store_error(_request: Request, error: StoreError) -> Problem:
        """Wherever the store is asked directly, as by the lobby."""
        return refused(UnavailableError(str(error)))

    @app.exception_handler(HTTPException)
    async def http_error(_request: Request, error: HTTPException) -> Problem:
        return Problem(error.status_code, _in_words(error), error.headers)

    @app.exception_handler(ClientGoneError)
    async def client_gone(_request: Request, _error: ClientGoneError) -> Response:
        return Response(status_code=_CLIENT_GONE)  # For the log and the figures alone.

    @app.exception_handler(Exception)
    async def fault(_request: Request, error: Exception) -> Problem:
        logger.error("a request failed", exc_info=error)
        return Problem(500, "A fault of the server, not of yours; try again.")

    _ = (table_error, store_error, http_error, client_gone, fault)


def _in_words(error: HTTPException) -> str:
    match error.status_code:
        case 404:
            return "There is no such route; /openapi.json lists them."
        case 405:
            return f"This route takes {(error.headers or {}).get('Allow', 'another method')} only."
        case _:
            return error.detail
