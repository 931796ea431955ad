"""Drawing for the terminal: what fits, what is left out, and that no text can drive the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.screen import Screen
from tests.contract.playing import shipped

from livingtable.scenarios import Scenario
from livingtable_server.terminal.display import Frame, board_page, safe, split_board

BOARD = """\
   0123
00 .M..
01 ..1.
M mountain; sign id cell:
1 p1 2,1"""


def console(width: int, height: int) -> Console:
    """At a terminal of that size, written into a text."""
    return Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=True,
        color_system=None,
        markup=False,
        emoji=False,
    )


def drawn(frame: Frame, width: int = 80, height: int = 24) -> list[str]:
    terminal = console(width, height)
    terminal.print(Screen(frame.screen(terminal)), end="")
    assert isinstance(terminal.file, io.StringIO)
    return [line.rstrip() for line in terminal.file.getvalue().split("\n")]


def test_a_board_is_its_grid_and_its_legend() -> None:
    assert split_board(BOARD) == (
        ["   0123", "00 .M..", "01 ..1."],
        ["M mountain; sign id cell:", "1 p1 2,1"],
    )


def test_a_screen_has_the_legend_beside_the_grid_and_the_latest_lines_under_it() -> None:
    lines = [f"p1 does {n}" for n in range(30)]
    screen = drawn(Frame("a title", BOARD, lines, "a footer"), 50, 12)
    assert screen == [
        "a title",
        "   0123  M mountain; sign id cell:",
        "00 .M..  1 p1 2,1",
        "01 ..1.",
        *(f"         p1 does {n}" for n in range(23, 30)),
        "a footer",
    ]


def test_a_narrow_screen_has_the_legend_under_the_grid() -> None:
    screen = drawn(Frame("a title", BOARD, ["first", "last"], "a footer"), 30, 9)
    assert screen == [
        *("a title", "   0123", "00 .M..", "01 ..1."),
        *("M mountain; sign id cell:", "1 p1 2,1", "", "last", "a footer"),
    ]


def test_long_lines_are_wrapped_and_counted_so() -> None:
    screen = drawn(Frame("", BOARD, ["first", "one two three four five six seven eight nine ten eleven"], ""), 45, 7)
    assert [line.strip() for line in screen[4:]] == ["one two three four five six seven", "eight nine ten eleven", ""]


@pytest.mark.parametrize("size", [(80, 24), (132, 43), (40, 10), (10, 4)])
@pytest.mark.parametrize("scenario", shipped(), ids=lambda s: s.name)
def test_a_screen_is_as_large_as_the_terminal(scenario: Scenario, size: tuple[int, int]) -> None:
    board = scenario.start(1).board(None)
    screen = drawn(Frame("a title", board, ["an event"] * 50, "a footer"), *size)
    assert len(screen) == size[1]
    assert max(map(len, screen)) <= size[0]
    rows = split_board(board)[0]
    fits = len(rows) <= size[1] - 2 and len(rows[0]) <= size[0]
    assert ("the board needs" in screen[-1] or size[0] < 40) is not fits
    if size[0] >= 80:
        assert "an event" in "".join(screen)


def test_into_a_pipe_a_board_stays_as_it_is() -> None:
    pipe = Console(file=io.StringIO(), width=10_000)
    pipe.print(board_page(pipe, BOARD))
    assert isinstance(pipe.file, io.StringIO)
    assert pipe.file.getvalue() == BOARD + "\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcödé 漢字", "plain ünïcödé 漢字"),
        ("a family 👨‍👩‍👧 and ❤️", "a family 👨‍👩‍👧 and ❤️"),
        ("two\nlines", "two\nlines"),
        ("\x1b[2J\x9b1m\x07\r\t", "�[2J�1m���"),
        ("turned \u202eround", "turned �round"),
        ("half \ud83e", "half �"),
        ("[red]no markup[/red]", "[red]no markup[/red]"),
    ],
)
def test_control_characters_are_taken_out(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_names_are_no_markup() -> None:
    screen = drawn(Frame("[bold]title[/bold] :smile:", BOARD, ["[red]x[/] [nonsense"], "[/]"), 60, 10)
    assert screen[0] == "[bold]title[/bold] :smile:"
    assert any("[red]x[/] [nonsense" in line for line in screen)
    assert screen[-1] == "[/]"
