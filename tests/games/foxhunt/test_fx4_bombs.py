"""FX-4.1, FX-4.2: bombs are laid, thrown, and go off in their round."""

from __future__ import annotations

import pytest
from tests.games.foxhunt.drawing import cut, drawn, figures_of, give, kinds, named, only, play, player, same_board, wait

from livingtable.games.foxhunt import FoxhuntState

FIELD = """
    1  _  _  _  _
    W  W  W  W  W
    2  _  _  _  _
    """


def round_of_explosion(state: FoxhuntState, most: int = 12) -> int | None:
    """The number of the next round in which anything explodes."""
    for _ in range(most):
        number = state.round
        if named(play(state), "exploded"):
            return number
    return None


# --- FX-4.1 ---


def test_a_bomb_is_laid_on_the_own_field() -> None:
    """FX-4.1."""
    state = drawn(FIELD)
    events = play(state, p2="bomb")
    assert only(events, "bomb_laid") == {
        "type": "bomb_laid",
        "side": "p2",
        "position": "0,2",
        "range": 1,
        "fuse": 5,
    }
    assert same_board(state, FIELD.replace("2 ", "2o", 1))


@pytest.mark.parametrize("distance", [1, 2, 3])
def test_a_throw_lands_at_exactly_its_distance(distance: int) -> None:
    """FX-4.1."""
    state = drawn(FIELD)
    assert only(play(state, p1=f"throw E {distance}"), "bomb_laid")["position"] == f"{distance},0"


@pytest.mark.parametrize(("direction", "lands"), [("N", "2,0"), ("E", "4,2"), ("S", "2,4"), ("W", "0,2")])
def test_a_throw_flies_in_a_straight_line(direction: str, lands: str) -> None:
    """FX-4.1."""
    state = drawn(
        """
        _  _  _  _  _
        _  _  _  _  _
        _  _  1  _  _
        _  _  _  _  _
        2  _  _  _  _
        """
    )
    assert only(play(state, p1=f"throw {direction} 2"), "bomb_laid")["position"] == lands


def test_who_throws_stays() -> None:
    """FX-1.4: one command a round."""
    state = drawn(FIELD)
    play(state, p1="throw E 2")
    assert figures_of(state, "position")["p1"] == "0,0"


def test_the_view_counts_the_unexploded_bombs_of_a_player() -> None:
    """FX-4.1, the contract's `bombsLaid`."""
    state = drawn(FIELD, startBombs=2, fuse=2, figures={"p1": {"hat": 9}})
    laid: list[int] = []
    for command in ("bomb", "throw E 3", "stay", "stay"):
        play(state, p1=command)
        laid.append(player(state, "p1")["bombsLaid"])
    assert laid == [1, 2, 1, 0]


def test_bombs_of_one_round_are_laid_in_seat_order_whatever_their_arrival() -> None:
    """FX-R7."""
    state = drawn(FIELD)
    events = play(state, p2="bomb", p1="throw E 2")
    assert [(bomb["side"], bomb["position"]) for bomb in named(events, "bomb_laid")] == [("p1", "2,0"), ("p2", "0,2")]


# --- FX-4.2 ---


@pytest.mark.parametrize("fuse", [0, 1, 2, 5])
def test_a_bomb_laid_in_round_n_explodes_in_round_n_plus_fuse(fuse: int) -> None:
    """FX-4.2: 0 in the very round."""
    state = drawn(FIELD, fuse=fuse)
    wait(state, 2)
    events = play(state, p1="throw E 3")
    if fuse == 0:
        assert only(events, "exploded")["bombs"] == ["3,0"]
    else:
        assert not named(events, "exploded")
        assert round_of_explosion(state) == 3 + fuse


@pytest.mark.parametrize("fuse", [0, 1, 3])
def test_the_fuse_of_a_set_up_is_the_round_of_the_explosion_minus_the_current_one(fuse: int) -> None:
    """FX-4.2: 0 goes off this round."""
    state = drawn(
        """
        1  _  a
        W  W  W
        2  _  _
        """,
        figures={"a": {"fuse": fuse}},
    )
    assert round_of_explosion(state) == 1 + fuse


def test_the_fuse_that_is_shown_counts_down_to_0() -> None:
    """FX-4.2: with 0 it goes off in the round that is now open."""
    state = drawn(FIELD, fuse=3)
    play(state, p1="throw E 3")
    seen: list[int] = []
    while state.view(None)["bombs"]:
        seen.append(state.view(None)["bombs"][0]["fuse"])
        play(state)
    assert seen == [2, 1, 0]


def test_a_bomb_goes_off_once_and_is_gone() -> None:
    """FX-4.2, FX-4.4: everything is one round long."""
    state = drawn(FIELD, fuse=1)
    events = play(state, p1="throw E 3") + wait(state, 5)
    assert kinds(events).count("exploded") == 1
    assert state.view(None)["bombs"] == []
    assert state.view(None)["beams"] == []


def test_a_bomb_has_the_range_that_its_owner_had_when_it_was_laid() -> None:
    """FX-4.2: what the owner picks up later does not lengthen it."""
    state = drawn(
        """
        1  R  _  _  2
        W  W  W  W  W
        _  _  _  _  _
        """,
        fuse=2,
    )
    play(state, p1="throw E 3")
    play(state, p1="move E")
    assert player(state, "p1")["range"] == 2
    assert state.view(None)["bombs"][0]["range"] == 1
    assert only(play(state), "exploded")["beams"] == ["2,0", "3,0", "4,0"]


def test_a_bomb_keeps_its_range_when_its_owner_loses_its_specials() -> None:
    """FX-4.2, FX-4.6, FX-R16."""
    state = drawn(
        """
        1a W  _  _  _
        W  W  W  W  W
        2  _  _  b  _
        """,
        figures={"p1": {"range": 4}, "a": {"range": 0}, "b": {"range": 3, "fuse": 1}},
    )
    play(state)
    assert player(state, "p1")["range"] == 1
    assert only(play(state), "exploded")["beams"] == ["0,2", "1,2", "2,2", "3,2", "4,2"]


def test_the_range_of_a_bomb_is_that_of_its_owner_and_not_the_start_range() -> None:
    """FX-4.2."""
    state = drawn(FIELD, figures={"p1": {"range": 3}}, fuse=0)
    events = play(state, p1="throw E 3")
    assert only(events, "bomb_laid")["range"] == 3
    assert only(events, "exploded")["beams"] == ["0,0", "1,0", "2,0", "3,0", "4,0"]


def test_a_bomb_of_range_0_has_its_own_field_only() -> None:
    """FX-4.3."""
    state = drawn(FIELD, startRange=0, fuse=0)
    assert only(play(state, p1="throw E 2"), "exploded")["beams"] == ["2,0"]


def test_a_bomb_goes_off_whatever_has_happened_to_its_owner() -> None:
    """FX-4.2: p1 is hit and caught in the first round."""
    state = drawn(
        """
        1b 2  W
        W  W  W
        a  W  3
        """,
        figures={"a": {"fuse": 4}, "b": {"range": 0}},
    )
    assert kinds(play(state, p2="move W")).count("paralysed") == 1
    assert round_of_explosion(state) == 5


def test_who_gives_no_command_lays_no_bomb() -> None:
    """FX-1.2."""
    state = drawn(FIELD)
    give(state, "p1", "bomb")
    assert [event["side"] for event in named(cut(state), "bomb_laid")] == ["p1"]
