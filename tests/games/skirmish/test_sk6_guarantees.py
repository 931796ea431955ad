"""SK-6: the same again, records that replay, refusals that help."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.games.skirmish.drawing import act, drawn, named, setup_of, started
from tests.games.skirmish.random_play import random_play, random_setup, rngs, stable

from livingtable.errors import Code, Refusal
from livingtable.games.skirmish import SkirmishState
from livingtable.games.skirmish.actions import Move
from livingtable.records import Recording, verify

MEETING = """
    I  .  K1 o1 .
      A1 .  .  o2 .
    .  .  .  t1 C
    """

# --- the same again ---


def test_the_dice_of_a_seed_are_these() -> None:
    """SK-6.1: on every machine and Python version; by counter, so what happens between does not matter."""
    state = drawn(MEETING, seed=7)
    events = act(state, "K1 x O1", "A1 x O1", "A1 x O1", "end", "T1 > 2,1", "end", "K1 x O1")
    assert [event["roll"] for event in named(events, "attacked")] == [4, 3, 2, 2]


@given(rngs)
@stable
def test_the_same_seed_and_actions_give_the_same_events_and_the_same_end(rng: Random) -> None:
    """SK-6.1, C02: two games side by side, one asked for everything at each step."""
    setup, seed = random_setup(rng), rng.randint(0, 2**53 - 1)
    one, other = started(setup, seed), started(setup, seed)
    for side, action in random_play(rng, one):
        _look_at_everything(other)
        assert [e.to_data() for e in one.apply(side, action)] == [e.to_data() for e in other.apply(side, action)]
    assert one.to_data() == other.to_data()


def _look_at_everything(state: SkirmishState) -> None:
    for side in state.sides:
        state.legal_actions(side)
        state.why_idle(side)
    state.view(None)
    state.board(None)
    state.svg(None)
    state.ranking()


def test_another_seed_has_other_dice() -> None:
    """SK-6.1."""
    games = [act(drawn(MEETING, seed=n), "A1 x O1", "A1 x O1") for n in range(9)]
    assert len({str([event["roll"] for event in named(game, "attacked")]) for game in games}) > 3


# --- records ---


def recorded(rng: Random) -> Recording:
    setup = random_setup(rng)
    state = started(setup, 5)
    recording = Recording.begin(state, setup, 5, [])
    for side, action in random_play(rng, state, 200):
        recording.apply(side, action)
    return recording


@given(rngs)
@stable
def test_a_record_replays_to_its_recorded_end(rng: Random) -> None:
    """SK-6.2."""
    recording = recorded(rng)
    verification = verify(recording.to_data())
    assert verification.ok
    assert verification.result == (recording.result and recording.result.to_data())


def test_a_record_with_one_action_changed_names_it() -> None:
    """SK-6.2, C04."""
    state = drawn(MEETING)
    recording = Recording.begin(state, setup_of(MEETING), 1, [])
    for notation in ("K1 > 1,0", "end", "O1 > 2,0", "end"):
        recording.apply(state.to_act[0], state.parse_action(notation))
    record = recording.to_data()
    record["actions"][2] = {**record["actions"][2], "action": Move("crimson-O1", "2,1").to_data()}
    verification = verify(record)
    assert not verification.ok
    assert verification.first_difference
    assert verification.first_difference.version == 3


# --- refusals ---


def refused(state: SkirmishState, given_action: str | dict[str, Any], side: str = "ivory") -> Refusal:
    """The refusal, and that nothing has changed."""
    before = state.to_data()
    with pytest.raises(Refusal) as caught:
        state.apply(side, state.parse_action(given_action, side))
    assert state.to_data() == before
    return caught.value


FIELD = """
    I  K1 .  ~  o3
      G1 o1 .  M  _
    .  A1 .  .  C
    """
ILLEGAL: dict[str, tuple[str, tuple[str, ...]]] = {
    #                     who              why
    "K9 > 2,0": ("ivory-K9", ("no such piece",)),
    "K1 > 9,9": ("ivory-K1", ("9,9 is no hex of the map",)),
    "K1 > 4,1": ("ivory-K1", ("4,1 is no hex of the map",)),
    "K1 > 3,0": ("ivory-K1", ("water",)),
    "K1 > 3,1": ("ivory-K1", ("mountain",)),
    "K1 > 0,1": ("ivory-K1", ("ivory-G1 is there",)),
    "K1 > 1,1": ("ivory-K1", ("crimson-O1 is there",)),
    "G1 > 3,2": ("ivory-G1", ("0,1", "its move of 3")),
    "K1 > 1,0": ("ivory-K1", ("it stands there already",)),
    "K1 x O9": ("ivory-K1", ("no such piece",)),
    "K9 x O1": ("ivory-K9", ("no such piece",)),
    "K1 x O3": ("ivory-K1", ("3 hexes away", "range of 1")),
}


@pytest.mark.parametrize("notation", ILLEGAL)
def test_an_illegal_action_changes_nothing_and_says_who_what_and_why(notation: str) -> None:
    """SK-6.3."""
    refusal = refused(drawn(FIELD), notation)
    who, why = ILLEGAL[notation]
    what = notation.split()[-1].replace("O", "crimson-O")
    assert refusal.code is Code.ILLEGAL_ACTION
    assert refusal.reason.startswith(f"{who} cannot {'move to' if '>' in notation else 'attack'} {what}: ")
    assert all(part in refusal.reason for part in why), refusal.reason


def test_a_move_too_far_is_told_what_would_be_legal_instead() -> None:
    """SK-6.3: of the hexes that it reaches the nearest to the one asked for."""
    reason = refused(drawn("I T1 . . . . o1 C"), "T1 > 5,0").reason
    assert reason.endswith("; nearest it reaches 3,0 2,0 0,0")


def test_an_attack_out_of_range_is_told_what_would_be_legal_instead() -> None:
    """SK-6.3."""
    reason = refused(drawn("I A1 . o1 o2 . o3 C"), "A1 x O3").reason
    assert reason.endswith("; it may attack O1 O2")
    assert refused(drawn("I K1 . o1 o2 . o3 C"), "K1 x O3").reason.endswith("; no enemy is in its range")


def test_who_has_done_all_it_may_is_told_which_pieces_have_not() -> None:
    """SK-6.3: nothing of this piece is legal any more; the other's is, or the end of the turn."""
    state = drawn("I K1 . G1 . o1 C")
    act(state, "K1 > 0,0")
    assert refused(state, "K1 > 1,0").reason.endswith("; G1 can still move or attack")
    act(state, "G1 > 2,0")
    assert refused(state, "K1 > 1,0").reason.endswith("; only end is left")


def test_a_way_that_no_points_would_pay_for_is_not_called_too_dear() -> None:
    """SK-6.3: the enemy stands in the only way."""
    reason = refused(drawn("I D1 o1 . C"), "D1 > 3,0").reason
    assert "no way there costs at most its move of 6" in reason


def test_an_action_out_of_turn_changes_nothing_and_says_whose_turn_it_is() -> None:
    """SK-6.3."""
    refusal = refused(drawn(FIELD, turn=3), "O1 x K1", "crimson")
    assert refusal.code is Code.NOT_YOUR_TURN
    assert refusal.reason == "crimson waits: it is ivory's turn 3"


def test_a_seat_that_waits_is_told_why() -> None:
    """C11."""
    state = drawn(FIELD)
    assert (state.why_idle("ivory"), state.why_idle("crimson")) == ("", "crimson waits: it is ivory's turn 1")
    assert "ivory, crimson" in state.why_idle("green")


STRANGE = ("x\ny", "\x1b[2J", "\ud800", "", "ivory-K1 and pass", "x" * 3000, "\u202eK1")


@pytest.mark.parametrize("text", STRANGE)
def test_strange_ids_come_back_on_one_short_line(text: str) -> None:
    """SK-6.3, C62: printable, and cut where they are long."""
    for given_action in (
        {"type": "move", "pieceId": text, "to": "1,0"},
        {"type": "attack", "attackerId": text, "defenderId": "crimson-O1"},
        {"type": "attack", "attackerId": "ivory-K1", "defenderId": text},
    ):
        refusal = refused(drawn(FIELD), given_action)
        assert refusal.code is Code.ILLEGAL_ACTION
        assert refusal.reason.isprintable()
        assert len(refusal.reason) < 300
