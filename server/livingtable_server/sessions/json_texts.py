"""JSON that comes as a text: the body of a request, or an object that a client has written into a text.

Some hosts hand a tool's objects over as text, and what is wrong with such a text is told by its place.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn, cast

from livingtable.game import printable

NESTING_AT_MOST = 32
"""Levels, as of a body."""
_NEAR = 12


class JsonTextError(Exception):
    """The text is no JSON; the message says why and where, in words that follow a colon."""


def read_json(text: str) -> Any:
    """Raises `JsonTextError`."""
    try:
        data = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        near = printable(text[max(0, error.pos - _NEAR) : error.pos + _NEAR])
        shown = f", near {near}" if near.strip() else ""
        raise JsonTextError(f"{error.msg} at character {error.pos}{shown}") from None
    except RecursionError:
        raise JsonTextError("it is nested too deep") from None
    except ValueError as error:
        raise JsonTextError("a number in it has too many digits" if "digits" in str(error) else str(error)) from None
    if _is_deep(data):
        raise JsonTextError(f"it is nested deeper than {NESTING_AT_MOST} levels")
    return data


def _is_deep(data: object) -> bool:
    level = [data]
    for _ in range(NESTING_AT_MOST + 1):
        if not level:
            return False
        level = [inner for outer in level for inner in _inside(outer)]
    return True


def _inside(data: object) -> list[object]:
    """The objects and lists in it."""
    if isinstance(data, dict):
        parts = list(cast(dict[str, object], data).values())
    elif isinstance(data, list):
        parts = cast(list[object], data)
    else:
        return []
    return [part for part in parts if isinstance(part, dict | list)]


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
