"""`/healthz`, which asks nothing, and `/readyz`, which asks the store."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import anyio
import pytest
from anyio.lowlevel import checkpoint
from httpx2 import AsyncClient
from tests.web.serving import in_process, settings

from livingtable.version import __version__
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.store import store_file
from livingtable_server.store.errors import NotReadyError
from livingtable_server.web import readiness
from livingtable_server.web.readiness import Readiness
from livingtable_server.web.settings import Crew, Number

pytestmark = pytest.mark.anyio


class Seconds:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def serving_from(file: Path, clock: Seconds) -> AsyncGenerator[AsyncClient]:
    async with in_process(settings(clock=clock), f"sqlite:///{file}") as client:
        yield client


async def test_both_say_that_all_is_well(client: AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok", "version": __version__}
    assert (await client.get("/readyz")).json() == {"status": "ready", "version": __version__}


async def test_a_locked_store_is_not_ready_and_the_process_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_file, "LOCK_SECONDS", 0.0)
    caplog.set_level(logging.INFO, "livingtable.web")
    clock = Seconds()
    async with serving_from(tmp_path / "ledger.db", clock) as client:
        assert (await client.get("/readyz")).status_code == 200
        clock.now += 1
        with closing(sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            for _ in range(3):
                answer = await client.get("/readyz")
                assert answer.status_code == 503
                assert answer.headers["content-type"] == "application/problem+json"
                assert answer.headers["retry-after"] == "1"
                assert answer.json()["detail"] == "The store is locked by another program."
                assert str(tmp_path) not in answer.text
                clock.now += 1
            assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/readyz")).status_code == 200
    told = [(record.levelname, record.message) for record in caplog.records if record.name == "livingtable.web"]
    assert told == [("WARNING", "the store is not ready"), ("INFO", "the store is ready again")]
    (warning,) = (record for record in caplog.records if record.levelno == logging.WARNING)
    assert str(tmp_path) in json.dumps(warning.__dict__["more"])


async def test_an_answer_is_given_again_for_a_second(tmp_path: Path) -> None:
    clock = Seconds()
    async with serving_from(tmp_path / "ledger.db", clock) as client:
        assert (await client.get("/readyz")).status_code == 200
        (tmp_path / "ledger.db").unlink()
        clock.now += 0.9
        assert (await client.get("/readyz")).status_code == 200
        clock.now += 0.2
        assert (await client.get("/readyz")).json()["detail"] == "The store is gone."


class Store:
    """In a ledger's place: it answers when `free` is set, and counts how often it was asked."""

    def __init__(self) -> None:
        self.free = anyio.Event()
        self.asked = 0

    async def ledger(self) -> Any:
        return SimpleNamespace(check_ready=self.check_ready)

    async def check_ready(self) -> None:
        self.asked += 1
        await self.free.wait()

    def readiness(self, clock: Seconds, crew: Crew | None = None) -> Readiness:
        return Readiness(cast(LiveSessions, self), clock, crew)


async def test_many_who_ask_at_once_are_one_question_to_the_store() -> None:
    store, answers = Store(), list[str | None]()
    ready = store.readiness(Seconds())

    async def ask() -> None:
        answers.append(await ready.reason())

    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(ask)
        while not store.asked:
            await checkpoint()
        store.free.set()
    assert answers == [None] * 20
    assert store.asked == 1


async def test_a_store_that_does_not_answer_is_not_ready_and_not_asked_again_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readiness, "ANSWER_SECONDS", 0.0)
    clock, store = Seconds(), Store()
    ready = store.readiness(clock)
    for _ in range(5):
        assert await ready.reason() == "The store does not answer in time."
        clock.now += 10
    assert store.asked == 1
    store.free.set()
    while await ready.reason() is not None:
        await checkpoint()


async def test_a_fault_of_ours_while_asking_is_no_readiness(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Store):
        async def check_ready(self) -> None:
            raise ZeroDivisionError

    assert await Broken().readiness(Seconds()).reason() == "The store cannot be asked."
    assert "the store could not be asked" in caplog.messages


async def test_what_is_not_ready_is_told_without_the_operators_words() -> None:
    class Locked(Store):
        async def check_ready(self) -> None:
            raise NotReadyError("The store is locked.", '"/secret/place" is locked')

    answer = await Locked().readiness(Seconds()).answer()
    assert json.loads(bytes(answer.body)) == {
        "title": "Service Unavailable",
        "status": 503,
        "detail": "The store is locked.",
    }


async def test_where_there_are_several_processes_both_say_how_many_serve() -> None:
    store = Store()
    store.free.set()
    told = store.readiness(Seconds(), Crew(2, cast(Number, SimpleNamespace(value=1))))
    assert told.health()["workers"] == {"wanted": 2, "serving": 1}
    assert json.loads(bytes((await told.answer()).body))["workers"] == {"wanted": 2, "serving": 1}
