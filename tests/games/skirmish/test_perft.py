"""Counts of positions after one and two plies, as chess engines' perft.

Dice are loaded with 6: every attack hits. What counts is the view, so two ways into one position are one.
"""

from __future__ import annotations

import pytest
from tests.games.skirmish.drawing import act, drawn
from tests.games.skirmish.plain import legal_notations

from livingtable.games.skirmish import SkirmishState

CROSSING = """
    I  K1 .  ~  .  .
      A1 .  =  .  o1
    .  .  F  ~  d1 C
    """
"""A ford between two small armies."""

BRAWL = """
    .  K1 o1 .
      S1I t1 W1 F
    .  A1 g1 s1 C
    """
"""Everybody beside everybody."""

CORNERED = """
    M  M  M  I
      M  T1 ~  .
    M  d1 G1 .
      .  .  .  C
    """
"""A Troll between mountains, water and a Dragon; only over the Goblin's hex does it get out."""

PINNED: dict[str, tuple[str, tuple[tuple[int, int], ...]]] = {
    #            sequences and different positions, after 1 and 2 plies
    "crossing": (CROSSING, ((19, 19), (214, 142))),
    "brawl": (BRAWL, ((21, 21), (373, 211))),
    "cornered": (CORNERED, ((13, 13), (98, 69))),
}


def counted(state: SkirmishState, plies: int) -> tuple[int, int]:
    """Sequences of so many legal actions (shorter where the game ends), and the positions that they lead to."""
    ends: list[str] = []
    _walk(state, plies, ends)
    return len(ends), len(set(ends))


def _walk(state: SkirmishState, plies: int, ends: list[str]) -> None:
    if plies == 0 or state.result is not None:
        ends.append(f"{state.view(None)} {state.result}")
        return
    (side,) = state.to_act
    for action in state.legal_actions(side):
        after = state.copy()
        after.apply(side, action)
        _walk(after, plies - 1, ends)


@pytest.mark.parametrize("name", PINNED)
def test_as_many_positions_after_one_and_two_plies(name: str) -> None:
    picture, expected = PINNED[name]
    state = drawn(picture, d6=[6] * 9)
    assert tuple(counted(state, plies) for plies in (1, 2)) == expected


@pytest.mark.parametrize("name", PINNED)
def test_the_counts_of_sequences_are_those_of_the_plain_rules(name: str) -> None:
    picture, ((first, _), (second, _)) = PINNED[name]
    root = drawn(picture, d6=[6] * 9)
    listed = legal_notations(root.view(None))
    assert len(listed) == first
    after = [root.copy() for _ in listed]
    for state, notation in zip(after, listed, strict=True):
        act(state, notation)
    assert sum(1 if state.result else len(legal_notations(state.view(None))) for state in after) == second


def test_the_root_is_not_changed_by_counting() -> None:
    state = drawn(BRAWL, d6=[6] * 9)
    counted(state, 2)
    assert state.to_data() == drawn(BRAWL, d6=[6] * 9).to_data()
