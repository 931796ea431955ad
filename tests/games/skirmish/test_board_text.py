"""The text board: the map in three signs a hex, a legend, a line a piece."""

from __future__ import annotations

from textwrap import dedent

from tests.games.skirmish.drawing import act, drawn

PICTURE = """
    S1I .  F  o1^
      K1=  ~  A1F
    .   =  K12 d1C
    """


def without_blanks_behind(text: str) -> str:
    return "\n".join(line.rstrip() for line in dedent(text).strip("\n").split("\n"))


def test_the_board_has_the_map_and_a_line_a_piece_with_the_shelter_it_stands_in() -> None:
    board = drawn(PICTURE, turnLimit=12, turn=3).board(None)
    assert without_blanks_behind(board) == without_blanks_behind(
        """
        0 is1...FFFco1
        1  ik1~~~ia1
        2 ...===ik+cd1
        turn 3/12; castles 0,0 2,2; q from -(r//2); F ^ cost 2, shelter; ~ M closed
        ivory:
        0,0 S1
        0,1 K1
        2,1 A1 F
        1,2 K12
        crimson:
        3,0 O1 ^
        2,2 D1
        """
    )


def lines_of(**figures: dict[str, int | bool]) -> list[str]:
    return drawn(PICTURE, figures=figures).board(None).split("\n")[4:]


def test_a_line_says_what_a_piece_has_lost_and_done() -> None:
    lines = lines_of(
        K1={"hp": 1, "moved": True, "hexesMoved": 3, "attacksMade": 1},
        A1={"attacksMade": 2},
        S1={"moved": True, "hexesMoved": 2},
        K12={"afraid": True},
    )
    assert lines[1:5] == ["0,0 S1 moved", "0,1 K1 1hp moved 3 attacked", "2,1 A1 F attacked twice", "1,2 K12 afraid"]


def test_a_side_without_its_general_is_said_to_be_leaderless() -> None:
    assert "ivory leaderless:" in drawn(PICTURE, leaderless={"ivory": True}).board(None).split("\n")


def test_the_board_follows_the_turn() -> None:
    state = drawn(PICTURE, firstSide="crimson")
    act(state, "end", "end")
    assert "turn 2; castles 0,0 2,2;" in state.board(None)


def told(picture: str, notation: str, d6: list[int], **figures: dict[str, int | bool]) -> list[str]:
    state = drawn(picture, d6=d6, figures=figures)
    return state.game.describe(act(state, notation))


def test_an_attack_is_one_line_with_the_die_and_what_it_needs() -> None:
    field = "I K1 o1F . C"
    assert told(field, "K1 x O1", [4]) == ["ivory-K1 x crimson-O1: 4, needs 5, misses"]
    assert told(field, "K1 x O1", [5]) == ["ivory-K1 x crimson-O1: 5, needs 5, hits; crimson-O1 1 hp"]
    charging = {"moved": True, "hexesMoved": 3}
    assert told(field, "K1 x O1", [4], K1=charging, o1={"hp": 1}) == [
        "ivory-K1 x crimson-O1: 4+1, needs 5, hits; crimson-O1 destroyed",
        "game over: army_destroyed",
    ]


def test_the_terms_tell_the_figures_of_the_kinds_on_the_board() -> None:
    """SK-0.3: the board shows where pieces stand, not how far they come; dead kinds and limits that show are left
    out."""
    assert drawn("I K1 A1 . o1 C", turnLimit=12).terms == (
        "move, range, hp: K Knight 4 1 2, A Archer 4 3 2, O Orc 3 1 2"
    )
    assert drawn("I K1 . o1 C").terms.endswith("; no limit of turns")
