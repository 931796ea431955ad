"""What clients are told over HTTP says nothing of where the server keeps its things; the log says it whole."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient
from mcp import Client
from tests.server.setups import FAR_APART
from tests.web.rest import problem
from tests.web.serving import running, settings

import livingtable_server
from livingtable_server.app import mcp_server, web
from livingtable_server.settings import Settings
from livingtable_server.store.errors import StoreError
from livingtable_server.store.sqlite import SqliteDatabase
from livingtable_server.tools.catalog import tools_of
from livingtable_server.web.logs import JsonLines

pytestmark = pytest.mark.anyio

OPERATORS = 'The ledger "postgresql://keeper@db.inside:5432/games" cannot be reached: no route to 10.0.0.7, /srv/games'
SECRETS = ("postgresql", "keeper", "db.inside", "5432", "10.0.0.7", "/srv")
MCP = {"accept": "application/json, text/event-stream"}
FILLED = {"string": "x", "integer": 1, "number": 1, "boolean": True, "object": FAR_APART}


class Broken:
    """The ledger of every server in this process, from `breaks` on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def breaks(self) -> None:
        async def fails(*_given: object, **_more: object) -> None:
            raise StoreError(OPERATORS)

        self._monkeypatch.setattr(SqliteDatabase, "rows", fails)
        self._monkeypatch.setattr(SqliteDatabase, "transaction", fails)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Broken:
    return Broken(monkeypatch)


def assert_says_nothing(text: str) -> None:
    assert not [secret for secret in SECRETS if secret in text], text


def _filled(path: str, known: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], "x"), path)


async def test_no_route_says_where_the_ledger_is_that_cannot_be_reached(client: AsyncClient, store: Broken) -> None:
    session = (await client.post("/games", json={"setup": FAR_APART})).json()["sessionId"]
    room = (await client.post("/rooms", json={"setup": FAR_APART})).json()
    token = (await client.post("/api/players", json={"name": "Ada"})).json()["token"]
    known = {"session": session, "code": room["roomCode"], "player": "p1", "game": "botwars", "name": "crossroads"}
    described: dict[str, dict[str, Any]] = (await client.get("/openapi.json")).json()["paths"]
    hidden: dict[str, dict[str, Any]] = {
        f"/{kind}/{{{key}}}/{what}": {"get": {}}
        for kind, key in (("games", "session"), ("rooms", "code"))
        for what in ("frames", "animation.svg")
    }
    hidden["/rooms/{code}/rematch"] = {"post": {}}
    store.breaks()
    unavailable = 0
    for path, methods in {**described, **hidden}.items():
        for method in methods:
            bodies: dict[str, Any] = {"/games": {"setup": FAR_APART}, "/rooms": {"setup": FAR_APART}}
            bodies["/api/players"] = {"name": "Bo"}
            body = bodies.get(path, {"playerId": room["playerId"]} if "{code}" in path else {})
            headers = {"X-Player-Id": room["playerId"], "Authorization": f"Bearer {token}"}
            more: Any = {"json": body} if method == "post" else {}
            answer = await client.request(method, _filled(path, known), headers=headers, **more)
            assert_says_nothing(answer.text + str(answer.headers))
            unavailable += answer.status_code == 503
            assert answer.status_code != 500, (path, answer.text)
    assert unavailable > 15


async def test_who_is_told_that_the_ledger_is_away_is_told_to_come_again(client: AsyncClient, store: Broken) -> None:
    store.breaks()
    answer = await client.post("/games", json={"setup": FAR_APART})
    assert "try again soon" in problem(answer, 503)
    assert answer.headers["retry-after"] == "1"


async def test_the_log_says_what_is_wrong_with_the_ledger(
    client: AsyncClient, store: Broken, caplog: pytest.LogCaptureFixture
) -> None:
    store.breaks()
    await client.post("/games", json={"setup": FAR_APART})
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    assert [line["message"] for line in lines if OPERATORS in line["message"]]


async def test_no_tool_and_no_resource_says_it_over_http(client: AsyncClient, store: Broken) -> None:
    session = (await client.post("/games", json={"setup": FAR_APART})).json()["sessionId"]
    room = (await client.post("/rooms", json={"setup": FAR_APART})).json()
    store.breaks()
    keys = {"sessionId": session, **room}
    calls: list[tuple[str, Mapping[str, Any]]] = []
    for tool in tools_of("all"):
        wanted = {
            p.name: keys.get(p.name, p.choices[0] if p.choices else FILLED[p.kind])
            for p in tool.parameters
            if p.required
        }
        named = {p.name for p in tool.parameters}
        if "setup" in named:
            wanted = {"setup": FAR_APART}
        elif "sessionId" in named:
            wanted["sessionId"] = session
        calls.append(("tools/call", {"name": tool.name, "arguments": wanted}))
    calls += [("resources/read", {"uri": f"{kind}://{session}"}) for kind in ("session", "board", "record")]
    away = 0
    for method, params in calls:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await client.post("/mcp", json=message, headers=MCP)
        assert_says_nothing(answer.text)
        away += "try again soon" in answer.text or "look at its state" in answer.text
    assert away >= 12


async def test_over_stdio_the_owner_is_told_all_of_it(store: Broken) -> None:
    store.breaks()
    async with Client(mcp_server(Settings("sqlite://"))) as client:
        answer = await client.call_tool("new_game", {"setup": FAR_APART})
    assert OPERATORS in str(answer.content)


# scenario files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.json").write_text("{}", "utf-8")
    (tmp_path / "unreadable.json").mkdir()
    return tmp_path


async def test_of_a_scenario_file_that_is_none_clients_are_told_its_name_and_the_log_its_path(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = web(Settings("sqlite://", (folder,)), settings()).app
    async with running(app), AsyncClient(transport=ASGITransport(app=app), base_url="http://localhost:8000") as client:
        answer = await client.get("/scenarios")
    assert {row["file"] for row in answer.json()["problems"]} == {"bad.json", "unreadable.json"}
    assert str(folder) not in answer.text
    said = [record.getMessage() for record in caplog.records]
    assert sum(str(folder / "bad.json") in line for line in said) == 1


# the log's own words


def _loggers() -> set[str]:
    """The names under which this program's modules log."""
    root = Path(livingtable_server.__file__).parent
    found: set[str] = set()
    for file in root.rglob("*.py"):
        for name in re.findall(r"logging\.getLogger\(([^)]+)\)\n", file.read_text("utf-8")):
            if name == "__name__":
                found.add(".".join(("livingtable_server", *file.relative_to(root).with_suffix("").parts)))
            elif name.startswith('"livingtable'):
                found.add(name.strip('"'))
    return found


@pytest.mark.parametrize("name", sorted(_loggers()))
def test_what_the_program_itself_warns_of_is_logged_with_its_arguments(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LIVING_TABLE_DEBUG", raising=False)
    record = logging.LogRecord(name, logging.WARNING, __file__, 1, "A room is kept waiting: %s", (OPERATORS,), None)
    assert json.loads(JsonLines().format(record))["message"] == f"A room is kept waiting: {OPERATORS}"


def test_the_modules_that_log_are_found() -> None:
    assert {"livingtable_server.sessions.keeper", "livingtable.web", "livingtable_server.app"} <= _loggers()
