"""The shapes that the wire contract gives, to hold answers against.

A shape is a type, a set of texts (one of them), a list (of one shape each), a tuple (one of the shapes), or a dict
whose keys must be there, those that end in `?` if at all. More keys than that may be there: the contract allows it.
"""

from __future__ import annotations

import re
from typing import Any, cast

Shape = Any

SEAT = {"side": str, "name": str, "controller": str}
ROW = {"place": int, "side": str, "name": str, "score": int}
RESULT = ({"reason": str, "winners": [str], "ranking": [ROW], "party?": [str]}, None)
CHARACTER = {
    "id": str,
    "name": str,
    "characterType": {"player", "troll"},
    "pieceType": {"player", "troll"},
    "position": (str, None),
    "strength": float,
    "health": float,
    "maxHealth": float,
    "score": int,
    "alive": bool,
    "leader": (str, None),
}
PARTY = {"leader": str, "members": [str], "totalStrength": float, "consecutivePasses": int}
STATE = {
    "width": int,
    "height": int,
    "terrain": [str],
    "turn": str,
    "offer": ({"from": str, "to": str}, None),
    "characters": [CHARACTER],
    "parties": [PARTY],
    "wizard": ({"name": str, "position": str, "strength": float}, None),
    "graves": [{"id": str, "position": str}],
    "maxRounds": (int, None),
}
_SNAPSHOT = {
    "sessionId": str,
    "game": str,
    "scenario": str,
    "seed": int,
    "version": int,
    "round": int,
    "phase": {"turn", "answer", "reward"},
    "toAct": [str],
    "seats": [SEAT],
    "result": RESULT,
}
FULL_SNAPSHOT = {**_SNAPSHOT, "state": STATE}
BRIEF_SNAPSHOT = {**_SNAPSHOT, "board": str}

EVENT = {"type": str, "version": int, "side": str}
_PROGRESS = {"version": int, "toAct": [str], "result": RESULT, "side": (str, None)}
_BRIEF = {**_PROGRESS, "events": [str], "board": str, "legal": [str], "eventsOmitted?": int}
_FULL = {**_PROGRESS, "events": [EVENT], "state": STATE, "actions": [{"type": str}]}
BRIEF_OUTCOME = {"ok": bool, "repeated?": bool, **_BRIEF}
FULL_OUTCOME = {"ok": bool, "repeated?": bool, **_FULL}
BRIEF_WAIT = {"ready": bool, "retryAfterSeconds?": int, **_BRIEF}
FULL_WAIT = {"ready": bool, "retryAfterSeconds?": int, **_FULL}

RECORD = {
    "format": {"living-table/1"},
    "game": str,
    "scenario": dict,
    "seed": int,
    "start": dict,
    "seats": [SEAT],
    "actions": [{"version": int, "side": str, "action": {"type": str}}],
    "events": [EVENT],
    "result": RESULT,
    "engine": str,
}

_BOUT = {"attackerRolls": [int], "defenderRolls": [int], "winner": str}
EVENTS: dict[str, Shape] = {
    "moved": {"from": str, "to": str, "line": dict},
    "squeezed": {"losses": dict},
    "passed": {"consecutivePasses": int},
    "unstuck": {"line": dict},
    "unstuck_failed": {},
    "ally_offered": {"target": str},
    "ally_answered": {"accept": bool},
    "party_formed": {"members": [str]},
    "joined": {"id": str, "party": str, "position": str},
    "battle": {
        "attacker": str,
        "defender": str,
        "attackers": [str],
        "defenders": [str],
        "attackerStrength": float,
        "defenderStrength": float,
        "bouts": [_BOUT],
        "winner": str,
    },
    "scored": {"id": str, "delta": int, "score": int},
    "damaged": {"id": str, "amount": float, "health": float},
    "died": {"id": str, "position": str},
    "line_closed": {"line": dict},
    "leader_changed": {"party": str, "leader": str},
    "absorbed": {"id": str, "party": str, "position": str},
    "party_dissolved": {"members": [str]},
    "respawned": {"id": str, "position": str},
    "challenge": {"challenger": str, "strength": float, "wizardStrength": float, "bouts": [_BOUT], "winner": str},
    "wizard_moved": {"position": str},
    "rewarded": {"choice": str, "id": str, "value": (int, float)},
    "slept": {"health": float},
    "game_over": {"reason": str},
}


def misfit(data: object, shape: Shape, place: str = "") -> str:
    """Where the data does not have the shape, "" where it does."""
    if isinstance(shape, tuple):
        found = [misfit(data, one, place) for one in cast("tuple[Shape, ...]", shape)]
        return "" if "" in found else found[0]
    if isinstance(shape, set):
        return "" if data in cast("set[str]", shape) else f"{place}: {data!r}"
    if isinstance(shape, list):
        (each,) = cast("list[Shape]", shape)
        if not isinstance(data, list):
            return f"{place}: no list"
        parts = [misfit(part, each, f"{place}[{i}]") for i, part in enumerate(cast("list[object]", data))]
        return next((part for part in parts if part), "")
    if isinstance(shape, dict):
        return _misfit_of_object(data, cast("dict[str, Shape]", shape), place)
    if shape is None:
        return "" if data is None else f"{place}: {data!r} is not null"
    exact = type(data) is shape
    return "" if exact else f"{place}: {data!r} is no {shape.__name__}"


def _misfit_of_object(data: object, shape: dict[str, Shape], place: str) -> str:
    if not isinstance(data, dict):
        return f"{place}: no object"
    given = cast("dict[str, object]", data)
    for name, part in shape.items():
        key = name.removesuffix("?")
        if key not in given:
            if name == key:
                return f"{place}.{key} is missing"
            continue
        found = misfit(given[key], part, f"{place}.{key}")
        if found:
            return found
    strange = [key for key in given if not re.fullmatch(r"[a-z][a-zA-Z0-9]*", key)]
    return f"{place}: keys {strange}" if strange else ""
