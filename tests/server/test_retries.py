"""A call sent again is applied once, and answered as the first time (C40)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from tests.server.asking import Asker
from tests.server.setups import FAR_APART, NEIGHBOURS, ONE_LEFT_TO_BEAT

from livingtable.game import Data
from livingtable_server.app import mcp_server
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

DETAILS = pytest.mark.parametrize("detail", ["full", "brief"])


@asynccontextmanager
async def server_on(file: Path) -> AsyncGenerator[Asker]:
    """A new server, with a ledger in a file."""
    async with Client(mcp_server(Settings(f"sqlite:///{file}"))) as client:
        yield Asker(client)


async def applied(asker: Asker, session: str, version: int = 0) -> list[Data]:
    return (await asker.whole_record(session))["actions"][version:]


@DETAILS
@pytest.mark.parametrize("side", [None, "p1"])
async def test_the_same_submit_again_is_answered_with_the_same_outcome(
    asker: Asker, side: str | None, detail: str
) -> None:
    """C40"""
    named: dict[str, Any] = {"side": side} if side else {}
    session = await asker.begin("troll_night", seed=3, **named)
    (notation, *_) = await asker.legal(session)
    call: dict[str, Any] = {"expectedVersion": 0, "detail": detail, **named}
    first = await asker.submit(session, notation, **call)
    record = await asker.whole_record(session)
    assert "repeated" not in first
    for _ in range(3):
        again = await asker.submit(session, notation, **call)
        assert again == {**first, "repeated": True}
    assert await asker.whole_record(session) == record


async def test_a_retry_says_so_in_the_text_too(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.submit(session, "pass", expectedVersion=0)
    text = await asker.text("submit_action", sessionId=session, notation="pass", expectedVersion=0)
    assert "before" in text.splitlines()[0]


async def test_the_same_submit_ten_times_at_once_is_applied_once(asker: Asker) -> None:
    """C40"""
    session = await asker.begin("troll_night", seed=3, side="p1")
    (notation, *_) = await asker.legal(session)
    answers = await asyncio.gather(*(asker.submit(session, notation, expectedVersion=0) for _ in range(10)))
    fresh = [answer for answer in answers if "repeated" not in answer]
    assert len(fresh) == 1
    assert all(answer == {**fresh[0], "repeated": True} for answer in answers if answer not in fresh)
    actions = await applied(asker, session)
    assert [a["side"] for a in actions].count("p1") == 1
    assert len(actions) == fresh[0]["version"]


async def test_different_submits_at_once_for_one_version_leave_one_winner(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    legal = await asker.legal(session)
    answers = await asyncio.gather(*(asker.submit(session, move, expectedVersion=0) for move in legal))
    codes = [answer.get("code", "ok") for answer in answers]
    assert codes.count("ok") == 1
    assert codes.count("stale_version") == len(legal) - 1
    assert len(await applied(asker, session)) == 1


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_clients_of_either_era_retry_at_once(mode: str) -> None:
    async with Client(mcp_server(Settings("sqlite://")), mode=mode) as client:
        asker = Asker(client)
        session = await asker.begin(FAR_APART)
        answers = await asyncio.gather(*(asker.submit(session, "move 1,0", expectedVersion=0) for _ in range(5)))
        assert sorted("repeated" in answer for answer in answers) == [False, True, True, True, True]
        assert len(await applied(asker, session)) == 1


async def test_an_action_as_object_is_the_same_as_its_notation(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    first = await asker.submit(session, "move 1,0", expectedVersion=0)
    again = await asker.ask("submit_action", sessionId=session, action={"to": "1,0", "type": "move"}, expectedVersion=0)
    assert again == {**first, "repeated": True}


async def test_a_retry_is_told_its_own_outcome_and_that_the_game_went_on(asker: Asker) -> None:
    """And nothing as legal that would be refused as stale."""
    session = await asker.begin("troll_night", seed=5, side="p1")
    version, firsts = 0, list[tuple[int, str, Data]]()
    for _ in range(5):
        notation = (await asker.legal(session))[0]
        outcome = await asker.submit(session, notation, expectedVersion=version)
        firsts.append((version, notation, outcome))
        version = outcome["version"]
    *older, latest = firsts
    for before, notation, outcome in older:
        again, text = await asker.both(
            "submit_action", sessionId=session, notation=notation, expectedVersion=before, detail="brief"
        )
        assert (again["currentVersion"], again["legal"], again["side"]) == (version, [], None)
        assert f"now at version {version}" in again["reason"]
        assert "get_state" in again["reason"]
        assert again["reason"] in text
        for key in ("version", "events", "board", "toAct", "result"):
            assert again[key] == outcome[key], key
        full = await asker.submit(session, notation, expectedVersion=before, detail="full")
        assert (full["currentVersion"], full["actions"]) == (version, [])
    before, notation, outcome = latest
    assert await asker.submit(session, notation, expectedVersion=before) == {**outcome, "repeated": True}


async def test_after_a_restart_a_retry_is_told_the_same_outcome(tmp_path: Path) -> None:
    """C40"""
    async with server_on(tmp_path / "ledger") as asker:
        session = await asker.begin("troll_night", seed=3, side="p1")
        (notation, *_) = await asker.legal(session)
        first = await asker.submit(session, notation, expectedVersion=0)
    async with server_on(tmp_path / "ledger") as asker:
        again = await asker.submit(session, notation, expectedVersion=0)
        assert again == {**first, "repeated": True}
        assert len(await applied(asker, session)) == first["version"]


async def test_another_action_for_a_version_that_has_one_is_stale(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.submit(session, "pass", expectedVersion=0)
    for given in ({"notation": "move 1,0"}, {"notation": "pass", "side": "p2"}, {"notation": "castle"}, {}):
        await asker.refused("stale_version", session, expectedVersion=0, **given)


async def test_a_version_above_the_current_one_is_stale_whatever_the_action(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.submit(session, "pass")
    for given in ({"notation": "pass"}, {"notation": "move 6,0"}):
        await asker.refused("stale_version", session, expectedVersion=2, **given)
    assert len(await applied(asker, session)) == 1


async def test_without_expected_version_the_same_again_is_a_new_action(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for side in ("p1", "p2"):
        assert (await asker.submit(session, "pass"))["ok"]
        assert (await applied(asker, session))[-1]["side"] == side


async def test_with_all_seats_a_retry_may_leave_out_its_side(asker: Asker) -> None:
    """By then another of the caller's seats is to act: the retry still means the first."""
    session = await asker.begin(NEIGHBOURS)
    offer = await asker.submit(session, "ally p2", expectedVersion=0)
    again = await asker.submit(session, "ally p2", expectedVersion=0)
    assert again == {**offer, "repeated": True}
    accepted = await asker.submit(session, "accept", expectedVersion=1)
    assert await asker.submit(session, "accept", expectedVersion=1) == {**accepted, "repeated": True}
    assert await asker.submit(session, "accept", expectedVersion=1, side="p2") == {**accepted, "repeated": True}
    await asker.refused("stale_version", session, notation="accept", expectedVersion=1, side="p1")


async def test_a_bots_action_cannot_be_repeated_by_the_caller(asker: Asker) -> None:
    session = await asker.begin("troll_night", seed=3, side="p1")
    await asker.submit(session, (await asker.legal(session))[0])
    bots = [a for a in await applied(asker, session) if a["side"] != "p1"]
    for action in bots[:3]:
        await asker.refused("stale_version", session, action=action["action"], expectedVersion=action["version"] - 1)


async def test_the_last_action_of_a_game_can_be_repeated(asker: Asker) -> None:
    session = await asker.begin(ONE_LEFT_TO_BEAT, side="p1")
    first = await asker.submit(session, "attack t1", expectedVersion=0)
    again = await asker.submit(session, "attack t1", expectedVersion=0)
    assert again == {**first, "repeated": True}
    await asker.refused("game_over", session, notation="attack t1", expectedVersion=1)
