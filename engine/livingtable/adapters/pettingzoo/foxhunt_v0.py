"""foxhunt as a PettingZoo environment: `parallel_env()`, and `env()` for who wants its agents one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.conversions import parallel_to_aec  # pyright: ignore[reportMissingTypeStubs]
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

from livingtable.adapters.pettingzoo.encoding import Observation
from livingtable.adapters.pettingzoo.foxhunt_encoding import STAY, encoding
from livingtable.adapters.pettingzoo.rounds import Rounds


def parallel_env(scenario: str | Mapping[str, Any] = "fox_yard", **options: Any) -> Rounds:
    """A shipped scenario by its name, or a set-up. The options are those of `Rounds`: `max_cycles`, `rewards`,
    `illegal_penalty`, `render_mode`."""
    return Rounds("foxhunt", encoding, STAY, scenario, **options)


def env(
    scenario: str | Mapping[str, Any] = "fox_yard", **options: Any
) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """The same; each agent is asked in its turn, and the round is played when all have chosen."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(parallel_to_aec(parallel_env(scenario, **options))))
