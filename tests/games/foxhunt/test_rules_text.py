"""The rules of foxhunt as players read them (`rules.md`): whole, in sections small enough for a model, and true to the
numbers and figures that they cite. Citations: `FX-3.2` is a rule of `rules/foxhunt.md`, `FX-R3` a ruling of the text
itself."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.games.foxhunt.drawing import drawn, grid_of

from livingtable.game import get_game
from livingtable.games.foxhunt.actions import parse_action
from livingtable.games.foxhunt.maps import HARD_PERCENT, SOFT_PERCENT
from livingtable.games.foxhunt.position import KINDS
from livingtable.games.foxhunt.setup import PLAYERS_AT_LEAST, PLAYERS_AT_MOST
from livingtable.games.foxhunt.view import SPECIAL_SIGNS, WINDOW

TEXT = get_game("foxhunt").rules_text()
REFERENCE = Path(__file__).parents[4] / "shared/rules/foxhunt.md"
TESTS = Path(__file__).parent
MOST_TOKENS_A_SECTION = 1_500

SECTIONS = re.split(r"(?m)^(?=## )", TEXT)[1:]
NOTATIONS = ["move N", "bomb", "throw E 2", "stay"]
JSON_FORMS: list[dict[str, Any]] = [
    {"type": "move", "direction": "N"},
    {"type": "bomb"},
    {"type": "throw", "direction": "E", "distance": 2},
    {"type": "stay"},
]
END_REASONS = ["round_limit", "truncated"]
DEFAULTS: dict[str, Any] = drawn("1 2 _ \n _ _ _ \n _ _ _", specials=[]).view(None)["settings"] | {
    # The drawing leaves nothing to chance.
    "spawnEvery": 10,
    "revealChance": 0.3,
}


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


def reference_numbers() -> set[str]:
    """Every number of the rules that decide, of which one may hold a whole list (FX-2)."""
    return set(re.findall(r"(?m)^(?:- |## )(FX-\d+(?:\.\d+)?) ", REFERENCE.read_text(encoding="utf-8")))


def test_sections_are_numbered_in_order_from_one() -> None:
    assert [part.split(". ")[0] for part in SECTIONS] == [f"## {n}" for n in range(1, len(SECTIONS) + 1)]
    assert TEXT.startswith("# foxhunt\n")


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.splitlines()[0])
def test_a_section_fits_into_its_tokens(section: str) -> None:
    assert tokens(section) <= MOST_TOKENS_A_SECTION


def test_the_last_section_holds_the_rulings_in_order_from_one() -> None:
    assert SECTIONS[-1].splitlines()[0].endswith("Rulings of this project")
    numbers = [int(n) for n in re.findall(r"(?m)^- FX-R(\d+): ", SECTIONS[-1])]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_rulings_that_tests_cite_are_those_of_the_text() -> None:
    rulings = set(re.findall(r"(?m)^- (FX-R\d+): ", TEXT))
    others = [file for file in sorted(TESTS.glob("test_*.py")) if file.name != Path(__file__).name]
    cited = {number for file in others for number in re.findall(r"FX-R\d+", file.read_text("utf-8"))}
    assert cited == rulings, f"unknown: {sorted(cited - rulings)}, without a test: {sorted(rulings - cited)}"


@pytest.mark.skipif(not REFERENCE.exists(), reason="the rules that decide are not beside this checkout")
def test_every_rule_cited_stands_in_the_rules_that_decide() -> None:
    cited = set(re.findall(r"FX-\d+(?:\.\d+)?", TEXT))
    assert cited
    assert cited <= reference_numbers(), f"unknown: {sorted(cited - reference_numbers())}"


@pytest.mark.skipif(not REFERENCE.exists(), reason="the rules that decide are not beside this checkout")
def test_every_rule_that_decides_is_cited_by_a_test() -> None:
    cited = {
        number
        for file in sorted(TESTS.glob("test_*.py"))
        for number in re.findall(r"FX-\d+(?:\.\d+)?", file.read_text("utf-8"))
    }
    numbered = {number for number in reference_numbers() if "." in number} | {"FX-2"}
    assert numbered <= cited, f"without a test: {sorted(numbered - cited)}"


@pytest.mark.parametrize(("notation", "form"), [*zip(NOTATIONS, JSON_FORMS, strict=True)], ids=NOTATIONS)
def test_every_form_of_action_is_mentioned_twice_and_means_the_same(notation: str, form: dict[str, Any]) -> None:
    """FX-1.4."""
    assert notation in quoted()
    assert form in [json.loads(text) for text in quoted() if text.startswith("{")]
    assert parse_action(notation, "p1") == parse_action(form, "p1")


@pytest.mark.parametrize("reason", END_REASONS)
def test_every_end_is_mentioned(reason: str) -> None:
    """FX-5.2."""
    assert reason in quoted()


@pytest.mark.parametrize("setting", DEFAULTS)
def test_the_table_of_settings_has_the_defaults_of_the_engine(setting: str) -> None:
    """FX-0.4."""
    (row,) = (row for row in table_rows() if row[0] == f"`{setting}`")
    assert json.loads(row[1]) == DEFAULTS[setting]


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_of_specials_has_the_signs_of_the_board(kind: str) -> None:
    """FX-6.1."""
    assert [f"`{SPECIAL_SIGNS[kind]}`", f"`{kind}`"] in [row[:2] for row in table_rows()]


def test_the_figures_of_the_text_are_those_of_the_engine() -> None:
    """FX-0.3, FX-R3."""
    assert f"{PLAYERS_AT_LEAST} to {PLAYERS_AT_MOST} players" in TEXT
    assert f"{HARD_PERCENT} in 100 of the inner fields are `W`, and of the rest {SOFT_PERCENT} in 100 `w`" in TEXT
    assert f"{WINDOW} x {WINDOW} fields around you" in TEXT


@pytest.mark.parametrize("sign", ["@", "F", "&", "o", "R", "B", "H", "*", "_", "w", "W"])
def test_the_board_writes_what_the_text_says(sign: str) -> None:
    state = drawn("23 _ 1 H \n a B 4 R \n w W _ _", figures={"a": {"fuse": 1}, "p1": {"range": 0}})
    for side in ("p1", "p2", "p3", "p4"):
        state.apply(side, parse_action("stay", side))
    state = type(state).from_data({**state.to_data(), "beams": ["3,2"]})
    assert sign in quoted()
    assert sign in "".join(grid_of(state.board("p4")))


def test_the_text_is_ascii_for_terminals_that_show_no_more() -> None:
    assert TEXT.isascii()
