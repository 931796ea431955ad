"""Clients of rooms that repeat what was not acknowledged, and what is then true of the records: nothing that was
acknowledged is lost, nothing is applied twice."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, cast

from httpx2 import AsyncClient, HTTPError

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
PAUSE_SECONDS = 0.2
"""Before a call is repeated."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Servers(Protocol):
    """Those of one store."""

    def url(self, random: Random) -> str | None:
        """Of one that is up; None while none is."""
        ...


class TakenError(Exception):
    """What was asked for is taken, perhaps by a call of which the answer was lost."""


@dataclass
class Caller:
    """Asks whichever server is up, again and again until one answers. Raises `TakenError` for the answer 409."""

    servers: Servers
    client: AsyncClient
    random: Random
    calls: int = 0
    repeats: int = 0
    statuses: Counter[int] = field(default_factory=Counter[int])

    async def call(self, method: str, path: str, **more: Any) -> Data:
        while True:
            self.calls += 1
            url = self.servers.url(self.random)
            with suppress(HTTPError):
                if url is not None:
                    answer = await self.client.request(method, url + path, **more)
                    self.statuses[answer.status_code] += 1
                    if answer.status_code == 200:
                        return cast("Data", answer.json())
                    if answer.status_code == 409:
                        raise TakenError
                    assert answer.status_code == 503, f"{path}: {answer.status_code} {answer.text}"
            self.repeats += 1
            await asyncio.sleep(PAUSE_SECONDS)


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
        made = await caller.call("POST", "/rooms", json={"setup": setup, "seatTimeoutSeconds": 0})
        code = made["roomCode"]
        with suppress(TakenError):
            joined = [await caller.call("POST", f"/rooms/{code}/join", json={}) for _ in range(3)]
            return [Seat(code, answer["playerId"], answer["side"]) for answer in (made, *joined)]


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
