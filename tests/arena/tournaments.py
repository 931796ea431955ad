"""A small tournament: a scenario of two or three seats that is over in a few rounds, and rows made up for the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from livingtable.arena.plan import Plan
from livingtable.game import Data

OWN_AGENTS = """
import time

def first(view, legal):
    return legal[0]

def first_by_notation(view, legal):
    print("thinking aloud" * 10_000)
    return legal[0].notation

def raises(view, legal):
    raise ZeroDivisionError("by\\nnothing")

def illegal(view, legal):
    return "move 99,99"

def prose(view, legal):
    return "I would move somewhere"

def nothing(view, legal):
    return object()

def no_answer(view, legal):
    pass

def the_index(view, legal):
    return 0

def all_of_them(view, legal):
    return legal

def leaves(view, legal):
    raise SystemExit("enough of this")

def never_answers(view, legal):
    while True:
        pass

class Counting:
    def __init__(self, side, seed):
        self.n = seed

    def choose(self, view, legal):
        self.n += 1
        return legal[self.n % len(legal)]
"""


def write_scenario(folder: Path, name: str = "brief", seats: int = 2, **more: Any) -> Path:
    """The folder, with a scenario of so many solos in it."""
    folder.mkdir(exist_ok=True)
    characters = [{"position": f"{2 * n},0", "strength": 2.0} for n in range(seats)]
    told = {"title": name, "summary": "", "map": ["......", "......"], "wizard": None, "maxRounds": 3}
    data = {"game": "botwars", "name": name, "characters": characters, **told, **more}
    (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")
    return folder


def brief(folder: Path, *entrants: str, games: int = 4, **more: Any) -> Plan:
    """A tournament on that scenario, which it puts into the folder."""
    return Plan(("brief",), entrants or ("random", "greedy"), games, 7, folders=(str(write_scenario(folder)),), **more)


def row(places: dict[str, int], group: int = 0, end: str = "won", **more: Any) -> Data:
    """A game of entrants who each have the seat that is named after them."""
    seats = {f"seat-of-{name}": name.rstrip("'") for name in places}
    by_seat = {f"seat-of-{name}": place for name, place in places.items()}
    scores = {side: 10 - place for side, place in by_seat.items()}
    told = {"scenario": "brief", "group": group, "seed": group, "seats": seats, "end": end, "reason": "sole_survivor"}
    return {**told, "places": by_seat, "scores": scores, "rounds": 3, "actions": 9, **more}
