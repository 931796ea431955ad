"""The order in which commands arrive decides nothing but who catches the fox (FX-3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.foxhunt.drawing import Event, drawn, fox_of, give, named
from tests.games.foxhunt.random_play import stable

from livingtable.games.foxhunt import FoxhuntState

FOUR = ("p1", "p2", "p3", "p4")
ORDERS = list(permutations(FOUR))

BRAWL = """
    W  _  w  R  _  W
    _  2  a  _  3  w
    w  _  1  H  _  B
    _  4  _  w  _  _
    """
"""Four players with bombs and specials between them."""


def started_brawl(seed: int) -> FoxhuntState:
    figures = {"a": {"owner": "p2", "fuse": 1, "range": 3}, "p2": {"bombs": 2}, "p4": {"hat": 1}}
    return drawn(BRAWL, figures=figures, seed=seed, fuse=0, spawnEvery=1, revealChance=0.5)


def resolved(state: FoxhuntState, commands: dict[str, str], order: Sequence[str]) -> tuple[FoxhuntState, list[Event]]:
    """The state after the round, and its events."""
    after = state.copy()
    events = [event for side in order for event in give(after, side, commands[side])]
    return after, events


def told(events: list[Event]) -> list[Event]:
    """The events without what tells of the order itself."""
    return [event for event in events if event["type"] not in ("committed", "round_resolved")]


@given(st.integers(0, 10**6), st.data())
@stable
def test_all_orders_of_the_same_commands_give_the_same_board(seed: int, data: st.DataObject) -> None:
    """FX-1.1, FX-2, FX-R7: the whole state, dice included, and all events, of all 24 orders with the same catcher."""
    state = started_brawl(seed)
    for _ in range(3):
        if state.to_act != FOUR:
            return
        commands = {side: data.draw(st.sampled_from(state.legal_actions(side))).notation for side in FOUR}
        by_catcher: dict[str, Any] = {}
        for order in ORDERS:
            after, events = resolved(state, commands, order)
            outcome = (after.to_data(), told(events))
            caught = [event["by"] for event in named(events, "caught")]
            assert by_catcher.setdefault(str(caught), outcome) == outcome
        state, _ = resolved(state, commands, FOUR)


def test_orders_that_part_do_so_by_the_catcher_alone() -> None:
    """FX-3.2: what the first of those at the fox is, is the whole difference."""
    state = drawn(
        """
        W  2  W  _
        3  1  4  W
        W  W  W  W
        """
    )
    commands = {"p1": "bomb", "p2": "move S", "p3": "move E", "p4": "move W"}
    for order in ORDERS:
        after, _ = resolved(state, commands, order)
        assert fox_of(after) == next(side for side in order if side != "p1")


@pytest.mark.parametrize("order", ORDERS[::5], ids=lambda order: "".join(side[1] for side in order))
def test_replaced_commands_leave_no_trace_but_their_time(order: Sequence[str]) -> None:
    """FX-1.3: the same as if only the last ones had been given."""
    state = started_brawl(7)
    final = {"p1": "stay", "p2": "move N", "p3": "throw W 1", "p4": "bomb"}
    hasty = state.copy()
    for side in reversed(order[:3]):  # The fourth would resolve the round.
        for notation in ("stay", "bomb"):
            give(hasty, side, notation)
    for side in order:
        give(hasty, side, final[side])
    straight, _ = resolved(state, final, order)
    assert hasty.to_data() == straight.to_data()
