"""What a room is: who sits where, under which secret, and what may change about that. Pure data, kept in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from livingtable.game import Data
from livingtable.names import taken_for
from livingtable_server.sessions.codes import hashed, matches
from livingtable_server.sessions.errors import ConflictError, TableError
from livingtable_server.sessions.seats import BOT, OPEN, Seat
from livingtable_server.store.ledger import StoredRoom

SEAT_TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """`secret` is the hash of its player's id, None where nobody or a bot sits."""

    side: str
    name: str
    controller: str
    secret: str | None = None

    @property
    def seat(self) -> Seat:
        return Seat(self.side, self.name, self.controller)

    @property
    def is_free(self) -> bool:
        """Open, or a bot's: to be taken by who joins."""
        return self.secret is None


@dataclass(frozen=True, slots=True)
class Room:
    """`creator` is the hash of the id of the player who made it; `seat_timeout` None: nobody is ever stood in for.

    `revision` is the number of its changes in the ledger so far.
    """

    name: str
    seats: tuple[RoomSeat, ...]
    creator: str
    seat_timeout: float | None
    started: bool = False
    rematch: str | None = None
    """The code of the room in which its players play again."""
    revision: int = 0

    @property
    def players(self) -> frozenset[str]:
        """The seats that have a player, there or not."""
        return frozenset(seat.side for seat in self.seats if seat.secret is not None)

    def newcomers(self, before: Room) -> frozenset[str]:
        """The seats whose player was not there before."""
        old = {seat.side: seat.secret for seat in before.seats}
        return frozenset(s.side for s in self.seats if s.secret is not None and s.secret != old[s.side])

    def side_of(self, player_id: str | None) -> str | None:
        """The seat whose player shows that secret. All are compared, so that the time does not tell which it is."""
        shown = hashed(player_id) if player_id else None
        found = [seat.side for seat in self.seats if matches(shown, seat.secret)]
        return found[0] if found else None

    def is_creator(self, player_id: str) -> bool:
        return matches(hashed(player_id), self.creator)

    def joined(self, side: str | None, name: str | None, controller: str, player_id: str) -> tuple[Room, str]:
        """With a player on that seat; without one named, on the first open seat, else on the first that a bot has.

        Raises `TableError` where it is not free, and for a name that would be taken for somebody else.
        """
        free = [seat for seat in self.seats if seat.is_free]
        seat = next((s for s in free if side in (None, s.side) and s.controller == OPEN), None)
        seat = seat or next((s for s in free if side in (None, s.side)), None)
        if seat is None:
            left = ", ".join(s.side for s in free) or "none"
            raise ConflictError(f"{side or 'Every seat'} is taken; free seats: {left}.")
        mistaken = taken_for(name or "", seat.side, [s.side for s in self.seats])
        if mistaken is not None:
            raise TableError(f'"name" must not be one that others would take for {mistaken}; choose another.')
        taken = RoomSeat(seat.side, name or seat.side, controller, hashed(player_id))
        return self._with([taken]), seat.side

    def with_bots(self, sides: Sequence[str], bot: str) -> Room:
        """With that bot on those seats; who sat there has no right to them any more."""
        return self._with([RoomSeat(side, bot, BOT + bot) for side in sides])

    def _with(self, changed: Sequence[RoomSeat]) -> Room:
        by_side = {seat.side: seat for seat in changed}
        seats = tuple(by_side.get(seat.side, seat) for seat in self.seats)
        started = self.started or all(seat.controller != OPEN for seat in seats)
        return replace(self, seats=seats, started=started)

    def to_data(self) -> Data:
        return {
            "name": self.name,
            "seats": [
                {"side": s.side, "name": s.name, "controller": s.controller, "secret": s.secret} for s in self.seats
            ],
            "creator": self.creator,
            "seatTimeout": self.seat_timeout,
            "started": self.started,
            "rematch": self.rematch,
        }

    @classmethod
    def stored(cls, stored: StoredRoom) -> Room:
        data = stored.data
        seats = tuple(RoomSeat(s["side"], s["name"], s["controller"], s["secret"]) for s in data["seats"])
        return cls(
            data["name"],
            seats,
            data["creator"],
            data["seatTimeout"],
            data["started"],
            data.get("rematch"),
            stored.revision,
        )
