"""What models put around an action, and every form of action that random play of the shipped scenarios meets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache

from tests.contract.playing import shipped
from tests.contract.sampling import running

from livingtable.game import Action, State, game_names

Wrap = Callable[[str], str]

SPELLINGS: dict[str, Wrap] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "title case": str.title,
    "non-breaking blanks": lambda text: text.replace(" ", "\u00a0"),
    "narrow blanks": lambda text: text.replace(" ", "\u202f"),
    "more blanks": lambda text: text.replace(" ", "  "),
    "tabs": lambda text: text.replace(" ", "\t"),
    "each word marked": lambda text: " ".join(f"`{word}`" for word in text.split()),
    "first word bold": lambda text: re.sub(r"^\S+", lambda word: f"**{word[0]}**", text),
}
"""Of the action itself: what they do to JSON is not meant."""

AROUND: dict[str, Wrap] = {
    "nothing": lambda text: text,
    "blanks": lambda text: f"  {text}\n",
    "CRLF": lambda text: f"\r\n{text}\r\n",
    "byte order mark": lambda text: f"\ufeff{text}",
    "fence of one line": lambda text: f"```{text}```",
    "fence of one line with blanks": lambda text: f"``` {text} ```",
    "fence of one line with a tag": lambda text: f"```text {text}```",
    "fence": lambda text: f"```\n{text}\n```",
    "fence with CRLF": lambda text: f"```\r\n{text}\r\n```",
    "fence that ends on the line": lambda text: f"```\n{text}```",
    "fence that begins on the line": lambda text: f"```{text}\n```",
    "fence tagged json": lambda text: f"```json\n{text}\n```",
    "fence tagged text": lambda text: f"```text\n{text}\n```",
    "fence tagged botwars": lambda text: f"```botwars\n{text}\n```",
    "fence of tildes": lambda text: f"~~~\n{text}\n~~~",
    "code mark": lambda text: f"`{text}`",
    "code marks": lambda text: f"``{text}``",
    "bold": lambda text: f"**{text}**",
    "italic": lambda text: f"*{text}*",
    "underscores": lambda text: f"_{text}_",
    "single quotes": lambda text: f"'{text}'",
    "double quotes": lambda text: f'"{text}"',
    "smart quotes": lambda text: f"“{text}”",
    "smart single quotes": lambda text: f"‘{text}’",
    "guillemets": lambda text: f"«{text}»",
    "parentheses": lambda text: f"({text})",
    "square brackets": lambda text: f"[{text}]",
    "angle brackets": lambda text: f"<{text}>",
    "dash of a list": lambda text: f"- {text}",
    "star of a list": lambda text: f"* {text}",
    "number of a list": lambda text: f"1. {text}",
    "quoted line": lambda text: f"> {text}",
    "full stop": lambda text: f"{text}.",
    "ACTION:": lambda text: f"ACTION: {text}",
    "action: in bold": lambda text: f"**Action:** {text}",
    "JSON text": json.dumps,
    "JSON with notation": lambda text: json.dumps({"notation": text}),
    "JSON with action": lambda text: json.dumps({"action": text}, indent=1),
    "JSON with a thought": lambda text: json.dumps({"thought": "safe", "notation": text}),
}


@cache
def forms(game: str) -> tuple[tuple[State, str, Action], ...]:
    """One legal action of each form, where it is legal: the same words, with other digits or pieces, are one form."""
    found: dict[str, tuple[State, str, Action]] = {}
    for scenario in shipped():
        if scenario.game != game:
            continue
        for state in running(scenario):
            for side in state.to_act:
                for action in state.legal_actions(side):
                    form = re.sub(r"\d+", "0", re.sub(r"\b[A-Z]\d", "A1", action.notation))
                    found.setdefault(form, (state, side, action))
    return tuple(found.values())


def all_forms() -> list[tuple[State, str, Action]]:
    return [form for game in game_names() for form in forms(game)]
