"""Rooms over several processes on one ledger, and over restarts: any process serves any room (C46, C48)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.lowlevel
import pytest
from mcp import Client
from tests.server.asking import Asker
from tests.server.players import SECONDS_AT_MOST, Player, full_room, join, make_room, play_to_the_end, server_at
from tests.server.setups import FAR_APART, meadow
from tests.server.wire import Wire

from livingtable.game import Data
from livingtable.records import verify
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.sessions import door, keeper, live
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.store.changes import Changed
from livingtable_server.store.ledger import Ledger
from livingtable_server.tools.server import build_server

pytestmark = pytest.mark.anyio

THREE = {**FAR_APART, "maxRounds": 2}
"""p1, p2 and p3."""
HUNT = meadow("1_2", "___", "__3", rounds=3)
NEVER = 3600.0


@pytest.fixture(autouse=True)
def _misses_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(door, "MISS_SECONDS", 0.0)


@contextmanager
def woken_by_notices_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """On PostgreSQL nobody looks again; on SQLite there is nothing but looking."""
    if url.startswith("postgresql:"):
        monkeypatch.setattr(live, "LOOK_AGAIN_SECONDS", NEVER)
    with anyio.fail_after(SECONDS_AT_MOST):
        yield


async def version_of(table: SessionManager, code: str) -> int:
    """As the ledger has it: nobody comes into the room by that."""
    ledger = await table.live.ledger()
    room = await ledger.room(code)
    assert room is not None
    return await ledger.latest_version(room.session_id) or 0


# two processes


@pytest.mark.parametrize("setup", [THREE, HUNT], ids=["in turns", "at once"])
async def test_players_at_different_servers_play_one_game(url: str, setup: Data) -> None:
    async with server_at(url) as (_, one), server_at(url) as (_, other):
        players = await full_room(one, setup)
        spread = [player.at(asker) for player, asker in zip(players, (one, other, one), strict=True)]
        final = await play_to_the_end(spread)
        assert final["result"]["reason"] == "round_limit"
        record = await players[0].record()
        assert verify(record).ok
        assert record == await players[0].at(other).record()


async def test_a_room_is_joined_from_another_server_and_begins_at_both(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_at(url) as (_, one), server_at(url) as (_, other):
        maker = await make_room(one, THREE, name="Ada")
        await join(other, maker.code, name="Bea")
        waiting = asyncio.create_task(maker.wait(25))
        await maker.state()
        await join(other, maker.code, name="Cy")
        with woken_by_notices_alone(url, monkeypatch):
            assert (await waiting)["ready"] is True
        names = [[seat["name"] for seat in (await maker.at(asker).state())["players"]] for asker in (one, other)]
        assert names == [["Ada", "Bea", "Cy"]] * 2


async def test_who_waits_at_one_server_is_woken_by_an_action_at_another(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with woken_by_notices_alone(url, monkeypatch):
        async with server_at(url) as (_, one), server_at(url) as (_, other):
            first, second, third = await full_room(one, THREE, seatTimeoutSeconds=0)
            for waits, acts in ((second, first), (third, second), (first, third)):
                waiting = asyncio.create_task(waits.at(other).wait(25))
                await waits.at(other).state()
                await acts.plays("pass")
                assert (await waiting)["ready"] is True


async def test_the_same_submit_to_two_servers_at_once_is_applied_once(url: str) -> None:
    """C40"""
    async with server_at(url) as (_, one), server_at(url) as (_, other):
        players = await full_room(one, THREE)
        for version, player in enumerate(players * 2):
            calls = [player.at(asker).plays("pass", expectedVersion=version) for asker in (one, other) * 4]
            answers = await asyncio.gather(*calls)
            assert sorted("repeated" in answer for answer in answers) == [False] + [True] * 7
            assert {answer["version"] for answer in answers} == {version + 1}
        assert len((await players[0].record())["actions"]) == 6


async def test_all_choose_at_once_at_different_servers_and_the_round_is_resolved_once(url: str) -> None:
    """C41"""
    async with server_at(url) as (_, one), server_at(url) as (_, other):
        players = await full_room(one, HUNT)
        for round_begins in (0, 3, 6):
            outcomes = await asyncio.gather(
                *(
                    player.at(asker).plays("stay", expectedVersion=round_begins)
                    for player, asker in zip(players, (one, other, other), strict=True)
                )
            )
            assert len(outcomes) == 3
        record = await players[0].record()
        assert [event["type"] for event in record["events"]].count("round_resolved") == 3
        assert len(record["actions"]) == 9
        assert verify(record).ok


async def test_bots_of_a_room_that_two_servers_see_to_act_once_each(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "OTHERS_FIRST_SECONDS", 0.0)
    async with server_at(url) as (table, one), server_at(url) as (_, other):
        maker = await make_room(one, {**FAR_APART, "maxRounds": 6})
        await one.ask("seat_bot", **maker.key, side="all")
        final = await play_to_the_end([maker.at(one), maker.at(other)])
        record = await maker.record()
        assert verify(record).ok
        assert len(record["actions"]) == final["version"] == await version_of(table, maker.code)


async def test_a_seat_given_up_at_one_server_is_given_up_at_the_other(url: str) -> None:
    """C43"""
    async with server_at(url) as (_, one), server_at(url) as (_, other):
        players = await full_room(one, THREE)
        gone = players[0].at(other)
        await gone.state()
        await players[0].gives_up()
        assert "no seat" in await other.error("submit_room_action", **gone.key, notation="pass")


async def test_what_was_read_before_a_change_does_not_undo_it(tmp_path: Path) -> None:
    """A request that read the room while a seat was open goes on after the seat was taken."""
    async with server_at(f"sqlite:///{tmp_path}/games.db") as (table, asker):
        maker = await make_room(asker, THREE)
        await join(asker, maker.code)
        before = await table.rooms.visit(maker.code, maker.secret)
        await join(asker, maker.code)
        async with table.live.changing(before.session_id, in_room=True) as session:
            keeper.seat(session, before.room, frozenset())
            assert session.open_sides == []


# restarts


async def test_after_a_restart_the_bot_that_is_to_act_acts_though_nobody_comes(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C46"""
    monkeypatch.setattr(keeper, "OTHERS_FIRST_SECONDS", 0.0)
    async with server_at(url, bot_delay=NEVER) as (_, asker):
        maker = await make_room(asker, THREE, side="p2")
        await asker.ask("seat_bot", **maker.key, side="all")
    async with server_at(url) as (table, asker):
        assert await version_of(table, maker.code) == 0
        assert await table.rooms.upkeep.resume() == 1
        with anyio.fail_after(SECONDS_AT_MOST):
            while await version_of(table, maker.code) == 0:
                await anyio.lowlevel.checkpoint()
        assert (await maker.at(asker).turn())["toAct"] == ["p2"]


async def test_rooms_that_have_not_begun_or_are_over_are_not_resumed(url: str) -> None:
    async with server_at(url) as (_, asker):
        await make_room(asker, THREE)
        await play_to_the_end(await full_room(asker, THREE))
    async with server_at(url) as (table, _):
        assert await table.rooms.upkeep.resume() == 0


async def test_a_restart_loses_nothing_of_a_room(url: str) -> None:
    async with server_at(url) as (_, asker):
        players = await full_room(asker, THREE, name="Ada")
        await players[0].plays("move 1,0")
        seen = await everything_of(players)
    async with server_at(url) as (_, asker):
        again = [player.at(asker) for player in players]
        assert await everything_of(again) == seen
        assert (await again[0].plays("move 1,0", expectedVersion=0))["repeated"] is True
        await play_to_the_end(again)
        assert verify(await again[0].record()).ok


async def everything_of(players: list[Player]) -> list[Data]:
    seen: list[Data] = []
    for player in players:
        seen += [await player.state(detail="full"), await player.state(), await player.wait(0), await player.record()]
    return seen


async def test_commands_of_an_open_round_outlive_a_restart_and_stay_hidden(url: str) -> None:
    """C03"""
    async with server_at(url) as (_, asker):
        players = await full_room(asker, HUNT)
        await players[0].plays("move S")
    async with server_at(url) as (_, asker):
        one, two, three = (player.at(asker) for player in players)
        assert (await two.state())["toAct"] == ["p2", "p3"]
        assert [entry["action"] for entry in (await two.record())["actions"]] == [None]
        await two.plays("stay")
        outcome = await three.plays("stay")
        assert outcome["events"][0] == "round 1: p1 move S, p2 stay, p3 stay"
        assert (await one.wait(0))["ready"] is True


async def test_when_the_process_that_played_the_bots_is_gone_another_does(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "OTHERS_FIRST_SECONDS", 0.0)
    async with server_at(url) as (_, other):
        async with server_at(url, bot_delay=NEVER) as (_, asker):
            maker = await make_room(asker, THREE)
            await asker.ask("seat_bot", **maker.key, side="all")
            await maker.plays("pass")
        assert (await maker.at(other).turn())["version"] == 3


async def test_a_closed_rooms_players_and_a_running_ones_are_told_apart_after_a_restart(url: str) -> None:
    async with server_at(url) as (table, asker):
        closed, running = await full_room(asker, THREE), await full_room(asker, THREE)
        await (await table.live.ledger()).close_room(closed[0].code)
    async with server_at(url) as (table, asker):
        assert await table.rooms.upkeep.resume() == 1
        assert "room was closed" in await asker.error("get_room_state", **closed[0].key)
        assert (await running[0].at(asker).plays("pass"))["version"] == 1


@pytest.mark.slow
def test_a_killed_server_has_all_that_it_acknowledged(tmp_path: Path) -> None:
    """`kill -9` after each answer."""
    store = f"sqlite:///{tmp_path}/games.db"
    wire = Wire(store)
    made = wire.call("create_room", setup=THREE, name="Ada")
    code, secrets = made["roomCode"], [made["playerId"]]
    for _ in range(2):
        wire.kill()
        wire = Wire(store)
        secrets.append(wire.call("join_room", roomCode=code)["playerId"])
    for version, secret in enumerate(secrets):
        wire.kill()
        wire = Wire(store)
        key = {"roomCode": code, "playerId": secret, "notation": "pass", "expectedVersion": version}
        assert wire.call("submit_room_action", **key)["version"] == version + 1
    wire.kill()
    wire = Wire(store)
    state = wire.call("get_room_state", roomCode=code, playerId=secrets[0])
    assert (state["version"], state["toAct"], state["room"]["name"]) == (3, ["p1"], "Ada")
    wire.close()


async def test_two_askers_share_nothing_but_the_ledger(url: str) -> None:
    """Else these tests would show nothing."""
    async with server_at(url) as (one, _), server_at(url) as (other, _):
        assert one.live is not other.live
        assert await one.live.ledger() is not await other.live.ledger()


# words that come while one looks


class LedgerThatLooksAway:
    """A ledger whose next answer to a question is late: by then another process has changed what was asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.late: tuple[str, Callable[[], Awaitable[object]]] | None = None

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._ledger, name)
        if self.late is None or self.late[0] != name:
            return asked

        async def answered_late(*given: object) -> object:
            answer = await asked(*given)
            if self.late is not None:
                (_, meanwhile), self.late = self.late, None
                await meanwhile()
            return answer

        return answered_late


@asynccontextmanager
async def server_that_looks_away(url: str) -> AsyncGenerator[tuple[LedgerThatLooksAway, Asker, Callable[[], int]]]:
    """Such a ledger, a client, and how many words of other processes the server has heard."""
    ledgers: list[LedgerThatLooksAway] = []
    heard: list[str | None] = []

    async def opened(changed: Changed) -> Ledger:
        def hear(key: str | None) -> None:
            changed(key)
            heard.append(key)

        ledgers.append(LedgerThatLooksAway(await Ledger.open(url, hear)))
        return cast(Ledger, ledgers[0])

    table = SessionManager(ScenarioLibrary, LiveSessions(opened), None, 0.0)
    async with Client(build_server(table)) as client:
        await table.live.ledger()
        yield ledgers[0], Asker(client), lambda: len(heard)


@asynccontextmanager
async def changed_and_told(
    ledger: LedgerThatLooksAway, asked: str, heard: Callable[[], int], change: Callable[[], Awaitable[object]]
) -> AsyncGenerator[None]:
    """While that question is being answered the other process makes the change, and its word comes in. Whoever asked
    must not wait for long then, though nobody looks again."""

    async def meanwhile() -> None:
        before = heard()
        await change()
        while heard() == before:
            await anyio.lowlevel.checkpoint()

    ledger.late = asked, meanwhile
    with anyio.fail_after(SECONDS_AT_MOST / 2):
        yield
    assert ledger.late is None, "it was asked"


async def test_an_action_told_while_one_looks_is_not_missed(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_AGAIN_SECONDS", NEVER)
    async with server_that_looks_away(postgres_url) as (ledger, asker, heard), server_at(postgres_url) as (_, other):
        session = await other.begin(THREE)
        waits = {"sessionId": session, "side": "p2"}
        await asker.ask("wait_for_turn", **waits, timeoutSeconds=0)
        async with changed_and_told(ledger, "latest_version", heard, lambda: other.submit(session, "pass")):
            assert (await asker.ask("wait_for_turn", **waits, timeoutSeconds=25))["ready"] is True


async def test_the_last_players_coming_told_while_one_looks_is_not_missed(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOK_AGAIN_SECONDS", NEVER)
    async with server_that_looks_away(postgres_url) as (ledger, asker, heard), server_at(postgres_url) as (_, other):
        maker = await make_room(other, THREE, seatTimeoutSeconds=0)
        await join(other, maker.code)
        waits = maker.at(asker)
        await waits.wait(0)
        async with changed_and_told(ledger, "room", heard, lambda: join(other, maker.code)):
            assert (await waits.wait(25))["ready"] is True
