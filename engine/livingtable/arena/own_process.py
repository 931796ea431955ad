"""`path/to/file.py:Name`: a user's own agent, in a process of its own for each seat of each game.

`Name` is a class whose instances have `choose(view, legal)`, made with `(side, seed)`, or a function
`name(view, legal)`. It returns a notation, or one of the actions.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import cast

from livingtable.arena.asking import START_SECONDS, question
from livingtable.arena.children import Child, EndedError, OverlongError
from livingtable.arena.choices import Forfeit, chosen, no_answer, no_choice, overlong, with_article
from livingtable.arena.own_agent import ANSWER_AT_MOST
from livingtable.game import Action, Data, State, printable

_AGENT = Path(__file__).with_name("own_agent.py")
"""Run as a file, which is there ten times as fast as with all of this package; `-P`: its neighbours are no modules."""
_SHOWN_AT_MOST = 40
"""Signs of a line that is no answer."""


class ProcessSeat:
    """The agent of a file, in one seat of one game."""

    def __init__(self, file: str, name: str, side: str, seed: int, seconds: float) -> None:
        self._command = [sys.executable, "-P", str(_AGENT), file, name, side, str(seed)]
        self._side, self._seed, self._seconds = side, seed, seconds
        self._child: Child | None = None
        self._asked = -1
        """The number of the latest question; 0 is the one whether it is there."""
        with suppress(Forfeit):  # It is told once the agent is asked.
            self.start()

    def start(self) -> None:
        """Without waiting until it is there. Raises `Forfeit`."""
        if self._child is None:
            try:
                self._child = Child(self._command, None, ANSWER_AT_MOST)
            except (OSError, ValueError) as error:
                raise Forfeit("crash", f"no process could be started for it: {error}") from None

    def begin(self) -> None:
        """Waits until the agent is there. Raises `Forfeit` if it does not come."""
        self.start()
        if self._asked < 0:
            self._told(START_SECONDS)

    def choose(self, state: State, version: int) -> Action:
        self.begin()
        asked = json.dumps(question(state, self._side, self._seed, version))
        told = self._told(self._seconds, asked)
        if "unknown" in told:
            raise no_choice(with_article(str(told["unknown"])), state, self._side)
        if "overlong" in told:
            raise overlong(ANSWER_AT_MOST)
        return chosen(told.get("choice"), state, self._side)

    def _told(self, seconds: float, asked: str = "") -> Data:
        """What the process says, after a question if there is one. Raises `Forfeit`."""
        child = self._child
        assert child is not None, "it has been started"
        if asked:
            child.tell(f"{asked}\n".encode())
        self._asked += 1
        try:
            line = child.line(seconds)
        except TimeoutError:
            raise no_answer(seconds) from None
        except OverlongError:
            raise overlong(ANSWER_AT_MOST) from None
        except EndedError:
            raise Forfeit("crash", child.last_words()) from None
        told = _numbered(line, self._asked)
        if "error" in told:
            raise Forfeit("crash", str(told["error"]))
        return told

    def leave(self) -> None:
        if self._child is not None:
            self._child.end()


def _numbered(line: bytes, number: int) -> Data:
    """The answer to the question of that number. Raises `Forfeit` for whatever else has come by its way."""
    text = line.decode(errors="replace")
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    told = cast(Data, data) if isinstance(data, dict) else {}
    if told.get("number") != number or isinstance(told["number"], bool):
        shown = printable(text[:_SHOWN_AT_MOST]) + ("…" if len(text) > _SHOWN_AT_MOST else "")
        raise Forfeit("unparsable", f'what came where its answer was expected is no answer to this question: "{shown}"')
    return told
