"""HEAD is answered by every route that has GET, as GET is and without a body."""

from __future__ import annotations

import pytest
from httpx2 import AsyncClient
from tests.server.setups import FAR_APART
from tests.web.rest import Rest
from tests.web.serving import Site

pytestmark = pytest.mark.anyio


async def test_every_route_that_has_get_has_head(client: AsyncClient, rest: Rest) -> None:
    session = await rest.begin(FAR_APART)
    code = (await rest.post("/rooms", {"scenario": "crossroads"}))["roomCode"]
    description = (await client.get("/openapi.json")).json()
    routes = [path for path, methods in description["paths"].items() if "get" in methods and "/events" not in path]
    assert len(routes) > 10
    for route in [*routes, "/", "/metrics", "/openapi.json"]:
        path = route.replace("{session}", session).replace("{code}", code).replace("{game}", "botwars")
        get, head = await client.get(path), await client.head(path)
        assert head.status_code == get.status_code, route
        assert head.headers["content-type"] == get.headers["content-type"], route
        assert head.content == b""


async def test_what_has_no_get_has_no_head(client: AsyncClient) -> None:
    assert (await client.head("/records/verify")).status_code == 405


def test_head_of_a_stream_ends_at_once(site: Site) -> None:
    with site.client() as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
        answer = client.head(f"/games/{session}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
