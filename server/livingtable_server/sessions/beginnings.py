"""How a game begins: from a request to a checked start, and the id under which it is kept."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from livingtable.errors import ScenarioError, UnknownNameError
from livingtable.game import MAX_SEED, Data, State
from livingtable.scenarios import Scenario, ScenarioLibrary, check_setup
from livingtable_server.sessions.errors import NotFoundError, TableError, shown_value

_LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LENGTH = 22
"""58 letters, 22 of them: 128 bits."""

DEFAULT_OPPONENT = "greedy"
LISTED = "list_scenarios lists scenarios."

Start = tuple[State, Data, int]
"""The state of version 0, its scenario as data, its seed."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a new session is made from: exactly one of scenario, setup and fork."""

    scenario: str | None = None
    setup: Mapping[str, Any] | None = None
    fork: str | None = None
    version: int | None = None
    seed: int | None = None
    side: str | None = None
    opponent: str = DEFAULT_OPPONENT
    health: float | None = None
    controller: str = "agent"

    @classmethod
    def asked(cls, given: Mapping[str, Any]) -> NewGame:
        """From checked arguments of a request. Models that fill in every argument give 0 for what they leave out: no
        game begins with `health` 0, and without `fork` there is no `version`."""
        own = dict(given)
        for name in ("health", "version"):
            if own.get(name) == 0 and not (name == "version" and "fork" in own):
                del own[name]
        return cls(**own)


def capability() -> str:
    """A new text that nobody can guess."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def check_seed(seed: object) -> None:
    """Raises `TableError` with the range."""
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
        raise TableError(f'"seed" must be a whole number from 0 to {MAX_SEED}, not {shown_value(seed)}.')


def start_of(library: ScenarioLibrary, request: NewGame, health: float | None) -> Start:
    """From a scenario or a set-up; a seed is drawn if none is given. `health` is the table's own setting, below the
    request's. Raises `TableError`."""
    try:
        scenario = library.get(request.scenario) if request.scenario is not None else check_setup(request.setup or {})
        scenario = _with_health(scenario, request.health, health)
        seed = secrets.randbelow(MAX_SEED + 1) if request.seed is None else request.seed
        return scenario.start(seed), scenario.data, seed
    except UnknownNameError as error:
        raise NotFoundError(str(error)) from None
    except ScenarioError as error:
        raise TableError(str(error)) from None


def _with_health(scenario: Scenario, asked: float | None, option: float | None) -> Scenario:
    """The call's health, else the option's, stands above the scenario's setting (BW-7.1)."""
    settable = "health" in type(scenario.setup).model_fields
    if asked is not None and not settable:
        raise TableError(f'"health" is no setting of {scenario.game}: leave it out.')
    health = asked if asked is not None else option
    if health is None or not settable:
        return scenario
    return check_setup({**scenario.data, "health": health})
