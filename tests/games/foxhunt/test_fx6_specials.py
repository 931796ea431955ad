"""FX-6.1: what specials do, and who gets them."""

from __future__ import annotations

import pytest
from tests.games.foxhunt.drawing import drawn, figures_of, legal, named, play, player, same_board

LANE = """
    1  W  W  W
    W  W  W  W
    2  {}  _  _
    """


def test_a_range_special_makes_the_beams_one_field_longer() -> None:
    """FX-6.1."""
    state = drawn(LANE.format("R"))
    play(state, p2="move E")
    assert player(state, "p2")["range"] == 2
    (bomb,) = named(play(state, p2="bomb"), "bomb_laid")
    assert bomb["range"] == 2


def test_a_bombs_special_allows_one_more_bomb() -> None:
    """FX-6.1, FX-4.1."""
    state = drawn(LANE.format("B"), fuse=9)
    play(state, p2="move E")
    assert player(state, "p2")["bombs"] == 2
    play(state, p2="bomb")
    assert "bomb" in legal(state, "p2")
    play(state, p2="bomb")
    assert "bomb" not in legal(state, "p2")


def test_a_hat_is_counted_from_the_round_after() -> None:
    """FX-6.1: how long it protects is tested with the hits (FX-4.6)."""
    state = drawn(LANE.format("H"))
    play(state, p2="move E")
    assert player(state, "p2")["hat"] == 5


def test_specials_add_up() -> None:
    """FX-6.1."""
    state = drawn(LANE.format("R").replace("_  _", "R  B"))
    for _ in range(3):
        play(state, p2="move E")
    assert (player(state, "p2")["range"], player(state, "p2")["bombs"]) == (3, 2)


def test_what_is_picked_up_is_gone_and_told() -> None:
    """FX-6.1."""
    state = drawn(LANE.format("B"))
    assert named(play(state, p2="move E"), "picked_up") == [
        {"type": "picked_up", "side": "p2", "kind": "bombs", "position": "1,2"}
    ]
    assert same_board(state, LANE.format("2").replace("2  2", "_  2"))


def test_all_who_enter_in_the_same_round_get_it() -> None:
    """FX-6.1, FX-2: in no order."""
    state = drawn(
        """
        W  2  W  1
        3  R  4  W
        W  W  W  W
        """
    )
    events = play(state, p4="move W", p2="move S")
    assert [event["side"] for event in named(events, "picked_up")] == ["p2", "p4"]
    assert figures_of(state, "range") == {"p1": 1, "p2": 2, "p3": 1, "p4": 2}
    assert state.view(None)["specials"] == []


def test_the_fox_and_its_catcher_both_get_it() -> None:
    """FX-6.1, FX-2: step 2 before step 3."""
    state = drawn(
        """
        1  B  2
        W  W  W
        _  W  W
        """
    )
    play(state, p1="move E", p2="move W")
    assert figures_of(state, "bombs") == {"p1": 2, "p2": 2}


def test_who_comes_a_round_later_gets_nothing() -> None:
    """FX-6.1."""
    state = drawn(LANE.format("R").replace("_  _", "3  _"))
    play(state, p2="move E")
    play(state, p3="move W")
    assert figures_of(state, "range") == {"p1": 1, "p2": 2, "p3": 1}


def test_who_stands_on_a_special_without_having_entered_does_not_get_it() -> None:
    """FX-R9, FX-2: not by staying, not by laying a bomb; but by coming back."""
    state = drawn(LANE.format("_").replace("2 ", "2R"), fuse=9)
    play(state)
    play(state, p2="bomb")
    assert player(state, "p2")["range"] == 1
    play(state, p2="move E")
    play(state, p2="move W")
    assert player(state, "p2")["range"] == 2


def test_a_thrown_bomb_picks_nothing_up() -> None:
    """FX-0.2."""
    state = drawn(LANE.format("R"), fuse=9)
    play(state, p2="throw E 1")
    assert same_board(state, LANE.format("Ro"))


@pytest.mark.parametrize(("sign", "kind"), [("R", "range"), ("B", "bombs"), ("H", "hat")])
def test_the_view_names_the_kinds(sign: str, kind: str) -> None:
    """FX-6.1."""
    assert drawn(LANE.format(sign)).view(None)["specials"] == [{"position": "1,2", "kind": kind}]
