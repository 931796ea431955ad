"""Commands as a user gives them: in this process where that is enough, else in one of their own, else at a terminal."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from livingtable.game import Data
from livingtable_server import cli

COMMAND = [sys.executable, "-P", "-m", "livingtable_server"]
SECONDS_AT_MOST = 120.0
"""Of a test that fails; the others do not wait."""
SECONDS_TO_REACT = 5.0


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    def is_wrong_use(self, *words: str) -> bool:
        """One line on stderr with these words, nothing else, and exit code 2."""
        assert self.code == 2, self
        assert self.out == ""
        assert re.fullmatch(r"living-table: [^\n]+\n", self.err), self.err
        assert "Traceback" not in self.err
        assert [word for word in words if word not in self.err] == [], self.err
        return True


@dataclass(frozen=True)
class Shell:
    """Runs commands with a data folder of the test's own."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str | Path) -> Said:
        self.capture.readouterr()
        code = cli.run(cli.app, [str(a) for a in arguments])
        out, err = self.capture.readouterr()
        return Said(code, out, err)

    def write(self, name: str, data: Data | str) -> Path:
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return file


def spawned(*arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> Said:
    """The same in a process of its own, as bytes go; both outputs are decoded with their line ends as they are."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=SECONDS_AT_MOST,
        env={**os.environ, **(env or {})},
    )
    return Said(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


class AtTerminal:
    """A command whose stdin, stdout and stderr are a terminal, which the test watches and types into."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.raw = ""
        """All that was shown, with the codes for colours and places."""
        self._master = master
        self._seen = ""
        self._at = 0

    def until(self, text: str) -> str:
        """What was shown since the last call, to that text and with it, without the codes for colours and places."""
        while (found := self._seen.find(text, self._at)) < 0:
            if not self._read():
                raise AssertionError(f"{text!r} did not come; this did: {self._seen[self._at :]}")
        begin, self._at = self._at, found + len(text)
        return self._seen[begin : self._at]

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def interrupt(self) -> int:
        """Ctrl-C, and again if it came just before the command began to wait for a key; the exit code."""
        self.process.send_signal(signal.SIGINT)
        while self._read(SECONDS_TO_REACT):
            pass
        if self.process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                return self.process.wait(SECONDS_TO_REACT)
            self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> int:
        """Reads to the end; the exit code."""
        while self._read():
            pass
        return self.process.wait(SECONDS_AT_MOST)

    def rest(self) -> str:
        return self._seen[self._at :]

    def _read(self, seconds: float = SECONDS_AT_MOST) -> bool:
        ready, _, _ = select.select([self._master], [], [], seconds)
        try:
            chunk = os.read(self._master, 65536) if ready else b""
        except OSError:  # Linux says so when the other end has been closed.
            chunk = b""
        text = chunk.decode(errors="replace").replace("\r", "")
        self.raw += text
        self._seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
        return bool(chunk)


@contextmanager
def at_terminal(
    *arguments: str | Path, size: tuple[int, int] = (80, 24), env: dict[str, str] | None = None
) -> Generator[AtTerminal]:
    """Columns and rows as given; killed at the end if it has not ended."""
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    columns, rows = size
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    unset = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    environment = {key: value for key, value in os.environ.items() if key not in unset} | {"TERM": "xterm-256color"}
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**environment, **(env or {})},
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield AtTerminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)
