"""Fox hunts from drawn maps, and drawings of positions and of beams.

A drawing has a row of the map a line and a field a word: the ground as in scenario files (`_`, `W`, `w`), or what is on
a free field, written together: players by their number (`1` is p1), specials (`R` range, `B` bombs, `H` hat), bombs
(`a`, `b`, `c`, `d`, each with its figures beside the drawing). In drawings of positions each bomb is an `o`, and in
drawings of beams each of their fields is a `*`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

import livingtable
from livingtable.errors import Refusal
from livingtable.games.foxhunt import FoxhuntState

Event = dict[str, Any]
Figures = Mapping[str, Mapping[str, Any]]

GROUND = ("_", "W", "w")
SPECIALS = {"R": "range", "B": "bombs", "H": "hat"}
BOMBS = "abcd"
BOMB = {"owner": "p1", "range": 1, "fuse": 0}
"""What a drawn bomb is unless its figures say otherwise."""


def words(picture: str) -> list[list[str]]:
    """The fields of a drawing, row by row."""
    return [line.split() for line in picture.splitlines() if line.strip()]


def setup_of(
    picture: str, *, figures: Figures | None = None, d3: Sequence[int] = (), fox: str | None = "p1", **setup: Any
) -> dict[str, Any]:
    """The set-up of a drawing, in which nothing is left to chance: p1 is the fox, no special appears or is revealed.

    `figures` adds to players (by `p1`) and bombs (by `a`), `d3` are loaded dice, further keys are the set-up's.
    """
    rows: list[str] = []
    lying: dict[str, list[dict[str, Any]]] = {"players": [], "specials": [], "bombs": []}
    for y, row in enumerate(words(picture)):
        rows.append("".join(word if word in GROUND else "_" for word in row))
        for x, word in enumerate(row):
            for sign in "" if word in GROUND else word:
                kind, thing = _thing(sign)
                lying[kind].append({**thing, "position": f"{x},{y}", **(figures or {}).get(thing.get("id", sign), {})})
    lying["players"].sort(key=lambda player: player["id"])
    calm = {"spawnEvery": 0, "revealChance": 0}
    who = {} if fox is None else {"fox": fox}
    return {"game": "foxhunt", "map": rows, **lying, **calm, **who, "dice": {"d3": list(d3)}, **setup}


def _thing(sign: str) -> tuple[str, dict[str, Any]]:
    if sign.isdigit():
        return "players", {"id": f"p{sign}"}
    if sign in SPECIALS:
        return "specials", {"kind": SPECIALS[sign]}
    assert sign in BOMBS, f"{sign} is nothing that can be drawn"
    return "bombs", dict(BOMB)


def started(setup: Mapping[str, Any], seed: int = 1) -> FoxhuntState:
    return cast(FoxhuntState, livingtable.new_game(setup, seed=seed))


def drawn(
    picture: str,
    *,
    figures: Figures | None = None,
    d3: Sequence[int] = (),
    fox: str | None = "p1",
    seed: int = 1,
    **setup: Any,
) -> FoxhuntState:
    """The state of a drawing; as `setup_of`."""
    return started(setup_of(picture, figures=figures, d3=d3, fox=fox, **setup), seed)


def picture_of(state: FoxhuntState) -> list[list[str]]:
    """The position as `words` of a drawing: on each field its players, specials and bombs, in that order."""
    view = state.view(None)
    picture = [list(row) for row in view["map"]]
    signs = {kind: sign for sign, kind in SPECIALS.items()}
    lying = [(player["position"], player["id"][1:]) for player in view["players"]]
    lying += [(special["position"], signs[special["kind"]]) for special in view["specials"]]
    lying += [(bomb["position"], "o") for bomb in view["bombs"]]
    for position, sign in lying:
        x, y = (int(part) for part in position.split(","))
        picture[y][x] = picture[y][x].removeprefix("_") + sign
    return picture


def same_board(state: FoxhuntState, picture: str) -> bool:
    """Whether the position looks like the drawing."""
    return picture_of(state) == words(picture)


def beams_of(state: FoxhuntState) -> list[list[str]]:
    """The ground as `words` of a drawing, with the beams of the last round over it."""
    view = state.view(None)
    picture = [list(row) for row in view["map"]]
    for position in view["beams"]:
        x, y = (int(part) for part in position.split(","))
        picture[y][x] = "*"
    return picture


def same_beams(state: FoxhuntState, picture: str) -> bool:
    """Whether the beams of the last round are those of the drawing."""
    return beams_of(state) == words(picture)


# --- playing ---


def data_of(events: Sequence[Any]) -> list[Event]:
    """Events as the wire's objects."""
    return [event.to_data() for event in events]


def give(state: FoxhuntState, side: str, notation: str) -> list[Event]:
    """One command of one player."""
    return data_of(state.apply(side, state.parse_action(notation, side)))


def play(state: FoxhuntState, **commands: str) -> list[Event]:
    """The round: these commands, arriving in this order, then everybody else stays, in seat order."""
    others = [side for side in state.to_act if side not in commands]
    events = [event for side, notation in commands.items() for event in give(state, side, notation)]
    events += [event for side in others for event in give(state, side, "stay")]
    return events


def cut(state: FoxhuntState, **commands: str) -> list[Event]:
    """These commands, arriving in this order, then the clock cuts the round off."""
    events = [event for side, notation in commands.items() for event in give(state, side, notation)]
    return events + data_of(state.apply("server", state.parse_action("clock", "server")))


def wait(state: FoxhuntState, rounds: int) -> list[Event]:
    """So many rounds in which everybody who can act stays."""
    return [event for _ in range(rounds) for event in play(state)]


def refused(state: FoxhuntState, side: str, notation: str) -> Refusal:
    """Why a command is refused, which changes nothing."""
    before = state.to_data()
    with pytest.raises(Refusal) as caught:
        give(state, side, notation)
    assert state.to_data() == before
    return caught.value


# --- looking ---


def legal(state: FoxhuntState, side: str) -> list[str]:
    """The notations of what a player may do."""
    return [action.notation for action in state.legal_actions(side)]


def player(state: FoxhuntState, side: str) -> dict[str, Any]:
    """What the view says of a player."""
    (found,) = (p for p in state.view(None)["players"] if p["id"] == side)
    return found


def figures_of(state: FoxhuntState, key: str) -> dict[str, Any]:
    """One figure of every player: `position`, `points`, `hat`, …"""
    return {p["id"]: p[key] for p in state.view(None)["players"]}


def fox_of(state: FoxhuntState) -> str:
    return state.view(None)["fox"]


def named(events: Sequence[Event], kind: str) -> list[Event]:
    """The events of a type, in order."""
    return [event for event in events if event["type"] == kind]


def only(events: Sequence[Event], kind: str) -> Event:
    """The one event of a type."""
    (event,) = named(events, kind)
    return event


def grid_of(board: str) -> list[str]:
    """The rows of a text board, without their numbers."""
    return [found[1] for line in board.split("\n") if (found := re.fullmatch(r"\d+ (\S+)", line))]


def kinds(events: Sequence[Event]) -> list[str]:
    """The types of events, in order."""
    return [event["type"] for event in events]
