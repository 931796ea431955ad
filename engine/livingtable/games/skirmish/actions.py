"""What a side can do in skirmish (SK-1.3, the whole set), as JSON object and as notation.

The order in which legal actions are listed is fixed: by piece in the order of the set-up, each one's attacks (targets
in the order of the set-up) before its moves (row by row from the north, in a row from the west); last `end`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from livingtable.errors import Code, Refusal
from livingtable.game import printable
from livingtable.games.skirmish.kinds import SIDES
from livingtable.grids import parse_pair


@dataclass(frozen=True, slots=True)
class Move:
    piece_id: str
    to: str

    @property
    def notation(self) -> str:
        return f"{short(self.piece_id)} > {self.to}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "move", "pieceId": self.piece_id, "to": self.to}


@dataclass(frozen=True, slots=True)
class Attack:
    attacker_id: str
    defender_id: str

    @property
    def notation(self) -> str:
        return f"{short(self.attacker_id)} x {short(self.defender_id)}"

    def to_data(self) -> dict[str, Any]:
        return {"type": "attack", "attackerId": self.attacker_id, "defenderId": self.defender_id}


@dataclass(frozen=True, slots=True)
class EndTurn:
    @property
    def notation(self) -> str:
        return "end"

    def to_data(self) -> dict[str, Any]:
        return {"type": "end_turn"}


SkirmishAction = Move | Attack | EndTurn
END_TURN = EndTurn()

_KEYS = {"move": ("pieceId", "to"), "attack": ("attackerId", "defenderId"), "end_turn": ()}


def short(piece_id: str) -> str:
    """A piece without its side, as notations name it: `K1` for `ivory-K1`."""
    return piece_id.partition("-")[2]


def parse_action(given: str | Mapping[str, Any], side: str) -> SkirmishAction:
    """The action that a notation or a JSON object writes, a notation's first piece being one of that side.

    Raises `Refusal` (`malformed_action`) where it is none, which offers nothing instead: what is legal depends on the
    position. Of a notation, blanks around and between the words do not count; all else must be as listed.
    """
    return _parse_notation(given, side) if isinstance(given, str) else _parse_object(given)


def _parse_notation(text: str, side: str) -> SkirmishAction:
    if len(text) > 2000:
        raise _malformed(f"the notation has {len(text)} characters, too many for an action")
    match text.split():
        case ["end"]:
            return END_TURN
        case [piece, ">", to]:
            return Move(f"{side}-{_piece(piece)}", _hex(to))
        case [piece, "x", target]:
            return Attack(f"{side}-{_piece(piece)}", f"{_other(side)}-{_piece(target)}")
        case [_, ">" | "x", *alternatives] if len(alternatives) > 1 and all(map(_is_target, alternatives)):
            raise _malformed(f'"{_shown(text)}" names more than one: choose one')
        case _:
            raise _malformed(f'"{_shown(text)}" is no action')


def _is_target(word: str) -> bool:
    """A hex or a piece, at least in its form; else what is wrong is not that several were sent."""
    return parse_pair(word) is not None or word.isalnum()


def _parse_object(given: Mapping[str, Any]) -> SkirmishAction:
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise _malformed(_no_type(kind))
    keys = _KEYS[kind]
    unknown = sorted(str(k) for k in given if k not in ("type", *keys))
    if unknown:
        right = " and ".join(f'"{key}"' for key in ("type", *keys))
        raise _malformed(f'unknown key "{_shown(unknown[0])}"; {kind} takes {right}')
    values: list[str] = []
    for key in keys:
        value = cast(object, given.get(key))
        if not isinstance(value, str):
            raise _malformed(f'{kind} needs "{key}", a text')
        values.append(value)
    if kind == "end_turn":
        return END_TURN
    return Move(values[0], _hex(values[1])) if kind == "move" else Attack(*values)


def _no_type(kind: object) -> str:
    return f'no action has the "type" "{_shown(kind)}"' if isinstance(kind, str) else 'an action needs a "type", a text'


def _piece(text: str) -> str:
    if "-" in text:
        raise _malformed(f'"{_shown(text)}": name pieces without their side')
    return text


def _hex(text: str) -> str:
    if parse_pair(text) is None:
        raise _malformed(f'"{_shown(text)}" is no hex; a hex is written q,r')
    return text


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _shown(text: str) -> str:
    return printable(text if len(text) <= 60 else text[:60] + "…")


def _malformed(reason: str) -> Refusal:
    return Refusal(Code.MALFORMED_ACTION, reason)
