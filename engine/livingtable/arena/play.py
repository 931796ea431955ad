"""One game of a tournament, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from livingtable.agents import next_command
from livingtable.arena.choices import Forfeit
from livingtable.arena.entrants import EntrantSeat, seat
from livingtable.arena.schedule import Fixture
from livingtable.game import Data, Result
from livingtable.records import FORFEIT, TRUNCATED, Recording
from livingtable.scenarios import Scenario

End = Literal["won", "drawn", "truncated", "forfeit"]


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: `row` is what the ratings read, `record` replays it."""

    row: Data
    record: Data


@dataclass(frozen=True, slots=True)
class _Lost:
    """Whose forfeit ended a game, and what it was."""

    side: str
    forfeit: Forfeit


Seated = Callable[[str, str, int, float], EntrantSeat]
"""Seats an entrant: by its name, in a side, with a seed and the seconds that it has for a choice."""


def play(fixture: Fixture, scenario: Scenario, seconds: float, max_actions: int, seated: Seated = seat) -> Played:
    """Plays a game to its end, or until somebody forfeits it, or cuts it off after so many actions."""
    state = scenario.start(fixture.seed)
    names = dict(zip(state.sides, fixture.seating, strict=True))
    controllers = [{"side": s, "name": n, "controller": f"bot:{names[s]}"} for s, n in state.names.items()]
    recording = Recording.begin(state, scenario.data, fixture.seed, controllers)
    seats: dict[str, EntrantSeat] = {}
    try:
        for side, name in names.items():
            seats[side] = seated(name, side, fixture.seed, seconds)
        lost = _play_on(recording, seats, fixture.seed, max_actions)
    finally:
        for taken in seats.values():
            taken.leave()
    if lost is not None:
        recording.forfeit(lost.side, lost.forfeit.reason)
    result = recording.result or recording.truncate()
    return Played(_row(fixture, names, recording, result, lost), recording.to_data())


def _play_on(recording: Recording, seats: dict[str, EntrantSeat], seed: int, max_actions: int) -> _Lost | None:
    state = recording.state
    while recording.result is None and recording.version < max_actions:
        side = next_command(state, seed)
        try:
            action = seats[side].choose(state, recording.version)
        except Forfeit as forfeit:
            return _Lost(side, forfeit)
        recording.apply(side, action)
    return None


def _row(fixture: Fixture, names: dict[str, str], recording: Recording, result: Result, lost: _Lost | None) -> Data:
    """`end` is how it ended: won, drawn (nobody won, or entrants, or all seats, share the first place), truncated,
    forfeit.

    Of a forfeit `by`, `side`, `why` and `detail` say whose it was and of what kind. Who forfeits is last; the places of
    the others are as the game stood, and nobody's merit.
    """
    ranking = {row["side"]: row for row in result.ranking}
    places = {side: ranking[side]["place"] for side in names}
    row: Data = {
        "scenario": fixture.scenario,
        "group": fixture.group,
        "seed": fixture.seed,
        "seats": names,
        "end": _end(result, names, lost),
        "reason": result.reason if lost is None else FORFEIT,
        "places": places if lost is None else _with_last(places, lost.side),
        "scores": {side: ranking[side]["score"] for side in names},
        "rounds": recording.state.round,
        "actions": recording.version,
    }
    if lost is not None:
        told = {"side": lost.side, "why": lost.forfeit.reason, "detail": lost.forfeit.detail}
        row |= {"by": names[lost.side], **told}
    return row


def _with_last(places: dict[str, int], last: str) -> dict[str, int]:
    """The same places with that side behind all others, who keep their order."""
    others = [place for side, place in places.items() if side != last]
    moved = {side: 1 + sum(1 for other in others if other < place) for side, place in places.items()}
    return {**moved, last: len(places)}


def _end(result: Result, names: dict[str, str], lost: _Lost | None) -> End:
    if lost is not None:
        return "forfeit"
    if result.reason == TRUNCATED:
        return "truncated"
    # Where one entrant has all seats they all are its own; a first place of everybody's is nobody's win all the same.
    one_won = len({names[side] for side in result.winners}) == 1 and len(result.winners) < len(names)
    return "won" if one_won else "drawn"
