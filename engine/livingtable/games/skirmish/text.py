"""Events as short texts, one line each; what belongs to one attack shares a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from livingtable.game import Data, Told

EventObject = Mapping[str, Any]

_PART_OF_AN_ATTACK = ("damaged", "destroyed", "afraid")


ROUTINE = frozenset({"moved", "turn_ended", "regenerated"})
"""What is left out first where an account is too long."""
_PIECES = ("pieceId", "attackerId", "defenderId")


def describe(events: Sequence[Data]) -> list[str]:
    """`ivory-K1 1,5 > 4,4`, `ivory-A1 x crimson-O2: 5, needs 5, hits; crimson-O2 destroyed`."""
    return [line.text for line in tell(events)]


def concerned(event: Data) -> set[str]:
    """The side that acts, and those whose pieces it is about."""
    pieces = [event[key] for key in _PIECES if key in event] + list(event.get("pieceIds", ()))
    return {event["side"], *(piece.partition("-")[0] for piece in pieces)}


def tell(events: Sequence[Data]) -> list[Told]:
    """The lines, each with what it tells."""
    lines: list[str] = []
    told: list[list[Data]] = []
    for event in events:
        if event["type"] == "damaged" and event["hp"] == 0:
            continue  # `destroyed` follows.
        text = _TEXTS[event["type"]](event)
        if lines and event["type"] in _PART_OF_AN_ATTACK:
            lines[-1] += f"; {text}"
            told[-1].append(event)
        else:
            lines.append(text)
            told.append([event])
    return [Told(text, tuple(group)) for text, group in zip(lines, told, strict=True)]


def _attacked(e: EventObject) -> str:
    modifier = f"{e['modifier']:+d}" if e["modifier"] else ""
    how = "hits" if e["hit"] else "misses"
    return f"{e['attackerId']} x {e['defenderId']}: {e['roll']}{modifier}, needs {e['needed']}, {how}"


_TEXTS: dict[str, Callable[[EventObject], str]] = {
    "moved": lambda e: f"{e['pieceId']} {e['from']} > {e['to']}",
    "attacked": _attacked,
    "damaged": lambda e: f"{e['pieceId']} {e['hp']} hp",
    "destroyed": lambda e: f"{e['pieceId']} destroyed",
    "afraid": lambda e: f"afraid: {', '.join(e['pieceIds'])}",
    "regenerated": lambda e: f"{e['pieceId']} heals to {e['hp']} hp",
    "turn_ended": lambda e: f"{e['side']} ends turn {e['turn']}",
    "castle_taken": lambda e: f"{e['pieceId']} takes the castle",
    "game_over": lambda e: f"game over: {e['reason']}",
}
