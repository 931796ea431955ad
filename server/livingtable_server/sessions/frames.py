"""A record as pictures one after the other: what a spectator saw after each action, for who steps through a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from livingtable.game import Data, State
from livingtable.records import Each, Recording, reading, replay, starting_state

FRAMES_AT_MOST = 200
"""In one answer."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A version that is worth a picture. `played` is `{side, notation}`, None at the start; `state` is good until the
    next moment is asked for."""

    version: int
    played: Data | None
    state: State


def watched(recording: Recording) -> Data:
    """The record of a game that goes on, as far as a spectator may see it played: commands of an open round are not in
    it. The dice of its start are, so that it can be replayed: it is not for showing."""
    record = recording.to_data()
    return {**record, "actions": record["actions"][: recording.hidden_from]}


def moments(record: Mapping[str, Any], each: Each = lambda: None) -> Iterator[Moment]:
    """The start, and what each action led to; where all choose at once, what each round led to. `each` is called
    before each action.

    Raises `RecordError`, or the `Refusal` of an action that cannot be played.
    """
    yield Moment(0, None, starting_state(record))
    for step in replay(record, None, each):
        if step.state.open_commands and step.state.result is None:
            continue
        with reading(f"action {step.version} of the record has no notation"):
            notation = step.state.parse_action(step.action, step.side).notation
        yield Moment(step.version, {"side": step.side, "notation": notation}, step.state)


def picture_of(moment: Moment) -> str:
    """As SVG. Raises `RecordError`."""
    with reading(f"what version {moment.version} of the record shows is no board"):
        return moment.state.svg(None)


def frames(record: Mapping[str, Any], begin: int = 0, at_most: int = FRAMES_AT_MOST, each: Each = lambda: None) -> Data:
    """`versions` are all that have a frame; `frames` those from the version `begin` on, at most so many.

    The first frame has the whole `state`, each other one the keys that are new or different after it. Raises as
    `moments` does.
    """
    versions: list[int] = []
    found: list[Data] = []
    before: Data = {}
    for moment in moments(record, each):
        versions.append(moment.version)
        if moment.version >= begin and len(found) < at_most:
            with reading(f"what version {moment.version} of the record shows is no board"):
                now, turn = moment.state.view(None), _turn(moment.state)
            changed = {key: value for key, value in now.items() if key not in before or before[key] != value}
            found.append({"version": moment.version, "played": moment.played, **turn, "state": changed})
            before = now
    return {"versions": versions, "frames": found}


def _turn(state: State) -> Data:
    result = state.result.to_data() if state.result else None
    return {"round": state.round, "phase": state.phase, "toAct": list(state.to_act), "result": result}
