"""Streams whose reader is slow: what happens between two of its events is told too, and nothing that is not stored."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from sse_starlette import ServerSentEvent
from tests.server.players import table_at
from tests.server.setups import NEIGHBOURS

from livingtable.game import Data
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.rooms import NewRoom
from livingtable_server.web.events import live_events, live_room_events

pytestmark = pytest.mark.anyio

GAME: Data = {**NEIGHBOURS, "maxRounds": 2}
"""An accepted offer has several events, and ends the turn of p1, who leads p2 then."""
ACTIONS = [("p1", "ally p2"), ("p2", "accept"), ("p3", "pass"), ("p1", "pass"), ("p3", "pass")]


async def read_slowly(stream: AsyncGenerator[ServerSentEvent], act: Callable[[], Awaitable[object]]) -> list[Data]:
    """All events of the game; after each that is read, somebody acts."""
    told: list[Data] = []
    async for frame in stream:
        if frame.event is None:
            told.append(json.loads(frame.data or ""))
        await act()
    return told


async def test_a_slow_reader_of_a_session_is_told_everything_once() -> None:
    table = table_at("sqlite://")
    session = (await table.new_game(NewGame(setup=GAME))).session_id
    actions = iter(ACTIONS)
    for side, notation in (next(actions), next(actions)):
        assert (await table.submit(session, notation, side))["ok"]

    async def act() -> None:
        if (action := next(actions, None)) is not None:
            assert (await table.submit(session, action[1], action[0]))["ok"]

    told = await read_slowly(live_events(table, session, 0), act)
    assert told == (await table.record(session))["events"]
    await table.close()


async def test_a_slow_reader_of_a_room_is_told_everything_once() -> None:
    table = table_at("sqlite://")
    made = await table.rooms.create(NewRoom(setup=GAME, seat_timeout=None))
    code = made["roomCode"]
    players = {"p1": made["playerId"]}
    for _ in range(2):
        joined = await table.rooms.join(code)
        players[joined["side"]] = joined["playerId"]
    actions = iter(ACTIONS)
    for side, notation in (next(actions), next(actions)):
        assert (await table.rooms.submit(code, players[side], notation))["ok"]

    async def act() -> None:
        if (action := next(actions, None)) is not None:
            assert (await table.rooms.submit(code, players[action[0]], action[1]))["ok"]

    told = await read_slowly(live_room_events(table, code, None, 0), act)
    assert told == (await table.rooms.record(code))["events"]
    await table.close()
