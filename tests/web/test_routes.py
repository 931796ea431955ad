"""Each route gives what the contract says, in the shapes that MCP's tools give."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from httpx2 import AsyncClient
from tests.server import shapes
from tests.server.setups import BESIDE_A_TROLL, FAR_APART
from tests.server.shapes import misfit
from tests.web.rest import Rest, play_out

from livingtable.game import game_names
from livingtable.version import __version__

pytestmark = pytest.mark.anyio


async def test_scenarios_and_bots_are_listed(rest: Rest) -> None:
    listing = await rest.get("/scenarios")
    assert {row["game"] for row in listing["scenarios"]} <= set(game_names())
    assert {bot["name"] for bot in listing["bots"]} >= {"random", "greedy"}
    of_one = await rest.get("/scenarios", game="skirmish")
    assert {row["game"] for row in of_one["scenarios"]} == {"skirmish"}


@pytest.mark.parametrize("game", game_names())
async def test_the_rules_are_told_whole_or_by_section(rest: Rest, game: str) -> None:
    whole = (await rest.get(f"/rules/{game}"))["text"]
    section = (await rest.get(f"/rules/{game}", section="1"))["text"]
    assert section in whole
    assert len(section) < len(whole)


async def test_a_new_game_gives_its_id_and_snapshot(rest: Rest) -> None:
    begun = await rest.post("/games", {"scenario": "crossroads", "side": "p1", "seed": 7})
    assert misfit(begun["snapshot"], shapes.FULL_SNAPSHOT) == ""
    assert begun["sessionId"] == begun["snapshot"]["sessionId"]
    assert begun["snapshot"]["seed"] == 7
    assert begun["snapshot"]["side"] == "p1"


async def test_brief_answers_have_a_board_in_place_of_the_state(rest: Rest) -> None:
    begun = await rest.post("/games", {"scenario": "crossroads"}, detail="brief")
    assert misfit(begun["snapshot"], shapes.BRIEF_SNAPSHOT) == ""
    assert "state" not in begun["snapshot"]
    session = begun["sessionId"]
    assert misfit(await rest.get(f"/games/{session}", detail="brief"), shapes.BRIEF_SNAPSHOT) == ""


async def test_the_state_is_told_with_the_events_since_a_version(rest: Rest) -> None:
    session = await rest.begin(FAR_APART)
    await rest.submit(session, "pass")
    await rest.submit(session, "pass")
    state = await rest.get(f"/games/{session}", sinceVersion=1)
    assert misfit(state, shapes.FULL_SNAPSHOT) == ""
    assert [event["version"] for event in state["events"]] == [2]


async def test_the_legal_actions_are_told_as_objects_and_as_lines(rest: Rest) -> None:
    session = await rest.begin(FAR_APART)
    full = await rest.get(f"/games/{session}/legal-actions", side="p1")
    assert {"type": "pass"} in full["actions"]
    brief = await rest.get(f"/games/{session}/legal-actions", detail="brief")
    assert "pass" in brief["legal"]
    idle = await rest.get(f"/games/{session}/legal-actions", side="p2")
    assert idle["actions"] == []
    assert "p1" in idle["reason"]


async def test_an_action_is_played_by_its_notation_or_as_an_object(rest: Rest) -> None:
    session = await rest.begin(FAR_APART)
    first = await rest.post(f"/games/{session}/actions", {"notation": "move 1,0", "expectedVersion": 0})
    assert misfit(first, shapes.FULL_OUTCOME) == ""
    second = await rest.post(f"/games/{session}/actions", {"action": {"type": "pass"}, "side": "p2"})
    assert second["version"] == 2
    assert misfit(await rest.submit(session, "pass"), shapes.BRIEF_OUTCOME) == ""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"notation": "move 5,5"}, "illegal_action"),
        ({"notation": "castle"}, "malformed_action"),
        ({"notation": 5}, "malformed_action"),
        ({"notation": "pass", "action": {"type": "pass"}}, "malformed_action"),
        ({}, "malformed_action"),
        ({"action": ["pass"]}, "malformed_action"),
        ({"action": {"type": "pass", "sead": 1}}, "malformed_action"),
        ({"notation": "pass", "expectedVersion": 3}, "stale_version"),
        ({"notation": "pass", "side": "p2"}, "not_your_turn"),
        ({"notation": "pass", "side": "nobody"}, "not_your_seat"),
    ],
    ids=str,
)
async def test_a_refusal_is_an_answer_with_ok_false(rest: Rest, body: dict[str, object], code: str) -> None:
    session = await rest.begin(FAR_APART)
    refused = await rest.post(f"/games/{session}/actions", body)
    assert refused["ok"] is False
    assert refused["code"] == code, refused
    assert (await rest.get(f"/games/{session}"))["version"] == 0


async def test_a_wait_is_over_when_the_seat_is_to_act(rest: Rest) -> None:
    session = await rest.begin(FAR_APART)
    ready = await rest.get(f"/games/{session}/wait", side="p1")
    assert misfit(ready, shapes.FULL_WAIT) == ""
    assert ready["ready"] is True
    not_yet = await rest.get(f"/games/{session}/wait", side="p2", timeoutSeconds=0, detail="brief")
    assert misfit(not_yet, shapes.BRIEF_WAIT) == ""
    assert not_yet["ready"] is False


async def test_a_whole_game_is_played_and_its_record_verifies(rest: Rest) -> None:
    session = await rest.begin("troll_night", side="p1", seed=1)
    end = await play_out(rest, session)
    whole = await rest.get(f"/games/{session}/record")
    assert misfit(whole["record"], shapes.RECORD) == ""
    assert len(whole["record"]["actions"]) == end["version"]
    expected = {"ok": True, "result": end["result"]}
    assert await rest.post("/records/verify", whole) == expected
    assert await rest.post("/records/verify", {"sessionId": session}) == expected


async def test_a_changed_record_is_told_apart(rest: Rest) -> None:
    session = await rest.begin(BESIDE_A_TROLL)
    await rest.submit(session, "attack t1")
    whole = await rest.get(f"/games/{session}/record")
    whole["record"]["events"][0]["winner"] = "t1"
    told = await rest.post("/records/verify", whole)
    assert told["ok"] is False
    assert told["firstDifference"]["version"] == 1


async def test_a_fork_goes_on_from_another_session(rest: Rest) -> None:
    session = await rest.begin(FAR_APART)
    await rest.submit(session, "move 1,0")
    forked = await rest.post("/games", {"fork": session, "version": 1})
    assert forked["snapshot"]["version"] == 0
    assert forked["snapshot"]["state"]["characters"][0]["position"] == "1,0"


async def test_the_board_is_a_picture(rest: Rest, client: AsyncClient) -> None:
    session = await rest.begin()
    picture = await client.get(f"/games/{session}/board.svg")
    assert picture.status_code == 200
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.headers["content-security-policy"].startswith("default-src 'none'")
    assert ElementTree.fromstring(picture.text).tag == "{http://www.w3.org/2000/svg}svg"


async def test_health_is_told(rest: Rest) -> None:
    assert await rest.get("/healthz") == {"status": "ok", "version": __version__}


async def test_figures_are_told_by_route_and_never_by_client_or_game(rest: Rest, client: AsyncClient) -> None:
    session = await rest.begin()
    await rest.get(f"/games/{session}")
    await client.get(f"/gaems/{session}")
    figures = (await client.get("/metrics")).text
    assert 'livingtable_requests_total{method="GET",route="/games/{session}",status="200"} 1.0' in figures
    assert 'route="unknown",status="404"' in figures
    assert 'livingtable_open{kind="requests"} 1.0' in figures
    assert session not in figures


async def test_null_stands_for_what_is_left_out(rest: Rest) -> None:
    body = {"scenario": "crossroads", "setup": None, "seed": None, "side": None, "health": None}
    assert (await rest.post("/games", body))["snapshot"]["version"] == 0


async def test_a_text_with_half_a_surrogate_pair_is_answered(rest: Rest, client: AsyncClient) -> None:
    answer = await client.post("/games", content=b'{"scenario": "\\ud800"}')
    assert answer.status_code == 404
    session = await rest.begin(FAR_APART)
    refused = await client.post(f"/games/{session}/actions", content=b'{"notation": "\\udfff"}')
    assert refused.json()["code"] == "malformed_action"
