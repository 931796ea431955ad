"""What stands around a notation and does not count: fences, marks, quotes, brackets, `ACTION:`, a full stop.

Nothing here knows what a notation is. It takes off one wrapping at a time, and whoever knows the position looks at each
text that comes out: what is listed in it always means itself, whatever its signs.
"""

from __future__ import annotations

import json
import re

from livingtable.game import game_names

LAYERS_AT_MOST = 12
MARKS = "`\"'*_“”„‟‘’‚‛«»‹›＂＇"
_BRACKETS = ("()", "[]", "<>")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*?)\1", re.DOTALL)
_INFO = re.compile(r"[ \t]*[\w.+#-]*[ \t]*\r?")
"""The first line of a fenced block that has more: a language, or nothing."""
_TAGGED = re.compile(r"(\w+)(?:\s+|(?=\{))(.+)", re.DOTALL)
_TAGS = frozenset({"json", "text", "txt", "plain", "plaintext", "notation", "action"})
"""What may stand before an action in a fence of one line. Any other word there belongs to the text."""
_LEADS = (
    re.compile(r"[-+*•>]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>"),
    re.compile(r"[*_`]*action[*_`]*\s*[:：][*_`]*\s*", re.IGNORECASE),
)
_AFTER_JSON = re.compile(rf"[\s.{re.escape(MARKS)}]*")
_NO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))


def layers(text: str) -> list[str]:
    """The text, then the same with one wrapping less each time. The last has none, or is JSON, or what was cut off."""
    found = [_trimmed(text)]
    while len(found) < LAYERS_AT_MOST:
        outer = found[-1]
        inner = [layer for layer in map(_trimmed, _within(outer)) if layer != outer]
        if not inner:
            break
        found += inner
    return found


def innermost(text: str) -> str:
    return layers(text)[-1]


def fenced_blocks(text: str) -> list[str]:
    """The fenced blocks of a longer text, each with its fence: a layer of its own."""
    return [found[0] for found in _FENCE.finditer(text)]


def _within(text: str) -> list[str]:
    """What one wrapping leaves; empty where there is none. Of a fence whose first word may be a tag, both readings."""
    fence = _FENCE.fullmatch(text)
    if fence:
        return _in_fence(fence[2])
    if text.startswith("{"):
        end = text.rfind("}") + 1
        return [text[:end]] if end and _AFTER_JSON.fullmatch(text, end) else []
    for take_off in (_json_text, _without_lead, _without_full_stop, _without_marks, _without_brackets):
        inner = take_off(text)
        if inner != text:
            return [inner]
    return []


def _trimmed(text: str) -> str:
    return text.translate(_NO_WIDTH).strip()


def _in_fence(content: str) -> list[str]:
    head, newline, rest = content.partition("\n")
    if newline and rest.strip() and _INFO.fullmatch(head):
        return [rest]
    tagged = _TAGGED.fullmatch(content.strip())
    if tagged and (tagged[1].lower() in _TAGS or tagged[1].lower() in game_names()):
        return [content, tagged[2]]
    return [content]


def _json_text(text: str) -> str:
    """What a JSON text says that is a text: in it quotes are escaped."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    try:
        said: object = json.loads(text)
    except ValueError:
        return text
    return said if isinstance(said, str) else text


def _without_marks(text: str) -> str:
    """One kind of mark at either end, paired or not."""
    if text[:1] and text[0] in MARKS:
        text = text.lstrip(text[0])
    if text[-1:] and text[-1] in MARKS:
        text = text.rstrip(text[-1])
    return text


def _without_brackets(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] + text[-1] in _BRACKETS else text


def _without_lead(text: str) -> str:
    for lead in _LEADS:
        found = lead.match(text)
        if found:
            return text[found.end() :]
    return text


def _without_full_stop(text: str) -> str:
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text
