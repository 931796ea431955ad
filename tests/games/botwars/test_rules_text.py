"""The rules of botwars as players read them (`rules.md`): whole, in sections small enough for a model, and true to
the numbers that they cite. Citations: `BW-4.3` is a rule of `rules/botwars.md`, `BW-R3` a ruling of the text itself.
"""

import json
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "engine/livingtable/games/botwars/rules.md").read_text(encoding="utf-8")
REFERENCE = ROOT.parent / "shared/rules/botwars.md"
MOST_TOKENS_A_SECTION = 1_500

NOTATIONS = [
    "move 3,4",
    "pass",
    "ally p2",
    "accept",
    "decline",
    "attack t1",
    "challenge",
    "reward score",
    "reward strength",
    "reward health",
    "sleep",
]
JSON_FORMS: list[dict[str, Any]] = [
    {"type": "move", "to": "3,4"},
    {"type": "pass"},
    {"type": "ally", "target": "p2"},
    {"type": "answer", "accept": True},
    {"type": "attack", "target": "t1"},
    {"type": "challenge"},
    {"type": "reward", "choice": "score"},
    {"type": "sleep"},
]
END_REASONS = ["united", "sole_survivor", "only_trolls", "round_limit"]


@dataclass(frozen=True)
class Section:
    number: int
    title: str
    text: str


def sections() -> list[Section]:
    found: list[Section] = []
    for part in re.split(r"(?m)^(?=## )", TEXT)[1:]:
        heading = re.match(r"## (\d+)\. (\S.*)\n", part)
        assert heading, f"no numbered heading: {part.splitlines()[0]}"
        found.append(Section(int(heading[1]), heading[2], part))
    return found


def quoted() -> list[str]:
    return re.findall(r"`([^`\n]+)`", TEXT)


def tokens(text: str) -> int:
    with warnings.catch_warnings():
        # bpe-openai 0.1.4 reads its tables through a function that Python 3.11 and 3.12 call deprecated.
        warnings.filterwarnings("ignore", "open_binary is deprecated", DeprecationWarning)
        import bpe_openai  # pyright: ignore[reportMissingTypeStubs]

        return len(bpe_openai.get_encoding("o200k_base").encode(text))


def rulings() -> list[int]:
    return [int(n) for n in re.findall(r"(?m)^- BW-R(\d+): ", sections()[-1].text)]


def test_sections_are_numbered_in_order_from_one() -> None:
    numbers = [section.number for section in sections()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 1


@pytest.mark.parametrize("section", sections(), ids=lambda s: s.title)
def test_a_section_fits_into_its_tokens(section: Section) -> None:
    assert tokens(section.text) <= MOST_TOKENS_A_SECTION


def test_what_stands_before_the_sections_fits_too() -> None:
    title, _, _ = TEXT.partition("\n## ")
    assert title.startswith("# botwars\n")
    assert tokens(title) <= MOST_TOKENS_A_SECTION


def test_the_last_section_holds_the_rulings_in_order_from_one() -> None:
    assert sections()[-1].title == "Rulings of this project"
    assert rulings() == list(range(1, len(rulings()) + 1))
    assert len(rulings()) >= 8


def test_the_ruleset_classic_has_one_section() -> None:
    assert [section.title for section in sections() if "classic" in section.title] == ["Ruleset `classic`"]


def test_every_rule_cited_exists() -> None:
    cited = set(re.findall(r"BW-[\w.]*\w", TEXT))
    of_the_rules = {number for number in cited if not re.fullmatch(r"BW-R\d+", number)}
    assert of_the_rules, "the text cites no rule"
    assert all(re.fullmatch(r"BW-\d{1,2}\.\d{1,2}", number) for number in of_the_rules)
    assert cited - of_the_rules == {f"BW-R{number}" for number in rulings()}


@pytest.mark.skipif(not REFERENCE.exists(), reason="the rules that decide are not beside this checkout")
def test_every_rule_cited_stands_in_the_rules_that_decide() -> None:
    known = set(re.findall(r"(?m)^- (BW-\d+\.\d+) ", REFERENCE.read_text(encoding="utf-8")))
    cited = set(re.findall(r"BW-\d+\.\d+", TEXT))
    assert cited <= known, f"unknown: {sorted(cited - known)}"


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_notation_is_mentioned(notation: str) -> None:
    assert notation in quoted()


@pytest.mark.parametrize("form", JSON_FORMS, ids=lambda form: form["type"])
def test_every_json_form_is_mentioned(form: dict[str, Any]) -> None:
    shown: list[object] = [json.loads(text) for text in quoted() if text.startswith("{")]
    assert form in shown


@pytest.mark.parametrize("reason", END_REASONS)
def test_every_end_is_mentioned(reason: str) -> None:
    assert reason in quoted()


def test_the_text_is_ascii_for_terminals_that_show_no_more() -> None:
    assert [line for line in TEXT.splitlines() if not line.isascii()] == []
