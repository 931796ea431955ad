"""What a request gives: the query and the JSON body of a route, checked in the table's own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from starlette.requests import Request

from livingtable.game import Data
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.json_texts import JsonTextError, read_json
from livingtable_server.sessions.parameters import Parameter, checked


def query(request: Request, parameters: Sequence[Parameter]) -> Data:
    """The query's values by name; one that is empty, or `{}`, counts as left out.

    Raises `TableError` for one that is unknown, given twice, or not what it must be.
    """
    given = request.query_params
    for name in given:
        if len(given.getlist(name)) > 1:
            raise TableError(f'"{name[:60]}" is given twice; give it once.')
    return checked(parameters, {name: value for name, value in given.items() if value != "{}"})


async def body(request: Request, parameters: Sequence[Parameter]) -> Data:
    """The body's values by name, without those that count as left out.

    Raises `TableError` as `query` does, and for what is no JSON.
    """
    return parsed(await request.body(), parameters)


def parsed(content: bytes, parameters: Sequence[Parameter]) -> Data:
    """The same of a body that has been read."""
    try:
        data = read_json(content.decode())
    except UnicodeDecodeError:
        raise TableError("The body is no JSON: it is not UTF-8.") from None
    except JsonTextError as error:
        raise TableError(f"The body is no JSON: {error}.") from None
    if not isinstance(data, dict):
        raise TableError("The body must be one JSON object.")
    return checked(parameters, cast(Data, data), exact=True)


def bearer(request: Request) -> str | None:
    """The token in the header `Authorization`, None where there is none."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" and given.strip() else None
