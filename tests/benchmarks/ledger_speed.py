"""Milliseconds an append to the ledger takes: of one writer, one action after the other, and of sixteen at once.

python -m tests.benchmarks.ledger_speed [URL ...]

Without a URL: a SQLite file in a temporary folder, and a PostgreSQL out of the wheel.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from secrets import token_hex

from tests.server.stores import PostgresServer

from livingtable.game import Data
from livingtable_server.store.ledger import Entry, Ledger

WARMING, APPENDS, WRITERS = 200, 3_000, 16
HEAD: Data = {"game": "botwars", "scenario": {"name": "benchmark"}, "seed": 7}


async def measure(url: str) -> None:
    ledger = await Ledger.open(url)
    try:
        _say("one writer", await _appends(ledger, WARMING + APPENDS))
        begun = time.perf_counter()
        together = await asyncio.gather(*(_appends(ledger, WARMING + APPENDS // WRITERS) for _ in range(WRITERS)))
        seconds = time.perf_counter() - begun
        _say(f"{WRITERS} writers", [each for appends in together for each in appends])
        _tell(f"{'':12} {WRITERS * (WARMING + APPENDS // WRITERS) / seconds:8.0f} appends/s")
    finally:
        await ledger.close()


async def _appends(ledger: Ledger, count: int) -> list[float]:
    """Milliseconds of each, without the first ones."""
    session_id = token_hex(11)
    await ledger.create(session_id, HEAD)
    took: list[float] = []
    for version in range(1, count + 1):
        event = {"type": "moved", "version": version, "side": "p1", "from": "3,4", "to": "4,4", "line": {"p1": "4,4"}}
        begun = time.perf_counter()
        assert await ledger.append(session_id, Entry(version, "p1", {"type": "move", "to": "4,4"}, [event]), None)
        took.append((time.perf_counter() - begun) * 1000)
    return took[WARMING:]


def _say(who: str, took: list[float]) -> None:
    cuts = statistics.quantiles(took, n=100)
    _tell(f"{who:12} median {cuts[49]:.3f} ms, 99th percentile {cuts[98]:.3f} ms, worst {max(took):.2f} ms")


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    if sys.argv[1:]:
        for url in sys.argv[1:]:
            asyncio.run(measure(url))
        return
    with tempfile.TemporaryDirectory() as folder:
        _tell("SQLite, a file")
        asyncio.run(measure(f"sqlite:///{folder}/ledger.db"))
    server = PostgresServer()
    try:
        _tell("PostgreSQL, by a socket")
        asyncio.run(measure(server.new_schema()))
        _tell("PostgreSQL, by a socket, without its wait for the disk (synchronous_commit = off)")
        asyncio.run(measure(f"{server.new_schema()}%20-csynchronous_commit%3Doff"))
    finally:
        server.end()


if __name__ == "__main__":
    main()
