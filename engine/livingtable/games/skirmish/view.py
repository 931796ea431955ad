"""What both sides see: the wire's `state`, and the text board. Nothing is hidden in skirmish."""

from __future__ import annotations

from typing import Any

from livingtable.games.skirmish.actions import short
from livingtable.games.skirmish.kinds import KNIGHT, SIDES
from livingtable.games.skirmish.position import GONE, Position
from livingtable.games.skirmish.terrain import NOTHING


def view(position: Position) -> dict[str, Any]:
    names = position.terrain.names
    return {
        "turn": position.turn,
        "side": SIDES[position.side],
        "turnLimit": position.army.turn_limit,
        "map": list(position.terrain.rows),
        "castles": {side: names[h] for side, h in zip(SIDES, position.terrain.castle, strict=True)},
        "leaderless": dict(zip(SIDES, position.leaderless, strict=True)),
        "pieces": [_piece(position, i) for i, h in enumerate(position.where) if h != GONE],
    }


def _piece(position: Position, i: int) -> dict[str, Any]:
    kind = position.army.kinds[i]
    return {
        "id": position.army.ids[i],
        "kind": kind.letter,
        "name": kind.name,
        "side": SIDES[position.army.sides[i]],
        "hex": position.terrain.names[position.where[i]],
        "hp": position.hp[i],
        "maxHp": kind.hp,
        "move": kind.move,
        "attack": kind.attack,
        "defense": kind.defense,
        "range": kind.range,
        "moved": position.moved[i],
        "hexesMoved": position.hexes_moved[i],
        "attacksMade": position.attacks_made[i],
        "afraid": position.afraid[i],
    }


def board(position: Position) -> str:
    """Three signs a hex, odd rows shoved right, the row's r at the west edge; a piece is its side, kind and number in
    small letters (`ik1`), as the ground is in capitals, which also is fewer tokens. A number of two digits is `+`.

    Under the grid a line a piece, by side: its hex, the shelter it stands in, hp where they are not full, what it did.
    """
    return "\n".join([*_grid(position), _legend(position), *_lines(position)])


def _grid(position: Position) -> list[str]:
    terrain = position.terrain
    digits = len(str(len(terrain.rows) - 1))
    lines: list[str] = []
    for r, row in enumerate(terrain.rows):
        cells = [_cell(position, r, c, sign) for c, sign in enumerate(row)]
        shove = ("", " ") if r % 2 == 0 else (" ", "")
        lines.append(f"{r:0{digits}} {shove[0]}{''.join(cells)}{shove[1]}")
    return lines


def _cell(position: Position, r: int, c: int, sign: str) -> str:
    h = position.terrain.index.get(f"{c - (r - (r & 1)) // 2},{r}")
    i = None if h is None else position.occupant.get(h)
    if i is None:
        return (NOTHING if sign == NOTHING else sign) * 3
    piece = SIDES[position.army.sides[i]][0] + short(position.army.ids[i]).lower()
    return piece if len(piece) == 3 else piece[:2] + "+"


def _legend(position: Position) -> str:
    limit = f"/{position.army.turn_limit}" if position.army.turn_limit else ""
    castles = " ".join(position.terrain.names[h] for h in position.terrain.castle)
    return f"turn {position.turn}{limit}; castles {castles}; q from -(r//2); F ^ cost 2, shelter; ~ M closed"


def _lines(position: Position) -> list[str]:
    rows: list[str] = []
    for side in (0, 1):
        pieces = [_line(position, i) for i in position.army.of_side[side] if position.where[i] != GONE]
        leaderless = " leaderless" if position.leaderless[side] else ""
        rows += [f"{SIDES[side]}{leaderless}:", *pieces]
    return rows


def _line(position: Position, i: int) -> str:
    h, kind = position.where[i], position.army.kinds[i]
    marks = ""
    if position.terrain.sheltering >> h & 1:
        marks += f" {position.terrain.sign[h]}"
    if position.hp[i] < kind.hp:
        marks += f" {position.hp[i]}hp"
    if position.moved[i]:
        marks += " moved" + (f" {position.hexes_moved[i]}" if kind.letter == KNIGHT else "")  # It decides Charge.
    if position.attacks_made[i]:
        marks += " attacked" + " twice" * (position.attacks_made[i] - 1)
    if position.afraid[i]:
        marks += " afraid"
    return f"{position.terrain.names[h]} {short(position.army.ids[i])}{marks}"
