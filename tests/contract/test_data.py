"""A state is plain data: it copies, goes through JSON and comes back whole, dice included."""

from __future__ import annotations

import json
from typing import Any

from tests.contract.playing import random_turns
from tests.contract.sampling import each_scenario, sampled

from livingtable.game import Data, State
from livingtable.scenarios import Scenario


def through_json(data: Data) -> Data:
    """Strict JSON, there and back."""
    return json.loads(json.dumps(data, allow_nan=False))


def played_on(state: State, actions: int = 40) -> list[list[Data]]:
    """The events of some random play from here; the state is changed by it."""
    played: list[list[Data]] = []
    for side, action in random_turns(state, 11):
        played.append([event.to_data() for event in state.apply(side, action)])
        if len(played) == actions:
            break
    return played


@each_scenario
def test_a_state_goes_through_json_and_comes_back_the_same(scenario: Scenario) -> None:
    for state in sampled(scenario):
        data = state.to_data()
        again = state.game.restore(through_json(data))
        assert again.to_data() == data
        assert through_json(data) == data
        assert (again.to_act, again.phase, again.round) == (state.to_act, state.phase, state.round)
        assert (again.result, again.ranking()) == (state.result, state.ranking())
        assert (again.sides, dict(again.names)) == (state.sides, dict(state.names))
        for side in state.sides:
            assert list(again.legal_actions(side)) == list(state.legal_actions(side))
            assert again.why_idle(side) == state.why_idle(side)


@each_scenario
def test_a_restored_state_and_a_copy_go_on_with_the_same_dice(scenario: Scenario) -> None:
    for state in sampled(scenario)[::4]:
        restored, copied = state.game.restore(through_json(state.to_data())), state.copy()
        events = played_on(state)
        assert played_on(restored) == events
        assert played_on(copied) == events
        assert restored.to_data() == copied.to_data() == state.to_data()


@each_scenario
def test_a_copy_is_independent(scenario: Scenario) -> None:
    for state in sampled(scenario)[::4]:
        before, listed = state.to_data(), {side: list(state.legal_actions(side)) for side in state.sides}
        copy = state.copy()
        played_on(copy)
        assert state.to_data() == before
        assert {side: list(state.legal_actions(side)) for side in state.sides} == listed
        other = state.copy()
        played_on(state)
        assert other.to_data() == before


@each_scenario
def test_a_view_is_strict_json_and_says_the_same_each_time(scenario: Scenario) -> None:
    for state in sampled(scenario):
        for side in (*state.sides[:2], None):
            view = state.view(side)
            assert through_json(view) == view
            assert state.view(side) == view


@each_scenario
def test_what_a_caller_does_to_a_view_or_to_data_does_not_reach_the_state(scenario: Scenario) -> None:
    state = scenario.start(5)
    before = through_json(state.to_data())
    for handed_out in (state.view(None), state.view(state.sides[0]), state.to_data()):
        _spoil(handed_out)
    assert through_json(state.to_data()) == before


@each_scenario
def test_nothing_that_a_state_says_changes_it(scenario: Scenario) -> None:
    for state in sampled(scenario)[::4]:
        before = state.to_data()
        for side in (*state.sides, None):
            state.view(side)
            state.board(side)
            state.svg(side)
        for side in state.sides:
            state.legal_actions(side)
            state.why_idle(side)
        state.ranking()
        assert state.to_data() == before


@each_scenario
def test_events_are_strict_json_with_type_and_side(scenario: Scenario) -> None:
    for group in played_on(scenario.start(8), 200):
        for event in group:
            assert through_json(event) == event
            assert isinstance(event["type"], str)
            assert isinstance(event["side"], str)
            assert "version" not in event


@each_scenario
def test_events_are_described_in_lines_without_breaks(scenario: Scenario) -> None:
    state = scenario.start(8)
    describe = state.game.describe
    for group in played_on(state, 200):
        lines = describe([{**event, "version": 1} for event in group])
        assert all(line.strip() and len(line.splitlines()) == 1 for line in lines)


def _spoil(value: Any) -> None:
    """Empties every list and object in it."""
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = list(value.values())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(value, list):
        parts = list(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    for part in parts:
        _spoil(part)
    if parts:
        value.clear()
