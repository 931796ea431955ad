"""The log is one JSON object a line, and nothing in it lets anybody play another's game."""

from __future__ import annotations

import json
import logging

import pytest
from tests.server.setups import FAR_APART
from tests.web.serving import Site
from tests.web.test_retries import WAYS, call

from livingtable_server.web.logs import JsonLines, log_request
from livingtable_server.web.served import Served

TOKEN = "sesame-and-more-of-it"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> JsonLines:
    monkeypatch.delenv("LIVING_TABLE_DEBUG", raising=False)
    return JsonLines()


def record(name: str, message: str, *given: object, error: BaseException | None = None) -> logging.LogRecord:
    about = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, logging.WARNING, __file__, 1, message, given, about)


def test_a_line_is_json_whatever_is_said(lines: JsonLines) -> None:
    line = json.loads(lines.format(record("livingtable.web", 'a "quoted"\nline of %s', "two")))
    assert line["message"] == 'a "quoted"\nline of two'
    assert line["level"] == "warning"
    assert line["time"].endswith("+00:00")


@pytest.mark.parametrize("name", ["livingtable.web", "livingtable_server.sessions.keeper", "livingtable"])
def test_what_we_say_ourselves_is_told_with_what_was_put_into_it(lines: JsonLines, name: str) -> None:
    line = json.loads(lines.format(record(name, "A room is kept waiting: %s", "the ledger cannot be reached")))
    assert line["message"] == "A room is kept waiting: the ledger cannot be reached"


@pytest.mark.parametrize("name", ["livingtables", "livingtable_servers.x", "mcp.livingtable"])
def test_a_name_that_only_begins_like_ours_is_others(lines: JsonLines, name: str) -> None:
    assert "secret-words" not in lines.format(record(name, "failed: %s", "secret-words"))


@pytest.mark.parametrize("secret", ["yufLA6wmPrsQWkeoavqwjj", "BCDF-GHJK", "BCDFGHJK", "0123456789abcdef"])
def test_what_others_code_says_is_told_without_what_may_be_a_secret(lines: JsonLines, secret: str) -> None:
    for said in (record("mcp.server", "failed for %s", secret), record("mcp.server", f"failed for {secret}: {secret}")):
        line = json.loads(lines.format(said))
        assert secret not in json.dumps(line)
        assert line["message"].startswith("failed for ")


def test_of_a_fault_it_is_told_what_and_where_and_not_what_it_says(lines: JsonLines) -> None:
    with pytest.raises(ValueError, match="Expecting value") as caught:
        json.loads("yufLA6wmPrsQWkeoavqwjj")
    line = json.loads(lines.format(record("livingtable.web", "a request failed", error=caught.value)))
    assert line["error"] == "JSONDecodeError"
    assert "test_logs.py" in line["where"][0]
    assert "text" not in line


def test_whoever_debugs_sees_it_all(lines: JsonLines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVING_TABLE_DEBUG", "1")
    line = json.loads(lines.format(record("mcp.server", "failed for %s", "all-of-this", error=ValueError("and that"))))
    assert line["message"] == "failed for all-of-this"
    assert line["text"] == "and that"


def test_a_request_is_logged_by_its_route(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "livingtable.requests"):
        log_request(Served("GET", "/games/{session}", 200, 0.0123))
    line = json.loads(JsonLines().format(caplog.records[0]))
    assert (line["method"], line["route"], line["status"], line["ms"]) == ("GET", "/games/{session}", 200, 12.3)


def test_no_key_and_no_token_gets_into_the_log_whatever_is_asked() -> None:
    site = Site(environment={"LIVING_TABLE_TOKEN": TOKEN})
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with site.client(headers=headers) as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
        for version, way in enumerate(WAYS):
            way(client, session, "pass", version)
        call(client, "get_state", sessionId=session)
        for path in (
            "",
            "/legal-actions",
            "/wait?timeoutSeconds=0",
            "/record",
            "/board.svg",
            "/nowhere",
            "/wait?side=x",
        ):
            client.get(f"/games/{session}{path}")
            client.get(f"/gaems/{session}{path}")
        client.get(f"/{session}?sessionId={session}&token={TOKEN}", headers={"x-player-id": session})
        client.request(session[:10], f"/games/{session}")
        client.post("/records/verify", json={"sessionId": session})
        client.post(f"/games/{session}/actions", content=b"{")
        for method, given in (
            ("resources/read", {"uri": f"session://{session}"}),
            ("resources/read", {"uri": f"board://{session}/nowhere"}),
            ("prompts/get", {"name": "botwars_review_game", "arguments": {"session": session, "x": session}}),
            ("tools/call", {"name": session, "arguments": {session: session}}),
            (session, {}),
            ("tools/call", session),
        ):
            message = {"jsonrpc": "2.0", "id": session, "method": method, "params": given}
            for version in ("2025-11-25", "2026-07-28", session):
                accept = "application/json, text/event-stream"
                client.post("/mcp", json=message, headers={"accept": accept, "mcp-protocol-version": version})
        client.get("/healthz", headers={"host": f"{session}.example", "origin": f"http://{session}"})
    assert site.stop() == 0
    said = "\n".join(site.said)
    assert len(site.logged()) > 30
    assert session not in said
    assert session[:10] not in said
    assert TOKEN not in said


def test_no_code_and_no_player_id_gets_into_the_log_whatever_is_asked() -> None:
    site = Site()
    with site.client() as client:
        made = client.post("/rooms", json={"scenario": "first_alliance", "name": "Ada"}).json()
        code, player = made["roomCode"], made["playerId"]
        other = client.post(f"/rooms/{code}/join", json={"name": "Bo"}).json()["playerId"]
        client.post(f"/rooms/{code}/join", json={"playerId": other})
        client.post(f"/rooms/{code}/bots", json={"playerId": player, "side": "all"})
        client.post(f"/rooms/{code}/actions", json={"playerId": player, "notation": "pass"})
        client.post(f"/rooms/{code}/actions", json={"playerId": code, "notation": player})
        for path in ("", "/legal-actions", "/wait?timeoutSeconds=0", "/record", "/board.svg", "/nix", f"?{player}=1"):
            for headers in ({}, {"x-player-id": player}, {"x-player-id": code}):
                client.get(f"/rooms/{code}{path}", headers=headers)
                client.get(f"/roms/{code}{path}", headers=headers)
        registered = client.post("/api/players", json={"name": "Cy"}).json()["token"]
        client.post("/api/start", headers={"authorization": f"Bearer {registered}"})
        call(client, "get_room_state", roomCode=code, playerId=player)
        call(client, "submit_room_action", roomCode=code, playerId=player, notation="pass")
    assert site.stop() == 0
    said = "\n".join(site.said)
    for secret in (code, code.replace("-", ""), player, other, registered):
        assert secret not in said
