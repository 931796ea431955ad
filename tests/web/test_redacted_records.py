"""The record of a room without a result says what was left out of it, and its readers what cannot be done with it."""

from __future__ import annotations

import pytest
from tests.server.setups import FAR_APART
from tests.web.rest import Rest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("begun", [False, True])
async def test_a_room_without_a_result_gives_a_record_that_says_so(rest: Rest, begun: bool) -> None:
    made = await rest.post("/rooms", {"setup": FAR_APART, "side": "p1"})
    if begun:
        await rest.post(f"/rooms/{made['roomCode']}/bots", {"playerId": made["playerId"], "side": "all"})
    record = (await rest.get(f"/rooms/{made['roomCode']}/record"))["record"]
    assert (record["redacted"], record["seed"], record["start"]["dice"]) == (True, None, None)
    for path in ("/records/verify", "/records/frames", "/records/animation.svg"):
        said = await rest.problem(422, "POST", path, json={"record": record})
        assert "seed and dice are left out" in said


async def test_a_game_in_no_room_gives_its_record_whole(rest: Rest) -> None:
    begun = await rest.post("/games", {"setup": FAR_APART})
    record = (await rest.get(f"/games/{begun['sessionId']}/record"))["record"]
    assert "redacted" not in record
    assert (await rest.post("/records/verify", {"record": record}))["ok"]


async def test_all_faults_of_a_set_up_are_told_in_one_answer(rest: Rest) -> None:
    characters = [{"id": "p1", "position": "0,0", "x": 1}, {"id": "p1", "position": "99,99"}]
    setup = {**FAR_APART, "pieces": [], "characters": characters}
    said = await rest.problem(422, "POST", "/games", json={"setup": setup})
    places = ("characters[0].x", "pieces", "characters[1].id", "characters[1].position")
    assert [place for place in places if f"{place}: " not in said] == []
