"""From a model's answer to an action, by one rule.

The rule, as prompts tell it and the docs state it. The action of an answer is, whichever there is first:

1. what stands behind `ACTION:` on the last line that begins so;
2. the inside of the last fenced block (three backticks), if it is one line or a JSON object;
3. the whole answer, if it is one line or a JSON object.

How an action may be written is the one rule of `livingtable.notation`: a notation or a JSON object, in any case, with
marks, quotes and a full stop around it. Nothing is looked for in prose: no legal move that an answer mentions stands in
for the one it gives, and an `n` inside a word is nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State, printable
from livingtable.notation import TEXT_AT_MOST, read_action
from livingtable.wrapping import fenced_blocks, innermost

Kind = Literal["accepted", "illegal", "unparsable", "refused"]
"""`refused`: right as an action, but said at the wrong time or of the wrong version; in a chat it cannot happen."""

_LINE = re.compile(r"^[\s>#*_`\-]*action[*_`]*\s*[:：][*_]*(.*)$", re.IGNORECASE | re.MULTILINE)
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
    if len(said) > TEXT_AT_MOST:
        return Verdict("unparsable", said[:80], reason="that is too long for an action")
    try:
        action = read_action(state, said, side)
        if action not in state.legal_actions(side):
            state.copy().apply(side, action)
    except Refusal as refusal:
        kind = "unparsable" if refusal.code == Code.MALFORMED_ACTION else "illegal"
        return Verdict(kind, printable(said[:80]), reason=refusal.reason)
    return Verdict("accepted", said, action)


def said_action(answer: str) -> str:
    """The part of an answer that is its action; "" if there is none."""
    marked = _LINE.findall(answer)
    if marked:
        return innermost(marked[-1])
    fenced = fenced_blocks(answer)
    return _if_alone(fenced[-1] if fenced else answer)


def _if_alone(text: str) -> str:
    bare = innermost(text)
    return bare if "\n" not in bare or (bare.startswith("{") and bare.endswith("}")) else ""
