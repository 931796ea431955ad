"""Whole games over real stdio: the server as a process of its own, as hosts start it, and clients that others wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastmcp import Client as FastClient
from fastmcp.client.transports import StdioTransport
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from tests.server.asking import Asker, alternatives, play_out
from tests.server.wire import Wire, command

from livingtable.game import Data

pytestmark = pytest.mark.anyio


def store(folder: Path) -> str:
    return f"sqlite:///{folder / 'ledger'}"


def process(folder: Path, *more: str) -> StdioServerParameters:
    program, *arguments = [*command(store(folder)), *more]
    return StdioServerParameters(command=program, args=arguments)


async def verified(asker: Asker, session: str, end: Data) -> None:
    expected = {"ok": True, "result": end["result"]}
    assert await asker.ask("verify_record", sessionId=session) == expected
    assert await asker.ask("verify_record", record=await asker.whole_record(session)) == expected


@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")]
)
@pytest.mark.parametrize("side", ["p1", "t1"])
async def test_the_sdks_client_plays_a_whole_game(tmp_path: Path, mode: str, version: str, side: str) -> None:
    async with Client(process(tmp_path), mode=mode) as client:
        assert client.protocol_version == version
        asker = Asker(client)
        session = await asker.begin("troll_night", seed=1, side=side)
        end = await play_out(asker, session, 4, side)
        await verified(asker, session, end)


@pytest.mark.slow
async def test_the_sdks_client_plays_every_seat_of_a_game(tmp_path: Path) -> None:
    async with Client(process(tmp_path)) as client:
        asker = Asker(client)
        session = await asker.begin("first_alliance", seed=1)
        end = await play_out(asker, session, 4)
        await verified(asker, session, end)


async def test_fastmcps_client_plays_a_whole_game(tmp_path: Path) -> None:
    program, *arguments = command(store(tmp_path))
    transport = StdioTransport(program, arguments, env=dict(os.environ), keep_alive=False)
    async with FastClient(transport) as client:

        async def ask(tool: str, **more: Any) -> Data:
            result = await client.call_tool(tool, more)
            assert result.structured_content is not None
            return result.structured_content

        end, session = await played_by(ask, "p2")
        assert await ask("verify_record", sessionId=session) == {"ok": True, "result": end["result"]}
        assert len(await client.list_tools()) >= 10
        assert await client.read_resource(f"session://{session}")
        assert await client.get_prompt("botwars_review_game", {"session": session})
        failed = await client.call_tool("get_state", {"sessionId": "nowhere"}, raise_on_error=False)
        assert failed.is_error


async def played_by(ask: Callable[..., Awaitable[Data]], side: str) -> tuple[Data, str]:
    random = Random(4)
    begun = await ask("new_game", scenario="troll_night", seed=1, side=side, detail="brief")
    session, answer = begun["sessionId"], begun["snapshot"]
    while answer["result"] is None:
        if answer.get("legal"):
            notation = random.choice(alternatives(answer["legal"]))
            answer = await ask("submit_action", sessionId=session, notation=notation, expectedVersion=answer["version"])
        else:
            answer = await ask("wait_for_turn", sessionId=session, side=side)
    return answer, session


async def test_a_client_that_comes_back_goes_on_with_its_game(tmp_path: Path) -> None:
    async with Client(process(tmp_path)) as client:
        session = await Asker(client).begin("troll_night", seed=1, side="p1")
    async with Client(process(tmp_path), mode="legacy") as client:
        asker = Asker(client)
        assert [s["sessionId"] for s in (await asker.ask("list_sessions", active=True))["sessions"]] == [session]
        assert (await asker.submit(session, (await asker.legal(session))[0], expectedVersion=0))["ok"] is True


async def test_two_processes_on_one_ledger_play_one_game(tmp_path: Path) -> None:
    async with Client(process(tmp_path)) as one, Client(process(tmp_path)) as other:
        askers = [Asker(one), Asker(other)]
        session = await askers[0].begin("mountain_pass", seed=4)
        for version in range(20):
            asker = askers[version % 2]
            assert (await asker.submit(session, (await asker.legal(session))[0], expectedVersion=version))["ok"]
        records = [await asker.whole_record(session) for asker in askers]
        assert records[0] == records[1]


async def test_core_tools_alone_are_enough_for_a_whole_game(tmp_path: Path) -> None:
    async with Client(process(tmp_path, "--tools", "core")) as client:
        asker = Asker(client)
        assert len((await client.list_tools()).tools) == 7
        session = await asker.begin("troll_night", seed=1, side="p1")
        assert (await play_out(asker, session, 4, "p1"))["result"]
        result = await client.call_tool("verify_record", {"sessionId": session})
        assert result.is_error
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert "verify_record" in content.text


# bytes on the wire


@pytest.mark.parametrize(
    "environment",
    [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252"}, {"PYTHONUTF8": "0", "LC_ALL": "POSIX"}],
    ids=lambda given: "-".join(given),
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_line_of_stdout_is_json_rpc_whatever_the_locale(
    tmp_path: Path, environment: dict[str, str], end: str
) -> None:
    """C63"""
    wire = Wire(store(tmp_path), {**os.environ, **environment})
    name = "Zoë 🦊 狐"
    setup: Data = {"game": "botwars", "wizard": None, "map": ["....."], "characters": [{"name": name}, {}]}
    call = {"name": "new_game", "arguments": {"setup": setup, "detail": "brief"}}
    number = wire.send("tools/call", json.dumps(call, ensure_ascii=False), end)
    line = wire.line()
    assert line is not None
    assert not line.endswith(b"\r")
    answer = json.loads(line.decode())
    assert answer["id"] == number
    assert answer["result"]["structuredContent"]["snapshot"]["seats"][0]["name"] == name
    assert f'"{name}"' in answer["result"]["content"][0]["text"]
    wire.close()


def test_what_is_no_json_does_not_end_the_server(tmp_path: Path) -> None:
    wire = Wire(store(tmp_path))
    for line in ("", "nonsense", "{", "[]", "[" * 10_000, '{"jsonrpc":"2.0"}', '{"id":1}', "\ufeff{}", "null", "5"):
        wire.send_line(line)
    session = wire.call("new_game", scenario="crossroads", detail="brief")["sessionId"]
    assert wire.call("get_state", sessionId=session, detail="brief")["version"] == 0
    wire.close()


def test_the_server_ends_when_its_input_does_and_leaves_nothing_on_stdout(tmp_path: Path) -> None:
    wire = Wire(store(tmp_path))
    wire.call("new_game", scenario="crossroads", side="p1", detail="brief")
    assert wire.process.stdin is not None
    assert wire.process.stdout is not None
    wire.process.stdin.close()
    assert wire.process.wait(60) == 0
    assert wire.process.stdout.read() == b""
    wire.process.stdout.close()


def test_requests_on_one_wire_are_answered_while_another_waits(tmp_path: Path) -> None:
    wire = Wire(store(tmp_path))
    setup: Data = {"game": "botwars", "wizard": None, "map": ["......."], "characters": [{}, {}]}
    session = wire.call("new_game", setup=setup, detail="brief")["sessionId"]
    waiting = wire.send_call("wait_for_turn", sessionId=session, side="p2", timeoutSeconds=25)
    played = wire.send_call("submit_action", sessionId=session, notation="pass", expectedVersion=0)
    answers: dict[int, Data] = {}
    while len(answers) < 2:
        line = wire.line()
        assert line is not None
        message = json.loads(line)
        answers[message["id"]] = message["result"]["structuredContent"]
    assert answers[played]["ok"] is True
    assert answers[waiting]["ready"] is True
    assert answers[waiting]["version"] == 1
    wire.close()
