"""Milliseconds a `submit_action` over real stdio, beside a bare echo tool of the same SDK in the same run.

python -m tests.benchmarks.stdio_latency [--calls 400]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

BLOCKS = 8


def _server(*arguments: str) -> Client:
    return Client(stdio_client(StdioServerParameters(command=sys.executable, args=list(arguments))))


def _answer(result: CallToolResult) -> dict[str, Any]:
    content: Any = result.structured_content
    return content


async def _echo(client: Client, calls: int) -> list[float]:
    times: list[float] = []
    for i in range(calls):
        begun = perf_counter()
        await client.call_tool("echo", {"text": f"move {i}"})
        times.append((perf_counter() - begun) * 1000)
    return times


async def _submits(client: Client, calls: int, game: dict[str, Any]) -> list[float]:
    """Plays on, a new game where one has ended; `game` is the arguments of `new_game`."""
    times: list[float] = []
    session, n = "", 0
    legal: list[str] = []
    while len(times) < calls:
        if not legal:
            begun = _answer(await client.call_tool("new_game", {**game, "seed": len(times)}))
            session, legal = begun["sessionId"], begun["snapshot"].get("legal", [])
            continue
        prefix, *alternatives = legal[0].split()
        notation = f"{prefix} {alternatives[n % len(alternatives)]}" if alternatives else prefix
        started = perf_counter()
        answer = await client.call_tool("submit_action", {"sessionId": session, "notation": notation})
        times.append((perf_counter() - started) * 1000)
        legal = _answer(answer)["legal"]
        n += 1
    return times


async def measure(calls: int) -> None:
    figures: dict[str, list[float]] = {"echo": [], "submit, no bot answers": [], "submit, seven bots answer": []}
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder) / 'games.sqlite3'}"
        async with (
            _server("-m", "tests.benchmarks.echo_server") as echo,
            _server("-m", "livingtable_server.cli", "mcp", "--store", store) as table,
        ):
            alone = {"scenario": "crossroads", "detail": "brief"}
            for _ in range(BLOCKS):  # by turns, so that a slow moment of the machine meets all
                figures["echo"] += await _echo(echo, calls // BLOCKS)
                figures["submit, no bot answers"] += await _submits(table, calls // BLOCKS, alone)
                figures["submit, seven bots answer"] += await _submits(table, calls // BLOCKS, {**alone, "side": "p1"})
    base = statistics.median(figures["echo"])
    for name, times in figures.items():
        median, high = statistics.median(times), statistics.quantiles(times, n=100)[98]
        sys.stdout.write(f"{name}: median {median:.2f} ms, 99th {high:.2f} ms, {median / base:.2f} times echo\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=400)
    anyio.run(measure, parser.parse_args().calls)


if __name__ == "__main__":
    main()
