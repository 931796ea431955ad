"""What is looked up in the rules of a game: a section, a rule by its number, or where a word stands.

The rules are Markdown with sections `## 1. Title`. In a section a bullet with what belongs to it, a table or a
paragraph is one *block*: of what is looked up by words, no less is given, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_RULE = re.compile(r"(?:([a-z]{2})-)?(r\d+|\d+\.\d+|\d+)")
"""`BW-4.3`, `4.3`, `BW-R5`, `R5`."""


@dataclass(frozen=True, slots=True)
class Section:
    number: str
    title: str
    text: str
    """With its heading."""

    @property
    def heading(self) -> str:
        return f"{self.number}. {self.title}"

    @property
    def blocks(self) -> list[str]:
        """In order. What is indented belongs to the line above it, a table is whole, and a colon leads to it."""
        blocks: list[str] = []
        before = ""
        for line in self.text.splitlines()[1:]:
            row = line.startswith("|") and before.startswith("|")
            if line and before and (line.startswith(" ") or row):
                blocks[-1] += f"\n{line}"
            elif line and blocks and blocks[-1].endswith(":"):
                blocks[-1] += f"\n\n{line}"
            elif line:
                blocks.append(line)
            before = line
        return blocks


def sections(rules: str) -> list[Section]:
    found: list[Section] = []
    for part in rules.split("\n## ")[1:]:
        number, _, title = part.splitlines()[0].partition(". ")
        found.append(Section(number, title, f"## {part.rstrip()}\n"))
    return found


def look_up(rules: str, wanted: str) -> str:
    """The section of that number or with these words in its title; else what says the rule of that number, or the
    blocks in which the words stand, each under the heading of its section. "" where there is nothing."""
    sought = " ".join(wanted.replace("`", "").lower().split())
    book = sections(rules)
    if not sought:
        return ""
    for section in book:
        if sought == section.number or sought in section.title.replace("`", "").lower():
            return section.text
    rule = _RULE.fullmatch(sought)
    return _rule(book, rule[1], rule[2]) if rule else _words(book, sought)


def _rule(book: list[Section], game: str | None, number: str) -> str:
    """The blocks that cite the rule; else the sections that cite others of its chapter."""
    begin = rf"\b{game or '[a-z]{2}'}-"
    exact = re.compile(rf"{begin}{re.escape(number)}(?![.\d]*\d)", re.IGNORECASE)
    if found := _blocks(book, lambda block: bool(exact.search(block))):
        return found
    if number.startswith("r"):
        return ""
    chapter = re.compile(rf"{begin}{number.partition('.')[0]}(?!\d)", re.IGNORECASE)
    return "\n".join(s.text for s in book[:-1] if chapter.search(s.text))


def _words(book: list[Section], sought: str) -> str:
    """The blocks with these words side by side; else with all of them."""
    phrase, *words = [re.compile(rf"(?<!\w){re.escape(text)}", re.IGNORECASE) for text in (sought, *sought.split())]
    return _blocks(book, lambda block: bool(phrase.search(block.replace("`", "")))) or _blocks(
        book, lambda block: all(word.search(block.replace("`", "")) for word in words)
    )


def _blocks(book: list[Section], holds: Callable[[str], bool]) -> str:
    found = [(section, [block for block in section.blocks if holds(block)]) for section in book]
    parts = ["\n".join([f"## {section.heading}", "", *blocks]) for section, blocks in found if blocks]
    return "\n\n".join(parts) + "\n" if parts else ""
