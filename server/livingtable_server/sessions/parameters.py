"""What a request takes: flat objects of named, typed parameters, published as schema and checked in our own words.

A tool's arguments, and a route's query and body, are such objects. Some models fill in every argument, and some hosts
send objects as text: null, an empty text and an empty object count as left out, and an object may be its JSON text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, cast

from livingtable.game import Data, printable
from livingtable_server.sessions.errors import TableError, shown_value
from livingtable_server.sessions.json_texts import JsonTextError, read_json

Kind = Literal["string", "integer", "number", "boolean", "object"]
_WORDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a JSON object",
}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. With `judged_by_rules` any value is let through: the rules have the words for a wrong one."""

    name: str
    kind: Kind
    description: str = ""
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    judged_by_rules: bool = False
    lengths: tuple[int, int] | None = None
    """Of a text, in characters: from and to."""

    def schema(self) -> Data:
        schema: Data = {"type": self.kind}
        if self.description:
            schema["description"] = self.description
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.maximum is not None:
            schema["maximum"] = self.maximum
        if self.lengths:
            schema["minLength"], schema["maxLength"] = self.lengths
        return schema

    def check(self, value: object, exact: bool = False) -> Any:
        """The value; an object's JSON text counts as the object, and unless types are to be `exact` a number or a
        truth value that is written as a text as that. Raises `TableError` that says what is right."""
        if self.judged_by_rules:
            return value
        if self.kind == "object":
            value = self._read_object(value)
        elif not exact:
            value = self._read_text(value)
        if not self._fits(value):
            raise TableError(f'"{self.name}" must be {self._wanted()}, not {shown_value(value)}{self._as_text(value)}.')
        return int(cast(float, value)) if self.kind == "integer" else value

    def _as_text(self, value: object) -> str:
        """How to write a number where a text is wanted."""
        if self.kind != "string" or not isinstance(value, int) or isinstance(value, bool) or abs(value) > 1_000_000:
            return ""
        return f'; write it as "{value}"'

    def is_left_out(self, value: object) -> bool:
        """Whether a value is none, as some models write it; of an object, as text too."""
        if self.kind == "object" and isinstance(value, str):
            return value.strip() in ("", "{}", "null")
        return value is None or value in ("", {})

    def _read_object(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return read_json(value)
        except JsonTextError as error:
            raise TableError(f'"{self.name}" must be a JSON object, or its text; this text is none: {error}.') from None

    def _read_text(self, value: object) -> object:
        if not isinstance(value, str) or len(value) > 400:
            return value
        if self.kind == "boolean":
            return {"true": True, "false": False}.get(value.strip().lower(), value)
        if self.kind == "integer" and _INTEGER.fullmatch(value):
            return int(value)
        if self.kind == "number" and _NUMBER.fullmatch(value):
            return float(value)
        return value

    def _fits(self, value: object) -> bool:
        match self.kind:
            case "string":
                return isinstance(value, str) and self._text_fits(value)
            case "boolean":
                return isinstance(value, bool)
            case "object":
                return isinstance(value, Mapping)
            case _:
                return self._number_fits(value)

    def _text_fits(self, value: str) -> bool:
        if self.lengths and not self.lengths[0] <= len(value) <= self.lengths[1]:
            return False
        return not self.choices or value in self.choices

    def _number_fits(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if isinstance(value, float) and not math.isfinite(value):
            return False
        if self.kind == "integer" and value != int(value):
            return False
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)

    def _wanted(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.lengths:
            return f"a text of {self.lengths[0]} to {self.lengths[1]} characters"
        if self.minimum is not None and self.maximum is not None:
            return f"{_WORDS[self.kind]} from {self.minimum} to {self.maximum}"
        if self.minimum is not None:
            return f"{_WORDS[self.kind]} of at least {self.minimum}"
        return _WORDS[self.kind]


def input_schema(parameters: Sequence[Parameter]) -> Data:
    """The JSON schema of a tool's arguments: a flat object, one `type` a property. What is required is always there:
    some validators refuse a closed object without it."""
    return {
        "type": "object",
        "properties": {p.name: p.schema() for p in parameters},
        "required": [p.name for p in parameters if p.required],
        "additionalProperties": False,
    }


def checked(parameters: Sequence[Parameter], arguments: Mapping[str, Any], exact: bool = False) -> Data:
    """The arguments by name, without those that count as left out. Raises `TableError` that names the place and what
    would be right."""
    known = {p.name: p for p in parameters}
    for name in arguments:
        if name not in known:
            near = _meant(name, known)
            hint = f'did you mean "{near}"?' if near else "none is like it."
            names = f" It takes {', '.join(known)}." if known else " It takes no arguments."
            raise TableError(f'There is no argument "{printable(name[:60])}": {hint}{names}')
    values = {
        name: known[name].check(value, exact) for name, value in arguments.items() if not known[name].is_left_out(value)
    }
    missing = [p.name for p in parameters if p.required and p.name not in values]
    if missing:
        raise TableError(f'"{missing[0]}" is missing.')
    return values


def _meant(name: str, known: Collection[str]) -> str | None:
    """The argument that goes by another word elsewhere, else the one that is spelt most like it."""
    elsewhere = [word for word in _ELSEWHERE.get(name.lower(), ()) if word in known]
    near = get_close_matches(name[:80], known, n=1, cutoff=0.4)
    return next(iter([*elsewhere, *near]), None)


_ELSEWHERE = {
    **dict.fromkeys(("seat", "color", "colour", "player", "team", "character", "as"), ("side",)),
    **dict.fromkeys(("session", "id", "gameid", "game_id"), ("sessionId", "roomCode")),
    **dict.fromkeys(("room", "code", "roomid"), ("roomCode",)),
    **dict.fromkeys(("secret", "token", "key"), ("playerId",)),
    **dict.fromkeys(("move", "text", "command"), ("notation",)),
    **dict.fromkeys(("bot", "against", "enemy", "difficulty"), ("opponent", "bot")),
    **dict.fromkeys(("map", "board"), ("scenario",)),
    **dict.fromkeys(("timeout", "seconds"), ("timeoutSeconds",)),
    **dict.fromkeys(("version", "since"), ("expectedVersion", "sinceVersion")),
}
"""What models call an argument that has another name here."""


def check_one_of(given: Mapping[str, object], instead: str = "") -> str:
    """Which one of several arguments is given, None being none. Raises `TableError` that says what to leave out; with
    `instead`, a sentence on what there is, where nothing is given."""
    there = [name for name, value in given.items() if value is not None]
    if len(there) == 1:
        return there[0]
    names = _in_words(list(given), "and")
    if there:
        both = _in_words(there, "and")
        raise TableError(f"Give exactly one of {names}, not {both} together: leave out {_in_words(there, 'or')}.")
    raise TableError(f"Give exactly one of {names}: none was given.{' ' if instead else ''}{instead}")


def _in_words(names: Sequence[str], last: str) -> str:
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


BOTH = ("notation", "action")
"""Stands for an action that was given twice."""


def given_action(given: Mapping[str, Any]) -> Any:
    """The action as object or text, whatever was sent for it; None where nothing was, `BOTH` where two were."""
    action, notation = given.get("action"), given.get("notation")
    if action is not None and notation is not None:
        return BOTH
    return notation if action is None else action
