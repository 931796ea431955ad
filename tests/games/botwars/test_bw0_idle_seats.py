"""BW-0.6 and BW-0.7 from the side of those who may not act (C11), and what is shown of the dead (C13)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, legal, picture_of, play_all

from livingtable.errors import Refusal
from livingtable.games.botwars.state import BotwarsState

DEAD: dict[str, Any] = {"alive": False, "health": 0}


def idle(state: BotwarsState, side: str) -> str:
    """Why the seat has no legal actions; it has none."""
    assert legal(state, side) == []
    return state.why_idle(side)


def test_the_seat_to_act_has_no_reason_to_be_idle() -> None:
    """BW-0.7 (C11): a reason stands only where the list is empty."""
    state = drawn("1..2")
    assert legal(state, "p1")
    assert state.why_idle("p1") == ""


def test_a_waiting_seat_is_told_whose_turn_it_is() -> None:
    """BW-0.7 (C11): waiting."""
    assert idle(drawn("1..2"), "p2") == "p2 waits: p1 is to act (it is its turn)"


def test_the_asker_waits_for_the_answer() -> None:
    """BW-0.7 (C11): while an answer is open, that seat alone is to act."""
    state = drawn("12.3")
    act(state, "p1", "ally p2")
    assert idle(state, "p1") == "p1 waits: p2 is to act (to answer an offer)"


def test_others_wait_for_the_choice_of_a_reward() -> None:
    """BW-0.7 (C11): while a reward is open, that seat alone is to act."""
    state = drawn("1G.2", d20=[20, 1, 20, 1])
    act(state, "p1", "challenge")
    assert idle(state, "p2") == "p2 waits: p1 is to act (to choose a reward)"


def test_a_follower_is_told_who_decides_for_it() -> None:
    """BW-0.6 (C11): party followers are skipped, in their leader's turn too."""
    state = drawn("12..3", parties=[["p1", "p2"]])
    assert idle(state, "p2") == "p2 follows p1, who decides for the party"


def test_the_dead_are_told_so() -> None:
    """BW-0.6 (C11): the dead are skipped."""
    assert idle(drawn("1..2..3", figures={"p2": DEAD}), "p2") == "p2 is dead and takes no turns"


def test_a_spectator_is_told_that_it_has_no_seat() -> None:
    """BW-0.7 (C11): a seat that is none."""
    assert idle(drawn("1..2"), "p9") == "there is no seat 'p9'; the seats are p1, p2"


@pytest.mark.parametrize("side", ["p1", "p2", "p3"])
def test_after_the_end_every_seat_is_told_so(side: str) -> None:
    """BW-0.7 (C11): after the end; the winner, a follower and one who is dead."""
    state = drawn("12..3", parties=[["p1", "p2"]], figures={"p3": DEAD})
    assert idle(state, side) == "the game is over: united"


@pytest.mark.parametrize("side", ["p2", "p3", "p4", "p9"])
def test_who_may_not_act_is_refused_with_the_same_reason(side: str) -> None:
    """BW-0.7 (C11): waiting, following, dead, no seat; and nothing changes."""
    state = drawn("12..3..4", parties=[["p1", "p2"]], figures={"p4": DEAD})
    before = state.to_data()
    with pytest.raises(Refusal) as refused:
        act(state, side, "pass")
    assert refused.value.reason == state.why_idle(side)
    assert state.to_data() == before


# --- after a death ---


def after_a_death() -> BotwarsState:
    """p2 has died of a troll at 1,0; p1 and p3 live."""
    state = drawn("T2..1..3", figures={"p2": {"health": 1.0}}, d20=[20, 1, 20, 1], d3=[1], turn="t1")
    act(state, "t1", "attack p2")
    return state


def test_the_state_shows_a_gravestone_after_a_death() -> None:
    """BW-7.2 (C13): and the dead no longer among the living."""
    state = after_a_death()
    assert state.view(None)["graves"] == [{"id": "p2", "position": "1,0"}]
    assert (character(state, "p2")["alive"], character(state, "p2")["health"]) == (False, 0.0)


def test_the_board_shows_a_gravestone_after_a_death() -> None:
    """BW-7.2 (C13): in the very next board, in its picture and its line."""
    state = after_a_death()
    assert picture_of(state) == "T+..1..3"
    (line,) = (line for line in state.board(None).splitlines() if line.startswith("p2"))
    assert (line.split()[0], "dead" in line.split()) == ("p2=+", True)


def test_the_dead_have_no_legal_actions_and_no_turn() -> None:
    """BW-7.2 (C13): no further decision."""
    state = after_a_death()
    assert [legal(state, "p2"), state.to_act] == [[], ("p1",)]
    assert play_all(state, "pass", 6) == ["p1", "p3", "t1"] * 2


def test_a_gravestone_can_be_walked_over_and_is_seen_again() -> None:
    """BW-7.2 (C13): passable; who stands on it hides it."""
    state = drawn("1..2..3", figures={"p2": DEAD}, turn="p1")
    act(state, "p1", "move 1,0")
    play_all(state, "pass", 1)
    act(state, "p1", "move 2,0")
    play_all(state, "pass", 1)
    act(state, "p1", "move 3,0")
    assert (picture_of(state), figures_of(state, "position")["p2"]) == ("...1..3", "3,0")
    play_all(state, "pass", 1)
    act(state, "p1", "move 4,0")
    assert picture_of(state) == "...+1.3"


def test_nobody_is_dead_in_classic() -> None:
    """BW-7.2, classic (C13): no gravestone, whatever the health."""
    state = drawn(
        "1.23...4",
        parties=[["p2", "p3"]],
        figures={"p1": {"strength": 3.0, "health": 1.0}},
        d20=[1, 20, 1, 20],
        d3=[3],
        ruleset="classic",
    )
    act(state, "p1", "move 1,0")
    assert (character(state, "p1")["health"], character(state, "p1")["alive"]) == (0.0, True)
    assert (state.view(None)["graves"], "+" in picture_of(state)) == ([], False)
