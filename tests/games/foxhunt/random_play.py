"""Random set-ups of fox hunts, and random play of them; hypothesis gives the seeds, and names the one that failed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from livingtable.games.foxhunt import FoxhuntState
from livingtable.games.foxhunt.actions import CLOCK, FoxhuntAction

stable = settings(derandomize=True, deadline=None, database=None, max_examples=100)
"""The same examples on every run and machine."""

rngs = st.builds(Random, st.integers(0, 2**32 - 1))


def random_rows(rng: Random, most: int = 8) -> list[str]:
    """A map with at least two free fields, which need not hang together."""
    while True:
        width, height = rng.randint(3, most), rng.randint(3, most)
        signs = rng.choice(["_", "___w", "____wW", "__wwW", "_wW"])
        rows = ["".join(rng.choice(signs) for _ in range(width)) for _ in range(height)]
        if sum(row.count("_") for row in rows) >= 2:
            return rows


def random_setup(rng: Random, most: int = 8) -> dict[str, Any]:
    """A few players close together, some with hats or paralysed; bombs and specials lie about; short fuses."""
    rows = random_rows(rng, most)
    free = [f"{x},{y}" for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "_"]
    number = rng.randint(2, 5)
    players: list[dict[str, Any]] = []
    for _ in range(number):
        player: dict[str, Any] = {"position": rng.choice(free), "points": rng.randint(0, 3)}
        player |= {"range": rng.randint(0, 3), "bombs": rng.randint(0, 3), "hat": rng.choice([0, 0, 1, 3])}
        players.append({**player, "paralysed": rng.choice([0, 0, 0, 1, 3])})
    players[rng.randrange(number)]["paralysed"] = 0
    bombs = [
        {"position": rng.choice(free), "owner": f"p{rng.randint(1, number)}", "range": rng.randint(0, 4)}
        | {"fuse": rng.randint(0, 3)}
        for _ in range(rng.randint(0, 4))
    ]
    specials = rng.sample(free, rng.randint(0, min(4, len(free))))
    return {
        "game": "foxhunt",
        "map": rows,
        "players": players,
        "bombs": bombs,
        "specials": [{"position": cell, "kind": rng.choice(["range", "bombs", "hat"])} for cell in specials],
        "foxRounds": rng.randint(0, 3),
        "rounds": rng.choice([3, 12, 40]),
        "fuse": rng.choice([0, 1, 2, 5]),
        "paralysis": rng.choice([0, 1, 3]),
        "hat": rng.choice([0, 1, 5]),
        "startRange": rng.randint(0, 3),
        "startBombs": rng.randint(0, 2),
        "throwRange": rng.choice([0, 1, 3]),
        "spawnEvery": rng.choice([0, 1, 3]),
        "revealChance": rng.choice([0.0, 0.5, 1.0]),
    }


def random_play(rng: Random, state: FoxhuntState, actions: int = 80) -> Iterator[tuple[str, FoxhuntAction]]:
    """Whose command comes next, and which: the caller plays it before asking for another. Now and then a command is
    replaced, and the clock cuts a round off."""
    for _ in range(actions):
        if state.result is not None:
            return
        given = [side for side, _ in state.open_commands]
        if rng.random() < 0.04:
            yield "server", CLOCK
            continue
        side = rng.choice(given) if given and rng.random() < 0.1 else rng.choice(state.to_act)
        yield side, rng.choice(state.legal_actions(side))
