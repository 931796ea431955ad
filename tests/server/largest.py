"""The largest set-ups that the schemas allow, of each game: what they give must fit into an answer."""

from __future__ import annotations

from livingtable.game import Data

NAME = '"' * 30
"""Signs that JSON writes as two."""


def dragons() -> Data:
    """64 dragons on 100 x 100 hexes, each with all the room that it can have."""
    places = [(12 * (i % 8) + 6, 12 * (i // 8) + 6) for i in range(64)]
    pieces = [
        {"kind": "D", "side": "ivory" if i % 2 else "crimson", "hex": f"{c - r // 2},{r}"}
        for i, (c, r) in enumerate(places)
    ]
    rows = ["I" + "." * 98 + "C", *["." * 100] * 99]
    return {"game": "skirmish", "name": NAME, "map": rows, "pieces": pieces, "dice": {"d6": [3] * 10_000}}


def crowd() -> Data:
    """31 trolls and a player on a map of 100 x 100 cells, with as many loaded dice as there may be."""
    kinds = ["player", *["troll"] * 31]
    characters = [
        {"characterType": kind, "name": f"{NAME}{i}", "position": f"{3 * i},{50 + i % 2}"}
        for i, kind in enumerate(kinds)
    ]
    dice = {"d20": [20, 1] * 5_000, "d6": [6] * 10_000, "d3": [3] * 10_000}
    return {
        "game": "botwars",
        "name": NAME,
        "notes": "\x01" * 10_000,
        "map": ["." * 100] * 100,
        "characters": characters,
        "dice": dice,
        "maxRounds": 1_000_000,
    }


def minefield(specials: int = 4_000, bombs: int = 3_000) -> Data:
    """16 players on 100 x 100 cells full of specials, and of bombs that all explode in the first round."""
    cells = [f"{i % 100},{i // 100}" for i in range(200, 10_000)]
    return {
        "game": "foxhunt",
        "name": NAME,
        "map": ["_" * 100] * 100,
        "players": [{"id": f"player{i:05}", "name": f"{NAME}{i}", "position": f"{3 * i},0"} for i in range(16)],
        "specials": [{"position": cell, "kind": "range"} for cell in cells[:specials]],
        "bombs": [
            {"position": cell, "owner": "player00000", "range": 1, "fuse": 0}
            for cell in cells[specials : specials + bombs]
        ],
        "rounds": 2,
    }
