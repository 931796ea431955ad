"""Empty arguments and objects as text over REST: every optional argument of every route that is described."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from httpx2 import AsyncClient
from tests.server.setups import FAR_APART, ONE_LEFT_TO_BEAT
from tests.web.rest import Rest

from livingtable.game import Data

pytestmark = pytest.mark.anyio

EMPTY: tuple[Any, ...] = ("", {}, None)
PLAYED = {key: value for key, value in ONE_LEFT_TO_BEAT.items() if key != "dice"}


async def request_of(rest: Rest, method: str, path: str) -> Data:
    """One that is met, on a game, a room or a lobby of its own, as `client.request` takes it."""
    headers: dict[str, str] = {}
    body: Data = {}
    if "{session}" in path:
        session = await rest.begin(PLAYED, seed=1)
        if path.endswith("/events"):
            await rest.submit(session, "attack t1")
        path = path.replace("{session}", session)
        body = {"notation": "attack t1"}
    if "{code}" in path:
        room = await rest.post("/rooms", {"setup": dict(FAR_APART), "seed": 1})
        path = path.replace("{code}", room["roomCode"])
        headers = {"X-Player-Id": room["playerId"]}
        body = {"playerId": room["playerId"]}
        if path.endswith("/join"):
            body = {}
        elif path.endswith("/bots"):
            body["side"] = "all"
        elif path.endswith(("/actions", "/wait")):
            await rest.post(f"/rooms/{room['roomCode']}/bots", {"playerId": room["playerId"], "side": "all"})
            body["notation"] = "pass"
    path = path.replace("{game}", "botwars")
    if path in ("/games", "/rooms"):
        body = {"scenario": "first_alliance"}
    elif path == "/records/verify":
        body = {"sessionId": await rest.begin(PLAYED)}
    elif path == "/api/players":
        body = {"name": "Ada"}
    return {"method": method.upper(), "url": path, "headers": headers, **({"json": body} if method == "post" else {})}


def optional_in_body(operation: Data) -> set[str]:
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    variants = schema.get("oneOf", [schema])
    every = {name for variant in variants for name in variant.get("properties", {})}
    return {name for name in every if any(name not in variant.get("required", ()) for variant in variants)}


def operations(described: Data) -> Iterator[tuple[str, str, Data]]:
    for path, methods in described["paths"].items():
        if not path.startswith("/api/") or path == "/api/players":  # The others take what is required alone.
            yield from ((method, path, operation) for method, operation in methods.items())


async def status(client: AsyncClient, request: Data) -> int:
    async with client.stream(**request) as answer:
        return answer.status_code


async def test_an_empty_query_or_header_counts_as_left_out(rest: Rest) -> None:
    tried = 0
    for method, path, operation in operations(await rest.get("/openapi.json")):
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path" or parameter["required"]:
                continue
            if path.startswith("/rooms/") and path.endswith("/events"):
                continue  # It does not end.
            for empty in ("", "{}") if parameter["in"] == "query" else ("",):
                request = await request_of(rest, method, path)
                if parameter["in"] == "query":
                    request["params"] = {parameter["name"]: empty}
                else:
                    request["headers"] = {**request["headers"], parameter["name"]: empty}
                assert await status(rest.client, request) == 200, (path, parameter["name"], empty)
                tried += 1
    assert tried > 30


async def test_an_empty_key_of_a_body_counts_as_left_out(rest: Rest) -> None:
    tried = 0
    for method, path, operation in operations(await rest.get("/openapi.json")):
        for name in sorted(optional_in_body(operation)):
            for empty in EMPTY:
                request = await request_of(rest, method, path)
                if name in request["json"]:
                    continue
                request["json"] = {**request["json"], name: empty}
                answer = await rest.client.request(**request)
                assert answer.status_code == 200, (path, name, empty, answer.text)
                assert answer.json().get("ok") is not False, (path, name, empty)
                tried += 1
    assert tried > 60


async def test_all_keys_of_a_body_may_be_empty_at_once(rest: Rest) -> None:
    for method, path, operation in operations(await rest.get("/openapi.json")):
        for empty in EMPTY:
            request = await request_of(rest, method, path)
            if "json" in request:
                filled = dict.fromkeys(optional_in_body(operation), empty)
                request["json"] = {**filled, **request["json"]}
                assert (await rest.client.request(**request)).status_code == 200, (path, empty)


@pytest.mark.parametrize("empty", EMPTY, ids=repr)
async def test_a_required_key_that_is_empty_is_missing(rest: Rest, empty: object) -> None:
    for path, name in (("/rooms/x/actions", "playerId"), ("/rooms/x/bots", "playerId"), ("/api/players", "name")):
        assert f'"{name}" is missing' in await rest.problem(422, "POST", path, json={name: empty})


async def test_a_model_that_fills_in_every_key_begins_a_game(rest: Rest) -> None:
    given: Data = {"scenario": "fox_pen", "setup": {}, "fork": "", "version": 0, "seed": 0, "side": "p1"}
    begun = await rest.post("/games", {**given, "opponent": "", "health": 0, "controller": ""})
    assert begun["snapshot"]["seed"] == 0


async def test_objects_may_come_as_their_json_text(rest: Rest) -> None:
    session = (await rest.post("/games", {"setup": json.dumps(PLAYED), "side": ""}))["sessionId"]
    played = await rest.post(f"/games/{session}/actions", {"action": '{"type": "attack", "target": "T1"}'})
    assert played["ok"], played
    record = (await rest.get(f"/games/{session}/record"))["record"]
    assert (await rest.post("/records/verify", {"record": json.dumps(record)}))["ok"]


async def test_a_broken_text_of_an_object_is_told_where(rest: Rest) -> None:
    detail = await rest.problem(422, "POST", "/games", json={"setup": '{"game" "botwars"}'})
    assert '"setup"' in detail
    assert "at character 8" in detail


async def test_where_two_sources_are_given_the_problem_says_what_to_leave_out(rest: Rest) -> None:
    body = {"scenario": "fox_pen", "setup": {"game": "botwars"}}
    for path in ("/games", "/rooms"):
        assert "leave out scenario or setup" in await rest.problem(422, "POST", path, json=body)
