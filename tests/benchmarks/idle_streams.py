"""Many idle streams of events on one server: what they cost, and whether each is told of what happens at last."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from httpx2 import AsyncClient, Limits, Response
from tests.benchmarks.repeating import NO_LIMITS, say
from tests.web.serving import Site

from livingtable.game import Data

GAMES = 50
"""Over which the streams are spread."""
IDLE_SECONDS = 10.0
FAR: Data = {
    "game": "botwars",
    "name": "idle",
    "wizard": None,
    "map": [".........."] * 10,
    "characters": [{"position": "0,0"}, {"position": "9,9"}],
}


@dataclass(frozen=True, slots=True)
class Game:
    """`path` is that of its routes, `secrets` go with its actions."""

    path: str
    secrets: Data


async def of_games(client: AsyncClient) -> Game:
    made = (await client.post("/games", json={"setup": FAR})).json()
    return Game(f"/games/{made['sessionId']}", {})


async def of_rooms(client: AsyncClient) -> Game:
    made = (await client.post("/rooms", json={"setup": FAR, "side": "p1", "seatTimeoutSeconds": 0})).json()
    path = f"/rooms/{made['roomCode']}"
    assert (await client.post(f"{path}/join", json={})).status_code == 200
    return Game(path, {"playerId": made["playerId"]})


OF_GAMES, OF_ROOMS = "games", "rooms"
_MAKE = {OF_GAMES: of_games, OF_ROOMS: of_rooms}


async def idle_streams(store: str, number: int, of: str) -> None:
    site = Site(*NO_LIMITS, store=store)
    limits = Limits(max_connections=number + 50)
    try:
        async with AsyncClient(base_url=site.url, timeout=60, verify=False, limits=limits) as client:
            games = [await _MAKE[of](client) for _ in range(GAMES)]
            before = memory(site.process.pid)
            opened: list[Response] = []
            for first in range(0, number, GAMES):
                opened += await asyncio.gather(*(begin(client, games[i % GAMES]) for i in range(first, first + GAMES)))
            used, begun = seconds_used(site.process.pid), time.perf_counter()
            await asyncio.sleep(IDLE_SECONDS)
            share = (seconds_used(site.process.pid) - used) / (time.perf_counter() - begun)
            grown = memory(site.process.pid) - before
            say(f"    {number} idle streams of {of}, {store.partition(':')[0]}: {share:.0%} of one processor, ")
            say(f"        {grown / number:.0f} KiB each; an answer of /readyz takes {await asked(client):.0f} ms")
            begun = time.perf_counter()
            heard = [asyncio.create_task(first_event(stream)) for stream in opened]
            for game in games:
                answer = await client.post(f"{game.path}/actions", json={"notation": "pass", **game.secrets})
                assert answer.json()["ok"], answer.text
            assert set(await asyncio.gather(*heard)) == {"id: 1"}
            say(f"    each was told of an action within {time.perf_counter() - begun:.1f} s")
            await asyncio.gather(*(stream.aclose() for stream in opened))
        async with asyncio.timeout(30), AsyncClient(base_url=site.url, verify=False) as client:
            while 'livingtable_open{kind="streams"} 0.0' not in (await client.get("/metrics")).text:
                await asyncio.sleep(0.1)
        say("    and none is counted as open any more")
    finally:
        site.stop()


async def begin(client: AsyncClient, game: Game) -> Response:
    answer = await client.send(client.build_request("GET", f"{game.path}/events"), stream=True)
    assert answer.status_code == 200
    return answer


async def first_event(stream: Response) -> str:
    """The line with its version."""
    async for line in stream.aiter_lines():
        if line.startswith("id:"):
            return line
    return "nothing"


async def asked(client: AsyncClient) -> float:
    begun = time.perf_counter()
    assert (await client.get("/readyz")).status_code == 200
    return (time.perf_counter() - begun) * 1000


def memory(process: int) -> int:
    """KiB."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def seconds_used(process: int) -> float:
    """Of the processor."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100
