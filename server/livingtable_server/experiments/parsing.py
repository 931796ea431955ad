"""From a model's answer to an action, by one rule.

The rule, as prompts tell it and the docs state it. The action of an answer is, whichever there is first:

1. what stands behind `ACTION:` on the last line that begins so;
2. the inside of the last fenced block (three backticks), if it is one line or a JSON object;
3. the whole answer, if it is one line or a JSON object.

It is a notation, or a JSON object that is the action itself or has it as `notation` or `action`. Around it backticks,
quotation marks of any kind, asterisks and a final full stop do not count, nor do blanks or capitals. Nothing is looked
for in prose: no legal move that an answer mentions stands in for the one it gives, and an `n` inside a word is nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, cast

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State, printable

Kind = Literal["accepted", "illegal", "unparsable", "refused"]
"""`refused`: right as an action, but said at the wrong time or of the wrong version; in a chat it cannot happen."""

ANSWER_AT_MOST = 2000
"""Signs of the part that is the action."""
_MARKS = "`\"'*_“”„‟‘’‚‛«»‹›＂＇ \t"
_LINE = re.compile(r"^[\s>#*_`\-]*action[*_`]*\s*[:：][*_]*(.*)$", re.IGNORECASE | re.MULTILINE)
_FENCED = re.compile(r"```[a-z]*[ \t]*\n?(.*?)```", re.IGNORECASE | re.DOTALL)
_SMART = str.maketrans({**dict.fromkeys("“”„‟＂", '"'), **dict.fromkeys("‘’‚‛＇", "'"), "\u00a0": " ", "\u202f": " "})
_WORDS_AT_MOST = 6
_NO_ACTION = 'there is no line "ACTION: …", and the answer is more than an action'


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer came to. `said` is the part of it that was taken for the action, "" where there is none; `reason`
    why it is not accepted."""

    kind: Kind
    said: str
    action: Action | None = None
    reason: str = ""


def judge(answer: str, state: State, side: str) -> Verdict:
    """What the answer of a seat that is to act comes to, by the rule above."""
    said = said_action(answer)
    if not said:
        nothing = 'nothing stands behind "ACTION:" on its line' if _LINE.search(answer) else _NO_ACTION
        return Verdict("unparsable", "", reason=nothing)
    if len(said) > ANSWER_AT_MOST:
        return Verdict("unparsable", said[:80], reason="that is too long for an action")
    legal = state.legal_actions(side)
    try:
        action = _action(said, state, side, legal)
        if action not in legal:
            state.copy().apply(side, action)
    except Refusal as refusal:
        kind = "unparsable" if refusal.code == Code.MALFORMED_ACTION else "illegal"
        return Verdict(kind, printable(said[:80]), reason=refusal.reason)
    return Verdict("accepted", said, action)


def said_action(answer: str) -> str:
    """The part of an answer that is its action; "" if there is none."""
    marked = _LINE.findall(answer)
    if marked:
        return _bare(marked[-1])
    fenced = _FENCED.findall(answer)
    if fenced:
        return _if_alone(fenced[-1])
    return _if_alone(answer)


def _if_alone(text: str) -> str:
    bare = _bare(text)
    return bare if "\n" not in bare or (bare.startswith("{") and bare.endswith("}")) else ""


def _bare(text: str) -> str:
    """Without what does not count around it."""
    bare = text.translate(_SMART).strip().strip(_MARKS)
    bare = bare.rstrip(".") if not bare.endswith("..") else bare
    return bare.strip().strip(_MARKS)


def _action(said: str, state: State, side: str, legal: Sequence[Action]) -> Action:
    """Raises `Refusal` where it is malformed."""
    if said.startswith("{"):
        given = _from_json(said)
        if not isinstance(given, str):
            return state.parse_action(given, side)
        said = _bare(given)
    text = " ".join(said.split())
    for action in legal:
        if action.notation.casefold() == text.casefold():
            return action
    return _in_any_capitals(text, state, side)


def _from_json(said: str) -> str | Mapping[str, Any]:
    try:
        data: object = json.loads(said)
    except (ValueError, RecursionError):
        raise _malformed("that is no whole JSON object") from None
    if not isinstance(data, dict):
        raise _malformed("that is no JSON object")
    given = cast(dict[str, Any], data)
    inside = [given[key] for key in ("notation", "action") if key in given]
    if "type" in given or not inside:
        return given
    if len(inside) > 1:
        raise _malformed('give one of "notation" and "action"')
    if not isinstance(inside[0], str | dict):
        raise _malformed('"notation" must be a text, "action" an object or a text')
    return cast("str | dict[str, Any]", inside[0])


def _in_any_capitals(text: str, state: State, side: str) -> Action:
    """An action that is not legal may be written in any capitals, too: it is illegal then, and not unparsable. Raises
    the `Refusal` of the text as it stands where none of them is an action."""
    try:
        return state.parse_action(text, side)
    except Refusal as refusal:
        words = text.split(" ")
        if len(words) <= _WORDS_AT_MOST:
            for spelling in product(*({word.lower(): 0, word.upper(): 0} for word in words)):
                try:
                    return state.parse_action(" ".join(spelling), side)
                except Refusal:
                    continue
        raise refusal from None


def _malformed(reason: str) -> Refusal:
    return Refusal(Code.MALFORMED_ACTION, reason)
