"""The session manager: every request for a session enters here, is checked here and reaches the rules from here."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import anyio

from livingtable.agents import agent_kinds, check_agent
from livingtable.errors import Code, RecordError, Refusal, ScenarioError, UnknownNameError
from livingtable.game import MAX_SEED, Action, Data, State, get_game
from livingtable.records import Recording, check_record, fork, state_at, verify
from livingtable.scenarios import Scenario, ScenarioLibrary, check_setup
from livingtable_server.sessions import answers
from livingtable_server.sessions.answers import Detail
from livingtable_server.sessions.clock import RoundClocks
from livingtable_server.sessions.errors import NotFoundError, TableError, UnavailableError, shown_value
from livingtable_server.sessions.seats import (
    BOT,
    Seat,
    SeatError,
    UnknownSeatError,
    named_side,
    own_sides,
    speaking_side,
)
from livingtable_server.sessions.session import BOT_ACTIONS_A_CALL, LostRace, Session
from livingtable_server.store.ledger import Ledger, SessionRow, StoreError

MAX_ACTIONS = 5_000
SESSIONS_IN_MEMORY = 256
RECORD_PAGE = 100
"""Actions a page of a record."""
WAIT_SECONDS, WAIT_SECONDS_AT_MOST = 20, 25
POLL_SECONDS = 0.5
"""How often a waiting call looks for what other processes on the same ledger have stored."""

_ID_LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_ID_LENGTH = 22
"""58 letters, 22 of them: 128 bits."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a new session is made from: exactly one of scenario, setup and fork."""

    scenario: str | None = None
    setup: Mapping[str, Any] | None = None
    fork: str | None = None
    version: int | None = None
    seed: int | None = None
    side: str | None = None
    opponent: str = "greedy"
    health: float | None = None
    controller: str = "agent"


@dataclass(slots=True)
class SessionManager:
    """Sessions over one ledger and one library of scenarios.

    `open_ledger` is called at the first request that needs it. `health` is the option that stands above a scenario's
    own setting.
    """

    library: Callable[[], ScenarioLibrary]
    open_ledger: Callable[[], Awaitable[Ledger]]
    health: float | None = None
    max_actions: int = MAX_ACTIONS
    _ledger: Ledger | None = None
    _opening: anyio.Lock = field(default_factory=anyio.Lock)
    _sessions: OrderedDict[str, Session] = field(default_factory=OrderedDict[str, Session])
    _clocks: RoundClocks = field(init=False)

    def __post_init__(self) -> None:
        self._clocks = RoundClocks(self._sessions.get, self._cut_round)

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
        return [_session_row(row) for row in await (await self.ledger()).sessions(active)]

    # beginning

    async def new_game(self, request: NewGame) -> Session:
        """A new session, stored, with the bots' first turns played."""
        _check_seed(request.seed)
        state, scenario, seed = await self._start(request)
        seats = _seats(state, request)
        recording = Recording.begin(state, scenario, seed, [seat.to_data() for seat in seats])
        session_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
        ledger = await self.ledger()
        session = Session(session_id, recording, ledger, self.max_actions)
        await ledger.create(session_id, session.head())
        self._remember(session)
        async with self._changing(session_id) as live:
            await live.play_bots()
            return live

    async def _start(self, request: NewGame) -> tuple[State, Data, int]:
        given = [k for k in ("scenario", "setup", "fork") if getattr(request, k) is not None]
        if len(given) != 1:
            got = f"not {' and '.join(given)} together" if given else "none was given"
            raise TableError(f"Give exactly one of scenario, setup and fork: {got}. list_scenarios lists scenarios.")
        if request.fork is not None:
            return await self._fork(request, request.fork)
        if request.version is not None:
            raise TableError('"version" goes with "fork" only.')
        try:
            if request.scenario is not None:
                scenario = self.library().get(request.scenario)
            else:
                scenario = check_setup(request.setup or {})
            scenario = self._with_health(scenario, request.health)
            seed = secrets.randbelow(MAX_SEED + 1) if request.seed is None else request.seed
            return scenario.start(seed), scenario.data, seed
        except UnknownNameError as error:
            raise NotFoundError(str(error)) from None
        except ScenarioError as error:
            raise TableError(str(error)) from None

    def _with_health(self, scenario: Scenario, asked: float | None) -> Scenario:
        """The call's health, else the option's, stands above the scenario's setting (BW-7.1)."""
        settable = "health" in type(scenario.setup).model_fields
        if asked is not None and not settable:
            raise TableError(f'"health" is no setting of {scenario.game}; leave it out.')
        health = asked if asked is not None else self.health
        if health is None or not settable:
            return scenario
        return check_setup({**scenario.data, "health": health})

    async def _fork(self, request: NewGame, source_id: str) -> tuple[State, Data, int]:
        """From the state of another session, at a version; the dice go on as they stood, or anew from a seed."""
        if request.health is not None:
            raise TableError('"health" does not go with "fork": the forked game has its own.')
        source = await self.session(source_id)
        version = source.version if request.version is None else request.version
        if version > source.version:
            raise TableError(f"That session is at version {source.version}; fork at most from there.")
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
                async with self._changing(session_id) as live:
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
        state = session.recording.state
        try:
            named = named_side(state, side) if side is not None else speaking_side(state, session.seats, None)
        except SeatError as error:
            raise _without_seat(error) from None
        return answers.legal_list(session, named, detail)

    async def board_svg(self, session_id: str) -> str:
        session = await self.session(session_id)
        return session.recording.state.svg(self._reader(session, None))

    def _reader(self, session: Session, side: str | None) -> str | None:
        """Whose view a reader gets: that of the seat it speaks for; a spectator's for another's seat, or for none."""
        state = session.recording.state
        try:
            named = named_side(state, side) if side is not None else speaking_side(state, session.seats, None)
        except SeatError as error:
            if side is not None:
                raise _without_seat(error) from None
            named = None
        return named if named in own_sides(session.seats) else None

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
        applied: int | None = None
        while True:
            try:
                async with self._changing(session_id) as session:
                    await session.play_bots()
                    if applied is None:
                        judged = await self._submit(session, given, side, expected_version, detail)
                        if not isinstance(judged, int):
                            return judged
                        applied = judged
                        await session.play_bots()
                    return _told(session, applied, detail)
            except LostRace:
                # Another process stored an action first. With the session read anew this one is judged again, unless
                # it was a bot's turn after it that came too late.
                continue

    async def _submit(
        self,
        session: Session,
        given: str | Mapping[str, Any] | None,
        side: str | None,
        expected: int | None,
        detail: Detail,
    ) -> Data | int:
        """Looks at the reasons to refuse in the order of the contract; without one plays the action and returns its
        number."""
        state = session.recording.state
        speaker: str | None = None
        try:
            speaker = speaking_side(state, session.seats, side)
        except SeatError as error:
            return answers.refused(session, Code.NOT_YOUR_SEAT, str(error), None)
        if expected is not None and expected != session.version:
            repeated = _repeated(session, given, side and speaker, expected)
            if repeated is not None:
                return {**_told(session, repeated, detail), "repeated": True}
        if expected is not None and not session.recording.hidden_from <= expected <= session.version:
            return answers.refused(session, Code.STALE_VERSION, _why_stale(session, expected), speaker)
        if session.recording.result is not None:
            return answers.refused(session, Code.GAME_OVER, answers.why_idle(session, None), None)
        if speaker is None or not state.legal_actions(speaker):
            return answers.refused(session, Code.NOT_YOUR_TURN, answers.why_idle(session, speaker), None)
        try:
            await session.play(speaker, _parsed(state, given, speaker))
        except Refusal as refusal:
            return answers.refused(session, refusal.code, refusal.reason, speaker)
        return session.version

    async def wait_for_turn(
        self, session_id: str, side: str | None, seconds: float, since: int | None, detail: Detail
    ) -> Data:
        """Until the seat is to act or there is a result, at most that many seconds (0 to 25); not ready sooner where
        bots have more turns to play than they play in one call."""
        session, before = await self._played_on(session_id)
        speaker = self._reader(session, side)
        if speaker is None:
            wanted = f'"{side}" is not your seat' if side else "Say for which of your seats"
            raise TableError(f'{wanted}; give "side", one of {", ".join(own_sides(session.seats))}.')
        begun = before if since is None else since
        with anyio.move_on_after(max(0.0, min(seconds, WAIT_SECONDS_AT_MOST))):
            while not _is_ready(session, speaker) and not session.bots_to_act:
                with anyio.move_on_after(POLL_SECONDS):
                    await session.changed.wait()
                session = await self.session(session_id)
        return answers.waited(session, speaker, begun, _is_ready(session, speaker), detail)

    async def _cut_round(self, session_id: str, began: int) -> None:
        """The time is up for the round that began at that version; nothing happens if it is resolved already.

        Bots choose before the cut (FX-3.2), and play on after it.
        """
        try:
            async with self._changing(session_id) as session:
                if session.recording.hidden_from == began and session.recording.result is None:
                    await session.cut_round()
                    await session.play_bots()
        except LostRace:
            pass  # Another process was faster.

    async def news(self, session_id: str, version: int, seconds: float) -> Session:
        """The session as soon as it is beyond that version or has a result, else as it stands after that time."""
        session = await self.session(session_id)
        with anyio.move_on_after(seconds):
            while session.version <= version and session.recording.result is None:
                with anyio.move_on_after(POLL_SECONDS):
                    await session.changed.wait()
                session = await self.session(session_id)
        return session

    # records

    async def record(self, session_id: str) -> Data:
        """The record, without what is still hidden."""
        return answers.record(await self.session(session_id))

    async def record_page(self, session_id: str, cursor: str | None) -> Data:
        """A page of the record: the first has everything but later actions and events, the others only these."""
        record = await self.record(session_id)
        begin = _page_begin(cursor, len(record["actions"]))
        end = begin + RECORD_PAGE
        page = {
            "actions": record["actions"][begin:end],
            "events": [e for e in record["events"] if begin < e["version"] <= end],
        }
        answer: Data = {"record": {**record, **page} if begin == 0 else page}
        if end < len(record["actions"]):
            answer["nextCursor"] = str(end)
        return answer

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

    # the ledger and its cache

    async def ledger(self) -> Ledger:
        async with self._opening:
            if self._ledger is None:
                try:
                    self._ledger = await self.open_ledger()
                except StoreError as error:
                    raise UnavailableError(str(error)) from None
            return self._ledger

    async def close(self) -> None:
        """Closes the ledger; a later request opens it again."""
        ledger, self._ledger = self._ledger, None
        self._sessions.clear()
        self._clocks.stop()
        if ledger is not None:
            await ledger.close()

    @asynccontextmanager
    async def _changing(self, session_id: str) -> AsyncGenerator[Session]:
        """The session under its lock, caught up with other processes. After a lost race it is forgotten, so that the
        next request reads it anew."""
        while True:
            session = await self._find(session_id)
            async with session.lock:
                if session.spoilt:  # by the one who had the lock before
                    self._forget(session)
                    continue
                try:
                    await session.catch_up()
                    yield session
                except (LostRace, StoreError, RecordError) as error:
                    self._forget(session)
                    if isinstance(error, LostRace):
                        raise
                    raise UnavailableError(
                        f"The game could not be stored or read: {error} Nothing was lost; try again."
                    ) from None
                return

    async def _find(self, session_id: str) -> Session:
        if session_id in self._sessions:
            self._sessions.move_to_end(session_id)
            return self._sessions[session_id]
        ledger = await self.ledger()
        stored = await ledger.load(session_id)
        if stored is None:
            raise NotFoundError("There is no session of this id. new_game begins one and gives its sessionId.")
        if session_id not in self._sessions:
            self._remember(Session.stored(stored, ledger, self.max_actions))
        return self._sessions[session_id]

    def _forget(self, session: Session) -> None:
        session.give_up()
        if self._sessions.get(session.session_id) is session:
            del self._sessions[session.session_id]

    def _remember(self, session: Session) -> None:
        self._sessions[session.session_id] = session
        self._clocks.start(session)
        while len(self._sessions) > SESSIONS_IN_MEMORY:
            self._sessions.popitem(last=False)  # The ledger has it.


def _check_seed(seed: object) -> None:
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
        raise TableError(f'"seed" must be a whole number from 0 to {MAX_SEED}, not {shown_value(seed)}.')


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
        bot = BOT + check_agent(request.opponent, state.game.name)
    except (SeatError, UnknownNameError) as error:
        raise NotFoundError(str(error)) from None
    return [Seat(seat, state.names[seat], request.controller if side in (None, seat) else bot) for seat in state.sides]


def _without_seat(error: SeatError) -> TableError:
    return (NotFoundError if isinstance(error, UnknownSeatError) else TableError)(str(error))


def _parsed(state: State, given: object, side: str) -> Action:
    if given is None:
        raise Refusal(Code.MALFORMED_ACTION, 'give exactly one of "action" and "notation"')
    if not isinstance(given, str | Mapping):
        raise Refusal(Code.MALFORMED_ACTION, '"action" must be a JSON object, "notation" a text')
    return state.parse_action(cast("str | Mapping[str, Any]", given), side)


def _repeated(session: Session, given: str | Mapping[str, Any] | None, side: str | None, expected: int) -> int | None:
    """The number of the action that was applied already, if this is a retry of it: the very side and action of number
    `expected` + 1, or where all choose at once of the round that was open then."""
    recording = session.recording
    for number in range(expected + 1, recording.round_of(expected)[1] + 1 if expected < session.version else 0):
        stored = recording.actions[number - 1]
        if side not in (None, stored["side"]) or stored["side"] not in own_sides(session.seats):
            continue
        try:
            action = _parsed(recording.state, given, stored["side"]).to_data()
        except Refusal:
            return None
        if action == stored["action"]:
            return number
    return None


def _told(session: Session, version: int, detail: Detail) -> Data:
    """The outcome of the action of that number, now or later: the action, and the bots' turns that followed it in the
    same call."""
    actions = session.recording.actions
    end = version
    while end < len(actions) and end - version < BOT_ACTIONS_A_CALL and session.bot_of(actions[end]["side"]):
        end += 1
    events = [event for group in session.recording.events[version - 1 : end] for event in group]
    state = session.recording.state if end == session.version else state_at(session.recording.to_data(), end)
    return answers.outcome(session, state, end, events, detail)


def _why_stale(session: Session, expected: int) -> str:
    if expected > session.version:
        return f"the game is at version {session.version}, and not yet at that one: look at the state again"
    later = session.version - expected
    return f"the game is at version {session.version}, {later} beyond {expected}: look at the state again"


def _is_ready(session: Session, side: str) -> bool:
    return session.recording.result is not None or side in session.recording.state.to_act


def _page_begin(cursor: str | None, actions: int) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9 or int(cursor) >= max(1, actions):
        raise TableError("That cursor is none of this record's; leave it out for the first page.")
    return int(cursor)
