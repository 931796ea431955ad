"""Serving MCP over stdin and stdout, and what is said to a person who starts that at a terminal.

A host waits while this starts, so it imports as little as a bare server does; stdout belongs to JSON-RPC alone.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Literal, cast

from livingtable.version import __version__
from livingtable_server.settings import Settings


def serve(settings: Settings, tools: Literal["core", "all"] = "all") -> None:
    """Serves until stdin is closed. Ctrl-C ends it at once: whatever was acknowledged is stored already."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if not sys.stdin or not sys.stdout:
        return  # Both were closed before we began: there is nobody to serve.
    # Else what somebody prints would lie in the buffer until the end, and then land on the wire.
    cast(io.TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)
    if sys.stdin.isatty():
        sys.stderr.write(introduction())
        sys.stderr.flush()
    from livingtable_server.app import mcp_server

    try:
        mcp_server(settings, tools).run("stdio")
    except* (BrokenPipeError, ConnectionResetError):
        _forget_stdout()


def introduction() -> str:
    """For a terminal: what this is, how an agent gets at it, and what there is for a person."""
    command, *arguments = own_command()
    server = {"command": command, "args": arguments}
    snippet = json.dumps({"mcpServers": {"living-table": server}}, indent=2, ensure_ascii=False)
    return (
        f"living-table {__version__} serves games to agents over MCP, and waits for one on stdin.\n"
        "Ctrl-C ends it.\n\n"
        "To let an agent play, put this into the configuration of its host, such as\nClaude Desktop or Cursor:\n\n"
        f"{snippet}\n\n"
        "living-table demo     shows a game\n"
        "living-table play     lets you play one\n"
        "living-table --help   lists all commands\n"
    )


def own_command() -> list[str]:
    """How another program starts this one."""
    script = Path(sys.argv[0])
    if script.stem.startswith("living-table"):
        found = shutil.which(str(script)) or shutil.which(script.name)
        if found:
            return [str(Path(found).absolute())]
    return module_command()


def module_command() -> list[str]:
    """The same by this interpreter. `-P`: the current folder may hold anything, also a module of our names."""
    return [sys.executable, "-P", "-m", "livingtable_server"]


def _forget_stdout() -> None:
    """The reader of stdout has gone: what is left for it goes nowhere, without a complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
