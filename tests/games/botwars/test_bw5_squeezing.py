"""BW-5: squeezing diagonally between two obstacle corners (case C20)."""

from __future__ import annotations

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, kinds, only, same_board

from livingtable.games.botwars.state import BotwarsState

GAP_AHEAD = """
    .21M......
    ..M.......
    .........3
    """
"""The leader's step from 2,0 to 3,1 is a squeeze."""


@pytest.mark.parametrize("row", ["1...\n....", "1M..\n....", "1F..\n....", "1...\nM...", "1...\nF..."])
def test_a_diagonal_step_past_no_obstacle_corner_or_one_costs_nothing(row: str) -> None:
    """BW-5.3: none or one of the two corners."""
    state = drawn(f"{row}\n...2")
    assert kinds(act(state, "p1", "move 1,1")) == ["moved"]
    assert character(state, "p1")["strength"] == 2.0


@pytest.mark.parametrize("east", "MF")
@pytest.mark.parametrize("south", "MF")
def test_a_diagonal_step_between_two_obstacle_corners_is_a_squeeze(east: str, south: str) -> None:
    """BW-5.1: both cells that share a side with start and end are obstacles, mountains or forests."""
    state = drawn(f"1{east}..\n{south}...\n...2")
    events = act(state, "p1", "move 1,1")
    assert kinds(events) == ["moved", "squeezed"]
    assert character(state, "p1")["position"] == "1,1"


@pytest.mark.parametrize(
    ("picture", "to"),
    [("1M.\nM..\n..2", "1,1"), (".M.\nM1.\n..2", "0,0"), (".M1\n..M\n2..", "1,1"), (".M.\n.1M\n2..", "2,0")],
    ids=["SE", "NW", "SW", "NE"],
)
def test_a_squeeze_is_one_in_each_diagonal_direction(picture: str, to: str) -> None:
    """BW-5.1: whichever way."""
    state = drawn(picture)
    assert only(act(state, "p1", f"move {to}"), "squeezed")["losses"] == {"p1": 0.1}


def test_other_obstacles_nearby_make_no_squeeze() -> None:
    """BW-5.1: only the two corners count."""
    state = drawn("M1.M\nM..M\nMMM2")
    assert kinds(act(state, "p1", "move 2,1")) == ["moved"]


def test_the_edge_of_the_board_is_no_obstacle() -> None:
    """BW-5.1, BW-0.2: a diagonal step along the edge, past one obstacle."""
    state = drawn("1.2\nM.F")
    assert kinds(act(state, "p1", "move 1,1")) == ["moved"]


def test_an_orthogonal_step_between_obstacles_costs_nothing() -> None:
    """BW-5.3: an orthogonal step along obstacles."""
    state = drawn("MMMM\n1..2\nFFFF")
    assert kinds(act(state, "p1", "move 1,1")) == ["moved"]
    assert character(state, "p1")["strength"] == 2.0


# --- the price ---


def test_a_solo_that_squeezes_loses_a_tenth() -> None:
    """BW-5.2: a solo loses 0.1 strength."""
    state = drawn("1M..\nM...\n...2")
    events = act(state, "p1", "move 1,1")
    assert only(events, "squeezed") == {"type": "squeezed", "side": "p1", "losses": {"p1": 0.1}}
    assert figures_of(state, "strength") == {"p1": 1.9, "p2": 2.0}


def test_a_troll_that_squeezes_loses_a_tenth() -> None:
    """BW-5.2: a troll loses 0.1 strength."""
    state = drawn("TM..\nM...\n....\n1...", turn="t1")
    act(state, "t1", "move 1,1")
    assert character(state, "t1")["strength"] == 3.9


def test_when_a_leader_squeezes_it_loses_two_tenths_and_each_follower_one() -> None:
    """BW-5.2: at that step, though the followers have not come through the gap."""
    state = drawn(GAP_AHEAD, parties=[["p1", "p2"]])
    events = act(state, "p1", "move 3,1")
    assert only(events, "squeezed")["losses"] == {"p1": 0.2, "p2": 0.1}
    assert figures_of(state, "strength") == {"p1": 1.8, "p2": 1.9, "p3": 2.0}


def test_the_followers_own_steps_through_the_gap_cost_nothing() -> None:
    """BW-5.2: once."""
    state = drawn(GAP_AHEAD, parties=[["p1", "p2"]])
    act(state, "p1", "move 3,1")
    act(state, "p3", "pass")
    assert kinds(act(state, "p1", "move 4,1")) == ["moved"]
    assert character(state, "p2")["position"] == "3,1"
    assert figures_of(state, "strength") == {"p1": 1.8, "p2": 1.9, "p3": 2.0}


@pytest.mark.parametrize(("strength", "lost"), [(0.1, 0.0), (0.2, 0.1), (0.3, 0.1)])
def test_a_solo_never_falls_below_a_tenth(strength: float, lost: float) -> None:
    """BW-5.2, BW-0.3: the event shows what was really lost."""
    state = drawn("1M..\nM...\n...2", figures={"p1": {"strength": strength}})
    assert only(act(state, "p1", "move 1,1"), "squeezed")["losses"] == {"p1": lost}
    assert character(state, "p1")["strength"] == max(0.1, round(strength - 0.1, 1))


@pytest.mark.parametrize(("strength", "lost"), [(0.1, 0.0), (0.2, 0.1), (0.3, 0.2), (0.4, 0.2)])
def test_a_leader_never_falls_below_a_tenth(strength: float, lost: float) -> None:
    """BW-5.2, BW-0.3: of the 0.2 only what there is."""
    state = drawn(GAP_AHEAD, parties=[["p1", "p2"]], figures={"p1": {"strength": strength}, "p2": {"strength": 0.1}})
    assert only(act(state, "p1", "move 3,1"), "squeezed")["losses"] == {"p1": lost, "p2": 0.0}
    assert character(state, "p1")["strength"] == max(0.1, round(strength - 0.2, 1))


# --- with what follows ---


def test_a_battle_after_the_squeeze_is_fought_with_what_is_left() -> None:
    """BW-5.2: at that step; encounters come after it (BW-2.0)."""
    state = drawn("1M..\nM...\n..T2", d20=[20, 1, 20, 1], d3=[1])
    events = act(state, "p1", "move 1,1")
    assert kinds(events)[:3] == ["moved", "squeezed", "battle"]
    assert only(events, "battle")["attackerStrength"] == 1.9


def test_a_leader_weakened_by_the_squeeze_may_be_too_weak_for_a_solo() -> None:
    """BW-5.2, BW-3.2: 2.0 has become 1.8 when the solo of 2.0 is met: it does not join."""
    state = drawn(
        """
        .21M.....
        ..M.3....
        ........4
        """,
        parties=[["p1", "p2"]],
        d20=[20, 1, 20, 1],
        d3=[1],
    )
    assert kinds(act(state, "p1", "move 3,1"))[:3] == ["moved", "squeezed", "battle"]


def test_the_leaders_step_in_the_maneuver_costs_as_a_move_does() -> None:
    """BW-5.2, BW-4.3: leader 0.2, follower 0.1."""
    state = drawn(
        """
        MM......
        21M....3
        """,
        parties=[["p1", "p2"]],
        consecutivePasses={"p1": 1},
    )
    events = act(state, "p1", "pass")
    assert kinds(events) == ["passed", "unstuck", "squeezed"]
    assert only(events, "squeezed")["losses"] == {"p1": 0.2, "p2": 0.1}
    assert same_board(
        state,
        """
        MM1.....
        .2M....3
        """,
    )


def test_a_followers_step_in_the_maneuver_costs_nothing() -> None:
    """BW-5.2, BW-4.3: only the leader's step counts."""
    state = drawn(
        """
        MM1.....
        .2M....3
        """,
        parties=[["p1", "p2"]],
        consecutivePasses={"p1": 1},
    )
    assert kinds(act(state, "p1", "pass")) == ["passed", "unstuck"]
    assert same_board(
        state,
        """
        MM21....
        ..M....3
        """,
    )


def warnings_of(state: BotwarsState, side: str | None) -> list[str]:
    return [line for line in state.board(side).splitlines() if line.startswith("squeeze")]


def test_the_board_warns_the_seat_to_act_of_its_squeezes() -> None:
    """BW-5.2: a notation does not show them."""
    state = drawn(
        """
        .M.
        M1M
        .M2
        """
    )
    assert warnings_of(state, "p1") == ["squeeze 2,0 0,2 0,0: strength -0.1"]
    assert warnings_of(state, "p2") == warnings_of(state, None) == []


def test_a_leader_is_told_what_its_followers_lose_too() -> None:
    """BW-5.2."""
    state = drawn(GAP_AHEAD, parties=[["p1", "p2"]], turn="p1")
    assert warnings_of(state, "p1") == ["squeeze 3,1: strength -0.2, followers -0.1"]


@pytest.mark.parametrize("field", ["1.M\n.M.\n2..", ".M.\nT1M\n.2."])
def test_without_a_move_that_squeezes_there_is_no_warning(field: str) -> None:
    """BW-5.3, BW-8.4: where none is a squeeze, and where a battle is forced."""
    assert warnings_of(drawn(field), "p1") == []
