"""Several server processes behind one port, and who looks after them.

Each has the listening socket; the system hands a connection to whichever is free. What they share is the ledger.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import cast

from livingtable_server.settings import Settings
from livingtable_server.terminal.serve_http import serve_on
from livingtable_server.web.figures import FOLDER_VARIABLE, forget_process
from livingtable_server.web.logs import log_to_stderr
from livingtable_server.web.settings import WebSettings

logger = logging.getLogger("livingtable.workers")

STOP_SECONDS = 10.0
"""Which a worker that is told to stop has, before it is killed."""
_SHORT_LIFE_SECONDS = 2.0


@dataclass(slots=True)
class _Worker:
    """`told` gets something to read when the worker serves."""

    process: SpawnProcess
    told: Connection
    begun: float
    serves: bool = False


class Workers:
    """Keeps so many workers running. `ready` is called when the first one serves."""

    def __init__(
        self,
        settings: Settings,
        web_settings: WebSettings,
        listener: socket.socket,
        number: int,
        ready: Callable[[], None],
    ) -> None:
        self._arguments = (settings, web_settings, listener)
        self._number = number
        self._ready: Callable[[], None] | None = ready
        self._workers: list[_Worker] = []
        self._ended_by: int | None = None

    def run(self) -> int | None:
        """Until SIGINT or SIGTERM, which it returns; None where the workers cannot start."""
        log_to_stderr()
        with tempfile.TemporaryDirectory(prefix="living-table-") as folder, self._woken_by_signals() as woken:
            os.environ[FOLDER_VARIABLE] = folder
            try:
                self._workers = [self._start() for _ in range(self._number)]
                while self._ended_by is None and self._look_after(woken):
                    pass
            finally:
                self._stop()
        return self._ended_by

    def _look_after(self, woken: socket.socket) -> bool:
        """Waits until something has happened to a worker, and does what is to be done; False if that is to give up."""
        happened = wait(
            [woken, *(w.process.sentinel for w in self._workers), *(w.told for w in self._workers if not w.serves)]
        )
        for i, worker in enumerate(self._workers):
            if worker.told in happened and not worker.serves:
                self._has_told(worker)
            if worker.process.sentinel in happened and self._ended_by is None:
                if not worker.serves:
                    logger.error("a worker could not start")
                    return False
                self._workers[i] = self._replaced(worker)
        return True

    def _has_told(self, worker: _Worker) -> None:
        try:
            worker.told.recv()
        except EOFError:  # It has ended before it could.
            return
        worker.serves = True
        if self._ready:
            self._ready()
            self._ready = None

    def _replaced(self, worker: _Worker) -> _Worker:
        worker.process.join()
        worker.told.close()
        logger.warning("a worker has ended; another takes its place", extra={"more": {"code": worker.process.exitcode}})
        forget_process(worker.process.pid)
        if time.monotonic() - worker.begun < _SHORT_LIFE_SECONDS:
            time.sleep(1)  # Else one that cannot live would keep the machine busy.
        return self._start()

    def _start(self) -> _Worker:
        spawn = multiprocessing.get_context("spawn")
        told, tell = spawn.Pipe(duplex=False)
        process = spawn.Process(target=work, args=(*self._arguments, tell))
        with _interrupts_held_back():
            process.start()
        tell.close()
        return _Worker(process, told, time.monotonic())

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for worker in self._workers:
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


def work(settings: Settings, web_settings: WebSettings, listener: socket.socket, tell: Connection) -> None:
    """A worker's whole life."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve_on(settings, web_settings, listener, lambda: tell.send(True))


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
