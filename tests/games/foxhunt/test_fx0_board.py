"""FX-0.1, FX-0.2: the map, its coordinates, and what may lie on a field together."""

from __future__ import annotations

import pytest
from tests.games.foxhunt.drawing import drawn, figures_of, legal, play, same_beams, same_board, started

from livingtable.errors import ScenarioError

CROSS = """
    _  2  W
    1  _  w
    W  _  _
    """


def test_a_cell_is_written_x_to_the_east_and_y_to_the_south() -> None:
    """FX-0.1."""
    assert figures_of(drawn(CROSS), "position") == {"p1": "0,1", "p2": "1,0"}


def test_the_view_shows_the_ground_row_by_row() -> None:
    """FX-0.1: also under players."""
    view = drawn(CROSS).view(None)
    assert view["map"] == ["__W", "__w", "W__"]
    assert (view["width"], view["height"]) == (3, 3)


@pytest.mark.parametrize(("direction", "to"), [("N", "1,0"), ("E", "2,1"), ("S", "1,2"), ("W", "0,1")])
def test_north_is_up_and_east_is_right(direction: str, to: str) -> None:
    """FX-0.1."""
    state = drawn(
        """
        _  _  _
        _  2  _
        1  _  _
        """
    )
    play(state, p2=f"move {direction}")
    assert figures_of(state, "position")["p2"] == to


def test_a_drawn_map_can_be_three_by_three_and_no_smaller() -> None:
    """FX-0.1."""
    assert started({"game": "foxhunt", "map": ["___"] * 3, "players": 2})
    for rows in (["___"] * 2, ["__"] * 3):
        with pytest.raises(ScenarioError):
            started({"game": "foxhunt", "map": rows, "players": 2})


def test_a_drawn_map_needs_no_border() -> None:
    """FX-0.1: the edge stops players, throws and beams."""
    state = drawn(
        """
        1a _  _
        _  _  _
        _  _  2
        """,
        figures={"a": {"range": 9}},
    )
    assert legal(state, "p2") == [
        "move N",
        "move W",
        "bomb",
        "throw N 1",
        "throw N 2",
        "throw W 1",
        "throw W 2",
        "stay",
    ]
    play(state)
    assert same_beams(
        state,
        """
        *  *  *
        *  _  _
        *  _  _
        """,
    )


@pytest.mark.parametrize(("width", "height"), [(10, 10), (100, 100), (10, 100), (37, 12)])
def test_a_generated_map_is_as_large_as_it_should_be(width: int, height: int) -> None:
    """FX-0.1."""
    view = started({"game": "foxhunt", "map": {"width": width, "height": height}, "players": 2}).view(None)
    assert (view["width"], view["height"]) == (width, height)
    assert [len(row) for row in view["map"]] == [width] * height


@pytest.mark.parametrize(("width", "height"), [(9, 10), (10, 9), (101, 10), (10, 101)])
def test_a_generated_map_is_10_to_100_fields_wide_and_high(width: int, height: int) -> None:
    """FX-0.1."""
    with pytest.raises(ScenarioError, match=r"map\.(width|height): must be at (least 10|most 100)"):
        started({"game": "foxhunt", "map": {"width": width, "height": height}, "players": 2})


def test_beams_are_no_part_of_the_map() -> None:
    """FX-0.1: `state.map` has `_`, `W`, `w` only, `beams` the rest."""
    state = drawn(
        """
        1  _  2
        W  _  W
        _  a  _
        """
    )
    play(state)
    assert state.view(None)["map"] == ["___", "W_W", "___"]
    assert state.view(None)["beams"] == ["1,1", "0,2", "1,2", "2,2"]


def test_the_text_board_marks_beams_in_the_round_after_they_fired() -> None:
    """FX-0.1."""
    state = drawn(
        """
        1  _  2
        W  _  W
        _  a  _
        """
    )
    stars = [state.board(None).count("*")]
    for _ in range(2):
        play(state)
        stars.append(state.board(None).count("*"))
    assert stars == [stars[0], stars[0] + 4, stars[0]]


def test_any_number_of_players_share_a_field() -> None:
    """FX-0.2."""
    state = drawn(
        """
        W  2  W  1
        3  _  4  W
        W  W  W  W
        """
    )
    play(state, p2="move S", p3="move E", p4="move W")
    assert same_board(
        state,
        """
        W  _   W  1
        _  234 _  W
        W  W   W  W
        """,
    )


def test_bombs_and_specials_do_not_block() -> None:
    """FX-0.2."""
    state = drawn(
        """
        W  _  W
        a  1  H
        W  b  2
        """,
        figures={"a": {"fuse": 9}, "b": {"fuse": 9}},
    )
    assert [line for line in legal(state, "p1") if line.startswith("move")] == ["move N", "move E", "move S", "move W"]
    play(state, p1="move W")
    assert same_board(
        state,
        """
        W  _  W
        1o _  H
        W  o  2
        """,
    )


def test_several_bombs_lie_on_one_field_with_a_special() -> None:
    """FX-0.2."""
    state = drawn(
        """
        1  W  23R
        _  W  W
        _  _  _
        """
    )
    play(state, p2="bomb", p3="bomb")
    assert same_board(
        state,
        """
        1  W  23Roo
        _  W  W
        _  _  _
        """,
    )
