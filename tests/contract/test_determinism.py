"""Same seed and actions, same game, in every process, whatever the seed of Python's own hashes (C01)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contract.playing import bots_for, recorded
from tests.contract.sampling import each_scenario
from tests.contract.turn_hashes import lines

from livingtable.game import Data, game_names
from livingtable.records import Recording
from livingtable.scenarios import Scenario

CHECKOUT = Path(__file__).parents[2]
AT_ONCE = 4


def started(hash_seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.contract.turn_hashes"],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def printed_under(hash_seeds: range) -> list[list[str]]:
    """What each process prints, a few of them at a time."""
    printed: list[list[str]] = []
    for first in range(hash_seeds.start, hash_seeds.stop, AT_ONCE):
        group = [started(seed) for seed in range(first, min(first + AT_ONCE, hash_seeds.stop))]
        for process in group:
            output, _ = process.communicate()
            assert process.returncode == 0
            printed.append(output.splitlines())
    return printed


def test_two_processes_with_other_hash_seeds_play_the_same_turns_as_this_one() -> None:
    here = list(lines())
    for printed in printed_under(range(2)):
        assert printed == here
    for game in game_names():
        players = {line.split()[1] for line in here}
        assert players >= {"chance", *bots_for(game)}


@pytest.mark.slow
def test_twenty_processes_with_twenty_hash_seeds_play_the_same_turns() -> None:
    first, *others = printed_under(range(20))
    assert len(first) > 100
    assert len(others) == 19
    for printed in others:
        assert printed == first


@each_scenario
def test_another_seed_is_another_game(scenario: Scenario) -> None:
    games = [recorded(scenario, seed, actions=40).to_data() for seed in range(5)]
    assert len({str(game["events"]) for game in games}) == len(games)


@each_scenario
def test_the_same_seed_and_actions_are_the_same_record(scenario: Scenario) -> None:
    first = recorded(scenario, 3, actions=80).to_data()
    again = Recording.begin(scenario.start(3), scenario.data, 3, first["seats"])
    for entry in first["actions"]:
        again.apply(entry["side"], again.state.parse_action(entry["action"]))
    assert _played(again.to_data()) == _played(first)


def _played(record: Data) -> list[object]:
    return [record["start"], record["actions"], record["events"]]
