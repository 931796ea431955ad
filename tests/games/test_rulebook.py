"""The rules are found by section, by a rule's number and by words, whatever of them a player remembers."""

from __future__ import annotations

import pytest

from livingtable.errors import UnknownNameError
from livingtable.game import game_names, get_game
from livingtable.rulebook import look_up, sections

BOOK = """# chess

Words before the sections are found by nobody.

## 1. The board

- A square has a colour (CH-1.2).
- Lists go on:
  - like this.

| sign | piece |
| --- | --- |
| `K` | king |

## 2. Castling

- The king and a rook move at once (CH-4.10).
- The odds are:

| ratio | chance |
| --- | --- |
| 1 | 50 |

## 3. Rulings of this project

- CH-R1: A king that is `beaten` stays.
"""


def test_a_number_or_words_of_a_title_give_the_whole_section() -> None:
    assert look_up(BOOK, "2") == look_up(BOOK, " castl ") == sections(BOOK)[1].text


@pytest.mark.parametrize("number", ["CH-4.10", "ch-4.10", "4.10"])
def test_a_rules_number_gives_what_cites_it_under_the_sections_heading(number: str) -> None:
    assert look_up(BOOK, number) == "## 2. Castling\n\n- The king and a rook move at once (CH-4.10).\n"


def test_a_number_is_not_found_in_a_longer_one() -> None:
    assert look_up(BOOK, "CH-4.1") == sections(BOOK)[1].text, "another rule of chapter 4 is told there"


@pytest.mark.parametrize("number", ["CH-R1", "R1", "r1"])
def test_a_ruling_is_found_by_its_number(number: str) -> None:
    assert look_up(BOOK, number) == "## 3. Rulings of this project\n\n- CH-R1: A king that is `beaten` stays.\n"


def test_words_within_a_section_are_found_with_what_belongs_to_them() -> None:
    assert look_up(BOOK, "Like This") == "## 1. The board\n\n- Lists go on:\n  - like this.\n"
    assert look_up(BOOK, "beaten") == look_up(BOOK, "R1")


def test_a_table_is_whole_and_goes_with_the_line_that_leads_to_it() -> None:
    assert "| ratio | chance |\n| --- | --- |\n| 1 | 50 |" in look_up(BOOK, "odds")
    assert "| sign | piece |" in look_up(BOOK, "`K`")


def test_words_that_stand_apart_are_found_where_all_of_them_are() -> None:
    assert look_up(BOOK, "rook king") == look_up(BOOK, "4.10")


@pytest.mark.parametrize("nothing", ["9", "en passant", "BW-4.10", "R2", "", "  ", "9.1"])
def test_where_there_is_nothing_nothing_is_given(nothing: str) -> None:
    assert look_up(BOOK, nothing) == ""


@pytest.mark.parametrize("game", game_names())
def test_what_is_not_found_is_answered_with_the_sections(game: str) -> None:
    with pytest.raises(UnknownNameError) as error:
        get_game(game).rules_section("en passant")
    assert all(section.heading in str(error.value) for section in sections(get_game(game).rules_text()))


@pytest.mark.parametrize(
    ("game", "wanted", "told"),
    [
        ("botwars", "BW-4.3", "Unstuck"),
        ("botwars", "4.3", "Unstuck"),
        ("botwars", "BW-3.1", "a solo no stronger than the leader"),
        ("botwars", "odds", "| you win, % | 14 | 24 |"),
        ("botwars", "gravestone", "marks its last cell"),
        ("skirmish", "SK-3.3", "entered 3 or more hexes"),
        ("skirmish", "odds", "a hit, of 6 dice"),
        ("foxhunt", "FX-3.2", "arrived first"),
        ("foxhunt", "teleport", "random free field"),
    ],
)
def test_players_find_what_they_look_for(game: str, wanted: str, told: str) -> None:
    assert told in get_game(game).rules_section(wanted)
