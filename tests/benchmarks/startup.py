"""Seconds from spawning the server to its `tools/list`, beside a bare server of the same SDK.

python -m tests.benchmarks.startup [--times 10]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from time import perf_counter

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def _to_tools_list(*arguments: str) -> float:
    begun = perf_counter()
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=list(arguments)))) as client:
        await client.list_tools()
        return perf_counter() - begun


async def measure(times: int) -> None:
    bare: list[float] = []
    ours: list[float] = []
    for _ in range(times):  # by turns
        bare.append(await _to_tools_list("-m", "tests.benchmarks.echo_server"))
        ours.append(await _to_tools_list("-m", "livingtable_server.cli", "mcp", "--store", "sqlite://"))
    base, mine = statistics.median(bare), statistics.median(ours)
    sys.stdout.write(f"bare server: median {base:.3f} s\nliving-table: median {mine:.3f} s, {mine / base:.2f} times\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    anyio.run(measure, parser.parse_args().times)


if __name__ == "__main__":
    main()
