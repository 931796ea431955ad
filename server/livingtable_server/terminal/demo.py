"""`living-table demo`: a scripted agent plays a whole game through the server's tools, as a model would.

The server is a process of its own, reached over stdio by the SDK's client. The agent gets nothing but what the tools
give: the state that its seat may see and the legal actions.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from rich.console import Console
from rich.screen import Screen
from rich.text import Text

from livingtable.agents import Agent, create
from livingtable.errors import RecordError
from livingtable.game import Action, Data
from livingtable.records import starting_state
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import Frame, is_interactive, ranking_table, safe, terminal
from livingtable_server.terminal.faults import UseError, complain
from livingtable_server.terminal.options import server_arguments
from livingtable_server.terminal.record_files import check_target, write_record
from livingtable_server.terminal.serve_stdio import module_command

AGENT = "greedy"
SECONDS_A_DECISION, SECONDS_A_LINE, SECONDS_AT_MOST = 0.25, 0.06, 1.5
DECISIONS_BETWEEN_BOARDS = 10
"""Where lines are printed one after the other."""
WAIT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be shown. Without a side the first seat is the agent's; without a seed one is drawn."""

    scenario: str
    seed: int | None = None
    side: str | None = None
    fast: bool = False
    out: str | None = None
