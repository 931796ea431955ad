"""Plays some turns through `langchain-mcp-adapters`, at a table given by its address or by the command that starts it.

Run as a module by the Python of an environment of its own: the adapters speak the older SDK of MCP. Prints what the
player says at the end.
"""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import sys
from typing import Any

import anyio
from langchain_core.tools import BaseTool
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from tests.web.agent_player import AgentPlayer

TABLE = "table"


async def over_http(url: str) -> None:
    """As the adapters do it if nothing else is said: each call is a session of MCP's own."""
    client = MultiServerMCPClient({TABLE: {"transport": "streamable_http", "url": url}})
    await play(await client.get_tools())


async def over_stdio(command: str, *arguments: str) -> None:
    client = MultiServerMCPClient({TABLE: {"transport": "stdio", "command": command, "args": list(arguments)}})
    async with client.session(TABLE) as session:
        await play(await load_mcp_tools(session))


async def play(tools: list[BaseTool]) -> None:
    by_name = {tool.name: tool for tool in tools}
    player = AgentPlayer()
    while (call := player.next_call()) is not None:
        name, arguments = call
        message: Any = await by_name[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
        assert message.status == "success", message.content
        player.answered(message.artifact["structured_content"])
    print(player.said)  # noqa: T201


if __name__ == "__main__":
    wire, *given = sys.argv[1:]
    anyio.run({"http": over_http, "stdio": over_stdio}[wire], *given)
