"""Single keys from the terminal, as they are pressed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
END = "\x04"
"""Ctrl-D, and the end of input."""

if sys.platform == "win32":
    import msvcrt

    _ARROWS = {"K": LEFT, "M": RIGHT, "H": UP, "P": DOWN}

    @contextmanager
    def pressed_keys() -> Generator[Callable[[], str]]:
        """Gives a function that waits for the next key. Ctrl-C interrupts."""
        yield _next_key

    def _next_key() -> str:
        key = msvcrt.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        return _ARROWS.get(msvcrt.getwch(), "") if key in "\x00\xe0" else key

else:
    import termios
    import tty

    @contextmanager
    def pressed_keys() -> Generator[Callable[[], str]]:
        """Gives a function that waits for the next key. Ctrl-C interrupts."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        keys = _Keys(terminal)
        # At once and for all keys: what was typed ahead, or fast, is not lost.
        tty.setcbreak(terminal, termios.TCSANOW)
        try:
            yield keys.next
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    class _Keys:
        """What has been read and not yet asked for; one reading may bring several keys."""

        def __init__(self, terminal: int) -> None:
            self._terminal = terminal
            self._read = ""

        def next(self) -> str:
            if not self._read:
                self._read = os.read(self._terminal, 64).decode(errors="replace") or END
            length = 3 if self._read.startswith("\x1b[") else 1
            key, self._read = self._read[:length], self._read[length:]
            return key
