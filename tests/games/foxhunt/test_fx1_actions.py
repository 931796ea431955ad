"""FX-1.4, FX-4.1: the whole set of actions, which of them are legal, and how they are written (C10)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.foxhunt.drawing import drawn, legal, play, refused, same_board

from livingtable.errors import Code, Refusal
from livingtable.game import legal_lines

CORNER = """
    1  _  _  _  w
    W  _  2  W  _
    _  _  _  _  _
    """


def moves(state: Any, side: str) -> list[str]:
    return [line.removeprefix("move ") for line in legal(state, side) if line.startswith("move")]


def throws(state: Any, side: str) -> list[str]:
    return [line.removeprefix("throw ") for line in legal(state, side) if line.startswith("throw")]


# --- what is legal ---


def test_the_whole_list_of_a_player_in_its_order() -> None:
    """FX-1.4, FX-R13: moves, bomb, throws from near to far, stay; directions N, E, S, W."""
    assert legal(drawn(CORNER), "p2") == [
        *("move N", "move S", "move W", "bomb", "throw N 1", "throw S 1", "throw W 1", "stay"),
    ]


def test_the_legal_list_puts_alternatives_on_one_line() -> None:
    """The contract's `legal`."""
    assert legal_lines(drawn(CORNER).legal_actions("p1")) == ["move E", "bomb", "throw E 1 2 3", "stay"]


@pytest.mark.parametrize("wall", ["W", "w"])
def test_nobody_moves_into_a_wall(wall: str) -> None:
    """FX-1.4: onto a free field only."""
    state = drawn(
        f"""
        _  _  _
        2  1  {wall}
        _  _  _
        """
    )
    assert moves(state, "p1") == ["N", "S", "W"]
    how = "a beam would break it" if wall == "w" else "nothing breaks it"
    assert refused(state, "p1", "move E").reason == f"p1 cannot move E: there is a wall at 2,1; {how}"


def test_nobody_moves_off_the_board() -> None:
    """FX-1.4."""
    state = drawn(CORNER)
    assert moves(state, "p1") == ["E"]
    assert refused(state, "p1", "move N").reason == "p1 cannot move N: that is off the board"
    assert refused(state, "p1", "move W").code is Code.ILLEGAL_ACTION


def test_whoever_is_walled_in_can_still_lay_a_bomb_or_stay() -> None:
    """FX-1.4."""
    state = drawn(
        """
        W  w  W
        w  1  W
        W  W  2
        """
    )
    assert legal(state, "p1") == ["bomb", "stay"]


@pytest.mark.parametrize("bombs", [0, 1, 2, 5])
def test_bomb_and_throw_are_legal_below_the_bomb_count_only(bombs: int) -> None:
    """FX-1.4, FX-4.1: as many unexploded bombs as the bomb count."""
    state = drawn(CORNER, figures={"p1": {"bombs": bombs}}, fuse=99)
    for _ in range(bombs):
        assert "bomb" in legal(state, "p1")
        play(state, p1="bomb")
    assert legal(state, "p1") == ["move E", "stay"]
    noun = "bomb" if bombs == 1 else "bombs"
    why = f"it has {bombs} unexploded of the {bombs} {noun} that it may have"
    assert refused(state, "p1", "bomb").reason == f"p1 cannot bomb: {why}"
    assert refused(state, "p1", "throw E 1").reason == f"p1 cannot throw E 1: {why}"


def test_bombs_of_others_do_not_count() -> None:
    """FX-4.1: neither on the own field."""
    state = drawn(CORNER.replace("1 ", "1a", 1), figures={"a": {"owner": "p2", "fuse": 9}})
    assert "bomb" in legal(state, "p1")
    assert "bomb" not in legal(state, "p2")


def test_a_bomb_that_has_exploded_can_be_laid_anew() -> None:
    """FX-4.1."""
    state = drawn(CORNER, fuse=1, figures={"p1": {"hat": 9}})
    play(state, p1="bomb")
    assert "bomb" not in legal(state, "p1")
    play(state)
    assert "bomb" in legal(state, "p1")


@pytest.mark.parametrize("furthest", [0, 1, 2, 3, 9])
def test_a_throw_goes_from_1_to_the_throw_range(furthest: int) -> None:
    """FX-1.4, FX-4.1: four free fields lie to the east."""
    state = drawn(
        """
        1  _  _  _  _
        W  W  W  W  W
        2  _  _  _  _
        """,
        throwRange=furthest,
    )
    assert throws(state, "p1") == [f"E {n}" for n in range(1, min(furthest, 4) + 1)]


@pytest.mark.parametrize("wall", ["W", "w"])
def test_no_throw_goes_over_a_wall_or_onto_it(wall: str) -> None:
    """FX-4.1: every field passed and the landing field must be free of walls."""
    state = drawn(
        f"""
        1  _  {wall}  _  _
        W  W  W  W  W
        2  _  _  _  _
        """
    )
    assert throws(state, "p1") == ["E 1"]
    for distance in (2, 3):
        why = "a wall or the edge is in its way; E it goes at most 1"
        assert refused(state, "p1", f"throw E {distance}").reason == f"p1 cannot throw E {distance}: {why}"


def test_players_bombs_and_specials_stop_no_throw() -> None:
    """FX-4.1, FX-0.2: neither on the way nor where it lands."""
    state = drawn(
        """
        1  2  a  R
        W  W  W  W
        _  _  _  _
        """,
        figures={"a": {"owner": "p2", "fuse": 9}},
    )
    assert throws(state, "p1") == ["E 1", "E 2", "E 3"]
    play(state, p1="throw E 3")
    assert same_board(
        state,
        """
        1  2  o  Ro
        W  W  W  W
        _  _  _  _
        """,
    )


@pytest.mark.parametrize(("distance", "why"), [(4, "a throw goes at most 3 fields"), (100, "a throw goes at most 3")])
def test_a_throw_beyond_the_throw_range_is_illegal(distance: int, why: str) -> None:
    """FX-1.4, FX-R11."""
    state = drawn(
        """
        1  _  _  _  _  2
        W  W  W  W  W  W
        _  _  _  _  _  _
        """
    )
    refusal = refused(state, "p1", f"throw E {distance}")
    assert refusal.code is Code.ILLEGAL_ACTION
    assert why in refusal.reason


def test_a_throw_at_the_wall_beside_is_told_so() -> None:
    """FX-4.1."""
    assert refused(drawn(CORNER), "p1", "throw S 1").reason == (
        "p1 cannot throw S 1: a wall or the edge is next to it in direction S"
    )


def test_the_list_changes_with_the_ground() -> None:
    """FX-4.5, C10: where a wall is gone, one may move and throw; a copy made before keeps its list."""
    state = drawn(
        """
        1  w  _
        W  a  W
        2  _  _
        """,
        fuse=9,
    )
    copy = state.copy()
    assert legal(state, "p1") == ["stay"]
    play(state)
    assert legal(state, "p1") == ["move E", "bomb", "throw E 1", "throw E 2", "stay"]
    assert legal(copy, "p1") == ["stay"]


# --- how they are written ---

FORMS: list[tuple[str, dict[str, Any]]] = [
    *((f"move {d}", {"type": "move", "direction": d}) for d in "NESW"),
    ("bomb", {"type": "bomb"}),
    *((f"throw {d} {n}", {"type": "throw", "direction": d, "distance": n}) for d in "NESW" for n in (1, 3, 100)),
    ("stay", {"type": "stay"}),
]


@pytest.mark.parametrize(("notation", "form"), FORMS, ids=[notation for notation, _ in FORMS])
def test_notation_and_object_are_the_same_action(notation: str, form: dict[str, Any]) -> None:
    """FX-1.4."""
    state = drawn(CORNER)
    action = state.parse_action(notation, "p1")
    assert action == state.parse_action(form, "p1")
    assert (action.notation, action.to_data()) == (notation, form)


def test_blanks_around_and_between_words_do_not_count() -> None:
    state = drawn(CORNER)
    assert state.parse_action("  throw   E  2 ").notation == "throw E 2"


MALFORMED: list[tuple[Any, str]] = [
    ("move", '"move" is no action'),
    ("move n", '"n" is no direction'),
    ("move NE", '"NE" is no direction'),
    ("move N E", '"move N E" names more than one: choose one'),
    ("throw N", '"throw N" is no action'),
    ("throw E 1 2 3", '"throw E 1 2 3" names more than one: choose one'),
    ("throw E 0", '"throw E 0" is no action'),
    ("throw E 101", "a throw goes a whole number of fields, from 1 to the throwRange of the game"),
    ("throw up 1", '"up" is no direction'),
    ("Bomb", '"Bomb" is no action'),
    ("bomb N", '"bomb N" is no action'),
    ({"type": "jump"}, 'no action has the "type" "jump"'),
    ({"type": "clock"}, 'no action has the "type" "clock"'),
    ({"type": "move"}, 'a "direction" is missing'),
    ({"type": "move", "direction": "n"}, '"n" is no direction'),
    ({"type": "move", "direction": 1}, 'a "direction" is missing'),
    ({"type": "bomb", "at": "1,1"}, 'unknown key "at"; bomb takes "type"'),
    ({"type": "move", "to": "1,1"}, 'unknown key "to"; move takes "type" and "direction"'),
    ({"type": "throw", "direction": "N"}, 'throw needs "distance", a whole number of fields from 1'),
    *(
        ({"type": "throw", "direction": "N", "distance": n}, 'throw needs "distance", a whole number of fields from 1')
        for n in (True, 2.0, "2", None)
    ),
    *(
        (
            {"type": "throw", "direction": "N", "distance": n},
            "a throw goes a whole number of fields, from 1 to the throwRange of the game",
        )
        for n in (0, -1, 101, 10**30)
    ),
]


@pytest.mark.parametrize(("given", "reason"), MALFORMED, ids=[str(given) for given, _ in MALFORMED])
def test_what_is_no_form_of_the_set_is_malformed_and_told_why(given: Any, reason: str) -> None:
    """FX-1.4, FX-R11."""
    with pytest.raises(Refusal) as caught:
        drawn(CORNER).parse_action(given, "p1")
    assert (caught.value.code, caught.value.reason) == (Code.MALFORMED_ACTION, reason)
