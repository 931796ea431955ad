"""One game of a tournament, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from livingtable.agents import next_command
from livingtable.arena.choices import Forfeit
from livingtable.arena.entrants import EntrantSeat, seat
from livingtable.arena.schedule import Fixture
from livingtable.game import Data
from livingtable.records import Recording
from livingtable.scenarios import Scenario

End = Literal["won", "drawn", "truncated", "forfeit"]
MAX_ACTIONS = 5_000


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: `row` is what the ratings read, `record` replays it."""

    row: Data
    record: Data


def play(fixture: Fixture, scenario: Scenario, seconds: float, max_actions: int = MAX_ACTIONS) -> Played:
    """Plays a game to its end, or until somebody forfeits it, or cuts it off after so many actions."""
    state = scenario.start(fixture.seed)
    names = dict(zip(state.sides, fixture.seating, strict=True))
    controllers = [{"side": s, "name": n, "controller": f"bot:{names[s]}"} for s, n in state.names.items()]
    recording = Recording.begin(state, scenario.data, fixture.seed, controllers)
    seats = {side: seat(name, scenario.game, side, fixture.seed, seconds) for side, name in names.items()}
    lost: tuple[str, Forfeit] | None = None
    try:
        while recording.result is None:
            side = next_command(state, fixture.seed)
            try:
                action = seats[side].choose(state, state.legal_actions(side), recording.version)
            except Forfeit as forfeit:
                lost = (side, forfeit)
                break
            recording.apply(side, action)
            if recording.result is None and recording.version >= max_actions:
                recording.truncate()
    finally:
        _leave(seats)
    return Played(_row(fixture, names, recording, lost), _record(recording, lost))


def _leave(seats: dict[str, EntrantSeat]) -> None:
    for left in seats.values():
        left.leave()


def _row(fixture: Fixture, names: dict[str, str], recording: Recording, lost: tuple[str, Forfeit] | None) -> Data:
    """`end` is how it ended: won, drawn (nobody won, or entrants share the first place), truncated, forfeit.

    Of a forfeit `by` and `why` say whose it was and of what kind; the places are then nobody's merit.
    """
    result = recording.result
    ranking = result.ranking if result else recording.state.ranking()
    winners = {names[side] for side in result.winners} if result else set[str]()
    if lost is not None:
        end: End = "forfeit"
    elif result is not None and result.reason == "truncated":
        end = "truncated"
    else:
        end = "won" if len(winners) == 1 else "drawn"
    row: Data = {
        "scenario": fixture.scenario,
        "group": fixture.group,
        "seed": fixture.seed,
        "seats": names,
        "end": end,
        "reason": result.reason if result else "forfeit",
        "places": {r["side"]: r["place"] for r in sorted(ranking, key=lambda r: list(names).index(r["side"]))},
        "scores": {r["side"]: r["score"] for r in sorted(ranking, key=lambda r: list(names).index(r["side"]))},
        "rounds": recording.state.round,
        "actions": recording.version,
    }
    if lost is not None:
        side, forfeit = lost
        row |= {"by": names[side], "side": side, "why": forfeit.reason, "detail": forfeit.detail[:200]}
    return row


def _record(recording: Recording, lost: tuple[str, Forfeit] | None) -> Data:
    if lost is not None and recording.result is None:
        recording.truncate()  # A forfeit is the tournament's, not the game's: its record is one of a game cut off.
    return recording.to_data()
