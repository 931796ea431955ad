"""What a seat can do in botwars (BW-0.9, the whole set), as JSON object and as notation.

The order in which legal actions are listed is fixed: where a battle is forced (BW-8.4) the `attack`s, in registration
order of the foe's deciding seat; else `move` in the order N, NE, E, SE, S, SW, W, NW, then `ally` in registration
order, `challenge`, `sleep`, `pass`. An answer lists `accept`, `decline`; a reward `score`, `strength`, `health`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from livingtable.errors import Code, Refusal
from livingtable.game import printable
from livingtable.grids import parse_pair


@dataclass(frozen=True, slots=True)
class Move:
    to: str

    @property
    def notation(self) -> str:
        return f"move {self.to}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "move", "to": self.to}


@dataclass(frozen=True, slots=True)
class Pass:
    @property
    def notation(self) -> str:
        return "pass"

    def to_data(self) -> dict[str, Any]:
        return {"type": "pass"}


@dataclass(frozen=True, slots=True)
class Ally:
    target: str

    @property
    def notation(self) -> str:
        return f"ally {self.target}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "ally", "target": self.target}


@dataclass(frozen=True, slots=True)
class Answer:
    accept: bool

    @property
    def notation(self) -> str:
        return "accept" if self.accept else "decline"

    def to_data(self) -> dict[str, Any]:
        return {"type": "answer", "accept": self.accept}


@dataclass(frozen=True, slots=True)
class Attack:
    target: str

    @property
    def notation(self) -> str:
        return f"attack {self.target}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "attack", "target": self.target}


@dataclass(frozen=True, slots=True)
class Challenge:
    @property
    def notation(self) -> str:
        return "challenge"

    def to_data(self) -> dict[str, Any]:
        return {"type": "challenge"}


@dataclass(frozen=True, slots=True)
class Reward:
    choice: str

    @property
    def notation(self) -> str:
        return f"reward {self.choice}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "reward", "choice": self.choice}


@dataclass(frozen=True, slots=True)
class Sleep:
    @property
    def notation(self) -> str:
        return "sleep"

    def to_data(self) -> dict[str, Any]:
        return {"type": "sleep"}


BotwarsAction = Move | Pass | Ally | Answer | Attack | Challenge | Reward | Sleep

PASS, CHALLENGE, SLEEP = Pass(), Challenge(), Sleep()
ACCEPT, DECLINE = Answer(True), Answer(False)
REWARD_CHOICES = ("score", "strength", "health")
REWARDS = tuple(Reward(choice) for choice in REWARD_CHOICES)

_SINGLE_WORDS: dict[str, BotwarsAction] = {
    action.notation: action for action in (PASS, CHALLENGE, SLEEP, ACCEPT, DECLINE)
}


def parse_action(given: str | Mapping[str, Any]) -> BotwarsAction:
    """The action that a notation or a JSON object writes; raises `Refusal` (`malformed_action`) where it is none.

    Of a notation, blanks around and between the words do not count; all else must be as listed. A well-formed action
    that names a cell off the board or nobody's id is well-formed: the rules refuse it as illegal. The refusal says what
    is wrong and offers nothing instead: what is legal depends on the position.
    """
    return _parse_notation(given) if isinstance(given, str) else _parse_object(given)


def _parse_notation(text: str) -> BotwarsAction:
    if len(text) > 200:
        raise _malformed(f"the notation has {len(text)} characters, too many for an action")
    words = text.split()
    if len(words) == 1 and words[0] in _SINGLE_WORDS:
        return _SINGLE_WORDS[words[0]]
    if words and words[0] in ("move", "ally", "attack", "reward"):
        verb, *alternatives = words
        if len(alternatives) > 1 and all(_is_argument(verb, word) for word in alternatives):
            raise _malformed(f'"{_shown(text)}" names more than one: choose one')
        if len(alternatives) == 1:
            return _with_argument(verb, alternatives[0])
    raise _malformed(f'"{_shown(text)}" is no action')


def _is_argument(verb: str, word: str) -> bool:
    """At least in its form; else what is wrong is not that several were sent."""
    if verb == "move":
        return parse_pair(word) is not None
    return word in REWARD_CHOICES if verb == "reward" else word.isalnum()


def _with_argument(verb: str, word: str) -> BotwarsAction:
    match verb:
        case "move":
            return Move(_cell(word))
        case "ally":
            return Ally(word)
        case "attack":
            return Attack(word)
        case _:
            return Reward(_choice(word))


_KEYS = {
    "move": "to",
    "pass": None,
    "ally": "target",
    "answer": "accept",
    "attack": "target",
    "challenge": None,
    "reward": "choice",
    "sleep": None,
}


def _parse_object(given: Mapping[str, Any]) -> BotwarsAction:
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise _malformed(_no_type(kind))
    key = _KEYS[kind]
    unknown = sorted(str(k) for k in given if k not in ("type", key))
    if unknown:
        right = f'"type" and "{key}"' if key else '"type" alone'
        raise _malformed(f'unknown key "{_shown(unknown[0])}"; a {kind} takes {right}')
    if key is None:
        return _SINGLE_WORDS[kind]
    if key not in given:
        raise _malformed(f'a {kind} needs "{key}"')
    value = cast(object, given[key])
    if kind == "answer":
        if not isinstance(value, bool):
            raise _malformed('"accept" must be true or false')
        return ACCEPT if value else DECLINE
    if not isinstance(value, str):
        raise _malformed(f'"{key}" must be a text')
    return _with_argument(kind, value)


def _no_type(kind: object) -> str:
    return f'no action has the "type" "{_shown(kind)}"' if isinstance(kind, str) else 'an action needs a "type", a text'


def _cell(text: str) -> str:
    if parse_pair(text) is None:
        raise _malformed(f'"{_shown(text)}" is no cell; a cell is written x,y')
    return text


def _choice(text: str) -> str:
    if text not in REWARD_CHOICES:
        raise _malformed(f'"{_shown(text)}" is no reward')
    return text


def _shown(text: str) -> str:
    return printable(text if len(text) <= 60 else text[:60] + "…")


def _malformed(reason: str) -> Refusal:
    return Refusal(Code.MALFORMED_ACTION, reason)
