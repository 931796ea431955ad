"""The rules of skirmish as players read them (`rules.md`): whole, in sections small enough for a model, and true to
the numbers and figures that they cite. Citations: `SK-3.3` is a rule of `rules/skirmish.md`, `SK-R3` a ruling of the
text itself."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.games.skirmish.drawing import drawn

from livingtable.game import get_game
from livingtable.games.skirmish.actions import parse_action
from livingtable.games.skirmish.kinds import KINDS
from livingtable.games.skirmish.terrain import COST, SIGNS

TEXT = get_game("skirmish").rules_text()
REFERENCE = Path(__file__).parents[4] / "shared/rules/skirmish.md"
MOST_TOKENS_A_SECTION = 1_500

SECTIONS = re.split(r"(?m)^(?=## )", TEXT)[1:]
NOTATIONS = ["K1 > 4,6", "A1 x O2", "end"]
JSON_FORMS: list[dict[str, Any]] = [
    {"type": "move", "pieceId": "ivory-K1", "to": "4,6"},
    {"type": "attack", "attackerId": "ivory-A1", "defenderId": "crimson-O2"},
    {"type": "end_turn"},
]
END_REASONS = ["castle_taken", "army_destroyed", "turn_limit", "truncated"]


def quoted() -> list[str]:
    return re.findall(r"`([^`\n]+)`", TEXT)


def table_rows() -> list[list[str]]:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def tokens(text: str) -> int:
    with warnings.catch_warnings():
        # bpe-openai 0.1.4 reads its tables through a function that Python 3.11 and 3.12 call deprecated.
        warnings.filterwarnings("ignore", "open_binary is deprecated", DeprecationWarning)
        import bpe_openai  # pyright: ignore[reportMissingTypeStubs]

        return len(bpe_openai.get_encoding("o200k_base").encode(text))


def test_sections_are_numbered_in_order_from_one() -> None:
    assert [part.split(". ")[0] for part in SECTIONS] == [f"## {n}" for n in range(1, len(SECTIONS) + 1)]
    assert TEXT.startswith("# skirmish\n")


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.splitlines()[0])
def test_a_section_fits_into_its_tokens(section: str) -> None:
    assert tokens(section) <= MOST_TOKENS_A_SECTION


def test_the_last_section_holds_the_rulings_in_order_from_one() -> None:
    assert SECTIONS[-1].splitlines()[0].endswith("Rulings of this project")
    numbers = [int(n) for n in re.findall(r"(?m)^- SK-R(\d+): ", SECTIONS[-1])]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.skipif(not REFERENCE.exists(), reason="the rules that decide are not beside this checkout")
def test_every_rule_cited_stands_in_the_rules_that_decide() -> None:
    known = set(re.findall(r"(?m)^- (SK-\d+\.\d+) ", REFERENCE.read_text(encoding="utf-8")))
    cited = set(re.findall(r"SK-\d+\.\d+", TEXT))
    assert cited
    assert cited <= known, f"unknown: {sorted(cited - known)}"


@pytest.mark.parametrize(("notation", "form"), [*zip(NOTATIONS, JSON_FORMS, strict=True)], ids=NOTATIONS)
def test_every_form_of_action_is_mentioned_twice_and_means_the_same(notation: str, form: dict[str, Any]) -> None:
    """SK-1.3."""
    assert notation in quoted()
    assert form in [json.loads(text) for text in quoted() if text.startswith("{")]
    assert parse_action(notation, "ivory") == parse_action(form, "ivory")


@pytest.mark.parametrize("reason", END_REASONS)
def test_every_end_is_mentioned(reason: str) -> None:
    """SK-4."""
    assert reason in quoted()


@pytest.mark.parametrize("letter", KINDS)
def test_the_table_of_pieces_has_the_figures_of_the_engine(letter: str) -> None:
    """SK-0.3."""
    kind = KINDS[letter]
    (row,) = (row for row in table_rows() if row[0] == f"`{letter}` {kind.name}")
    assert row[1:5] == [str(kind.move), str(kind.hp), str(kind.range), f"{kind.attack}, {kind.defense}"]


@pytest.mark.parametrize("sign", SIGNS.strip())
def test_the_table_of_terrain_has_the_costs_of_the_engine(sign: str) -> None:
    """SK-0.2, SK-3.2."""
    (row,) = (row for row in table_rows() if f"`{sign}`" in row[0] and len(row) == 4)
    assert row[2] == (str(COST[sign]) if sign in COST else "closed")
    assert row[3].startswith("5" if sign in "F^" else "4" if sign in COST else "")


def test_the_board_writes_pieces_as_the_text_says() -> None:
    board = drawn("I K1 . o2 C").board(None)
    for shown in ("ik1", "co2"):
        assert shown in quoted()
        assert shown in board


def test_the_text_is_ascii_for_terminals_that_show_no_more() -> None:
    assert TEXT.isascii()
