"""Skirmish positions from drawn hex maps, and drawings of positions and of how far a piece comes.

A drawing has a row of the map a line and a hex a word: the ground as in scenario files (`_` for no hex), or a piece,
ivory's in capitals and crimson's in small letters, with its number and, where that is not plain, the ground it stands
on: `K1`, `o2F`, `S1I`. Odd rows are shoved right for the eye alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import livingtable
from livingtable.games.skirmish import SkirmishState

Event = dict[str, Any]

_PIECE = re.compile(r"([KAWGOTDS])(\d+)([.=F^IC]?)", re.IGNORECASE)


def words(picture: str) -> list[list[str]]:
    """The hexes of a drawing, row by row, to the last hex of each."""
    return [_without_blanks_behind(line.split()) for line in picture.splitlines() if line.strip()]


def _without_blanks_behind(row: list[str]) -> list[str]:
    while row and row[-1] == "_":
        row.pop()
    return row


def hex_at(column: int, row: int) -> str:
    """SK-0.1: q = c - (r - (r & 1)) / 2."""
    return f"{column - (row - (row & 1)) // 2},{row}"


def full_id(short: str) -> str:
    """`K1` is ivory-K1, `k1` crimson-K1."""
    return f"{'ivory' if short[0].isupper() else 'crimson'}-{short.upper()}"


def short_id(piece_id: str) -> str:
    side, _, short = piece_id.partition("-")
    return short if side == "ivory" else short.lower()


def setup_of(
    picture: str,
    *,
    d6: Sequence[int] = (),
    figures: Mapping[str, Mapping[str, Any]] | None = None,
    **setup: Any,
) -> dict[str, Any]:
    """The set-up of a drawing. The pieces stand in it as read, row by row; `figures` (by `K1`, `k1`) adds to them,
    `d6` are loaded dice, further keys are the set-up's."""
    rows: list[str] = []
    pieces: list[dict[str, Any]] = []
    for r, row in enumerate(words(picture)):
        ground = ""
        for c, word in enumerate(row):
            found = _PIECE.fullmatch(word)
            ground += (found[3] or ".") if found else word.replace("_", " ")
            if found:
                short = found[1] + found[2]
                side = "ivory" if found[1].isupper() else "crimson"
                piece = {"id": full_id(short), "kind": found[1].upper(), "side": side, "hex": hex_at(c, r)}
                pieces.append({**piece, **(figures or {}).get(short, {})})
        rows.append(ground)
    return {"game": "skirmish", "map": rows, "pieces": pieces, "dice": {"d6": list(d6)}, **setup}


def started(setup: Mapping[str, Any], seed: int = 1) -> SkirmishState:
    return cast(SkirmishState, livingtable.new_game(setup, seed=seed))


def drawn(
    picture: str,
    *,
    d6: Sequence[int] = (),
    figures: Mapping[str, Mapping[str, Any]] | None = None,
    seed: int = 1,
    **setup: Any,
) -> SkirmishState:
    """The state of a drawing; as `setup_of`."""
    return started(setup_of(picture, d6=d6, figures=figures, **setup), seed)


def picture_of(state: SkirmishState) -> list[list[str]]:
    """The position as `words` of a drawing."""
    view = state.view(None)
    picture = [[sign.replace(" ", "_") for sign in row] for row in view["map"]]
    for piece in view["pieces"]:
        c, r = _place(piece["hex"])
        picture[r][c] = short_id(piece["id"]) + picture[r][c].replace(".", "")
    return [_without_blanks_behind(row) for row in picture]


def same_board(state: SkirmishState, picture: str) -> bool:
    """Whether the position looks like the drawing."""
    return picture_of(state) == words(picture)


def reach_of(state: SkirmishState, short: str) -> list[list[str]]:
    """The position with the cost drawn on each hex to which a piece of the side to act may move."""
    picture = picture_of(state)
    for to, event in moves_of(state, short).items():
        c, r = _place(to)
        picture[r][c] = str(event["cost"])
    return picture


def same_reach(state: SkirmishState, short: str, picture: str) -> bool:
    """Whether a piece reaches what the drawing says, for the costs that stand there."""
    return reach_of(state, short) == words(picture)


def _place(name: str) -> tuple[int, int]:
    q, r = (int(part) for part in name.split(","))
    return q + (r - (r & 1)) // 2, r


def moves_of(state: SkirmishState, short: str) -> dict[str, Event]:
    """By hex: the event of moving there, for all that is listed for a piece of the side to act."""
    (side,) = state.to_act
    found: dict[str, Event] = {}
    for action in state.legal_actions(side):
        data = action.to_data()
        if data["type"] == "move" and data["pieceId"] == full_id(short):
            found[data["to"]] = data_of(state.copy().apply(side, action))[0]
    return found


def targets_of(state: SkirmishState, short: str) -> list[str]:
    """Whom a piece of the side to act may attack, by short id."""
    (side,) = state.to_act
    attacks = (a.to_data() for a in state.legal_actions(side))
    return [short_id(a["defenderId"]) for a in attacks if a.get("attackerId") == full_id(short)]


def data_of(events: Sequence[Any]) -> list[Event]:
    """Events as the wire's objects."""
    return [event.to_data() for event in events]


def act(state: SkirmishState, *notations: str) -> list[Event]:
    """Whoever is to act plays the notations, one after the other; gives all events as objects."""
    events: list[Event] = []
    for notation in notations:
        events += data_of(state.apply(state.to_act[0], state.parse_action(notation)))
    return events


def legal(state: SkirmishState) -> list[str]:
    """The notations of what the side to act may do."""
    return [action.notation for action in state.legal_actions(state.to_act[0])] if state.to_act else []


def kinds(events: Sequence[Event]) -> list[str]:
    """The types of events, in order."""
    return [event["type"] for event in events]


def named(events: Sequence[Event], kind: str) -> list[Event]:
    """The events of a type, in order."""
    return [event for event in events if event["type"] == kind]


def only(events: Sequence[Event], kind: str) -> Event:
    """The one event of a type."""
    (event,) = named(events, kind)
    return event


def piece(state: SkirmishState, short: str) -> dict[str, Any]:
    """What the view says of a piece."""
    (found,) = (p for p in state.view(None)["pieces"] if p["id"] == full_id(short))
    return found


def figures_of(state: SkirmishState, key: str) -> dict[str, Any]:
    """One figure of every piece, by short id: `hp`, `hex`, `afraid`, …"""
    return {short_id(p["id"]): p[key] for p in state.view(None)["pieces"]}


def afraid(state: SkirmishState) -> list[str]:
    return [short for short, mark in figures_of(state, "afraid").items() if mark]
