"""The largest set-ups that the schemas allow, of every game: what costs the engine and its bots most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from livingtable.game import Data

MOST = 100
"""Rows and columns of a map."""
LOADED = 10_000


def setups() -> dict[str, Data]:
    """By a name that says what is large about it; the game is the name's first word."""
    found: dict[str, Data] = {}
    for game, made in (("botwars", _botwars()), ("foxhunt", _foxhunt()), ("skirmish", _skirmish())):
        for name, setup in made:
            found[f"{game} {name}"] = {"game": game, **setup}
    return found


# maps of any game: `free` and `wall` are its signs


def opened(free: str, width: int = MOST, height: int = MOST) -> list[str]:
    return [free * width] * height


def labyrinth(free: str, wall: str) -> list[str]:
    """One corridor from the first row to the last, there and back."""
    gaps = (free * (MOST - 1), "")
    rows: list[str] = []
    for y in range(MOST):
        end = gaps[y // 2 % 2 == 1] if y % 2 else ""
        rows.append(free * MOST if y % 2 == 0 else _wall_with_gap(free, wall, left=y // 2 % 2 == 1))
        del end
    return rows


def _wall_with_gap(free: str, wall: str, *, left: bool) -> str:
    return free + wall * (MOST - 1) if left else wall * (MOST - 1) + free


def chequered(free: str, wall: str) -> list[str]:
    """Fields of two kinds by turns, as on a chess board."""
    return [((free + wall) * MOST)[y % 2 : y % 2 + MOST] for y in range(MOST)]


def dotted(free: str, wall: str) -> list[str]:
    """Single walls, two fields apart."""
    return [free * MOST if y % 2 == 0 else (free + wall) * (MOST // 2) for y in range(MOST)]


def snake(width: int, first_row: int = 0) -> Iterator[str]:
    """Cells in one line, there and back."""
    for y in range(first_row, MOST):
        across = range(width) if (y - first_row) % 2 == 0 else reversed(range(width))
        yield from (f"{x},{y}" for x in across)


# botwars


def _botwars() -> Iterator[tuple[str, Data]]:
    many: list[Data] = [{}] * 32
    crowd = [{"position": f"{2 * (n % 8) + 40},{2 * (n // 8) + 40}"} for n in range(32)]
    line = [{"position": cell} for cell in islice(snake(6, 40), 32)]
    pairs = [{"position": f"{3 * (n // 2 % 8) + 30},{4 * (n // 16) + n % 2 + 30}"} for n in range(32)]
    ids = [f"p{n + 1}" for n in range(32)]
    yield "open", {"map": opened("."), "characters": many, "wizardRoams": True}
    yield "crowd", {"map": opened("."), "characters": crowd}
    yield "trolls", {"map": opened("."), "characters": [{"characterType": "troll"}] * 16 + many[:16]}
    yield "one party", {"map": opened("."), "characters": line, "parties": [ids[:31]]}
    yield (
        "many parties",
        {"map": opened("."), "characters": pairs, "parties": [ids[n : n + 2] for n in range(0, 32, 2)]},
    )
    yield "labyrinth", {"map": labyrinth(".", "M"), "characters": many}
    yield "chequered", {"map": chequered(".", "F"), "characters": many}
    yield "dotted", {"map": dotted(".", "F"), "characters": many}
    for share in (0, 0.3, 0.5, 0.9):
        yield f"generated {share}", {"map": {"width": MOST, "height": MOST, "obstacles": share}, "characters": many}
    yield "generated row", {"map": {"width": MOST, "height": 1, "obstacles": 0.5}, "characters": many}
    yield "packed", {"map": _packed(), "characters": many, "wizard": None}
    yield (
        "loaded",
        {
            "map": opened("."),
            "characters": [
                {"position": "0,0", "strength": 2},
                {"position": "1,0", "strength": 2, "characterType": "troll"},
            ],
            "dice": {"d20": [7] * LOADED, "d6": [1] * LOADED, "d3": [1] * LOADED},
        },
    )


def _packed() -> list[str]:
    """Room for so many that none stands beside another, but not at random."""
    return ["." * 15 + "M" * (MOST - 15)] * 7 + ["M" * MOST] * (MOST - 7)


# foxhunt


def _foxhunt() -> Iterator[tuple[str, Data]]:
    empty, cells = opened("_"), [f"{x},{y}" for y in range(MOST) for x in range(MOST)]
    yield "specials", {"map": empty, "players": 2, "startSpecials": 9000}
    yield "more specials than room", {"map": empty, "players": 16, "startSpecials": 100_000}
    yield "given specials", {"map": empty, "players": 16, "specials": [{"position": c, "kind": "hat"} for c in cells]}
    yield "throws", {"map": empty, "players": 16, "throwRange": 100, "startRange": 100, "startBombs": 100}
    for name, bomb in (
        ("bombs", {"range": 100, "fuse": 3}),
        ("bombs going off", {"range": 100, "fuse": 0}),
        ("small bombs", {"range": 1, "fuse": 8}),
    ):
        bombs = [{"position": c, "owner": "p1", **bomb} for c in cells]
        yield (
            name,
            {"map": empty, "players": 16, "bombs": bombs, "throwRange": 100, "startRange": 100, "startBombs": 100},
        )
    fuses = [{"position": c, "owner": "p1", "range": 0, "fuse": n % 40} for n, c in enumerate(cells)]
    yield (
        "bombs one after the other",
        {"map": empty, "players": 16, "bombs": fuses, "throwRange": 100, "startBombs": 100},
    )
    one = [{"position": "50,50", "owner": "p1", "range": 100, "fuse": n % 40} for n in range(10_000)]
    yield "bombs on one field", {"map": empty, "players": 16, "bombs": one}
    crowd = [{"position": f"{50 + n % 4},{50 + n // 4}"} for n in range(16)]
    yield "crowd", {"map": empty, "players": crowd, "throwRange": 100, "startRange": 100, "startBombs": 100}
    yield "soft walls", {"map": dotted("_", "w"), "players": 16, "startSpecials": 9000, "startRange": 100}
    walled = ["_" + "w" * (MOST - 1)] * 2 + ["w" * MOST] * (MOST - 3) + ["w" * (MOST - 1) + "_"]
    yield "all walls", {"map": walled, "players": 16}
    yield "labyrinth", {"map": labyrinth("_", "W"), "players": 16, "startSpecials": 9000, "throwRange": 100}
    yield "generated", {"map": {"width": MOST, "height": MOST}, "players": 16, "startSpecials": 9000, "throwRange": 100}
    yield (
        "paralysed",
        {
            "map": empty,
            "players": [{"paralysed": 1000}] * 15 + [{"paralysed": 0}],
            "paralysis": 1000,
            "rounds": 10_000,
            "spawnEvery": 1,
        },
    )
    yield (
        "idle",
        {
            "map": empty,
            "players": [{"paralysed": 1000}] * 15 + [{"paralysed": 0}],
            "bombs": [{"position": c, "owner": "p1", "range": 0, "fuse": n % 1000} for n, c in enumerate(cells[:-200])],
            "paralysis": 1000,
            "rounds": 10_000,
            "spawnEvery": 1,
        },
    )
    yield "loaded", {"map": empty, "players": 16, "startSpecials": 9000, "dice": {"d3": [1] * LOADED}}


# skirmish


def _skirmish() -> Iterator[tuple[str, Data]]:
    plain = _castled(opened("."))
    for kind in ("D", "A", "K", "T"):
        yield f"{kind} apart", {"map": plain, "pieces": _armies(kind, apart=True)}
        yield f"{kind} mixed", {"map": plain, "pieces": _armies(kind, apart=False)}
    yield "D spread", {"map": plain, "pieces": _spread("D")}
    yield "A spread", {"map": plain, "pieces": _spread("A")}
    yield "all kinds", {"map": plain, "pieces": _spread("KAWGOTDS")}
    yield "62 of one side", {"map": plain, "pieces": _spread("D", ivory=62)}
    yield "forest", {"map": _castled(opened("F")), "pieces": _spread("D")}
    yield "labyrinth", {"map": _castled(labyrinth(".", "M")), "pieces": _armies("D", apart=False)}
    yield "chequered", {"map": _castled(chequered(".", "F")), "pieces": _spread("KAWGOTDS")}
    yield "loaded", {"map": plain, "pieces": _spread("D"), "dice": {"d6": [6] * LOADED}}


def _castled(rows: list[str]) -> list[str]:
    return ["I" + rows[0][1:], *rows[1:-1], rows[-1][:-1] + "C"]


def _hex(column: int, row: int) -> str:
    return f"{column - (row - (row & 1)) // 2},{row}"


def _armies(kind: str, *, apart: bool) -> list[Data]:
    """Two blocks of 32, far from each other or each piece beside an enemy's; in rows that a labyrinth has free."""
    pieces: list[Data] = []
    for n in range(64):
        side = ("ivory", "crimson")[n // 32 if apart else n % 2]
        row = 40 + 2 * (n // 16) if not apart else (2 * (n % 32 // 16) if side == "ivory" else 98 - 2 * (n % 32 // 16))
        pieces.append({"kind": kind, "side": side, "hex": _hex(40 + n % 16, row)})
    return pieces


def _spread(kinds: str, ivory: int = 32) -> list[Data]:
    """All over the map, twelve hexes from each other, so that each reaches all that it can."""
    pieces: list[Any] = []
    for n in range(64):
        side = "ivory" if (n % 2 == 0 and n // 2 < ivory) or n < 2 * ivory - 64 else "crimson"
        pieces.append(
            {"kind": kinds[n // 2 % len(kinds)], "side": side, "hex": _hex(6 + 12 * (n % 8), 6 + 12 * (n // 8))}
        )
    return pieces
