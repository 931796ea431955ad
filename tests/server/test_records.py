"""Records over the wire: paged, put together, broken in every way, verified."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any, cast

import pytest
from tests.server import shapes
from tests.server.asking import Asker, play_out
from tests.server.setups import FAR_APART, TWO_TROLLS_AND_THE_DEAD
from tests.server.shapes import misfit

from livingtable.game import Data

pytestmark = pytest.mark.anyio


@pytest.fixture
async def finished(asker: Asker) -> Data:
    session = await asker.begin("mountain_pass", seed=2, side="p1")
    await play_out(asker, session, 1, "p1")
    return await asker.whole_record(session)


async def test_the_pages_of_a_long_game_join_to_the_whole_record_which_verifies(asker: Asker) -> None:
    session = await asker.begin(TWO_TROLLS_AND_THE_DEAD, side="p1")
    for _ in range(2):
        await asker.ask("wait_for_turn", sessionId=session, side="p1", timeoutSeconds=0)
    page, pages = await asker.ask("get_record", sessionId=session), 1
    record: Data = page["record"]
    assert not misfit(record, shapes.RECORD)
    while "nextCursor" in page:
        page = await asker.ask("get_record", sessionId=session, cursor=page["nextCursor"])
        assert set(page["record"]) == {"actions", "events"}
        assert page["record"]["actions"]
        record["actions"] += page["record"]["actions"]
        record["events"] += page["record"]["events"]
        pages += 1
    assert pages > 3
    assert [a["version"] for a in record["actions"]] == list(range(1, len(record["actions"]) + 1))
    versions = [e["version"] for e in record["events"]]
    assert versions == sorted(versions)
    assert await asker.ask("verify_record", record=record) == {"ok": True, "result": None}
    (resource,) = (await asker.client.read_resource(f"record://{session}")).contents
    (pointer,) = json.loads(cast(Any, resource).text)["cut"]
    assert "get_record" in pointer, "too long for an answer: the tool has pages"


async def test_every_page_is_small(asker: Asker) -> None:
    session = await asker.begin(TWO_TROLLS_AND_THE_DEAD, side="p1")
    text = await asker.text("get_record", sessionId=session)
    assert len(text) < 60_000


@pytest.mark.parametrize("cursor", [" ", "x", "-1", "1.5", "99999", "9" * 400, "²", "100 "])
async def test_a_cursor_of_ones_own_is_refused(asker: Asker, cursor: str) -> None:
    session = await asker.begin(FAR_APART)
    assert "cursor" in await asker.error("get_record", sessionId=session, cursor=cursor)


async def test_a_record_replays_on_a_table_that_never_saw_the_game(asker: Asker, finished: Data) -> None:
    answer = await asker.ask("verify_record", record=json.loads(json.dumps(finished)))
    assert answer == {"ok": True, "result": finished["result"]}


async def test_a_running_games_record_verifies(asker: Asker) -> None:
    session = await asker.begin("crossroads", seed=1, side="p3")
    for _ in range(3):
        await asker.submit(session, (await asker.legal(session))[0])
        assert (await asker.ask("verify_record", sessionId=session))["ok"] is True
        assert (await asker.ask("verify_record", record=await asker.whole_record(session)))["ok"] is True


@pytest.mark.parametrize("index", [0, 1, 17, -1])
async def test_a_changed_action_is_the_first_difference(asker: Asker, finished: Data, index: int) -> None:
    """C04"""
    record = copy.deepcopy(finished)
    entry = record["actions"][index]
    entry["action"] = {"type": "challenge"} if entry["action"] != {"type": "challenge"} else {"type": "pass"}
    answer, text = await asker.both("verify_record", record=record)
    assert answer["ok"] is False
    assert answer["firstDifference"]["version"] == entry["version"]
    assert json.loads(text) == answer


async def test_a_changed_event_result_start_or_count_is_found(asker: Asker, finished: Data) -> None:
    """C04"""

    async def difference(change: Any) -> Data:
        record = copy.deepcopy(finished)
        change(record)
        answer = await asker.ask("verify_record", record=record)
        assert answer["ok"] is False
        return answer["firstDifference"]

    def event(record: Data) -> None:
        record["events"][20]["side"] = "p9"

    def winner(record: Data) -> None:
        record["result"]["winners"] = ["p1"] if record["result"]["winners"] != ["p1"] else ["p2"]

    def cut(record: Data) -> None:
        record["actions"] = record["actions"][: len(record["actions"]) // 2]

    def more(record: Data) -> None:
        record["events"].append({**record["events"][-1], "version": 10_000})

    def undecided(record: Data) -> None:
        record["result"] = None

    def truncated(record: Data) -> None:
        record["result"]["reason"] = "truncated"

    assert (await difference(event))["version"] == finished["events"][20]["version"]
    for change in (winner, cut, more, undecided, truncated):
        assert await difference(change)


async def test_another_engines_record_verifies_if_it_replays_else_both_versions_are_named(
    asker: Asker, finished: Data
) -> None:
    """C04"""
    older = {**finished, "engine": "0.0.7"}
    assert (await asker.ask("verify_record", record=older))["ok"] is True
    older["result"] = None
    answer = await asker.ask("verify_record", record=older)
    assert answer["ok"] is False
    assert "0.0.7" in str(answer["firstDifference"])
    assert finished["engine"] in str(answer["firstDifference"])


@pytest.mark.parametrize(
    "broken",
    [
        {"record": {}},
        {"format": "living-table/2"},
        {"format": "living-table/1"},
        {"format": None},
        {"format": "x" * 10_000},
        {"format": "two\nlines"},
    ],
)
async def test_what_is_no_record_is_told_so(asker: Asker, broken: Data) -> None:
    """C04"""
    assert "no record" in await asker.error("verify_record", record=broken)


@pytest.mark.parametrize("missing", ["game", "scenario", "seed", "start", "seats", "actions", "events", "result"])
async def test_a_record_without_a_part_is_told_which(asker: Asker, finished: Data, missing: str) -> None:
    record = {key: value for key, value in finished.items() if key != missing}
    assert f'"{missing}"' in await asker.error("verify_record", record=record)


@pytest.mark.parametrize("key", ["game", "start", "actions", "events", "seats", "scenario", "engine", "seed", "result"])
@pytest.mark.parametrize("value", [5.5, "x", [], {}, [5], [{}], True])
async def test_a_part_of_the_wrong_type_is_an_error_or_a_difference(
    asker: Asker, finished: Data, key: str, value: object
) -> None:
    await judged(asker, {**finished, key: value})


async def judged(asker: Asker, record: Data) -> None:
    """Whatever is in a record: it is verified, differs, or is no record; the server has no fault of its own."""
    result = await asker.client.call_tool("verify_record", {"record": record})
    (content,) = result.content
    text = cast(Any, content).text
    assert "fault of the server" not in text, text
    if not result.is_error:
        assert json.loads(text) == result.structured_content


async def test_records_broken_at_random_are_judged(asker: Asker, finished: Data) -> None:
    random = Random(5)
    values: list[Any] = [None, True, -1, 2**70, 0.5, "", "x", "9,9", "p1", [], {}, [None], {"type": "pass"}]
    for _ in range(250):
        record = copy.deepcopy(finished)
        record["actions"] = record["actions"][:20]
        record["events"] = [e for e in record["events"] if e["version"] <= 20]
        spot, key = place_in(record, random)
        spot[key] = random.choice(values)
        await judged(asker, record)


def place_in(record: Data, random: Random) -> tuple[Any, Any]:
    """A random place in it, rather a deep one: the list or object, and the index or key."""
    spot: Any = record
    while True:
        key = random.choice(keys_of(spot))
        if not keys_of(spot[key]) or random.random() < 0.2:
            return spot, key
        spot = spot[key]


def keys_of(spot: object) -> list[Any]:
    if isinstance(spot, dict):
        return list(cast(Data, spot))
    return list(range(len(cast("list[object]", spot)))) if isinstance(spot, list) else []
