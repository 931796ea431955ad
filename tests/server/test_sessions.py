"""Who has which seat, what bots do in between, forks, waiting, and where a game is cut off."""

from __future__ import annotations

import asyncio
from pathlib import Path

import anyio
import pytest
from mcp import Client
from tests.server.asking import Asker, play_out
from tests.server.setups import (
    BESIDE_A_TROLL,
    FAR_APART,
    NEIGHBOURS,
    ONE_LEFT_TO_BEAT,
    TWO_TROLLS_AND_THE_DEAD,
    botwars,
    player,
)

from livingtable.game import Data
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.app import mcp_server
from livingtable_server.sessions import live
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.store.ledger import Ledger
from livingtable_server.tools.server import build_server

pytestmark = pytest.mark.anyio


def controllers(snapshot: Data) -> dict[str, str]:
    return {seat["side"]: seat["controller"] for seat in snapshot["seats"]}


# seats


async def test_with_a_side_the_caller_has_that_seat_and_bots_have_the_rest(asker: Asker) -> None:
    answer = await asker.ask("new_game", setup=FAR_APART, side="p2")
    assert controllers(answer["snapshot"]) == {"p1": "bot:greedy", "p2": "agent", "p3": "bot:greedy"}
    assert (answer["snapshot"]["version"], answer["snapshot"]["toAct"]) == (1, ["p2"])


async def test_the_opponent_names_the_bot(asker: Asker) -> None:
    answer = await asker.ask("new_game", setup=FAR_APART, side="p1", opponent="random")
    assert controllers(answer["snapshot"]) == {"p1": "agent", "p2": "bot:random", "p3": "bot:random"}


async def test_without_a_side_the_caller_has_every_seat_and_no_bot_plays(asker: Asker) -> None:
    answer = await asker.ask("new_game", setup=FAR_APART)
    session = answer["sessionId"]
    assert set(controllers(answer["snapshot"]).values()) == {"agent"}
    for version, side in enumerate(["p1", "p2", "p3", "p1"]):
        outcome = await asker.submit(session, "pass", side=side)
        assert (outcome["version"], outcome["events"]) == (version + 1, [f"{side} passes"])


async def test_without_a_side_the_one_to_act_is_meant(asker: Asker) -> None:
    session = await asker.begin(NEIGHBOURS)
    for notation, next_side in (("ally p2", "p2"), ("decline", "p2"), ("pass", "p3")):
        assert (await asker.submit(session, notation))["side"] == next_side
        assert (await asker.ask("list_legal_actions", sessionId=session))["side"] == next_side
        assert (await asker.ask("get_state", sessionId=session))["toAct"] == [next_side]


@pytest.mark.parametrize(("group", "side"), [("player", "p1"), ("troll", "t1")])
async def test_player_and_troll_name_the_first_such_seat(asker: Asker, group: str, side: str) -> None:
    answer = await asker.ask("new_game", scenario="troll_night", side=group, seed=1, detail="brief")
    session = answer["sessionId"]
    mine = [seat for seat, controller in controllers(answer["snapshot"]).items() if controller == "agent"]
    assert mine == [side]
    assert (await asker.ask("list_legal_actions", sessionId=session, side=group))["side"] == side
    assert (await asker.ask("wait_for_turn", sessionId=session, side=group))["side"] == side
    state = await asker.ask("get_state", sessionId=session, side=group)
    legal = await asker.legal(session, group)
    assert state["toAct"] == [side]
    assert (await asker.submit(session, legal[-1], side=group))["ok"] is True


async def test_a_group_without_a_seat_is_told_which_seats_there_are(asker: Asker) -> None:
    assert "p1, p2, p3" in await asker.error("new_game", setup=FAR_APART, side="troll")


async def test_ids_of_a_scenarios_own_name_seats(asker: Asker) -> None:
    setup = botwars("....", "....", characters=[player("0,0", id="ada"), player("3,0", id="bo"), player("3,1")])
    answer = await asker.ask("new_game", setup=setup, side="bo")
    assert controllers(answer["snapshot"]) == {"ada": "bot:greedy", "bo": "agent", "p3": "bot:greedy"}


async def test_a_bots_seat_can_be_looked_at_but_not_waited_for(asker: Asker) -> None:
    session = await asker.begin(FAR_APART, side="p1")
    assert (await asker.ask("get_state", sessionId=session, side="p2"))["toAct"] == ["p1"]
    assert (await asker.ask("list_legal_actions", sessionId=session, side="p2"))["actions"] == []
    assert "p1" in await asker.error("wait_for_turn", sessionId=session, side="p2")


@pytest.mark.parametrize("side", ["p1", "p4", "t1", "t3"])
async def test_every_seat_can_be_played_to_the_end(asker: Asker, side: str) -> None:
    session = await asker.begin("troll_night", seed=6, side=side)
    end = await play_out(asker, session, 1, side)
    assert end["result"]["ranking"]
    assert await asker.ask("verify_record", sessionId=session) == {"ok": True, "result": end["result"]}


async def test_random_opponents_are_the_same_by_seed(asker: Asker) -> None:
    records: list[Data] = []
    for seed in (5, 5, 6):
        session = await asker.begin("mountain_pass", seed=seed, side="p1", opponent="random")
        for _ in range(5):
            await asker.submit(session, (await asker.legal(session))[0])
        records.append((await asker.whole_record(session))["actions"])
    assert records[0] == records[1]
    assert records[0] != records[2]


# bots in between


async def test_in_one_call_bots_play_at_most_200_actions(asker: Asker) -> None:
    answer = await asker.ask("new_game", setup=TWO_TROLLS_AND_THE_DEAD, side="p1", detail="brief")
    session, version = answer["sessionId"], answer["snapshot"]["version"]
    assert version == 200
    for seconds in (0, 25):
        answer = await asker.ask("wait_for_turn", sessionId=session, side="p1", timeoutSeconds=seconds)
        assert answer["version"] == version + 200
        version = answer["version"]
    refused = await asker.refused("not_your_turn", session, notation="pass")
    assert refused["version"] == version + 200
    assert "dead" in refused["reason"]


@pytest.mark.parametrize("detail", ["full", "brief"])
async def test_who_only_reads_plays_no_bots_and_is_told_what_does(asker: Asker, detail: str) -> None:
    """The hint says `readOnlyHint`."""
    begun, text = await asker.both("new_game", setup=TWO_TROLLS_AND_THE_DEAD, side="p1", detail=detail)
    session = begun["sessionId"]
    assert "wait_for_turn" in begun["snapshot"]["reason"]
    assert begun["snapshot"]["reason"] in text
    for tool in ("get_state", "list_legal_actions", "get_state"):
        answer, text = await asker.both(tool, sessionId=session, side="p1", detail=detail)
        assert answer["version"] == 200
        assert "wait_for_turn" in answer["reason"]
        assert answer["reason"] in text
    assert len((await asker.whole_record(session))["actions"]) == 200
    await asker.client.read_resource(f"session://{session}")
    waited = await asker.ask("wait_for_turn", sessionId=session, side="p1", timeoutSeconds=0)
    assert waited["version"] == 400
    assert "wait_for_turn" in waited["reason"]


async def test_what_bots_did_not_get_to_in_one_call_follows_in_wait_for_turn(asker: Asker) -> None:
    session = await asker.begin(TWO_TROLLS_AND_THE_DEAD, side="p1")
    answer = await asker.ask("wait_for_turn", sessionId=session, side="p1", detail="full")
    assert answer["ready"] is False
    versions = [event["version"] for event in answer["events"]]
    assert (versions[0], versions[-1]) == (201, 400), "the events of the turns played in this call"
    since = await asker.ask("wait_for_turn", sessionId=session, side="p1", sinceVersion=0, detail="full")
    assert since["events"][0]["version"] == 1
    assert since["version"] == 600


DIES_OF_ITS_ATTACK = botwars(
    ".......",
    "MMM.MMM",
    "...M...",
    characters=[
        player("0,0", health=1.0, strength=1.0),
        {"characterType": "troll", "position": "1,0", "strength": 5.0},
        {"characterType": "troll", "position": "6,0"},
        player("0,2"),
        player("6,2"),
    ],
    dice={"d20": [1, 20, 1, 20], "d3": [3]},
    maxRounds=1_000_000,
)
"""p1 attacks and dies; the others play on."""


async def test_a_submit_is_followed_by_at_most_200_bot_actions(asker: Asker) -> None:
    session = await asker.begin(DIES_OF_ITS_ATTACK, side="p1", opponent="random", seed=3)
    outcome = await asker.submit(session, "attack t1")
    assert outcome["result"] is None
    assert outcome["version"] == 201
    assert outcome["legal"] == []
    assert outcome["side"] is None
    assert "wait_for_turn" in outcome["reason"]
    again = await asker.submit(session, "attack t1", expectedVersion=0)
    current = again["currentVersion"]
    assert current > 201, "bots that are to act play within a submit, too"
    assert {**again, "reason": outcome["reason"]} == {**outcome, "repeated": True, "currentVersion": current}


async def test_events_that_were_cut_are_had_by_the_version_that_the_answer_names(asker: Asker) -> None:
    session = await asker.begin(DIES_OF_ITS_ATTACK, side="p1", opponent="random", seed=3)
    outcome = await asker.submit(session, "attack t1")
    assert outcome["eventsOmitted"] > 100
    whole = await asker.ask("get_state", sessionId=session, sinceVersion=outcome["eventsSince"])
    assert (whole["events"][0]["type"], whole["events"][0]["side"]) == ("battle", "p1")


async def test_of_a_long_account_ones_own_events_are_kept(asker: Asker) -> None:
    session = await asker.begin(DIES_OF_ITS_ATTACK, side="p1", opponent="random", seed=3)
    outcome = await asker.submit(session, "attack t1")
    assert len(outcome["events"]) == 40
    assert "t1 5.0 beats the attacker p1 1.0" in outcome["events"][0]


ALLIES_BEFORE_LONG_WAYS = botwars(
    "....MM........M.",
    "....MM........M.",
    characters=[
        player("0,0", strength=2.0),
        player("1,0", strength=3.0),
        {"characterType": "troll", "position": "7,0"},
        {"characterType": "troll", "position": "13,1"},
        player("15,0"),
    ],
    maxRounds=1_000_000,
)
"""p1 may ally with p2, who leads then; the trolls and p3 beyond the mountains are far away."""


async def test_an_alliance_is_told_however_far_others_go_after_it(asker: Asker) -> None:
    """Also who accepted it, and the party."""
    session = await asker.begin(ALLIES_BEFORE_LONG_WAYS, side="p1", seed=1)
    outcome, text = await asker.both("submit_action", sessionId=session, notation="ally p2")
    assert outcome["eventsOmitted"] > 0
    assert outcome["events"][:3] == ["p1 offers p2 an alliance", "p2 accepts", "party p2>p1 forms"]
    assert all(line in text for line in outcome["events"])


async def test_brief_events_are_the_latest_40_lines(asker: Asker) -> None:
    session = await asker.begin(TWO_TROLLS_AND_THE_DEAD, side="p1")
    brief, text = await asker.both("get_state", sessionId=session, detail="brief", sinceVersion=0)
    full = await asker.ask("wait_for_turn", sessionId=session, side="p1", sinceVersion=0, timeoutSeconds=0)
    assert len(brief["events"]) == len(full["events"]) == 40
    assert brief["eventsOmitted"] == 160
    assert full["eventsOmitted"] == 360
    assert brief["eventsSince"] == full["eventsSince"] == 0
    assert '(160 events left out; get_state {"sinceVersion": 0, "detail": "full"} has them)' in text
    assert (await asker.ask("get_state", sessionId=session, detail="full", sinceVersion=0))["events"][0]["version"] == 1


async def test_40_lines_of_events_are_not_cut(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for _ in range(41):
        await asker.submit(session, "pass")
    one_less = await asker.ask("get_state", sessionId=session, detail="brief", sinceVersion=1)
    assert len(one_less["events"]) == 40
    assert "eventsOmitted" not in one_less
    all_of_them = await asker.ask("get_state", sessionId=session, detail="brief", sinceVersion=0)
    assert (len(all_of_them["events"]), all_of_them["eventsOmitted"]) == (40, 1)


# forks


async def test_a_fork_goes_on_from_where_the_session_stands(asker: Asker) -> None:
    session = await asker.begin(BESIDE_A_TROLL, seed=2)
    await asker.submit(session, "attack t1")
    source = await asker.ask("get_state", sessionId=session)
    fork = await asker.ask("new_game", fork=session)
    snapshot = fork["snapshot"]
    assert fork["sessionId"] != session
    assert snapshot["version"] == 0
    for key in ("state", "round", "phase", "toAct", "game", "scenario", "seed"):
        assert snapshot[key] == source[key], key


async def test_a_fork_goes_on_with_the_dice_as_they_stood(asker: Asker) -> None:
    setup = {key: value for key, value in BESIDE_A_TROLL.items() if key != "dice"}
    session = await asker.begin({**setup, "turn": "p2"}, seed=2)
    await asker.submit(session, "pass")
    fork = await asker.begin_fork(session)
    one, other = await asker.submit(session, "attack t1"), await asker.submit(fork, "attack t1")
    assert one["events"] == other["events"]
    assert await asker.ask("verify_record", sessionId=fork) == {"ok": True, "result": None}


# marks: a game whose dice may have been tried in another can be told from one whose dice were not


async def test_a_fork_says_from_where_it_is_and_with_which_dice(asker: Asker) -> None:
    session = await asker.begin("mountain_pass", seed=9)
    await asker.submit(session, (await asker.legal(session))[0])
    fork = await asker.ask("new_game", fork=session)
    assert fork["snapshot"]["forkedFrom"] == {"version": 1, "sameDice": True}
    anew, text = await asker.both("new_game", fork=session, version=0, seed=5, detail="brief")
    assert anew["snapshot"]["forkedFrom"] == {"version": 0, "sameDice": False}
    assert "; a fork from version 0, with new dice" in text
    for snapshot in (fork["snapshot"], anew["snapshot"]):
        assert "forked" not in snapshot
        assert session not in str(snapshot)


async def test_a_game_that_was_never_forked_has_no_mark(asker: Asker) -> None:
    session = await asker.begin("mountain_pass", seed=9)
    await asker.ask("new_game", fork=session, seed=5)
    for told in (await asker.ask("get_state", sessionId=session), await asker.whole_record(session)):
        assert not told.keys() & {"forked", "forkedFrom"}
    assert "fork" not in await asker.text("get_state", sessionId=session, detail="brief")


@pytest.mark.parametrize("given", [{}, {"version": 0}, {"seed": 9}, {"seed": 9, "version": 1}])
async def test_a_game_that_is_forked_with_its_dice_while_it_is_played_says_so(asker: Asker, given: Data) -> None:
    """Its own seed gives its own dice."""
    session = await asker.begin("mountain_pass", seed=9)
    await asker.submit(session, (await asker.legal(session))[0])
    fork = await asker.ask("new_game", fork=session, **given)
    assert fork["snapshot"]["forkedFrom"]["sameDice"] is True
    state, text = await asker.both("get_state", sessionId=session, detail="brief")
    assert state["forked"] is True
    assert "; forked with its dice while it was played" in text


async def test_the_record_of_a_game_that_was_forked_says_so_once_it_is_over(asker: Asker) -> None:
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    await asker.begin_fork(session)
    assert "forked" not in await asker.whole_record(session)
    await asker.submit(session, "attack t1")
    record = await asker.whole_record(session)
    assert record.pop("forked") is True
    assert (await asker.ask("verify_record", record=record | {"forked": True}))["ok"] is True
    assert (await asker.ask("verify_record", record=record))["ok"] is True


async def test_the_record_of_a_fork_verifies_with_its_mark(asker: Asker) -> None:
    session = await asker.begin("mountain_pass", seed=9)
    record = await asker.whole_record(await asker.begin_fork(session))
    assert record["forkedFrom"] == {"version": 0, "sameDice": True}
    assert (await asker.ask("verify_record", record=record))["ok"] is True


async def test_a_fork_of_a_finished_game_tells_nothing_of_it_that_matters(asker: Asker) -> None:
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    await asker.submit(session, "attack t1")
    await asker.begin_fork(session, version=0)
    assert "forked" not in await asker.ask("get_state", sessionId=session)


async def test_marks_are_kept_over_a_restart(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path / 'marks.db'}")
    async with Client(mcp_server(settings)) as client:
        asker = Asker(client)
        session = await asker.begin("mountain_pass", seed=9)
        fork = await asker.begin_fork(session)
    async with Client(mcp_server(settings)) as client:
        asker = Asker(client)
        assert (await asker.ask("get_state", sessionId=session))["forked"] is True
        assert (await asker.ask("get_state", sessionId=fork))["forkedFrom"] == {"version": 0, "sameDice": True}


async def test_a_record_tells_of_a_fork_that_another_process_made(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path / 'marks.db'}")
    async with Client(mcp_server(settings)) as here, Client(mcp_server(settings)) as there:
        session = await Asker(here).begin(ONE_LEFT_TO_BEAT)
        await Asker(there).begin_fork(session)
        await Asker(here).submit(session, "attack t1")
        assert (await Asker(here).whole_record(session))["forked"] is True


async def test_a_fork_with_a_seed_has_other_dice(asker: Asker) -> None:
    setup = {key: value for key, value in BESIDE_A_TROLL.items() if key != "dice"}
    session = await asker.begin(setup, seed=2)
    outcomes: list[Data] = []
    for seed in range(12):
        answer = await asker.ask("new_game", fork=session, seed=seed, detail="brief")
        assert answer["snapshot"]["seed"] == seed
        outcomes.append((await asker.submit(answer["sessionId"], "attack t1"))["events"])
    assert len({str(events) for events in outcomes}) > 3


async def test_a_fork_from_a_version_is_the_state_of_that_version(asker: Asker) -> None:
    session = await asker.begin("mountain_pass", seed=9)
    states = [await asker.ask("get_state", sessionId=session)]
    for _ in range(12):
        await asker.submit(session, (await asker.legal(session))[0])
        states.append(await asker.ask("get_state", sessionId=session))
    for version, state in enumerate(states):
        fork = (await asker.ask("new_game", fork=session, version=version))["snapshot"]
        assert (fork["version"], fork["state"], fork["round"]) == (0, state["state"], state["round"])


async def test_a_fork_from_after_the_last_version_is_told_so(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    assert "version 0" in await asker.error("new_game", fork=session, version=1)


async def test_a_version_goes_with_a_fork_only(asker: Asker) -> None:
    assert '"fork"' in await asker.error("new_game", scenario="crossroads", version=1)


async def test_a_fork_has_its_own_health(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    assert '"health"' in await asker.error("new_game", fork=session, health=5)


async def test_a_fork_may_seat_bots(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.ask("new_game", fork=session, side="p2", opponent="random")
    assert controllers(answer["snapshot"]) == {"p1": "bot:random", "p2": "agent", "p3": "bot:random"}
    assert answer["snapshot"]["version"] == 1


async def test_an_unknown_fork_is_told_so(asker: Asker) -> None:
    assert "no session" in await asker.error("new_game", fork="nowhere")


async def test_a_fork_of_a_finished_game_is_finished_and_of_before_its_end_is_not(asker: Asker) -> None:
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    end = await asker.submit(session, "attack t1")
    over = await asker.ask("new_game", fork=session)
    assert over["snapshot"]["result"] == end["result"]
    assert over["snapshot"]["toAct"] == []
    await asker.refused("game_over", over["sessionId"], notation="pass")
    assert await asker.ask("verify_record", sessionId=over["sessionId"]) == {"ok": True, "result": end["result"]}
    before = await asker.begin_fork(session, version=0)
    assert (await asker.submit(before, "attack t1"))["events"] == end["events"]


async def test_a_fork_does_not_disturb_its_source(asker: Asker) -> None:
    session = await asker.begin("mountain_pass", seed=9, side="p1")
    await asker.submit(session, (await asker.legal(session))[0])
    record = await asker.whole_record(session)
    fork = await asker.begin_fork(session, side="p2")
    await asker.submit(fork, (await asker.legal(fork))[0])
    assert await asker.whole_record(session) == record


async def test_a_fork_of_a_fork_verifies(asker: Asker) -> None:
    session = await asker.begin("mountain_pass", seed=9, side="p1")
    for _ in range(3):
        await asker.submit(session, (await asker.legal(session))[0])
        session = await asker.begin_fork(session, side="p1")
    await play_out(asker, session, 2, "p1")
    assert (await asker.ask("verify_record", sessionId=session))["ok"] is True


async def test_loaded_dice_that_are_left_go_into_the_fork(asker: Asker) -> None:
    session = await asker.begin({**BESIDE_A_TROLL, "turn": "p2"})
    await asker.submit(session, "pass")
    fork = await asker.begin_fork(session, version=0)
    await asker.submit(fork, "pass")
    one, other = await asker.submit(session, "attack t1"), await asker.submit(fork, "attack t1")
    assert one["events"] == other["events"]


# cut off


async def cut_off_after(actions: int) -> SessionManager:
    return SessionManager(ScenarioLibrary, LiveSessions(lambda _: Ledger.open("sqlite://"), actions))


async def test_a_game_is_cut_off_as_truncated_and_its_record_verifies() -> None:
    table = await cut_off_after(5)
    session = (await table.new_game(NewGame(setup=FAR_APART))).session_id
    outcomes = [await table.submit(session, "pass") for _ in range(5)]
    assert [outcome["result"] for outcome in outcomes[:4]] == [None] * 4
    result = outcomes[4]["result"]
    assert (result["reason"], result["winners"]) == ("truncated", [])
    assert [row["side"] for row in result["ranking"]] == ["p1", "p2", "p3"]
    assert (outcomes[4]["toAct"], outcomes[4]["legal"], outcomes[4]["side"]) == ([], [], None)
    assert (await table.submit(session, "pass"))["code"] == "game_over"
    assert (await table.submit(session, "pass", expected_version=4))["repeated"] is True
    listed = await table.legal_actions(session, "p3", "full")
    assert (listed["actions"], listed["toAct"]) == ([], [])
    assert "truncated" in listed["reason"]
    assert (await table.wait_for_turn(session, "p3", 25, None, "brief"))["ready"] is True
    assert (await table.list_sessions(active=False))[0]["sessionId"] == session
    assert await table.verify_record(None, session) == {"ok": True, "result": result}
    assert await table.verify_record(await table.record(session), None) == {"ok": True, "result": result}
    await table.close()


async def test_bots_are_cut_off_too() -> None:
    table = await cut_off_after(50)
    session = await table.new_game(NewGame(setup=TWO_TROLLS_AND_THE_DEAD, side="p1"))
    state = await table.get_state(session.session_id, None, None, "full")
    assert (state["version"], state["result"]["reason"]) == (50, "truncated")
    await table.close()


async def test_a_game_that_ends_with_its_last_action_is_not_truncated() -> None:
    table = await cut_off_after(1)
    session = (await table.new_game(NewGame(setup=ONE_LEFT_TO_BEAT))).session_id
    assert (await table.submit(session, "attack t1"))["result"]["reason"] == "sole_survivor"
    await table.close()


async def test_a_truncated_game_is_so_after_a_restart_whatever_the_limit_is_then(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/ledger"
    table = SessionManager(ScenarioLibrary, LiveSessions(lambda _: Ledger.open(url), 3))
    session = (await table.new_game(NewGame(setup=FAR_APART))).session_id
    for _ in range(3):
        await table.submit(session, "pass")
    seen = await table.get_state(session, None, None, "full")
    await table.close()
    table = SessionManager(ScenarioLibrary, LiveSessions(lambda _: Ledger.open(url)))
    assert await table.get_state(session, None, None, "full") == seen
    assert (await table.submit(session, "pass"))["code"] == "game_over"
    assert (await table.verify_record(None, session))["ok"] is True
    await table.close()


async def test_a_round_limit_is_kept(asker: Asker) -> None:
    """C06"""
    session = await asker.begin({**FAR_APART, "maxRounds": 5})
    for _ in range(14):
        assert (await asker.submit(session, "pass"))["result"] is None
    end = await asker.submit(session, "pass")
    assert end["result"]["reason"] == "round_limit"
    assert (await asker.ask("get_state", sessionId=session))["round"] == 5


# waiting


async def test_a_wait_without_a_side_means_the_only_seat(asker: Asker) -> None:
    session = await asker.begin(FAR_APART, side="p2")
    answer = await asker.ask("wait_for_turn", sessionId=session)
    assert (answer["ready"], answer["side"]) == (True, "p2")


async def test_a_wait_after_the_end_is_ready_and_has_the_result(asker: Asker) -> None:
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    await asker.submit(session, "attack t1")
    for side in ("p1", "t1"):
        answer = await asker.ask("wait_for_turn", sessionId=session, side=side, timeoutSeconds=25)
        assert answer["ready"] is True
        assert answer["result"]["reason"] == "sole_survivor"
        assert answer["toAct"] == []


async def test_a_wait_is_woken_by_another_clients_submit(
    table: SessionManager, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without polling: the poll is set to come too late."""
    monkeypatch.setattr(live, "POLL_SECONDS", 3600)
    session = await asker.begin(FAR_APART)
    waiting = [
        asyncio.create_task(asker.ask("wait_for_turn", sessionId=session, side=side, timeoutSeconds=25))
        for side in ("p2", "p3")
    ]
    with anyio.fail_after(20):
        await anyio.wait_all_tasks_blocked()
        await table.submit(session, "pass")
        second = await waiting[0]
        assert not waiting[1].done()
        await table.submit(session, "pass")
        third = await waiting[1]
    for side, answer in (("p2", second), ("p3", third)):
        assert (answer["ready"], answer["side"]) == (True, side)
        assert answer["events"][0] == "p1 passes", "what happened since the wait began"


async def test_a_wait_is_woken_by_the_end(table: SessionManager, asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "POLL_SECONDS", 3600)
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    with anyio.fail_after(20):
        waiting = asyncio.create_task(asker.ask("wait_for_turn", sessionId=session, side="t1", timeoutSeconds=25))
        await anyio.wait_all_tasks_blocked()
        await table.submit(session, "attack t1")
        answer = await waiting
    assert (answer["ready"], answer["result"]["reason"]) == (True, "sole_survivor")


async def test_a_wait_sees_what_another_process_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "POLL_SECONDS", 0.01)
    url = f"sqlite:///{tmp_path}/ledger"
    one, other = (SessionManager(ScenarioLibrary, LiveSessions(lambda _: Ledger.open(url))) for _ in range(2))
    session = (await one.new_game(NewGame(setup=FAR_APART))).session_id
    with anyio.fail_after(20):
        waiting = asyncio.create_task(one.wait_for_turn(session, "p2", 25, None, "brief"))
        await anyio.wait_all_tasks_blocked()
        await other.submit(session, "pass")
        answer = await waiting
    assert (answer["ready"], answer["version"], answer["events"]) == (True, 1, ["p1 passes"])
    await one.close()
    await other.close()


async def test_a_wait_that_is_given_up_leaves_the_session_usable(table: SessionManager, asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for _ in range(3):
        waiting = asyncio.create_task(table.wait_for_turn(session, "p2", 25, None, "brief"))
        await anyio.wait_all_tasks_blocked()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert (await asker.submit(session, "pass"))["ok"] is True


async def test_a_submit_that_is_given_up_is_stored_or_not_but_never_half(table: SessionManager) -> None:
    session = (await table.new_game(NewGame(scenario="mountain_pass", seed=4, side="p1"))).session_id
    for turns in range(0, 24, 2):
        version = (await table.get_state(session, None, None, "brief"))["version"]
        (line, *_) = (await table.legal_actions(session, None, "brief"))["legal"]
        notation = " ".join(line.split()[:2])
        submit = asyncio.create_task(table.submit(session, notation, expected_version=version))
        for _ in range(turns):
            await anyio.lowlevel.checkpoint()
        submit.cancel()
        await asyncio.gather(submit, return_exceptions=True)
        outcome = await table.submit(session, notation, expected_version=version)
        assert outcome["ok"], outcome
        assert (await table.verify_record(None, session))["ok"] is True
        if outcome["result"] or not outcome["legal"]:
            break


# many clients and sessions


async def test_clients_of_one_server_share_its_games_and_outlast_each_other(table: SessionManager) -> None:
    server = build_server(table)
    async with Client(server) as first:
        session = await Asker(first).begin(FAR_APART)
        async with Client(server, mode="legacy") as second:
            assert (await Asker(second).submit(session, "pass", expectedVersion=0))["ok"] is True
        assert (await Asker(first).submit(session, "pass", expectedVersion=1))["ok"] is True


async def test_a_server_whose_last_client_has_left_serves_the_next_one(tmp_path: Path) -> None:
    server = mcp_server(Settings(f"sqlite:///{tmp_path}/ledger"))
    async with Client(server) as client:
        session = await Asker(client).begin(FAR_APART)
    async with Client(server) as client:
        assert (await Asker(client).submit(session, "pass", expectedVersion=0))["ok"] is True


async def test_sessions_beyond_what_memory_keeps_are_read_from_the_ledger(
    table: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SESSIONS_IN_MEMORY", 3)
    sessions = [(await table.new_game(NewGame(setup=FAR_APART))).session_id for _ in range(10)]
    for version in range(3):
        answers = await asyncio.gather(*(table.submit(s, "pass", expected_version=version) for s in sessions))
        assert all(answer["version"] == version + 1 for answer in answers)
    for session in sessions:
        assert (await table.verify_record(None, session))["ok"] is True


async def test_the_list_of_sessions_shows_the_newest_first_and_whose_they_are(asker: Asker) -> None:
    older = await asker.begin(FAR_APART)
    newer = await asker.begin(FAR_APART, side="p2")
    listed = (await asker.ask("list_sessions"))["sessions"]
    assert [s["sessionId"] for s in listed] == [newer, older]
    assert [s["version"] for s in listed] == [1, 0]
