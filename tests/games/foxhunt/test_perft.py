"""Counts of positions after one and two rounds, as chess engines' perft: everybody's legal commands, all together.

Nothing is left to chance but where a catcher goes, and that is the seed's. What counts is the view, so two ways into
one position are one.
"""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from tests.games.foxhunt.drawing import Figures, drawn, play
from tests.games.foxhunt.plain import legal_notations

from livingtable.games.foxhunt import FoxhuntState

DUEL = """
    W  W  W  W  W
    W  1  _  2  W
    W  W  w  R  W
    W  W  W  W  W
    """
"""A fox and a hunter at a breakable wall."""

CROWD = """
    1  _  2
    w  a  w
    3  W  _
    """
"""Three around a bomb that goes off at once."""

CORNERED = """
    W  w  W  2
    w  1b W  _
    W  w  W  w
    """
"""A fox walled in over a bomb that frees it."""

PINNED: dict[str, tuple[str, Figures, tuple[tuple[int, int], ...]]] = {
    #             commands of whole rounds and different positions, after 1 and 2 rounds
    "duel": (DUEL, {}, ((35, 35), (487, 240))),
    "crowd": (CROWD, {"a": {"range": 1}, "p3": {"hat": 2}}, ((20, 20), (987, 823))),
    "cornered": (CORNERED, {"p1": {"hat": 1, "bombs": 2}}, ((8, 4), (192, 80))),
}


def root_of(name: str) -> FoxhuntState:
    picture, figures, _ = PINNED[name]
    return drawn(picture, figures=figures, fuse=1, throwRange=2)


def after_each(state: FoxhuntState) -> list[FoxhuntState]:
    """The states after a round, for all that the players may command together."""
    reached: list[FoxhuntState] = []
    lists = [[action.notation for action in state.legal_actions(side)] for side in state.to_act]
    for chosen in product(*lists):
        after = state.copy()
        play(after, **dict(zip(state.to_act, chosen, strict=True)))
        reached.append(after)
    return reached


def counted(root: FoxhuntState, rounds: int) -> tuple[int, int]:
    """Sequences of so many rounds' commands, and the positions that they lead to."""
    ends = [root]
    for _ in range(rounds):
        ends = [after for state in ends for after in after_each(state)]
    return len(ends), len({str(state.view(None)) for state in ends})


@pytest.mark.parametrize("name", PINNED)
def test_as_many_positions_after_one_and_two_rounds(name: str) -> None:
    assert tuple(counted(root_of(name), rounds) for rounds in (1, 2)) == PINNED[name][2]


@pytest.mark.parametrize("name", PINNED)
def test_the_counts_of_sequences_are_those_of_the_plain_rules(name: str) -> None:
    """FX-1.4: the lengths of the lists, multiplied."""
    root = root_of(name)
    (first, _), (second, _) = PINNED[name][2]
    assert plainly(root) == first
    assert sum(plainly(state) for state in after_each(root)) == second


def plainly(state: FoxhuntState) -> int:
    """How many joint commands there are."""
    view = state.view(None)
    return prod(len(legal_notations(view, side)) for side in state.to_act)


@pytest.mark.parametrize("name", PINNED)
def test_the_root_is_not_changed_by_counting(name: str) -> None:
    state = root_of(name)
    counted(state, 1)
    assert state.to_data() == root_of(name).to_data()
