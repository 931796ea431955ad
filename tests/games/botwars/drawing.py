"""Botwars positions from drawn boards, and boards drawn from positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any, cast

import livingtable
from livingtable.events import camel
from livingtable.games.botwars.state import BotwarsState
from livingtable.games.botwars.view import board

PLAYERS, TROLLS = "123456789", "TABCD"


def drawn(
    picture: str,
    *,
    seed: int = 1,
    d20: Sequence[int] = (),
    d3: Sequence[int] = (),
    figures: Mapping[str, Mapping[str, Any]] | None = None,
    **setup: Any,
) -> BotwarsState:
    """The state of a drawn board: `1` is p1, `2` p2, …; `T` is t1, `A` t2, …; `G` Gary; `.`, `M`, `F` the ground.

    Players have strength 2.0, trolls 4.0, everybody health 10.0, if `figures` (by id, as in a set-up) does not say
    otherwise. Without `G` there is no wizard. `d20` and `d3` are loaded dice; further keys are the set-up's.
    """
    rows = dedent(picture).strip().splitlines()
    placed = sorted(
        (sign in TROLLS, (TROLLS if sign in TROLLS else PLAYERS).index(sign), f"{x},{y}")
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign in PLAYERS + TROLLS
    )
    characters = [_character(troll, number, cell, figures or {}) for troll, number, cell in placed]
    garys = [f"{x},{y}" for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "G"]
    data: dict[str, Any] = {
        "game": "botwars",
        "map": ["".join(sign if sign in "MF" else "." for sign in row) for row in rows],
        "characters": characters,
        "wizard": {"position": garys[0]} if garys else None,
        "dice": {"d20": list(d20), "d3": list(d3)},
        **{camel(key): value for key, value in setup.items()},
    }
    return cast(BotwarsState, livingtable.new_game(data, seed=seed))


def _character(troll: bool, number: int, cell: str, figures: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    side = f"{'t' if troll else 'p'}{number + 1}"
    kind = "troll" if troll else "player"
    base = {"id": side, "characterType": kind, "position": cell, "strength": 4.0 if troll else 2.0, "health": 10.0}
    return {**base, **figures.get(side, {})}


def picture_of(state: BotwarsState) -> str:
    """The grid alone, as `drawn` reads it; a grave is `+`."""
    width, height = state.terrain.width, state.terrain.height
    lines = board(state).splitlines()
    header = 2 if width > 20 else 1
    return "\n".join(line[-width:] for line in lines[header : header + height])


def same_board(state: BotwarsState, picture: str) -> bool:
    """Whether the position looks like the drawing."""
    return picture_of(state) == dedent(picture).strip()


def data_of(events: Sequence[Any]) -> list[dict[str, Any]]:
    """Events as the wire's objects."""
    return [event.to_data() for event in events]


def act(state: BotwarsState, side: str, notation: str) -> list[dict[str, Any]]:
    """Plays a notation and gives the events as objects."""
    return data_of(state.apply(side, state.parse_action(notation)))


def kinds(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The types of events, in order."""
    return [event["type"] for event in events]


def named(events: Sequence[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    """The events of a type, in order."""
    return [event for event in events if event["type"] == kind]


def only(events: Sequence[Mapping[str, Any]], kind: str) -> Mapping[str, Any]:
    """The one event of a type."""
    (event,) = named(events, kind)
    return event


def character(state: BotwarsState, side: str) -> dict[str, Any]:
    """What the view says of a character."""
    (found,) = (c for c in state.view(None)["characters"] if c["id"] == side)
    return found


def figures_of(state: BotwarsState, key: str) -> dict[str, Any]:
    """One figure of everybody, by id: `strength`, `health`, `score`, `position`, …"""
    return {c["id"]: c[key] for c in state.view(None)["characters"]}


def parties_of(state: BotwarsState) -> list[list[str]]:
    """The parties' members, in line order."""
    return [party["members"] for party in state.view(None)["parties"]]


def passes_of(state: BotwarsState, leader: str) -> int:
    """A party's count of consecutive passes."""
    (count,) = (p["consecutivePasses"] for p in state.view(None)["parties"] if p["leader"] == leader)
    return count


def graves_of(state: BotwarsState) -> dict[str, str]:
    """Where the gravestones stand, by id."""
    return {grave["id"]: grave["position"] for grave in state.view(None)["graves"]}


def legal(state: BotwarsState, side: str) -> list[str]:
    """The notations of what a seat may do."""
    return [action.notation for action in state.legal_actions(side)]


def play_all(state: BotwarsState, notation: str, times: int) -> list[str]:
    """Whoever is to act plays the notation, so many times or to the end; returns who did, in order."""
    acted: list[str] = []
    while state.to_act and len(acted) < times:
        acted.append(state.to_act[0])
        act(state, acted[-1], notation)
    return acted
