"""FX-3: who catches the fox, and where the catcher goes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.foxhunt.drawing import (
    Event,
    cut,
    drawn,
    figures_of,
    fox_of,
    give,
    kinds,
    named,
    only,
    play,
    same_board,
)

from livingtable.games.foxhunt import FoxhuntState

# --- FX-3.1 ---

NEAR = """
    1  2  _  _
    W  W  W  W
    _  W  W  W
    """


def test_a_hunter_that_comes_to_the_fox_catches_it() -> None:
    """FX-3.1."""
    state = drawn(NEAR)
    assert only(play(state, p2="move W"), "caught") == {"type": "caught", "side": "p2", "fox": "p1", "by": "p2"}
    assert fox_of(state) == "p2"


def test_a_fox_that_comes_to_a_hunter_is_caught() -> None:
    """FX-3.1: whoever came to whom."""
    state = drawn(NEAR)
    assert only(play(state, p1="move E"), "caught")["by"] == "p2"


def test_both_coming_to_one_field_is_a_catch() -> None:
    """FX-3.1."""
    state = drawn(NEAR.replace("2  _", "_  2"))
    assert only(play(state, p1="move E", p2="move W"), "caught")["by"] == "p2"


def test_a_hunter_that_starts_on_the_foxs_field_catches_it_by_staying() -> None:
    """FX-3.1: it stands there after the moves."""
    state = drawn(
        """
        12 _  _
        _  _  _
        _  _  _
        """
    )
    assert only(play(state), "caught")["by"] == "p2"


def test_a_fox_that_walks_away_from_there_is_not_caught() -> None:
    """FX-3.1: after the moves."""
    state = drawn(
        """
        12 _  _
        _  _  _
        _  _  _
        """
    )
    assert named(play(state, p1="move E"), "caught") == []


def test_a_bomb_is_a_command_and_catches_too() -> None:
    """FX-3.1: who can act need not have moved."""
    state = drawn(NEAR)
    assert only(play(state, p1="move E", p2="bomb"), "caught")["by"] == "p2"


@pytest.mark.parametrize("gap", [0, 2, 4])
def test_swapping_fields_over_an_even_gap_is_no_catch(gap: int) -> None:
    """C29, FX-3.1: they pass each other at the middle."""
    state = corridor(gap)
    for _ in range(gap // 2):
        assert named(play(state, p1="move E", p2="move W"), "caught") == []
    before = figures_of(state, "position")
    assert named(play(state, p1="move E", p2="move W"), "caught") == []
    assert figures_of(state, "position") == {"p1": before["p2"], "p2": before["p1"]}
    assert fox_of(state) == "p1"


@pytest.mark.parametrize("gap", [1, 3])
def test_over_an_odd_gap_they_meet_and_that_is_a_catch(gap: int) -> None:
    """C29, FX-3.1."""
    state = corridor(gap)
    for _ in range(gap // 2):
        assert named(play(state, p1="move E", p2="move W"), "caught") == []
    assert only(play(state, p1="move E", p2="move W"), "caught")["by"] == "p2"


def corridor(gap: int) -> FoxhuntState:
    """The fox in the west, a hunter in the east, so many fields between them."""
    return drawn(
        f"""
        1 {"_ " * gap} 2 W
        W {"W " * gap} W W
        W {"W " * gap} _ W
        """
    )


def test_hunters_do_not_catch_each_other() -> None:
    """FX-3.1."""
    state = drawn(
        """
        1  W  2
        W  W  3
        _  W  _
        """
    )
    assert named(play(state, p2="move S"), "caught") == []


PARALYSED = """
    1  2  _
    W  W  W
    _  _  3
    """


def test_a_paralysed_hunter_catches_nobody() -> None:
    """FX-3.1: the fox may even come to it."""
    state = drawn(PARALYSED, figures={"p2": {"paralysed": 2}})
    assert named(play(state, p1="move E"), "caught") == []
    assert figures_of(state, "position")["p1"] == figures_of(state, "position")["p2"]


def test_a_hunter_catches_the_fox_beside_it_in_the_first_round_in_which_it_can_act() -> None:
    """FX-3.1, FX-4.2: not in the last round of its paralysis."""
    state = drawn(PARALYSED, figures={"p2": {"paralysed": 2}})
    assert named(play(state, p1="move E"), "caught") == []
    assert named(play(state), "caught") == []
    assert only(play(state), "caught")["by"] == "p2"


def test_a_paralysed_fox_can_be_caught() -> None:
    """FX-3.1."""
    state = drawn(PARALYSED, figures={"p1": {"paralysed": 2}})
    assert only(play(state, p2="move W"), "caught")["fox"] == "p1"
    assert figures_of(state, "paralysed")["p1"] == 1


# --- FX-3.2 ---

AROUND = """
    W  2  W  W
    3  1  4  W
    W  5  W  W
    W  W  W  _
    """
COMMANDS = {"p2": "move S", "p3": "move E", "p4": "move W", "p5": "move N"}


@pytest.mark.parametrize("first", COMMANDS)
def test_of_several_catchers_the_one_whose_command_arrived_first(first: str) -> None:
    """FX-3.2."""
    state = drawn(AROUND)
    give(state, first, COMMANDS[first])
    play(state, **{side: notation for side, notation in COMMANDS.items() if side != first})
    assert fox_of(state) == first


def test_a_command_that_came_before_but_catches_nobody_does_not_count() -> None:
    """FX-3.2: of those on the fox's field."""
    state = drawn(AROUND)
    play(state, p2="stay", p4="move W", p3="move E")
    assert fox_of(state) == "p4"


def test_a_replaced_command_arrives_when_it_was_replaced() -> None:
    """FX-3.2, FX-1.3: the time of the last one counts."""
    state = drawn(AROUND)
    give(state, "p2", "move S")
    give(state, "p3", "move E")
    give(state, "p2", "move S")
    play(state)
    assert fox_of(state) == "p3"


def test_who_stood_on_the_foxs_field_without_a_command_comes_last() -> None:
    """FX-3.2: even though it was there first."""
    state = drawn(AROUND.replace("1", "12").replace("W  2  W", "W  _  W"))
    cut(state, p1="stay", p5="move N")
    assert fox_of(state) == "p5"


def test_those_without_a_command_come_in_seat_order() -> None:
    """FX-3.2."""
    picture = """
        _  1  W
        W  W  W
        W  4325 _
        """
    state = drawn(picture, fox="p4", figures={"p2": {"paralysed": 1}})
    cut(state)
    assert fox_of(state) == "p3"


def test_a_paralysed_hunter_stands_in_nobodys_way() -> None:
    """FX-3.2, FX-3.1: p2 is the first in seat order, but cannot act."""
    state = drawn(AROUND.replace("1", "12").replace("W  2  W", "W  _  W"), figures={"p2": {"paralysed": 1}})
    play(state, p5="move N", p4="move W")
    assert fox_of(state) == "p5"


def test_the_order_of_arrival_stands_in_the_events() -> None:
    """FX-1.3, FX-3.2: so that a replay needs no clock."""
    state = drawn(AROUND)
    commands = only(play(state, p4="stay", p2="stay", p1="stay"), "round_resolved")["commands"]
    assert [(c["side"], c["order"]) for c in commands] == [("p4", 1), ("p2", 2), ("p1", 3), ("p3", 4), ("p5", 5)]


# --- FX-3.3 ---


def teleported(picture: str, seed: int = 1, **setup: Any) -> str:
    """Where p2, who catches p1 by going west, is teleported."""
    state = drawn(picture, seed=seed, **setup)
    event = only(play(state, p2="move W"), "teleported")
    assert event["side"] == "p2"
    assert figures_of(state, "position")["p2"] == event["position"]
    return event["position"]


def test_the_catcher_is_teleported_and_the_old_fox_stays() -> None:
    """FX-3.3."""
    state = drawn(NEAR)
    events = play(state, p2="move W")
    assert kinds(events)[-4:] == ["moved", "caught", "teleported", "scored"]
    assert figures_of(state, "position")["p1"] == "0,0"


def test_to_a_random_free_field_without_players_bombs_and_specials() -> None:
    """FX-3.3: here the one that the catcher has just left, and two more."""
    picture = """
        1  2  R
        a  W  w
        _  3  _
        """
    seen = {teleported(picture, seed, figures={"a": {"fuse": 9}}) for seed in range(40)}
    assert seen == {"1,0", "0,2", "2,2"}


def test_if_there_is_none_to_one_without_players() -> None:
    """FX-3.3: there may be a bomb or a special."""
    picture = """
        1  2R W
        W  W  W
        3  a  4
        """
    seen = {teleported(picture, seed, figures={"a": {"fuse": 9}}) for seed in range(20)}
    assert seen == {"1,0", "1,2"}


def test_if_there_is_none_to_any_other_free_field() -> None:
    """FX-3.3: with players; not to the one where it has caught the fox."""
    picture = """
        1  23 W
        W  W  W
        4  W  W
        """
    assert {teleported(picture, seed) for seed in range(20)} == {"1,0", "0,2"}


def test_on_a_map_with_one_free_field_the_catcher_stays() -> None:
    """FX-R6."""
    state = drawn(
        """
        W  W  W
        W  12 W
        W  W  W
        """
    )
    assert kinds(play(state)) == ["committed", "committed", "round_resolved", "caught", "scored"]
    assert (fox_of(state), figures_of(state, "position")["p2"]) == ("p2", "1,1")
    play(state)
    assert fox_of(state) == "p1"


def test_a_special_on_which_the_catcher_lands_is_not_picked_up() -> None:
    """FX-R9, FX-2: only who has entered a field in step 1 picks up; nor later, by staying."""
    state = drawn(
        """
        1  2R W
        W  W  W
        W  W  W
        """
    )
    play(state, p2="move W")
    play(state)
    assert same_board(
        state,
        """
        1  2R W
        W  W  W
        W  W  W
        """,
    )
    assert figures_of(state, "range")["p2"] == 1


FAR = """
    1  _  _  W
    2  W  W  W
    W  W  W  _
    """


def the_catchers_bomb(command: str) -> list[Event]:
    """p1 comes to p2, who catches it and throws or lays a bomb."""
    state = drawn(FAR, figures={"p2": {"range": 3}})
    return named(play(state, p1="move S", p2=command), "bomb_laid")


def test_the_catchers_bomb_lies_where_it_stood_before_the_teleport() -> None:
    """FX-3.3."""
    assert [bomb["position"] for bomb in the_catchers_bomb("bomb")] == ["0,1"]


def test_the_catchers_bomb_is_thrown_from_where_it_stood_before_the_teleport() -> None:
    """FX-3.3."""
    assert [bomb["position"] for bomb in the_catchers_bomb("throw N 1")] == ["0,0"]


def test_the_old_foxs_bomb_lies_where_it_stands() -> None:
    """FX-3.3: it is not teleported."""
    state = drawn(
        """
        1  _  W
        2  W  W
        W  W  _
        """
    )
    assert only(play(state, p1="throw E 1", p2="move N"), "bomb_laid")["position"] == "1,0"


def test_no_catch_moves_nobody_and_throws_no_die() -> None:
    """FX-3.3."""
    state = drawn(NEAR)
    dice = state.to_data()["dice"]
    play(state)
    assert state.to_data()["dice"] == dice
