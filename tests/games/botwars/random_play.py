"""Random set-ups of botwars, and random play of them; hypothesis gives the seeds, and names the one that failed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, cast

from hypothesis import settings
from hypothesis import strategies as st

import livingtable
from livingtable.games.botwars.actions import BotwarsAction
from livingtable.games.botwars.state import BotwarsState

stable = settings(derandomize=True, deadline=None, database=None, max_examples=150)
"""The same examples on every run and machine."""

rngs = st.builds(Random, st.integers(0, 2**32 - 1))

Cell = tuple[int, int]


def random_rows(rng: Random, most: int = 9, share: float = 0.25) -> list[str]:
    width, height = rng.randint(2, most), rng.randint(1 + most // 3, most)
    return ["".join(rng.choice("MF") if rng.random() < share else "." for _ in range(width)) for _ in range(height)]


def open_cells(rows: list[str]) -> list[Cell]:
    return [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "."]


def around(cell: Cell) -> list[Cell]:
    """The eight neighbours by lowest y, then x; those off the board too."""
    x, y = cell
    return [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


def written(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def read(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def random_line(rng: Random, free: list[Cell], longest: int) -> list[Cell]:
    """A line of cells, each at distance 1 of the one before; what it takes is taken out of `free`."""
    line: list[Cell] = []
    ways = free
    while ways and len(line) < longest:
        line.append(rng.choice(ways))
        free.remove(line[-1])
        ways = [cell for cell in around(line[-1]) if cell in free]
    return line


def random_setup(rng: Random, *, classic: bool = False, longest: int = 5) -> dict[str, Any]:
    """Lines and loners on a random map, many of them weak or near to death."""
    rows = random_rows(rng)
    free = open_cells(rows)
    if len(free) < 6:
        rows, free = ["...", "..."], open_cells(["...", "..."])
    characters: list[dict[str, Any]] = []
    parties: list[list[str]] = []
    for number in range(rng.randint(3, 6)):
        troll = not classic and rng.random() < 0.4
        line = random_line(rng, free, 1 if troll or rng.random() < 0.3 else longest)
        sides = [f"{'t' if troll else 'p'}{number}{chr(97 + k)}" for k in range(len(line))]
        kind = "troll" if troll else "player"
        characters += [
            {
                "id": side,
                "characterType": kind,
                "position": written(cell),
                "strength": rng.choice([1, 2, 3, 10, 20, 25, 40]) / 10,
                "health": rng.choice([10, 19, 20, 21, 30, 100]) / 10,
                "score": rng.choice([0, 0, 1, -1]),
            }
            for side, cell in zip(sides, line, strict=True)
        ]
        if len(line) > 1:
            parties.append(sides)
    rng.shuffle(characters)
    return {
        "game": "botwars",
        "ruleset": "classic" if classic else "full",
        "map": rows,
        "characters": characters,
        "parties": parties,
        "wizard": {"strength": rng.choice([0.5, 3.0, 9.0])} if free and rng.random() < 0.8 else None,
        "wizardRoams": rng.random() < 0.5,
        "maxRounds": rng.choice([3, 60, None]),
        "consecutivePasses": {party[0]: rng.randint(0, 3) for party in parties if rng.random() < 0.3},
    }


def started(setup: dict[str, Any], seed: int) -> BotwarsState:
    return cast(BotwarsState, livingtable.new_game(setup, seed=seed))


def random_play(rng: Random, state: BotwarsState, actions: int = 60) -> Iterator[tuple[str, BotwarsAction]]:
    """Whose action comes next, and which: the caller plays it before asking for another. Whatever is no move has the
    same share as all moves together, so that passes, alliances and challenges come often."""
    for _ in range(actions):
        if state.result is not None:
            return
        (side,) = state.to_act
        listed = state.legal_actions(side)
        moves = [action for action in listed if action.notation.startswith("move")]
        others = [action for action in listed if action not in moves]
        yield side, rng.choice(moves if moves and (not others or rng.random() < 0.5) else others)
