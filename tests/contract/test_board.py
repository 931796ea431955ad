"""The text board is plain ASCII, its grid even, and no name gets into it (C14); the picture is well-formed."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from tests.contract.sampling import each_scenario, sampled

from livingtable.game import Data, State
from livingtable.scenarios import Scenario

ODD_NAMES = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # one family, seven code points
    "漢字かな交じり",
    "a\u0301e\u0302\u0323z\u0300\u0301\u0302",  # combining marks
    "שלום עולם",
    "مرحبا",
    "<svg/onload=alert()>",
    'quote " and & amp',
    "00 ........",
)


def renamed(state: State) -> State:
    """The same position with odd names for all."""
    data = state.to_data()
    _rename(data, iter(ODD_NAMES * 20), set(state.sides))
    return state.game.restore(data)


def _rename(value: Any, names: Any, sides: set[str]) -> None:
    if isinstance(value, dict):
        holder: Data = value  # pyright: ignore[reportUnknownVariableType]
        if holder.get("id") in sides and "name" in holder:
            holder["name"] = next(names)
        for part in list(holder.values()):
            _rename(part, names, sides)
    elif isinstance(value, list):
        for part in value:  # pyright: ignore[reportUnknownVariableType]
            _rename(part, names, sides)


def grid_of(board: str) -> list[str]:
    """The rows, which are numbered from 0 without a gap."""
    lines = board.splitlines()
    start = next(i for i, line in enumerate(lines) if re.match(r" *0+ ", line))
    rows: list[str] = []
    for line in lines[start:]:
        numbered = re.match(r" *(\d+) ", line)
        if not numbered or int(numbered[1]) != len(rows):
            break
        rows.append(line)
    return rows


def without_names(board: str, state: State) -> str:
    for name in state.names.values():
        board = board.replace(f'"{name}"', '""')
    return board


@each_scenario
def test_the_board_is_plain_ascii_apart_from_names_in_quotes(scenario: Scenario) -> None:
    for state in sampled(scenario)[::3]:
        for position in (state, renamed(state)):
            for side in (position.sides[0], None):
                assert without_names(position.board(side), position).isascii()


@each_scenario
def test_the_rows_of_the_board_are_of_equal_width_whatever_the_names(scenario: Scenario) -> None:
    for state in sampled(scenario)[::3]:
        rows = grid_of(state.board(None))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1
        assert grid_of(renamed(state).board(None)) == rows


@each_scenario
def test_the_board_has_no_control_characters_and_no_needless_blanks(scenario: Scenario) -> None:
    for state in sampled(scenario)[::3]:
        board = renamed(state).board(None)
        rows = grid_of(board)  # Blanks at the end of a row may be ground that is none.
        for line in board.split("\n"):
            assert line == line.rstrip() or line in rows
            assert line.replace("\u200d", "").isprintable()


@each_scenario
def test_the_board_is_the_same_text_each_time(scenario: Scenario) -> None:
    for state in sampled(scenario)[::3]:
        assert state.board(None) == state.copy().board(None) == state.game.restore(state.to_data()).board(None)


@each_scenario
def test_the_picture_is_one_well_formed_svg_whatever_the_names(scenario: Scenario) -> None:
    for state in sampled(scenario)[::6]:
        for position in (state, renamed(state)):
            picture = position.svg(None)
            root = ElementTree.fromstring(picture)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert not [part for part in root.iter() if part.tag.endswith("}script")]
            assert not [key for part in root.iter() for key in part.attrib if key.startswith("on")]
            assert "href" not in picture
