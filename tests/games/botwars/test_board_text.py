"""The text board: the grid, a legend, a line a character and a party."""

from __future__ import annotations

from textwrap import dedent

from tests.games.botwars.drawing import drawn


def test_the_board_has_the_grid_and_a_line_a_character_and_a_party() -> None:
    state = drawn(
        """
        12.M.
        ..G.T
        """,
        parties=[["p1", "p2"]],
        consecutivePasses={"p1": 1},
        maxRounds=30,
        figures={"t1": {"health": 7.5, "score": -1}},
    )
    assert (
        state.board(None)
        == dedent(
            """
              01234
            0 12.M.
            1 ..G.T
            round 1/30; M F closed, G Gary the Wizard 2,1 3.0; id=sign cell strength health score:
            p1 0,0 2.0 10.0 0
            p2 1,0 2.0 10.0 0
            t1=T 4,1 4.0 7.5 -1
            p1>p2 4.0, passed 1
            """
        )[1:-1]
    )


def test_without_a_limit_the_round_stands_alone() -> None:
    assert "\nround 1; M F closed; id" in drawn("1..2", maxRounds=None).board(None)


def test_in_classic_he_is_the_wizard() -> None:
    assert "G the Wizard 1,0 3.0;" in drawn("1G..2", ruleset="classic").board(None)
