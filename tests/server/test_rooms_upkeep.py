"""Rooms in the long run: nothing is left of those that are over or were never joined, and faults pass (C45)."""

from __future__ import annotations

import asyncio
import gc
import resource
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any, cast

import anyio
import anyio.lowlevel
import pytest
from mcp import Client
from tests.server.asking import Asker
from tests.server.players import SECONDS_AT_MOST, full_room, join, make_room, play_to_the_end, server_at, table_at
from tests.server.setups import FAR_APART, meadow

from livingtable.scenarios import ScenarioLibrary
from livingtable_server.sessions import door, keeper, live, presence, room_upkeep
from livingtable_server.sessions.errors import NotFoundError, TooManyError
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.rooms import NewRoom
from livingtable_server.store.changes import Changed
from livingtable_server.store.ledger import Ledger, StoreError
from livingtable_server.store.upkeep import Upkeep
from livingtable_server.tools.server import build_server

pytestmark = pytest.mark.anyio

THREE = {**FAR_APART, "maxRounds": 2}
"""p1, p2 and p3."""
HUNT = meadow("1_2", "___", "__3", rounds=2, roundSeconds=3600.0)


@pytest.fixture(autouse=True)
def _misses_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(door, "MISS_SECONDS", 0.0)


def tasks() -> set[str]:
    """What goes on in this event loop by itself."""
    coroutines = (task.get_coro() for task in asyncio.all_tasks() if not task.done())
    names = (getattr(coroutine, "__qualname__", "") for coroutine in coroutines)
    return {name for name in names if name.startswith(("RoomKeeper", "RoundClocks"))}


async def until_no_task_is_left() -> None:
    with anyio.fail_after(SECONDS_AT_MOST):
        while tasks():
            await anyio.lowlevel.checkpoint()


# tasks


@pytest.mark.parametrize("setup", [THREE, HUNT], ids=["in turns", "with a clock"])
async def test_no_task_is_left_of_a_game_that_is_over(setup: Any) -> None:
    async with server_at("sqlite://") as (_, asker):
        players = await full_room(asker, setup)
        await players[0].state()
        await anyio.lowlevel.checkpoint()
        assert "RoomKeeper._run" in tasks()
        await play_to_the_end(players)
        await until_no_task_is_left()
        await players[0].state()
        await until_no_task_is_left()


async def test_no_task_is_left_when_the_table_closes() -> None:
    table = table_at("sqlite://")
    async with Client(build_server(table)) as client:
        asker = Asker(client)
        for setup in (THREE, HUNT):
            maker = await make_room(asker, setup)
            await asker.ask("seat_bot", **maker.key, side="all")
        with anyio.fail_after(SECONDS_AT_MOST):
            while tasks() != {"RoomKeeper._run", "RoundClocks._run"}:
                await anyio.lowlevel.checkpoint()
    await anyio.lowlevel.checkpoint()
    assert tasks() == set()


async def test_a_closed_table_opens_again_with_the_next_request(tmp_path: Path) -> None:
    table = table_at(f"sqlite:///{tmp_path}/games.db")
    made = await table.rooms.create(NewRoom(setup=THREE))
    await table.close()
    await table.rooms.seat_bot(made["roomCode"], made["playerId"], "all")
    assert (await table.rooms.wait(made["roomCode"], made["playerId"], 5))["ready"] is True
    await table.close()
    assert tasks() == set()


async def test_a_room_that_waits_for_its_players_for_ever_needs_no_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 0.005)
    async with server_at("sqlite://") as (_, asker):
        one, *_ = await full_room(asker, THREE, seatTimeoutSeconds=0)
        await until_no_task_is_left()
        await one.plays("pass")
        await until_no_task_is_left()


async def test_a_room_that_has_not_begun_needs_no_task() -> None:
    async with server_at("sqlite://") as (_, asker):
        for setup in (THREE, HUNT):
            await (await make_room(asker, setup)).state()
        await anyio.lowlevel.checkpoint()
        assert tasks() == set()


# too many, too long


async def test_past_the_cap_no_room_is_made_and_the_error_says_so(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C45"""
    monkeypatch.setattr(room_upkeep, "ROOMS_AT_MOST", 3)
    made = [await make_room(asker, THREE) for _ in range(3)]
    assert "There are 3 rooms" in await asker.error("create_room", setup=THREE)
    assert (await made[0].state())["version"] == 0
    await asker.begin(THREE)


async def test_a_game_that_is_over_makes_way(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_upkeep, "ROOMS_AT_MOST", 2)
    await make_room(asker, THREE)
    await play_to_the_end(await full_room(asker, THREE))
    await make_room(asker, THREE)
    assert "There are 2 rooms" in await asker.error("create_room", setup=THREE)


async def test_the_error_says_when_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_upkeep, "ROOMS_AT_MOST", 0)
    table = table_at("sqlite://")
    with pytest.raises(TooManyError) as refused:
        await table.rooms.create(NewRoom(setup=THREE))
    assert refused.value.retry_after == 600
    await table.close()


def days_from_now(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    """It is so much later, by the clock on the wall."""
    now = presence.utc_now()
    for module in (room_upkeep, presence):
        monkeypatch.setattr(module, "utc_now", lambda: now + timedelta(days=days))


async def test_a_room_that_nobody_joins_is_closed_after_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """C45"""
    async with server_at("sqlite://") as (table, asker):
        waiting = await make_room(asker, THREE)
        running = await full_room(asker, THREE)
        days_from_now(monkeypatch, 0.99)
        assert await table.rooms.upkeep.close_stale() == 0
        days_from_now(monkeypatch, 0.02)
        assert await table.rooms.upkeep.close_stale() == 1
        assert "room was closed" in await asker.error("get_room_state", **waiting.key)
        assert "room was closed" in await asker.error("join_room", roomCode=waiting.code)
        assert (await running[0].state())["toAct"] == ["p1"]


async def test_a_room_whose_players_have_left_for_good_is_closed_after_a_month(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with server_at("sqlite://") as (table, asker):
        left = await full_room(asker, THREE, seatTimeoutSeconds=0)
        slow = await full_room(asker, THREE, seatTimeoutSeconds=0)
        days_from_now(monkeypatch, 20)
        monkeypatch.setattr(presence, "WRITE_SECONDS", 0.0)
        await slow[0].plays("pass")
        days_from_now(monkeypatch, 11)
        assert await table.rooms.upkeep.close_stale() == 1
        assert "room was closed" in await asker.error("get_room_state", **left[0].key)
        assert (await slow[0].state())["version"] == 1


async def test_stale_rooms_are_looked_for_when_one_is_made_but_not_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async with server_at("sqlite://") as (table, asker):
        for _ in range(3):
            await make_room(asker, THREE)
        days_from_now(monkeypatch, 2)
        await make_room(asker, THREE)
        ledger = await table.live.ledger()
        assert await ledger.count_unfinished_rooms() == 4, "looked for a moment ago"
        monkeypatch.setattr(room_upkeep, "SWEEP_SECONDS", 0.0)
        await make_room(asker, THREE)
        assert await ledger.count_unfinished_rooms() == 1


async def test_who_waits_in_a_room_that_is_closed_is_told(url: str) -> None:
    async with server_at(url) as (_, asker), server_at(url) as (table, _):
        maker = await make_room(asker, THREE)
        waiting = asyncio.create_task(asker.error("wait_for_turn", **maker.key, timeoutSeconds=25))
        await anyio.lowlevel.checkpoint()
        assert await (await table.live.ledger()).close_room(maker.code)
        with anyio.fail_after(SECONDS_AT_MOST):
            assert "room was closed" in await waiting


@pytest.mark.slow
async def test_ten_thousand_rooms_that_nobody_joins_leave_memory_and_counts_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C45"""
    table = table_at(f"sqlite:///{tmp_path}/games.db")

    async def make(number: int) -> None:
        for _ in range(number):
            made = await table.rooms.create(NewRoom(setup=THREE))
            await table.rooms.state(made["roomCode"], made["playerId"])

    await make(2_000)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    await make(8_000)
    gc.collect()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    with pytest.raises(TooManyError):
        await make(1)
    assert grown < 20, "MiB; a thousand sessions are kept"
    assert tasks() == set()
    assert (table.live.kept, table.rooms.presence.kept) == (live.SESSIONS_IN_MEMORY, presence.ROOMS_IN_MEMORY)

    later = monotonic() + live.IDLE_SECONDS
    for module in (live, presence):
        monkeypatch.setattr(module, "monotonic", lambda: later)
    table.live.sweep()
    assert (table.live.kept, table.rooms.presence.kept) == (0, 0)
    days_from_now(monkeypatch, 1.01)
    assert await table.rooms.upkeep.close_stale() == 10_000
    assert await (await table.live.ledger()).count_unfinished_rooms() == 0
    await make(1)
    await table.close()


# sessions in memory


async def test_who_waits_is_woken_however_many_other_games_are_asked_for(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SESSIONS_IN_MEMORY", 2)
    monkeypatch.setattr(live, "POLL_SECONDS", 3600.0)
    one, two, _ = await full_room(asker, THREE, seatTimeoutSeconds=0)
    waiting = asyncio.create_task(two.wait(25))
    await anyio.lowlevel.checkpoint()
    for _ in range(5):
        await make_room(asker, THREE)
        await asker.begin(THREE)
    await one.plays("pass")
    with anyio.fail_after(5):
        assert (await waiting)["ready"] is True


async def test_games_that_nobody_waits_for_leave_memory_and_come_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(live, "SESSIONS_IN_MEMORY", 3)
    monkeypatch.setattr(presence, "ROOMS_IN_MEMORY", 3)
    async with server_at(f"sqlite:///{tmp_path}/games.db") as (_, asker):
        all_players = [await full_room(asker, THREE, seed=seed, seatTimeoutSeconds=0) for seed in range(8)]
        for _ in range(2):
            for players in all_players:
                for player in players:
                    await player.plays("pass")
        for players in all_players:
            state = await players[0].state()
            assert state["result"]["reason"] == "round_limit"
            assert [seat["present"] for seat in state["players"]] == [True] * 3


async def test_running_rooms_beyond_the_sessions_in_memory_are_all_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SESSIONS_IN_MEMORY", 2)
    async with server_at("sqlite://") as (_, asker):
        makers = [await make_room(asker, setup) for setup in (THREE, HUNT) * 3]
        for maker in makers:
            await asker.ask("seat_bot", **maker.key, side="all")
        for maker in makers:
            await play_to_the_end([maker])
        await until_no_task_is_left()


# faults of the ledger


class FailingLedger:
    """A ledger that cannot be reached while it is told so."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.failing: frozenset[str] = frozenset()
        self.failed = 0

    def __getattr__(self, name: str) -> Any:
        if name not in self.failing:
            return getattr(self._ledger, name)

        async def fails(*_given: object) -> None:
            self.failed += 1
            raise StoreError("The ledger cannot be reached: see that it is there.")

        return fails


@asynccontextmanager
async def server_over_failing() -> AsyncGenerator[tuple[FailingLedger, Asker]]:
    ledgers: list[FailingLedger] = []

    async def opened(changed: Changed) -> Ledger:
        ledgers.append(FailingLedger(await Ledger.open("sqlite://", changed)))
        return cast(Ledger, ledgers[0])

    table = SessionManager(ScenarioLibrary, LiveSessions(opened), None, 0.0)
    async with Client(build_server(table)) as client:
        await table.live.ledger()
        yield ledgers[0], Asker(client)


ALL = ("room", "presence", "latest_version", "append", "update_room", "create_room", "touch", "unfinished_rooms")


@pytest.mark.parametrize("failing", [*ALL, "load", "entries_after", "everything"])
async def test_bots_play_on_after_the_ledger_was_away(
    failing: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(keeper, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(keeper, "OTHERS_FIRST_SECONDS", 0.0)
    async with server_over_failing() as (ledger, asker):
        maker = await make_room(asker, THREE)
        await asker.ask("seat_bot", **maker.key, side="all")
        await maker.turn()
        await maker.plays("pass")
        ledger.failing = frozenset(ALL if failing == "everything" else [failing])
        for _ in range(100):
            await anyio.lowlevel.checkpoint()
        ledger.failing = frozenset()
        assert (await maker.turn())["version"] == 3
        await maker.plays("pass")
        await play_to_the_end([maker])
    assert "not seen to any more" not in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("failing", ["room", "presence", "latest_version"])
async def test_a_ledger_that_is_away_is_said_in_words_that_say_what_to_do(failing: str) -> None:
    async with server_over_failing() as (ledger, asker):
        maker = await make_room(asker, THREE)
        ledger.failing = frozenset([failing])
        assert "see that it is there" in await asker.error("get_room_state", **maker.key)
        ledger.failing = frozenset()
        assert (await maker.state())["version"] == 0


async def test_a_room_that_cannot_be_stored_is_not_made(asker: Asker) -> None:
    async with server_over_failing() as (ledger, asker):
        for failing in ("count_unfinished_rooms", "create_room"):
            ledger.failing = frozenset([failing])
            assert "see that it is there" in await asker.error("create_room", setup=THREE)
        ledger.failing = frozenset()
        assert await ledger.count_unfinished_rooms() == 0


async def test_that_presence_cannot_be_noted_is_no_players_fault() -> None:
    async with server_over_failing() as (ledger, asker):
        ledger.failing = frozenset(["touch"])
        players = await full_room(asker, THREE)
        await play_to_the_end(players)
        assert ledger.failed > 0


async def test_who_joins_while_it_cannot_be_stored_has_no_seat_and_may_try_again() -> None:
    async with server_over_failing() as (ledger, asker):
        maker = await make_room(asker, THREE)
        ledger.failing = frozenset(["update_room"])
        assert "see that it is there" in await asker.error("join_room", roomCode=maker.code)
        ledger.failing = frozenset()
        assert (await join(asker, maker.code)).side == "p2"


async def test_a_session_that_cannot_be_listed_or_begun_is_said_so() -> None:
    async with server_over_failing() as (ledger, asker):
        ledger.failing = frozenset(["sessions", "create", "load"])
        for tool, more in (("list_sessions", {}), ("new_game", {"setup": THREE}), ("get_state", {"sessionId": "x"})):
            assert "see that it is there" in await asker.error(tool, **more)


async def test_a_room_of_which_nothing_is_left_in_the_ledger_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `living-table store prune`."""
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 0.005)
    table = table_at("sqlite://")
    made = await table.rooms.create(NewRoom(setup=THREE))
    await table.rooms.seat_bot(made["roomCode"], made["playerId"], "all")
    stored = await (await table.live.ledger()).room(made["roomCode"])
    assert stored is not None
    later = presence.utc_now() + timedelta(days=1)
    assert await Upkeep((await table.live.ledger()).database).remove(stored.session_id, later, also_running=True)
    with pytest.raises(NotFoundError):
        await table.rooms.state(made["roomCode"], made["playerId"])
    await until_no_task_is_left()
    await table.close()


# after a restart


class CountingLedger(FailingLedger):
    """A ledger that counts how many games are read from it at once."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self.read, self.reading, self.most = 0, 0, 0

    async def load(self, session_id: str) -> object:
        self.reading += 1
        self.most = max(self.most, self.reading)
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        loaded = await self._ledger.load(session_id)
        self.reading -= 1
        self.read += 1
        return loaded


async def test_after_a_restart_few_rooms_are_read_at_once_and_all_in_the_end(sqlite_url: str) -> None:
    async with server_at(sqlite_url) as (_, asker):
        for _ in range(12):
            await full_room(asker, THREE)
    ledgers: list[CountingLedger] = []

    async def opened(changed: Changed) -> Ledger:
        ledgers.append(CountingLedger(await Ledger.open(sqlite_url, changed)))
        return cast(Ledger, ledgers[0])

    table = SessionManager(ScenarioLibrary, LiveSessions(opened), None, 0.0)
    assert await table.rooms.upkeep.resume() == 12
    with anyio.fail_after(SECONDS_AT_MOST):
        while ledgers[0].read < 12:
            await anyio.lowlevel.checkpoint()
    assert ledgers[0].most == keeper.RESUMED_AT_ONCE
    await table.close()


# what is not stored yet


class SlowLedger(FailingLedger):
    """A ledger that takes its time to store an action, and then cannot."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self.asked, self.may_fail = anyio.Event(), anyio.Event()

    async def append(self, *_given: object) -> bool:
        self.asked.set()
        await self.may_fail.wait()
        raise StoreError("The ledger cannot be reached: see that it is there.")


@pytest.mark.parametrize("in_room", [True, False], ids=["room", "session"])
async def test_a_wait_that_ends_while_an_action_is_being_stored_does_not_tell_of_it(in_room: bool) -> None:
    """The action may come to nothing, and with it what the waiting player would have been told."""
    ledgers: list[SlowLedger] = []

    async def opened(changed: Changed) -> Ledger:
        ledgers.append(SlowLedger(await Ledger.open("sqlite://", changed)))
        return cast(Ledger, ledgers[0])

    table = SessionManager(ScenarioLibrary, LiveSessions(opened), None, 0.0)
    async with Client(build_server(table)) as client:
        asker = Asker(client)
        if in_room:
            one, two, _ = await full_room(asker, THREE)
            acts: dict[str, Any] = {"name": "submit_room_action", "arguments": {**one.key, "notation": "pass"}}
            waits: dict[str, Any] = two.key
        else:
            session = await asker.begin(THREE)
            acts = {"name": "submit_action", "arguments": {"sessionId": session, "notation": "pass"}}
            waits = {"sessionId": session, "side": "p2"}
        waiting = asyncio.create_task(asker.ask("wait_for_turn", **waits, timeoutSeconds=0.2))
        await asker.ask("list_scenarios")
        acting = asyncio.create_task(client.call_tool(**acts))
        await ledgers[0].asked.wait()
        with anyio.move_on_after(0.5):
            await asyncio.shield(waiting)
        ledgers[0].may_fail.set()
        assert (await acting).is_error
        answer = await waiting
        assert (answer["ready"], answer["version"], answer["toAct"]) == (False, 0, ["p1"])
