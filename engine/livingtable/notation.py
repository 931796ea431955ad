"""From what a player has sent to an action, by one rule for every wire, experiment, tournament and terminal.

A legal action counts however it is written where nothing is ambiguous: in any case, with any blanks, in a wrapping
(`livingtable.wrapping`), as a JSON object or as its text, alone or as `notation` or `action` of an object. Nothing is
looked for in prose. What is no action is refused, and what is offered instead is legal in the position.

Records are read by `State.parse_action` itself, which knows one writing of each action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, cast

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State, printable
from livingtable.wrapping import MARKS, layers

TEXT_AT_MOST = 2000
"""Characters of a text that is to be an action."""
OFFERED_AT_MOST = 5
EXAMPLES_AT_MOST = 3
_NESTED_AT_MOST = 6
_WORDS_AT_MOST = 4
_SMART = str.maketrans({**dict.fromkeys("“”„‟＂", '"'), **dict.fromkeys("‘’‚‛＇", "'"), "\u00a0": " ", "\u202f": " "})
_SQUEEZED = re.compile(rf"[\s{re.escape(MARKS)}()\[\].]")
_EDGES = MARKS + "()[]<>.,;:!?"


def read_action(state: State, given: str | Mapping[str, Any], side: str) -> Action:
    """The action that a seat means; it need not be legal.

    Raises `Refusal`: `malformed_action` where it is none, with legal actions to send instead if the seat is to act;
    `not_your_seat` as `State.parse_action` does.
    """
    return _read(state, given, side, _NESTED_AT_MOST)


def _read(state: State, given: str | Mapping[str, Any], side: str, depth: int) -> Action:
    if not depth:
        raise malformed("that is nested too deep for an action")
    if isinstance(given, str):
        return _read_text(state, given, side, depth)
    return _read_object(state, given, side, depth)


# --- texts ---


def _read_text(state: State, text: str, side: str, depth: int) -> Action:
    legal = state.legal_actions(side)
    if len(text) > TEXT_AT_MOST:
        reason = f"that has {len(text)} characters, too many for an action"
        raise malformed(_choose_one(_named(text, legal)) or reason + _such(legal))
    as_it_is = _parsed(state, text, side)
    if as_it_is is not None and as_it_is in legal:
        return as_it_is
    found = layers(text)
    listed = _listed(found, legal)
    if listed is not None:
        return listed
    if found[-1].startswith("{"):
        return _read(state, _json_object(found[-1]), side, depth - 1)
    for layer in reversed(found):
        action = _in_any_case(state, layer, side)
        if action is not None:
            return action
    raise malformed(_corrected(state, found[-1] or found[0], side, legal))


def _parsed(state: State, text: str, side: str) -> Action | None:
    try:
        return state.parse_action(text, side)
    except Refusal as refusal:
        if refusal.code is not Code.MALFORMED_ACTION:
            raise
        return None


def _listed(found: Sequence[str], legal: Sequence[Action]) -> Action | None:
    """The legal action that one of the layers is: as it is listed, else the one that differs in case alone. Raises
    `Refusal` where several do."""
    exact = {action.notation: action for action in legal}
    folded: dict[str, list[Action]] = {}
    for action in legal:
        folded.setdefault(action.notation.casefold(), []).append(action)
    for layer in found:
        for notation in _spaced(layer):
            if notation in exact:
                return exact[notation]
    for layer in found:
        for notation in _spaced(layer):
            near = folded.get(notation.casefold(), [])
            if len(near) > 1:
                raise malformed(_choose_one([action.notation for action in near]))
            if near:
                return near[0]
    return None


def _spaced(text: str) -> Iterator[str]:
    """With single blanks; and without marks around each word."""
    words = text.split()
    yield " ".join(words)
    yield " ".join(word.strip(MARKS) for word in words)


def _in_any_case(state: State, text: str, side: str) -> Action | None:
    """Of an action that is not legal, too, any case is read: it is illegal, and not malformed."""
    for notation in dict.fromkeys(_spaced(text)):
        words = notation.split(" ")
        spelt = [dict.fromkeys((word, word.lower(), word.upper())) for word in words]
        for spelling in product(*spelt) if len(words) <= _WORDS_AT_MOST else [words]:
            action = _parsed(state, " ".join(spelling), side)
            if action is not None:
                return action
    return None


# --- objects ---


def _json_object(text: str) -> Mapping[str, Any]:
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        data = _json_in_smart_quotes(text)
    if not isinstance(data, dict):
        raise malformed("that is no JSON object")
    return cast(Mapping[str, Any], data)


def _json_in_smart_quotes(text: str) -> object:
    try:
        return json.loads(text.translate(_SMART))
    except json.JSONDecodeError as error:
        near = printable(text[max(0, error.pos - 10) : error.pos + 10])
        raise malformed(f"that is no whole JSON object: {error.msg} at character {error.pos}, near {near}") from None
    except (ValueError, RecursionError):
        raise malformed("that is no JSON object: a number in it is too long, or it is nested too deep") from None


def _read_object(state: State, given: Mapping[str, Any], side: str, depth: int) -> Action:
    inside = {key: given[key] for key in ("notation", "action") if given.get(key) not in (None, "", {})}
    if "type" in given:
        if inside.keys() == {"notation"}:
            return _read_twice(state, given, side, depth)
        empty = {"notation", "action"} - inside.keys()
        return _read_form(state, {key: value for key, value in given.items() if key not in empty}, side)
    if len(inside) > 1:
        raise malformed('give one of "notation" and "action": leave out the other')
    if not inside:
        return _read_form(state, given, side)
    (value,) = inside.values()
    if not isinstance(value, str | Mapping):
        raise malformed('"notation" must be a text, "action" an object or a text')
    return _read(state, cast("str | Mapping[str, Any]", value), side, depth - 1)


def _read_twice(state: State, given: Mapping[str, Any], side: str, depth: int) -> Action:
    """An action with its notation in it, as agents are shown them: both say the same."""
    action = _read_form(state, {key: value for key, value in given.items() if key != "notation"}, side)
    if _read(state, {"notation": given["notation"]}, side, depth - 1) != action:
        raise malformed('the object and its "notation" say different actions: leave out one')
    return action


def _read_form(state: State, given: Mapping[str, Any], side: str) -> Action:
    legal = state.legal_actions(side)
    try:
        action = state.parse_action(given, side)
    except Refusal as refusal:
        if refusal.code is not Code.MALFORMED_ACTION:
            raise
        action, reason = None, refusal.reason
    else:
        reason = ""
        if action in legal:
            return action
    meant = _folded(given)
    near = [one for one in legal if _folded(one.to_data()) == meant]
    if len(near) == 1:
        return near[0]
    if action is None:
        raise malformed(reason + _such_object(given, legal))
    return action


def _folded(data: Mapping[str, Any]) -> dict[str, tuple[type, Any]]:
    """Texts in any case, all else as it is: 1 is not true."""
    return {key: (type(value), value.casefold() if isinstance(value, str) else value) for key, value in data.items()}


# --- what would be right ---


def malformed(reason: str) -> Refusal:
    return Refusal(Code.MALFORMED_ACTION, reason)


def _corrected(state: State, text: str, side: str, legal: Sequence[Action]) -> str:
    """Why a text is refused, and which legal action to send."""
    named = _named(text, legal)
    if len(named) > 1:
        return _choose_one(named)
    shown = f'"{printable(text if len(text) <= 60 else text[:60] + "…")}"'
    meant = _SQUEEZED.sub("", text[:200]).casefold()
    for action in legal:
        if _SQUEEZED.sub("", action.notation).casefold() == meant:
            return f'{shown} is no action; write it as it is listed: "{action.notation}"'
    if named:
        return f'{shown} is more than an action; send the action alone: "{named[0]}"'
    return _why_malformed(state, text, side) + _such(legal)


def _why_malformed(state: State, text: str, side: str) -> str:
    try:
        state.parse_action(text, side)
    except Refusal as refusal:
        return refusal.reason
    return "that is no action"  # Unreachable: it has been tried.


def _choose_one(notations: Sequence[str]) -> str:
    """ "" where there are no two."""
    some = " | ".join(notations[:OFFERED_AT_MOST])
    return f"choose one, and send it alone: {some}" if len(notations) > 1 else ""


def _named(text: str, legal: Sequence[Action]) -> list[str]:
    """The legal actions that a text names, with other words around them, or several of one prefix."""
    words = [word.strip(_EDGES) or word for word in text[:TEXT_AT_MOST].casefold().split()]
    found: list[str] = []
    behind: dict[str, frozenset[str]] = {}
    for action in legal:
        prefix, _, last = action.notation.casefold().rpartition(" ")
        if prefix not in behind:
            behind[prefix] = _behind(prefix.split(), words)
        if last in behind[prefix]:
            found.append(action.notation)
    return found


def _behind(prefix: Sequence[str], words: Sequence[str]) -> frozenset[str]:
    """The words behind the first place where these stand in a row."""
    n = len(prefix)
    for i in range(len(words) - n):
        if words[i : i + n] == prefix:
            return frozenset(words[i + n :])
    return frozenset()


def _such(legal: Sequence[Action]) -> str:
    """Some legal actions, each of another kind; "" where there are none."""
    kinds: dict[str, str] = {}
    for action in legal:
        kinds.setdefault(action.notation.partition(" ")[0], action.notation)
    some = [f'"{notation}"' for notation in list(kinds.values())[:EXAMPLES_AT_MOST]]
    if not some:
        return ""
    shown = " or ".join([", ".join(some[:-1]), some[-1]]) if len(some) > 1 else some[0]
    if len(legal) == 1:
        return f"; only {shown} is legal"
    return f"; send one legal action alone, such as {shown}"


def _such_object(given: Mapping[str, Any], legal: Sequence[Action]) -> str:
    """A legal action as an object, of the same type if there is one."""
    data = [action.to_data() for action in legal]
    same = [one for one in data if one.get("type") == given.get("type")]
    return f"; send one legal action, such as {json.dumps((same or data)[0])}" if data else ""
