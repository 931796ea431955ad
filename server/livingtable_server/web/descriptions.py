"""How routes describe themselves at /openapi.json: their queries, bodies and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from livingtable.game import Data
from livingtable_server.sessions.parameters import Parameter, input_schema
from livingtable_server.web.links import add_links
from livingtable_server.web.shapes import ProblemDetails

PROBLEM = "application/problem+json"
_PROBLEM_SCHEMA = "ProblemDetails"
TOKEN = "token"
"""Of the server, where it has one."""
PLAYER = "player"
"""Of a player in the lobby."""

LEFT_OUT: tuple[Any, ...] = (None, "", {})
"""What counts as leaving an argument out."""

ANY_ROUTE = {
    400: "The Host header is missing, or stands there twice.",
    403: "The page that asks is of a foreign origin.",
    421: "The Host header names no host that is served here.",
    429: "Too many; Retry-After says when to try again.",
    503: "The ledger cannot be reached, or the server is being stopped; try again.",
}


def problems(reasons: dict[int, str]) -> dict[int | str, dict[str, Any]]:
    """These statuses as FastAPI describes them."""
    schema = {"$ref": f"#/components/schemas/{_PROBLEM_SCHEMA}"}
    return {
        status: {"description": reason, "content": {PROBLEM: {"schema": schema}}} for status, reason in reasons.items()
    }


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that is no JSON document; `each` is the schema of one message of a stream."""

    media_type: str
    description: str
    each: Data | None = None

    def to_data(self) -> Data:
        schema: Data = {"itemSchema": self.each} if self.each else {"schema": {"type": "string"}}
        return {"description": self.description, "content": {self.media_type: schema}}


def described(
    summary: str,
    gives: type[BaseModel] | UnionType | Answered,
    *,
    query: Sequence[Parameter] = (),
    headers: Sequence[Parameter] = (),
    takes: Data | None = None,
    more: dict[int, str] | None = None,
    secret: str | None = None,
) -> dict[str, Any]:
    """What a route is registered with. `gives` is the model of its answer, or what is answered instead of JSON; `takes`
    the schema of its body; `more` are the statuses of errors that not every route has; `secret` is
    which of the tokens it takes."""
    answer = gives.to_data() if isinstance(gives, Answered) else {"description": "As asked.", "model": gives}
    reasons = {422: "The query or the body is not what it must be.", **(more or {})}
    if takes is not None:
        reasons |= {413: "The body is too large.", 415: "The body is of another type than application/json."}
    extra: dict[str, Any] = {}
    extra["parameters"] = [_parameter(p, "query") for p in query] + [_parameter(p, "header") for p in headers]
    if takes is not None:
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": takes}}}
    if secret:
        extra["security"] = [{secret: []}]
    return {
        "summary": summary,
        "response_model": None,
        "responses": {200: answer, **problems(reasons)},
        "openapi_extra": extra,
    }


def body_schema(parameters: Sequence[Parameter], exactly_one_of: Sequence[str] = ()) -> Data:
    """The schema of a body. What may be left out may be null or empty; of `exactly_one_of` one is given, and is not."""
    whole = input_schema(parameters)
    properties: dict[str, Data] = whole["properties"]
    for parameter in parameters:
        if parameter.judged_by_rules:
            properties[parameter.name] = {"description": "What is none is refused with ok: false."}
        elif parameter.required:
            _not_empty(properties[parameter.name])
        elif parameter.name not in exactly_one_of:
            properties[parameter.name] = _or_left_out(properties[parameter.name], LEFT_OUT)
    if not exactly_one_of:
        return whole
    return {"oneOf": [_with_only(whole, name, exactly_one_of) for name in exactly_one_of]}


def add_description(app: FastAPI, has_token: bool) -> None:
    """FastAPI's own description, with the schema of problems, which no route has as its model, what tokens there are,
    and where the answers lead on to."""
    describe: Callable[[], Data] = app.openapi

    def openapi() -> Data:
        description = describe()
        components = description.setdefault("components", {})
        components.setdefault("schemas", {})[_PROBLEM_SCHEMA] = _schema_of(ProblemDetails)
        schemes = {PLAYER: {"type": "http", "scheme": "bearer"}}
        if has_token:
            schemes[TOKEN] = {"type": "http", "scheme": "bearer"}
        components["securitySchemes"] = schemes
        for path in description["paths"].values():
            for operation in path.values():
                if operation.get("security") == [{TOKEN: []}] and not has_token:
                    del operation["security"]
        add_links(description["paths"])
        return description

    app.openapi = openapi


def _schema_of(model: type[BaseModel]) -> Data:
    return model.model_json_schema(by_alias=True, mode="serialization")


def left_out(*more: object) -> Data:
    """The schema of what is not given, whatever stands for it."""
    return {"enum": [*LEFT_OUT, *more]}


def _or_left_out(schema: Data, empty: Sequence[object]) -> Data:
    described = {"description": schema.pop("description")} if "description" in schema else {}
    return {**described, "anyOf": [schema, {"enum": list(empty)}]}


def _not_empty(schema: Data) -> None:
    if schema["type"] == "object":
        schema["minProperties"] = 1
    elif schema["type"] == "string" and "enum" not in schema:
        schema.setdefault("minLength", 1)


def _with_only(whole: Data, name: str, names: Sequence[str]) -> Data:
    """The variant in which that one of the names is given."""
    properties: dict[str, Data] = {key: dict(value) for key, value in whole["properties"].items()}
    for other in names:
        if other == name:
            _not_empty(properties[other])
        else:
            properties[other] = left_out()
    return {**whole, "title": name, "properties": properties, "required": [*whole["required"], name]}


def _parameter(parameter: Parameter, place: str) -> Data:
    schema = parameter.schema()
    described: Data = {"name": parameter.name, "in": place, "required": parameter.required}
    if "description" in schema:
        described["description"] = schema.pop("description")
    if not parameter.required and (parameter.kind != "string" or parameter.choices or parameter.lengths):
        schema = _or_left_out(schema, ("", "{}") if place == "query" else ("",))
    return {**described, "schema": schema}
