"""PettingZoo's own tests over the three environments, without a warning; and what they do not look at."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import pytest
from pettingzoo.utils.conversions import parallel_to_aec  # pyright: ignore[reportMissingTypeStubs]

from livingtable.adapters.pettingzoo import botwars_v0, foxhunt_v0, skirmish_v0

ZOO: Any = import_module("pettingzoo.test")

TURNS = [
    pytest.param(partial(botwars_v0.env, "crossroads"), id="crossroads"),
    pytest.param(partial(botwars_v0.env, "first_alliance"), id="first_alliance"),
    pytest.param(partial(skirmish_v0.env, "castle_siege"), id="castle_siege"),
    pytest.param(partial(foxhunt_v0.env, "fox_yard"), id="fox_yard"),
]
PARALLEL = partial(foxhunt_v0.parallel_env, "fox_yard")


@pytest.mark.slow
@pytest.mark.parametrize("make", TURNS)
def test_an_environment_keeps_pettingzoos_interface(make: Any) -> None:
    ZOO.api_test(make(), num_cycles=300)


@pytest.mark.slow
@pytest.mark.parametrize("make", TURNS)
def test_the_same_seed_is_the_same_game(make: Any) -> None:
    ZOO.seed_test(make, num_cycles=100)


@pytest.mark.slow
@pytest.mark.parametrize("make", TURNS)
def test_an_environment_can_be_looked_at(make: Any) -> None:
    ZOO.render_test(make)


def test_the_parallel_environment_keeps_pettingzoos_interface() -> None:
    ZOO.parallel_api_test(PARALLEL(), num_cycles=300)


def test_the_same_seed_is_the_same_parallel_game() -> None:
    ZOO.parallel_seed_test(PARALLEL, num_cycles=100)


def test_made_one_after_the_other_the_same_seed_is_the_same_parallel_game() -> None:
    ZOO.seed_test(lambda: parallel_to_aec(PARALLEL()), num_cycles=100)


def test_the_parallel_environment_is_cut_off_after_its_cycles() -> None:
    ZOO.max_cycles_test(foxhunt_v0)
