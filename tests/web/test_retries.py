"""A call sent again is applied once, whichever way it comes (C40), after a cut (C48), and after a restart (C47)."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from httpx2 import Client
from tests.server.setups import FAR_APART
from tests.web.serving import SECONDS_AT_MOST, Site

from livingtable.game import Data

Submit = Callable[[Client, str, str, int], Data]


def over_rest(client: Client, session: str, notation: str, version: int) -> Data:
    body = {"notation": notation, "expectedVersion": version}
    return client.post(f"/games/{session}/actions?detail=brief", json=body).json()


def over_mcp(client: Client, session: str, notation: str, version: int) -> Data:
    return call(client, "submit_action", sessionId=session, notation=notation, expectedVersion=version)


def over_modern_mcp(client: Client, session: str, notation: str, version: int) -> Data:
    given = {"sessionId": session, "notation": notation, "expectedVersion": version}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    parameters = {"name": "submit_action", "arguments": given, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "submit_action",
    }
    return told(client.post("/mcp", json=message, headers=headers).text)


def call(client: Client, tool: str, *, session_header: str | None = None, **given: object) -> Data:
    """A tool's answer over the older protocol, by a bare request: there is nothing to begin first."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
    headers = {"accept": "application/json, text/event-stream"}
    if session_header:
        headers["mcp-session-id"] = session_header
    return told(client.post("/mcp", json=message, headers=headers).text)


def told(text: str) -> Data:
    """The structured half of a result, out of one JSON message or of a stream with that message."""
    line = next((line[6:] for line in text.splitlines() if line.startswith("data: {")), text)
    message = json.loads(line)
    assert "error" not in message, message
    assert not message["result"].get("isError"), message
    return message["result"]["structuredContent"]


WAYS: list[Submit] = [over_rest, over_mcp, over_modern_mcp]


def begin(client: Client) -> str:
    return client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]


def applied(client: Client, session: str) -> int:
    return len(client.get(f"/games/{session}/record").json()["record"]["actions"])


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("second", WAYS)
def test_the_same_submit_one_after_the_other_is_applied_once(site: Site, first: Submit, second: Submit) -> None:
    """C40"""
    with site.client() as client:
        session = begin(client)
        once = first(client, session, "move 1,0", 0)
        assert "repeated" not in once
        assert second(client, session, "move 1,0", 0) == {**once, "repeated": True}
        assert applied(client, session) == 1


def test_the_same_submit_at_once_over_every_way_is_applied_once(site: Site) -> None:
    """C40"""
    with site.client() as client, ThreadPoolExecutor(12) as threads:
        for _ in range(5):
            session = begin(client)
            calls = [threads.submit(way, client, session, "move 1,0", 0) for way in WAYS * 4]
            answers = [call.result() for call in calls]
            fresh = [answer for answer in answers if "repeated" not in answer]
            assert len(fresh) == 1
            assert [a for a in answers if a not in fresh] == [{**fresh[0], "repeated": True}] * 11
            assert applied(client, session) == 1


def test_a_submit_whose_answer_was_cut_off_is_applied_once(site: Site) -> None:
    """C48"""
    with site.client() as client:
        session = begin(client)
        body = json.dumps({"notation": "move 1,0", "expectedVersion": 0}).encode()
        head = f"POST /games/{session}/actions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        request = head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
        with socket.create_connection(("127.0.0.1", site.port), SECONDS_AT_MOST) as connection:
            connection.sendall(request)
        answer = over_rest(client, session, "move 1,0", 0)
        assert answer["ok"] is True
        assert answer["version"] == 1
        assert applied(client, session) == 1


def test_an_mcp_call_that_was_cut_off_is_applied_once(site: Site) -> None:
    """C48"""
    given = {"notation": "move 1,0", "expectedVersion": 0}
    with site.client() as client:
        session = begin(client)
        parameters = {"name": "submit_action", "arguments": {"sessionId": session, **given}}
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}).encode()
        head = (
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", site.port), SECONDS_AT_MOST) as connection:
            connection.sendall(head % len(message) + message)
        assert over_mcp(client, session, "move 1,0", 0)["version"] == 1
        assert applied(client, session) == 1


def test_after_a_kill_a_client_goes_on_by_its_handle(tmp_path: Path) -> None:
    """C47: an old Mcp-Session-Id means nothing, and does no harm."""
    store = f"sqlite:///{tmp_path / 'ledger'}"
    site = Site(store=store)
    with site.client() as client:
        session = begin(client)
        first = over_mcp(client, session, "move 1,0", 0)
    site.kill()
    site = Site(store=store)
    with site.client() as client:
        again = call(
            client,
            "submit_action",
            session_header="0123456789abcdef0123456789abcdef",
            sessionId=session,
            notation="move 1,0",
            expectedVersion=0,
        )
        assert again == {**first, "repeated": True}
        assert over_rest(client, session, "pass", 1)["version"] == 2
    assert site.stop() == 0
