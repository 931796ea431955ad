"""Ctrl-C and SIGTERM while something long is under way: either breaks it off, in order and once.

A signal raises `Stopped` wherever the main thread is, but not within `holding`, where something would be left half
done: there it waits. While what was broken off is put in order, further signals do nothing; the third ends the process.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

AT_ONCE = 3
"""Signals, of which the last one ends the process without ado."""


class Stopped(KeyboardInterrupt):
    """By a signal; `code` is the exit code that a shell gives a process which one has ended."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.number = number

    @property
    def code(self) -> int:
        return 128 + self.number


class _Signals:
    """What has come of the signals; `held` counts the `holding` that are entered."""

    def __init__(self) -> None:
        self.minded = False
        self.held = 0
        self.waiting: int | None = None
        self.came = 0
        self.stopped = False

    def hear(self, number: int, _frame: FrameType | None = None) -> None:
        self.came += 1
        if self.came >= AT_ONCE:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        elif self.held:
            self.waiting = number
        elif not self.stopped:
            self.stopped = True
            raise Stopped(number)

    def release(self) -> None:
        self.held -= 1
        if not self.held and self.waiting is not None and not self.stopped:
            number, self.waiting, self.stopped = self.waiting, None, True
            raise Stopped(number)


_signals = _Signals()


@contextmanager
def minded() -> Generator[None]:
    """Both signals are minded so meanwhile; nothing changes in another thread than the main one."""
    if threading.current_thread() is not threading.main_thread() or _signals.minded:
        yield
        return
    _signals.__init__()
    _signals.minded = True
    before = {number: signal.signal(number, _signals.hear) for number in (signal.SIGINT, signal.SIGTERM)}
    unraisable, sys.unraisablehook = sys.unraisablehook, _again
    try:
        yield
    finally:
        sys.unraisablehook = unraisable
        _signals.minded = False
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def terminated_as_interrupted() -> Generator[None]:
    """A SIGTERM is taken as a Ctrl-C by whoever minds that one within, and then comes out as `Stopped`."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, hear)
    try:
        yield
    except KeyboardInterrupt:
        if came:
            raise Stopped(came[0]) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def holding() -> Generator[None]:
    """What is done within is done whole, and a signal waits for its end."""
    if not _signals.minded or threading.current_thread() is not threading.main_thread():
        yield
        return
    _signals.held += 1
    try:
        yield
    finally:
        _signals.release()


@contextmanager
def deaf_children() -> Generator[None]:
    """Processes that are started within never hear of a Ctrl-C at the terminal, from their first instruction on."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


_unraisable = sys.__unraisablehook__


def _again(unraisable: sys.UnraisableHookArgs) -> None:
    """A signal that came while an object was cleaned away could not be raised from there: it comes again."""
    error = unraisable.exc_value
    if not isinstance(error, Stopped):
        _unraisable(unraisable)
        return
    _signals.stopped = False
    _signals.came -= 1
    _thread.interrupt_main(signal.Signals(error.number))
