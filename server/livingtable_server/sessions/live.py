"""The sessions in memory: the cache of what the ledger holds, and what keeps it fresh."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic

import anyio

from livingtable.errors import RecordError
from livingtable.records import ACTIONS_AT_MOST
from livingtable_server.sessions.clock import RoundClocks
from livingtable_server.sessions.errors import NotFoundError, UnavailableError
from livingtable_server.sessions.session import LostRace, Session
from livingtable_server.sessions.work import Work
from livingtable_server.store.changes import Changed, change_key
from livingtable_server.store.ledger import Ledger, StoreError

SESSIONS_IN_MEMORY = 1_024
IDLE_SECONDS = 1_800.0
"""After so long what nobody asks for leaves memory. The ledger has it: whoever comes back finds it as it was."""
POLL_SECONDS = 0.5
"""How often who waits looks for what other processes on the same ledger have stored, where they do not tell."""
LOOK_AGAIN_SECONDS = 5.0
"""The same where they do, in case that a word is lost."""

_NO_SESSION = "There is no session of this id. new_game begins one and gives its sessionId."

OpenLedger = Callable[[Changed], Awaitable[Ledger]]
"""Opens the ledger; it calls what it is given when another process has changed a session."""


@contextmanager
def readable() -> Generator[None]:
    """What the ledger fails at is an `UnavailableError`."""
    try:
        yield
    except StoreError as error:
        raise UnavailableError(str(error)) from None


class LiveSessions:
    """Sessions over one ledger, which is opened at the first request that needs it.

    Whoever changes a session does so within `changing`; whoever only waits is woken through `change_since`. Sessions
    leave memory when there are too many and when nobody asks for them; the ledger keeps them.
    """

    def __init__(self, open_ledger: OpenLedger, max_actions: int = ACTIONS_AT_MOST) -> None:
        self._open_ledger = open_ledger
        self.max_actions = max_actions
        self.work = Work()
        self._ledger: Ledger | None = None
        self._opening = anyio.Lock()
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._by_key: dict[str, str] = {}
        self._loading: dict[str, anyio.Lock] = {}
        """Of each session that is being read: it is read once, however many ask for it."""
        self._clocks = RoundClocks(self._sessions.get, self._cut_round)
        self.sweepers: list[Callable[[], int]] = [self._sweep_idle]
        """Each lets go of what has been idle for `IDLE_SECONDS`, and returns how much it still keeps."""
        self._sweeping: asyncio.TimerHandle | None = None

    async def ledger(self) -> Ledger:
        async with self._opening:
            if self._ledger is None:
                with readable():
                    self._ledger = await self._opened()
            return self._ledger

    async def _opened(self) -> Ledger:
        """Opening is not cut short, which would leave a connection behind: who is cancelled meanwhile closes it."""
        opening = asyncio.ensure_future(self._open_ledger(self._heard))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await asyncio.wait([opening])
                if opening.exception() is None:
                    await opening.result().close()
            raise

    async def close(self) -> None:
        """Closes the ledger; a later request opens it again."""
        ledger, self._ledger = self._ledger, None
        self._sessions.clear()
        self._by_key.clear()
        self._clocks.stop()
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None
        if ledger is not None:
            await ledger.close()

    async def begin(self, session: Session) -> None:
        """Stores a new session, and keeps it in memory."""
        with readable():
            await (await self.ledger()).create(session.session_id, session.head())
        self.remember(session)

    def remember(self, session: Session) -> None:
        self._sessions[session.session_id] = session
        self._by_key[change_key(session.session_id)] = session.session_id
        session.asked_for = monotonic()
        if self._sweeping is None:
            self._sweep_later()
        if not session.in_room:
            self.run_clock(session)
        if len(self._sessions) > SESSIONS_IN_MEMORY:
            self._make_room()

    def run_clock(self, session: Session) -> None:
        """From now on its rounds end in time, if the game has a clock: a room's once all seats are taken."""
        self._clocks.start(session)

    @property
    def kept(self) -> int:
        """How many sessions are in memory."""
        return len(self._sessions)

    @asynccontextmanager
    async def changing(self, session_id: str, in_room: bool = False) -> AsyncGenerator[Session]:
        """The session under its lock, caught up with other processes. After a lost race it is forgotten, so that the
        next request reads it anew. `in_room`: it is asked for by way of its room, which is the only way then.

        Raises `NotFoundError` for an unknown one, `UnavailableError` where it cannot be stored or read.
        """
        while True:
            session = await self._find(session_id)
            if session.in_room is not in_room:
                raise NotFoundError(_NO_SESSION)
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
                        f"The game could not be stored or read: {error} Look at its state before you try again.",
                        "The game could not be stored or read; look at its state before you try again.",
                    ) from None
                return

    async def change_since(self, read: anyio.Event, seconds: float, poll: float | None = None) -> None:
        """Comes back when the session whose `read` that is may have changed since, here or in another process, or after
        that time.

        `poll`: how often to look where other processes do not tell, if not every `POLL_SECONDS`.
        """
        ledger = await self.ledger()
        look = LOOK_AGAIN_SECONDS if ledger.notifies else poll or POLL_SECONDS
        with ledger.awaited(), anyio.move_on_after(max(0.0, min(seconds, look))):
            await read.wait()

    def _heard(self, key: str | None) -> None:
        """Another process has changed the session of that key; None: perhaps any."""
        heard = list(self._sessions.values()) if key is None else [self._sessions.get(self._by_key.get(key, ""))]
        for session in heard:
            if session is not None:
                session.wake()

    async def _find(self, session_id: str) -> Session:
        if session_id in self._sessions:
            self._sessions.move_to_end(session_id)
            self._sessions[session_id].asked_for = monotonic()
            return self._sessions[session_id]
        loading = self._loading.setdefault(session_id, anyio.Lock())
        try:
            async with loading:
                if session_id not in self._sessions:
                    self.remember(await self._load(session_id))
                return self._sessions[session_id]
        finally:
            if not loading.statistics().tasks_waiting:
                self._loading.pop(session_id, None)

    async def _load(self, session_id: str) -> Session:
        ledger = await self.ledger()
        with readable():
            stored = await ledger.load(session_id)
        if stored is None:
            raise NotFoundError(_NO_SESSION)
        return await Session.stored(stored, ledger, self.work, self.max_actions)

    def _make_room(self) -> None:
        """Drops the session that was asked for least lately, which the ledger has; but not one that somebody waits
        for, who would not be woken then."""
        oldest = next(iter(self._sessions.values()))
        if self._is_needed(oldest):
            self._sessions.move_to_end(oldest.session_id)
        else:
            self._drop(oldest.session_id)

    def _is_needed(self, session: Session) -> bool:
        return session.is_in_use or self._clocks.runs(session)

    def sweep(self) -> None:
        """Lets go of what is idle, and again later as long as anything is left."""
        if sum([sweeper() for sweeper in self.sweepers]):
            self._sweep_later()
        else:
            self._sweeping = None

    def _sweep_later(self) -> None:
        self._sweeping = asyncio.get_running_loop().call_later(IDLE_SECONDS / 4, self.sweep)

    def _sweep_idle(self) -> int:
        before = monotonic() - IDLE_SECONDS
        for session in list(self._sessions.values()):
            if session.asked_for <= before and not self._is_needed(session):
                self._drop(session.session_id)
        return len(self._sessions)

    def _forget(self, session: Session) -> None:
        session.give_up()
        if self._sessions.get(session.session_id) is session:
            self._drop(session.session_id)

    def _drop(self, session_id: str) -> None:
        del self._sessions[session_id]
        self._by_key.pop(change_key(session_id), None)

    async def _cut_round(self, session_id: str, began: int) -> None:
        """The time is up for the round that began at that version; nothing happens if it is resolved already.

        Bots choose before the cut (FX-3.2), and play on after it.
        """
        try:
            known = self._sessions.get(session_id)
            async with self.changing(session_id, in_room=known is not None and known.in_room) as session:
                if session.recording.hidden_from == began and session.recording.result is None:
                    await session.cut_round()
                    await session.play_bots()
        except LostRace:
            pass  # Another process was faster.
