"""Playing in rooms: when a game begins, refusals, retries, what is withheld, bots that play by themselves."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import anyio
import pytest
from tests.server.asking import Asker
from tests.server.players import SECONDS_AT_MOST, Player, full_room, join, make_room, play_to_the_end, server_at
from tests.server.setups import FAR_APART, NEIGHBOURS, meadow

from livingtable.game import Data
from livingtable.records import verify
from livingtable_server.sessions import beginnings, door

pytestmark = pytest.mark.anyio

THREE = {**FAR_APART, "maxRounds": 2}
"""p1, p2 and p3."""
HUNT = meadow("1_2", "___", "__3", rounds=2)


@pytest.fixture(autouse=True)
def _misses_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(door, "MISS_SECONDS", 0.0)


# beginning


async def test_a_game_begins_when_its_last_seat_is_taken_and_not_before(asker: Asker) -> None:
    maker = await make_room(asker, THREE)
    for _ in range(2):
        refused = await maker.is_refused("not_started", notation="pass")
        assert "open seats" in refused["reason"]
        assert refused["toAct"] == []
        assert "legal" not in refused
        waited = await maker.wait(0)
        assert (waited["ready"], waited["toAct"], waited["version"]) == (False, [], 0)
        await join(asker, maker.code)
    assert (await maker.wait(0))["ready"] is True
    assert (await maker.state())["toAct"] == ["p1"]
    assert (await maker.plays("pass"))["toAct"] == ["p2"]


async def test_who_waits_before_the_beginning_is_woken_by_it(asker: Asker) -> None:
    maker = await make_room(asker, THREE)
    await join(asker, maker.code)
    waiting = asyncio.create_task(maker.wait(25))
    await anyio.lowlevel.checkpoint()
    await join(asker, maker.code)
    with anyio.fail_after(5):
        answer = await waiting
    assert (answer["ready"], answer["side"], answer["legal"]) == (True, "p1", ["move 1,0 1,1 0,1", "pass"])


async def test_a_game_with_open_seats_plays_no_bots(asker: Asker) -> None:
    maker = await make_room(asker, THREE, side="p2")
    await asker.ask("seat_bot", **maker.key, side="p1")
    waited = await maker.wait(0.05)
    assert (waited["ready"], waited["version"]) == (False, 0)


async def test_a_room_in_which_bots_have_the_other_seats_begins_at_once(asker: Asker) -> None:
    maker = await make_room(asker, meadow("1_2", "___", rounds=1))
    await asker.ask("seat_bot", **maker.key, side="all")
    assert (await maker.turn())["side"] == "p1"


# refusals


async def test_refusals_are_looked_at_in_the_order_of_the_contract(asker: Asker) -> None:
    maker = await make_room(asker, THREE)
    await maker.is_refused("stale_version", notation="nonsense", expectedVersion=3)
    await maker.is_refused("not_started", notation="nonsense", expectedVersion=0)
    players = {"p1": maker, **{(j := await join(asker, maker.code)).side: j for _ in range(2)}}
    await players["p2"].is_refused("stale_version", notation="nonsense", expectedVersion=1)
    await players["p2"].is_refused("not_your_turn", notation="nonsense", expectedVersion=0)
    await maker.is_refused("malformed_action", notation="nonsense", expectedVersion=0)
    await maker.is_refused("malformed_action", notation="pass", action={"type": "pass"})
    await maker.is_refused("malformed_action")
    refused = await maker.is_refused("illegal_action", notation="move 7,1")
    assert refused["legal"]
    assert refused["version"] == 0
    assert (await maker.plays("pass", expectedVersion=0))["version"] == 1


async def test_after_the_end_everything_but_a_retry_is_game_over(asker: Asker) -> None:
    players = await full_room(asker, THREE)
    final = await play_to_the_end(players)
    for player in players:
        refused = await player.is_refused("game_over", notation="nonsense", expectedVersion=final["version"])
        assert "round_limit" in refused["reason"]
        assert (await player.wait())["ready"] is True


# retries


@pytest.mark.parametrize("detail", ["full", "brief"])
async def test_the_same_submit_again_is_applied_once_and_answered_as_the_first_time(asker: Asker, detail: str) -> None:
    """C40"""
    players = await full_room(asker, THREE)
    first = await players[0].plays("move 1,0", expectedVersion=0, detail=detail)
    assert "repeated" not in first
    again = await players[0].plays("move 1,0", expectedVersion=0, detail=detail)
    assert again == {**first, "repeated": True}
    await players[1].plays("pass", expectedVersion=1)
    late = await players[0].plays("move 1,0", expectedVersion=0, detail=detail)
    assert late["version"] == 1
    assert [entry["side"] for entry in (await players[0].record())["actions"]] == ["p1", "p2"]


async def test_the_same_submit_ten_times_at_once_is_applied_once(asker: Asker) -> None:
    """C40"""
    players = await full_room(asker, THREE)
    answers = await asyncio.gather(*(players[0].plays("move 1,0", expectedVersion=0) for _ in range(10)))
    fresh = [answer for answer in answers if "repeated" not in answer]
    assert len(fresh) == 1
    assert all(answer == {**fresh[0], "repeated": True} for answer in answers if answer not in fresh)
    assert len((await players[0].record())["actions"]) == 1


async def test_another_players_action_is_no_retry_of_ones_own(asker: Asker) -> None:
    """C40: two players send the same; each seat's secret says whose it is."""
    players = await full_room(asker, THREE)
    await players[0].plays("pass", expectedVersion=0)
    await players[1].is_refused("stale_version", notation="pass", expectedVersion=0)


async def test_in_a_round_where_all_choose_a_retry_is_held_against_the_own_command(asker: Asker) -> None:
    one, two, three = await full_room(asker, HUNT)
    first = await one.plays("bomb", expectedVersion=0)
    await two.plays("stay", expectedVersion=0)
    assert (await one.plays("bomb", expectedVersion=0))["repeated"] is True
    await three.plays("stay", expectedVersion=0)
    again = await one.plays("bomb", expectedVersion=0)
    assert (again["repeated"], again["version"]) == (True, first["version"])
    await one.is_refused("stale_version", notation="stay", expectedVersion=0)
    assert len((await one.record())["actions"]) == 3


async def test_all_players_of_a_round_at_once_are_all_accepted_and_the_round_is_resolved_once(asker: Asker) -> None:
    """C41"""
    players = await full_room(asker, HUNT)
    outcomes = await asyncio.gather(*(player.plays("stay", expectedVersion=0) for player in players))
    assert sorted(outcome["version"] for outcome in outcomes) == [1, 2, 3]
    events = (await players[0].state(detail="full"))["events"]
    assert [event["type"] for event in events].count("round_resolved") == 1


# what is withheld


def dice_of(record: Data) -> object:
    return record["start"]["dice"]


@pytest.mark.parametrize("setup", [THREE, HUNT, "castle_siege"], ids=["botwars", "foxhunt", "skirmish"])
async def test_a_drawn_seed_and_the_dice_are_told_with_the_result_and_not_before(
    asker: Asker, setup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = 4_711_471_147_114_711

    def drawn(_below: int) -> int:
        return seed

    monkeypatch.setattr(beginnings.secrets, "randbelow", drawn)
    players = await full_room(asker, setup)
    running = await players[0].record()
    assert (running["seed"], dice_of(running)) == (None, None)
    for player in players:
        for detail in ("full", "brief"):
            answers = [*await asker.both("get_room_state", **player.key, detail=detail, sinceVersion=0)]
            answers += await asker.both("wait_for_turn", **player.key, timeoutSeconds=0, detail=detail)
            assert str(seed) not in json.dumps(answers)
            assert "dice" not in json.dumps(answers)
    if setup == "castle_siege":
        return  # It is long.
    await play_to_the_end(players)
    over = await players[0].record()
    assert over["seed"] == seed == (await players[0].state())["seed"]
    assert dice_of(over)
    assert verify(over).ok


async def test_a_record_of_a_running_game_says_why_it_cannot_be_verified(asker: Asker) -> None:
    players = await full_room(asker, THREE)
    await players[0].plays("pass")
    said = await asker.error("verify_record", record=await players[0].record())
    assert "no record that can be replayed" in said


async def test_the_pages_of_a_rooms_record_make_it_whole(asker: Asker) -> None:
    players = await full_room(asker, {**HUNT, "rounds": 60})
    await play_to_the_end(players)
    record = await players[0].record()
    assert len(record["actions"]) > 100
    assert verify(record).ok
    assert (await asker.ask("verify_record", record=record))["ok"] is True


async def test_the_record_of_a_room_tells_who_sat_there(asker: Asker) -> None:
    maker = await make_room(asker, THREE, name="Ada", controller="human")
    await join(asker, maker.code, name="Bea")
    await asker.ask("seat_bot", **maker.key)
    assert (await maker.record())["seats"] == [
        {"side": "p1", "name": "Ada", "controller": "human"},
        {"side": "p2", "name": "Bea", "controller": "agent"},
        {"side": "p3", "name": "greedy", "controller": "bot:greedy"},
    ]


async def test_the_session_of_a_room_is_to_be_had_by_no_tool_and_no_resource_even_with_its_id() -> None:
    """C43a"""
    async with server_at("sqlite://") as (table, asker):
        players = await full_room(asker, THREE)
        stored = await (await table.live.ledger()).room(players[0].code)
        assert stored is not None
        session = stored.session_id
        for tool, more in (
            ("submit_action", {"notation": "pass"}),
            ("submit_action", {"notation": "pass", "side": "p1"}),
            ("get_state", {}),
            ("list_legal_actions", {"side": "p1"}),
            ("wait_for_turn", {"side": "p1"}),
            ("get_record", {}),
            ("verify_record", {}),
        ):
            assert "no session of this id" in await asker.error(tool, sessionId=session, **more)
        assert "no session of this id" in await asker.error("new_game", fork=session)
        assert (await asker.ask("list_sessions"))["sessions"] == []
        for kind in ("session", "board", "record"):
            with pytest.raises(Exception, match="no session of this id"):
                await asker.client.read_resource(f"{kind}://{session}")
        assert (await players[0].state())["version"] == 0


async def test_a_session_of_ones_own_is_no_room(asker: Asker) -> None:
    session = await asker.begin(THREE)
    assert "no room of this code" in await asker.error("get_room_state", roomCode=session)


@pytest.mark.parametrize(
    "both", [{}, {"sessionId": "x", "roomCode": "y", "playerId": "z"}, {"roomCode": "7K3M-Q2XD"}], ids=str
)
async def test_a_wait_is_for_a_session_or_for_a_players_turn_in_a_room(asker: Asker, both: Data) -> None:
    said = await asker.error("wait_for_turn", **both)
    assert "Give exactly one of sessionId and roomCode" in said or '"playerId" is missing' in said


# hidden commands


async def readings(notation: str) -> str:
    """All that the others can read of a round in which p1 has chosen that."""
    async with server_at("sqlite://") as (_, asker):
        one, *others = await full_room(asker, HUNT, seed=1)
        await one.plays(notation)
        read: list[Any] = []
        for key in ({"roomCode": one.code}, *(player.key for player in others)):
            for detail in ("full", "brief"):
                read += await asker.both("get_room_state", sinceVersion=0, detail=detail, **key)
            read += await asker.both("get_record", **key)
        for player in others:
            for detail in ("full", "brief"):
                read += await asker.both("wait_for_turn", sinceVersion=0, detail=detail, **player.key)
        return json.dumps(read).replace(one.code, "CODE")


async def test_nothing_that_others_can_read_depends_on_a_hidden_command() -> None:
    assert len({await readings(notation) for notation in ("move S", "move E", "bomb", "throw E 1", "stay")}) == 1


# bots


async def test_a_room_of_bots_alone_plays_itself_to_the_end() -> None:
    async with server_at("sqlite://") as (_, asker):
        (maker, *_) = players = await full_room(asker, THREE)
        watching = asyncio.create_task(asker.ask("get_room_state", roomCode=maker.code))
        for player in players:
            await player.gives_up("random")
        await watching
        state = await over(asker, maker.code)
        assert state["result"]["reason"] == "round_limit"
        assert {seat["controller"] for seat in state["seats"]} == {"bot:random"}
        page = await asker.ask("get_record", roomCode=maker.code)
        assert verify(page["record"]).ok


async def over(asker: Asker, code: str) -> Data:
    """The state of a room that needs nobody, once its game is over."""
    with anyio.fail_after(SECONDS_AT_MOST):
        while (state := await asker.ask("get_room_state", roomCode=code))["result"] is None:
            pass
    return state


async def test_one_plays_a_whole_game_against_bots() -> None:
    async with server_at("sqlite://") as (_, asker):
        for setup in (THREE, HUNT):
            maker = await make_room(asker, setup)
            await asker.ask("seat_bot", **maker.key, side="all")
            await play_to_the_end([maker])
            assert verify(await maker.record()).ok


async def test_bots_where_all_choose_at_once_choose_last_and_do_not_wait_for_one_another(asker: Asker) -> None:
    """FX-3.2. The bots of this table take a second each where players take turns."""
    maker = await make_room(asker, HUNT)
    await asker.ask("seat_bot", **maker.key, side="all", bot="random")
    assert (await maker.state())["toAct"] == ["p1", "p2", "p3"]
    outcome = await maker.plays("stay")
    assert outcome["toAct"] == ["p2", "p3"]
    with anyio.fail_after(0.9):
        assert (await maker.turn())["version"] == 3


async def test_one_takes_a_bots_seat_in_the_middle_of_the_game() -> None:
    async with server_at("sqlite://", bot_delay=1e6) as (_, asker):
        maker = await make_room(asker, THREE)
        await asker.ask("seat_bot", **maker.key, side="all")
        await maker.plays("pass")
        other = await join(asker, maker.code, side="p2", name="Bea")
        assert (await other.wait(0))["ready"] is True
        await other.plays("pass", expectedVersion=1)
        assert (await maker.state())["seats"][1] == {"side": "p2", "name": "Bea", "controller": "agent"}


async def test_an_offer_to_a_player_who_gives_up_the_seat_is_answered_by_the_bot() -> None:
    """C44"""
    async with server_at("sqlite://") as (_, asker):
        one, two, three = await full_room(asker, NEIGHBOURS)
        await one.plays("ally p2")
        assert (await two.wait(0))["ready"] is True
        await two.gives_up()
        answer = await three.turn()
        assert answer["toAct"] == ["p3"]


# events since


async def test_a_wait_without_a_version_tells_what_happened_after_the_own_latest_action(asker: Asker) -> None:
    one, two, three = await full_room(asker, THREE)
    await one.plays("move 1,0")
    await two.plays("pass")
    await three.plays("pass")
    assert (await one.wait())["events"] == ["p2 passes", "p3 passes"]
    assert (await one.wait(sinceVersion=2))["events"] == ["p3 passes"]


async def test_two_rooms_do_not_know_each_other(asker: Asker) -> None:
    one, other = await full_room(asker, THREE, seed=1), await full_room(asker, THREE, seed=1)
    await one[0].plays("pass")
    assert (await other[0].state())["version"] == 0
    assert "no seat" in await asker.error("get_room_state", roomCode=other[0].code, playerId=one[0].secret)
    assert "no seat" in await Player(asker, other[0].code, one[0].secret, "p1").asker.error(
        "submit_room_action", roomCode=other[0].code, playerId=one[0].secret, notation="pass"
    )


@pytest.mark.parametrize("detail", ["full", "brief"])
async def test_who_joins_reads_the_goal_and_the_terms_that_no_board_shows(asker: Asker, detail: str) -> None:
    """`classic` for one. Whoever asks for what is new alone is not told it again."""
    maker = await make_room(asker, {**FAR_APART, "ruleset": "classic"})
    guest = await join(asker, maker.code)
    state, text = await asker.both("get_room_state", **guest.key, detail=detail)
    assert "ruleset classic" in state["terms"]
    assert state["terms"] in text
    assert state["goal"] in text
    assert not {"goal", "terms"} & (await asker.ask("get_room_state", **guest.key, sinceVersion=0)).keys()
