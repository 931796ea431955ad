"""Long computations: a few of a kind at a time, stopped when nobody waits for them, and no kind in another's way."""

from __future__ import annotations

from threading import Event

import anyio
import pytest
from tests.server.asking import Asker

from livingtable.records import verify
from livingtable_server.sessions.errors import TableError, TooManyError
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.replays import REPLAYED_ACTIONS_AT_MOST
from livingtable_server.sessions.work import Lane, Stop, StoppedError, Work, check

pytestmark = pytest.mark.anyio

SECONDS_AT_MOST = 20
"""A test that would fail waits so long."""


class Computation:
    """Runs until it is told to stop, or is let go."""

    def __init__(self) -> None:
        self.runs, self.was_stopped, self.may_end = Event(), Event(), Event()

    def __call__(self, stop: Stop) -> str:
        self.runs.set()
        while not self.may_end.wait(0.001):
            if stop():
                self.was_stopped.set()
                raise StoppedError
        return "done"


async def seen(event: Event) -> bool:
    return await anyio.to_thread.run_sync(event.wait, SECONDS_AT_MOST)


async def test_a_computation_is_stopped_when_its_caller_is_cancelled() -> None:
    computation = Computation()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(Lane("test", 1).run, computation)
        assert await seen(computation.runs)
        tasks.cancel_scope.cancel()
    assert await seen(computation.was_stopped)


async def test_one_that_still_waited_when_its_caller_was_cancelled_is_never_started() -> None:
    lane, first, second = Lane("test", 1), Computation(), Computation()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lane.run, first)
        assert await seen(first.runs)
        async with anyio.create_task_group() as others:
            others.start_soon(lane.run, second)
            await anyio.wait_all_tasks_blocked()
            others.cancel_scope.cancel()
        first.may_end.set()
    assert await lane.run(lambda _stop: "the next one") == "the next one"
    assert not second.runs.is_set()


async def test_where_too_many_wait_the_next_is_told_to_come_again() -> None:
    lane, first = Lane("test", 1, waiting=1), Computation()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lane.run, first)
        tasks.start_soon(lane.run, Computation())
        assert await seen(first.runs)
        with pytest.raises(TooManyError, match="try again in 2 s") as refused:
            await lane.run(lambda _stop: None)
        assert refused.value.retry_after == 2
        tasks.cancel_scope.cancel()
    assert lane.busy == 0


async def test_a_full_lane_keeps_no_other_one_waiting() -> None:
    work, replays = Work(), [Computation() for _ in range(3)]
    async with anyio.create_task_group() as tasks:
        for replay in replays:
            tasks.start_soon(work.replays.run, replay)
        assert await seen(replays[1].runs)
        assert await work.bots.run(lambda _stop: "chosen") == "chosen"
        tasks.cancel_scope.cancel()


async def test_a_replay_ends_at_its_next_action_when_it_is_told_to_stop(asker: Asker) -> None:
    session = await asker.begin("duel_glade", seed=1)
    for _ in range(4):
        await asker.submit(session, (await asker.legal(session))[-1])
    record = await asker.whole_record(session)
    asked = iter([False, False, True])
    with pytest.raises(StoppedError):
        verify(record, lambda: check(lambda: next(asked)))
    assert next(asked, None) is None, "it has been asked before each action until then"


async def test_a_record_of_more_actions_than_are_replayed_here_is_refused_with_what_takes_it(
    asker: Asker, table: SessionManager
) -> None:
    session = await asker.begin("duel_glade", seed=1)
    record = await asker.whole_record(session)
    record["actions"] = [{"version": 1, "side": "p1", "action": {"type": "pass"}}] * (REPLAYED_ACTIONS_AT_MOST + 1)
    with pytest.raises(TableError, match=r"20001 actions; at most 20000 are replayed here\..*living-table verify"):
        await table.verify_record(record, None)
