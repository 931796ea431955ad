"""Counts of positions after n plies, as chess engines' perft: every sequence of legal actions from fixed set-ups.

The dice are those of the seed, so a count changes if the rules, the legal lists or the order of the dice do.
"""

from __future__ import annotations

from typing import Any

import pytest

import livingtable
from livingtable.game import Data, State

Counts = tuple[tuple[int, int], ...]
"""Sequences, and different positions that they lead to, after 1, 2, 3 plies."""

MEETING: Data = {
    "game": "botwars",
    "map": [".....", ".M.F.", ".....", ".F.M.", "....."],
    "characters": [
        {"position": "0,2", "strength": 2.0},
        {"position": "1,2", "strength": 1.5},
        {"position": "4,2", "strength": 2.5},
        {"characterType": "troll", "position": "2,0", "strength": 3.0},
    ],
    "wizard": {"position": "2,4"},
}
"""Two who may ally, Gary near, a troll two steps away."""

GORGE: Data = {
    "game": "botwars",
    "map": ["M.MMM", "..M..", "M.FM.", "FM..M", "M...."],
    "characters": [
        {"position": "1,2", "strength": 2.0},
        {"position": "1,1", "strength": 1.0},
        {"position": "0,1", "strength": 1.0},
        {"position": "4,4", "strength": 2.4},
        {"characterType": "troll", "position": "4,1", "strength": 3.5, "health": 3.0},
    ],
    "parties": [["p1", "p2", "p3"]],
    "consecutivePasses": {"p1": 1},
    "wizard": None,
}
"""A party in a narrow place that has passed once, gaps to squeeze through on both sides."""

BRAWL: Data = {
    "game": "botwars",
    "map": ["......", "......", "......", "......"],
    "characters": [
        {"position": "1,1", "strength": 2.0, "health": 2.0},
        {"position": "0,1", "strength": 1.2, "health": 3.0},
        {"position": "3,1", "strength": 1.8, "health": 2.0},
        {"position": "4,1", "strength": 1.6},
        {"position": "3,3", "strength": 2.2},
        {"characterType": "troll", "position": "1,3", "strength": 3.0, "health": 1.0},
    ],
    "parties": [["p1", "p2"], ["p3", "p4"]],
    "wizard": {"position": "5,0"},
    "wizardRoams": True,
}
"""Two parties a step apart, a solo stronger than both leaders, a troll near death."""

HUNT: Data = {
    "game": "foxhunt",
    "map": ["W_w", "___", "w_W"],
    "players": [{"position": "1,0"}, {"position": "0,1", "paralysed": 1}, {"position": "1,2", "bombs": 2}],
    "bombs": [{"position": "2,1", "owner": "p1", "range": 1, "fuse": 0}],
    "specials": [{"position": "1,1", "kind": "range"}],
    "fox": "p1",
    "fuse": 1,
    "spawnEvery": 1,
}
"""A fox and two hunters around a bomb and a special; every arrival order of the commands is another sequence."""

PINNED: dict[str, tuple[Data, Counts]] = {
    "meeting": (MEETING, ((4, 4), (23, 23), (89, 88))),
    "gorge": (GORGE, ((2, 2), (6, 6), (24, 18))),
    "brawl": (BRAWL, ((8, 8), (41, 41), (212, 200))),
    "hunt": (HUNT, ((7, 7), (20, 10), (280, 140))),
}


def counted(state: State, plies: int) -> tuple[int, int]:
    """Sequences of so many legal actions (shorter where the game ends), and the positions that they lead to."""
    ends: list[str] = []
    _walk(state, plies, ends)
    return len(ends), len(set(ends))


def _walk(state: State, plies: int, ends: list[str]) -> None:
    if plies == 0 or state.result is not None:
        ends.append(str(state.to_data()))
        return
    for side in state.to_act:
        for action in state.legal_actions(side):
            after = state.copy()
            after.apply(side, action)
            _walk(after, plies - 1, ends)


@pytest.mark.parametrize("name", PINNED)
def test_as_many_positions_after_one_two_and_three_plies(name: str) -> None:
    setup, expected = PINNED[name]
    state = livingtable.new_game(setup, seed=7)
    assert tuple(counted(state, plies) for plies in (1, 2, 3)) == expected


def test_the_root_is_not_changed_by_counting() -> None:
    setup: dict[str, Any] = MEETING
    state = livingtable.new_game(setup, seed=7)
    counted(state, 2)
    assert state.to_data() == livingtable.new_game(setup, seed=7).to_data()
