"""Several server processes behind one port, and who looks after them.

Each has the listening socket; the system hands a connection to whichever is free. What they share is the ledger.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType
from typing import cast

from livingtable_server.settings import Settings
from livingtable_server.terminal.faults import complain
from livingtable_server.terminal.held import held, remove_left_over, shared_folder
from livingtable_server.terminal.serve_http import serve_on
from livingtable_server.web.figures import FOLDER_VARIABLE, forget_process
from livingtable_server.web.logs import log_to_stderr
from livingtable_server.web.settings import Crew, WebSettings

logger = logging.getLogger("livingtable.workers")

STOP_SECONDS = 4.5
"""Which a worker that is told to stop has, before it is killed."""
STEADY_SECONDS = 2.0
"""A worker that has served for so long was all right; one that ends before is followed by another after a while."""
BACK_OFF_SECONDS = 0.5, 30.0
"""Before the second such start in a row, then twice as long each time, and at most."""

_DOUBLINGS = 16
"""Enough to come to the most; a float could not be doubled for ever."""
_ENDED = "a worker has ended; another takes its place"

Work = Callable[[Settings, WebSettings, socket.socket, Path, Connection], None]


@dataclass(slots=True)
class _Worker:
    """`told` gets something to read when the worker serves."""

    process: SpawnProcess
    told: Connection
    serves_since: float | None = None


@dataclass(slots=True)
class _Place:
    """Of one worker. `failures`: so many of its workers in a row have ended too soon; `due`: when to start the next."""

    worker: _Worker | None = None
    failures: int = 0
    due: float = 0.0


class Workers:
    """Keeps so many workers running: one that ends has another in its place, at once, or after a while where that one
    did not live either; meanwhile the others go on. `ready` is called when the first one serves."""

    def __init__(
        self,
        settings: Settings,
        web_settings: WebSettings,
        listener: socket.socket,
        number: int,
        ready: Callable[[], None],
        work: Work | None = None,
    ) -> None:
        self._spawn = multiprocessing.get_context("spawn")
        self._serving = self._spawn.RawValue("i", 0)
        self._settings = settings
        self._web_settings = replace(web_settings, crew=Crew(number, self._serving))
        self._listener = listener
        self._ready: Callable[[], None] | None = ready
        self._work = work or serve_as_worker
        self._places = [_Place() for _ in range(number)]
        self._ended_by: int | None = None

    def run(self) -> int | None:
        """Until SIGINT or SIGTERM, which it returns; None where not one of the first workers came to serving."""
        log_to_stderr()
        with shared_folder() as folder, self._woken_by_signals() as woken:
            os.environ[FOLDER_VARIABLE] = str(folder)
            try:
                while self._ended_by is None:
                    self._start_those_due(folder)
                    if self._none_can_start():
                        complain("no worker could start; what each of them said stands above")
                        break
                    self._look_after(woken)
            finally:
                self._stop()
                del os.environ[FOLDER_VARIABLE]
        return self._ended_by

    @property
    def _none_has_served(self) -> bool:
        return self._ready is not None

    def _none_can_start(self) -> bool:
        return self._none_has_served and all(place.failures for place in self._places)

    def _to_be_filled(self) -> list[_Place]:
        """The places without a worker; as long as none has served, none of them is filled again."""
        return [p for p in self._places if p.worker is None and not (p.failures and self._none_has_served)]

    def _start_those_due(self, folder: Path) -> None:
        for place in self._to_be_filled():
            if place.due <= time.monotonic() and self._ended_by is None:
                try:
                    place.worker = self._start(folder)
                except OSError as error:
                    self._failed(place, f"a worker could not be started ({error.strerror or error})", None)

    def _look_after(self, woken: socket.socket) -> None:
        """Waits until something has happened to a worker or a start is due, and takes note of it."""
        workers = [place.worker for place in self._places if place.worker]
        untold = [worker.told for worker in workers if worker.serves_since is None]
        happened = wait(
            [woken, *(worker.process.sentinel for worker in workers), *untold], self._seconds_to_next_start()
        )
        for place in self._places:
            if place.worker and place.worker.serves_since is None and place.worker.told in happened:
                self._has_told(place.worker)
            if place.worker and place.worker.process.sentinel in happened and self._ended_by is None:
                self._has_ended(place, place.worker)
        self._serving.value = sum(1 for place in self._places if place.worker and place.worker.serves_since is not None)

    def _seconds_to_next_start(self) -> float | None:
        due = [place.due for place in self._to_be_filled()]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _has_told(self, worker: _Worker) -> None:
        try:
            worker.told.recv()
        except EOFError:  # It has ended before it could.
            return
        worker.serves_since = time.monotonic()
        if self._ready:
            self._ready()
            self._ready = None

    def _has_ended(self, place: _Place, worker: _Worker) -> None:
        worker.process.join()
        worker.told.close()
        forget_process(worker.process.pid)
        place.worker = None
        code = worker.process.exitcode
        if worker.serves_since is None:
            self._failed(place, "a worker has ended before it served; it is tried again", code)
        elif time.monotonic() - worker.serves_since < STEADY_SECONDS:
            self._failed(place, _ENDED, code, logging.WARNING)
        else:
            place.failures, place.due = 0, 0.0
            logger.warning(_ENDED, extra={"more": {"code": code, "serving": self._others(place)}})

    def _failed(self, place: _Place, what: str, code: int | None, level: int = logging.ERROR) -> None:
        """The next start waits, the longer the more have failed."""
        first, at_most = BACK_OFF_SECONDS
        seconds = min(at_most, first * 2 ** min(place.failures, _DOUBLINGS))
        place.failures += 1
        place.due = time.monotonic() + seconds
        more = {"code": code, "failures": place.failures, "seconds": seconds, "serving": self._others(place)}
        logger.log(level, what, extra={"more": more})

    def _others(self, place: _Place) -> int:
        return sum(1 for p in self._places if p is not place and p.worker and p.worker.serves_since is not None)

    def _start(self, folder: Path) -> _Worker:
        told, tell = self._spawn.Pipe(duplex=False)
        arguments = (self._settings, self._web_settings, self._listener, folder, tell)
        process = self._spawn.Process(target=self._work, args=arguments)
        try:
            with _interrupts_held_back():
                process.start()
        except BaseException:
            told.close()
            raise
        finally:
            tell.close()
        return _Worker(process, told)

    def _stop(self) -> None:
        workers = [place.worker for place in self._places if place.worker]
        for worker in workers:
            worker.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for worker in workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    @contextmanager
    def _woken_by_signals(self) -> Generator[socket.socket]:
        """A socket that gets something to read at the signal to stop."""
        reading, writing = socket.socketpair()

        def stop(number: int, _frame: FrameType | None) -> None:
            self._ended_by = number
            writing.send(b"!")

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            with reading, writing:
                yield reading
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve_as_worker(
    settings: Settings, web_settings: WebSettings, listener: socket.socket, folder: Path, tell: Connection
) -> None:
    """A worker's whole life. The last one whose parent was killed removes the folder that they share."""
    with held(folder):
        threading.Thread(target=_end_with_parent, daemon=True).start()
        serve_on(settings, web_settings, listener, lambda: tell.send(True))
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():
        remove_left_over(folder)


def _end_with_parent() -> None:
    """Whoever looked after us may have been killed: nobody would ever stop us."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _interrupts_held_back() -> Generator[None]:
    """A process that is started now never hears of Ctrl-C at a terminal, which is for the one that looks after it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = cast("set[signal.Signals]", signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
