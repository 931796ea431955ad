"""Load and faults of the server over HTTP, with figures.

python -m tests.benchmarks.rooms_load [faults] [idle] [speed] [--rooms 200] [--clients 64]

faults: two processes on one PostgreSQL, rooms of four seats played by scripted clients while one process after the
other is killed and started again; every game must end, no acknowledged action be lost or doubled, every record verify.
idle: memory of a thousand idle sessions. speed: 64 clients on one process, beside a bare route that echoes.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, cast

from httpx2 import AsyncClient, HTTPError, Limits
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.server.stores import PostgresServer
from tests.web.serving import Site

from livingtable.game import Data
from livingtable.records import verify

NO_LIMITS = [f"--limit={name}=0" for name in ("requests", "games", "waiting", "streams", "open")]
HUNT: Data = {"game": "foxhunt", "name": "load", "map": {"width": 10, "height": 10}, "players": 4, "rounds": 6}
WALKS: Data = {
    "game": "botwars",
    "name": "load",
    "wizard": None,
    "map": {"width": 10, "height": 10, "obstacles": 0.1},
    "characters": [{} for _ in range(4)],
    "maxRounds": 6,
}
SECONDS_UP = 10.0
"""Between the start of one process and the kill of the other."""
SESSIONS, SUBMITS = 1_000, 100
"""Idle sessions; submits a client, the first tenth of which is not counted."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# two processes that are killed


@dataclass
class Sites:
    """The processes: which of them answer now, and how often one was killed."""

    store: str
    up: list[Site] = field(default_factory=list[Site])
    kills: int = 0

    def start(self) -> None:
        self.up.append(Site(*NO_LIMITS, store=self.store))

    async def kill_in_turn(self, progress: Callable[[], str]) -> None:
        """For ever: the one that has been up for longer is killed, and another started in its place."""
        while True:
            await asyncio.sleep(SECONDS_UP)
            await asyncio.to_thread(self.up.pop(0).kill)
            self.kills += 1
            say(f"    kill {self.kills}: {progress()}")
            await asyncio.to_thread(self.start)


@dataclass
class Caller:
    """Asks whichever process answers, again and again until one does."""

    sites: Sites
    client: AsyncClient
    random: Random
    calls: int = 0
    repeats: int = 0
    statuses: Counter[int] = field(default_factory=Counter[int])

    async def call(self, method: str, path: str, **more: Any) -> Data:
        while True:
            self.calls += 1
            with suppress(HTTPError):
                answer = await self.client.request(method, self.random.choice(self.sites.up).url + path, **more)
                self.statuses[answer.status_code] += 1
                if answer.status_code == 200:
                    return cast("Data", answer.json())
                assert answer.status_code in (500, 503), f"{path}: {answer.status_code} {answer.text}"
            self.repeats += 1
            await asyncio.sleep(0.2)


@dataclass
class Seat:
    """A client's: what it has been told was applied, by version."""

    code: str
    secret: str
    side: str
    acknowledged: dict[int, Data] = field(default_factory=dict[int, Data])
    repeated: int = 0
    stale: int = 0

    async def play(self, caller: Caller, random: Random) -> None:
        """To the end of the game."""
        header = {"X-Player-Id": self.secret}
        while True:
            wait = f"/rooms/{self.code}/wait"
            seen = await caller.call("GET", wait, params={"timeoutSeconds": 5}, headers=header)
            if seen["result"] is not None:
                return
            if seen["ready"]:
                await self._act(caller, random.choice(seen["actions"]), seen["version"])

    async def _act(self, caller: Caller, action: Data, version: int) -> None:
        body = {"playerId": self.secret, "action": action, "expectedVersion": version}
        outcome = await caller.call("POST", f"/rooms/{self.code}/actions", json=body)
        if not outcome["ok"]:
            assert outcome["code"] in ("stale_version", "game_over", "not_your_turn"), outcome
            self.stale += 1
            return
        assert outcome["version"] not in self.acknowledged, "acknowledged twice as two actions"
        self.acknowledged[outcome["version"]] = action
        self.repeated += "repeated" in outcome


async def open_room(caller: Caller, setup: Data) -> list[Seat]:
    """A room and its four players. A call that was repeated may have made a room or taken a seat that nobody knows of:
    such a room is left alone."""
    while True:
        before = caller.repeats
        made = await caller.call("POST", "/rooms", json={"setup": setup, "seatTimeoutSeconds": 0})
        code = made["roomCode"]
        joined = [await caller.call("POST", f"/rooms/{code}/join", json={}) for _ in range(3)]
        if caller.repeats == before:
            return [Seat(code, answer["playerId"], answer["side"]) for answer in (made, *joined)]


async def faults(rooms: int) -> None:
    server = PostgresServer()
    sites = Sites(server.new_schema())
    try:
        for _ in range(2):
            sites.start()
        await play_under_faults(sites, rooms)
    finally:
        for site in sites.up:
            site.kill()
        server.end()


async def play_under_faults(sites: Sites, rooms: int) -> None:
    async with AsyncClient(timeout=30, verify=False, limits=Limits(max_connections=2_000)) as client:
        caller = Caller(sites, client, Random(1))
        made = [await open_room(caller, (HUNT, WALKS)[number % 2]) for number in range(rooms)]
        say(f"{rooms} rooms of four seats, {rooms * 4} clients")
        begun = time.perf_counter()
        seats = [seat for room in made for seat in room]
        killing = asyncio.create_task(sites.kill_in_turn(lambda: f"{acknowledged(seats)} actions acknowledged so far"))
        await asyncio.gather(*(seat.play(caller, Random(number)) for number, seat in enumerate(seats)))
        seconds = time.perf_counter() - begun
        killing.cancel()
        with suppress(asyncio.CancelledError):
            await killing
        actions = sum([await checked(caller, room) for room in made])
    say(f"every game ended, in {seconds:.0f} s, with {sites.kills} kills; {actions} actions")
    say(f"{caller.calls} calls, {caller.repeats} sent again, statuses {dict(caller.statuses)}")
    repeated, stale = sum(seat.repeated for seat in seats), sum(seat.stale for seat in seats)
    say(f"{repeated} answers said that the action had been applied before, {stale} that another was")
    say("no acknowledged action lost or doubled; every record verifies")


def acknowledged(seats: list[Seat]) -> int:
    return sum(len(seat.acknowledged) for seat in seats)


async def checked(caller: Caller, room: list[Seat]) -> int:
    """The number of actions in the record, which are those that were acknowledged, and no others."""
    record = (await caller.call("GET", f"/rooms/{room[0].code}/record"))["record"]
    assert record["result"] is not None
    found = await asyncio.to_thread(verify, record)
    assert found.ok, found
    for seat in room:
        stored = {entry["version"]: entry["action"] for entry in record["actions"] if entry["side"] == seat.side}
        assert stored == seat.acknowledged, (seat.side, stored, seat.acknowledged)
    return len(record["actions"])


# memory


async def idle() -> None:
    for what, begin in (("sessions", begin_session), ("rooms", begin_room)):
        site = Site(*NO_LIMITS)
        try:
            async with AsyncClient(base_url=site.url, timeout=30, verify=False) as client:
                for _ in range(20):
                    await begin(client)
                before = resident(site.process.pid)
                for _ in range(SESSIONS):
                    await begin(client)
            grown = resident(site.process.pid) - before
            say(f"{SESSIONS} idle {what}, the ledger in memory with them: {grown / 1024:.1f} MiB more")
            say(f"    {grown / SESSIONS:.1f} KiB each; the process without them has {before / 1024:.0f} MiB")
        finally:
            site.kill()


async def begin_session(client: AsyncClient) -> None:
    answer = await client.post("/games", json={"scenario": "crossroads", "side": "p1"})
    assert answer.status_code == 200, answer.text


async def begin_room(client: AsyncClient) -> None:
    answer = await client.post("/rooms", json={"scenario": "crossroads"})
    assert answer.status_code == 200, answer.text


def resident(process: int) -> int:
    """KiB of memory."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


# speed


async def echo(request: Request) -> JSONResponse:
    return JSONResponse(await request.json())


echo_app = Starlette(routes=[Route("/echo", echo, methods=["POST"])])


async def speed(clients: int) -> None:
    command = [sys.executable, "-m", "uvicorn", "tests.benchmarks.rooms_load:echo_app", "--port", "8977"]
    bare = subprocess.Popen([*command, "--log-level", "error", "--no-access-log"])
    try:
        await answers("http://127.0.0.1:8977/echo")
        await measure("a bare route that echoes", clients, "http://127.0.0.1:8977", echoing)
    finally:
        bare.kill()
        bare.wait()
    with TemporaryDirectory() as folder:
        for what, begin in (("actions in sessions of one's own", playing), ("actions in rooms", playing_in_a_room)):
            site = Site(*NO_LIMITS, store=f"sqlite:///{folder}/games.db")
            try:
                await measure(f"{what}, SQLite in a file", clients, site.url, begin)
            finally:
                site.kill()


async def answers(url: str) -> None:
    async with AsyncClient(verify=False) as client:
        while True:
            with suppress(HTTPError):
                await client.post(url, json={})
                return
            await asyncio.sleep(0.05)


Submit = Callable[[], Awaitable[object]]


async def echoing(client: AsyncClient) -> Submit:
    async def submit() -> object:
        answer = await client.post("/echo", json={"notation": "pass", "side": "p1", "expectedVersion": 17})
        return answer.json()

    return submit


FOR_EVER: Data = {
    **WALKS,
    "map": [".........."] * 10,
    "characters": [{"position": "0,0"}, {"position": "9,9"}],
    "maxRounds": 1_000_000,
}
"""Two who never meet."""


async def playing(client: AsyncClient) -> Submit:
    """Both players of a session pass in turn."""
    session = (await client.post("/games", json={"setup": FOR_EVER})).json()["sessionId"]

    async def submit() -> object:
        answer = await client.post(f"/games/{session}/actions?detail=brief", json={"notation": "pass"})
        assert answer.json()["ok"], answer.text
        return answer

    return submit


async def playing_in_a_room(client: AsyncClient) -> Submit:
    """One client plays both players of a room."""
    made = (await client.post("/rooms", json={"setup": FOR_EVER})).json()
    path = f"/rooms/{made['roomCode']}"
    joined = (await client.post(f"{path}/join", json={})).json()
    turn = 0

    async def submit() -> object:
        nonlocal turn
        body = {"playerId": (made, joined)[turn % 2]["playerId"], "notation": "pass", "expectedVersion": turn}
        turn += 1
        answer = await client.post(f"{path}/actions?detail=brief", json=body)
        assert answer.json()["ok"], answer.text
        return answer

    return submit


async def measure(what: str, clients: int, url: str, begin: Callable[[AsyncClient], Awaitable[Submit]]) -> None:
    """Each client sends the next submit when it has the answer to the one before."""
    took: list[float] = []

    async def run(submit: Submit) -> None:
        for number in range(SUBMITS):
            begun = time.perf_counter()
            await submit()
            if number >= SUBMITS // 10:
                took.append((time.perf_counter() - begun) * 1000)

    apart = [AsyncClient(base_url=url, timeout=60, verify=False) for _ in range(clients)]
    submits = [await begin(client) for client in apart]
    begun = time.perf_counter()
    await asyncio.gather(*(run(submit) for submit in submits))
    seconds = time.perf_counter() - begun
    for client in apart:
        await client.aclose()
    cuts = statistics.quantiles(took, n=100)
    say(f"{clients} clients, {what}: {clients * SUBMITS / seconds:.0f} a second")
    say(f"    median {cuts[49]:.1f} ms, 99th percentile {cuts[98]:.1f} ms, worst {max(took):.1f} ms")


async def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("parts", nargs="*", choices=["faults", "idle", "speed", []])
    options.add_argument("--rooms", type=int, default=200)
    options.add_argument("--clients", type=int, default=64)
    given = options.parse_args()
    parts = given.parts or ["faults", "idle", "speed"]
    if "faults" in parts:
        await faults(given.rooms)
    if "idle" in parts:
        await idle()
    if "speed" in parts:
        await speed(given.clients)


if __name__ == "__main__":
    asyncio.run(main())
