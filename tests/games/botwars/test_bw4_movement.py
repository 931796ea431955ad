"""BW-4.1, BW-4.2, BW-4.5: steps, lines in single file, passes; and what no play may ever break (case C21)."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from livingtable.errors import Code, Refusal
from livingtable.games.botwars.state import BotwarsState
from tests.games.botwars.drawing import (
    act,
    character,
    drawn,
    figures_of,
    graves_of,
    kinds,
    legal,
    named,
    only,
    parties_of,
    same_board,
)
from tests.games.botwars.random_play import random_play, random_setup, read, rngs, stable, started

PARTY_OF_FOUR = [["p1", "p2", "p3", "p4"]]


def steps(state: BotwarsState, side: str) -> set[str]:
    return {action.removeprefix("move ") for action in legal(state, side) if action.startswith("move ")}


# --- BW-4.1 ---


def test_a_solo_may_step_to_each_of_the_eight_neighbours() -> None:
    """BW-4.1: the eight neighbouring cells, and no cell further away."""
    state = drawn("""
        ......
        ..1...
        ......
        .....2
        """)
    assert steps(state, "p1") == {"1,0", "2,0", "3,0", "1,1", "3,1", "1,2", "2,2", "3,2"}


def test_a_troll_steps_like_a_solo() -> None:
    """BW-4.1: leader, solo or troll."""
    state = drawn(
        """
        T.....
        .M....
        .....1
        """,
        turn="t1",
    )
    assert steps(state, "t1") == {"1,0", "0,1"}


@pytest.mark.parametrize("obstacle", "MF")
def test_obstacles_are_impassable(obstacle: str) -> None:
    """BW-4.1: to a cell that is open."""
    state = drawn(f"1{obstacle}2")
    assert steps(state, "p1") == set()
    with pytest.raises(Refusal) as refused:
        act(state, "p1", "move 1,0")
    assert refused.value.code is Code.ILLEGAL_ACTION


def test_nobody_steps_off_the_board() -> None:
    """BW-4.1: a corner has three neighbours."""
    assert steps(drawn("1..\n...\n..2"), "p1") == {"1,0", "0,1", "1,1"}


def test_a_living_character_blocks_its_cell() -> None:
    """BW-4.1: a cell that holds no living character."""
    state = drawn("12.\n...")
    assert steps(state, "p1") == {"0,1", "1,1"}


def test_gary_does_not_block() -> None:
    """BW-4.1: Gary does not block."""
    state = drawn("1G..2")
    act(state, "p1", "move 1,0")
    assert character(state, "p1")["position"] == "1,0"
    assert state.view(None)["wizard"]["position"] == "1,0"


def test_a_grave_does_not_block() -> None:
    """BW-4.1: graves do not block."""
    state = drawn("13..2", figures={"p3": {"alive": False, "health": 0}})
    act(state, "p1", "move 1,0")
    assert same_board(state, ".1..2")
    assert graves_of(state) == {"p3": "1,0"}


def test_a_leader_may_not_step_onto_its_own_follower() -> None:
    """BW-4.1: a living follower holds its cell, the tail too, though it will leave it."""
    state = drawn("12.\n.3.\n..4", parties=[["p1", "p2", "p3"]])
    assert steps(state, "p1") == {"0,1"}


def test_a_follower_has_no_steps_of_its_own() -> None:
    """BW-4.1: the leader moves; its followers decide nothing."""
    state = drawn("12.3", parties=[["p1", "p2"]])
    act(state, "p1", "pass")
    assert state.to_act == ("p3",)
    assert legal(state, "p2") == []


# --- BW-4.2 ---


def test_each_follower_steps_onto_the_cell_that_the_one_ahead_has_just_left() -> None:
    """BW-4.2: single file."""
    state = drawn(
        """
        ........5
        .4321....
        .........
        """,
        parties=PARTY_OF_FOUR,
    )
    events = act(state, "p1", "move 5,2")
    assert same_board(
        state,
        """
        ........5
        ..432....
        .....1...
        """,
    )
    line = {"p1": "5,2", "p2": "4,1", "p3": "3,1", "p4": "2,1"}
    assert events == [{"type": "moved", "side": "p1", "from": "4,1", "to": "5,2", "line": line}]


def test_the_line_keeps_the_order_of_its_members() -> None:
    """BW-4.2: members stand in line order, whatever their registration."""
    state = drawn("..132..4", parties=[["p1", "p3", "p2"]])
    act(state, "p1", "move 1,0")
    assert same_board(state, ".132...4")
    assert parties_of(state) == [["p1", "p3", "p2"]]


def test_a_line_goes_around_a_corner() -> None:
    """BW-4.2: each goes exactly the leader's way (C21)."""
    state = drawn(
        """
        4321.
        MMMM.
        ....5
        """,
        parties=PARTY_OF_FOUR,
        figures={"p5": {"strength": 1.0}},
    )
    act(state, "p1", "move 4,1")
    assert same_board(
        state,
        """
        .4325
        MMMM1
        .....
        """.replace("5\n", ".\n").replace("1\n        .....", "1\n        ....5"),
    ) or same_board(
        state,
        """
        5432.
        MMMM1
        .....
        """,
    )
