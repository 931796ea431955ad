"""What was acknowledged is kept, and nothing is applied twice, whatever ends at whatever moment.

python -m tests.benchmarks.durability [MODE ...] [--times 50] [--rooms 6] [--seed 1]

Without a mode all are run. In each, clients play games of four seats and repeat what was not acknowledged, with the
same `expectedVersion`, while something happens so many times at random moments. At the end every game has its result,
every record holds what was acknowledged and nothing else, and verifies.

stdio: `mcp` on SQLite is killed (kill -9). sqlite: so is `serve` on SQLite; sqlite-workers, postgres-workers: of
`serve --workers 2` a worker or the parent. two-sqlite, two-postgres: one of two servers on one store.
postgres-restart: the database of `serve --workers 2` is restarted, in order or as if the machine had failed.
pool: it takes fewer connections than two workers want, and all are cut. read-only: it may only be read for a while.
locked, full: the file of `serve` on SQLite is locked, or cannot grow.
clock: the clock of one of two servers jumps, by seconds to weeks (needs libfaketime).
streams: a thousand idle streams of events.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal

from httpx2 import AsyncClient, Limits
from tests.benchmarks.idle_streams import OF_GAMES, OF_ROOMS, idle_streams
from tests.benchmarks.repeating import HUNT, NO_LIMITS, WALKS, Caller, Seat, acknowledged, checked, open_room, say
from tests.server.stores import PostgresServer, run_sql
from tests.server.test_restart import KilledGame
from tests.web.serving import Site

from livingtable_server.store.sqlite import BUSY_SECONDS

SECONDS_BETWEEN = 2.0
"""At most, between the first action that is acknowledged after one trouble and the next trouble."""
NO_PROGRESS_SECONDS = 120.0
STREAMS = 1_000
FAKETIME_VARIABLE = "LIBFAKETIME"
"""The path of libfaketime.so.1, where it is not in its usual place."""

Trouble = Callable[[Random], Awaitable[str]]
"""Makes something happen, and says what."""


@dataclass
class Sites:
    """Servers on one store, of so many workers each."""

    store: str
    workers: int = 1
    environment: dict[str, str] = field(default_factory=dict[str, str])
    up: list[Site] = field(default_factory=list[Site])

    def url(self, random: Random) -> str | None:
        return random.choice(self.up).url if self.up else None

    def start(self) -> None:
        workers = ["--workers", str(self.workers)] if self.workers > 1 else []
        self.up.append(Site(*NO_LIMITS, *workers, store=self.store, environment=self.environment))

    async def kill(self, random: Random) -> str:
        """One of the servers, which is started again; of one with workers, more often one of these."""
        site = random.choice(self.up)
        if self.workers > 1 and random.random() < 0.6:
            with suppress(ProcessLookupError):  # It may end this moment, of the kill before.
                os.kill(random.choice(sorted(site.worker_processes()) or [site.process.pid]), signal.SIGKILL)
            if site.process.poll() is None:
                return "a worker"
        self.up.remove(site)
        site.process.kill()
        await asyncio.gather(asyncio.to_thread(site.kill), asyncio.to_thread(self.start))
        return "a server"

    def end(self) -> None:
        for site in self.up:
            site.stop()


@dataclass
class Table:
    """Clients that play one room after the other."""

    caller: Caller
    number: int
    over: asyncio.Event
    rooms: list[list[Seat]] = field(default_factory=list[list[Seat]])

    async def play(self) -> None:
        while not self.over.is_set():
            room = await open_room(self.caller, (HUNT, WALKS)[(self.number + len(self.rooms)) % 2])
            self.rooms.append(room)
            randoms = [Random(f"{self.number} {len(self.rooms)} {seat.side}") for seat in room]
            await asyncio.gather(*(seat.play(self.caller, own) for seat, own in zip(room, randoms, strict=True)))


async def survive(sites: Sites, wish: argparse.Namespace, trouble: Trouble) -> None:
    """Plays while there is trouble, and checks every record."""
    random, happened, over = Random(wish.seed), Counter[str](), asyncio.Event()
    begun = time.perf_counter()
    async with AsyncClient(timeout=30, verify=False, limits=Limits(max_connections=2_000)) as client:
        caller = Caller(sites, client, Random(wish.seed))
        tables = [Table(caller, number, over) for number in range(wish.rooms)]

        def seats() -> list[Seat]:
            return [seat for table in tables for room in table.rooms for seat in room]

        async def progress(before: int) -> None:
            async with asyncio.timeout(NO_PROGRESS_SECONDS):
                while acknowledged(seats()) <= before:
                    await asyncio.sleep(0.02)

        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            for number in range(1, wish.times + 1):
                await progress(acknowledged(seats()))
                await asyncio.sleep(random.uniform(0, SECONDS_BETWEEN))
                happened[await trouble(random)] += 1
                if number % 10 == 0:
                    say(f"    {number}: {acknowledged(seats())} actions acknowledged so far")
            await progress(acknowledged(seats()))
            over.set()
        rooms = [room for table in tables for room in table.rooms]
        actions = sum([await checked(caller, room) for room in rooms])
    what = ", ".join(f"{number} x {name}" for name, number in sorted(happened.items()))
    say(f"    {what}; {len(rooms)} games, {actions} actions, {time.perf_counter() - begun:.0f} s")
    say(f"    {caller.calls} calls, {caller.repeats} sent again, statuses {dict(sorted(caller.statuses.items()))}")
    repeated, stale = sum(seat.repeated for seat in seats()), sum(seat.stale for seat in seats())
    say(f"    {repeated} answers said that the action had been applied before, {stale} that another was")
    say("    nothing acknowledged was lost, nothing applied twice, every record verifies")


@contextmanager
def folder() -> Generator[Path]:
    """For a store and whatever the servers make for themselves, of which nothing may be left."""
    made = Path(tempfile.mkdtemp())
    (made / "temporary").mkdir()
    try:
        yield made
        left = sorted(path.name for path in (made / "temporary").iterdir())
        assert not left, f"left over: {left}"
    finally:
        shutil.rmtree(made)


@contextmanager
def postgres() -> Generator[PostgresServer]:
    server = PostgresServer()
    try:
        yield server
    finally:
        server.end()


async def stdio(wish: argparse.Namespace) -> None:
    with folder() as place:
        game = KilledGame(f"sqlite:///{place}/games.db", Random(wish.seed))

        def play() -> None:
            for _ in range(wish.times):
                game.play_until_killed()
            game.play_to_the_end()

        begun = time.perf_counter()
        await asyncio.to_thread(play)
    say(f"    {wish.times} x the server; {game.games} games, {time.perf_counter() - begun:.0f} s")
    say("    nothing acknowledged was lost, nothing applied twice, every record verifies")


async def killed(
    wish: argparse.Namespace, store: Literal["sqlite", "postgres"], *, servers: int = 1, workers: int = 1
) -> None:
    with folder() as place:
        if store == "sqlite":
            await kill_on(wish, f"sqlite:///{place}/games.db", place, servers, workers)
            return
        with postgres() as server:
            await kill_on(wish, server.new_schema(), place, servers, workers)


async def kill_on(wish: argparse.Namespace, store: str, place: Path, servers: int, workers: int) -> None:
    sites = Sites(store, workers, {"TMPDIR": str(place / "temporary")})
    try:
        for _ in range(servers):
            sites.start()
        await survive(sites, wish, sites.kill)
    finally:
        sites.end()


async def postgres_restart(wish: argparse.Namespace) -> None:
    with folder() as place, postgres() as server:
        sites = Sites(server.url, 2, {"TMPDIR": str(place / "temporary")})

        async def restart(random: Random) -> str:
            mode: Literal["fast", "immediate"] = random.choice(["fast", "immediate"])
            await asyncio.to_thread(server.control, "restart", mode)
            return f"restart, {mode}"

        try:
            sites.start()
            await survive(sites, wish, restart)
        finally:
            sites.end()


async def pool(wish: argparse.Namespace) -> None:
    """Two workers want up to 18 connections, and get 6; now and then all of them are cut."""
    with folder() as place, postgres() as server:
        run_sql(server.url, "CREATE ROLE few LOGIN CONNECTION LIMIT 6", "GRANT CREATE, USAGE ON SCHEMA public TO few")
        sites = Sites(server.url.replace("//postgres", "//few", 1), 2, {"TMPDIR": str(place / "temporary")})

        async def cut(_random: Random) -> str:
            ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'few'"
            await asyncio.to_thread(run_sql, server.url, ending)
            return "all connections cut"

        try:
            sites.start()
            await survive(sites, wish, cut)
        finally:
            sites.end()


async def read_only(wish: argparse.Namespace) -> None:
    with folder() as place, postgres() as server:
        run_sql(server.url, "CREATE ROLE reader LOGIN", "GRANT CREATE, USAGE ON SCHEMA public TO reader")
        sites = Sites(server.url.replace("//postgres", "//reader", 1), 2, {"TMPDIR": str(place / "temporary")})
        watch = Watch(sites)

        def turn(to: str) -> None:
            run_sql(
                server.url,
                f"ALTER ROLE reader SET default_transaction_read_only = {to}",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'",
            )

        async def for_a_while(random: Random) -> str:
            await asyncio.to_thread(turn, "on")
            await watch.until(503)
            await asyncio.sleep(random.uniform(0, SECONDS_BETWEEN))
            await asyncio.to_thread(turn, "off")
            await watch.until(200)
            return "store read-only"

        try:
            sites.start()
            await survive(sites, wish, for_a_while)
        finally:
            sites.end()
        watch.tell()


async def locked(wish: argparse.Namespace) -> None:
    with folder() as place:
        sites = Sites(f"sqlite:///{place}/games.db")
        watch = Watch(sites)

        async def lock(random: Random) -> str:
            with closing(sqlite3.connect(place / "games.db", isolation_level=None, timeout=60)) as other:
                other.execute("BEGIN EXCLUSIVE")
                await watch.until(503)
                await asyncio.sleep(random.uniform(0, 1.5 * BUSY_SECONDS))
                other.execute("ROLLBACK")
            await watch.until(200)
            return "file locked"

        try:
            sites.start()
            await survive(sites, wish, lock)
        finally:
            sites.end()
        watch.tell()


async def full(wish: argparse.Namespace) -> None:
    """No file of the server may get longer, as on a full disk."""
    with folder() as place:
        sites = Sites(f"sqlite:///{place}/games.db")
        watch = Watch(sites)

        def limit(size: int) -> None:
            resource.prlimit(sites.up[0].process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        async def fill(random: Random) -> str:
            limit(sum(file.stat().st_size for file in place.glob("games.db-wal")))
            await watch.until(503)
            await asyncio.sleep(random.uniform(0, SECONDS_BETWEEN))
            limit(resource.RLIM_INFINITY)
            await watch.until(200)
            return "no room left"

        try:
            sites.start()
            await survive(sites, wish, fill)
        finally:
            sites.end()
        watch.tell()


@dataclass
class Watch:
    """Asks `/readyz` as an operator does."""

    sites: Sites
    seconds: list[float] = field(default_factory=list[float])
    reasons: Counter[str] = field(default_factory=Counter[str])

    async def until(self, status: int) -> None:
        async with asyncio.timeout(NO_PROGRESS_SECONDS), AsyncClient(timeout=30, verify=False) as client:
            while True:
                begun = time.perf_counter()
                answer = await client.get(f"{self.sites.up[0].url}/readyz")
                self.seconds.append(time.perf_counter() - begun)
                if answer.status_code == 503:
                    self.reasons[answer.json()["detail"]] += 1
                if answer.status_code == status:
                    return
                await asyncio.sleep(0.1)

    def tell(self) -> None:
        say(f"    /readyz: {dict(self.reasons)}, the slowest answer after {max(self.seconds):.1f} s")


async def clock(wish: argparse.Namespace) -> None:
    library = os.environ.get(FAKETIME_VARIABLE) or "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
    if not Path(library).exists():
        say(f"    left out: there is no {library}; {FAKETIME_VARIABLE} may name another")
        return
    with folder() as place:
        offset = place / "offset"
        offset.write_text("+0s", "ascii")
        sites = Sites(f"sqlite:///{place}/games.db")
        sites.start()
        sites.environment = {
            "LD_PRELOAD": library,
            "FAKETIME_TIMESTAMP_FILE": str(offset),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        sites.start()

        async def jump(random: Random) -> str:
            seconds = random.choice([1, 60, 3_600, 86_400, 3_000_000])
            sign = random.choice("+-")
            offset.write_text(f"{sign}{seconds}s", "ascii")
            return f"clock at {sign}{seconds} s"

        try:
            await survive(sites, wish, jump)
        finally:
            sites.end()


async def streams(_wish: argparse.Namespace) -> None:
    for of in OF_GAMES, OF_ROOMS:
        with folder() as place:
            await idle_streams(f"sqlite:///{place}/games.db", STREAMS, of)
        with postgres() as server:
            await idle_streams(server.new_schema(), STREAMS, of)


MODES: dict[str, Callable[[argparse.Namespace], Awaitable[None]]] = {
    "stdio": stdio,
    "sqlite": lambda wish: killed(wish, "sqlite"),
    "sqlite-workers": lambda wish: killed(wish, "sqlite", workers=2),
    "postgres-workers": lambda wish: killed(wish, "postgres", workers=2),
    "two-sqlite": lambda wish: killed(wish, "sqlite", servers=2),
    "two-postgres": lambda wish: killed(wish, "postgres", servers=2),
    "postgres-restart": postgres_restart,
    "pool": pool,
    "read-only": read_only,
    "locked": locked,
    "full": full,
    "clock": clock,
    "streams": streams,
}


async def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("modes", nargs="*", choices=[*MODES, []], metavar="MODE")
    options.add_argument("--times", type=int, default=50)
    options.add_argument("--rooms", type=int, default=6)
    options.add_argument("--seed", type=int, default=1)
    wish = options.parse_args()
    for mode in wish.modes or MODES:
        say(f"{mode}: {wish.times} times, seed {wish.seed}")
        await MODES[mode](wish)


if __name__ == "__main__":
    asyncio.run(main())
