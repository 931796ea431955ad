"""Processes of agents: each with all that it starts, asked line by line, and ended as a whole.

An agent's process is the first of a session of its own, so that a Ctrl-C at the terminal does not reach it, and so that
its group can be ended with it; should this process be killed, the warden does that. Who leaves the group on purpose, by
a session of its own, is not followed.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from livingtable.arena.stopping import holding

LINES_AHEAD = 64
"""Lines that nobody has asked for yet; more are not read."""
WORDS_AT_MOST = 64 * 1024
"""Bytes of what a process says on stderr, the latest of which are kept."""
_CHUNK = 64 * 1024
_LOOK_SECONDS = 0.05
"""How often it is looked whether a process that says nothing is still there."""
_LAST_SECONDS = 0.5
"""For what a process has written before its end to be read."""
_WARDEN = Path(__file__).with_name("warden.py")
_GROUPS = hasattr(os, "killpg")


class OverlongError(Exception):
    """A line is longer than may be."""


class EndedError(Exception):
    """Nothing more will come: the process has ended, or has closed its stdout."""


class Child:
    """A process that is told and that tells lines. `longest` is the most bytes that a line of its may have.

    Raises `OSError` and `ValueError` where the command cannot be run.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None, longest: int) -> None:
        self.longest = longest
        self._lines: SimpleQueue[bytes | Exception] = SimpleQueue()
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()
        self._room = threading.Semaphore(LINES_AHEAD)
        self._words = bytearray()
        self._end_of_lines: Exception | None = None
        self._over = False
        with holding():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
            _warden.tell(f"+{self._process.pid}\n")
        work = (self._write, self._read, self._listen)
        self._threads = [threading.Thread(target=each, daemon=True) for each in work]
        for thread in self._threads:
            thread.start()

    def tell(self, line: bytes) -> None:
        """Without waiting for it to be read."""
        self._asked.put(line)

    def line(self, seconds: float | None = None) -> bytes:
        """The next line. Raises `TimeoutError`, `OverlongError`, and `EndedError` where there is none to come."""
        last = None if seconds is None else time.monotonic() + seconds
        while True:
            left = _LOOK_SECONDS if last is None else min(_LOOK_SECONDS, last - time.monotonic())
            with suppress(Empty):
                return self._taken(self._lines.get(timeout=max(0.0, left)))
            if last is not None and time.monotonic() >= last:
                raise TimeoutError
            if self._over or self._has_ended():
                # Its children may hold its stdout open, so that no end comes from there.
                with suppress(Empty):
                    return self._taken(self._lines.get(timeout=_LAST_SECONDS))
                raise EndedError

    @property
    def was_overlong(self) -> bool:
        return isinstance(self._end_of_lines, OverlongError)

    @property
    def is_over(self) -> bool:
        """Whether it has ended or closed its stdout; what comes of that in other threads may be heard before."""
        last = time.monotonic() + _LAST_SECONDS
        while self._end_of_lines is None and not self._has_ended():
            if time.monotonic() >= last:
                return False
            time.sleep(0.005)
        return True

    def last_words(self) -> str:
        """What it said last on stderr, or how it ended; it is ended, if it has not."""
        self._wait(_LAST_SECONDS)
        by_itself = self._has_ended()
        self.end()
        lines = bytes(self._words).decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else _ended_in_words(self._process.returncode if by_itself else None)

    def end(self, grace: float = 0.0) -> None:
        """The process and all of its group, after so many seconds in which it may end by itself. Never raises."""
        if self._over:
            return
        with holding():
            self._over = True
            self._asked.put(None)
            if grace:
                self._threads[0].join(grace)
                self._wait(grace)
            self._kill()
            self._process.wait()
            _warden.tell(f"-{self._process.pid}\n")
            self._room.release(LINES_AHEAD)
            for thread, stream in zip(self._threads, self._streams, strict=True):
                thread.join(_LAST_SECONDS)
                if not thread.is_alive():  # Else somebody outside the group holds the other end, and it is in use.
                    with suppress(OSError):
                        stream.close()

    @property
    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        return stdin, stdout, stderr

    def _taken(self, came: bytes | Exception) -> bytes:
        self._room.release()
        if isinstance(came, Exception):
            self._lines.put(came)  # Whoever asks again is told again.
            raise came
        return came

    def _write(self) -> None:
        stream = self._streams[0]
        with suppress(OSError, ValueError):
            while (line := self._asked.get()) is not None:
                left = memoryview(line)
                while left:
                    left = left[stream.write(left) :]
            stream.close()

    def _read(self) -> None:
        """Lines, each once there is room for it, until one is too long or no more come."""
        descriptor, held = self._streams[1].fileno(), bytearray()
        while not self._over:
            end = held.find(b"\n")
            if (len(held) if end < 0 else end) > self.longest:
                self._no_more(OverlongError())
                return
            if end >= 0:
                self._room.acquire()
                self._lines.put(bytes(held[:end]))
                del held[: end + 1]
                continue
            try:
                chunk = os.read(descriptor, _CHUNK)
            except OSError:
                chunk = b""
            if not chunk:
                self._no_more(EndedError())
                return
            held += chunk

    def _no_more(self, why: Exception) -> None:
        self._end_of_lines = why
        self._lines.put(why)

    def _listen(self) -> None:
        descriptor = self._streams[2].fileno()
        while True:
            try:
                chunk = os.read(descriptor, _CHUNK)
            except OSError:
                return
            if not chunk:
                return
            self._words += chunk
            del self._words[:-WORDS_AT_MOST]

    def _has_ended(self) -> bool:
        """Looked at in such a way that the number of the process, which is its group's, stays taken."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def _wait(self, seconds: float) -> None:
        last = time.monotonic() + seconds
        while not self._has_ended() and time.monotonic() < last:
            time.sleep(0.005)

    def _kill(self) -> None:
        with suppress(OSError):
            if _GROUPS:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


def _ended_in_words(code: int | None) -> str:
    if code is None:
        return "the process closed the channel of its answers"
    if code >= 0:
        return f"the process ended with exit code {code}"
    try:
        return f"the process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"the process was ended by signal {-code}"


class _Warden:
    """The process that outlives this one by as long as it takes to end the agents' groups; begun with the first."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def tell(self, line: str) -> None:
        if not _GROUPS:
            return
        with self._lock, suppress(OSError):
            if self._process is None or self._owner != os.getpid():
                self._process, self._owner = self._begun(), os.getpid()
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode())

    def _begun(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", str(_WARDEN)]
        nowhere = subprocess.DEVNULL
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, bufsize=0, start_new_session=True
        )
        atexit.register(_let_go, process)
        return process


def _let_go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    with suppress(OSError, subprocess.TimeoutExpired):
        process.wait(5.0)


_warden = _Warden()
