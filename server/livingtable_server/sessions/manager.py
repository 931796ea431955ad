"""The session manager: every request for a session enters here, is checked here and reaches the rules from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import anyio

from livingtable.agents import agent_kinds, fitting_agent
from livingtable.errors import UnknownNameError
from livingtable.game import Data, State, get_game
from livingtable.records import Recording, fork, verify
from livingtable.scenarios import Scenario, ScenarioLibrary, ScenarioProblem
from livingtable_server.sessions import answers
from livingtable_server.sessions.answers import Detail
from livingtable_server.sessions.beginnings import (
    DEFAULT_OPPONENT,
    LISTED,
    NewGame,
    Start,
    capability,
    check_seed,
    start_of,
)
from livingtable_server.sessions.errors import ConflictError, NotFoundError, TableError, public_text
from livingtable_server.sessions.judging import Submission, judge, told
from livingtable_server.sessions.keeper import BOT_DELAY_SECONDS
from livingtable_server.sessions.live import LiveSessions, readable
from livingtable_server.sessions.parameters import check_one_of
from livingtable_server.sessions.record_pages import PART_OF_A_RECORD, record_page
from livingtable_server.sessions.replays import replayed
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
from livingtable_server.sessions.work import check
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
    public: bool = False
    """Whether others than the machine's owner ask: they are told no paths and addresses."""
    rooms: Rooms = field(init=False)
    _rows: dict[str, Data] = field(default_factory=dict[str, Data], init=False)
    """Of the scenarios that were listed, by name."""

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.library, self.live, self.health, self.bot_delay)

    # what there is

    async def list_scenarios(self, game: str | None = None) -> Data:
        try:
            rows = await self.live.work.starts.run(lambda _stop: self._scenario_rows(game))
        except UnknownNameError as error:
            raise NotFoundError(str(error)) from None
        bots = [{"name": k.name, "summary": k.summary, "games": list(k.games)} for k in agent_kinds()]
        answer: Data = {"scenarios": rows, "bots": bots}
        if problems := self.library().problems:
            answer["problems"] = [self._problem_row(problem) for problem in problems]
        return answer

    def _problem_row(self, problem: ScenarioProblem) -> Data:
        file = PurePath(problem.file).name if self.public else problem.file
        return {"file": file, "key": problem.key, "reason": problem.reason}

    def words(self, error: TableError) -> str:
        """What a caller is told of an error."""
        return public_text(error) if self.public else str(error)

    def _scenario_rows(self, game: str | None) -> list[Data]:
        """A row each; which seats a scenario has is found out once, by starting it."""
        scenarios = self.library().all(game)
        for scenario in scenarios:
            if scenario.setup.name not in self._rows:
                self._rows[scenario.setup.name] = _scenario_row(scenario)
        return [self._rows[scenario.setup.name] for scenario in scenarios]

    async def scenario_start(self, name: str, seed: int) -> State:
        """How a scenario begins, without a session. Raises `NotFoundError`."""
        request = NewGame(scenario=name, seed=seed)
        state, _, _ = await self.live.work.starts.run(lambda _stop: start_of(self.library(), request, None))
        return state

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
        (state, scenario, seed), marks = await self._start(request)
        seats = _seats(state, request)
        recording = Recording.begin(state, scenario, seed, [seat.to_data() for seat in seats])
        recording.marks |= marks
        session_id = capability()
        ledger = await self.live.ledger()
        await self.live.begin(Session(session_id, recording, ledger, self.live.work, self.live.max_actions))
        async with self.live.changing(session_id) as live:
            await live.play_bots()
            return live

    async def _start(self, request: NewGame) -> tuple[Start, Data]:
        """With the marks of the new game's record."""
        check_one_of({key: getattr(request, key) for key in ("scenario", "setup", "fork")}, LISTED)
        if request.fork is not None:
            return await self._fork(request, request.fork)
        if request.version is not None:
            raise TableError('"version" goes with "fork" only: leave it out.')
        return await self.live.work.starts.run(lambda _stop: start_of(self.library(), request, self.health)), {}

    async def _fork(self, request: NewGame, source_id: str) -> tuple[Start, Data]:
        """From the state of another session, at a version; the dice go on as they stood, or anew from a seed. A game
        whose dice can be tried in a fork is marked, and so is the fork."""
        if request.health is not None:
            raise TableError('"health" does not go with "fork": the forked game has its own. Leave it out.')
        source = await self.session(source_id)
        version = source.version if request.version is None else request.version
        if version > source.version:
            raise ConflictError(f"That session is at version {source.version}; fork at most from there.")
        record = source.recording.to_data()
        state, same_dice = await self.live.work.loads.run(
            lambda stop: fork(record, version, request.seed, lambda: check(stop))
        )
        seed = source.recording.seed if request.seed is None else request.seed
        if same_dice:
            with readable():
                await source.mark_forked()
        return (state, source.recording.scenario, seed), {"forkedFrom": {"version": version, "sameDice": same_dice}}

    # reading

    async def session(self, session_id: str) -> Session:
        """The session as it stands now, also in other processes. Reading it changes nothing: no bot plays.

        Raises `TableError` for an unknown one.
        """
        while True:
            try:
                async with self.live.changing(session_id) as live:
                    return live
            except LostRace:
                continue

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

    async def legal_actions(self, session_id: str, side: str | None, detail: Detail, prefix: str | None = None) -> Data:
        session = await self.session(session_id)
        state, own = session.recording.state, own_sides(session.seats)
        try:
            named = named_side(state, side) if side is not None else speaking_side(state, session.seats, own, None)
        except SeatError as error:
            raise _without_seat(error) from None
        return answers.legal_list(session, named, detail, prefix)

    async def board_svg(self, session_id: str) -> str:
        session = await self.session(session_id)
        state, reader = session.recording.state.copy(), self._reader(session, None)
        return await self.live.work.boards.run(lambda _stop: state.svg(reader))

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
                    return await told(session, own, applied, detail)
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
                session, _ = await self._played_on(session_id)
        if waiting.cancelled_caught:
            session = await self.session(session_id)  # Just now it may hold what is not stored yet.
        return answers.waited(session, own_sides(session.seats), speaker, begun, _is_ready(session, speaker), detail)

    async def news(self, session_id: str, version: int, seconds: float) -> Session:
        """The session as soon as it is beyond that version or has a result, else as it stands after that time; to be
        read before anything else is awaited."""
        session, _ = await self._played_on(session_id)
        with anyio.move_on_after(seconds):
            while session.version <= version and session.recording.result is None:
                await self.live.change_since(session.read, seconds)
                session, _ = await self._played_on(session_id)
            return session
        return await self.session(session_id)

    # records

    async def record(self, session_id: str) -> Data:
        """The record, without what is still hidden."""
        session = await self.session(session_id)
        with readable():
            await session.read_marks()
        return answers.record(session)

    async def record_page(self, session_id: str, cursor: str | None) -> Data:
        """A page of the record: the first has everything but later actions and events, the others only these."""
        return record_page(await self.record(session_id), cursor)

    async def verify_record(self, record: Mapping[str, Any] | None, session_id: str | None) -> Data:
        check_one_of({"record": record, "sessionId": session_id})
        whole = record if session_id is None else (await self.session(session_id)).recording.to_data()
        found = await replayed(self.live.work.replays, lambda: whole, verify)
        answer: Data = {"ok": found.ok, "result": found.result}
        if found.part:
            answer |= {"part": True, "reason": PART_OF_A_RECORD}
        elif found.first_difference:
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
    """With a side the caller has that seat and bots have the rest; without it the caller has every seat, and the
    default `opponent` need not be a bot of the game."""
    try:
        side = named_side(state, request.side) if request.side is not None else None
        nobody_else = side is None or state.sides == (side,)
        unseated = nobody_else and request.opponent == DEFAULT_OPPONENT
        bot = BOT + (request.opponent if unseated else fitting_agent(request.opponent, state))
    except (SeatError, UnknownNameError) as error:
        raise NotFoundError(str(error)) from None
    return [Seat(seat, state.names[seat], request.controller if side in (None, seat) else bot) for seat in state.sides]


def _without_seat(error: SeatError) -> TableError:
    return (NotFoundError if isinstance(error, UnknownSeatError) else ConflictError)(str(error))


def _is_ready(session: Session, side: str) -> bool:
    return session.recording.result is not None or side in session.recording.state.to_act
