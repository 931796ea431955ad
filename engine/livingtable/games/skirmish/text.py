"""Events as short texts, one line each; what belongs to one attack shares a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

EventObject = Mapping[str, Any]

_PART_OF_AN_ATTACK = ("damaged", "destroyed", "afraid")


def describe(events: Sequence[EventObject]) -> list[str]:
    """`ivory-K1 1,5 > 4,4`, `ivory-A1 x crimson-O2: 5, needs 5, hits; crimson-O2 destroyed`."""
    lines: list[str] = []
    for event in events:
        if event["type"] == "damaged" and event["hp"] == 0:
            continue  # `destroyed` follows.
        text = _TEXTS[event["type"]](event)
        if lines and event["type"] in _PART_OF_AN_ATTACK:
            lines[-1] += f"; {text}"
        else:
            lines.append(text)
    return lines


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
