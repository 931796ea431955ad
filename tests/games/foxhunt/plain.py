"""The rules once more, read from the view alone and as plainly as can be: what the engine does must agree with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Cell = tuple[int, int]
View = Mapping[str, Any]

STEPS: dict[str, Cell] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def read(name: str) -> Cell:
    x, y = name.split(",")
    return int(x), int(y)


def written(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def ground_of(view: View) -> dict[Cell, str]:
    return {(x, y): sign for y, row in enumerate(view["map"]) for x, sign in enumerate(row)}


def line_from(cell: Cell, direction: str, length: int) -> list[Cell]:
    """The next fields in that direction, on the map or not."""
    dx, dy = STEPS[direction]
    return [(cell[0] + n * dx, cell[1] + n * dy) for n in range(1, length + 1)]


def legal_notations(view: View, side: str) -> list[str]:
    """FX-1.4, FX-4.1: what a player may do, in the listed order."""
    (me,) = (p for p in view["players"] if p["id"] == side)
    if me["paralysed"]:
        return []
    ground, here = ground_of(view), read(me["position"])
    free = {cell for cell, sign in ground.items() if sign == "_"}
    moves = [f"move {d}" for d in STEPS if set(line_from(here, d, 1)) <= free]
    if me["bombsLaid"] >= me["bombs"]:
        return [*moves, "stay"]
    furthest = view["settings"]["throwRange"]
    throws = [f"throw {d} {n}" for d in STEPS for n in range(1, furthest + 1) if set(line_from(here, d, n)) <= free]
    return [*moves, "bomb", *throws, "stay"]


def explosion(view: View) -> tuple[set[str], set[str], set[str], set[str]]:
    """FX-4.3, FX-4.4: bombs, beams, walls and specials of the explosion that the view's bombs of fuse 0 set off.

    All is measured anew, from more bombs each time, until the beams reach no bomb that has not gone off.
    """
    ground = ground_of(view)
    specials = {read(special["position"]) for special in view["specials"]}
    lit = {read(bomb["position"]) for bomb in view["bombs"] if bomb["fuse"] == 0}
    while True:
        beams: set[Cell] = set()
        walls: set[Cell] = set()
        gone: set[Cell] = set()
        for bomb in view["bombs"]:
            start = read(bomb["position"])
            if start not in lit:
                continue
            beams.add(start)
            gone |= {start} & specials
            for direction in STEPS:
                for cell in line_from(start, direction, bomb["range"]):
                    if ground.get(cell, "W") == "W":
                        break
                    beams.add(cell)
                    if ground[cell] == "w":
                        walls.add(cell)
                        break
                    if cell in specials:
                        gone.add(cell)
                        break
        touched = {read(bomb["position"]) for bomb in view["bombs"]} & beams
        if touched <= lit:
            bombs, fields, broken, burnt = ({written(c) for c in cells} for cells in (lit, beams, walls, gone))
            return bombs, fields, broken, burnt
        lit |= touched
