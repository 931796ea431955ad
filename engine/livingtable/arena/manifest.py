"""`manifest.json`: what a tournament is to play, and with what versions of everything."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator
from pathlib import Path

from livingtable.arena.entrants import own_file
from livingtable.arena.plan import Plan, library
from livingtable.errors import RecordError
from livingtable.game import Data
from livingtable.version import __version__


def manifest_of(plan: Plan) -> Data:
    """The settings; `engine` and `python`, which played; `contents`, the SHA-256 of the scenarios and of users' own
    agents, by name."""
    return {
        "engine": __version__,
        "python": platform.python_version(),
        **plan.to_data(),
        "contents": dict(_contents(plan)),
    }


def check_unchanged(before: Data, plan: Plan, folder: Path) -> None:
    """Raises `RecordError` if what has been played since a tournament was begun would be played otherwise now."""
    engine, now = before.get("engine"), manifest_of(plan)
    if engine != __version__:
        raise RecordError(
            f'"{folder}" was begun by living-table {engine}; this is {__version__}, which may play otherwise'
        )
    for name, digest in before.get("contents", {}).items():
        if now["contents"].get(name) != digest:
            raise RecordError(f'{name} has changed since "{folder}" was begun: name another folder for what it is now')


def _contents(plan: Plan) -> Iterator[tuple[str, str]]:
    for name in plan.scenarios:
        data = json.dumps(library(plan.folders).get(name).data, sort_keys=True)
        yield f"scenario {name}", hashlib.sha256(data.encode()).hexdigest()
    for name in plan.entrants:
        file = own_file(name)
        if file is not None:
            yield name, hashlib.sha256(file.read_bytes()).hexdigest()
