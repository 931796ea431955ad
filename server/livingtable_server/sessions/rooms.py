"""Rooms: games whose seats are taken by people and agents from wherever they are. Every request for a room enters here.

A room's game is a session like any other, in the same ledger, whose id nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import anyio

from livingtable.agents import fitting_agent
from livingtable.errors import UnknownNameError
from livingtable.game import Data
from livingtable.records import Recording
from livingtable.scenarios import ScenarioLibrary, is_one_line
from livingtable_server.sessions import answers
from livingtable_server.sessions.answers import Detail
from livingtable_server.sessions.beginnings import LISTED, NewGame, capability, check_seed, start_of
from livingtable_server.sessions.codes import hashed, heard_code, room_code
from livingtable_server.sessions.door import Door, Visit
from livingtable_server.sessions.errors import ConflictError, NotFoundError, TableError
from livingtable_server.sessions.hosting import Hosting
from livingtable_server.sessions.judging import Submission, judge, told
from livingtable_server.sessions.keeper import BOT_DELAY_SECONDS, seat
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.parameters import Parameter, check_one_of
from livingtable_server.sessions.record_pages import record_page
from livingtable_server.sessions.room import SEAT_TIMEOUT_SECONDS, Room, RoomSeat
from livingtable_server.sessions.room_upkeep import RoomUpkeep
from livingtable_server.sessions.seats import OPEN, SeatError, named_side
from livingtable_server.sessions.session import LostRace, Session

T = TypeVar("T")

STIR_SECONDS = 1.0
"""How often a stream looks where other processes do not tell."""
SEAT_TIMEOUT = Parameter(
    "seatTimeoutSeconds",
    "number",
    "before a bot stands in for who is away, from 1; default 120, 0: never",
    minimum=0,
    maximum=86_400,
)
EACH = "all"
NAME_AT_MOST = 32
SEAT_TIMEOUT_AT_LEAST, SEAT_TIMEOUT_AT_MOST = 1.0, 86_400.0
WAIT_SECONDS_AT_MOST = 25


@dataclass(frozen=True, slots=True)
class NewRoom:
    """What a room is made from: exactly one of scenario and setup. `name` is its maker's, and so the room's; a `seed`
    that is given is shown to all."""

    scenario: str | None = None
    setup: Mapping[str, Any] | None = None
    side: str | None = None
    seed: int | None = None
    name: str | None = None
    controller: str = "agent"
    seat_timeout: float | None = SEAT_TIMEOUT_SECONDS

    @classmethod
    def asked(cls, given: Mapping[str, Any]) -> NewRoom:
        """From checked arguments of a request, whose 0 seconds mean that nobody is ever stood in for."""
        own = dict(given)
        if "seatTimeoutSeconds" in own:
            own["seat_timeout"] = own.pop("seatTimeoutSeconds") or None
        return cls(**own)


@dataclass(frozen=True, slots=True)
class Stirred:
    """A room after something has happened in it: `seats` are its `room` and `players`. The session is to be read before
    anything else is awaited."""

    session: Session
    code: str
    side: str | None
    seats: Data


class Rooms:
    """The rooms over the table's sessions. `join_base`, once it is known, is where `/rooms/CODE` is served."""

    def __init__(
        self,
        library: Callable[[], ScenarioLibrary],
        live: LiveSessions,
        health: float | None = None,
        bot_delay: float = BOT_DELAY_SECONDS,
    ) -> None:
        self._library = library
        self._live = live
        self._health = health
        self._door = Door(live, bot_delay)
        self.presence = self._door.presence
        self.upkeep = RoomUpkeep(live, self._door.keeper)
        self.host = Hosting(live, self._door)
        self.join_base: str | None = None

    # coming and going

    async def create(self, request: NewRoom) -> Data:
        """A new room whose maker has a seat; the others are open."""
        check_seed(request.seed)
        check_name(request.name)
        _check_timeout(request.seat_timeout)
        check_one_of({"scenario": request.scenario, "setup": request.setup}, LISTED)
        new_game = NewGame(request.scenario, request.setup, seed=request.seed)
        state, scenario, seed = await self._live.work.starts.run(
            lambda _stop: start_of(self._library(), new_game, self._health)
        )
        if scenario.get("dice") is not None:
            raise TableError('A room takes no "dice": its players must not know them.')
        player_id = capability()
        seats = tuple(RoomSeat(side, side, OPEN) for side in state.sides)
        room = Room(request.name or scenario["title"], seats, hashed(player_id), request.seat_timeout)
        try:
            side = named_side(state, request.side) if request.side is not None else state.sides[0]
        except SeatError as error:
            raise NotFoundError(str(error)) from None
        room, side = room.joined(side, request.name, request.controller, player_id)
        await self.upkeep.check_room_left()
        recording = Recording.begin(state, scenario, seed, [s.seat.to_data() for s in room.seats])
        if request.seed is not None:  # Who chose it may have tried the dice, and so everybody is told.
            recording.marks["seedGiven"] = True
        code = await self._store(recording, room)
        await self.presence.touch(await self._live.ledger(), code, side, room.seat_timeout)
        if room.started:
            self._door.keeper.keep(code)
        answer: Data = {"roomCode": code, "playerId": player_id, "side": side}
        return answer | ({"joinUrl": f"{self.join_base}/rooms/{code}"} if self.join_base else {})

    async def seat_all(self, setup: Data, health: float | None, players: Mapping[str, tuple[str, str]]) -> str:
        """A room whose every seat has its player, by side: a name and the hash of a secret. Its game begins at once.

        Returns its code. Raises `TableError`.
        """
        state, scenario, seed = await self._live.work.starts.run(
            lambda _stop: start_of(self._library(), NewGame(setup=setup), health)
        )
        seats = tuple(RoomSeat(side, *_named(players[side])) for side in state.sides)
        room = Room(scenario["title"], seats, creator="", seat_timeout=SEAT_TIMEOUT_SECONDS, started=True)
        await self.upkeep.check_room_left()
        code = await self._store(Recording.begin(state, scenario, seed, [s.seat.to_data() for s in seats]), room)
        for s in seats:
            await self.presence.touch(await self._live.ledger(), code, s.side, room.seat_timeout)
        self._door.keeper.keep(code)
        return code

    async def join(
        self,
        code: str,
        side: str | None = None,
        name: str | None = None,
        controller: str = "agent",
        player_id: str | None = None,
    ) -> Data:
        """Takes a free seat; with the `player_id` of a seat comes back to it."""
        check_name(name)
        visit = await self._door.visit(code, player_id)
        if player_id is not None:
            return {"playerId": player_id, "side": visit.own_side}
        wanted, new_id = side, capability()
        if side is not None:
            async with self._live.changing(visit.session_id, in_room=True) as session:
                try:
                    wanted = named_side(session.recording.state, side)
                except SeatError as error:
                    raise NotFoundError(str(error)) from None
        joined = await self._door.change(code, lambda room: room.joined(wanted, name, controller, new_id))
        return {"playerId": new_id, "side": joined}

    async def seat_bot(self, code: str, player_id: str, side: str | None = None, bot: str | None = None) -> Data:
        """A bot on an open seat, for the room's maker; or in the caller's own place, who so gives it up."""
        visit = await self._door.visit(code, player_id, also_creator=True)
        async with self._live.changing(visit.session_id, in_room=True) as session:
            state, start = session.recording.state, session.recording.starting_state()
        try:
            name = fitting_agent("greedy" if bot is None else bot, start)
            wanted = named_side(state, side) if side not in (None, EACH) else side
        except (SeatError, UnknownNameError) as error:
            raise NotFoundError(str(error)) from None

        def seated(room: Room) -> tuple[Room, list[str]]:
            sides = _for_bots(room, room.side_of(player_id), room.is_creator(player_id), wanted)
            return room.with_bots(sides, name), sides

        sides = await self._door.change(code, seated)
        return {"sides": sides, "bot": name, **await self._door.seats(visit.code)}

    async def go_on_in(self, code: str, next_code: str) -> str:
        """Remembers the room in which its players play again; returns which it is, if there is one already that."""

        def going_on(room: Room) -> tuple[Room, str]:
            found = room.rematch or next_code
            return replace(room, rematch=found), found

        return await self._door.change(code, going_on)

    async def visit(self, code: str, player_id: str | None) -> Visit:
        """Who comes, and into which room. Raises `NotFoundError`, late, and `SecretError` for an id without a seat."""
        return await self._door.visit(code, player_id)

    # reading

    async def state(
        self, code: str, player_id: str | None = None, since: int | None = None, detail: Detail = "brief"
    ) -> Data:
        """With the introduction for whoever asks for all and not for what is new: who joins is not told it else."""
        visit = await self._door.visit(code, player_id)
        session = await self._door.session(visit)
        told = answers.introduction(session) if since is None else {}
        snapshot = answers.room_snapshot(session, visit.side, detail, since or 0)
        return {**snapshot, **told, **await self._door.seats(visit.code)}

    async def legal_actions(self, code: str, player_id: str, detail: Detail, prefix: str | None = None) -> Data:
        visit = await self._door.visit(code, player_id)
        side = visit.own_side
        session = await self._door.session(visit)
        return answers.legal_list(session, side, detail, prefix)

    async def board_svg(self, code: str, player_id: str | None = None) -> str:
        visit = await self._door.visit(code, player_id)
        state = (await self._door.session(visit)).recording.state.copy()
        return await self._live.work.boards.run(lambda _stop: state.svg(visit.side))

    async def record(self, code: str, player_id: str | None = None) -> Data:
        """The record, of a closed room, too; without what is still hidden. Seed and dice are told once there is a
        result."""
        return answers.record(await self.kept_session(code, player_id))

    async def kept_session(self, code: str, player_id: str | None) -> Session:
        """The session of a room, of a closed one, too, to be read before anything else is awaited."""
        return await self._door.session(await self._door.visit(code, player_id, also_closed=True))

    async def record_page(self, code: str, player_id: str | None, cursor: str | None) -> Data:
        return record_page(await self.record(code, player_id), cursor)

    # playing

    async def submit(
        self,
        code: str,
        player_id: str,
        given: str | Mapping[str, Any] | None,
        expected_version: int | None = None,
        detail: Detail = "brief",
    ) -> Data:
        """One action of the caller's seat: an outcome, or a refusal with nothing changed. Bots answer later."""
        while True:
            visit = await self._door.visit(code, player_id)
            side = visit.own_side
            submitted = Submission(given, side, expected_version, detail)
            try:
                async with self._live.changing(visit.session_id, in_room=True) as session:
                    if visit.room.revision < session.seated:
                        continue  # The seat may have been given up since.
                    seat(session, visit.room, session.absent - {side})
                    judged = await judge(session, [side], submitted)
                    if not isinstance(judged, int):
                        return judged
                    self._door.keeper.keep(visit.code)
                    return await told(session, [side], judged, detail)
            except LostRace:
                continue

    async def wait(
        self, code: str, player_id: str, seconds: float, since: int | None = None, detail: Detail = "brief"
    ) -> Data:
        """Until the caller's seat is to act or there is a result, at most that many seconds (0 to 25).

        Without `since` the events are those after the seat's own latest action."""
        visit = await self._door.visit(code, player_id)
        side = visit.own_side
        session = await self._door.session(visit)
        begun = _latest_action(session, side) if since is None else since
        at_most = max(0.0, min(seconds, WAIT_SECONDS_AT_MOST))
        with self.presence.holding(visit.code, side), anyio.move_on_after(at_most) as waiting:
            while not _is_ready(visit, session):
                read, started = session.read, visit.room.started
                if not started:
                    visit = await self._door.visit(code, player_id)
                if started or not visit.room.started:  # else it has begun since
                    await self._live.change_since(read, seconds)
                    visit = await self._door.visit(code, player_id)
                session = await self._door.session(visit)
        if waiting.cancelled_caught:
            session = await self._door.session(visit)  # Just now it may hold what is not stored yet.
        return answers.waited(session, [side], side, begun, _is_ready(visit, session), detail)

    async def stir(self, code: str, player_id: str | None, seconds: float, version: int = -1) -> Stirred:
        """The room as soon as its game is beyond that version or something else in it may have changed, else as it
        stands after that time."""
        visit = await self._door.visit(code, player_id)
        session = await self._door.session(visit)
        if session.version <= version and session.recording.result is None:
            await self._live.change_since(session.read, seconds, poll=STIR_SECONDS)
            visit = await self._door.visit(code, player_id)
        seats = await self._door.seats(visit.code)
        return Stirred(await self._door.session(visit), visit.code, visit.side, seats)

    def listening(self, code: str, side: str | None) -> AbstractContextManager[None]:
        """As long as a player's stream is open, the player is there."""
        return nullcontext() if side is None else self.presence.holding(heard_code(code) or code, side)

    async def stop(self) -> None:
        """Nothing goes on by itself any more, until somebody comes in again."""
        await self._door.keeper.stop()

    async def _store(self, recording: Recording, room: Room) -> str:
        """The room and its session, under a code that is free."""
        ledger = await self._live.ledger()
        session = Session(capability(), recording, ledger, self._live.work, self._live.max_actions)
        seat(session, room, frozenset())
        session.ours = True
        while True:
            code = room_code()
            with readable():
                made = await ledger.create_room(code, session.session_id, session.head(), room.to_data())
            if made:
                self._live.remember(session)
                return code


def _named(player: tuple[str, str]) -> tuple[str, str, str]:
    """Name, controller and secret of a seat."""
    name, secret = player
    return name, "agent", secret


def _latest_action(session: Session, side: str) -> int:
    """The version of the seat's latest action, 0 if there is none."""
    return next((entry["version"] for entry in reversed(session.recording.actions) if entry["side"] == side), 0)


def _is_ready(visit: Visit, session: Session) -> bool:
    to_act = visit.room.started and visit.side in session.recording.state.to_act
    return session.recording.result is not None or to_act


def _for_bots(room: Room, own: str | None, creator: bool, wanted: str | None) -> list[str]:
    """On which seats a bot is to sit. Raises `TableError` where that is not the caller's to say."""
    open_sides = [s.side for s in room.seats if s.controller == OPEN] if creator else []
    mine = [own] if own else []
    if wanted == EACH and creator:
        if not open_sides:
            raise ConflictError('No seat is open. To give up your own, name it with "side".')
        return open_sides
    if wanted is None and (len(open_sides) == 1 or (not creator and mine)):
        return open_sides or mine
    if wanted in (*open_sides, *mine):
        return [wanted]
    may = ", ".join([*open_sides, *mine]) or "none"
    which = f"{wanted} is not yours to give to a bot" if wanted else 'Say which seat with "side"'
    raise ConflictError(f"{which}. You may seat a bot on: {may}.")


def check_name(name: str | None) -> None:
    """Names are shown to others: one short line. Raises `TableError`."""
    if name is None:
        return
    if not name.strip() or len(name) > NAME_AT_MOST:
        raise TableError(f'"name" must have 1 to {NAME_AT_MOST} characters.')
    if not is_one_line(name):
        raise TableError('"name" must be one line without control characters.')


def _check_timeout(seconds: float | None) -> None:
    if seconds is not None and not SEAT_TIMEOUT_AT_LEAST <= seconds <= SEAT_TIMEOUT_AT_MOST:
        raise TableError('"seatTimeoutSeconds" must be a number from 1 to 86400, or 0 for no limit.')
