"""Players in rooms: who has a seat and its secret, and asks for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import anyio
from mcp import Client
from tests.server.asking import Asker

from livingtable.game import Data
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.store.ledger import Ledger
from livingtable_server.tools.server import build_server

SECONDS_AT_MOST = 30.0
"""Of a test that fails; the others do not wait."""


@dataclass(frozen=True)
class Player:
    """One who sits in a room, at a server; `secret` is the playerId."""

    asker: Asker
    code: str
    secret: str
    side: str

    @property
    def key(self) -> Data:
        return {"roomCode": self.code, "playerId": self.secret}

    async def submit(self, notation: str, **arguments: Any) -> Data:
        return await self.asker.ask("submit_room_action", **self.key, notation=notation, **arguments)

    async def plays(self, notation: str, **arguments: Any) -> Data:
        """An action that is accepted; its outcome."""
        outcome = await self.submit(notation, **arguments)
        assert outcome["ok"], outcome
        return outcome

    async def does(self, action: Data, version: int) -> Data:
        return await self.asker.ask("submit_room_action", **self.key, action=action, expectedVersion=version)

    async def is_refused(self, code: str, **arguments: Any) -> Data:
        answer = await self.asker.ask("submit_room_action", **self.key, **arguments)
        assert (answer["ok"], answer.get("code")) == (False, code), answer
        assert set(answer) - {"legal"} == {"ok", "code", "reason", "version", "toAct"}
        return answer

    async def state(self, **arguments: Any) -> Data:
        return await self.asker.ask("get_room_state", **self.key, **arguments)

    async def wait(self, seconds: float = 20, **arguments: Any) -> Data:
        return await self.asker.ask("wait_for_turn", **self.key, timeoutSeconds=seconds, **arguments)

    async def turn(self) -> Data:
        """What a wait gives once it is this seat's turn, or the game is over."""
        with anyio.fail_after(SECONDS_AT_MOST):
            while not (answer := await self.wait())["ready"]:
                pass
        return answer

    async def gives_up(self, bot: str = "greedy") -> Data:
        return await self.asker.ask("seat_bot", **self.key, side=self.side, bot=bot)

    async def record(self) -> Data:
        """The pages of the record, put together."""
        page = await self.asker.ask("get_record", **self.key)
        record = page["record"]
        while "nextCursor" in page:
            page = await self.asker.ask("get_record", **self.key, cursor=page["nextCursor"])
            record["actions"] += page["record"]["actions"]
            record["events"] += page["record"]["events"]
        return record

    def at(self, asker: Asker) -> Player:
        """The same player, at another server."""
        return Player(asker, self.code, self.secret, self.side)


async def make_room(asker: Asker, setup: Mapping[str, Any] | str, **arguments: Any) -> Player:
    """Whoever made a new room of a scenario or a set-up."""
    source = {"scenario": setup} if isinstance(setup, str) else {"setup": dict(setup)}
    made = await asker.ask("create_room", **source, **arguments)
    return Player(asker, made["roomCode"], made["playerId"], made["side"])


async def join(asker: Asker, code: str, **arguments: Any) -> Player:
    joined = await asker.ask("join_room", roomCode=code, **arguments)
    return Player(asker, code, joined["playerId"], joined["side"])


async def full_room(asker: Asker, setup: Mapping[str, Any] | str, **arguments: Any) -> list[Player]:
    """A room with a player on each seat, in the order of the seats."""
    maker = await make_room(asker, setup, **arguments)
    players = [maker]
    while (await maker.state())["room"]["started"] is False:
        players.append(await join(asker, maker.code))
    order = [seat["side"] for seat in (await maker.state())["seats"]]
    return sorted(players, key=lambda player: order.index(player.side))


async def play_to_the_end(players: list[Player], seed: int = 0) -> Data:
    """Each in turn plays random legal actions, without waiting for the others. The last answer."""
    random = Random(seed)
    with anyio.fail_after(SECONDS_AT_MOST):
        while True:
            for player in players:
                answer = await player.wait(0, detail="full")
                if answer["result"] is not None:
                    return answer
                if answer["ready"]:
                    await player.does(random.choice(answer["actions"]), answer["version"])


def table_at(url: str, bot_delay: float = 0.0) -> SessionManager:
    """A process's table over that store, whose bots do not let one wait."""
    return SessionManager(ScenarioLibrary, LiveSessions(lambda changed: Ledger.open(url, changed)), None, bot_delay)


@asynccontextmanager
async def server_at(url: str, bot_delay: float = 0.0) -> AsyncGenerator[tuple[SessionManager, Asker]]:
    """A server over that store and a client of it. It is over when the client goes."""
    table = table_at(url, bot_delay)
    async with Client(build_server(table)) as client:
        yield table, Asker(client)
