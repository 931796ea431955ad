"""Where things are kept, and what an operator may set: options of the command line, else the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

SCENARIOS_VARIABLE = "LIVING_TABLE_SCENARIOS"
STORE_VARIABLE = "LIVING_TABLE_STORE"
TOKEN_VARIABLE = "LIVING_TABLE_TOKEN"
"""Without which nobody begins a game over HTTP; here it stands in no list of processes."""
DEBUG_VARIABLE = "LIVING_TABLE_DEBUG"


@dataclass(frozen=True, slots=True)
class Settings:
    """`store` is a ledger's address, `scenarios` the user's folders, `health` stands above a scenario's setting."""

    store: str
    scenarios: tuple[Path, ...] = ()
    health: float | None = None
    store_is_there: bool = False
    """The server has opened the store before: a file that is gone since is not made anew."""

    @classmethod
    def from_options(
        cls, store: str | None = None, scenarios: list[Path] | None = None, health: float | None = None
    ) -> Settings:
        """The options given; what is left out comes from `LIVING_TABLE_STORE` and `LIVING_TABLE_SCENARIOS` (folders
        parted as in PATH), else from the defaults."""
        folders = scenarios or [Path(p) for p in os.environ.get(SCENARIOS_VARIABLE, "").split(os.pathsep) if p]
        return cls(store or os.environ.get(STORE_VARIABLE) or default_store(), tuple(folders), health)


def data_folder() -> Path:
    """The user's own folder for the ledger and records."""
    from platformdirs import user_data_path

    return user_data_path("living-table", appauthor=False)


def default_store() -> str:
    return f"sqlite:///{data_folder() / 'games.sqlite3'}"
