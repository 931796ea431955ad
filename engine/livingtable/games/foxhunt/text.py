"""Events as short texts: a line for a round's commands, one for each thing that came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from livingtable.game import Data, Told

EventObject = Mapping[str, Any]


ROUTINE = frozenset({"committed", "round_resolved", "moved", "bomb_laid", "scored", "special_appeared"})
"""What is left out first where an account is too long."""


def describe(events: Sequence[Data]) -> list[str]:
    """`round 7: p1 move N, p2 bomb`, `p1 catches the fox p3`, `p1 is now at 5,5`.

    Moves stand in their round's line alone; who has committed is told while the round is open.
    """
    return [line.text for line in tell(events)]


def concerned(event: Data) -> set[str]:
    """The player concerned, and who catches whom. A round's line names all players, and so concerns none of them."""
    return {event[key] for key in ("side", "fox", "by") if key in event}


def tell(events: Sequence[Data]) -> list[Told]:
    """The lines, each with what it tells."""
    lines: list[str] = []
    told: list[list[Data]] = []
    committed: dict[str, Data] = {}
    before = ""
    for event in events:
        kind = event["type"]
        if kind == "committed":
            committed.setdefault(event["side"], event)
            continue
        if kind == "round_resolved":
            committed.clear()
        text = "" if kind == "moved" and before in ("round_resolved", "moved") else _TEXTS[kind](event)
        if lines and kind in _SHARED and before in _SHARED[kind]:
            lines[-1] += f"; {text}"
            told[-1].append(event)
        elif text:
            lines.append(text)
            told.append([event])
        before = kind
    if committed:
        lines.append(f"committed: {', '.join(committed)}")
        told.append(list(committed.values()))
    return [Told(text, tuple(group)) for text, group in zip(lines, told, strict=True)]


_BLAST = ("exploded", "special_destroyed", "wall_destroyed", "paralysed", "protected")
_SHARED: dict[str, tuple[str, ...]] = {
    "teleported": ("caught",),
    **dict.fromkeys(_BLAST[1:], _BLAST),
}
"""What is put on the line of what it follows."""


def _round_resolved(e: EventObject) -> str:
    told = ", ".join(f"{c['side']} {_command(c['action'])}" for c in e["commands"])
    return f"round {e['round']}: {told or 'nobody acts'}"


def _command(action: Mapping[str, Any]) -> str:
    words = [action["type"], action.get("direction"), action.get("distance")]
    return " ".join(str(word) for word in words if word is not None)


def _wall_destroyed(e: EventObject) -> str:
    found = f", under it {_SPECIALS[e['revealed']]}" if "revealed" in e else ""
    return f"wall {e['position']} breaks{found}"


_SPECIALS = {"range": "a range special", "bombs": "a bombs special", "hat": "a hat"}

_TEXTS: dict[str, Callable[[EventObject], str]] = {
    "round_resolved": _round_resolved,
    "moved": lambda e: f"{e['side']} moves {e['from']} to {e['to']}",
    "picked_up": lambda e: f"{e['side']} takes {_SPECIALS[e['kind']]} at {e['position']}",
    "caught": lambda e: f"{e['by']} catches the fox {e['fox']} and is the fox now",
    "teleported": lambda e: f"{e['side']} is teleported to {e['position']}",
    "bomb_laid": lambda e: f"{e['side']}'s bomb lies at {e['position']}, range {e['range']}, fuse {e['fuse']}",
    "exploded": lambda e: f"explosion of {' '.join(e['bombs'])}",
    "wall_destroyed": _wall_destroyed,
    "special_destroyed": lambda e: f"{_SPECIALS[e['kind']]} at {e['position']} is destroyed",
    "paralysed": lambda e: f"{e['side']} is paralysed for {e['rounds']} rounds and loses its specials",
    "protected": lambda e: f"{e['side']}'s hat protects it",
    "scored": lambda e: f"fox {e['side']} +{e['points']} = {e['total']}",
    "special_appeared": lambda e: f"{_SPECIALS[e['kind']]} appears at {e['position']}",
    "game_over": lambda e: f"game over: {e['reason']}",
}
