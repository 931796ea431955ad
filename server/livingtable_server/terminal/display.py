"""Drawing for the terminal: boards, events, rankings. Works on texts alone and knows no game.

A board text (the game contract's `State.board`) is a grid, rows of one width, and under it its legend, a line a
character or piece. Here the legend goes beside the grid, where there is room.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.layout import Layout
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from livingtable.game import printable

_LEGEND_AT_LEAST = 26
"""Columns; where fewer are left beside the grid, the legend goes under it."""
_LINES_BESIDE_A_CUT_GRID = 4
"""Rows for the latest lines where the window is too low for the grid anyway."""
_PIPE_WIDTH = 10_000
_NOT_SHOWN = "�"
_JOINERS = re.compile("[\u200c\u200d\ufe0e\ufe0f]")


def terminal() -> Console:
    """stdout. What its encoding lacks is replaced; into a pipe go whole lines, at a terminal they are wrapped."""
    if hasattr(sys.stdout, "reconfigure"):  # The stand-ins of tests and notebooks have none.
        cast(io.TextIOWrapper, sys.stdout).reconfigure(errors="replace")
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(markup=False, emoji=False, highlight=False, width=width)


def is_interactive(console: Console) -> bool:
    """Whether a screen can be drawn over and over, and keys can be read."""
    dumb = console.is_dumb_terminal or os.environ.get("TERM") in (None, "", "unknown")
    return sys.stdin.isatty() and sys.stdout.isatty() and (os.name == "nt" or not dumb)


def safe(text: str) -> str:
    """A text of unknown origin, line by line without control characters: a file must not drive the terminal."""
    return "\n".join(
        "".join(
            part if _JOINERS.fullmatch(part) else printable(part) for part in re.split(f"({_JOINERS.pattern})", line)
        )
        for line in text.split("\n")
    )


def one_line(text: str) -> str:
    """The same on one line: what somebody else wrote begins no line of its own."""
    return safe(text.replace("\n", _NOT_SHOWN))


def split_board(board: str) -> tuple[list[str], list[str]]:
    """The rows of the grid, which are as wide as the first, and the lines of the legend."""
    lines = board.split("\n")
    rows = next((i for i, line in enumerate(lines) if len(line) != len(lines[0])), len(lines))
    return lines[:rows], lines[rows:]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a game: `lines` are what has happened, the latest last; `side` is the reader's seat."""

    title: str
    board: str
    lines: Sequence[str]
    footer: str = ""
    side: str | None = None

    def screen(self, console: Console) -> RenderableType:
        """As a whole screen: title, grid and legend, under the legend the latest lines that there is room for."""
        grid, legend = split_board(safe(self.board))
        width, height = console.size
        beside = width - len(grid[0]) - 2 >= _LEGEND_AT_LEAST
        shown = len(grid) if beside or len(grid) <= height - 2 else max(1, height - 2 - _LINES_BESIDE_A_CUT_GRID)
        room = height - 2 if beside else height - 2 - shown
        told = _Column(console, width - len(grid[0]) - 2 if beside else width)
        words = told.filled(_legend(legend, self.side), self.lines, room)
        body = Layout()
        if beside:
            body.split_row(Layout(_grid(grid), size=len(grid[0]) + 2), Layout(words))
        else:
            body.split_column(Layout(_grid(grid), size=min(shown, height - 2)), Layout(words))
        footer = self.footer
        if len(grid) > height - 2 or len(grid[0]) > width:
            footer += f"  [the board needs {len(grid[0])}x{len(grid) + 2}, the window has {width}x{height}]"
        whole = Layout()
        whole.split_column(
            Layout(_one_row(self.title, "bold"), size=1),
            body,
            Layout(_one_row(footer, "dim"), size=1),
        )
        return whole

    def page(self, console: Console) -> RenderableType:
        """To be printed and scrolled: what has happened, and under it how things stand now."""
        parts: list[RenderableType] = [Text(one_line(line)) for line in self.lines]
        if self.title:
            parts.append(Text(one_line(self.title), style="bold"))
        return Group(*parts, board_page(console, self.board, self.side))


@contextmanager
def whole_screen(console: Console) -> Generator[Callable[[Frame], None]]:
    """Gives a function that shows a frame in place of the one before; afterwards the terminal is as it was."""
    with console.screen() as screen:

        def show(frame: Frame) -> None:
            console.control(Control.home())  # The window may have grown, and the cursor is then not at its end.
            screen.update(frame.screen(console))

        yield show


def board_page(console: Console, board: str, side: str | None = None) -> RenderableType:
    """A board to be printed: the legend beside the grid at a terminal that is wide enough, else under it."""
    grid, legend = split_board(safe(board))
    beside = console.is_terminal and console.width - len(grid[0]) - 2 >= _LEGEND_AT_LEAST
    if not beside:
        return Group(_grid(grid), _legend(legend, side))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(_grid(grid), _legend(legend, side))
    return table


def rules_page(console: Console, text: str) -> None:
    """A text of the rules: laid out at a terminal, as Markdown into a pipe."""
    console.print(Markdown(text) if console.is_terminal else text, soft_wrap=not console.is_terminal)


def ranking_table(result: Mapping[str, Any]) -> RenderableType:
    """How a game ended: the reason, the winners, and a row a seat."""
    winners = ", ".join(result["winners"]) or "nobody"
    head = Text(one_line(f"Game over: {result['reason']}. Winners: {winners}."), style="bold")
    table = Table(box=None, pad_edge=False)
    keys = list(dict.fromkeys(key for row in result["ranking"] for key in row))
    for key in keys:
        numbers = all(type(row.get(key)) in (int, float) for row in result["ranking"])
        table.add_column(key, justify="right" if numbers else "left")
    for row in result["ranking"]:
        table.add_row(*(Text(one_line(_cell(key, row.get(key, "")))) for key in keys))
    return Group(head, table)


def _cell(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f'"{value}"' if key == "name" else str(value)  # Players write names: they stand in quotes everywhere.


def _one_row(text: str, style: str) -> Text:
    # In a layout Rich takes an empty text for none, and draws a placeholder.
    return Text(one_line(text).strip() or " ", style=style, no_wrap=True, overflow="ellipsis")


def _grid(rows: Sequence[str]) -> Text:
    """Open cells are faint, so that all else stands out."""
    text = Text("\n".join(rows) or " ", no_wrap=True, overflow="crop")
    text.highlight_regex(r"[._]", "dim")
    return text


def _legend(lines: Sequence[str], side: str | None) -> Text:
    """The line of the reader's own seat is bold."""
    text = Text(overflow="fold")
    for i, line in enumerate(lines):
        own = side is not None and re.match(rf"(\S+ )?{re.escape(side)}\b", line)
        text.append(("\n" if i else "") + line, style="bold" if own else "")
    return text


class _Column:
    """A column of so many signs, to be filled with lines."""

    def __init__(self, console: Console, width: int) -> None:
        self._console = console
        self._width = max(1, width)

    def filled(self, legend: Text, lines: Sequence[str], rows: int) -> Text:
        """The legend, an empty row, and under it as many of the latest lines as there are rows left; these alone where
        the legend would leave none."""
        head = [legend, Text()] if self._rows_of(legend) + 2 <= rows else []
        left = rows - self._rows_of(legend) - 1 if head else rows
        latest: list[str] = []
        for line in reversed(lines):
            left -= self._rows_of(Text(one_line(line)))
            if left < 0:
                break
            latest.append(one_line(line))
        return Text("\n").join([*head, *(Text(line) for line in reversed(latest))])

    def _rows_of(self, text: Text) -> int:
        if "\n" not in text.plain and cell_len(text.plain) <= self._width:
            return 1
        return len(text.wrap(self._console, self._width))
