"""Seats: who controls which, and for which one a request speaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from livingtable.game import Data, State, printable

BOT = "bot:"
OPEN = "open"


@dataclass(frozen=True, slots=True)
class Seat:
    """One decider. `controller` is `agent`, `human`, `bot:NAME` or `open`."""

    side: str
    name: str
    controller: str

    @property
    def bot(self) -> str | None:
        """The bot's name, None if no bot sits there."""
        return self.controller.removeprefix(BOT) if self.controller.startswith(BOT) else None

    def to_data(self) -> Data:
        return {"side": self.side, "name": self.name, "controller": self.controller}

    @classmethod
    def from_data(cls, data: Data) -> Seat:
        return cls(data["side"], data["name"], data["controller"])


class SeatError(Exception):
    """The request speaks for no seat that the caller has; the text names those it might mean."""


class UnknownSeatError(SeatError):
    """There is no such seat at all."""


def named_side(state: State, side: str) -> str:
    """The seat of that name, or of that group's name (`troll`: the first troll). Raises `UnknownSeatError`."""
    if side in state.sides:
        return side
    first = state.game.group_sides(side, state)
    if first is None:
        raise UnknownSeatError(f'There is no seat "{printable(side[:40])}"; the seats are {", ".join(state.sides)}.')
    return first


def speaking_side(state: State, seats: Sequence[Seat], own: Sequence[str], side: str | None) -> str | None:
    """The seat for which a request speaks: the one it names, else the only one of those that the caller has, else the
    one of them that is to act; None if none of several is. Raises `SeatError`."""
    if side is not None:
        named = named_side(state, side)
        if named not in own:
            raise SeatError(f"{named} is not your seat: {_controllers(seats, named)}. Yours: {', '.join(own)}.")
        return named
    if len(own) == 1:
        return own[0]
    acting = [s for s in state.to_act if s in own]
    if len(acting) > 1:
        raise SeatError(f'Several of your seats are to act: {", ".join(acting)}. Say which with "side".')
    return acting[0] if acting else None


def own_sides(seats: Sequence[Seat]) -> list[str]:
    """The seats that the caller of a session of its own plays: every one that no bot has."""
    return [seat.side for seat in seats if seat.bot is None]


def _controllers(seats: Sequence[Seat], side: str) -> str:
    return next(f"{seat.controller} plays it" for seat in seats if seat.side == side)
