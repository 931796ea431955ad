"""Resources, each with a tool that does the same, and prompts."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents
from tests.server.asking import Asker, play_out
from tests.server.setups import BESIDE_A_TROLL, FAR_APART

from livingtable_server.app import mcp_server
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

TEMPLATES = {
    "rules://{game}": "text/markdown",
    "scenario://{name}": "application/json",
    "session://{sessionId}": "application/json",
    "board://{sessionId}": "image/svg+xml",
    "record://{sessionId}": "application/json",
}
PROMPTS = Path(__file__).parents[2] / "prompts"


async def read(asker: Asker, uri: str, mime_type: str) -> str:
    (content,) = (await asker.client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert (content.uri, content.mime_type) == (uri, mime_type)
    return content.text


async def not_found(asker: Asker, uri: str) -> str:
    with pytest.raises(MCPError) as error:
        await asker.client.read_resource(uri)
    text = error.value.error.message
    assert "fault of the server" not in text
    return text


# resources


async def test_the_contracts_templates_are_listed(asker: Asker) -> None:
    templates = (await asker.client.list_resource_templates()).resource_templates
    assert {t.uri_template: t.mime_type for t in templates} == TEMPLATES
    assert all(t.name and t.description for t in templates)


async def test_rules_are_listed_by_their_addresses(asker: Asker) -> None:
    listed = {r.uri for r in (await asker.client.list_resources()).resources}
    assert "rules://botwars" in listed
    assert not [uri for uri in listed if "{" in uri]
    for uri in listed:
        assert await read(asker, uri, "text/markdown")


async def test_rules_are_what_the_tool_gives(asker: Asker) -> None:
    text = await read(asker, "rules://botwars", "text/markdown")
    assert text == await asker.text("read_rules", game="botwars")


async def test_a_scenario_is_one_that_can_be_sent_as_a_setup(asker: Asker) -> None:
    for scenario in (await asker.ask("list_scenarios"))["scenarios"]:
        setup = json.loads(await read(asker, f"scenario://{scenario['name']}", "application/json"))
        assert (setup["name"], setup["game"]) == (scenario["name"], scenario["game"])
        by_setup = await asker.ask("new_game", setup=setup, seed=3)
        by_name = await asker.ask("new_game", scenario=scenario["name"], seed=3)
        assert by_setup["snapshot"]["state"] == by_name["snapshot"]["state"]


async def test_a_session_is_its_snapshot(asker: Asker) -> None:
    session = await asker.begin("crossroads", seed=1, side="p2")
    text = await read(asker, f"session://{session}", "application/json")
    assert json.loads(text) == await asker.ask("get_state", sessionId=session)


async def test_a_session_is_read_anew_each_time(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for version in range(3):
        text = await read(asker, f"session://{session}", "application/json")
        assert json.loads(text)["version"] == version
        await asker.submit(session, "pass")


async def test_a_board_is_a_picture(asker: Asker) -> None:
    session = await asker.begin("crossroads", seed=1)
    picture = ElementTree.fromstring(await read(asker, f"board://{session}", "image/svg+xml"))
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    shown = " ".join("".join(element.itertext()) for element in picture.iter())
    for side in ("p1", "p6", "t2"):
        assert side in shown


async def test_a_record_is_whole(asker: Asker) -> None:
    session = await asker.begin("troll_night", seed=1, side="p1")
    await play_out(asker, session, 0, "p1")
    record = json.loads(await read(asker, f"record://{session}", "application/json"))
    assert record == await asker.whole_record(session)
    assert (await asker.ask("verify_record", record=record))["ok"] is True


@pytest.mark.parametrize("scheme", ["session", "board", "record"])
async def test_an_unknown_session_is_told_so(asker: Asker, scheme: str) -> None:
    text = await not_found(asker, f"{scheme}://nowhere")
    assert "no session" in text
    assert "new_game" in text


async def test_an_unknown_scenario_is_told_the_nearest(asker: Asker) -> None:
    assert '"crossroads"' in await not_found(asker, "scenario://crosroads")


async def test_an_unknown_games_rules_are_told_which_there_are(asker: Asker) -> None:
    assert "botwars" in await not_found(asker, "rules://chess")


@pytest.mark.parametrize(
    "uri", ["board://", "nonsense://x", "session://x/y", "http://127.0.0.1/", "file:///etc/passwd"]
)
async def test_an_address_of_no_such_kind_is_unknown(asker: Asker, uri: str) -> None:
    await not_found(asker, uri)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_both_protocol_eras_read_resources_and_prompts(mode: str) -> None:
    async with Client(mcp_server(Settings("sqlite://")), mode=mode) as client:
        asker = Asker(client)
        session = await asker.begin(FAR_APART)
        assert json.loads(await read(asker, f"session://{session}", "application/json"))["version"] == 0
        await not_found(asker, "session://nowhere")
        assert (await client.list_prompts()).prompts
        assert (await client.get_prompt("botwars_play_player", {})).messages


# prompts


async def prompt_text(asker: Asker, name: str, arguments: dict[str, str]) -> str:
    (message,) = (await asker.client.get_prompt(name, arguments)).messages
    assert isinstance(message.content, TextContent)
    assert message.role == "user"
    return message.content.text


async def test_every_prompt_file_is_a_prompt(asker: Asker) -> None:
    prompts = (await asker.client.list_prompts()).prompts
    assert len(prompts) == len(list(PROMPTS.glob("*/*.md")))
    assert {"botwars_play_player", "botwars_play_troll", "botwars_review_game"} <= {p.name for p in prompts}
    for prompt in prompts:
        assert prompt.title
        assert prompt.description
        assert all(a.description for a in prompt.arguments or [])


async def test_a_prompt_needs_only_its_required_arguments(asker: Asker) -> None:
    for prompt in (await asker.client.list_prompts()).prompts:
        needed = {a.name: "given" for a in prompt.arguments or [] if a.required}
        text = await prompt_text(asker, prompt.name, needed)
        assert "{{" not in text
        assert "{%" not in text


async def test_a_prompt_takes_its_arguments(asker: Asker) -> None:
    text = await prompt_text(asker, "botwars_play_player", {"scenario": "mountain_pass", "side": "p3", "seed": "42"})
    assert '"mountain_pass"' in text
    assert '"p3"' in text
    assert "42" in text


async def test_a_prompts_argument_is_no_template(asker: Asker) -> None:
    text = await prompt_text(asker, "botwars_play_player", {"style": "{{ 7 * 7 }} {% raw %}"})
    assert "{{ 7 * 7 }} {% raw %}" in text


async def test_an_unknown_prompt_is_an_error(asker: Asker) -> None:
    with pytest.raises(MCPError, match="botwars_play_player"):
        await asker.client.get_prompt("nonsense", {})
    with pytest.raises(MCPError, match='did you mean "botwars_play_troll"'):
        await asker.client.get_prompt("botwars_play_trol", {})


async def test_an_unknown_argument_of_a_prompt_is_named_with_the_nearest_known_one(asker: Asker) -> None:
    with pytest.raises(MCPError, match=r'"scenarioo"; did you mean "scenario"'):
        await asker.client.get_prompt("botwars_play_player", {"scenarioo": "crossroads"})


async def test_a_prompt_without_a_required_argument_names_it(asker: Asker) -> None:
    prompts = (await asker.client.list_prompts()).prompts
    needy = [p for p in prompts if any(a.required for a in p.arguments or [])]
    for prompt in needy:
        required = next(a.name for a in prompt.arguments or [] if a.required)
        with pytest.raises(MCPError, match=required):
            await asker.client.get_prompt(prompt.name, {})


# what is logged


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_no_session_id_stands_in_any_log(
    mode: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    sessions: list[str] = []
    async with Client(mcp_server(Settings("sqlite://")), mode=mode) as client:
        asker = Asker(client)
        session = await asker.begin("mountain_pass", seed=2, side="p1")
        sessions.append(session)
        await play_out(asker, session, 1, "p1")
        await every_error(asker, session)
        sessions.append(await asker.begin(BESIDE_A_TROLL))

        async def fails(*_: object, **__: object) -> Any:
            raise RuntimeError("a fault of our own")

        for method in ("get_state", "submit", "record", "board_svg", "record_page"):
            monkeypatch.setattr(SessionManager, method, fails)
        for tool, more in (("get_state", {}), ("submit_action", {"notation": "pass"}), ("get_record", {})):
            result = await client.call_tool(tool, {"sessionId": sessions[-1], **more})
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert "fault of the server" in content.text
            assert "a fault of our own" not in content.text
            assert sessions[-1] not in content.text
        for scheme in ("session", "record", "board"):
            with pytest.raises(MCPError):
                await client.read_resource(f"{scheme}://{sessions[-1]}")
    logged = [record.getMessage() + str(record.__dict__) + caplog.handler.format(record) for record in caplog.records]
    assert any("a fault of our own" in text for text in logged), "what went wrong is logged"
    for session in sessions:
        assert not [text for text in logged if session in text]


async def every_error(asker: Asker, session: str) -> None:
    """What goes wrong with a session's id in the request."""
    await asker.error("get_state", sessionId=session, side="p9")
    await asker.error("get_state", sessionId=session, detail="long")
    await asker.error("get_state", sessionID=session)
    await asker.error("get_record", sessionId=session, cursor="x")
    await asker.error("verify_record", sessionId=session, record={"format": "living-table/1"})
    await asker.error("new_game", fork=session, version=10_000)
    await asker.error("new_game", scenario=session)
    await asker.refused("game_over", session, notation="pass")
    await asker.refused("stale_version", session, notation="pass", expectedVersion=0)
    for uri in (f"session://{session}x", f"session://{session}/x", f"nonsense://{session}", f"scenario://{session}"):
        await not_found(asker, uri)
    with pytest.raises(MCPError):
        await asker.client.get_prompt(session, {})
    with pytest.raises(MCPError):
        await asker.client.get_prompt("botwars_play_player", {session: "x"})
