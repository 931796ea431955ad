"""What each tool gives, by the shapes of the wire contract, in both halves and both details."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from statistics import median

import pytest
from mcp_types import TextResourceContents
from tests.server import shapes
from tests.server.asking import Asker, alternatives, compact, play_out
from tests.server.setups import BESIDE_A_TROLL, FAR_APART, NEIGHBOURS, ONE_LEFT_TO_BEAT, PARTY_OF_TWO
from tests.server.shapes import misfit
from tests.server.tokens import tokens

from livingtable.agents import choose, create
from livingtable.game import Data
from livingtable.games.foxhunt.actions import parse_action
from livingtable_server.sessions.manager import SessionManager

pytestmark = pytest.mark.anyio

DETAILS = pytest.mark.parametrize("detail", ["full", "brief"])


def check(data: object, shape: shapes.Shape) -> None:
    assert not misfit(data, shape)


def says_it_all(text: str, brief: Data) -> None:
    """Whether the text of a brief answer has what its structured half has."""
    assert brief["board"] in text
    assert f"version {brief['version']}" in text
    for line in (*brief.get("legal", ()), *brief.get("events", ())):
        assert line in text.splitlines(), line
    for side in brief["toAct"]:
        assert side in text
    if brief["result"]:
        assert brief["result"]["reason"] in text
        for row in brief["result"]["ranking"]:
            assert f'{row["place"]}. {row["side"]} "{row["name"]}" {row["score"]}' in text
            more = {key: value for key, value in row.items() if key not in ("place", "side", "name", "score")}
            assert all(f"{key} {json.dumps(value)}" in text for key, value in more.items()), "what parts equal scores"


# list_scenarios, read_rules


async def test_scenarios_and_bots_are_listed(asker: Asker) -> None:
    answer, text = await asker.both("list_scenarios")
    scenario = {"name": str, "game": str, "title": str, "summary": str, "seats": [str]}
    check(answer, {"scenarios": [scenario], "bots": [{"name": str, "summary": str, "games": [str]}]})
    assert json.loads(text) == answer
    assert {"crossroads", "mountain_pass", "troll_night", "first_alliance", "wide_wilds"} <= {
        s["name"] for s in answer["scenarios"]
    }
    assert {"greedy", "random"} <= {bot["name"] for bot in answer["bots"]}


async def test_the_list_leaves_out_the_notes_which_a_scenario_itself_has(asker: Asker) -> None:
    assert not any("notes" in row for row in (await asker.ask("list_scenarios"))["scenarios"])
    (content,) = (await asker.client.read_resource("scenario://crossroads")).contents
    assert isinstance(content, TextResourceContents)
    assert "games of greedy against itself" in json.loads(content.text)["notes"]


async def test_scenarios_of_one_game_are_listed(asker: Asker) -> None:
    answer = await asker.ask("list_scenarios", game="botwars")
    assert {s["game"] for s in answer["scenarios"]} == {"botwars"}


async def test_every_listed_scenario_can_be_played_from_every_listed_seat(asker: Asker) -> None:
    for scenario in (await asker.ask("list_scenarios"))["scenarios"]:
        for side in (scenario["seats"][0], scenario["seats"][-1]):
            answer = await asker.ask("new_game", scenario=scenario["name"], side=side, seed=1, detail="brief")
            assert [s["side"] for s in answer["snapshot"]["seats"]] == scenario["seats"]


async def test_rules_are_given_whole_and_by_section(asker: Asker) -> None:
    answer, text = await asker.both("read_rules", game="botwars")
    assert answer["text"] == text
    assert "\n## 1. " in text
    section = await asker.text("read_rules", game="botwars", section="1")
    assert section.startswith("## 1. ")
    assert section in text
    title = section.splitlines()[0].removeprefix("## 1. ")
    assert await asker.text("read_rules", game="botwars", section=title) == section


async def test_an_unknown_section_is_told_which_there_are(asker: Asker) -> None:
    error = await asker.error("read_rules", game="botwars", section="castling")
    assert "1. " in error
    assert "castling" in error


# new_game, get_state


@DETAILS
async def test_a_new_game_gives_its_session_and_snapshot(asker: Asker, detail: str) -> None:
    answer, text = await asker.both("new_game", scenario="crossroads", side="p2", seed=5, detail=detail)
    snapshot = answer["snapshot"]
    check(snapshot, shapes.FULL_SNAPSHOT if detail == "full" else shapes.BRIEF_SNAPSHOT)
    assert answer["sessionId"] == snapshot["sessionId"]
    assert ("state" in snapshot, "board" in snapshot) == (detail == "full", detail == "brief")
    assert answer["sessionId"] in text
    assert (snapshot["seed"], snapshot["scenario"], snapshot["game"]) == (5, "crossroads", "botwars")
    assert (snapshot["version"], snapshot["toAct"]) == (1, ["p2"]), "p1's bot has played"
    if detail == "full":
        assert json.loads(text) == answer
    else:
        says_it_all(text, snapshot)
        assert 'botwars "crossroads", seed 5' in text
        assert all(f'{s["side"]} "{s["name"]}" {s["controller"]}' in text for s in snapshot["seats"])


@DETAILS
async def test_a_new_game_alone_tells_what_it_is_about(asker: Asker, detail: str) -> None:
    answer, text = await asker.both("new_game", scenario="crossroads", detail=detail)
    assert "wins" in answer["snapshot"]["goal"]
    assert answer["snapshot"]["goal"] in text
    assert "terms" not in answer["snapshot"], "all that matters here stands in the rules"
    assert "goal" not in await asker.ask("get_state", sessionId=answer["sessionId"], detail=detail)


async def test_new_game_and_get_state_are_full_unless_asked_otherwise(asker: Asker) -> None:
    answer = await asker.ask("new_game", scenario="crossroads")
    check(answer["snapshot"], shapes.FULL_SNAPSHOT)
    check(await asker.ask("get_state", sessionId=answer["sessionId"]), shapes.FULL_SNAPSHOT)


@DETAILS
async def test_a_state_is_a_snapshot(asker: Asker, detail: str) -> None:
    session = await asker.begin(side="p1", seed=5)
    answer, text = await asker.both("get_state", sessionId=session, detail=detail)
    check(answer, shapes.FULL_SNAPSHOT if detail == "full" else shapes.BRIEF_SNAPSHOT)
    assert "events" not in answer
    if detail == "full":
        assert json.loads(text) == answer
    else:
        says_it_all(text, answer)


@DETAILS
async def test_a_state_since_a_version_adds_the_events_since(asker: Asker, detail: str) -> None:
    session = await asker.begin(FAR_APART)
    for _ in range(3):
        await asker.submit(session, "pass")
    answer = await asker.ask("get_state", sessionId=session, sinceVersion=1, detail=detail)
    if detail == "full":
        assert [e["version"] for e in answer["events"]] == [2, 3]
        check(answer["events"], [shapes.EVENT])
    else:
        assert answer["events"] == ["p2 passes", "p3 passes"]
    assert (await asker.ask("get_state", sessionId=session, sinceVersion=3, detail=detail))["events"] == []
    assert (await asker.ask("get_state", sessionId=session, sinceVersion=99, detail=detail))["events"] == []


async def test_states_of_a_whole_game_keep_their_shape(asker: Asker) -> None:
    session = await asker.begin("troll_night", seed=2)
    answer = await asker.ask("get_state", sessionId=session)
    while answer["result"] is None:
        check(answer, shapes.FULL_SNAPSHOT)
        legal = await asker.legal(session)
        await asker.submit(session, legal[-1] if "pass" not in legal[0] else legal[0])
        answer = await asker.ask("get_state", sessionId=session)
        if answer["version"] > 60:
            break
    check(answer, shapes.FULL_SNAPSHOT)


# list_legal_actions, submit_action


@DETAILS
async def test_legal_actions_are_listed(asker: Asker, detail: str) -> None:
    session = await asker.begin(NEIGHBOURS)
    answer, text = await asker.both("list_legal_actions", sessionId=session, detail=detail)
    assert (answer["version"], answer["toAct"], answer["side"]) == (0, ["p1"], "p1")
    assert "reason" not in answer
    if detail == "full":
        assert json.loads(text) == answer
        check(answer["actions"], [{"type": str}])
        assert answer["actions"][0] == {"type": "move", "to": "1,1"}
        assert answer["actions"][-1] == {"type": "pass"}
    else:
        assert answer["legal"] == ["move 1,1 0,1", "ally p2", "pass"]
        assert "actions" not in answer
        assert all(line in text.splitlines() for line in answer["legal"])


async def test_legal_actions_are_full_unless_asked_otherwise(asker: Asker) -> None:
    session = await asker.begin(NEIGHBOURS)
    assert "actions" in await asker.ask("list_legal_actions", sessionId=session)


@pytest.mark.parametrize(
    ("setup", "side", "reason"),
    [
        (FAR_APART, "p2", "p1 is to act"),
        (PARTY_OF_TWO, "p2", "follows p1"),
        ({**FAR_APART, "characters": [*FAR_APART["characters"], {"alive": False, "position": "3,0"}]}, "p4", "dead"),
    ],
)
@DETAILS
async def test_a_seat_that_may_not_act_is_told_why(
    asker: Asker, setup: Data, side: str, reason: str, detail: str
) -> None:
    """C11"""
    session = await asker.begin(setup)
    answer, text = await asker.both("list_legal_actions", sessionId=session, side=side, detail=detail)
    assert answer["actions" if detail == "full" else "legal"] == []
    assert reason in answer["reason"]
    assert answer["reason"] in text
    assert answer["side"] == side


@DETAILS
async def test_after_the_end_nothing_is_legal_for_anybody(asker: Asker, detail: str) -> None:
    """C11"""
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    await asker.submit(session, "attack t1")
    for named in ({}, {"side": "p1"}, {"side": "t1"}):
        answer = await asker.ask("list_legal_actions", sessionId=session, detail=detail, **named)
        assert answer["actions" if detail == "full" else "legal"] == []
        assert "over" in answer["reason"]
        assert answer["toAct"] == []


@DETAILS
async def test_an_outcome_has_all_that_the_next_decision_needs(asker: Asker, detail: str) -> None:
    session = await asker.begin(side="p1", seed=5)
    (first, *_) = await asker.legal(session)
    answer, text = await asker.both("submit_action", sessionId=session, notation=first, detail=detail)
    assert answer["ok"] is True
    check(answer, shapes.FULL_OUTCOME if detail == "full" else shapes.BRIEF_OUTCOME)
    assert (answer["side"], answer["toAct"]) == ("p1", ["p1"])
    if detail == "full":
        assert json.loads(text) == answer
        assert "board" not in answer
        assert "legal" not in answer
        listed = await asker.ask("list_legal_actions", sessionId=session)
        assert answer["actions"] == listed["actions"]
        versions = [event["version"] for event in answer["events"]]
        assert versions == sorted(versions)
        assert (versions[0], versions[-1]) == (1, answer["version"])
    else:
        assert "state" not in answer
        assert "actions" not in answer
        assert alternatives(answer["legal"]) == await asker.legal(session)
        says_it_all(text, answer)


@pytest.mark.parametrize(("scenario", "at_most"), [("crossroads", 450), ("castle_siege", 550), ("river_raid", 550)])
async def test_a_brief_outcome_costs_a_median_of_so_many_tokens_a_half(
    table: SessionManager, asker: Asker, scenario: str, at_most: int
) -> None:
    """Over whole games of `greedy` in one seat, the first and the last by turns, against bots."""
    costs: list[tuple[int, int]] = []
    for seed in range(4):
        sides = (await table.session(await asker.begin(scenario))).recording.state.sides
        async for answer, text in greedy_outcomes(table, asker, scenario, seed, sides[-(seed % 2)]):
            costs.append((tokens(text), tokens(compact(answer))))
    assert len(costs) > 50
    for half in zip(*costs, strict=True):
        assert median(half) <= at_most


async def greedy_outcomes(
    table: SessionManager, asker: Asker, scenario: str, seed: int, side: str
) -> AsyncGenerator[tuple[Data, str]]:
    """Both halves of each outcome of a whole game, in which `greedy` chooses for the caller's seat."""
    session = await asker.begin(scenario, side=side, seed=seed)
    while (recording := (await table.session(session)).recording).result is None:
        if side in recording.state.to_act:
            notation = choose("greedy", recording.state, side, seed, recording.version).notation
            yield await asker.both("submit_action", sessionId=session, notation=notation)
        else:
            await asker.ask("wait_for_turn", sessionId=session)


@pytest.mark.slow
async def test_a_brief_outcome_of_a_fox_hunt_costs_a_median_of_at_most_400_tokens_a_half(asker: Asker) -> None:
    """On `fox_yard`, one seat of whole games, all seats played by greedy."""
    costs: list[tuple[int, int]] = []
    for seed, side in enumerate(("p1", "p2")):
        session = await asker.begin("fox_yard", side=side, seed=seed)
        answer: Data = {"result": None}
        while answer["result"] is None:
            state = (await asker.ask("get_state", sessionId=session))["state"]
            listed = (await asker.ask("list_legal_actions", sessionId=session))["actions"]
            choice = create("greedy", "foxhunt", side, 0).choose(state, [parse_action(a, side) for a in listed])
            answer, text = await asker.both("submit_action", sessionId=session, action=choice.to_data())
            costs.append((tokens(text), tokens(compact(answer))))
    assert len(costs) > 200
    for half in zip(*costs, strict=True):
        assert median(half) <= 400


async def test_a_submit_is_brief_unless_asked_otherwise(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    check(await asker.submit(session, "pass"), shapes.BRIEF_OUTCOME)


async def test_an_action_is_taken_as_object_or_as_notation(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    one = await asker.ask("submit_action", sessionId=session, action={"type": "move", "to": "1,0"})
    other = await asker.submit(session, "move 6,0")
    assert (one["events"], other["events"]) == (["p1 moves 0,0 to 1,0"], ["p2 moves 7,0 to 6,0"])


async def test_with_all_seats_the_outcome_names_whose_turn_is_next(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.submit(session, "pass")
    assert (answer["side"], answer["toAct"]) == ("p2", ["p2"])
    assert answer["legal"]


async def test_the_last_outcome_has_the_result(asker: Asker) -> None:
    session = await asker.begin(ONE_LEFT_TO_BEAT)
    answer, text = await asker.both("submit_action", sessionId=session, notation="attack t1")
    check(answer, shapes.BRIEF_OUTCOME)
    assert (answer["toAct"], answer["legal"], answer["side"]) == ([], [], None)
    assert (answer["result"]["reason"], answer["result"]["winners"]) == ("sole_survivor", ["p1"])
    says_it_all(text, answer)
    state = await asker.ask("get_state", sessionId=session)
    assert (state["result"], state["toAct"]) == (answer["result"], [])


async def test_a_battle_is_one_short_line(asker: Asker) -> None:
    session = await asker.begin(BESIDE_A_TROLL)
    answer = await asker.submit(session, "attack t1")
    assert len(answer["events"]) == 1
    assert answer["events"][0].startswith("p1 2.0 beats t1 4.0, 2:0")


async def test_events_of_whole_games_have_the_contracts_keys(asker: Asker) -> None:
    seen: set[str] = set()
    for seed in range(3):
        session = await asker.begin("troll_night", seed=seed, side="p1")
        await play_out(asker, session, seed, "p1")
        for event in (await asker.whole_record(session))["events"]:
            shape = shapes.EVENTS[event["type"]]
            check(event, {**shapes.EVENT, **shape})
            assert set(event) == {"type", "version", "side", *shape}, event
            seen.add(event["type"])
    assert {"moved", "battle", "damaged", "scored", "game_over"} <= seen


# wait_for_turn


@DETAILS
async def test_a_wait_whose_turn_it_is_ends_at_once(asker: Asker, detail: str) -> None:
    session = await asker.begin(side="p1", seed=5)
    answer, text = await asker.both("wait_for_turn", sessionId=session, side="p1", detail=detail)
    check(answer, shapes.FULL_WAIT if detail == "full" else shapes.BRIEF_WAIT)
    assert answer["ready"] is True
    assert "ok" not in answer
    assert "retryAfterSeconds" not in answer
    if detail == "full":
        assert json.loads(text) == answer
    else:
        says_it_all(text, answer)
        assert alternatives(answer["legal"]) == await asker.legal(session)


@DETAILS
async def test_a_wait_that_runs_out_says_when_to_ask_again(asker: Asker, detail: str) -> None:
    session = await asker.begin(FAR_APART)
    answer, text = await asker.both(
        "wait_for_turn", sessionId=session, side="p2", timeoutSeconds=0, sinceVersion=0, detail=detail
    )
    check(answer, shapes.FULL_WAIT if detail == "full" else shapes.BRIEF_WAIT)
    assert answer["ready"] is False
    assert answer["retryAfterSeconds"] >= 0
    assert answer["toAct"] == ["p1"]
    if detail == "full":
        assert json.loads(text) == answer
    else:
        says_it_all(text, answer)


# get_record, verify_record, list_sessions


async def test_a_record_has_all_its_parts(asker: Asker) -> None:
    session = await asker.begin(FAR_APART, seed=9)
    await asker.submit(session, "pass")
    answer, text = await asker.both("get_record", sessionId=session)
    assert json.loads(text) == answer
    check(answer["record"], shapes.RECORD)
    assert set(answer) == {"record"}, "nothing follows"
    record = answer["record"]
    assert record["seed"] == 9
    assert record["scenario"]["map"] == FAR_APART["map"]
    assert record["actions"] == [{"version": 1, "side": "p1", "action": {"type": "pass"}}]
    assert session not in text


async def test_a_record_of_version_0_is_one_too(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    record = (await asker.ask("get_record", sessionId=session))["record"]
    check(record, shapes.RECORD)
    assert (await asker.ask("verify_record", record=record)) == {"ok": True, "result": None}


async def test_a_record_is_verified_by_session_and_by_itself(asker: Asker) -> None:
    session = await asker.begin("troll_night", seed=3, side="p1")
    end = await play_out(asker, session)
    by_session, text = await asker.both("verify_record", sessionId=session)
    assert by_session == {"ok": True, "result": end["result"]}
    assert json.loads(text) == by_session
    assert await asker.ask("verify_record", record=await asker.whole_record(session)) == by_session


async def test_sessions_are_listed(asker: Asker) -> None:
    over = await asker.begin(ONE_LEFT_TO_BEAT)
    await asker.submit(over, "attack t1")
    running = await asker.begin("crossroads", side="p3")
    answer, text = await asker.both("list_sessions")
    assert json.loads(text) == answer
    listed = {s["sessionId"]: s for s in answer["sessions"]}
    assert set(listed) == {over, running}
    assert (listed[running]["game"], listed[running]["scenario"]) == ("botwars", "crossroads")
    for active, expected in ((True, running), (False, over)):
        some = await asker.ask("list_sessions", active=active)
        assert [s["sessionId"] for s in some["sessions"]] == [expected]


# errors that hold for many tools

WITH_SESSION = ["get_state", "list_legal_actions", "submit_action", "wait_for_turn", "get_record", "verify_record"]


@pytest.mark.parametrize("tool", WITH_SESSION)
async def test_an_unknown_session_is_told_how_to_get_one(asker: Asker, tool: str) -> None:
    more = {"notation": "pass"} if tool == "submit_action" else {}
    error = await asker.error(tool, sessionId="nowhere", **more)
    assert "no session" in error
    assert "new_game" in error


@pytest.mark.parametrize("tool", [t for t in WITH_SESSION if t != "verify_record"])
async def test_a_missing_session_id_is_named(asker: Asker, tool: str) -> None:
    more = {"notation": "pass"} if tool == "submit_action" else {}
    error = await asker.error(tool, **more)
    assert '"sessionId" is missing' in error or "exactly one of sessionId and roomCode" in error


@pytest.mark.parametrize("tool", ["get_state", "list_legal_actions", "wait_for_turn"])
@pytest.mark.parametrize("side", ["p9", " ", "P1", "ivory", "all"])
async def test_an_unknown_seat_is_told_which_there_are(asker: Asker, tool: str, side: str) -> None:
    session = await asker.begin(FAR_APART)
    error = await asker.error(tool, sessionId=session, side=side)
    assert "p1, p2, p3" in error


async def test_an_unknown_scenario_is_told_the_nearest(asker: Asker) -> None:
    error = await asker.error("new_game", scenario="crosroads")
    assert 'did you mean "crossroads"?' in error
    assert "mountain_pass" in error


async def test_an_unknown_bot_is_told_the_nearest(asker: Asker) -> None:
    error = await asker.error("new_game", scenario="crossroads", side="p1", opponent="greedi")
    assert 'did you mean "greedy"?' in error


@pytest.mark.parametrize(("tool", "more"), [("list_scenarios", {}), ("read_rules", {})])
async def test_an_unknown_game_is_told_which_there_are(asker: Asker, tool: str, more: Data) -> None:
    error = await asker.error(tool, game="chess", **more)
    assert "botwars" in error
    assert "chess" in error


@pytest.mark.parametrize(
    "given", [{}, {"scenario": "crossroads", "setup": {"game": "botwars"}}, {"scenario": "crossroads", "fork": "x"}]
)
async def test_a_game_begins_from_exactly_one_source(asker: Asker, given: Data) -> None:
    error = await asker.error("new_game", **given)
    assert all(word in error for word in ("exactly one", "scenario", "setup", "fork"))


async def test_a_number_where_a_text_is_wanted_is_told_how_to_write_it(asker: Asker) -> None:
    assert 'write it as "5"' in await asker.error("read_rules", game="skirmish", section=5)


@pytest.mark.parametrize("given", [{}, {"sessionId": "x", "record": {"format": "living-table/1"}}])
async def test_exactly_one_record_is_verified(asker: Asker, given: Data) -> None:
    error = await asker.error("verify_record", **given)
    assert "exactly one" in error


@pytest.mark.parametrize(
    ("tool", "misspelt", "meant"),
    [
        ("new_game", "sead", "seed"),
        ("new_game", "Seed", "seed"),
        ("new_game", "oponent", "opponent"),
        ("submit_action", "acton", "action"),
        ("submit_action", "notatoin", "notation"),
        ("submit_action", "expected_version", "expectedVersion"),
        ("submit_action", "session_id", "sessionId"),
        ("get_state", "sincVersion", "sinceVersion"),
        ("list_legal_actions", "detials", "detail"),
        ("wait_for_turn", "timeout", "timeoutSeconds"),
        ("get_record", "curser", "cursor"),
        ("verify_record", "recrod", "record"),
        ("list_sessions", "activ", "active"),
        ("list_scenarios", "gane", "game"),
        ("read_rules", "sektion", "section"),
        ("new_game", "seat", "side"),
        ("new_game", "color", "side"),
        ("new_game", "bot", "opponent"),
        ("submit_action", "move", "notation"),
        ("get_state", "id", "sessionId"),
        ("join_room", "code", "roomCode"),
    ],
)
async def test_a_misspelt_argument_is_named_with_the_nearest_known_one(
    asker: Asker, tool: str, misspelt: str, meant: str
) -> None:
    """C64"""
    error = await asker.error(tool, **{misspelt: 1})
    assert f'"{misspelt}"' in error
    assert f'"{meant}"' in error


@pytest.mark.parametrize("wrong", [{"sead": 3}, {"detail": "long"}])
@pytest.mark.parametrize("tool", ["new_game", "submit_action", "get_state", "list_sessions"])
async def test_an_argument_error_says_that_nothing_has_changed_where_something_could_have(
    asker: Asker, tool: str, wrong: Data
) -> None:
    error = await asker.error(tool, **wrong)
    assert error.endswith(". Nothing has changed.") is (tool in ("new_game", "submit_action"))


async def test_a_misspelt_argument_begins_no_game(asker: Asker) -> None:
    """C64"""
    await asker.error("new_game", scenario="crossroads", sead=3)
    assert (await asker.ask("list_sessions"))["sessions"] == []


@pytest.mark.parametrize(
    ("tool", "name", "value"),
    [
        ("new_game", "detail", "long"),
        ("new_game", "health", "much"),
        ("new_game", "health", True),
        ("new_game", "setup", "crossroads"),
        ("new_game", "setup", []),
        ("new_game", "version", -1),
        ("new_game", "scenario", 5),
        ("get_state", "sinceVersion", -1),
        ("get_state", "sinceVersion", 0.5),
        ("get_state", "detail", "FULL"),
        ("submit_action", "expectedVersion", "one"),
        ("submit_action", "expectedVersion", -1),
        ("wait_for_turn", "timeoutSeconds", 26),
        ("wait_for_turn", "timeoutSeconds", -1),
        pytest.param("wait_for_turn", "timeoutSeconds", 10**5000, id="timeoutSeconds-huge"),
        ("verify_record", "record", "[]"),
        ("list_sessions", "active", "yes"),
        ("get_record", "cursor", 100),
    ],
)
async def test_an_argument_of_the_wrong_kind_is_named(asker: Asker, tool: str, name: str, value: object) -> None:
    session = await asker.begin(FAR_APART)
    needed = {"sessionId": session} if tool in WITH_SESSION[:-1] else {}
    error = await asker.error(tool, **{**needed, name: value})
    assert f'"{name}" must be' in error


@pytest.mark.parametrize("name", ["side", "seed", "detail", "opponent", "health", "fork", "setup"])
async def test_an_argument_that_is_null_counts_as_left_out(asker: Asker, name: str) -> None:
    assert "snapshot" in await asker.ask("new_game", scenario="crossroads", **{name: None})
