"""No answer to a tool is longer than 40,000 characters in either half, and what is cut can be had by what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents
from tests.server.asking import Asker
from tests.server.largest import crowd, dragons, minefield
from tests.server.setups import FAR_APART, TWO_TROLLS_AND_THE_DEAD, botwars, player

from livingtable.game import Data, legal_lines
from livingtable_server.app import mcp_server
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.pieces import joined
from livingtable_server.settings import Settings
from livingtable_server.tools.sizes import fitted, page_of, shortened
from livingtable_server.tools.texts import as_json

pytestmark = pytest.mark.anyio

AT_MOST = 40_000
LARGEST = pytest.mark.parametrize("setup", [dragons, crowd, minefield])
DETAILS = pytest.mark.parametrize("detail", ["full", "brief"])


class Measuring(Asker):
    """Every answer is measured."""

    async def both(self, tool: str, **arguments: Any) -> tuple[Data, str]:
        answer, text = await super().both(tool, **arguments)
        assert len(json.dumps(answer, ensure_ascii=False)) <= AT_MOST, tool
        assert len(text) <= AT_MOST, tool
        for sentence in answer.get("snapshot", answer).get("cut", ()):
            assert sentence in text or json.dumps(sentence)[1:-1] in text
        return answer, text

    async def read(self, uri: str) -> str:
        (content,) = (await self.client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        assert len(content.text) <= AT_MOST, uri
        return content.text


@pytest.fixture
def measuring(asker: Asker) -> Measuring:
    return Measuring(asker.client)


@LARGEST
@DETAILS
async def test_the_largest_games_fit_into_every_answer(
    measuring: Measuring, setup: Callable[[], Data], detail: str
) -> None:
    begun = await measuring.ask("new_game", setup=setup(), seed=1, detail=detail)
    session, sides = begun["sessionId"], [seat["side"] for seat in begun["snapshot"]["seats"]]
    named: Data = {"sessionId": session, "detail": detail}
    for _ in range(len(sides) + 1):
        side = (await measuring.ask("get_state", sessionId=session, detail="brief"))["toAct"][0]
        listed = await measuring.ask("list_legal_actions", sessionId=session, side=side, detail="brief")
        notation = notations(listed["legal"])[0]
        await measuring.ask("submit_action", notation="castle", side=side, **named)
        await measuring.ask("submit_action", notation=notation, side=side, expectedVersion=10**6, **named)
        played = await measuring.ask("submit_action", notation=notation, side=side, **named)
        assert played["ok"]
        await measuring.ask("submit_action", notation=notation, side=side, expectedVersion=0, **named)
    for side in (sides[0], sides[-1]):
        await measuring.ask("get_state", sinceVersion=0, side=side, **named)
        await measuring.ask("list_legal_actions", side=side, **named)
        await measuring.ask("wait_for_turn", side=side, sinceVersion=0, timeoutSeconds=0, **named)
    await measuring.ask("verify_record", sessionId=session)
    for scheme in ("session", "board", "record"):
        assert await measuring.read(f"{scheme}://{session}")


@LARGEST
@DETAILS
async def test_the_largest_rooms_fit_into_every_answer(
    measuring: Measuring, setup: Callable[[], Data], detail: str
) -> None:
    without_dice = {key: part for key, part in setup().items() if key != "dice"}
    room = await measuring.ask("create_room", setup=without_dice, name='"' * 32)
    key = {"roomCode": room["roomCode"], "playerId": room["playerId"]}
    await measuring.ask("get_room_state", detail=detail, **key)
    joined_too = await measuring.ask("join_room", roomCode=room["roomCode"], name='"' * 32)
    assert joined_too["side"] != room["side"]
    await measuring.client.call_tool("seat_bot", {**key, "side": "all"})  # A skirmish has no third seat.
    await measuring.ask("wait_for_turn", timeoutSeconds=0, detail=detail, sinceVersion=0, **key)
    notation = notations((await measuring.ask("get_room_state", prefix="", **key)).get("legal", ["pass"]))[0]
    await measuring.ask("submit_room_action", notation=notation, detail=detail, **key)
    await measuring.ask("get_room_state", detail=detail, sinceVersion=0, **key)
    await measuring.ask("get_record", **key)


def notations(lines: list[str]) -> list[str]:
    """Every notation of legal lines of any game."""
    found = [re.match(r"(\w+ [>x]|throw \w|\w+)(?: (.*))?$", line) for line in lines]
    return [f"{m[1]} {word}".strip() for m in found if m for word in (m[2] or "").split(" ")]


# what was cut can be had


@pytest.mark.parametrize("setup", [dragons, crowd, minefield])
async def test_the_pages_of_the_largest_records_join_to_the_whole(
    table: SessionManager, measuring: Measuring, setup: Callable[[], Data]
) -> None:
    session = await measuring.begin(setup(), seed=1)
    sides = (await table.session(session)).recording.state.sides
    for side in sides:
        notation = (await table.session(session)).recording.state.legal_actions(side)
        if notation:
            await measuring.submit(session, notation[-1].notation, side=side)
    page = await measuring.ask("get_record", sessionId=session)
    record, pages = page["record"], 1
    while "nextCursor" in page:
        page = await measuring.ask("get_record", sessionId=session, cursor=page["nextCursor"])
        record, pages = joined(record, page["record"]), pages + 1
    assert pages > 1
    whole = (await table.session(session)).recording.public_data()
    assert record == json.loads(json.dumps(whole))
    assert await measuring.ask("verify_record", sessionId=session) == {"ok": True, "result": record["result"]}


async def test_the_parts_of_a_large_state_join_to_the_whole(table: SessionManager, measuring: Measuring) -> None:
    begun = await measuring.ask("new_game", setup=minefield(), seed=1, side="player00000")
    session, answer = begun["sessionId"], begun["snapshot"]
    state = answer["state"]
    while "nextCursor" in answer:
        assert "cursor" in answer["cut"][0]
        answer = await measuring.ask("get_state", sessionId=session, cursor=answer["nextCursor"])
        state = joined(state, answer["state"])
    assert state == json.loads(json.dumps((await table.session(session)).recording.state.view("player00000")))


async def test_a_cursor_of_a_state_that_is_gone_says_so(measuring: Measuring) -> None:
    begun = await measuring.ask("new_game", setup=minefield(), seed=1)
    session, cursor = begun["sessionId"], begun["snapshot"]["nextCursor"]
    await measuring.submit(session, "stay", side="player00003")
    assert "at version 1 now" in await measuring.error("get_state", sessionId=session, cursor=cursor)
    for wrong in ("x", "1", "1.x", "1.999999", "9" * 400):
        assert "cursor" in await measuring.error("get_state", sessionId=session, cursor=wrong)


async def test_a_large_board_is_cut_at_a_line_and_the_state_has_the_rest(measuring: Measuring) -> None:
    session = await measuring.begin(minefield(bombs=6_000), seed=1)
    answer, text = await measuring.both("get_state", sessionId=session, detail="brief")
    assert any(sentence.startswith("board: ") and '"detail": "full"' in sentence for sentence in answer["cut"])
    assert "bombs:" not in answer["board"].splitlines()[-1]
    assert answer["board"] in text


async def test_legal_lines_that_were_cut_are_had_by_their_prefixes(table: SessionManager, measuring: Measuring) -> None:
    session = await measuring.begin(dragons(), seed=1)
    answer = await measuring.ask("get_state", sessionId=session, detail="brief")
    (sentence,) = [sentence for sentence in answer["cut"] if sentence.startswith("legal: ")]
    assert "list_legal_actions" in sentence
    lines = answer["legal"]
    for prefix in re.findall(r'"(\w+)"', sentence.partition("by prefix:")[2]):
        listed = await measuring.ask("list_legal_actions", sessionId=session, detail="brief", prefix=prefix)
        lines = [*lines, *(line for line in listed["legal"] if line not in lines)]
    state = (await table.session(session)).recording.state
    assert sorted(lines) == sorted(legal_lines(state.legal_actions(answer["side"])))


async def test_legal_actions_that_were_cut_are_had_line_by_line(table: SessionManager, measuring: Measuring) -> None:
    session = await measuring.begin(dragons(), seed=1)
    answer = await measuring.ask("list_legal_actions", sessionId=session)
    assert "prefix" in answer["cut"][0]
    lines = (await measuring.ask("list_legal_actions", sessionId=session, detail="brief"))["legal"]
    found: list[Data] = []
    for prefix in dict.fromkeys(line.split()[0] for line in lines):
        found += (await measuring.ask("list_legal_actions", sessionId=session, prefix=prefix))["actions"]
    state = (await table.session(session)).recording.state
    assert found == [action.to_data() for action in state.legal_actions(answer["side"])]


async def test_a_long_game_is_told_by_following_next_since_version(table: SessionManager, measuring: Measuring) -> None:
    session = await measuring.begin(TWO_TROLLS_AND_THE_DEAD, side="p1", opponent="random", seed=1)
    for _ in range(3):
        await measuring.ask("wait_for_turn", sessionId=session, side="p1", timeoutSeconds=0)
    answer = await measuring.ask("get_state", sessionId=session, sinceVersion=0)
    events, answers = answer["events"], 1
    while "nextSinceVersion" in answer:
        since = answer["nextSinceVersion"]
        assert str(since) in answer["cut"][0]
        assert "state" in answer
        answer = await measuring.ask("get_state", sessionId=session, sinceVersion=since)
        events, answers = events + answer["events"], answers + 1
    assert answers > 1
    assert events == (await table.session(session)).recording.events_after(0)


async def test_the_events_of_one_action_that_are_too_many_are_in_the_record(
    table: SessionManager, measuring: Measuring
) -> None:
    session = await measuring.begin(minefield(), seed=1)
    answer: Data = {}
    for side in (await table.session(session)).recording.state.sides:
        answer = await measuring.submit(session, "stay", side=side, detail="full")
    assert answer["events"] == []
    (sentence,) = [sentence for sentence in answer["cut"] if sentence.startswith("events: ")]
    assert "get_record" in sentence
    found = re.search(r'"cursor": "([\w.]+)"', sentence)
    assert found
    page = await measuring.ask("get_record", sessionId=session, cursor=found[1])
    record = page["record"]
    while "nextCursor" in page:
        page = await measuring.ask("get_record", sessionId=session, cursor=page["nextCursor"])
        record = joined(record, page["record"])
    told = [event for event in record["events"] if event["version"] == 16]
    assert told == json.loads(json.dumps((await table.session(session)).recording.events[15]))


async def test_many_sessions_are_listed_in_pages(measuring: Measuring) -> None:
    many = botwars("." * 40, characters=[player(f"{i},0") for i in range(32)])
    begun = {await measuring.begin(many) for _ in range(200)}
    page = await measuring.ask("list_sessions")
    found = [row["sessionId"] for row in page["sessions"]]
    assert len(found) < 200
    while "nextCursor" in page:
        page = await measuring.ask("list_sessions", cursor=page["nextCursor"])
        found += [row["sessionId"] for row in page["sessions"]]
    assert len(found) == 200
    assert set(found) == begun
    assert "cursor" in await measuring.error("list_sessions", cursor="200")


async def test_many_scenarios_and_broken_files_are_listed_in_pages(tmp_path: Path) -> None:
    for i in range(150):
        file = {**FAR_APART, "name": f"mine{i}", "title": "Mine", "summary": "s" * 1_000}
        (tmp_path / f"{i}.json").write_text(json.dumps(file if i % 2 else {"game": "botwars", "x" * 3_000: 1}))
    async with Client(mcp_server(Settings("sqlite://", scenarios=(tmp_path,)))) as client:
        measuring = Measuring(client)
        page = await measuring.ask("list_scenarios")
        names = [row["name"] for row in page["scenarios"]]
        problems = [problem["file"] for problem in page["problems"]]
        while "nextCursor" in page:
            page = await measuring.ask("list_scenarios", cursor=page["nextCursor"])
            names += [row["name"] for row in page["scenarios"]]
            problems += [problem["file"] for problem in page["problems"]]
        assert len(names) == len(set(names))
        assert {f"mine{i}" for i in range(1, 150, 2)} < set(names)
        assert len(set(problems)) == 75
        await measuring.error("new_game", scenario="nowhere")
        with pytest.raises(MCPError):
            await measuring.read("scenario://nowhere")


async def test_a_large_scenario_is_pointed_to(tmp_path: Path) -> None:
    (tmp_path / "crowd.json").write_text(json.dumps({**crowd(), "name": "crowd", "title": "Crowd", "summary": ""}))
    async with Client(mcp_server(Settings("sqlite://", scenarios=(tmp_path,)))) as client:
        pointer = json.loads(await Measuring(client).read("scenario://crowd"))
        assert "get_record" in pointer["cut"][0]


async def test_where_a_large_difference_begins_is_told(measuring: Measuring, table: SessionManager) -> None:
    session = await measuring.begin(minefield(), seed=1)
    record = json.loads(json.dumps((await table.session(session)).recording.public_data()))
    record["start"]["result"] = {"reason": "x" * 50_000}
    await measuring.client.call_tool("verify_record", {"record": record})
    record["start"]["result"] = None
    record["start"]["more"] = ["x" * 50_000]
    answer = await measuring.ask("verify_record", record=record)
    assert answer["ok"] is False
    assert answer["firstDifference"]["what"] == "start.more"
    assert "firstDifference" in answer["cut"][0]


def test_whatever_else_is_too_long_is_left_out_by_name() -> None:
    answer, text = fitted({"ok": True, "odd": "x" * 90_000, "version": 3}, as_json, {})
    assert answer == {"ok": True, "version": 3, "cut": ["odd: left out, it has 90002 characters"]}
    assert json.loads(text) == answer


async def test_errors_and_prompts_have_the_limit_too(measuring: Measuring) -> None:
    assert len(await measuring.error("new_game", scenario="x" * 100_000)) <= AT_MOST
    assert len(await measuring.error("new_game", setup={"game": "botwars", "x" * 100_000: 1})) <= AT_MOST
    with pytest.raises(MCPError, match="at most"):
        await measuring.client.get_prompt("botwars_play_player", {"scenario": "x" * 50_000})
    for prompt in (await measuring.client.list_prompts()).prompts:
        given = {argument.name: "x" * 2_000 for argument in prompt.arguments or []}
        for message in (await measuring.client.get_prompt(prompt.name, given)).messages:
            assert isinstance(message.content, TextContent)
            assert len(message.content.text) <= AT_MOST


def test_a_long_text_is_cut_at_a_line_and_says_how_much_is_missing() -> None:
    text = "\n".join(["line"] * 100)
    assert shortened(text, 100, "; more") == "\n".join(["line"] * 20) + "\n(400 more characters are left out; more)"
    assert shortened("short") == "short"


def test_a_page_has_at_least_one_row() -> None:
    rows = [{"reason": "x" * 100_000}, {"reason": "y"}]
    page = page_of({"problems": rows}, ("problems",), None)
    assert [row["reason"][-1] for row in page["problems"]] == [")", "y"]


# prefixes


@pytest.mark.parametrize(
    ("prefix", "lines"),
    [
        ("move", ["move 1,0 0,1 1,1"]),
        ("move 1", ["move 1,0 1,1"]),
        ("MOVE 0,1", ["move 0,1"]),
        ("pa", ["pass"]),
        ("move  ", ["move 1,0 0,1 1,1"]),
    ],
)
async def test_a_prefix_gives_what_begins_with_it(asker: Asker, prefix: str, lines: list[str]) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.ask("list_legal_actions", sessionId=session, detail="brief", prefix=prefix)
    found = [sorted(line.split()) for line in answer["legal"]]
    assert found == [sorted(line.split()) for line in lines]


async def test_a_prefix_that_nothing_begins_with_says_so(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    answer, text = await asker.both("list_legal_actions", sessionId=session, detail="brief", prefix="castle")
    assert answer["legal"] == []
    assert '"castle"' in answer["reason"]
    assert answer["reason"] in text


# parts of records


async def test_the_first_page_of_a_record_is_told_from_a_falsified_whole(asker: Asker) -> None:
    session = await asker.begin({**TWO_TROLLS_AND_THE_DEAD, "maxRounds": 60}, side="p1")
    first = await asker.ask("get_record", sessionId=session)
    assert first["record"]["result"] is not None
    assert "nextCursor" in first
    answer, text = await asker.both("verify_record", record=first["record"])
    assert (answer["ok"], answer["part"]) == (False, True)
    assert "firstDifference" not in answer
    assert "nextCursor" in answer["reason"]
    assert answer["reason"] in text
    whole = await asker.whole_record(session)
    assert (await asker.ask("verify_record", record=whole))["ok"] is True
    falsified: Data = {**whole, "result": {**whole["result"], "winners": []}}
    assert "part" not in await asker.ask("verify_record", record=falsified)


async def test_other_parts_of_a_record_are_told_to_be_parts(asker: Asker) -> None:
    session = await asker.begin(TWO_TROLLS_AND_THE_DEAD, side="p1")
    first = await asker.ask("get_record", sessionId=session)
    second = await asker.ask("get_record", sessionId=session, cursor=first["nextCursor"])
    assert "first page" in await asker.error("verify_record", record=second["record"])
    assert "one page" in await asker.error("verify_record", record=first)
    assert '"record"' in await asker.error("verify_record", record={"record": first["record"]})
    gap = {**first["record"], "actions": first["record"]["actions"][:5] + first["record"]["actions"][6:]}
    assert "page of the record missing" in await asker.error("verify_record", record=gap)
    large = await asker.ask("new_game", setup=minefield(), seed=1, detail="brief")
    head = (await asker.ask("get_record", sessionId=large["sessionId"]))["record"]
    assert "page" in await asker.error("verify_record", record=head)
