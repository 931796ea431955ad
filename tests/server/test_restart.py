"""A server that ends, or is killed, loses nothing that it acknowledged; servers on one ledger see each other (C03)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from mcp import Client
from tests.server.asking import Asker, alternatives, play_out
from tests.server.setups import FAR_APART, NEIGHBOURS, PARTY_OF_TWO, TWO_TROLLS_AND_THE_DEAD
from tests.server.wire import Wire

from livingtable.game import Data
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.app import mcp_server, session_manager
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.settings import Settings
from livingtable_server.store.changes import Changed
from livingtable_server.store.ledger import Entry, Ledger

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def server_on(file: Path) -> AsyncGenerator[Asker]:
    """A new server, with a ledger in a file."""
    async with Client(mcp_server(Settings(f"sqlite:///{file}"))) as client:
        yield Asker(client)


@asynccontextmanager
async def table_on(file: Path) -> AsyncGenerator[SessionManager]:
    table = session_manager(Settings(f"sqlite:///{file}"))
    yield table
    await table.close()


async def all_of(asker: Asker, session: str) -> list[Data]:
    """All that a client can see of a session."""
    return [
        await asker.ask("get_state", sessionId=session),
        await asker.ask("get_state", sessionId=session, detail="brief", sinceVersion=0),
        await asker.ask("list_legal_actions", sessionId=session),
        await asker.whole_record(session),
        await asker.ask("verify_record", sessionId=session),
    ]


# restarts


@pytest.mark.parametrize(
    ("setup", "played", "then"),
    [
        (PARTY_OF_TWO, ["pass"], "move 4,1"),
        (PARTY_OF_TWO, ["pass", "pass"], "pass"),
        (NEIGHBOURS, ["ally p2"], "accept"),
        (NEIGHBOURS, ["ally p2"], "decline"),
        (FAR_APART, [], "pass"),
    ],
    ids=["after one pass of a leader", "before its second", "open offer", "open offer declined", "at version 0"],
)
async def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path, setup: Data, played: list[str], then: str) -> None:
    """C03"""
    file = tmp_path / "ledger"
    async with server_on(file) as asker:
        session = await asker.begin(setup, seed=5)
        for notation in played:
            assert (await asker.submit(session, notation))["ok"]
        seen = await all_of(asker, session)
    async with server_on(file) as asker:
        assert await all_of(asker, session) == seen
        outcome = await asker.submit(session, then)
        assert outcome["ok"]
        fresh = await asker.begin(setup, seed=5)
        for notation in played:
            await asker.submit(fresh, notation)
        assert await asker.submit(fresh, then) == outcome, "as without the restart, dice and all"


async def test_a_leaders_pass_counts_over_a_restart(tmp_path: Path) -> None:
    """C03, C22: the unstuck maneuver comes at the second pass."""
    async with server_on(tmp_path / "ledger") as asker:
        session = await asker.begin(PARTY_OF_TWO)
        await asker.submit(session, "pass")
        await asker.submit(session, "pass")
    async with server_on(tmp_path / "ledger") as asker:
        outcome = await asker.submit(session, "pass")
        assert "forced on" in " ".join(outcome["events"])


async def test_a_game_restarted_at_every_decision_goes_as_one_that_was_not(tmp_path: Path) -> None:
    async with server_on(tmp_path / "whole") as asker:
        session = await asker.begin("mountain_pass", seed=2, side="p1")
        await play_out(asker, session, 1, "p1")
        expected = await asker.whole_record(session)
    choices = [a["action"] for a in expected["actions"] if a["side"] == "p1"]
    async with server_on(tmp_path / "parts") as asker:
        session = await asker.begin("mountain_pass", seed=2, side="p1")
    for action in choices:
        async with server_on(tmp_path / "parts") as asker:
            assert (await asker.ask("submit_action", sessionId=session, action=action, side="p1"))["ok"]
    async with server_on(tmp_path / "parts") as asker:
        assert await asker.whole_record(session) == expected


async def test_a_finished_game_is_finished_after_a_restart(tmp_path: Path) -> None:
    async with server_on(tmp_path / "ledger") as asker:
        session = await asker.begin("mountain_pass", seed=2, side="p1")
        await play_out(asker, session, 1, "p1")
        seen = await all_of(asker, session)
    async with server_on(tmp_path / "ledger") as asker:
        assert await all_of(asker, session) == seen
        await asker.refused("game_over", session, notation="pass")
        listed = await asker.ask("list_sessions", active=False)
        assert [s["sessionId"] for s in listed["sessions"]] == [session]


class CutOff(Exception):
    """The process dies here, as far as the ledger can tell."""


class LedgerOfADyingProcess:
    """A ledger that stores so many actions, and after the last one does not come back."""

    def __init__(self, ledger: Ledger, appends: int) -> None:
        self._ledger = ledger
        self._left = appends

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    async def append(self, session_id: str, entry: Entry, result: Data | None) -> bool:
        stored = await self._ledger.append(session_id, entry, result)
        self._left -= 1
        if self._left == 0:
            raise CutOff
        return stored


@pytest.mark.parametrize("appends", [1, 2, 3, 5, 8])
async def test_bots_that_were_interrupted_play_on(tmp_path: Path, appends: int) -> None:
    file = tmp_path / "ledger"

    async def dying(_changed: Changed) -> Ledger:
        ledger = await Ledger.open(f"sqlite:///{file}")
        return cast(Ledger, LedgerOfADyingProcess(ledger, appends))

    async with table_on(tmp_path / "whole") as table:
        whole = await table.new_game(NewGame(scenario="crossroads", seed=3, side="p1"))
        expected = await table.submit(whole.session_id, "pass", expected_version=0)
        record = await table.record(whole.session_id)
    broken = SessionManager(ScenarioLibrary, LiveSessions(dying))
    session = (await broken.new_game(NewGame(scenario="crossroads", seed=3, side="p1"))).session_id
    with pytest.raises(CutOff):
        await broken.submit(session, "pass", expected_version=0)
    await broken.close()
    async with server_on(file) as asker:
        read = await asker.ask("get_state", sessionId=session)
        assert read["version"] <= appends + 1, "who only reads plays nothing"
        waited = await asker.ask("wait_for_turn", sessionId=session, side="p1")
        assert (waited["version"], waited["toAct"], waited["ready"]) == (expected["version"], ["p1"], True)
        assert (await asker.whole_record(session))["actions"] == record["actions"]
        again = await asker.submit(session, "pass", expectedVersion=0)
        assert again == {**expected, "repeated": True}


async def test_an_action_that_was_not_stored_is_not_kept_in_memory_either(tmp_path: Path) -> None:
    async def dying(_changed: Changed) -> Ledger:
        ledger = await Ledger.open(f"sqlite:///{tmp_path / 'ledger'}")
        return cast(Ledger, FailingOnce(ledger))

    table = SessionManager(ScenarioLibrary, LiveSessions(dying))
    session = (await table.new_game(NewGame(setup=FAR_APART))).session_id
    with pytest.raises(OSError, match="disk"):
        await table.submit(session, "move 1,0")
    assert (await table.get_state(session, None, None, "full"))["version"] == 0
    outcome = await table.submit(session, "pass", expected_version=0)
    assert (outcome["version"], outcome["events"]) == (1, ["p1 passes"])
    await table.close()


class FailingOnce(LedgerOfADyingProcess):
    """A ledger whose disk is full at the first append."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, -1)
        self._failed = False

    async def append(self, session_id: str, entry: Entry, result: Data | None) -> bool:
        if not self._failed:
            self._failed = True
            raise OSError("no space on the disk")
        return await self._ledger.append(session_id, entry, result)


# two servers on one ledger


async def test_two_servers_see_each_others_actions(tmp_path: Path) -> None:
    async with server_on(tmp_path / "ledger") as one, server_on(tmp_path / "ledger") as other:
        session = await one.begin("mountain_pass", seed=4)
        for version in range(30):
            asker, watcher = (one, other) if version % 2 else (other, one)
            legal = await asker.legal(session)
            outcome = await asker.submit(session, legal[version % len(legal)], expectedVersion=version, detail="full")
            assert outcome["ok"]
            seen = await watcher.ask("get_state", sessionId=session, sinceVersion=version)
            assert (seen["version"], seen["state"]) == (outcome["version"], outcome["state"])
            assert seen["events"] == outcome["events"]
        assert await one.whole_record(session) == await other.whole_record(session)


async def test_of_two_submits_for_one_version_one_wins_and_the_other_is_stale(tmp_path: Path) -> None:
    async with server_on(tmp_path / "ledger") as one, server_on(tmp_path / "ledger") as other:
        session = await one.begin("mountain_pass", seed=4)
        version = 0
        for _ in range(20):
            legal = await one.legal(session)
            if len(legal) < 2:
                await one.submit(session, legal[0], expectedVersion=version)
                version += 1
                continue
            answers = await asyncio.gather(
                one.submit(session, legal[0], expectedVersion=version),
                other.submit(session, legal[1], expectedVersion=version),
            )
            assert sorted(answer.get("code", "") for answer in answers) == ["", "stale_version"]
            version += 1
            assert len((await other.whole_record(session))["actions"]) == version


async def test_one_submit_to_two_servers_at_once_is_applied_once(tmp_path: Path) -> None:
    """C40"""
    async with server_on(tmp_path / "ledger") as one, server_on(tmp_path / "ledger") as other:
        session = await one.begin("mountain_pass", seed=4, side="p1")
        answer = await one.ask("get_state", sessionId=session, detail="brief")
        decisions = 0
        while answer["result"] is None and decisions < 15:
            notation = alternatives(answer["legal"])[0]
            call = {"sessionId": session, "notation": notation, "expectedVersion": answer["version"]}
            answers = await asyncio.gather(*(asker.ask("submit_action", **call) for asker in (one, other, one, other)))
            fresh = [a for a in answers if "repeated" not in a]
            assert len(fresh) == 1
            assert all({**a, "repeated": True} == {**fresh[0], "repeated": True} for a in answers)
            answer = fresh[0]
            decisions += 1
        actions = (await other.whole_record(session))["actions"]
        assert [a["side"] for a in actions].count("p1") == decisions
        assert (await one.ask("verify_record", sessionId=session))["ok"]


async def test_readers_on_another_server_do_not_disturb_a_submit(tmp_path: Path) -> None:
    """Both servers play the bots' turns that follow; the caller gave no version by which to know its action again."""
    async with server_on(tmp_path / "ledger") as one, server_on(tmp_path / "ledger") as other:
        session = await one.begin("mountain_pass", seed=4, side="p1")
        version = 0
        for decision in range(1, 11):
            (notation, *_) = await one.legal(session)
            outcome, *seen = await asyncio.gather(
                one.submit(session, notation),
                *(other.ask("get_state", sessionId=session, sinceVersion=version) for _ in range(6)),
            )
            assert outcome["ok"], outcome
            assert "repeated" not in outcome
            assert all(answer["version"] >= version for answer in seen)
            actions = (await other.whole_record(session))["actions"]
            assert [a["side"] for a in actions].count("p1") == decision
            version = len(actions)
            if outcome["result"]:
                break
        assert (await one.ask("verify_record", sessionId=session))["ok"]


class Overtaken(LedgerOfADyingProcess):
    """A ledger on which another process is quicker by one action, once, when this one stores version `at`."""

    def __init__(self, ledger: Ledger, at: int, overtake: Callable[[], Awaitable[object]]) -> None:
        super().__init__(ledger, -1)
        self._at = at
        self._overtake = overtake

    async def append(self, session_id: str, entry: Entry, result: Data | None) -> bool:
        if entry.version == self._at:
            self._at = -1
            await self._overtake()
        return await self._ledger.append(session_id, entry, result)


async def overtaken_at(version: int, file: Path, other: SessionManager, notation: str) -> tuple[SessionManager, str]:
    """A table whose append of that version comes too late, because `other` has played."""
    sessions: list[str] = []

    async def overtake() -> object:
        if notation:
            return await other.submit(sessions[0], notation)
        return await other.get_state(sessions[0], None, None, "full")

    async def opened(_changed: Changed) -> Ledger:
        return cast(Ledger, Overtaken(await Ledger.open(f"sqlite:///{file}"), version, overtake))

    table = SessionManager(ScenarioLibrary, LiveSessions(opened))
    side = None if notation else "p1"
    request = NewGame(setup=FAR_APART if notation else None, scenario=None if notation else "crossroads", seed=3)
    begun = await other.new_game(NewGame(request.scenario, request.setup, seed=3, side=side))
    sessions.append(begun.session_id)
    return table, begun.session_id


async def test_who_comes_too_late_is_judged_by_the_new_version(tmp_path: Path) -> None:
    async with table_on(tmp_path / "ledger") as other:
        table, session = await overtaken_at(1, tmp_path / "ledger", other, "move 1,0")
        answer = await table.submit(session, "move 0,1", expected_version=0)
        assert (answer["ok"], answer["code"], answer["version"]) == (False, "stale_version", 1)
        await table.close()


async def test_who_comes_too_late_with_the_same_action_is_told_its_outcome(tmp_path: Path) -> None:
    async with table_on(tmp_path / "ledger") as other:
        table, session = await overtaken_at(1, tmp_path / "ledger", other, "move 1,0")
        answer = await table.submit(session, "move 1,0", expected_version=0)
        assert (answer["ok"], answer["repeated"], answer["version"]) == (True, True, 1)
        await table.close()


async def test_others_of_the_same_process_do_not_go_on_from_what_came_too_late(tmp_path: Path) -> None:
    """They wait for the session's lock while the lost race is found out."""
    async with table_on(tmp_path / "ledger") as other:
        table, session = await overtaken_at(1, tmp_path / "ledger", other, "move 1,0")
        late, *states = await asyncio.gather(
            table.submit(session, "move 0,1", expected_version=0),
            *(table.get_state(session, None, None, "full") for _ in range(5)),
        )
        assert late["code"] == "stale_version"
        expected = (await other.get_state(session, None, None, "full"))["state"]
        assert all(state["state"] == expected for state in states if state["version"] == 1)
        assert (await table.record(session))["actions"] == (await other.record(session))["actions"]
        await table.close()


@pytest.mark.parametrize("at", [2, 3, 5])
@pytest.mark.parametrize("expected", [None, 0])
async def test_a_bots_turn_that_comes_too_late_does_not_repeat_the_callers_action(
    tmp_path: Path, at: int, expected: int | None
) -> None:
    async with table_on(tmp_path / "ledger") as other:
        table, session = await overtaken_at(at, tmp_path / "ledger", other, "")
        answer = await table.submit(session, "pass", expected_version=expected)
        assert answer["ok"]
        assert "repeated" not in answer
        actions = (await other.record(session))["actions"]
        assert [a["side"] for a in actions].count("p1") == 1
        assert answer["version"] == len(actions)
        assert answer["events"][0] == "p1 passes"
        await table.close()


async def test_who_waits_and_whose_bots_come_too_late_waits_on(tmp_path: Path) -> None:
    async with table_on(tmp_path / "ledger") as other:
        session = (await other.new_game(NewGame(setup=TWO_TROLLS_AND_THE_DEAD, side="p1"))).session_id

        async def overtake() -> object:
            return await other.wait_for_turn(session, "p1", 0, None, "full")

        async def opened(_changed: Changed) -> Ledger:
            return cast(Ledger, Overtaken(await Ledger.open(f"sqlite:///{tmp_path / 'ledger'}"), 203, overtake))

        table = SessionManager(ScenarioLibrary, LiveSessions(opened))
        waited = await table.wait_for_turn(session, "p1", 0, None, "full")
        assert waited["version"] >= 400
        assert (await table.verify_record(None, session))["ok"]
        await table.close()


# killed


@pytest.mark.slow
def test_killed_fifty_times_it_keeps_every_acknowledged_action_once(tmp_path: Path) -> None:
    """`kill -9` at random moments: after some answers, with one more request on its way."""
    random = Random(2026)
    store = f"sqlite:///{tmp_path / 'ledger'}"
    game = KilledGame(store, random)
    for _ in range(50):
        game.play_until_killed()
    game.play_to_the_end()
    assert game.games >= 1


class KilledGame:
    """Plays p1 with random legal actions on servers that are killed, and looks after each kill for what is stored."""

    def __init__(self, store: str, random: Random) -> None:
        self.store = store
        self.random = random
        self.games = 0
        self.session = ""
        self.sessions: list[str] = []
        self.version = 0
        self.legal: list[str] = []
        self.over = True
        self.acknowledged: list[Data] = []
        """The record's actions as far as they are known to have been acknowledged."""
        self.mine: list[tuple[int, str]] = []
        """p1's own: the version before, and the notation."""
        self.on_its_way: str | None = None

    def play_until_killed(self) -> None:
        wire = Wire(self.store)
        self._resume(wire)
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 3, 5])):
            if self.over:
                self._begin(wire)
            self._submit(wire)
        if not self.over:
            self.on_its_way = self.random.choice(self.legal)
            number = wire.send_call(
                "submit_action", sessionId=self.session, notation=self.on_its_way, expectedVersion=self.version
            )
            line = wire.line(self.random.choice([0, 0.001, 0.002, 0.004, 0.008, 0.03]))
            if line is not None and f'"id":{number}' in line.decode():
                wire.kill()
                return
        wire.kill()

    def play_to_the_end(self) -> None:
        wire = Wire(self.store)
        self._resume(wire)
        while not self.over:
            self._submit(wire)
        for session in self.sessions:
            assert wire.call("verify_record", sessionId=session)["ok"]
        wire.close()

    def _begin(self, wire: Wire) -> None:
        seed = self.random.randrange(1000)
        answer = wire.call("new_game", scenario="mountain_pass", side="p1", seed=seed, detail="brief")
        self.games += 1
        self.session = answer["sessionId"]
        self.sessions.append(self.session)
        self.acknowledged, self.mine = [], []
        self._take(wire, answer["snapshot"])

    def _submit(self, wire: Wire) -> None:
        notation = self.random.choice(self.legal)
        answer = wire.call("submit_action", sessionId=self.session, notation=notation, expectedVersion=self.version)
        assert answer["ok"], answer
        assert "repeated" not in answer
        self.mine.append((self.version, notation))
        self._take(wire, answer)

    def _take(self, wire: Wire, answer: Data) -> None:
        while answer["result"] is None and not answer["legal"]:  # p1 follows or is dead, and bots play at most so much
            answer = wire.call("wait_for_turn", sessionId=self.session, side="p1")
        self.version = answer["version"]
        self.over = answer["result"] is not None
        self.legal = alternatives(answer["legal"]) if not self.over else []

    def _resume(self, wire: Wire) -> None:
        """Everything is there, nothing twice; what was on its way is there once, now or after it is sent again."""
        if not self.session:
            return
        before = self._record(wire)["actions"]
        assert before[: len(self.acknowledged)] == self.acknowledged
        if self.on_its_way is not None:
            call = {"sessionId": self.session, "notation": self.on_its_way, "expectedVersion": self.version}
            answer = wire.call("submit_action", **call)
            assert answer["ok"], answer
            assert answer.get("repeated", False) is (len(before) > self.version)
            self.mine.append((self.version, self.on_its_way))
            self.on_its_way = None
            self._take(wire, answer)
        record = self._record(wire)
        actions = record["actions"]
        assert [a["version"] for a in actions] == list(range(1, len(actions) + 1))
        assert len(actions) == self.version
        own = [(a["version"] - 1, a["action"]) for a in actions if a["side"] == "p1"]
        assert [version for version, _ in own] == [version for version, _ in self.mine]
        for (_, action), (_, notation) in zip(own, self.mine, strict=True):
            assert notation.startswith(action["type"]) or action["type"] == "answer"
            assert action.get("to", action.get("target", action.get("choice", ""))) in notation
        assert wire.call("verify_record", sessionId=self.session)["ok"]
        self.acknowledged = actions

    def _record(self, wire: Wire) -> Data:
        page = wire.call("get_record", sessionId=self.session)
        record = page["record"]
        while "nextCursor" in page:
            page = wire.call("get_record", sessionId=self.session, cursor=page["nextCursor"])
            record["actions"] += page["record"]["actions"]
        return record
