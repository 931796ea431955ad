"""Rounds with a time: the clock cuts them, bots choose before the cut, and a stalled server gives the time again."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio
import anyio.lowlevel
import pytest
from tests.server.asking import Asker
from tests.server.setups import meadow

from livingtable.game import Data
from livingtable_server.sessions import clock, session

pytestmark = pytest.mark.anyio

SECONDS = 10.0
TIMED = meadow("1_2", "___", "__3", roundSeconds=SECONDS)


@dataclass
class HeldTime:
    """Time that goes on only when it is told to."""

    now: float = 1000.0
    sleepers: list[tuple[float, anyio.Event]] = field(default_factory=list[tuple[float, anyio.Event]])

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        awake = anyio.Event()
        self.sleepers.append((self.now + seconds, awake))
        await awake.wait()

    async def pass_by(self, seconds: float) -> None:
        """As on a server that runs: everybody wakes in time."""
        end = self.now + seconds
        while due := [sleeper for sleeper in self.sleepers if sleeper[0] <= end]:
            self.now = min(at for at, _ in due)
            await self._wake()
        self.now = end

    async def stand_still(self, seconds: float) -> None:
        """As on a server that is stopped so long and then goes on."""
        self.now += seconds
        await self._wake()

    async def _wake(self) -> None:
        due = [sleeper for sleeper in self.sleepers if sleeper[0] <= self.now]
        self.sleepers = [sleeper for sleeper in self.sleepers if sleeper[0] > self.now]
        for _, awake in due:
            awake.set()
        for _ in range(10):
            await anyio.lowlevel.checkpoint()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldTime:
    held = HeldTime()
    monkeypatch.setattr(clock, "monotonic", held.monotonic)
    monkeypatch.setattr(session, "monotonic", held.monotonic)
    monkeypatch.setattr(clock, "sleep", held.sleep)
    return held


async def state_of(asker: Asker, session_id: str) -> Data:
    return await asker.ask("get_state", sessionId=session_id, side="p1")


async def test_a_round_is_cut_when_its_time_is_up_and_who_gave_no_command_stays(asker: Asker, held: HeldTime) -> None:
    """FX-1.2"""
    session_id = await asker.begin(TIMED)
    await asker.submit(session_id, "move S", side="p1")
    await held.pass_by(SECONDS)
    answer = await asker.ask("wait_for_turn", sessionId=session_id, side="p1", sinceVersion=1)
    assert answer["ready"] is True
    assert answer["events"][0] == "round 1: p1 move S"
    assert answer["toAct"] == ["p1", "p2", "p3"]


async def test_a_cut_is_an_action_of_the_server_in_the_record_which_verifies(asker: Asker, held: HeldTime) -> None:
    session_id = await asker.begin(TIMED)
    await held.pass_by(SECONDS)
    await asker.ask("wait_for_turn", sessionId=session_id, side="p1", sinceVersion=0)
    (cut,) = (await asker.whole_record(session_id))["actions"]
    assert cut == {"version": 1, "side": "server", "action": {"type": "clock"}}
    assert (await asker.ask("verify_record", sessionId=session_id))["ok"]


async def test_the_seconds_left_are_told_with_the_state_and_with_the_board(asker: Asker, held: HeldTime) -> None:
    session_id = await asker.begin(TIMED)
    await held.pass_by(4.0)
    assert (await state_of(asker, session_id))["state"]["secondsLeft"] == 6.0
    brief = await asker.ask("get_state", sessionId=session_id, side="p1", detail="brief")
    assert brief["secondsLeft"] == 6.0


async def test_without_a_clock_there_are_no_seconds_left(asker: Asker) -> None:
    session_id = await asker.begin(meadow("1_2", "___"))
    assert (await state_of(asker, session_id))["state"]["secondsLeft"] is None


async def test_each_round_has_its_whole_time(asker: Asker, held: HeldTime) -> None:
    session_id = await asker.begin(TIMED)
    await held.pass_by(SECONDS - 1)
    for side in ("p1", "p2", "p3"):
        await asker.submit(session_id, "stay", side=side)
    await held.pass_by(SECONDS - 1)
    state = await state_of(asker, session_id)
    assert (state["version"], state["round"], state["state"]["secondsLeft"]) == (3, 2, 1.0)


async def test_bots_choose_before_the_cut(asker: Asker, held: HeldTime) -> None:
    """FX-3.2"""
    session_id = await asker.begin("fox_yard", seed=1, side="p1", opponent="random")
    setup = (await asker.whole_record(session_id))["scenario"]
    session_id = await asker.begin({**setup, "roundSeconds": SECONDS}, seed=1, side="p1", opponent="random")
    await held.pass_by(SECONDS)
    await asker.ask("wait_for_turn", sessionId=session_id, side="p1", sinceVersion=0)
    actions = (await asker.whole_record(session_id))["actions"]
    assert [entry["side"] for entry in actions][-1] == "server"
    assert sorted(entry["side"] for entry in actions[:-1]) == ["p2", "p3", "p4"]


async def test_a_server_that_stood_still_gives_the_round_its_time_again(asker: Asker, held: HeldTime) -> None:
    session_id = await asker.begin(TIMED)
    await held.pass_by(SECONDS - 1)
    await held.stand_still(60.0)
    state = await state_of(asker, session_id)
    assert (state["version"], state["state"]["secondsLeft"]) == (0, SECONDS)
    await held.pass_by(SECONDS - 1)
    assert (await state_of(asker, session_id))["version"] == 0
    await held.pass_by(1.0)
    assert (await asker.ask("wait_for_turn", sessionId=session_id, side="p1", sinceVersion=0))["version"] == 1


async def test_a_command_after_the_cut_counts_for_the_next_round_unless_it_named_a_version(
    asker: Asker, held: HeldTime
) -> None:
    """FX-1.2"""
    session_id = await asker.begin(TIMED)
    await held.pass_by(SECONDS)
    await asker.ask("wait_for_turn", sessionId=session_id, side="p1", sinceVersion=0)
    assert (await asker.submit(session_id, "bomb", side="p1", expectedVersion=0))["code"] == "stale_version"
    outcome = await asker.submit(session_id, "bomb", side="p1")
    assert (outcome["ok"], outcome["version"], outcome["toAct"]) == (True, 2, ["p2", "p3"])


async def test_the_clock_goes_on_until_the_game_is_over_and_stops_then(asker: Asker, held: HeldTime) -> None:
    """C06"""
    session_id = await asker.begin({**TIMED, "rounds": 3})
    for version in range(3):
        await held.pass_by(SECONDS)
        await asker.ask("wait_for_turn", sessionId=session_id, side="p1", sinceVersion=version)
    final = await state_of(asker, session_id)
    assert (final["version"], final["result"]["reason"]) == (3, "round_limit")
    assert final["state"]["secondsLeft"] is None
    await held.pass_by(SECONDS * 3)
    assert held.sleepers == []


async def test_a_short_round_is_cut_by_the_real_clock(asker: Asker) -> None:
    session_id = await asker.begin({**TIMED, "roundSeconds": 0.1, "rounds": 2})
    answer = await asker.ask("get_state", sessionId=session_id, side="p1", detail="brief")
    while answer["result"] is None:
        answer = await asker.ask("wait_for_turn", sessionId=session_id, side="p2", timeoutSeconds=0.2)
    assert [entry["side"] for entry in (await asker.whole_record(session_id))["actions"]] == ["server", "server"]
