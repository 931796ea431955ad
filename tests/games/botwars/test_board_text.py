"""The text board: the grid, a legend, a line a character and a party."""

from __future__ import annotations

from textwrap import dedent
from typing import cast

import pytest
from tests.games.botwars.drawing import act, drawn

import livingtable
from livingtable.games.botwars.state import BotwarsState
from livingtable.games.botwars.text import describe
from livingtable.games.botwars.view import signs


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


# --- signs ---


def crowd(players: int, trolls: int) -> BotwarsState:
    characters = [{"position": f"{n},0"} for n in range(players)]
    characters += [{"position": f"{n},9", "characterType": "troll"} for n in range(trolls)]
    rows = ["." * 32] * 10
    setup = {"game": "botwars", "map": rows, "characters": characters, "wizard": {"position": "0,5"}}
    return cast(BotwarsState, livingtable.new_game(setup, seed=1))


@pytest.mark.parametrize("players", [1, 5, 9, 10, 12, 20, 31, 32])
def test_no_two_signs_differ_by_case_alone(players: int) -> None:
    """BW-R21: for as many as there may be, and whatever else stands on the board."""
    given = signs(crowd(players, 32 - players))
    told = [*given, "F", "M", "G"]
    assert len({sign.lower() for sign in told}) == 32 + 3


def test_few_characters_have_the_signs_of_old() -> None:
    """Up to 9 players: their numbers; trolls T, A, B, …"""
    assert "".join(signs(crowd(9, 5))) == "123456789TABCD"
    assert "".join(signs(crowd(12, 4))) == "123456789abcTDEH"


# --- alliances ---


def test_who_may_ally_reads_who_would_lead() -> None:
    """BW-1.2: the stronger leads and decides for both."""
    state = drawn("213", figures={"p1": {"strength": 2.0}, "p2": {"strength": 1.5}, "p3": {"strength": 2.5}})
    assert state.board("p1").endswith("\nally p2: you lead, it decides no more\nally p3: p3 leads, you decide no more")
    for other in ("p2", "p3", None):
        assert "ally" not in state.board(other)


def test_who_is_asked_reads_who_would_lead() -> None:
    """BW-1.2, at equal strength by score."""
    state = drawn("12", figures={"p2": {"score": 3}})
    act(state, "p1", "ally p2")
    assert state.board("p2").endswith("\naccept: you lead, it decides no more")
    assert "accept" not in state.board("p1")
    state = drawn("12..3", figures={"p1": {"score": 3}})
    act(state, "p1", "ally p2")
    assert state.board("p2").endswith("\naccept: p1 leads, you decide no more")


# --- terms ---


def test_classic_is_named_in_the_terms_with_what_differs() -> None:
    terms = drawn("1G..2", ruleset="classic").terms
    for told in ("ruleset classic", "nobody dies", "+2 score", "-2.0 health", "no unstuck"):
        assert told in terms


def test_the_terms_tell_what_no_board_shows() -> None:
    assert drawn("1G..2").terms == ""
    assert drawn("1G..2", wizardRoams=True).terms == "at the end of each round Gary the Wizard takes one random step"
    assert drawn("1..2", wizardRoams=True, maxRounds=None).terms == "no limit of rounds"


# --- events ---


def test_the_wizards_own_step_has_a_line_of_its_own() -> None:
    """BW-6.1: nobody's doing."""
    state = drawn("1.....2\n......G\n.......", wizardRoams=True)
    told = describe(act(state, "p1", "move 1,0") + act(state, "p2", "move 5,0"))
    assert told[:2] == ["p1 moves 0,0 to 1,0", "p2 moves 6,0 to 5,0"]
    assert len(told) == 3
    assert told[2].startswith("the Wizard to ")


def test_where_a_challenge_sends_him_stands_on_its_line() -> None:
    """BW-6.6; the step at the end of the round, BW-6.1, does not."""
    state = drawn("1.....2\n......G\n.......", wizardRoams=True, turn="p2", d20=[1, 20, 1, 20])
    told = describe(act(state, "p2", "challenge"))
    assert len(told) == 2
    assert "p2 -2 hp; the Wizard to " in told[0]
    assert told[1].startswith("the Wizard to ")
