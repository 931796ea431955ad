"""`path/to/file.py:Name`: a user's own agent, in a process of its own for each seat of each game.

`Name` is a class whose instances have `choose(view, legal)`, made with `(side, seed)`, or a function
`name(view, legal)`. It returns a notation, or one of the actions.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from livingtable.arena.asking import START_SECONDS, question, within
from livingtable.arena.choices import Forfeit, chosen, no_choice, with_article
from livingtable.game import Action, Data, State

_LAST_WORDS = 2_000
_AGENT = Path(__file__).with_name("own_agent.py")
"""Run as a file, which is there ten times as fast as with all of this package; `-P`: its neighbours are no modules."""


class ProcessSeat:
    """The agent of a file, in one seat of one game."""

    def __init__(self, file: str, name: str, side: str, seed: int, seconds: float) -> None:
        self._side, self._seed, self._seconds = side, seed, seconds
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (`leave` closes it; a pipe that nobody reads would fill up)
        # In a session of its own, a Ctrl-C at the terminal is the tournament's, not the agent's.
        self._process = subprocess.Popen(
            [sys.executable, "-P", _AGENT, file, name, side, str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._ready = False

    def begin(self) -> None:
        """Waits until the agent is there. Raises `Forfeit` if it does not come."""
        if not self._ready:
            self._told(START_SECONDS)
            self._ready = True

    def choose(self, state: State, version: int) -> Action:
        self.begin()
        asked = json.dumps(question(state, self._side, self._seed, version))
        told = self._told(self._seconds, asked)
        if "unknown" in told:
            raise no_choice(with_article(str(told["unknown"])), state, self._side)
        return chosen(told.get("choice"), state, self._side)

    def _told(self, seconds: float, asked: str = "") -> Data:
        """The next line of the process, after a question if there is one. Raises `Forfeit`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = ""
        with suppress(OSError):  # It has ended; it may have said why.
            if asked:
                self._process.stdin.write(asked + "\n")
                self._process.stdin.flush()
            line = within(seconds, self._process.stdout.readline)
        if not line.endswith("\n"):
            raise Forfeit("crash", self._last_words())
        told: Data = json.loads(line)
        if "error" in told:
            raise Forfeit("crash", str(told["error"]))
        return told

    def leave(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _last_words(self) -> str:
        self._process.kill()
        self._process.wait()
        self._said.seek(max(0, self._said.seek(0, 2) - _LAST_WORDS))
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "the process ended"
