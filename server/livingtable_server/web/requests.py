"""What a request gives: the query and the JSON body of a route, checked in the table's own words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NoReturn, cast

from starlette.requests import Request

from livingtable.game import Data
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.parameters import Parameter, checked


def query(request: Request, parameters: Sequence[Parameter]) -> Data:
    """The query's values by name. Raises `TableError` for one that is unknown, given twice, or not what it must be."""
    given = request.query_params
    for name in given:
        if len(given.getlist(name)) > 1:
            raise TableError(f'"{name[:60]}" is given twice; give it once.')
    return checked(parameters, given)


async def body(request: Request, parameters: Sequence[Parameter]) -> Data:
    """The body's values by name, null ones left out. Raises `TableError` as `query` does, and for what is no JSON."""
    return parsed(await request.body(), parameters)


def parsed(content: bytes, parameters: Sequence[Parameter]) -> Data:
    """The same of a body that has been read."""
    try:
        data = json.loads(content.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise TableError(f"The body is no JSON: {_why(error)}.") from None
    if not isinstance(data, dict):
        raise TableError("The body must be one JSON object.")
    return checked(parameters, cast(Data, data), exact=True)


def bearer(request: Request) -> str | None:
    """The token in the header `Authorization`, None where there is none."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" and given.strip() else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _why(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} at character {error.pos}"
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case RecursionError():
            return "it is nested too deep"
        case _ if "digits" in str(error):
            return "a number in it has too many digits"
        case _:
            return str(error)
