"""Asking the routes, and holding every answer against what is true of all answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from httpx2 import AsyncClient, Response
from tests.server.asking import alternatives

from livingtable.game import Data


@dataclass(frozen=True)
class Rest:
    client: AsyncClient

    async def get(self, path: str, **query: Any) -> Data:
        return answered(await self.client.get(path, params=query))

    async def post(self, path: str, body: Data, **query: Any) -> Data:
        return answered(await self.client.post(path, json=body, params=query))

    async def begin(self, setup: Mapping[str, Any] | str = "crossroads", **more: Any) -> str:
        """The id of a new session of a scenario or a set-up."""
        source = {"scenario": setup} if isinstance(setup, str) else {"setup": dict(setup)}
        return (await self.post("/games", {**source, **more}))["sessionId"]

    async def submit(self, session: str, notation: str, **more: Any) -> Data:
        return await self.post(f"/games/{session}/actions", {"notation": notation, **more}, detail="brief")

    async def problem(self, status: int, method: str, path: str, **more: Any) -> str:
        """What a request that is not met is told."""
        return problem(await self.client.request(method, path, **more), status)


def answered(response: Response) -> Data:
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    check_headers(response)
    return response.json()


def problem(response: Response, status: int) -> str:
    """The detail of a problem; it is of the server's own making."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    check_headers(response)
    told: Data = response.json()
    assert set(told) == {"title", "status", "detail"}
    assert told["status"] == status
    assert told["detail"].isprintable(), "one line, and safe to show"
    assert "pydantic" not in told["detail"]
    return told["detail"]


def check_headers(response: Response) -> None:
    """Every answer tells the browser what to make of it."""
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "default-src" in response.headers["content-security-policy"]


async def play_out(rest: Rest, session: str, seed: int = 0) -> Data:
    """Random legal actions of the caller's seats until there is a result; returns the last answer."""
    random = Random(seed)
    answer = await rest.get(f"/games/{session}", detail="brief")
    while answer["result"] is None:
        if not answer.get("legal"):
            answer = await rest.get(f"/games/{session}/wait", detail="brief")
            continue
        notation = random.choice(alternatives(answer["legal"]))
        answer = await rest.submit(session, notation, expectedVersion=answer["version"])
        assert answer["ok"], answer
    return answer
