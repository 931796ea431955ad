"""Options that several commands have, checked before anything is begun, in words for the one who typed them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from livingtable_server.settings import SCENARIOS_VARIABLE, STORE_VARIABLE, Settings
from livingtable_server.store.address import SqliteAddress, address_of
from livingtable_server.store.errors import StoreError
from livingtable_server.terminal.faults import UseError

DEFAULT_SCENARIO = "crossroads"
"""What `demo` and `play` begin where no scenario is named."""

_HEALTH = re.compile(r"\d{1,9}(\.\d)?")


def settings_from(store: str | None = None, scenarios: list[Path] | None = None, health: str | None = None) -> Settings:
    """The settings that the options make, or the environment. Raises `UseError` for the first that cannot be."""
    settings = Settings.from_options(store, scenarios, None if health is None else _health(health))
    try:
        address_of(settings.store)
    except StoreError as error:
        raise UseError(f"{_source('--store', store, STORE_VARIABLE)}: {error}") from None
    for folder in settings.scenarios:
        if not folder.is_dir():
            source = _source("--scenarios", scenarios, SCENARIOS_VARIABLE)
            raise UseError(f'{source} names "{folder}", which is no folder: make it, or name another.')
    return settings


def check_not_left_out(folders: Sequence[Path], names: Sequence[str]) -> None:
    """Raises `UseError` where a scenario that was asked for is another one than that in the user's own file."""
    from livingtable.scenarios import ScenarioLibrary

    left_out = ScenarioLibrary(folders).left_out if folders else {}
    for name in names:
        if name in left_out:
            raise UseError(f"{left_out[name].file}: {left_out[name].key}: {left_out[name].reason}.")


def is_in_memory(store: str) -> bool:
    """Whether the ledger ends with its process, which no other one sees."""
    return address_of(store) == SqliteAddress(None)


def server_arguments(settings: Settings) -> list[str]:
    """The same settings as options of `living-table mcp`, save the store."""
    return [argument for folder in settings.scenarios for argument in ("--scenarios", str(folder.absolute()))]


def server_environment(settings: Settings) -> dict[str, str]:
    """The store: it may hold a password, and a command's options can be seen by others."""
    return {**os.environ, STORE_VARIABLE: settings.store}


def how_to_resume(settings: Settings, session_id: str) -> str:
    """The command that goes on with a session, without the store's password, or that there is none."""
    if is_in_memory(settings.store):
        return "The game was in memory only, and is gone."
    command = ["living-table", "play", "--resume", session_id]
    if settings.store != Settings.from_options().store:
        command += ["--store", str(address_of(settings.store))]
    return f"The game is kept; to go on with it: {shlex.join(command)}"


def _source(option: str, given: object, variable: str) -> str:
    return option if given or not os.environ.get(variable) else variable


def _health(text: str) -> float:
    if not _HEALTH.fullmatch(text) or float(text) <= 0:
        raise UseError(f'--health must be a number above 0 with at most one decimal, such as 7.5, not "{text[:40]}".')
    return float(text)
