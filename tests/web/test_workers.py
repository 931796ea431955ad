"""The one that looks after several server processes: what it does when they end, at their start or later."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import time
from collections.abc import Generator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.server.setups import FAR_APART
from tests.server.stores import PostgresServer, own_postgres_server
from tests.web.serving import Site

from livingtable.game import Data
from livingtable_server.settings import Settings
from livingtable_server.terminal import workers as module
from livingtable_server.terminal.workers import Work, Workers
from livingtable_server.web.settings import WebSettings

__all__ = ["own_postgres_server"]


# with workers that do nothing but what the test is about


def first_of(folder: Path) -> int:
    """The number of this start, from 1 on: each makes a file."""
    number = 1
    while True:
        try:
            (folder / str(number)).touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return number


def never_serves(settings: Settings, _web: WebSettings, _on: socket.socket, _shared: Path, _tell: Connection) -> None:
    first_of(Path(settings.store))
    os._exit(3)


def the_fifth_serves(settings: Settings, web: WebSettings, _on: socket.socket, _shared: Path, tell: Connection) -> None:
    """The first and second serve, the first until the fifth does, which ends all; those between do not come to it."""
    number = first_of(Path(settings.store))
    if number in (3, 4):
        os._exit(3)
    tell.send(True)
    if number == 2:
        os._exit(9)
    while not (Path(settings.store) / "5").exists():
        time.sleep(0.01)
    if number == 5:
        while web.crew is None or web.crew.serving.value < 2:
            time.sleep(0.01)
        os.kill(os.getppid(), signal.SIGTERM)


class Supervised:
    """Runs the supervisor in this process until a worker ends it."""

    def __init__(self, folder: Path, number: int, work: Work) -> None:
        self.folder = folder
        self.ready = 0
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.ended_by = Workers(Settings(str(folder)), WebSettings(), listener, number, self._is_ready, work).run()

    def _is_ready(self) -> None:
        self.ready += 1

    @property
    def starts(self) -> int:
        return len(list(self.folder.iterdir()))


@pytest.fixture(autouse=True)
def _the_log_is_put_back() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    loggers = logging.getLogger(), logging.getLogger("livingtable")
    before = [(logger, logger.handlers[:], logger.level) for logger in loggers]
    yield
    for logger, handlers, level in before:
        logger.handlers[:] = handlers
        logger.setLevel(level)


@pytest.fixture
def back_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BACK_OFF_SECONDS", (0.01, 0.02))


@pytest.mark.usefixtures("back_off")
def test_a_replacement_that_dies_before_it_serves_is_tried_again_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Supervised(tmp_path, 2, the_fifth_serves)
    assert (run.ended_by, run.starts, run.ready) == (signal.SIGTERM, 5, 1)
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["message"].partition(";")[0] for line in told] == [
        "a worker has ended",
        "a worker has ended before it served",
        "a worker has ended before it served",
    ]
    assert [(line["failures"], line["serving"]) for line in told] == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.usefixtures("back_off")
def test_where_not_one_of_the_first_workers_comes_to_serving_it_gives_up_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Supervised(tmp_path, 3, never_serves)
    assert (run.ended_by, run.starts, run.ready) == (None, 3, 0)
    *told, last = capsys.readouterr().err.splitlines()
    assert last.startswith("living-table: no worker could start;")
    assert [json.loads(line)["code"] for line in told] == [3, 3, 3]


def test_between_failures_it_waits_twice_as_long_each_time_up_to_a_limit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        supervisor = Workers(Settings(""), WebSettings(), listener, 1, lambda: None)
    (place,) = supervisor._places  # pyright: ignore[reportPrivateUsage]
    waits: list[float] = []
    for _ in range(100):
        before = time.monotonic()
        supervisor._failed(place, "ended", None)  # pyright: ignore[reportPrivateUsage]
        waits.append(round(place.due - before, 1))
    assert waits[:8] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert waits[-1] == 30


# with whole servers


def health(site: Site, path: str = "/healthz") -> Data:
    with site.client() as client:
        return client.get(path).json()


def until_serving(site: Site, number: int) -> None:
    while health(site)["workers"] != {"wanted": 2, "serving": number}:
        pass


@pytest.fixture
def two(tmp_path: Path) -> Generator[Site]:
    site = Site("--workers", "2", store=f"sqlite:///{tmp_path / 'ledger'}")
    until_serving(site, 2)
    yield site
    site.process.kill()


@pytest.mark.slow
def test_a_worker_and_then_its_replacement_are_killed_and_the_server_goes_on(two: Site) -> None:
    with two.client() as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
    killed, healthy = sorted(two.worker_processes())
    os.kill(killed, signal.SIGKILL)
    while not (replacement := two.worker_processes() - {killed, healthy}):
        pass
    os.kill(replacement.pop(), signal.SIGKILL)
    until_serving(two, 1)
    with two.client() as client:
        assert client.post(f"/games/{session}/actions", json={"notation": "pass"}).json()["ok"]
    until_serving(two, 2)
    assert healthy in two.worker_processes()
    assert two.stop() == 0
    assert any("before it served" in line["message"] for line in two.logged())


@pytest.mark.slow
def test_the_last_worker_removes_what_they_shared_when_the_one_that_looks_after_them_is_killed(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    site = Site("--workers", "2", store=f"sqlite:///{tmp_path / 'ledger'}", environment={"TMPDIR": str(shared)})
    until_serving(site, 2)
    assert len(list(shared.iterdir())) == 1
    site.kill()
    while list(shared.iterdir()):
        pass


@pytest.mark.slow
def test_what_a_server_killed_with_all_its_workers_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    store, environment = f"sqlite:///{tmp_path / 'ledger'}", {"TMPDIR": str(shared)}
    site = Site("--workers", "2", store=store, environment=environment)
    until_serving(site, 2)
    (left,) = shared.iterdir()
    workers = site.worker_processes()
    os.kill(site.process.pid, signal.SIGSTOP)  # else it would replace those that are killed
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    site.kill()
    assert left.is_dir()
    after = Site("--workers", "2", store=store, environment=environment)
    assert left not in shared.iterdir()
    assert after.stop() == 0
    assert list(shared.iterdir()) == []


@pytest.mark.slow
def test_postgresql_stops_a_worker_is_killed_and_both_come_back(own_postgres_server: PostgresServer) -> None:
    site = Site("--workers", "2", store=own_postgres_server.url)
    try:
        until_serving(site, 2)
        with site.client() as client:
            session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
        own_postgres_server.control("stop")
        killed = min(site.worker_processes())
        os.kill(killed, signal.SIGKILL)
        while killed in site.worker_processes():
            pass
        until_serving(site, 2)
        for _ in range(20):
            with site.client() as client:
                answer = client.get("/readyz")
            assert answer.status_code == 503
            assert "postgres" not in answer.text
            assert "/" not in answer.json()["detail"]
        own_postgres_server.control("start")
        while health(site, "/readyz")["status"] != "ready":
            pass
        with site.client() as client:
            assert client.post(f"/games/{session}/actions", json={"notation": "pass"}).json()["ok"]
        assert site.stop() == 0
    finally:
        site.process.kill()
