"""What a host sees of the tools before any call (contract, *Schemas*), and what it costs."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from mcp import Client
from mcp_types import Tool
from tests.server.asking import compact
from tests.server.tokens import tokens

from livingtable_server.app import mcp_server
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

CONTRACT: dict[str, dict[str, str]] = {
    "list_scenarios": {"game": "string"},
    "read_rules": {"game": "string", "section": "string"},
    "new_game": {
        "scenario": "string",
        "setup": "object",
        "fork": "string",
        "version": "integer",
        "seed": "integer",
        "side": "string",
        "opponent": "string",
        "health": "number",
        "detail": "string",
    },
    "get_state": {"sessionId": "string", "side": "string", "sinceVersion": "integer", "detail": "string"},
    "list_legal_actions": {"sessionId": "string", "side": "string", "detail": "string"},
    "submit_action": {
        "sessionId": "string",
        "action": "object",
        "notation": "string",
        "side": "string",
        "expectedVersion": "integer",
        "detail": "string",
    },
    "wait_for_turn": {
        "sessionId": "string",
        "side": "string",
        "timeoutSeconds": "number",
        "sinceVersion": "integer",
        "detail": "string",
    },
    "get_record": {"sessionId": "string", "cursor": "string"},
    "verify_record": {"record": "object", "sessionId": "string"},
    "list_sessions": {"active": "boolean"},
}
CORE = list(CONTRACT)[:7]
REQUIRED = {
    "read_rules": ["game"],
    "get_state": ["sessionId"],
    "list_legal_actions": ["sessionId"],
    "submit_action": ["sessionId"],
}
"""Of the tools that rooms do not change."""
READING = {
    "list_scenarios",
    "read_rules",
    "get_room_state",
    "get_state",
    "list_legal_actions",
    "get_record",
    "verify_record",
    "list_sessions",
}


async def listed(choice: Literal["core", "all"] = "all") -> list[Tool]:
    async with Client(mcp_server(Settings("sqlite://"), choice)) as client:
        return (await client.list_tools()).tools


@pytest.fixture
async def tools(anyio_backend: str) -> list[Tool]:
    assert anyio_backend == "asyncio"
    return await listed()


def definition(tool: Tool) -> dict[str, Any]:
    return tool.model_dump(by_alias=True, exclude_none=True, mode="json")


def properties(tool: Tool) -> dict[str, Any]:
    return tool.input_schema["properties"]


async def test_every_tool_of_the_contract_is_there(tools: list[Tool]) -> None:
    assert {tool.name for tool in tools} >= set(CONTRACT)


async def test_core_is_the_first_seven_of_the_contract() -> None:
    assert [tool.name for tool in await listed("core")] == CORE


async def test_the_core_tools_come_first_in_the_whole_list(tools: list[Tool]) -> None:
    assert [tool.name for tool in tools][: len(CORE)] == CORE


async def test_the_list_is_the_same_each_time(tools: list[Tool]) -> None:
    assert [definition(tool) for tool in await listed()] == [definition(tool) for tool in tools]


async def test_tool_names_are_plain(tools: list[Tool]) -> None:
    assert all(re.fullmatch(r"[a-z_]{1,40}", tool.name) for tool in tools)


async def test_tools_take_what_the_contract_says_by_its_names_and_types(tools: list[Tool]) -> None:
    for tool in tools:
        taken = {name: schema["type"] for name, schema in properties(tool).items()}
        expected = CONTRACT.get(tool.name, taken)
        assert taken.items() >= expected.items(), tool.name


async def test_only_what_a_call_cannot_do_without_is_required(tools: list[Tool]) -> None:
    required = {tool.name: tool.input_schema.get("required", []) for tool in tools}
    assert {name: required[name] for name in REQUIRED} == REQUIRED
    assert required["new_game"] == required["list_scenarios"] == required["list_sessions"] == []


async def test_input_schemas_are_flat_objects_of_one_type_a_property(tools: list[Tool]) -> None:
    for tool in tools:
        schema = tool.input_schema
        assert schema["type"] == "object", tool.name
        assert set(schema) == {"type", "properties", "required", "additionalProperties"}, tool.name
        assert set(schema["required"]) <= set(schema["properties"]), tool.name
        for name, part in schema["properties"].items():
            assert re.fullmatch(r"[a-z][a-zA-Z]*", name), (tool.name, name)
            assert isinstance(part["type"], str), (tool.name, name)
            assert not set(part) & {"anyOf", "oneOf", "allOf", "$ref", "properties", "items", "default"}, name


async def test_no_schema_branches_or_refers(tools: list[Tool]) -> None:
    for tool in tools:
        for schema in (tool.input_schema, tool.output_schema):
            assert not re.search(r'"(anyOf|oneOf|allOf|\$ref|\$defs)"', compact(schema)), tool.name


async def test_action_setup_and_record_are_plain_objects(tools: list[Tool]) -> None:
    by_name = {tool.name: properties(tool) for tool in tools}
    for tool, name in (("submit_action", "action"), ("new_game", "setup"), ("verify_record", "record")):
        assert set(by_name[tool][name]) <= {"type", "description"}


async def test_seeds_tell_their_range(tools: list[Tool]) -> None:
    seed = next(properties(tool)["seed"] for tool in tools if tool.name == "new_game")
    assert (seed["minimum"], seed["maximum"]) == (0, 2**53 - 1)


async def test_output_schemas_are_objects_at_the_top(tools: list[Tool]) -> None:
    for tool in tools:
        assert tool.output_schema is not None, tool.name
        assert tool.output_schema["type"] == "object", tool.name


async def test_descriptions_have_at_most_three_sentences(tools: list[Tool]) -> None:
    for tool in tools:
        assert tool.description, tool.name
        ends = re.findall(r"[.!?](?=\s|$)", tool.description)
        assert 1 <= len(ends) <= 3, (tool.name, len(ends))


async def test_every_tool_is_annotated(tools: list[Tool]) -> None:
    for tool in tools:
        notes = tool.annotations
        assert notes is not None, tool.name
        assert notes.read_only_hint is (tool.name in READING), tool.name
        assert notes.open_world_hint is False, tool.name
        if not notes.read_only_hint:
            assert notes.destructive_hint is False, tool.name


async def test_all_definitions_cost_at_most_3000_tokens_and_the_core_1600(tools: list[Tool]) -> None:
    assert tokens(compact([definition(tool) for tool in tools])) <= 3000
    assert tokens(compact([definition(tool) for tool in await listed("core")])) <= 1600


async def test_instructions_have_at_most_1200_characters() -> None:
    async with Client(mcp_server(Settings("sqlite://"))) as client:
        assert client.instructions
        assert len(client.instructions) <= 1200


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_both_protocol_eras_see_the_same_tools(mode: str, tools: list[Tool]) -> None:
    async with Client(mcp_server(Settings("sqlite://")), mode=mode) as client:
        seen = (await client.list_tools()).tools
        assert [definition(tool) for tool in seen] == [definition(tool) for tool in tools]
        assert (client.protocol_version == "2026-07-28") is (mode != "legacy")
