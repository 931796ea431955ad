"""Records replay to what they say, and where they do not, the first difference is named (C02, C04, C05)."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.contract.playing import bots_for, random_turns, recorded, shipped
from tests.contract.sampling import each_scenario

from livingtable.dice import Dice
from livingtable.errors import RecordError
from livingtable.game import Data
from livingtable.records import FORMAT, Recording, read_record, replay, state_at, verify
from livingtable.scenarios import Scenario, check_scenario
from livingtable.version import __version__

ACTIONS = 150


def record_of(scenario: Scenario, seed: int = 1, bot: str | None = None, actions: int = ACTIONS) -> Data:
    """A record that has been written as JSON and read again."""
    text = json.dumps(recorded(scenario, seed, bot, actions).to_data(), allow_nan=False)
    return read_record(text)


@each_scenario
def test_a_record_of_random_play_verifies_after_json(scenario: Scenario) -> None:
    recording = recorded(scenario, 1)
    record = read_record(json.dumps(recording.to_data(), allow_nan=False))
    outcome = verify(record)
    assert outcome.first_difference is None
    assert outcome.ok
    assert outcome.result == record["result"]
    assert state_at(record, recording.version).to_data() == recording.state.to_data()


@each_scenario
def test_a_record_of_each_bot_verifies(scenario: Scenario) -> None:
    for bot in bots_for(scenario.game):
        assert verify(record_of(scenario, 2, bot, 60)).ok


@each_scenario
def test_a_replay_gives_every_event_again(scenario: Scenario) -> None:
    record = record_of(scenario)
    events = [event for step in replay(record) for event in step.events]
    assert events == record["events"]
    assert [event["version"] for event in events] == sorted(event["version"] for event in events)


@each_scenario
def test_a_finished_record_ends_with_the_end_and_not_before(scenario: Scenario) -> None:
    """C05. No action follows the result, no event follows `game_over`, no die is thrown after it."""
    record = record_of(scenario, 0, actions=10_000)
    if record["result"]["reason"] == "truncated":
        return
    *before, last = [step.events for step in replay(record)]
    assert last[-1]["type"] == "game_over"
    assert not [event for group in before for event in group if event["type"] == "game_over"]
    almost = state_at(record, len(record["actions"]) - 1)
    assert almost.result is None
    assert verify(record).ok


@each_scenario
def test_the_scenario_in_a_record_starts_the_same_game(scenario: Scenario) -> None:
    record = record_of(scenario, 9, actions=1)
    assert check_scenario(record["scenario"], "record").start(record["seed"]).to_data() == record["start"]


@each_scenario
def test_two_games_of_one_seed_interleaved_go_as_one_alone(scenario: Scenario) -> None:
    """C02."""
    alone = recorded(scenario, 5, actions=ACTIONS).to_data()
    games = [Recording.begin(scenario.start(5), scenario.data, 5, alone["seats"]) for _ in range(2)]
    turns = [random_turns(game.state, 5) for game in games]
    for _ in range(len(alone["actions"])):
        for game, players in zip(games, turns, strict=True):
            random.seed(random.random())
            game.apply(*next(players))
    for game in games:
        if game.result is None:
            game.truncate()
        assert game.to_data() == alone


# C04: damaged and foreign records


@pytest.fixture(scope="module", params=shipped(), ids=lambda scenario: scenario.name)
def record(request: pytest.FixtureRequest) -> Data:
    return record_of(request.param, 3, actions=60)


def changed(record: Data, **keys: Any) -> Data:
    return {**json.loads(json.dumps(record)), **keys}


def test_a_record_cut_in_half_is_said_to_be_cut(record: Data) -> None:
    text = json.dumps(record)
    with pytest.raises(RecordError, match="no whole JSON text, perhaps cut off"):
        read_record(text[: len(text) // 2])


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_record_is_said_to_be_empty(text: str) -> None:
    with pytest.raises(RecordError, match="the record is empty"):
        read_record(text)


@pytest.mark.parametrize("text", ["[]", "7", '"record"', "null"])
def test_what_is_no_object_is_no_record(text: str) -> None:
    with pytest.raises(RecordError, match="a record is one JSON object"):
        read_record(text)


def test_a_record_nested_ten_thousand_deep_is_refused() -> None:
    with pytest.raises(RecordError):
        read_record("[" * 10_000 + "]" * 10_000)


def test_an_unknown_format_is_named_beside_the_known_one(record: Data) -> None:
    for strange in ("living-table/99", None, 7):
        with pytest.raises(RecordError, match=FORMAT):
            verify(changed(record, format=strange))


def test_a_missing_part_is_named(record: Data) -> None:
    for key in record:
        rest = {k: v for k, v in record.items() if k != key}
        with pytest.raises(RecordError, match=key):
            verify(rest)


def test_a_part_of_the_wrong_type_is_named(record: Data) -> None:
    for key in record:
        if key != "format":
            with pytest.raises(RecordError, match=f'"{key}"'):
                verify(changed(record, **{key: True}))


def test_a_start_that_is_no_state_is_said_to_be_none(record: Data) -> None:
    for start in ({}, {"game": record["game"]}):
        with pytest.raises(RecordError, match='"start" of the record is no state'):
            verify(changed(record, start=start))


def test_an_unknown_game_is_named(record: Data) -> None:
    with pytest.raises(RecordError, match="no-such-game"):
        verify(changed(record, game="no-such-game"))


def test_one_action_changed_is_the_first_difference(record: Data) -> None:
    tried = 0
    for number in range(1, len(record["actions"]) + 1, 7):
        damaged = changed(record)
        entry = damaged["actions"][number - 1]
        state = state_at(record, number - 1)
        others = [a.to_data() for a in state.legal_actions(entry["side"]) if a.to_data() != entry["action"]]
        if not others:
            continue
        tried += 1
        entry["action"] = others[-1]
        outcome = verify(damaged)
        assert not outcome.ok
        assert outcome.first_difference is not None
        if state.game.simultaneous:  # What was commanded shows when the round is resolved.
            assert outcome.first_difference.version >= number
        else:
            assert outcome.first_difference.version == number
    assert tried


def test_one_action_made_impossible_is_the_first_difference(record: Data) -> None:
    for number in (1, len(record["actions"]) // 2, len(record["actions"])):
        damaged = changed(record)
        damaged["actions"][number - 1]["action"] = {"type": "no_such_type"}
        outcome = verify(damaged)
        assert outcome.first_difference is not None
        assert outcome.first_difference.version == number
        assert outcome.first_difference.what == "action"
        assert "refused" in outcome.first_difference.replayed


def test_an_action_in_another_ones_name_is_the_first_difference(record: Data) -> None:
    damaged = changed(record)
    damaged["actions"][4]["side"] = "nobody"
    outcome = verify(damaged)
    assert outcome.first_difference is not None
    assert outcome.first_difference.version == 5


def test_one_event_changed_is_the_first_difference(record: Data) -> None:
    damaged = changed(record)
    event = damaged["events"][len(damaged["events"]) // 2]
    event["type"] = "forged"
    outcome = verify(damaged)
    assert outcome.first_difference is not None
    assert (outcome.first_difference.version, outcome.first_difference.what) == (event["version"], "events")


def test_an_action_too_few_or_a_result_that_is_another_is_a_difference(record: Data) -> None:
    assert not verify(changed(record, actions=record["actions"][:-1])).ok
    forged = {**record["result"], "reason": "forged"}
    outcome = verify(changed(record, result=forged))
    assert outcome.first_difference is not None
    assert outcome.first_difference.what == "result"


def test_actions_out_of_order_are_said_to_be_so(record: Data) -> None:
    first, second, *rest = record["actions"]
    with pytest.raises(RecordError, match="not numbered 1, 2, 3"):
        verify(changed(record, actions=[second, first, *rest]))


def test_a_record_of_an_older_engine_verifies_if_it_replays(record: Data) -> None:
    assert verify(changed(record, engine="0.0.1")).ok


def test_a_record_of_an_older_engine_that_does_not_replay_names_both_versions(record: Data) -> None:
    damaged = changed(record, engine="0.0.1")
    damaged["events"][0]["type"] = "forged"
    outcome = verify(damaged)
    assert outcome.first_difference is not None
    assert "0.0.1" in outcome.first_difference.what
    assert __version__ in outcome.first_difference.what


def test_a_difference_goes_into_json(record: Data) -> None:
    damaged = changed(record)
    damaged["events"][0]["type"] = "forged"
    outcome = verify(damaged)
    assert outcome.first_difference is not None
    assert json.loads(json.dumps(outcome.first_difference.to_data(), allow_nan=False))["version"] == 1


STRANGE: tuple[Any, ...] = (None, True, 0, -1, 1.5, "", "x", "3,4", [], {}, [[]], 1e308, 10**30, ["p1"], {"a": 1})


def places(value: Any, here: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where anything stands in a JSON value, the value itself left out."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(value, list):
        inner = list(enumerate(value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    for key, part in inner:
        yield (*here, key)
        yield from places(part, (*here, key))


def test_a_record_damaged_anywhere_is_judged_or_refused_but_never_crashes(record: Data) -> None:
    dice = Dice(13)
    for part in ("start", "start", "actions", "events", "result", "seats", "scenario", "seed") * 10:
        damaged = changed(record)
        *way, last = dice.pick([(part,), *((part, *place) for place in places(damaged[part]))])
        holder: Any = damaged
        for key in way:
            holder = holder[key]
        holder[last] = dice.pick(STRANGE)
        with suppress(RecordError):
            verify(damaged)
