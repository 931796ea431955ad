"""SK-1: whose turn it is, what a piece may do in it, and the whole set of actions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from tests.games.skirmish.drawing import act, drawn, figures_of, legal, only, piece, same_board, setup_of, started
from tests.games.skirmish.random_play import random_play, random_setup, rngs, stable

from livingtable.errors import Code, Refusal
from livingtable.games.skirmish import SkirmishState

FACING = """
    I  .  .  .  .  .
      .  K1 o1 A1 o2
    .  .  .  .  .  C
    """
MARKS = ("moved", "hexesMoved", "attacksMade", "afraid")


def turns(state: SkirmishState, ends: int) -> list[tuple[int, str]]:
    """Turn number and side while each side only ends its turn."""
    seen = [(state.round, state.to_act[0])]
    for _ in range(ends):
        act(state, "end")
        seen.append((state.round, state.to_act[0]))
    return seen


def refused(state: SkirmishState, *notations: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        act(state, *notations)
    return caught.value


# --- the turn ---


def test_ivory_acts_first_then_crimson_and_then_comes_the_next_turn() -> None:
    """SK-1.1."""
    seen = turns(drawn(FACING), 4)
    assert seen == [(1, "ivory"), (1, "crimson"), (2, "ivory"), (2, "crimson"), (3, "ivory")]


def test_a_scenario_can_have_crimson_begin() -> None:
    """SK-1.1: `firstSide` turns that round."""
    seen = turns(drawn(FACING, firstSide="crimson"), 3)
    assert seen == [(1, "crimson"), (1, "ivory"), (2, "crimson"), (2, "ivory")]


def test_a_set_up_can_begin_in_the_middle() -> None:
    """SK-1.1: turn 7, and the second side of it is to act."""
    seen = turns(drawn(FACING, turn=7, side="crimson"), 2)
    assert seen == [(7, "crimson"), (8, "ivory"), (8, "crimson")]


def test_a_turn_may_end_with_pieces_unused() -> None:
    """SK-1.1."""
    state = drawn(FACING)
    events = act(state, "end")
    assert events == [{"type": "turn_ended", "side": "ivory", "turn": 1, "next": "crimson"}]


def test_only_end_turn_ends_a_turn() -> None:
    """SK-1.1: not the last piece's last action either."""
    state = drawn("I K1 o1 C", d6=[1])
    act(state, "K1 > 0,0")
    assert (state.to_act, legal(state)) == (("ivory",), ["end"])


def test_a_side_with_pieces_that_can_do_nothing_can_still_end_its_turn() -> None:
    """SK-1.1."""
    state = drawn(
        """
        K1 M  .  I
          M  M  o1 C
        """
    )
    assert legal(state) == ["end"]


def test_the_other_side_may_do_nothing() -> None:
    """SK-1.1."""
    state = drawn(FACING)
    assert list(state.legal_actions("crimson")) == []
    before = state.to_data()
    with pytest.raises(Refusal) as caught:
        state.apply("crimson", state.parse_action("end", "crimson"))
    assert caught.value.code is Code.NOT_YOUR_TURN
    assert "ivory's turn 1" in caught.value.reason
    assert state.to_data() == before


def test_a_side_moves_its_own_pieces_only() -> None:
    """SK-1.2."""
    state = drawn(FACING)
    with pytest.raises(Refusal, match="it is not ivory's"):
        state.apply("ivory", state.parse_action({"type": "move", "pieceId": "crimson-O1", "to": "2,0"}))


# --- each piece once and once ---


def test_a_piece_moves_once_a_turn() -> None:
    """SK-1.2."""
    state = drawn(FACING)
    act(state, "K1 > 0,1")
    assert not [line for line in legal(state) if line.startswith("K1 >")]
    assert refused(state, "K1 > 1,1").reason.startswith("ivory-K1 cannot move to 1,1: it has moved this turn")


@pytest.mark.parametrize("kind", "KWGOTDS")
def test_a_piece_attacks_once_a_turn(kind: str) -> None:
    """SK-1.2: all but the Archer, who has Volley (SK-3.7)."""
    state = drawn(FACING.replace("K1", f"{kind}1"), d6=[1])
    act(state, f"{kind}1 x O1")
    assert not [line for line in legal(state) if line.startswith(f"{kind}1 x")]
    assert "it has attacked this turn" in refused(state, f"{kind}1 x O1").reason


@pytest.mark.parametrize("kind", "KAWGOTDS")
def test_a_piece_may_attack_after_its_move(kind: str) -> None:
    """SK-1.2: in either order."""
    state = drawn(f"I {kind}1 . o1 C", d6=[1])
    act(state, f"{kind}1 > 2,0", f"{kind}1 x O1")
    assert legal(state) == ["end"]


@pytest.mark.parametrize("kind", "KAWGOTDS")
def test_a_piece_may_move_after_its_attack(kind: str) -> None:
    """SK-1.2: in either order."""
    state = drawn(f"I {kind}1 o1 C", d6=[1])
    act(state, f"{kind}1 x O1", f"{kind}1 > 0,0")
    assert legal(state) == ["end"]


def test_what_several_pieces_do_may_be_interleaved() -> None:
    """SK-1.2: a piece that has moved attacks when another has acted in between."""
    state = drawn(FACING, d6=[1, 1])
    act(state, "K1 > 2,0", "A1 x O1", "K1 x O1", "A1 > 3,0")
    assert [line for line in legal(state) if line != "end"] == []
    assert same_board(
        state,
        """
        I  .  K1 A1 .  .
          .  .  o1 .  o2
        .  .  .  .  .  C
        """,
    )


# --- what is remembered of a turn ---


def test_what_a_piece_did_is_shown_until_its_turn_ends() -> None:
    """SK-1.4."""
    state = drawn(FACING, d6=[1])
    act(state, "K1 > 2,0", "K1 x O1")
    assert [piece(state, "K1")[mark] for mark in MARKS] == [True, 1, 1, False]


def test_what_a_piece_did_is_cleared_when_its_sides_turn_ends() -> None:
    """SK-1.4: at the end of its own turn, not at the end of the other's."""
    state = drawn(FACING, d6=[1])
    act(state, "K1 > 2,0", "K1 x O1", "end")
    assert [piece(state, "K1")[mark] for mark in MARKS] == [False, 0, 0, False]


def test_the_fear_of_a_side_is_cleared_when_its_turn_ends() -> None:
    """SK-1.4."""
    state = drawn(FACING, figures={"K1": {"afraid": True}})
    act(state, "end")
    assert figures_of(state, "afraid") == {"K1": False, "o1": False, "A1": False, "o2": False}


def test_the_fear_of_the_other_side_stays() -> None:
    """SK-1.4: cleared when *its* side's turn ends."""
    state = drawn(FACING, figures={"o1": {"afraid": True}})
    act(state, "end")
    assert piece(state, "o1")["afraid"]


def test_in_its_next_turn_a_piece_may_do_all_again() -> None:
    """SK-1.4, SK-1.2."""
    state = drawn(FACING, d6=[1])
    first = legal(state)
    act(state, "A1 x O1", "A1 > 3,0", "end", "end", "A1 > 3,1", "end", "end")
    assert legal(state) == first


# --- the set of actions ---


def test_the_three_actions_are_written_as_the_rules_say() -> None:
    """SK-1.3."""
    state = drawn("I K1 o1 C")
    assert [action.to_data() for action in state.legal_actions("ivory")] == [
        {"type": "attack", "attackerId": "ivory-K1", "defenderId": "crimson-O1"},
        {"type": "move", "pieceId": "ivory-K1", "to": "0,0"},
        {"type": "end_turn"},
    ]


@given(rngs)
@stable
def test_no_other_action_is_ever_listed_and_the_end_of_the_turn_always_is(rng: Random) -> None:
    """SK-1.3: the whole set."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, actions=20):
        *others, last = [a.to_data() for a in state.legal_actions(side)]
        assert {a["type"] for a in others} <= {"move", "attack"}
        assert last == {"type": "end_turn"}
        state.apply(side, action)


def test_legal_actions_stand_in_the_documented_order() -> None:
    """By piece as in the set-up, attacks (targets as in the set-up) before moves (row by row, west to east)."""
    setup = setup_of(
        """
        I  .  o2 .
          .  G2 T1 o1
        _  .  .  C
        """
    )
    setup["pieces"] = [setup["pieces"][n] for n in (3, 0, 1, 2)]
    assert [p["id"] for p in setup["pieces"]] == ["crimson-O1", "crimson-O2", "ivory-G2", "ivory-T1"]
    assert legal(started(setup)) == [
        "G2 x O2",
        *(f"G2 > {to}" for to in ("0,0", "1,0", "3,0", "0,1", "0,2", "1,2", "2,2")),
        "T1 x O1",
        "T1 x O2",
        *(f"T1 > {to}" for to in ("1,0", "3,0", "0,1", "0,2", "1,2", "2,2")),
        "end",
    ]


def test_a_finished_action_is_in_the_event() -> None:
    """SK-1.3: who did it."""
    state = drawn("I K1 . o1 C")
    assert only(act(state, "K1 > 2,0"), "moved")["side"] == "ivory"
