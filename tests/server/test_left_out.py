"""Models that fill in every argument, and hosts that send objects as text (contract, *Liberal input*)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.asking import Asker
from tests.server.setups import FAR_APART

from livingtable.game import Data, State
from livingtable_server.tools.catalog import TOOLS, TableTool

pytestmark = pytest.mark.anyio

EMPTY: tuple[Any, ...] = ("", {}, None)
CASES = [(tool.name, parameter.name) for tool in TOOLS for parameter in tool.parameters if not parameter.required]
REQUIRED = [(tool.name, parameter.name) for tool in TOOLS for parameter in tool.parameters if parameter.required]
SECRETS = ("sessionId", "roomCode", "playerId", "created", "updated", "seed")


def named(name: str) -> TableTool:
    return next(tool for tool in TOOLS if tool.name == name)


async def call_that_is_met(asker: Asker, tool: str) -> Data:
    """Arguments with which the tool does what it is for, on a game or a room of its own."""
    match tool:
        case "list_scenarios" | "list_sessions":
            return {}
        case "read_rules":
            return {"game": "botwars"}
        case "new_game" | "create_room":
            return {"scenario": "first_alliance"}
        case "get_state" | "list_legal_actions" | "wait_for_turn" | "get_record" | "verify_record":
            return {"sessionId": await asker.begin(FAR_APART, seed=1)}
        case "submit_action":
            return {"sessionId": await asker.begin(FAR_APART, seed=1), "notation": "pass"}
        case _:
            room = await asker.ask("create_room", setup=FAR_APART, seed=1)
            own = {"roomCode": room["roomCode"], "playerId": room["playerId"]}
            return {
                "join_room": {"roomCode": room["roomCode"]},
                "seat_bot": {**own, "side": "all"},
                "submit_room_action": {**own, "notation": "pass"},
                "get_room_state": {"roomCode": room["roomCode"]},
            }[tool]


def comparable(data: Any) -> Any:
    """Without what differs from one game to the next."""
    if isinstance(data, dict):
        return {key: comparable(value) for key, value in data.items() if key not in SECRETS}  # pyright: ignore
    if isinstance(data, list):
        return [comparable(value) for value in data]  # pyright: ignore
    return data


@pytest.mark.parametrize(("tool", "name"), CASES)
async def test_an_optional_argument_that_is_empty_counts_as_left_out(asker: Asker, tool: str, name: str) -> None:
    for empty in EMPTY:
        (without, with_it) = [await call_that_is_met(asker, tool) for _ in range(2)]
        if name in without:
            continue
        expected, found = await asker.ask(tool, **without), await asker.ask(tool, **{**with_it, name: empty})
        assert found.keys() == expected.keys(), empty
        if tool != "list_sessions":  # Each of the two calls has made one more.
            drawn = tool in ("new_game", "create_room")
            assert drawn or comparable(found) == comparable(expected), empty


@pytest.mark.parametrize("empty", EMPTY, ids=repr)
@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
async def test_all_optional_arguments_may_be_empty_at_once(asker: Asker, tool: str, empty: object) -> None:
    given = await call_that_is_met(asker, tool)
    filled = {p.name: empty for p in named(tool).parameters if p.name not in given}
    assert await asker.ask(tool, **filled, **given)


@pytest.mark.parametrize("empty", EMPTY, ids=repr)
@pytest.mark.parametrize(("tool", "name"), REQUIRED)
async def test_a_required_argument_that_is_empty_is_missing(asker: Asker, tool: str, name: str, empty: object) -> None:
    given = await call_that_is_met(asker, tool)
    others = {p.name: "x" for p in named(tool).parameters if p.required and p.name not in given}
    assert f'"{name}" is missing' in await asker.error(tool, **{**others, **given, name: empty})


async def test_a_model_that_fills_in_every_argument_begins_a_game(asker: Asker) -> None:
    given: Data = {"scenario": "fox_pen", "setup": {}, "fork": "", "version": 0, "seed": 0, "side": "p1"}
    begun = await asker.ask("new_game", **given, opponent="", health=0, detail="full")
    snapshot = begun["snapshot"]
    assert (snapshot["scenario"], snapshot["seed"], snapshot["side"]) == ("fox_pen", 0, "p1")
    assert [seat["controller"] for seat in snapshot["seats"]][:2] == ["agent", "bot:greedy"]


async def test_a_model_that_fills_in_every_argument_makes_a_room(asker: Asker) -> None:
    given: Data = {"scenario": "fox_pen", "setup": {}, "side": "", "seed": 0, "name": "", "controller": ""}
    made = await asker.ask("create_room", **given, seatTimeoutSeconds=0)
    joined = await asker.ask("join_room", roomCode=made["roomCode"], side="", name="", controller="", playerId="")
    assert (made["side"], joined["side"]) == ("p1", "p2")


async def test_a_model_that_fills_in_every_argument_plays(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    filled: Data = {"sessionId": session, "side": "", "expectedVersion": 0, "detail": ""}
    assert (await asker.ask("submit_action", notation="pass", action={}, **filled))["ok"]
    filled["expectedVersion"] = 1
    assert (await asker.ask("submit_action", notation="", action={"type": "pass"}, **filled))["ok"]
    rest: Data = {"roomCode": "", "playerId": ""}
    waited = await asker.ask("wait_for_turn", sessionId=session, timeoutSeconds=0, sinceVersion=0, **rest)
    assert waited["ready"]
    assert (await asker.ask("get_record", sessionId=session, cursor="", **rest))["record"]["actions"]
    assert (await asker.ask("verify_record", sessionId=session, record={}))["ok"]


async def test_zero_is_a_number_where_zero_means_something(asker: Asker) -> None:
    session = await asker.begin(FAR_APART, seed=0)
    await asker.submit(session, "pass")
    state = await asker.ask("get_state", sessionId=session, sinceVersion=0)
    assert (state["seed"], len(state["events"])) == (0, 1)
    stale = await asker.refused("stale_version", session, notation="move 6,0", expectedVersion=0)
    assert stale["version"] == 1
    forked = await asker.ask("new_game", fork=session, version=0, health=0)
    assert forked["snapshot"]["toAct"] == ["p1"], "and not p2, whose turn it is in the other one now"


async def test_without_a_seat_for_it_a_version_or_health_that_is_none_is_still_refused(asker: Asker) -> None:
    assert '"version"' in await asker.error("new_game", scenario="fox_pen", version=1)
    assert '"health"' in await asker.error("new_game", scenario="fox_pen", health=5)


SOURCES: list[tuple[str, Data, str]] = [
    ("new_game", {"scenario": "fox_pen", "setup": {"game": "botwars"}}, "leave out scenario or setup"),
    ("new_game", {"scenario": "fox_pen", "fork": "x"}, "leave out scenario or fork"),
    ("create_room", {"scenario": "fox_pen", "setup": {"game": "botwars"}}, "leave out scenario or setup"),
    ("wait_for_turn", {"sessionId": "x", "roomCode": "y"}, "leave out sessionId or roomCode"),
    ("get_record", {"sessionId": "x", "roomCode": "y"}, "leave out sessionId or roomCode"),
    ("verify_record", {"sessionId": "x", "record": {"format": "y"}}, "leave out record or sessionId"),
    ("new_game", {"scenario": "fox_pen", "version": 2}, '"version" goes with "fork" only: leave it out'),
]


@pytest.mark.parametrize(("tool", "given", "told"), SOURCES)
async def test_where_two_sources_are_given_the_refusal_says_what_to_leave_out(
    asker: Asker, tool: str, given: Data, told: str
) -> None:
    assert told in await asker.error(tool, **given)


# objects as text


async def test_a_setup_may_come_as_its_json_text(asker: Asker) -> None:
    for tool in ("new_game", "create_room"):
        assert await asker.ask(tool, setup=json.dumps(FAR_APART))


async def test_a_record_may_come_as_its_json_text(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.submit(session, "pass")
    record = await asker.whole_record(session)
    assert (await asker.ask("verify_record", record=json.dumps(record, indent=2)))["ok"]


def texts_of(action: Data) -> Iterator[str]:
    yield json.dumps(action)
    yield json.dumps(json.dumps(action))
    yield f"```json\n{json.dumps(action)}\n```"
    yield json.dumps({"action": action})


async def test_an_action_may_come_as_its_json_text_in_either_argument(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for key in ("action", "notation"):
        for text in texts_of({"type": "pass"}):
            assert (await asker.ask("submit_action", sessionId=session, **{key: text}))["ok"], text
    actions = (await asker.whole_record(session))["actions"]
    assert {json.dumps(entry["action"]) for entry in actions} == {'{"type": "pass"}'}


async def test_an_action_may_come_as_text_in_a_room(asker: Asker) -> None:
    room = await asker.ask("create_room", setup=FAR_APART)
    own = {"roomCode": room["roomCode"], "playerId": room["playerId"]}
    await asker.ask("seat_bot", **own, side="all", bot="random")
    assert (await asker.ask("submit_room_action", **own, action='{"type": "pass"}', notation=""))["ok"]


@pytest.mark.parametrize("empty", ["{}", "null", " {} "])
async def test_an_empty_object_as_text_counts_as_left_out(asker: Asker, empty: str) -> None:
    session = await asker.begin(FAR_APART)
    assert (await asker.ask("submit_action", sessionId=session, notation="pass", action=empty))["ok"]
    assert await asker.ask("new_game", scenario="fox_pen", setup=empty)


BROKEN = [
    ('{"game": "botwars", "map" ["..", ".."]}', "at character 26"),
    ("{'game': 'botwars'}", "at character 1"),
    ('{"game": "botwars"', "at character 18"),
    ('{"game": NaN}', "NaN is no number"),
    ('{"game": %s}' % ("9" * 5000), "too many digits"),
    ('{"game": %s}' % ("[" * 40 + "]" * 40), "nested deeper than 32"),
    ('{"game": %s}' % ("[" * 5000 + "]" * 5000), "nested"),
]


@pytest.mark.parametrize(("text", "told"), BROKEN, ids=[text[:20] for text, _ in BROKEN])
@pytest.mark.parametrize(
    ("tool", "name"), [("new_game", "setup"), ("create_room", "setup"), ("verify_record", "record")]
)
async def test_json_text_that_is_broken_is_told_where(asker: Asker, tool: str, name: str, text: str, told: str) -> None:
    error = await asker.error(tool, **{name: text})
    assert f'"{name}"' in error
    assert told in error
    assert len(error) < 300


@pytest.mark.parametrize("text", ["[1]", '"x"', "7", "true"])
async def test_json_text_of_something_else_is_no_object(asker: Asker, text: str) -> None:
    assert '"setup" must be a JSON object' in await asker.error("new_game", setup=text)


async def test_a_broken_action_as_text_is_malformed_and_told_where(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.refused("malformed_action", session, action='{"type": "move", "to" "1,0"}')
    assert "at character 22" in answer["reason"]


async def test_truth_may_come_as_text(asker: Asker) -> None:
    await asker.begin(FAR_APART)
    assert len((await asker.ask("list_sessions", active="true"))["sessions"]) == 1
    assert (await asker.ask("list_sessions", active="False"))["sessions"] == []


# who needs no bot


async def test_without_a_bots_seat_the_default_opponent_is_not_looked_for(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game that has no greedy bot."""
    from livingtable_server.sessions import manager

    def has_no_bots(name: str, state: State) -> str:
        raise AssertionError(f"{name} for {state.game.name}")

    monkeypatch.setattr(manager, "fitting_agent", has_no_bots)
    for more in ({}, {"opponent": "greedy"}, {"opponent": ""}):
        begun = await asker.ask("new_game", scenario="fox_pen", **more)
        assert {seat["controller"] for seat in begun["snapshot"]["seats"]} == {"agent"}


async def test_without_a_bots_seat_a_misspelt_opponent_is_still_named(asker: Asker) -> None:
    assert "greedy" in await asker.error("new_game", scenario="fox_pen", opponent="gredy")


# retries


@pytest.mark.parametrize(
    "again",
    [
        {"notation": "MOVE 1,0"},
        {"notation": "`move 1,0`."},
        {"notation": '{"type": "move", "to": "1,0"}'},
        {"action": {"type": "move", "to": "1,0"}},
        {"action": {"type": "Move", "to": "1,0"}, "notation": ""},
        {"action": '{"notation": "move 1,0"}'},
    ],
    ids=str,
)
async def test_a_retry_is_the_same_action_however_it_is_written(asker: Asker, again: Data) -> None:
    session = await asker.begin(FAR_APART)
    first = await asker.submit(session, "move 1,0", expectedVersion=0)
    await asker.submit(session, "pass", expectedVersion=1)
    second = await asker.ask("submit_action", sessionId=session, expectedVersion=0, **again)
    assert second["repeated"] is True
    assert second["events"] == first["events"]


async def test_another_action_in_any_writing_is_no_retry(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.submit(session, "move 1,0", expectedVersion=0)
    for text in ("MOVE 1,1", "not move 1,0", "move 1,0 or move 1,1", "castle"):
        await asker.refused("stale_version", session, notation=text, expectedVersion=0)


async def test_what_is_kept_is_the_canonical_action(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.submit(session, "**Action:** `MOVE 1,0`.", detail="full")
    assert answer["events"][0]["to"] == "1,0"
    assert (await asker.whole_record(session))["actions"][0]["action"] == {"type": "move", "to": "1,0"}
