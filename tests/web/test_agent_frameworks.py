"""Agents as they are built with other people's frameworks play some turns, over HTTP and stdio. Their models are made
up here: no model is asked, and nothing leaves this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import agents
import pydantic_ai
import pytest
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from fastmcp.client.transports import StdioTransport
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from tests.server.wire import command
from tests.web.agent_player import TURNS, AgentPlayer
from tests.web.ci_tools import run_with_langchain
from tests.web.serving import SECONDS_AT_MOST, Site

from livingtable.game import Data

pytestmark = pytest.mark.anyio

WIRES = pytest.mark.parametrize("wire", ["http", "stdio"])
SAID = f"{TURNS} turns played."


def stdio_command(folder: Path) -> list[str]:
    return command(f"sqlite:///{folder / 'ledger'}")


# pydantic-ai


def pydantic_tools(wire: str, site: Site, folder: Path) -> MCPToolset[object]:
    program, *arguments = stdio_command(folder)
    where = f"{site.url}/mcp" if wire == "http" else StdioTransport(program, arguments, keep_alive=False)
    return MCPToolset(where, tool_error_behavior="failed", read_timeout=SECONDS_AT_MOST)


@WIRES
async def test_an_agent_of_pydantic_ai_plays(wire: str, site: Site, tmp_path: Path) -> None:
    player = AgentPlayer()

    async def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        latest = messages[-1]
        assert isinstance(latest, ModelRequest)
        for part in latest.parts:
            if isinstance(part, ToolReturnPart):
                player.answered(part.content)
        call = player.next_call()
        if call is None:
            return ModelResponse([TextPart(player.said)])
        assert call[0] in [tool.name for tool in info.function_tools]
        return ModelResponse([ToolCallPart(*call)])

    agent = pydantic_ai.Agent(FunctionModel(model), toolsets=[pydantic_tools(wire, site, tmp_path)])
    assert (await agent.run("Play.")).output == SAID


@WIRES
async def test_a_model_that_calls_every_tool_with_made_up_arguments_is_told_what_is_wrong(
    wire: str, site: Site, tmp_path: Path
) -> None:
    tools = pydantic_tools(wire, site, tmp_path)
    async with pydantic_ai.Agent(TestModel(), toolsets=[tools]) as agent:
        names = {tool.name for tool in await tools.list_tools()}
        ran = await agent.run("Try everything.")
    parts = [part for message in ran.all_messages() for part in message.parts]
    told = {part.tool_name: str(part.content) for part in parts if isinstance(part, ToolReturnPart)}
    assert told.keys() == names
    assert [name for name, text in told.items() if "fault of the server" in text or "Traceback" in text] == []
    assert "There is no session of this id" in told["get_state"]
    assert "list_scenarios" in told["new_game"]


# openai-agents


class MadeUpModel(agents.Model):
    """Answers with the player's next call, as a model of the Responses API would."""

    def __init__(self, player: AgentPlayer) -> None:
        self._player = player

    async def get_response(self, system_instructions: str | None, input: Any, *given: Any, **more: Any) -> Any:  # noqa: A002
        latest: Data = input[-1]
        if latest.get("type") == "function_call_output":
            self._player.answered(json.loads(latest["output"]))
        call = self._player.next_call()
        item = said(self._player.said) if call is None else called(*call, len(self._player.answers))
        return agents.ModelResponse([item], agents.Usage(requests=1), None)

    def stream_response(self, *given: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def called(tool: str, arguments: Data, number: int) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id=f"call-{number}", name=tool, arguments=json.dumps(arguments)
    )


def said(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(type="message", id="end", role="assistant", status="completed", content=[content])


def openai_server(wire: str, site: Site, folder: Path) -> MCPServerStdio | MCPServerStreamableHttp:
    program, *arguments = stdio_command(folder)
    if wire == "http":
        return MCPServerStreamableHttp(
            {"url": f"{site.url}/mcp", "timeout": SECONDS_AT_MOST},
            client_session_timeout_seconds=SECONDS_AT_MOST,
            use_structured_content=True,
        )
    return MCPServerStdio(
        {"command": program, "args": arguments},
        client_session_timeout_seconds=SECONDS_AT_MOST,
        use_structured_content=True,
    )


@WIRES
async def test_an_agent_of_openai_agents_plays(wire: str, site: Site, tmp_path: Path) -> None:
    untraced = agents.RunConfig(tracing_disabled=True)
    async with openai_server(wire, site, tmp_path) as server:
        agent = agents.Agent("player", model=MadeUpModel(AgentPlayer()), mcp_servers=[server])
        ran = await agents.Runner.run(agent, "Play.", max_turns=5 * TURNS, run_config=untraced)
    assert ran.final_output == SAID


# LangChain


@WIRES
def test_the_tools_of_langchains_adapters_play(wire: str, site: Site, tmp_path: Path) -> None:
    where = [f"{site.url}/mcp"] if wire == "http" else stdio_command(tmp_path)
    done = run_with_langchain(tmp_path, "tests.web.langchain_player", wire, *where)
    assert (done.returncode, done.stdout) == (0, f"{SAID}\n"), done.stderr
