"""What one client can do to a server: `python -m tests.benchmarks.heavy_calls`.

It sends 41 records of 14,000 moves on a board of 100 x 100 to be made into moving pictures, and as many to be verified,
and meanwhile plays against `search:1`, as another client would; then it stops the server. Printed are how long each of
these calls took, how many of the 82 were turned away (429), how much memory the server used at most, and how long it
took to end.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from httpx2 import Client, HTTPError, Response
from tests.web.serving import Site
from tests.web.test_computing import WIDE, recorded

MOVES, RECORDS, GAMES = 14_000, 41, 20


def main() -> None:
    record = {"record": recorded(WIDE, MOVES)}
    site = Site()
    paths = [path for path in ("/records/animation.svg", "/records/verify") for _ in range(RECORDS)]
    with site.client() as heavy, site.client() as player, ThreadPoolExecutor(len(paths)) as senders:
        sent = [senders.submit(heavy.post, path, json=record) for path in paths]
        begun, moved = play(player)
        done = sum(future.done() for future in sent)
        memory = peak_memory(site)
        began = monotonic()
        code = site.stop()
        ended = monotonic() - began
    say(f"{MOVES} moves, {RECORDS} animations and {RECORDS} verifications at once")
    for what, seconds in (("new_game", begun), ("a move against search:1", moved)):
        say(f"{what}: median {statistics.median(seconds):.3f} s, at most {max(seconds):.3f} s, of {len(seconds)}")
    say(f"answered by then: {done}; all: {dict(Counter(outcome(future) for future in sent))}")
    say(f"memory at most {memory} MiB; ended after {ended:.2f} s with code {code}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def play(client: Client) -> tuple[list[float], list[float]]:
    """Seconds of each beginning and each move."""
    begun: list[float] = []
    moved: list[float] = []
    for seed in range(GAMES):
        game = {"scenario": "border_fort", "side": "ivory", "opponent": "search:1", "seed": seed}
        began = monotonic()
        session = client.post("/games", json=game).raise_for_status().json()["sessionId"]
        begun.append(monotonic() - began)
        began = monotonic()
        client.post(f"/games/{session}/actions", json={"notation": "end"}).raise_for_status()
        moved.append(monotonic() - began)
    return begun, moved


def outcome(future: Future[Response]) -> str:
    try:
        return str(future.result().status_code)
    except HTTPError as error:
        return type(error).__name__


def peak_memory(site: Site) -> int:
    """MiB, where the system tells it."""
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


if __name__ == "__main__":
    main()
