"""Actions as JSON objects and as notations: what is well-formed, and what a malformed one is told."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.games.skirmish.drawing import drawn, legal, started
from tests.games.skirmish.random_play import random_play, random_setup, rngs, stable

from livingtable.errors import Code, Refusal
from livingtable.game import legal_lines
from livingtable.games.skirmish.actions import Attack, EndTurn, Move, parse_action


def malformed(given_action: Any, side: str = "ivory") -> str:
    with pytest.raises(Refusal) as caught:
        parse_action(given_action, side)
    assert caught.value.code is Code.MALFORMED_ACTION
    assert caught.value.reason.isprintable()
    return caught.value.reason


def test_a_notation_names_the_own_piece_and_then_the_enemys() -> None:
    """SK-1.3, the contract's notation."""
    assert parse_action("K1 > 4,6", "ivory") == Move("ivory-K1", "4,6")
    assert parse_action("K1 > -4,16", "crimson") == Move("crimson-K1", "-4,16")
    assert parse_action("A1 x O2", "ivory") == Attack("ivory-A1", "crimson-O2")
    assert parse_action("A1 x O2", "crimson") == Attack("crimson-A1", "ivory-O2")
    assert parse_action("end", "ivory") == EndTurn()


def test_blanks_around_and_between_the_words_do_not_count() -> None:
    assert parse_action("  K1   >  4,6 ", "ivory") == Move("ivory-K1", "4,6")


NO_NOTATIONS = (
    *("", " ", "K1", "K1 >", "> 4,6", "K1 4,6", "K1 -> 4,6", "K1>4,6"),
    *("K1 > 4;6", "K1 > 4, 6", "K1 > +4,6", "K1 > 04,6", "K1 > -0,6", "K1 > 4,6\x00", "K1 > \uff14,6"),
    *("A1 x", "A1 X O2", "attack O2", "ivory-K1 > 4,6", "A1 x crimson-O2", "\u041a1 \u203a 4,6"),
    *("END", "end_turn", "end end", "pass", '{"type":"end_turn"}', "x" * 3000),
)


@pytest.mark.parametrize("text", NO_NOTATIONS)
def test_what_is_no_notation_is_malformed(text: str) -> None:
    """SK-1.3."""
    assert malformed(text)


def test_a_line_of_several_alternatives_is_to_choose_from() -> None:
    """The contract's notation."""
    assert malformed("K1 > 3,4 3,5") == '"K1 > 3,4 3,5" names more than one: choose one'
    assert malformed("A1 x O1 O2") == '"A1 x O1 O2" names more than one: choose one'


def test_a_hex_that_falls_apart_is_not_taken_for_several() -> None:
    assert "choose one" not in malformed("K1 > (3, 4)")


@pytest.mark.parametrize(
    "given_action",
    [
        {},
        {"type": "pass"},
        {"type": 1},
        {"type": None},
        {"type": "move"},
        {"type": "move", "pieceId": "ivory-K1"},
        {"type": "move", "to": "1,1"},
        {"type": "move", "pieceId": 1, "to": "1,1"},
        {"type": "move", "pieceId": "ivory-K1", "to": [1, 1]},
        {"type": "move", "pieceId": "ivory-K1", "to": "there"},
        {"type": "move", "piece_id": "ivory-K1", "to": "1,1"},
        {"type": "move", "pieceId": "ivory-K1", "to": "1,1", "path": []},
        {"type": "attack", "attackerId": "ivory-K1"},
        {"type": "attack", "attackerId": "ivory-K1", "defenderId": None},
        {"type": "end_turn", "side": "ivory"},
        {"notation": "end"},
    ],
    ids=str,
)
def test_what_is_no_form_of_the_set_is_malformed(given_action: dict[str, Any]) -> None:
    """SK-1.3, the contract: unknown keys too."""
    assert malformed(given_action)


def test_a_misspelt_key_is_named_with_the_right_ones() -> None:
    """C64."""
    reason = malformed({"type": "move", "piece": "ivory-K1", "to": "1,1"})
    assert '"piece"' in reason
    assert '"pieceId"' in reason


@pytest.mark.parametrize("text", ["K1 > 99,99", "K1 > -5,0", "K9 > 1,1", "Zed > 1,1", "K1 x O9", "K1 x Smaug"])
def test_off_the_board_or_with_an_unknown_target_is_illegal_not_malformed(text: str) -> None:
    """The contract: well-formed."""
    state = drawn("I K1 o1 C")
    with pytest.raises(Refusal) as caught:
        state.apply("ivory", state.parse_action(text))
    assert caught.value.code is Code.ILLEGAL_ACTION


@given(rngs)
@stable
def test_every_listed_action_comes_back_from_its_text_and_its_object(rng: Random) -> None:
    """C10."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 15):
        listed = state.legal_actions(side)
        for one in listed:
            assert parse_action(one.notation, side) == one == parse_action(one.to_data(), side)
            assert one.notation.isascii()
        assert len({one.notation for one in listed}) == len(listed)
        state.apply(side, action)


def test_alternatives_of_one_piece_share_a_line() -> None:
    """The contract's `legal`."""
    state = drawn("I W1 . o1 C")
    assert legal(state) == ["W1 x O1", "W1 > 0,0", "W1 > 2,0", "end"]
    assert legal_lines(state.legal_actions("ivory")) == ["W1 x O1", "W1 > 0,0 2,0", "end"]
