"""Small set-ups for the server's tests. Rules are none of their business; outcomes come from loaded dice."""

from __future__ import annotations

from typing import Any

from livingtable.game import Data


def botwars(*rows: str, characters: list[Data], **more: Any) -> Data:
    return {"game": "botwars", "name": "small", "wizard": None, "map": list(rows), "characters": characters, **more}


def player(position: str, **more: Any) -> Data:
    return {"position": position, "strength": 2.0, **more}


def troll(position: str, **more: Any) -> Data:
    return {"position": position, "strength": 4.0, "characterType": "troll", **more}


FAR_APART = botwars("........", "........", characters=[player("0,0"), player("7,0"), player("7,1")])
"""Three solos, two of them side by side."""

NEIGHBOURS = botwars("....", "....", characters=[player("0,0", strength=3.0), player("1,0"), player("3,1")])
"""p1 may ally with p2."""

PARTY_OF_TWO = botwars(
    "......", "......", characters=[player("1,0"), player("0,0"), player("5,1")], parties=[["p1", "p2"]]
)
"""p1 leads p2; p3 is alone."""

BESIDE_A_TROLL = botwars(
    "....", "....", characters=[player("0,0"), troll("1,0"), player("3,1")], dice={"d20": [20, 1] * 8, "d3": [1] * 8}
)
"""p1 must attack t1, and wins."""

ONE_LEFT_TO_BEAT = botwars(
    "...",
    "...",
    characters=[player("0,0"), troll("1,0", health=1.0)],
    dice={"d20": [20, 1] * 8, "d3": [3] * 8},
)
"""p1's one action is to attack t1, who dies of it: the end, `sole_survivor`."""

TWO_TROLLS_AND_THE_DEAD = botwars(
    "MMMMM",
    ".M.M.",
    "MMMMM",
    characters=[player("0,1", alive=False), troll("0,1"), troll("2,1"), player("4,1")],
    maxRounds=1_000_000,
)
"""Nobody can reach anybody: bots in the other seats play on for ever."""


def meadow(*rows: str, **more: Any) -> Data:
    """A small fox hunt without walls or chance, drawn: `1` is p1, the fox, `2` is p2 and so on."""
    where = {sign: f"{x},{y}" for y, row in enumerate(rows) for x, sign in enumerate(row) if sign.isdigit()}
    width, height = max(3, len(rows[0])), max(3, len(rows))
    return {
        "game": "foxhunt",
        "name": "meadow",
        "map": ["_" * width] * height,
        "players": [{"position": where[sign]} for sign in sorted(where)],
        "fox": "p1",
        "specials": [],
        "spawnEvery": 0,
        **more,
    }
