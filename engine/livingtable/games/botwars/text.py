"""Events as short texts, one line each; what belongs to one battle shares a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from livingtable.game import Data, Told

EventObject = Mapping[str, Any]

_PART_OF_IT = (
    "scored",
    "damaged",
    "died",
    "line_closed",
    "absorbed",
    "leader_changed",
    "party_dissolved",
    "respawned",
    "squeezed",
    "rewarded",
)
"""These follow what caused them and are put on its line."""


ROUTINE = frozenset({"moved", "slept", "wizard_moved"})
"""What is left out first where an account is too long."""


def describe(events: Sequence[Data]) -> list[str]:
    """`p2 moves 3,4 to 4,4`, `p1+p3 4.1 beat t1 3.5, 2:1; t1 -2 hp`."""
    return [line.text for line in tell(events)]


def tell(events: Sequence[Data]) -> list[Told]:
    """The lines, each with what it tells."""
    lines: list[str] = []
    told: list[list[Data]] = []
    offer: list[Data] = []
    before = ""
    challenged = False
    for event in events:
        kind = event["type"]
        text = _TEXTS[kind](event)
        if lines and kind == "scored" and before == "scored":
            lines[-1] += f" {text.removeprefix('score ')}"
            told[-1].append(event)
        elif lines and (kind in _PART_OF_IT or (kind == "wizard_moved" and challenged)):
            lines[-1] += f"; {text}"
            told[-1].append(event)
        else:
            lines.append(text)
            # An answer concerns who offered, too, whom it does not name.
            told.append([*offer, event] if kind == "ally_answered" else [event])
            offer = [event] if kind == "ally_offered" else []
        # A challenge sends him off once (BW-6.6); else he roams, which is nobody's doing and has a line of its own.
        challenged = kind == "challenge" or (challenged and kind in _PART_OF_IT)
        before = kind
    return [Told(text, tuple(group)) for text, group in zip(lines, told, strict=True)]


def _moved(e: EventObject) -> str:
    return f"{e['side']} moves {e['from']} to {e['to']}"


def _squeezed(e: EventObject) -> str:
    return "squeezed: " + ", ".join(f"{side} -{loss} strength" for side, loss in e["losses"].items())


def _passed(e: EventObject) -> str:
    count = e["consecutivePasses"]
    return f"{e['side']} passes" + (f" ({count} in a row)" if count > 1 else "")


def _line(e: EventObject) -> str:
    return " ".join(f"{side} {cell}" for side, cell in e["line"].items())


def _battle(e: EventObject) -> str:
    sides = {
        "attacker": f"{'+'.join(e['attackers'])} {e['attackerStrength']}",
        "defender": f"{'+'.join(e['defenders'])} {e['defenderStrength']}",
    }
    won = e["winner"] == e["attacker"]
    first, second = (
        (sides["attacker"], sides["defender"]) if won else (sides["defender"], f"the attacker {sides['attacker']}")
    )
    many = len(e["attackers" if won else "defenders"]) > 1
    return f"{first} {'beat' if many else 'beats'} {second}, {_bouts(e, e['winner'])}"


def _bouts(e: EventObject, winner: str) -> str:
    won = sum(1 for bout in e["bouts"] if bout["winner"] == winner)
    return f"{won}:{len(e['bouts']) - won}"


def _challenge(e: EventObject) -> str:
    won = e["winner"] == e["challenger"]
    how = f"{e['challenger']} {e['strength']} challenges the Wizard {e['wizardStrength']}"
    return f"{how} and {'wins' if won else 'loses'}, {_bouts(e, e['winner'])}"


def _scored(e: EventObject) -> str:
    return f"score {e['id']} {e['delta']:+d}"


def _damaged(e: EventObject) -> str:
    return f"{e['id']} -{e['amount']:g} hp"


def _answered(e: EventObject) -> str:
    return f"{e['side']} {'accepts' if e['accept'] else 'declines'}"


def _rewarded(e: EventObject) -> str:
    return f"{e['id']} takes {e['choice']}, now {e['value']}"


_TEXTS: dict[str, Callable[[EventObject], str]] = {
    "moved": _moved,
    "squeezed": _squeezed,
    "passed": _passed,
    "unstuck": lambda e: f"{e['side']}'s party is forced on: {_line(e)}",
    "unstuck_failed": lambda e: f"{e['side']}'s party is stuck and cannot be forced on",
    "ally_offered": lambda e: f"{e['side']} offers {e['target']} an alliance",
    "ally_answered": _answered,
    "party_formed": lambda e: f"party {'>'.join(e['members'])} forms",
    "joined": lambda e: f"{e['id']} joins {e['party']}'s line at {e['position']}",
    "battle": _battle,
    "scored": _scored,
    "damaged": _damaged,
    "died": lambda e: f"{e['id']} dies at {e['position']}",
    "line_closed": lambda e: f"line closes: {_line(e)}",
    "leader_changed": lambda e: f"{e['leader']} leads for {e['party']}",
    "absorbed": lambda e: f"{e['id']} falls in with {e['party']}'s line at {e['position']}",
    "party_dissolved": lambda e: f"{', '.join(e['members'])} now solo",
    "respawned": lambda e: f"{e['id']} respawns at {e['position']}",
    "challenge": _challenge,
    "wizard_moved": lambda e: f"the Wizard to {e['position']}",
    "rewarded": _rewarded,
    "slept": lambda e: f"{e['side']} sleeps, {e['health']} hp",
    "game_over": lambda e: f"game over: {e['reason']}",
}
