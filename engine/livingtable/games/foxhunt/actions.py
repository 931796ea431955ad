"""What a player can do in foxhunt (FX-1.4, the whole set), as JSON object and as notation; and the table's clock.

The order in which legal actions are listed is fixed: `move` N, E, S, W; `bomb`; `throw` N, E, S, W, each from near to
far; last `stay`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from livingtable.errors import Code, Refusal
from livingtable.game import printable
from livingtable.games.foxhunt.yard import DIRECTIONS

SERVER = "server"
"""The side of what no player does (the wire contract): the clock's cut, and events without a player."""
DISTANCE_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class Move:
    direction: str

    @property
    def notation(self) -> str:
        return f"move {self.direction}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "move", "direction": self.direction}


@dataclass(frozen=True, slots=True)
class LayBomb:
    @property
    def notation(self) -> str:
        return "bomb"

    def to_data(self) -> dict[str, Any]:
        return {"type": "bomb"}


@dataclass(frozen=True, slots=True)
class Throw:
    direction: str
    distance: int

    @property
    def notation(self) -> str:
        return f"throw {self.direction} {self.distance}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "throw", "direction": self.direction, "distance": self.distance}


@dataclass(frozen=True, slots=True)
class Stay:
    @property
    def notation(self) -> str:
        return "stay"

    def to_data(self) -> dict[str, Any]:
        return {"type": "stay"}


@dataclass(frozen=True, slots=True)
class Clock:
    """The round's time is up (FX-1.2): the table's own action, no player's."""

    @property
    def notation(self) -> str:
        return "clock"

    def to_data(self) -> dict[str, Any]:
        return {"type": "clock"}


FoxhuntAction = Move | LayBomb | Throw | Stay | Clock
MOVES = tuple(Move(direction) for direction in DIRECTIONS)
THROWS = tuple(tuple(Throw(direction, n) for n in range(1, DISTANCE_AT_MOST + 1)) for direction in DIRECTIONS)
"""`THROWS[d][n - 1]` goes n fields in direction d."""
BOMB, STAY, CLOCK = LayBomb(), Stay(), Clock()

_KEYS = {"move": ("direction",), "bomb": (), "throw": ("direction", "distance"), "stay": ()}
_NUMBER = re.compile(r"[1-9]\d{0,2}")


def parse_action(given: str | Mapping[str, Any], side: str | None) -> FoxhuntAction:
    """The action that a notation or a JSON object writes; the clock's only for `server` or nobody (a record's).

    Raises `Refusal` (`malformed_action`) where it is none, which offers nothing instead: what is legal depends on the
    position. Of a notation, blanks around and between the words do not count; all else must be as listed.
    """
    if side in (SERVER, None) and given in (CLOCK.notation, CLOCK.to_data()):
        return CLOCK
    if side == SERVER:
        raise _malformed('the table itself can only cut the round off: {"type": "clock"}')
    return _parse_notation(given) if isinstance(given, str) else _parse_object(given)


def _parse_notation(text: str) -> FoxhuntAction:
    if len(text) > 2000:
        raise _malformed(f"the notation has {len(text)} characters, too many for an action")
    match text.split():
        case ["bomb"]:
            return BOMB
        case ["stay"]:
            return STAY
        case ["move", direction]:
            return MOVES[_direction(direction)]
        case ["throw", direction, number] if _NUMBER.fullmatch(number):
            return _throw(_direction(direction), int(number))
        case ["move", _, _, *_] if all(word in DIRECTIONS for word in text.split()[1:]):
            raise _malformed(f'"{_shown(text)}" names more than one: choose one')
        case ["throw", _, _, _, *_] if all(_NUMBER.fullmatch(word) for word in text.split()[2:]):
            raise _malformed(f'"{_shown(text)}" names more than one: choose one')
        case _:
            raise _malformed(f'"{_shown(text)}" is no action')


def _parse_object(given: Mapping[str, Any]) -> FoxhuntAction:
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise _malformed(_no_type(kind))
    keys = _KEYS[kind]
    unknown = sorted(str(k) for k in given if k not in ("type", *keys))
    if unknown:
        right = " and ".join(f'"{key}"' for key in ("type", *keys))
        raise _malformed(f'unknown key "{_shown(unknown[0])}"; {kind} takes {right}')
    if kind == "bomb":
        return BOMB
    if kind == "stay":
        return STAY
    direction = _direction(given.get("direction"))
    if kind == "move":
        return MOVES[direction]
    distance = cast(object, given.get("distance"))
    if not isinstance(distance, int) or isinstance(distance, bool):
        raise _malformed('throw needs "distance", a whole number of fields from 1')
    return _throw(direction, distance)


def _no_type(kind: object) -> str:
    return f'no action has the "type" "{_shown(kind)}"' if isinstance(kind, str) else 'an action needs a "type", a text'


def _direction(value: object) -> int:
    if not isinstance(value, str) or value not in DIRECTIONS:
        raise _malformed(f'"{_shown(value)}" is no direction' if isinstance(value, str) else 'a "direction" is missing')
    return DIRECTIONS.index(value)


def _throw(direction: int, distance: int) -> Throw:
    if not 1 <= distance <= DISTANCE_AT_MOST:
        raise _malformed("a throw goes a whole number of fields, from 1 to the throwRange of the game")
    return THROWS[direction][distance - 1]


def _shown(text: str) -> str:
    return printable(text if len(text) <= 60 else text[:60] + "…")


def _malformed(reason: str) -> Refusal:
    return Refusal(Code.MALFORMED_ACTION, reason)
