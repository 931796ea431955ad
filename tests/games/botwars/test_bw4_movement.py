"""BW-4.1, BW-4.2, BW-4.5: steps, lines in single file, passes; and what no play may ever break (case C21)."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.games.botwars.drawing import (
    act,
    character,
    drawn,
    figures_of,
    graves_of,
    kinds,
    legal,
    named,
    parties_of,
    same_board,
)
from tests.games.botwars.random_play import random_play, random_setup, read, rngs, stable, started

from livingtable.errors import Code, Refusal
from livingtable.games.botwars.state import BotwarsState

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


def walk(state: BotwarsState, *cells: str) -> None:
    """p1 leads over the cells, p5 passes in between."""
    for cell in cells:
        act(state, "p1", f"move {cell}")
        act(state, "p5", "pass")


def test_a_line_goes_around_corners() -> None:
    """BW-4.2: each goes exactly the way of the one ahead, around obstacles too (C21)."""
    state = drawn(
        """
        4321..
        MMMM..
        5.....
        """,
        parties=PARTY_OF_FOUR,
    )
    walk(state, "4,1", "3,2", "2,2")
    assert same_board(
        state,
        """
        ...4..
        MMMM3.
        5.12..
        """,
    )


def test_a_line_turns_back_along_itself() -> None:
    """BW-4.2: reversing (C21)."""
    state = drawn(
        """
        4321....5
        .........
        """,
        parties=PARTY_OF_FOUR,
    )
    walk(state, "4,1", "3,1", "2,1", "1,1")
    assert same_board(
        state,
        """
        ........5
        .1234....
        """,
    )


def test_a_line_zigzags_on_diagonals() -> None:
    """BW-4.2: diagonals are single steps (C21)."""
    state = drawn(
        """
        .........
        4321....5
        .........
        """,
        parties=PARTY_OF_FOUR,
    )
    walk(state, "4,0", "5,1", "4,2")
    assert same_board(
        state,
        """
        ....3....
        ...4.2..5
        ....1....
        """,
    )


def test_a_ring_of_four_does_not_turn() -> None:
    """BW-4.1: the tail's cell is not free for the leader until the tail has left it."""
    state = drawn(
        """
        12...
        43..5
        """,
        parties=PARTY_OF_FOUR,
    )
    assert legal(state, "p1") == ["pass"]


# --- BW-4.5 ---


def test_a_solo_a_leader_and_a_troll_may_always_pass() -> None:
    """BW-4.5: pass is always legal on a turn, though there are moves."""
    state = drawn("12...3...T", parties=[["p1", "p2"]])
    for side in ("p1", "p3", "t1"):
        assert "pass" in legal(state, side)
        act(state, side, "pass")
    assert state.to_act == ("p1",)


def test_one_walled_in_can_only_pass() -> None:
    """BW-4.5: pass is legal where there is no move."""
    state = drawn("1M2")
    assert legal(state, "p1") == ["pass"]


def test_nobody_passes_beside_a_mandatory_foe() -> None:
    """BW-4.5: save where BW-8.4 forces an attack."""
    state = drawn("1T..2")
    assert legal(state, "p1") == ["attack t1"]
    with pytest.raises(Refusal) as refused:
        act(state, "p1", "pass")
    assert refused.value.code is Code.ILLEGAL_ACTION


def test_a_pass_moves_nobody_and_brings_no_encounter() -> None:
    """BW-4.5, BW-2.0: passes cause nothing."""
    state = drawn("123...4", parties=[["p1", "p2"]], figures={"p1": {"strength": 3.0}})
    assert kinds(act(state, "p1", "pass")) == ["passed"]
    assert parties_of(state) == [["p1", "p2"]]


# --- what holds always (C21) ---


def check_invariants(state: BotwarsState, actions: int) -> None:
    view = state.view(None)
    by_id = {c["id"]: c for c in view["characters"]}
    living = [c for c in view["characters"] if c["alive"]]
    cells = [c["position"] for c in living]
    assert len(set(cells)) == len(cells), "two living characters on one cell"
    for x, y in map(read, cells):
        assert view["terrain"][y][x] == "."
    check_lines(view["parties"], by_id)
    for c in view["characters"]:
        for key in ("strength", "health", "maxHealth"):
            assert c[key] == round(c[key] * 10) / 10
        assert c["strength"] >= 0.1
        assert 0 <= c["health"] <= c["maxHealth"]
        assert isinstance(c["score"], int)
        assert abs(c["score"]) <= 1 + 3 * 8 * actions
    assert state.living_players == sum(c["characterType"] == "player" for c in living)
    assert state.living_trolls == sum(c["characterType"] == "troll" for c in living)
    assert {c["id"] for c in view["characters"] if not c["alive"]} == {grave["id"] for grave in view["graves"]}
    assert all(state.occupant[state.terrain.index[c["position"]]] == state.cast.index[c["id"]] for c in living)
    assert state.occupied == sum(1 << state.terrain.index[cell] for cell in cells)
    if not state.cast.classic:
        assert all((c["health"] > 0) == c["alive"] for c in view["characters"])


def check_lines(parties: list[dict[str, Any]], by_id: dict[str, dict[str, Any]]) -> None:
    lined: dict[str, Any] = {}
    for party in parties:
        members: list[str] = party["members"]
        assert len(members) > 1
        assert members[0] == party["leader"]
        for ahead, behind in pairwise(members):
            (ax, ay), (bx, by) = read(by_id[ahead]["position"]), read(by_id[behind]["position"])
            assert max(abs(ax - bx), abs(ay - by)) == 1, "the line is broken"
        assert not set(lined) & set(members), "somebody follows twice"
        lined |= dict.fromkeys(members, party["leader"])
        assert party["totalStrength"] == sum(round(by_id[m]["strength"] * 10) for m in members) / 10
    assert {side: c["leader"] for side, c in by_id.items() if c["leader"]} == lined
    assert all(by_id[side]["alive"] and by_id[side]["characterType"] == "player" for side in lined)


@given(rngs)
@stable
def test_random_play_keeps_every_line_whole_and_every_figure_in_range(rng: Random) -> None:
    """BW-4.2: the invariant, and exact tenths, ranges, counts of the living, in the ruleset full and in classic."""
    state = started(random_setup(rng, classic=rng.random() < 0.2), seed=rng.randint(0, 2**53 - 1))
    check_invariants(state, 0)
    for n, (side, action) in enumerate(random_play(rng, state), start=1):
        state.apply(side, action)
        check_invariants(state, n)


@given(rngs)
@stable
def test_a_line_of_four_goes_anywhere_one_cell_at_a_time(rng: Random) -> None:
    """BW-4.2, BW-4.3: around corners, on diagonals, reversing, through the maneuver: everybody moves by exactly 1 or
    nobody moves (C21)."""
    size = rng.randint(4, 7)
    rows = [*(["."] * size for _ in range(size)), ["M"] * size, [*"5MMM"] + ["M"] * (size - 4)]
    line = [(0, 0), (1, 0), (2, 0), (3, 0)]
    for y in range(size):
        for x in range(size):
            if (x, y) not in line and rng.random() < 0.35:
                rows[y][x] = rng.choice("MF")
    for number, (x, y) in enumerate(line, start=1):
        rows[y][x] = str(number)
    state = drawn("\n".join(map("".join, rows)), parties=PARTY_OF_FOUR, maxRounds=None)
    for side, action in random_play(rng, state, 120):
        before = figures_of(state, "position")
        events = [event.to_data() for event in state.apply(side, action)]
        after = figures_of(state, "position")
        check_invariants(state, 0)
        if side == "p1":
            moved = named(events, "moved") + named(events, "unstuck")
            for member in PARTY_OF_FOUR[0]:
                (ax, ay), (bx, by) = read(before[member]), read(after[member])
                assert max(abs(ax - bx), abs(ay - by)) == len(moved)


@given(rngs)
@stable
def test_a_copy_goes_its_own_way_and_the_same_way(rng: Random) -> None:
    """BW-0.10: a copy plays as the original does, and neither changes the other."""
    state = started(random_setup(rng), seed=rng.randint(0, 2**53 - 1))
    for side, action in random_play(rng, state, 30):
        before = state.to_data()
        twin = state.copy()
        events = [event.to_data() for event in state.apply(side, action)]
        assert twin.to_data() == before
        after = state.to_data()
        assert [event.to_data() for event in twin.apply(side, action)] == events
        assert twin.to_data() == state.to_data() == after
