"""What nobody asks for leaves memory after its time, and is as it was when somebody comes back (C45)."""

from __future__ import annotations

import asyncio

import anyio
import anyio.lowlevel
import pytest
from tests.server.players import SECONDS_AT_MOST, full_room, server_at, table_at
from tests.server.setups import FAR_APART, meadow
from tests.server.test_round_clock import HeldTime

from livingtable.game import Data
from livingtable_server.sessions import live, presence
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.live import IDLE_SECONDS
from livingtable_server.sessions.manager import SessionManager

pytestmark = pytest.mark.anyio

TIMED = meadow("1_2", "___", "__3", rounds=3, roundSeconds=10_000.0)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldTime:
    held = HeldTime()
    for module in (live, presence):
        monkeypatch.setattr(module, "monotonic", held.monotonic)
    return held


@pytest.fixture
def table(held: HeldTime) -> SessionManager:
    assert held.now > 0, "the table is made in held time"
    return table_at("sqlite://")


async def begun(table: SessionManager, setup: Data = FAR_APART) -> str:
    return (await table.new_game(NewGame(setup=setup))).session_id


async def test_a_session_that_nobody_asks_for_leaves_memory(table: SessionManager, held: HeldTime) -> None:
    await begun(table)
    held.now += IDLE_SECONDS - 1
    table.live.sweep()
    assert table.live.kept == 1
    held.now += 1
    table.live.sweep()
    assert table.live.kept == 0
    await table.close()


async def test_one_that_is_asked_for_stays(table: SessionManager, held: HeldTime) -> None:
    asked, _ = await begun(table), await begun(table)
    held.now += IDLE_SECONDS / 2
    await table.get_state(asked, None, None, "brief")
    held.now += IDLE_SECONDS / 2
    table.live.sweep()
    assert table.live.kept == 1
    await table.close()


async def test_whoever_comes_back_finds_the_game_as_it_was(table: SessionManager, held: HeldTime) -> None:
    session = await begun(table)
    assert (await table.submit(session, "pass", expected_version=0))["ok"] is True
    before = await table.get_state(session, None, None, "full")
    held.now += IDLE_SECONDS
    table.live.sweep()
    assert table.live.kept == 0
    assert await table.get_state(session, None, None, "full") == before
    again = await table.submit(session, "pass", expected_version=0)
    assert (again["ok"], again["repeated"]) == (True, True)
    assert (await table.submit(session, "pass", expected_version=1))["ok"] is True
    await table.close()


async def test_a_session_that_somebody_waits_for_stays(table: SessionManager, held: HeldTime) -> None:
    session = await begun(table)
    waiting = asyncio.create_task(table.wait_for_turn(session, "p2", 25, None, "brief"))
    for _ in range(20):
        await anyio.lowlevel.checkpoint()
    held.now += IDLE_SECONDS
    table.live.sweep()
    assert table.live.kept == 1
    await table.submit(session, "pass")
    with anyio.fail_after(SECONDS_AT_MOST):
        assert (await waiting)["ready"] is True
    await table.close()


async def test_a_session_whose_round_is_timed_stays(table: SessionManager, held: HeldTime) -> None:
    """Else nobody would end the round."""
    await begun(table, TIMED)
    held.now += IDLE_SECONDS
    table.live.sweep()
    assert table.live.kept == 1
    await table.close()


async def test_a_room_leaves_memory_with_its_session(held: HeldTime) -> None:
    async with server_at("sqlite://") as (table, asker):
        one, *_ = await full_room(asker, FAR_APART, seatTimeoutSeconds=0)
        await one.plays("pass")
        assert (table.live.kept, table.rooms.presence.kept) == (1, 1)
        await table.rooms.stop()
        held.now += IDLE_SECONDS
        table.live.sweep()
        assert (table.live.kept, table.rooms.presence.kept) == (0, 0)
        assert (await one.state())["version"] == 1


async def test_what_is_idle_is_looked_for_all_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_at("sqlite://")
    for module in (live, presence):
        monkeypatch.setattr(module, "IDLE_SECONDS", 0.0)
    for _ in range(3):
        await begun(table)
    with anyio.fail_after(SECONDS_AT_MOST):
        while table.live.kept:
            await anyio.lowlevel.checkpoint()
    await table.close()
