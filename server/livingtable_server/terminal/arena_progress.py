"""How far a tournament is: on stderr, where it is not in the way of what is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from livingtable.arena.run import Told
from livingtable.arena.stopping import Stopped, minded
from livingtable_server.terminal.display import safe

GAMES_FOR_TENTHS = 20
"""Of a tournament with fewer, nothing is said before it is over."""


def say(text: str) -> None:
    sys.stderr.write(f"{safe(text)}\n")
    sys.stderr.flush()


def until_stopped(work: Callable[[], None]) -> int:
    """Does it, and returns the exit code: that of the signal by which it was broken off, if one came."""
    try:
        with minded():
            work()
    except Stopped as stopped:
        return stopped.code
    return 0


@contextmanager
def progress(tenths: bool = False) -> Generator[Told]:
    """How many are done of how many, and the time left, at a terminal; elsewhere a line at each of the `tenths`."""
    if not sys.stderr.isatty():
        yield Tenths() if tenths else _say_nothing
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games", markup=False), TimeElapsedColumn(), TimeLeft())
    console = Console(stderr=True, markup=False, emoji=False)
    with Progress(*columns, console=console, transient=True) as bar:
        yield Bar(bar)


def _say_nothing(_done: int, _of: int) -> None: ...


class Bar:
    """Draws what it hears. What was done before it began has taken none of its time."""

    def __init__(self, bar: Progress) -> None:
        self._bar, self._task = bar, bar.add_task("", total=None)
        self._before: int | None = None

    def __call__(self, done: int, of: int) -> None:
        self._before = done if self._before is None else self._before
        self._bar.update(self._task, completed=done, total=of, before=self._before)


class TimeLeft(ProgressColumn):
    """As long as it has taken so far for as many. Rich's own estimate looks at the last games alone, which come in
    bursts where several are played at a time."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        done = task.completed - task.fields.get("before", 0)
        if not task.elapsed or task.remaining is None or done <= 0:
            return Text("-:--:--")
        return Text(str(timedelta(seconds=round(task.elapsed / done * task.remaining))))


class Tenths:
    """Says how many are done at each tenth of the games that is over."""

    def __init__(self) -> None:
        self._told: int | None = None

    def __call__(self, done: int, of: int) -> None:
        tenth = 10 * done // max(1, of)
        if self._told is not None and tenth > self._told and of >= GAMES_FOR_TENTHS:
            say(f"{done} of {of} games")
        self._told = tenth
