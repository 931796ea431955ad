"""The same game again, in a new room, with the same people on the same seats."""

from __future__ import annotations

from livingtable.game import Data
from livingtable_server.sessions.errors import ConflictError
from livingtable_server.sessions.knocking import watched_by
from livingtable_server.sessions.room import Room, RoomSeat
from livingtable_server.sessions.rooms import NewRoom, Rooms
from livingtable_server.sessions.seats import BOT


async def rematch(rooms: Rooms, code: str, player_id: str) -> Data:
    """`{roomCode, playerId, side}` in the new room. The first player who asks makes it, with bots where bots sat; the
    others get their seats there.

    Raises `ConflictError` before the game is over, and for who has no seat.
    """
    visit = await rooms.visit(code, player_id)
    record = await rooms.record(code, player_id)
    own = next((seat for seat in visit.room.seats if seat.side == visit.side), None)
    if own is None or record["result"] is None:
        raise ConflictError("A rematch is for the players of a room whose game is over.")
    going_on = visit.room.rematch
    if going_on is None:
        made = await _again(rooms, visit.room, own, record["scenario"])
        going_on = await rooms.go_on_in(code, made["roomCode"])
        if going_on == made["roomCode"]:
            return {key: made[key] for key in ("roomCode", "playerId", "side")}
        # Another player was faster: their room it is.
    with watched_by(None):  # A player is told this code.
        joined = await rooms.join(going_on, own.side, _name(own), own.controller)
    return {"roomCode": going_on, **joined}


async def _again(rooms: Rooms, room: Room, own: RoomSeat, scenario: Data) -> Data:
    wish = NewRoom(
        setup=scenario,
        side=own.side,
        name=_name(own),
        controller=own.controller,
        seat_timeout=room.seat_timeout,
    )
    made = await rooms.create(wish)
    for seat in room.seats:
        if seat.controller.startswith(BOT):
            bot = seat.controller.removeprefix(BOT)
            await rooms.seat_bot(made["roomCode"], made["playerId"], seat.side, bot)
    return made


def _name(seat: RoomSeat) -> str | None:
    """Who gave no name is called by the seat."""
    return seat.name if seat.name != seat.side else None
