"""A record as pictures one after the other: what a spectator saw after each action, for who steps through a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from livingtable.game import Data, State
from livingtable.records import replay, starting_state

FRAMES_AT_MOST = 200
"""In one answer."""


def frames(record: Mapping[str, Any], begin: int = 0, at_most: int = FRAMES_AT_MOST) -> Data:
    """`versions` are all that have a frame; `frames` those from the version `begin` on, at most so many.

    Where all choose at once there is a frame a round, not one a command. The first frame has the whole `state`, each
    other one the keys that are new or different after it. Raises `RecordError`, or the `Refusal` of an action that
    cannot be played.
    """
    versions: list[int] = []
    found: list[Data] = []
    before: Data = {}
    for version, played, state in _positions(record):
        if state.open_commands and state.result is None:
            continue
        versions.append(version)
        if version >= begin and len(found) < at_most:
            now = state.view(None)
            changed = {key: value for key, value in now.items() if key not in before or before[key] != value}
            found.append({"version": version, "played": played, **_turn(state), "state": changed})
            before = now
    return {"versions": versions, "frames": found}


def _positions(record: Mapping[str, Any]) -> Iterator[tuple[int, Data | None, State]]:
    """Version, what was played to get there, and the state; the state is the same object every time."""
    yield 0, None, starting_state(record)
    for step in replay(record):
        notation = step.state.parse_action(step.action, step.side).notation
        yield step.version, {"side": step.side, "notation": notation}, step.state


def _turn(state: State) -> Data:
    result = state.result.to_data() if state.result else None
    return {"round": state.round, "phase": state.phase, "toAct": list(state.to_act), "result": result}
