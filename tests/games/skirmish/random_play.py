"""Random set-ups of skirmish, and random play of them; hypothesis gives the seeds, and names the one that failed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from tests.games.skirmish.plain import COST, Ground, dijkstra, hexes_of, written

from livingtable.games.skirmish import SkirmishState
from livingtable.games.skirmish.actions import SkirmishAction

stable = settings(derandomize=True, deadline=None, database=None, max_examples=120)
"""The same examples on every run and machine."""

rngs = st.builds(Random, st.integers(0, 2**32 - 1))

FIGURE = {"K": 2, "A": 2, "W": 2, "G": 2, "O": 2, "T": 3, "D": 3, "S": 2}
MOVE = {"K": 4, "A": 4, "W": 3, "G": 3, "O": 3, "T": 2, "D": 6, "S": 3}


def random_rows(rng: Random, most: int = 8) -> list[str]:
    """A map with a way from castle to castle; no hex at all in some places."""
    while True:
        width, height = rng.randint(2, most), rng.randint(2, most)
        signs = rng.choice(["." * 7 + "F^", "...==FF^^~M", "..=FF^^~~M ", "....FF^~ M"])
        rows = [[rng.choice(signs) for _ in range(width)] for _ in range(height)]
        places = [(r, c) for r in range(height) for c in range(width)]
        (r, c), (s, d) = rng.sample(places, 2)
        rows[r][c], rows[s][d] = "I", "C"
        joined = ["".join(row) for row in rows]
        hexes = {sign: h for h, sign in hexes_of(joined).items()}
        if hexes["C"] in dijkstra(Ground(joined), hexes["I"], 10_000):
            return joined


def random_setup(rng: Random, most: int = 8) -> dict[str, Any]:
    """Small armies close together, some of them hurt or afraid, some in the middle of a turn or of a game."""
    rows = random_rows(rng, most)
    hexes = hexes_of(rows)
    places = [h for h, sign in hexes.items() if sign in COST and sign not in "IC"]
    rng.shuffle(places)
    first, to_act = rng.choice(["ivory", "crimson"]), rng.choice(["ivory", "crimson"])
    pieces: list[dict[str, Any]] = []
    for n, place in enumerate(places[: rng.randint(2, 10)]):
        side = ("ivory", "crimson")[n % 2]
        kind = rng.choice("KAWGOTDSD")
        piece: dict[str, Any] = {"kind": kind, "side": side, "hex": written(place), "hp": rng.randint(1, FIGURE[kind])}
        if side == to_act and rng.random() < 0.2:
            hexes_moved = rng.randint(1, MOVE[kind])
            piece |= {"moved": True, "hexesMoved": hexes_moved, "attacksMade": rng.randint(0, 1)}
        elif rng.random() < 0.2:
            piece["afraid"] = True
        pieces.append(piece)
    turn = rng.choice([1, 1, 4])
    return {
        "game": "skirmish",
        "map": rows,
        "pieces": pieces or [{"kind": "K", "side": "ivory", "hex": written(_castle(hexes, "I"))}],
        "firstSide": first,
        "side": to_act,
        "turn": turn,
        "turnLimit": rng.choice([None, turn, turn + 3]),
        "leaderless": {"ivory": rng.random() < 0.2, "crimson": rng.random() < 0.2},
    }


def _castle(hexes: dict[tuple[int, int], str], castle: str) -> tuple[int, int]:
    return next(h for h, sign in hexes.items() if sign == castle)


def random_play(rng: Random, state: SkirmishState, actions: int = 60) -> Iterator[tuple[str, SkirmishAction]]:
    """Whose action comes next, and which: the caller plays it before asking for another. Attacks, moves and the end of
    the turn have each their share; castles are left alone at first, so that games last."""
    for number in range(actions):
        if state.result is not None:
            return
        (side,) = state.to_act
        castles = state.view(None)["castles"].values()
        *listed, end = state.legal_actions(side)
        attacks = [action for action in listed if " x " in action.notation]
        moves = [action for action in listed if " > " in action.notation]
        calm = [action for action in moves if number > 30 or action.notation.split()[-1] not in castles]
        drawn = rng.random()
        if drawn < 0.5 and attacks:
            yield side, rng.choice(attacks)
        elif drawn < 0.85 and calm:
            yield side, rng.choice(calm)
        else:
            yield side, end
