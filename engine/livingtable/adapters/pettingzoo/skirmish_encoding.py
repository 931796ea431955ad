"""skirmish in numbers. The hex q,r stands in row r and column q + (r - r mod 2) / 2, as in the rows of its map."""

from __future__ import annotations

from livingtable.adapters.pettingzoo.encoding import Canvas, Encoding, Plane
from livingtable.game import Data, State

KINDS = "KAWGOTDS"
GROUND = {"plain": ".", "road": "=", "forest": "F", "hill": "^", "water": "~", "mountain": "M", "castle": "IC"}
MOST_TURNS = 100_000.0

PLANES = (
    *(Plane(name, f"1 on a hex of that ground ({' or '.join(signs)} on the map)") for name, signs in GROUND.items()),
    Plane("own castle", "1 on the own castle"),
    Plane("own", "1 where an own piece stands"),
    Plane("enemy", "1 where an enemy's piece stands"),
    Plane("kind", f"what stands there: 1 to 8 for {', '.join(KINDS)}", 8.0),
    Plane("number", "the number in its id, so that the pieces of a kind can be told apart", 64.0),
    Plane("hp", "its hit points", 3.0),
    Plane("move", "its movement points a turn", 6.0),
    Plane("defense", "its defence", 6.0),
    Plane("range", "how far it attacks", 3.0),
    Plane("moved", "1 if it has moved this turn"),
    Plane("hexes moved", "how many hexes it has gone this turn", 100.0),
    Plane("attacks made", "how often it has attacked this turn", 2.0),
    Plane("afraid", "1 if it is afraid"),
    Plane("own leaderless", "everywhere 1 if the own General is lost"),
    Plane("enemy leaderless", "everywhere 1 if the enemy's General is lost"),
    Plane("to act", "everywhere 1 in the own turn"),
    Plane("turn", "everywhere the turn, from 1", MOST_TURNS),
    Plane("turns left", "everywhere how many turns follow this one; 0 where there is no limit", MOST_TURNS),
)


def encoding(start: State) -> Encoding:
    """Of a scenario, by a state of it: for each piece its moves to every hex, row by row; for each piece its attacks on
    every piece; then `end`. Pieces are called as on the board, the same name for both sides: ivory's K1 and crimson's
    have the same numbers."""
    view = start.view(None)
    hexes = [_name(r, c) for r, row in enumerate(view["map"]) for c, sign in enumerate(row) if sign != " "]
    pieces = list(dict.fromkeys(piece["id"].split("-")[1] for piece in view["pieces"]))
    moves = [f"{piece} > {to}" for piece in pieces for to in hexes]
    attacks = [f"{piece} x {enemy}" for piece in pieces for enemy in pieces]
    shape = (len(view["map"]), max(len(row) for row in view["map"]))
    return Encoding(shape, PLANES, (*moves, *attacks, "end"), _draw)


def _name(row: int, column: int) -> str:
    return f"{column - (row - row % 2) // 2},{row}"


def _cell(name: str) -> tuple[int, int]:
    q, r = (int(part) for part in name.split(","))
    return r, q + (r - r % 2) // 2


def _draw(canvas: Canvas, view: Data, state: State, side: str) -> None:
    canvas.ground(view["map"], GROUND)
    canvas.put("own castle", *_cell(view["castles"][side]))
    for piece in view["pieces"]:
        _piece(canvas, piece, _cell(piece["hex"]), side)
    for of, leaderless in view["leaderless"].items():
        canvas.fill("own leaderless" if of == side else "enemy leaderless", leaderless)
    canvas.fill("to act", side in state.to_act)
    canvas.fill("turn", view["turn"])
    canvas.fill("turns left", max(0, view["turnLimit"] - view["turn"]) if view["turnLimit"] else 0)


def _piece(canvas: Canvas, piece: Data, cell: tuple[int, int], side: str) -> None:
    canvas.put("own" if piece["side"] == side else "enemy", *cell)
    canvas.put("kind", *cell, KINDS.index(piece["kind"]) + 1)
    canvas.put("number", *cell, int(piece["id"].split("-")[1][1:]))
    for plane in ("hp", "move", "defense", "range", "moved", "afraid"):
        canvas.put(plane, *cell, piece[plane])
    canvas.put("hexes moved", *cell, piece["hexesMoved"])
    canvas.put("attacks made", *cell, piece["attacksMade"])
