"""All choose at once, through the tools: commands are hidden, replaced, retried, and resolved by the last one."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from tests.server.asking import Asker
from tests.server.setups import meadow

from livingtable.game import Data
from livingtable.records import verify
from livingtable_server.app import mcp_server
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

THREE = meadow("1_2", "___", "__3")
"""p1 is the fox; p1, p2 and p3 are all the caller's."""
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


async def everything_read(asker: Asker, session: str, *sides: str) -> str:
    """All that seats and a spectator can read of a session, both halves, as one text."""
    answers: list[Any] = [await asker.both("list_sessions"), await asker.both("get_record", sessionId=session)]
    for uri in ("session", "board", "record"):
        read = await asker.client.read_resource(f"{uri}://{session}")
        answers.append([content.model_dump(mode="json") for content in read.contents])
    for detail in ("full", "brief"):
        for side in sides:
            call: dict[str, Any] = {"sessionId": session, "side": side, "detail": detail}
            answers.append(await asker.both("get_state", sinceVersion=0, **call))
            answers.append(await asker.both("list_legal_actions", **call))
            answers.append(await asker.both("wait_for_turn", timeoutSeconds=0, sinceVersion=0, **call))
    return json.dumps(answers, sort_keys=True)


async def test_a_command_waits_for_the_others_and_the_last_one_resolves_the_round(asker: Asker) -> None:
    """FX-1.2"""
    session = await asker.begin(THREE)
    first = await asker.submit(session, "move S", side="p1")
    assert (first["toAct"], first["events"], first["side"]) == (["p2", "p3"], ["committed: p1"], "p2")
    second = await asker.submit(session, "stay", side="p2")
    assert (second["toAct"], second["version"]) == (["p3"], 2)
    third = await asker.submit(session, "move N", side="p3")
    assert third["toAct"] == ["p1", "p2", "p3"]
    assert third["events"][0] == "round 1: p1 move S, p2 stay, p3 move N"


async def test_a_command_can_be_replaced_until_the_round_is_resolved(asker: Asker) -> None:
    """FX-1.3"""
    session = await asker.begin(THREE)
    for side, notation in (("p1", "move S"), ("p2", "stay"), ("p1", "bomb"), ("p3", "stay")):
        outcome = await asker.submit(session, notation, side=side)
        assert outcome["ok"]
    assert outcome["events"][0] == "round 1: p2 stay, p1 bomb, p3 stay"


async def test_who_has_chosen_sees_what_else_may_be_chosen_and_for_whom_the_round_waits(asker: Asker) -> None:
    session = await asker.begin(THREE)
    await asker.submit(session, "bomb", side="p1")
    listed = await asker.ask("list_legal_actions", sessionId=session, side="p1", detail="brief")
    assert listed["legal"]
    assert listed["toAct"] == ["p2", "p3"]
    refused = await asker.submit(session, "move N", side="p1")
    assert refused["code"] == "illegal_action"
    assert refused["legal"] == listed["legal"]


async def test_nothing_that_can_be_read_depends_on_a_hidden_command() -> None:
    """The leak test: the same game with each other command of p1, read by every seat, a spectator and the record."""
    readings: set[str] = set()
    for notation in ("move S", "move E", "bomb", "throw E 1", "stay"):
        async with Client(mcp_server(Settings("sqlite://"))) as client:
            asker = Asker(client)
            session = await asker.begin(THREE, seed=5)
            outcome = await asker.submit(session, notation, side="p1")
            read = await everything_read(asker, session, "p1", "p2", "p3")
            readings.add(TIME.sub("TIME", json.dumps(outcome) + read.replace(session, "ID")))
    assert len(readings) == 1


async def test_the_record_of_an_open_round_hides_its_commands_and_shows_them_afterwards(asker: Asker) -> None:
    session = await asker.begin(THREE)
    await asker.submit(session, "move S", side="p1")
    await asker.submit(session, "bomb", side="p2")
    hidden = (await asker.whole_record(session))["actions"]
    assert [(entry["side"], entry["action"]) for entry in hidden] == [("p1", None), ("p2", None)]
    await asker.submit(session, "stay", side="p3")
    shown = (await asker.whole_record(session))["actions"]
    assert [entry["action"]["type"] for entry in shown] == ["move", "bomb", "stay"]


async def test_the_record_of_an_open_round_verifies_as_it_is_read(asker: Asker) -> None:
    session = await asker.begin(THREE)
    for side in ("p1", "p2", "p3", "p2"):
        await asker.submit(session, "stay", side=side)
    record = await asker.whole_record(session)
    assert verify(record).ok
    assert (await asker.ask("verify_record", record=record))["ok"]
    assert (await asker.ask("verify_record", sessionId=session))["ok"]


async def test_a_version_is_stale_only_once_its_round_is_resolved(asker: Asker) -> None:
    session = await asker.begin(THREE)
    assert (await asker.submit(session, "stay", side="p1", expectedVersion=0))["ok"]
    assert (await asker.submit(session, "stay", side="p2", expectedVersion=0))["ok"]
    assert (await asker.submit(session, "bomb", side="p2", expectedVersion=0))["ok"]
    assert (await asker.submit(session, "stay", side="p3", expectedVersion=0))["ok"]
    late = await asker.submit(session, "bomb", side="p3", expectedVersion=0)
    assert (late["code"], late["version"]) == ("stale_version", 4)
    too_soon = await asker.submit(session, "bomb", side="p3", expectedVersion=5)
    assert too_soon["code"] == "stale_version"


@pytest.mark.parametrize("detail", ["full", "brief"])
async def test_a_retry_is_held_against_the_seats_own_command_of_that_round(asker: Asker, detail: str) -> None:
    """C40"""
    session = await asker.begin(THREE)
    outcomes = [
        await asker.submit(session, "bomb", side=side, expectedVersion=0, detail=detail) for side in ("p1", "p2")
    ]
    for side, first in zip(("p1", "p2"), outcomes, strict=True):
        again = await asker.submit(session, "bomb", side=side, expectedVersion=0, detail=detail)
        assert again == {**first, "repeated": True}
    last = await asker.submit(session, "stay", side="p3", expectedVersion=0, detail=detail)
    again = await asker.submit(session, "stay", side="p3", expectedVersion=0, detail=detail)
    assert again == {**last, "repeated": True}
    after = await asker.submit(session, "bomb", side="p1", expectedVersion=0, detail=detail)
    assert (after["repeated"], after["currentVersion"]) == (True, 3), "its round is over"
    assert after["legal" if detail == "brief" else "actions"] == []
    assert after["events"] == outcomes[0]["events"]
    assert len((await asker.whole_record(session))["actions"]) == 3


async def test_a_late_command_without_a_version_counts_for_the_next_round(asker: Asker) -> None:
    """FX-1.2"""
    session = await asker.begin(THREE)
    for side in ("p1", "p2", "p3"):
        await asker.submit(session, "stay", side=side)
    outcome = await asker.submit(session, "bomb", side="p2")
    assert (outcome["ok"], outcome["toAct"]) == (True, ["p1", "p3"])


async def test_all_seats_submit_at_once_and_the_round_is_resolved_once(asker: Asker) -> None:
    """C41"""
    session = await asker.begin(THREE)
    outcomes: list[Data] = await asyncio.gather(
        *(asker.submit(session, "stay", side=side, expectedVersion=0) for side in ("p3", "p1", "p2"))
    )
    assert [outcome["ok"] for outcome in outcomes] == [True, True, True]
    events = (await asker.whole_record(session))["events"]
    assert [event["type"] for event in events].count("round_resolved") == 1


async def test_bots_choose_last_in_an_order_of_seed_and_round_alone(asker: Asker) -> None:
    """FX-3.2"""
    orders: list[list[list[str]]] = []
    for notation in ("stay", "bomb"):
        session = await asker.begin("fox_yard", seed=8, side="p2", opponent="random")
        for _ in range(3):
            (legal, *_) = [line for line in await asker.legal(session, "p2") if notation in line or line == "stay"]
            await asker.submit(session, legal, side="p2")
        events = (await asker.whole_record(session))["events"]
        told = [[c["side"] for c in e["commands"]] for e in events if e["type"] == "round_resolved"]
        orders.append(told[:3])
    assert orders[0] == orders[1]
    assert all(order[0] == "p2" for order in orders[0])
    assert len({tuple(order) for order in orders[0]}) > 1


async def test_a_server_killed_with_one_of_two_commands_in_has_it_after_the_restart(tmp_path: Path) -> None:
    """C03"""
    store = Settings(f"sqlite:///{tmp_path / 'games.db'}")
    async with Client(mcp_server(store)) as client:
        session = await Asker(client).begin(meadow("1_2", "___"))
        await Asker(client).submit(session, "bomb", side="p1")
    async with Client(mcp_server(store)) as client:
        asker = Asker(client)
        assert (await asker.ask("get_state", sessionId=session, side="p2"))["toAct"] == ["p2"]
        outcome = await asker.submit(session, "stay", side="p2")
        assert outcome["events"][0] == "round 1: p1 bomb, p2 stay"


async def test_a_fork_has_no_commands_of_the_open_round(asker: Asker) -> None:
    session = await asker.begin(THREE)
    await asker.submit(session, "bomb", side="p1")
    forked = await asker.ask("new_game", fork=session)
    assert forked["snapshot"]["toAct"] == ["p1", "p2", "p3"]
    assert forked["snapshot"]["version"] == 0


async def test_waiting_ends_when_the_round_is_resolved_and_not_when_another_has_chosen(asker: Asker) -> None:
    session = await asker.begin(THREE)
    await asker.submit(session, "stay", side="p1")
    waiting = asyncio.create_task(asker.ask("wait_for_turn", sessionId=session, side="p1", timeoutSeconds=20))
    await asker.submit(session, "stay", side="p2")
    not_yet = await asker.ask("wait_for_turn", sessionId=session, side="p1", timeoutSeconds=0)
    assert (not_yet["ready"], not_yet["toAct"]) == (False, ["p3"])
    await asker.submit(session, "stay", side="p3")
    assert (await waiting)["ready"] is True


async def test_without_a_side_a_submit_names_the_seats_that_are_still_to_choose(asker: Asker) -> None:
    session = await asker.begin(THREE)
    await asker.submit(session, "stay", side="p1")
    refused = await asker.submit(session, "stay")
    assert refused["code"] == "not_your_seat"
    assert "p2, p3" in refused["reason"]
    await asker.submit(session, "stay", side="p2")
    assert (await asker.submit(session, "stay"))["ok"]


async def test_no_seat_can_cut_the_round_off(asker: Asker) -> None:
    session = await asker.begin(THREE)
    for given in ({"notation": "clock"}, {"action": {"type": "clock"}}):
        refused = await asker.ask("submit_action", sessionId=session, side="p1", **given)
        assert refused["code"] == "malformed_action"
    refused = await asker.ask("submit_action", sessionId=session, side="server", action={"type": "clock"})
    assert refused["code"] == "not_your_seat"


@pytest.mark.parametrize("detail", ["full", "brief"])
async def test_a_new_game_tells_the_terms_that_the_board_does_not_show(asker: Asker, detail: str) -> None:
    setup = meadow("1_2", "___", fuse=7, hat=2, throwRange=4, spawnEvery=3)
    answer, text = await asker.both("new_game", setup=setup, detail=detail)
    terms = answer["snapshot"]["terms"]
    for told in ("fuse 7", "a hat 2 rounds", "throws up to 4 fields", "every 3 rounds"):
        assert told in terms
    assert terms in text
