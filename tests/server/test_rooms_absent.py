"""Players who are away: a bot stands in for them after the room's time, and the seat stays theirs (C44)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from mcp import Client
from tests.server.asking import Asker
from tests.server.players import Player, full_room, join, make_room, play_to_the_end, server_at, table_at
from tests.server.setups import NEIGHBOURS, botwars, meadow, player
from tests.server.test_round_clock import HeldTime

from livingtable_server.sessions import clock, keeper, live, presence, room_upkeep, session
from livingtable_server.tools.server import build_server

pytestmark = pytest.mark.anyio

THREE = botwars(*[".........."] * 9, characters=[player("0,0"), player("9,0"), player("5,8")], maxRounds=3)
"""p1, p2 and p3, none of whom meets another within three rounds."""
HUNT = meadow("1_2", "___", "__3", rounds=2)
TIMED = meadow("1_2", "___", "__3", rounds=3, roundSeconds=10.0)
TIMEOUT = 120.0


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldTime:
    """Time that goes on only when it is told to, for tables made afterwards. Keepers look again all the time."""
    held = HeldTime()
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    for module in (clock, session, presence, room_upkeep):
        monkeypatch.setattr(module, "monotonic", held.monotonic)
    for module in (presence, room_upkeep):
        monkeypatch.setattr(module, "utc_now", lambda: noon + timedelta(seconds=held.now))
    monkeypatch.setattr(clock, "sleep", held.sleep)
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 0.005)
    monkeypatch.setattr(live, "LOOK_AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(keeper, "OTHERS_FIRST_SECONDS", 0.0)
    return held


@pytest.fixture
async def server(held: HeldTime) -> AsyncGenerator[Asker]:
    assert held.now > 0, "the table is made in held time"
    table = table_at("sqlite://")
    async with Client(build_server(table)) as client:
        yield Asker(client)


async def away(held: HeldTime, seconds: float, *still_there: Player) -> None:
    """So much time goes by, in which the others call now and then."""
    for _ in range(4):
        await held.pass_by(seconds / 4)
        for there in still_there:
            await there.state()


async def presence_of(who: Player) -> dict[str, bool]:
    return {seat["side"]: seat["present"] for seat in (await who.state())["players"]}


async def test_for_who_is_away_too_long_a_bot_plays_on(server: Asker, held: HeldTime) -> None:
    """C44"""
    one, two, three = await full_room(server, THREE, seatTimeoutSeconds=TIMEOUT)
    await one.plays("pass")
    await away(held, TIMEOUT - 1, one, three)
    assert (await three.wait(0.05))["ready"] is False
    await away(held, 1, one, three)
    assert (await three.turn())["version"] == 2
    actions = (await three.record())["actions"]
    assert [entry["side"] for entry in actions] == ["p1", "p2"]
    assert two.side == "p2"


async def test_the_seat_of_who_is_away_stays_its_owners(server: Asker, held: HeldTime) -> None:
    """C43a"""
    one, two, three = await full_room(server, THREE)
    await away(held, TIMEOUT, one, three)
    assert "p2 is taken; free seats: none" in await server.error("join_room", roomCode=one.code, side="p2")
    assert "free seats: none" in await server.error("join_room", roomCode=one.code)
    state = await one.state()
    assert state["seats"][1] == {"side": "p2", "name": "p2", "controller": "agent"}
    assert "p2" in await server.error("seat_bot", **one.key, side="p2")
    assert (await two.state())["side"] == "p2"


@pytest.mark.parametrize("how", ["state", "wait", "submit", "join"])
async def test_who_was_away_is_back_with_the_next_call_whatever_it_is(server: Asker, held: HeldTime, how: str) -> None:
    one, two, three = await full_room(server, THREE)
    await one.plays("pass")
    await away(held, TIMEOUT, one, three)
    await three.turn()
    match how:
        case "state":
            await two.state()
        case "wait":
            await two.wait(0)
        case "submit":
            await two.is_refused("not_your_turn", notation="pass")
        case _:
            await server.ask("join_room", **two.key)
    assert await presence_of(one) == {"p1": True, "p2": True, "p3": True}
    await three.plays("pass")
    await one.plays("pass")
    assert (await one.wait(0.05))["toAct"] == ["p2"], "no bot stands in any more"
    assert (await two.plays("pass", expectedVersion=4))["version"] == 5


async def test_who_comes_back_in_time_to_act_acts(server: Asker, held: HeldTime) -> None:
    one, two, three = await full_room(server, THREE)
    await away(held, 10 * TIMEOUT, one, three)
    await one.plays("pass", expectedVersion=0)
    assert (await two.submit("pass", expectedVersion=1))["version"] == 2, "the bot's or one's own"


async def test_without_a_time_for_the_absent_nobody_is_ever_stood_in_for(server: Asker, held: HeldTime) -> None:
    one, two, three = await full_room(server, THREE, seatTimeoutSeconds=0)
    await one.plays("pass")
    await away(held, 100 * 86_400.0, one, three)
    assert (await three.wait(0.05))["ready"] is False
    assert await presence_of(one) == {"p1": True, "p2": False, "p3": True}
    await two.plays("pass", expectedVersion=1)


async def test_without_a_time_given_it_is_two_minutes(server: Asker, held: HeldTime) -> None:
    one, _, three = await full_room(server, THREE)
    await one.plays("pass")
    await away(held, 119, one, three)
    assert (await three.wait(0.05))["ready"] is False
    await away(held, 2, one, three)
    assert (await three.turn())["ready"] is True


async def test_present_is_who_was_heard_of_within_half_a_minute(server: Asker, held: HeldTime) -> None:
    (one, *_) = await full_room(server, THREE)
    assert await presence_of(one) == {"p1": True, "p2": True, "p3": True}
    await held.pass_by(31)
    assert await presence_of(one) == {"p1": True, "p2": False, "p3": False}
    assert "away" in await server.text("get_room_state", roomCode=one.code)


async def test_who_waits_is_there(server: Asker, held: HeldTime) -> None:
    """One call of many seconds is one call; by its end the time of the room may have passed."""
    one, two, three = await full_room(server, THREE, seatTimeoutSeconds=5)
    began = held.now
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(two.wait, 1)
        await anyio.lowlevel.checkpoint()
        while held.now < began + 60:
            await away(held, 4, one, three)
            assert (await presence_of(one))["p2"] is True
        await one.plays("pass")
    assert (await two.plays("pass", expectedVersion=1))["version"] == 2


async def test_a_bot_is_always_there(server: Asker, held: HeldTime) -> None:
    one, two, _ = await full_room(server, THREE)
    await two.gives_up()
    await held.pass_by(10 * TIMEOUT)
    assert (await presence_of(one))["p2"] is True


async def test_who_takes_the_seat_of_one_that_was_long_away_is_not_away(server: Asker, held: HeldTime) -> None:
    one, two, three = await full_room(server, THREE)
    await two.gives_up()
    await away(held, 10 * TIMEOUT, one, three)
    new = await join(server, one.code)
    assert new.side == "p2"
    assert (await presence_of(one))["p2"] is True
    await one.plays("pass")
    assert (await three.wait(0.05))["ready"] is False


async def test_nobody_is_away_from_a_game_that_has_not_begun(server: Asker, held: HeldTime) -> None:
    maker = await make_room(server, THREE, side="p2")
    await join(server, maker.code, side="p1")
    await away(held, 10 * TIMEOUT, maker)
    last = await join(server, maker.code)
    assert (await last.state())["version"] == 0


# leaving in the middle


async def test_an_offer_to_who_has_left_is_answered_by_the_bot(server: Asker, held: HeldTime) -> None:
    """C44"""
    one, _, three = await full_room(server, NEIGHBOURS)
    await one.plays("ally p2")
    await away(held, TIMEOUT, one, three)
    assert (await three.turn())["toAct"] == ["p3"]


async def test_a_round_does_not_wait_for_who_has_left_before_choosing(server: Asker, held: HeldTime) -> None:
    """C44"""
    one, _, three = await full_room(server, HUNT)
    await one.plays("stay")
    await away(held, TIMEOUT, one, three)
    assert (await three.state())["toAct"] == ["p2", "p3"], "the bot chooses last"
    await three.plays("stay")
    assert (await one.turn())["version"] == 3


async def test_the_command_of_who_has_left_counts_and_the_game_goes_on(server: Asker, held: HeldTime) -> None:
    """C44"""
    one, two, three = await full_room(server, HUNT)
    await two.plays("move S")
    await away(held, TIMEOUT, one, three)
    await one.plays("stay")
    await three.plays("stay")
    assert "p2 move S" in (await one.turn())["events"][0]
    final = await play_to_the_end([one, three])
    assert final["result"]["reason"] == "round_limit"


async def test_the_last_who_is_there_can_end_the_game(server: Asker, held: HeldTime) -> None:
    """C44"""
    for setup in (THREE, HUNT):
        one, *_ = await full_room(server, setup)
        await away(held, TIMEOUT, one)
        assert (await play_to_the_end([one]))["result"] is not None


async def test_a_game_that_all_have_left_is_played_to_its_end(server: Asker, held: HeldTime) -> None:
    one, *_ = await full_room(server, THREE)
    await held.pass_by(TIMEOUT)
    state = await server.ask("get_room_state", roomCode=one.code)
    while state["result"] is None:
        state = await server.ask("get_room_state", roomCode=one.code)
    assert state["result"]["reason"] == "round_limit"
    assert {seat["controller"] for seat in state["seats"]} == {"agent"}


async def test_a_keeper_that_waits_for_a_player_beside_an_absent_one_does_not_spin(
    server: Asker, held: HeldTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of the absent has run out long ago; that is no time to wait for."""
    asked: list[float] = []
    one, _, three = await full_room(server, HUNT)
    await away(held, TIMEOUT, one, three)
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 3600.0)

    until = keeper.Seen.until_somebody_is_away.fget
    assert until is not None
    monkeypatch.setattr(
        keeper.Seen, "until_somebody_is_away", property(lambda seen: asked.append(until(seen) or 0.0) or asked[-1])
    )
    await one.wait(0.05)
    assert len(asked) < 10
    assert all(seconds > 1 for seconds in asked)


# rounds with a time


async def test_the_time_of_a_round_begins_when_the_game_does(server: Asker, held: HeldTime) -> None:
    """FX-1.2"""
    maker = await make_room(server, TIMED)
    await join(server, maker.code)
    await held.pass_by(500)
    state = await maker.state(detail="full")
    assert (state["version"], state["state"]["secondsLeft"]) == (0, None)
    await join(server, maker.code)
    assert (await maker.state(detail="full"))["state"]["secondsLeft"] == 10.0


async def test_a_round_in_a_room_is_cut_when_its_time_is_up(server: Asker, held: HeldTime) -> None:
    """FX-1.2"""
    one, *_ = await full_room(server, TIMED)
    await one.plays("stay")
    await held.pass_by(9)
    assert (await one.state(detail="full"))["state"]["secondsLeft"] == 1.0
    await held.pass_by(1)
    answer = await one.turn()
    assert (answer["version"], answer["toAct"]) == (2, ["p1", "p2", "p3"])
    assert [entry["side"] for entry in (await one.record())["actions"]] == ["p1", "server"]


async def test_a_room_with_a_clock_comes_to_its_end_without_anybody(server: Asker, held: HeldTime) -> None:
    one, *_ = await full_room(server, TIMED, seatTimeoutSeconds=0)
    for version in range(1, 4):
        await held.pass_by(10)
        assert (await one.state())["version"] == version
    assert (await one.state())["result"]["reason"] == "round_limit"
    await held.pass_by(100)
    assert (await one.state())["version"] == 3


# restarts


async def test_that_the_server_was_down_is_nobodys_absence(tmp_path: Path, held: HeldTime) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    async with server_at(url) as (_, asker):
        players = await full_room(asker, THREE)
    await held.pass_by(86_400)
    async with server_at(url) as (table, asker):
        assert await table.rooms.upkeep.resume() == 1
        one, two, three = (gone.at(asker) for gone in players)
        await away(held, TIMEOUT - 1, one, three)
        assert (await one.state())["version"] == 0
        assert (await two.state())["side"] == "p2"


async def test_who_does_not_come_back_after_a_restart_is_away_then(tmp_path: Path, held: HeldTime) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    async with server_at(url) as (_, asker):
        players = await full_room(asker, THREE)
        await players[0].plays("pass")
    async with server_at(url) as (table, asker):
        await table.rooms.upkeep.resume()
        one, _, three = (gone.at(asker) for gone in players)
        await away(held, TIMEOUT, one, three)
        assert (await three.turn())["version"] == 2


async def test_who_is_there_at_one_server_is_there_at_the_other(url: str, held: HeldTime) -> None:
    async with server_at(url) as (_, asker), server_at(url) as (_, other):
        one, two, three = await full_room(asker, THREE)
        two = two.at(other)
        for _ in range(4):
            await away(held, TIMEOUT / 2, one, two, three)
        assert await presence_of(one) == await presence_of(two) == {"p1": True, "p2": True, "p3": True}
        await one.plays("pass")
        assert (await three.wait(0.05))["ready"] is False
        await two.plays("pass", expectedVersion=1)


async def test_who_is_away_from_all_servers_is_stood_in_for_once(url: str, held: HeldTime) -> None:
    async with server_at(url) as (_, asker), server_at(url) as (_, other):
        one, _, three = await full_room(asker, THREE)
        there = three.at(other)
        await one.plays("pass")
        await away(held, TIMEOUT, one, there)
        assert (await there.turn())["version"] == 2
        assert [entry["side"] for entry in (await one.record())["actions"]] == ["p1", "p2"]


async def test_who_comes_back_at_another_server_while_the_bot_takes_its_time_acts_for_itself(
    url: str, held: HeldTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "sleep", held.sleep)
    async with server_at(url, bot_delay=5.0) as (_, asker), server_at(url, bot_delay=5.0) as (_, other):
        one, two, three = await full_room(asker, THREE)
        await one.plays("pass")
        await away(held, TIMEOUT, one, three)
        while len(held.sleepers) == 0:
            await one.state()
        back = two.at(other)
        await back.state()
        await held.pass_by(20)
        assert (await three.wait(0.05))["ready"] is False
        await back.plays("pass", expectedVersion=1)
