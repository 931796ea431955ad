"""skirmish as a PettingZoo environment: `env()`, or `raw_env()` without the wrappers that find misuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

from livingtable.adapters.pettingzoo.encoding import Observation
from livingtable.adapters.pettingzoo.skirmish_encoding import encoding
from livingtable.adapters.pettingzoo.turns import Turns


def raw_env(scenario: str | Mapping[str, Any] = "castle_siege", **options: Any) -> Turns:
    """A shipped scenario by its name, or a set-up. The options are those of `Turns`: `max_cycles`, `rewards`,
    `illegal_penalty`, `render_mode`."""
    return Turns("skirmish", encoding, scenario, **options)


def env(
    scenario: str | Mapping[str, Any] = "castle_siege", **options: Any
) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """`raw_env`, which then says what it was used wrongly for."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(scenario, **options)))
