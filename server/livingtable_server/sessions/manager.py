"""The session manager: every request for a session enters here, is checked here and reaches the rules from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio

from livingtable.agents import agent_kinds, fitting_agent
from livingtable.errors import RecordError, UnknownNameError
from livingtable.game import Data, State, get_game
from livingtable.records import Recording, check_record, fork, verify
from livingtable.scenarios import Scenario, ScenarioLibrary
from livingtable_server.sessions import answers
from livingtable_server.sessions.answers import Detail
from livingtable_server.sessions.beginnings import NewGame, Start, capability, check_seed, start_of
from livingtable_server.sessions.errors import ConflictError, NotFoundError, TableError
from livingtable_server.sessions.judging import Submission, judge, told
from livingtable_server.sessions.keeper import BOT_DELAY_SECONDS
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.rooms import Rooms
from livingtable_server.sessions.seats import (
    BOT,
    Seat,
    SeatError,
    UnknownSeatError,
    named_side,
    own_sides,
    speaking_side,
)
from livingtable_server.sessions.session import LostRace, Session
from livingtable_server.store.ledger import SessionRow

WAIT_SECONDS, WAIT_SECONDS_AT_MOST = 20, 25


@dataclass(slots=True)
class SessionManager:
    """The sessions and rooms of a table, over one library of scenarios. `health` is the option that stands above a
    scenario's own setting; `bot_delay` seconds pass in rooms before a bot plays.
    """

    library: Callable[[], ScenarioLibrary]
    live: LiveSessions
    health: float | None = None
    bot_delay: float = BOT_DELAY_SECONDS
    rooms: Rooms = field(init=False)

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.library, self.live, self.health, self.bot_delay)

    # what there is

    def list_scenarios(self, game: str | None = None) -> Data:
        try:
            scenarios = self.library().all(game)
        except UnknownNameError as error:
            raise NotFoundError(str(error)) from None
        bots = [{"name": k.name, "summary": k.summary, "games": list(k.games)} for k in agent_kinds()]
        answer: Data = {"scenarios": [_scenario_row(s) for s in scenarios], "bots": bots}
        if problems := self.library().problems:
            answer["problems"] = [{"file": p.file, "key": p.key, "reason": p.reason} for p in problems]
        return answer

    def read_rules(self, game: str, section: str | None = None) -> str:
        try:
            described = get_game(game)
            return described.rules_section(section) if section else described.rules_text()
        except UnknownNameError as error:
            raise NotFoundError(str(error)) from None

    async def list_sessions(self, active: bool | None = None) -> list[Data]:
        """The newest 200 sessions of this ledger."""
        with readable():
            return [_session_row(row) for row in await (await self.live.ledger()).sessions(active)]

    # beginning

    async def new_game(self, request: NewGame) -> Session:
        """A new session, stored, with the bots' first turns played."""
        check_seed(request.seed)
        state, scenario, seed = await self._start(request)
        seats = _seats(state, request)
        recording = Recording.begin(state, scenario, seed, [seat.to_data() for seat in seats])
        session_id = capability()
        ledger = await self.live.ledger()
        await self.live.begin(Session(session_id, recording, ledger, self.live.max_actions))
        async with self.live.changing(session_id) as live:
            await live.play_bots()
            return live

    async def _start(self, request: NewGame) -> Start:
        given = [k for k in ("scenario", "setup", "fork") if getattr(request, k) is not None]
        if len(given) != 1:
            got = f"not {' and '.join(given)} together" if given else "none was given"
            raise TableError(f"Give exactly one of scenario, setup and fork: {got}. list_scenarios lists scenarios.")
        if request.fork is not None:
            return await self._fork(request, request.fork)
        if request.version is not None:
            raise TableError('"version" goes with "fork" only.')
        return start_of(self.library(), request, self.health)

    async def _fork(self, request: NewGame, source_id: str) -> Start:
        """From the state of another session, at a version; the dice go on as they stood, or anew from a seed."""
        if request.health is not None:
            raise TableError('"health" does not go with "fork": the forked game has its own.')
        source = await self.session(source_id)
        version = source.version if request.version is None else request.version
        if version > source.version:
            raise ConflictError(f"That session is at version {source.version}; fork at most from there.")
        state = fork(source.recording.to_data(), version, request.seed)
        seed = source.recording.seed if request.seed is None else request.seed
        return state, source.recording.scenario, seed

    # reading

    async def session(self, session_id: str) -> Session:
        """The session as it stands now, also in other processes; bots that a restart interrupted play on.

        Raises `TableError` for an unknown one.
        """
        return (await self._played_on(session_id))[0]

    async def _played_on(self, session_id: str) -> tuple[Session, int]:
        """The session after the bots' turns, and the version that it had before them."""
        while True:
            try:
                async with self.live.changing(session_id) as live:
                    before = live.version
                    await live.play_bots()
                    return live, before
            except LostRace:
                # Another process plays the same bots' turns: with the session read anew, they go on from there.
                continue

    async def get_state(self, session_id: str, side: str | None, since: int | None, detail: Detail) -> Data:
        return self.snapshot(await self.session(session_id), side, detail, since)

    def snapshot(self, session: Session, side: str | None, detail: Detail, since: int | None = None) -> Data:
        """The session as it stands, without any bot's turn more."""
        return answers.snapshot(session, self._reader(session, side), detail, since)

    async def legal_actions(self, session_id: str, side: str | None, detail: Detail) -> Data:
        session = await self.session(session_id)
        state, own = session.recording.state, own_sides(session.seats)
        try:
            named = named_side(state, side) if side is not None else speaking_side(state, session.seats, own, None)
        except SeatError as error:
            raise _without_seat(error) from None
        return answers.legal_list(session, named, detail)

    async def board_svg(self, session_id: str) -> str:
        session = await self.session(session_id)
        return session.recording.state.svg(self._reader(session, None))

    def _reader(self, session: Session, side: str | None) -> str | None:
        """Whose view a reader gets: that of the seat it speaks for; a spectator's for another's seat, or for none."""
        state, own = session.recording.state, own_sides(session.seats)
        try:
            named = named_side(state, side) if side is not None else speaking_side(state, session.seats, own, None)
        except SeatError as error:
            if side is not None:
                raise _without_seat(error) from None
            named = None
        return named if named in own else None

    # playing

    async def submit(
        self,
        session_id: str,
        given: str | Mapping[str, Any] | None,
        side: str | None = None,
        expected_version: int | None = None,
        detail: Detail = "brief",
    ) -> Data:
        """One action of a seat: an outcome, or a refusal with nothing changed.

        `given` is a notation or an action's object; None stands for both or neither, which is malformed.
        """
        submitted = Submission(given, side, expected_version, detail)
        applied: int | None = None
        while True:
            try:
                async with self.live.changing(session_id) as session:
                    await session.play_bots()
                    own = own_sides(session.seats)
                    if applied is None:
                        judged = await judge(session, own, submitted)
                        if not isinstance(judged, int):
                            return judged
                        applied = judged
                        await session.play_bots()
                    return told(session, own, applied, detail)
            except LostRace:
                # Another process stored an action first. With the session read anew this one is judged again, unless
                # it was a bot's turn after it that came too late.
                continue

    async def wait_for_turn(
        self, session_id: str, side: str | None, seconds: float, since: int | None, detail: Detail
    ) -> Data:
        """Until the seat is to act or there is a result, at most that many seconds (0 to 25); not ready sooner where
        bots have more turns to play than they play in one call."""
        session, before = await self._played_on(session_id)
        speaker = self._reader(session, side)
        if speaker is None:
            wanted = f'"{side}" is not your seat' if side else "Say for which of your seats"
            raise ConflictError(f'{wanted}; give "side", one of {", ".join(own_sides(session.seats))}.')
        begun = before if since is None else since
        with anyio.move_on_after(max(0.0, min(seconds, WAIT_SECONDS_AT_MOST))) as waiting:
            while not _is_ready(session, speaker) and not session.bots_to_act:
                await self.live.change_since(session.read, seconds)
                session = await self.session(session_id)
        if waiting.cancelled_caught:
            session = await self.session(session_id)  # Just now it may hold what is not stored yet.
        return answers.waited(session, own_sides(session.seats), speaker, begun, _is_ready(session, speaker), detail)

    async def news(self, session_id: str, version: int, seconds: float) -> Session:
        """The session as soon as it is beyond that version or has a result, else as it stands after that time; to be
        read before anything else is awaited."""
        session = await self.session(session_id)
        with anyio.move_on_after(seconds):
            while session.version <= version and session.recording.result is None:
                await self.live.change_since(session.read, seconds)
                session = await self.session(session_id)
            return session
        return await self.session(session_id)

    # records

    async def record(self, session_id: str) -> Data:
        """The record, without what is still hidden."""
        return answers.record(await self.session(session_id))

    async def record_page(self, session_id: str, cursor: str | None) -> Data:
        """A page of the record: the first has everything but later actions and events, the others only these."""
        return answers.record_page(await self.record(session_id), cursor)

    async def verify_record(self, record: Mapping[str, Any] | None, session_id: str | None) -> Data:
        if (record is None) == (session_id is None):
            raise TableError("Give exactly one of record and sessionId.")
        try:
            if session_id is not None:
                whole = (await self.session(session_id)).recording.to_data()
            else:
                whole = check_record(record)
            found = await anyio.to_thread.run_sync(verify, whole)  # A long replay leaves the event loop free.
        except RecordError as error:
            raise TableError(f"That is no record that can be replayed: {error}") from None
        answer: Data = {"ok": found.ok, "result": found.result}
        if found.first_difference:
            answer["firstDifference"] = found.first_difference.to_data()
        return answer

    async def close(self) -> None:
        """Closes the ledger; a later request opens it again."""
        await self.rooms.stop()
        await self.live.close()


def _scenario_row(scenario: Scenario) -> Data:
    """Without the notes, which are long and for authors: they stand in the scenario itself."""
    setup = scenario.setup
    row: Data = {"name": setup.name, "game": setup.game, "title": setup.title, "summary": setup.summary}
    row["seats"] = list(scenario.start(0).sides)
    return row


def _session_row(row: SessionRow) -> Data:
    return {
        "sessionId": row.session_id,
        "game": row.game,
        "scenario": row.scenario,
        "created": row.created,
        "updated": row.updated,
        "version": row.version,
        "result": row.result["reason"] if row.result else None,
        "yours": [seat["side"] for seat in row.head["seats"] if not seat["controller"].startswith(BOT)],
    }


def _seats(state: State, request: NewGame) -> list[Seat]:
    """With a side the caller has that seat and bots have the rest; without it the caller has every seat."""
    try:
        side = named_side(state, request.side) if request.side is not None else None
        bot = BOT + fitting_agent(request.opponent, state)
    except (SeatError, UnknownNameError) as error:
        raise NotFoundError(str(error)) from None
    return [Seat(seat, state.names[seat], request.controller if side in (None, seat) else bot) for seat in state.sides]


def _without_seat(error: SeatError) -> TableError:
    return (NotFoundError if isinstance(error, UnknownSeatError) else ConflictError)(str(error))


def _is_ready(session: Session, side: str) -> bool:
    return session.recording.result is not None or side in session.recording.state.to_act
