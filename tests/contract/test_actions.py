"""An action is accepted if and only if it is listed; a refusal changes nothing (C10, C12)."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from tests.contract.candidates import candidates, written
from tests.contract.playing import random_turns
from tests.contract.sampling import each_scenario, running

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State
from livingtable.records import Recording
from livingtable.scenarios import Scenario

MALFORMED_NOTATIONS = ("", " ", "no such thing", "{}", "[1]", "null", "\x00", "x" * 10_000, "— — —", "😀")
MALFORMED_OBJECTS: tuple[dict[str, Any], ...] = (
    {},
    {"type": "no_such_type"},
    {"type": None},
    {"type": 7},
    {"type": ["move"]},
    {"type": {"type": "move"}},
    {"notation": "pass"},
)


def refusal_of(state: State, side: str, action: Action) -> Refusal:
    with pytest.raises(Refusal) as refused:
        state.apply(side, action)
    return refused.value


def parsed(state: State, given: dict[str, Any]) -> Action | None:
    """None where it is malformed."""
    try:
        return state.parse_action(given)
    except Refusal as refusal:
        if refusal.code is not Code.MALFORMED_ACTION:
            raise
        return None


@each_scenario
def test_each_listed_action_is_accepted_as_object_and_as_notation(scenario: Scenario) -> None:
    for state in running(scenario):
        for side in state.to_act:
            for action in state.legal_actions(side):
                sent = json.loads(json.dumps(action.to_data(), allow_nan=False))
                after_object, after_notation = state.copy(), state.copy()
                events = after_object.apply(side, after_object.parse_action(sent))
                after_notation.apply(side, after_notation.parse_action(action.notation))
                assert events
                assert after_object.to_data() == after_notation.to_data()


@each_scenario
def test_each_action_that_is_not_listed_is_refused_and_changes_nothing(scenario: Scenario) -> None:
    offered = candidates(scenario.game)
    for state in running(scenario):
        before = state.to_data()
        for side in state.to_act:
            listed = {written(action.to_data()) for action in state.legal_actions(side)}
            refused = 0
            for candidate in offered:
                action = parsed(state, candidate)
                if action is None:
                    assert written(candidate) not in listed
                elif written(action.to_data()) not in listed:
                    refused += 1
                    refusal = refusal_of(state, side, action)
                    assert refusal.code is Code.ILLEGAL_ACTION
                    assert refusal.reason
            assert refused
        assert state.to_data() == before, "a refusal has changed the state"


@each_scenario
def test_notation_and_object_write_the_same_action(scenario: Scenario) -> None:
    for state in running(scenario):
        for side in state.to_act:
            for action in state.legal_actions(side):
                assert state.parse_action(action.notation) == action
                assert state.parse_action(action.to_data()) == action
                assert action.notation.isascii()
                assert action.notation == " ".join(action.notation.split())


@each_scenario
@pytest.mark.parametrize("nobody", ["green", "", "\x00" * 100])
def test_said_by_a_seat_that_there_is_not_an_action_means_the_same_or_is_refused(
    scenario: Scenario, nobody: str
) -> None:
    state = scenario.start(0)
    for action in state.legal_actions(state.to_act[0]):
        for given in (action.notation, action.to_data()):
            refusal = _unless_it_means(state, given, nobody, action)
            if refusal is not None:
                assert refusal.code is Code.NOT_YOUR_SEAT
                assert all(side in refusal.reason for side in state.sides)
                assert refusal.reason.isprintable()


def _unless_it_means(state: State, given: str | dict[str, Any], side: str, action: Action) -> Refusal | None:
    try:
        assert state.parse_action(given, side) == action
    except Refusal as refusal:
        return refusal
    return None


@each_scenario
def test_notations_are_unique_within_a_position(scenario: Scenario) -> None:
    for state in running(scenario):
        for side in state.to_act:
            notations = [action.notation for action in state.legal_actions(side)]
            assert len(notations) == len(set(notations))


@each_scenario
def test_the_order_of_legal_actions_is_the_same_however_often_and_wherever_it_is_asked_for(scenario: Scenario) -> None:
    for state in running(scenario):
        again = state.game.restore(state.to_data())
        for side in state.to_act:
            listed = list(state.legal_actions(side))
            assert list(state.legal_actions(side)) == listed
            assert list(state.copy().legal_actions(side)) == listed
            assert list(again.legal_actions(side)) == listed


@each_scenario
def test_the_order_of_legal_actions_does_not_depend_on_the_way_to_the_position(scenario: Scenario) -> None:
    state = scenario.start(3)
    asked_each_time = state.copy()
    for number, (side, action) in enumerate(random_turns(state, 3)):
        for seat in asked_each_time.sides:
            asked_each_time.legal_actions(seat)
        state.apply(side, action)
        asked_each_time.apply(side, action)
        if number == 200:
            break
    for side in state.to_act:
        assert list(state.legal_actions(side)) == list(asked_each_time.legal_actions(side))
    assert state.to_data() == asked_each_time.to_data()


@each_scenario
def test_what_is_no_form_of_the_set_is_malformed(scenario: Scenario) -> None:
    state = scenario.start(0)
    before = state.to_data()
    for given in (*MALFORMED_NOTATIONS, *MALFORMED_OBJECTS):
        with pytest.raises(Refusal) as refused:
            state.parse_action(given)
        assert refused.value.code is Code.MALFORMED_ACTION
        assert len(refused.value.reason) < 500
        assert refused.value.reason.isprintable()
    for action in state.legal_actions(state.to_act[0]):
        with pytest.raises(Refusal, match="unknown key"):
            state.parse_action({**action.to_data(), "sead": 1})
    assert state.to_data() == before


@each_scenario
def test_refused_and_then_valid_leaves_the_record_that_the_valid_alone_leaves(scenario: Scenario) -> None:
    """C12."""
    started = scenario.start(6)
    with_refusals = Recording.begin(started.copy(), scenario.data, 6, [])
    without = Recording.begin(started, scenario.data, 6, [])
    offered = candidates(scenario.game)
    for number, (side, action) in enumerate(random_turns(without.state, 6)):
        listed = {written(a.to_data()) for a in with_refusals.state.legal_actions(side)}
        shapes: set[str] = set()
        for candidate in offered[number % 7 :: 41]:
            wrong = parsed(with_refusals.state, candidate)
            if wrong is None or written(wrong.to_data()) in listed:
                continue
            reasons = [_refused(with_refusals, side, wrong) for _ in range(2)]
            assert reasons[0] == reasons[1]
            shapes.add(reasons[0][0])
        assert shapes <= {Code.ILLEGAL_ACTION}
        assert with_refusals.version == without.version
        assert with_refusals.apply(side, action) == without.apply(side, action)
        if number == 60:
            break
    assert with_refusals.to_data() == without.to_data()
    assert with_refusals.state.to_data() == without.state.to_data()


def test_a_refusal_comes_back_from_another_process_whole() -> None:
    """Pools pickle what is raised in a worker; what cannot be unpickled leaves them waiting for ever."""
    again = pickle.loads(pickle.dumps(Refusal(Code.NOT_YOUR_TURN, "p2 waits")))
    assert (again.code, again.reason, str(again)) == (Code.NOT_YOUR_TURN, "p2 waits", "p2 waits")


def _refused(recording: Recording, side: str, action: Action) -> tuple[Code, str]:
    with pytest.raises(Refusal) as refused:
        recording.apply(side, action)
    return refused.value.code, refused.value.reason
