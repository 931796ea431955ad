"""One session in memory: the cache of what the ledger holds of it, kept by one lock."""

from __future__ import annotations

from time import monotonic
from typing import Any

import anyio

from livingtable.agents import agent_kind, choose, next_command
from livingtable.errors import RecordError, Refusal
from livingtable.game import Action, Data
from livingtable.records import MARKS, Recording, starting_state
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.seats import OPEN, Seat
from livingtable_server.sessions.work import Stop, Work, check
from livingtable_server.store.ledger import Entry, Ledger, StoredSession

BOT_ACTIONS_A_CALL = 200
BOT_SECONDS_A_CALL = 20
"""After so long a call is answered, though bots are still to act: a client may not wait for more than a minute."""
CHOICE_SECONDS = 10
"""A bot that is still searching then takes the best that it has found."""
QUICK_SECONDS = 0.005
"""A bot whose latest choice took no longer chooses on the event loop; others do so in a thread."""
STAND_IN = "greedy"
"""The bot that plays on for a player who is away."""


class LostRace(Exception):
    """Another process has stored an action of this version first; the session must be read anew."""


class Session:
    """A play of a scenario. `lock` is held by whoever changes it; `changed` is set, and renewed, at every change.

    While it is `spoilt` it may hold what the ledger does not: who gets its lock then has to read it anew.
    """

    def __init__(self, session_id: str, recording: Recording, ledger: Ledger, work: Work, max_actions: int) -> None:
        self.session_id = session_id
        self.recording = recording
        self.seats = tuple(Seat.from_data(seat) for seat in recording.seats)
        self.in_room = False
        """Whether it is a room's: bots are then played by the room's keeper, one by one, and not within calls, and what
        its players must not know is withheld until the result."""
        self.absent: frozenset[str] = frozenset()
        """Seats of players who are away, for whom a bot plays meanwhile."""
        self.seated = -1
        """The revision of its room from which the seats are."""
        self.lock = anyio.Lock()
        self.changed = anyio.Event()
        self.read = self.changed
        """The event that is set by the first change, here or told by others, since the session was last caught up: what
        they told while it was being read is not lost."""
        self.spoilt = False
        self.ours = False
        """Whether the latest action was stored by this process; or, before the first, its room."""
        self.asked_for = 0.0
        """When somebody did so last, in seconds of `monotonic`."""
        self._ledger = ledger
        self.work = work
        self._choice_seconds: dict[str, float] = {}
        """How long each bot's latest choice took."""
        self._max_actions = max_actions
        self._timed_round, self._deadline = 0, 0.0
        self.give_time_again()

    @classmethod
    async def stored(cls, stored: StoredSession, ledger: Ledger, work: Work, max_actions: int) -> Session:
        """The session as the ledger has it, by playing its actions again. Raises `TableError` where they do not play:
        the ledger was written by an engine of other rules."""
        recording = await work.loads.run(lambda stop: _recorded(stored, max_actions, stop))
        session = cls(stored.session_id, recording, ledger, work, max_actions)
        session.in_room = stored.head.get("room", False)
        return session

    @property
    def version(self) -> int:
        return self.recording.version

    @property
    def open_sides(self) -> list[str]:
        """The seats that nobody has taken: as long as there are any, the game has not begun."""
        return [seat.side for seat in self.seats if seat.controller == OPEN]

    def bot_of(self, side: str) -> str | None:
        """The bot that plays for the seat, in its own right or for an absent player; None for a player."""
        if side in self.absent:
            return STAND_IN
        return next((seat.bot for seat in self.seats if seat.side == side), None)

    def plays_in_call(self, side: str) -> bool:
        """Whether a bot plays the seat within the calls of others."""
        return not self.in_room and self.bot_of(side) is not None

    async def play(self, side: str, action: Action) -> list[Data]:
        """Plays one action and stores it before anybody hears of it; returns its events.

        Raises `Refusal` with nothing changed, or `LostRace`. Not to be cut short: what is applied gets stored.
        """
        events = self.recording.apply(side, action)
        if self.recording.result is None and self.version >= self._max_actions:
            self.recording.truncate()
        result = self.recording.result
        entry = Entry(self.version, side, action.to_data(), events)
        self.spoilt = True
        with anyio.CancelScope(shield=True):
            if not await self._ledger.append(self.session_id, entry, result.to_data() if result else None):
                raise LostRace
        self.spoilt = False
        self.ours = True
        self._announce()
        return events

    async def play_bots(self, at_most: int = BOT_ACTIONS_A_CALL) -> int:
        """Plays on while only bots are to act, for one call at most; returns how many actions that were: none in a
        room. May raise `LostRace`."""
        played, began = 0, monotonic()
        while played < at_most and not self.in_room and await self.play_bot():
            played += 1
            if monotonic() - began >= BOT_SECONDS_A_CALL:
                break
            if played % 8 == 0:
                await anyio.lowlevel.checkpoint()
        return played

    async def play_bot(self) -> bool:
        """One action of the bot that is to act; False where somebody else is, or nobody. May raise `LostRace`."""
        side = self._next_bot()
        if side is None:
            return False
        await self.play(side, await self._choice(side))
        return True

    async def _choice(self, side: str) -> Action:
        """The bot's action for its seat. One that may think for long does so in a thread, on a copy: whoever may read
        the session meanwhile finds it as it is."""
        bot = self.bot_of(side) or ""
        state, seed, version = self.recording.state, self.recording.seed, self.version
        began = monotonic()
        if not agent_kind(bot).slow and self._choice_seconds.get(bot, QUICK_SECONDS + 1) <= QUICK_SECONDS:
            action = choose(bot, state, side, seed, version)
        else:
            copy = state.copy()

            def chosen(stop: Stop) -> Action:
                nonlocal began
                began = monotonic()
                return choose(bot, copy, side, seed, version, lambda: stop() or monotonic() - began >= CHOICE_SECONDS)

            action = await self.work.bots.run(chosen)
        self._choice_seconds[bot] = monotonic() - began
        return action

    @property
    def bots_to_act(self) -> bool:
        """Whether only bots are to act."""
        return self._next_bot() is not None

    async def mark_forked(self) -> None:
        """The dice of a game that is played go on in a fork, where they can be tried: kept before the fork begins, and
        told from then on."""
        if self.recording.result is None and "forked" not in self.recording.marks:
            await self._ledger.mark(self.session_id, {"forked": True})
            self.recording.marks["forked"] = True

    async def read_marks(self) -> None:
        """Another process on the same ledger may have set one."""
        self.recording.marks |= await self._ledger.marks(self.session_id, MARKS)

    async def cut_round(self) -> None:
        """The time of the open round is up: bots that have not chosen do so now, then the clock ends it (FX-1.2).
        May raise `LostRace`."""
        state, recording = self.recording.state, self.recording
        began = recording.hidden_from
        while recording.result is None and recording.hidden_from == began:
            bots = [side for side in state.to_act if self.bot_of(side)]
            if bots:
                side = next_command(state, recording.seed, bots)
                await self.play(side, await self._choice(side))
            elif state.clock is not None:
                await self.play(*state.clock)

    @property
    def round_seconds(self) -> float | None:
        """How long a round lasts at most, None without a clock."""
        milliseconds = self.recording.state.round_milliseconds
        return None if milliseconds is None else milliseconds / 1000

    @property
    def seconds_left(self) -> float | None:
        """Of the open round's time; None without a clock, before the game has begun and after its end."""
        if self.round_seconds is None or self.recording.result is not None or self.open_sides:
            return None
        return max(0.0, self._deadline - monotonic())

    def give_time_again(self) -> None:
        """The open round gets all of its time, from now."""
        self._timed_round = self.recording.hidden_from
        self._deadline = monotonic() + (self.round_seconds or 0.0)

    @property
    def is_in_use(self) -> bool:
        """Whether anybody changes it or waits for a change."""
        waiting = self.changed.statistics().tasks_waiting
        return bool(waiting) or self.lock.locked()

    def give_up(self) -> None:
        """Wakes those who wait for a change or for the lock, that they may read the session anew."""
        self.spoilt = True
        self.wake()

    async def catch_up(self) -> None:
        """Takes in what other processes have stored meanwhile. Raises `TableError` where it does not replay."""
        self.read = self.changed
        latest = await self._ledger.latest_version(self.session_id)
        if latest is not None and latest > self.version:
            entries = await self._ledger.entries_after(self.session_id, self.version)
            _replay(self.recording, entries, self._max_actions)
            self.ours = False
            self._announce()

    def _announce(self) -> None:
        if self._timed_round != self.recording.hidden_from:
            self.give_time_again()
        self.wake()

    def wake(self) -> None:
        """Lets those who wait for a change look again."""
        self.changed.set()
        self.changed = anyio.Event()

    def _next_bot(self) -> str | None:
        """The bot that is to act, None while somebody else is: where all choose at once, bots come last, in an order
        that seed and round alone decide (FX-3.2)."""
        state = self.recording.state
        if self.recording.result is not None:
            return None
        if not all(self.bot_of(side) for side in state.to_act):
            return None
        return next_command(state, self.recording.seed)

    def head(self) -> dict[str, Any]:
        """What the ledger keeps of the start: the record without what comes later."""
        record = self.recording.to_data()
        head = {k: v for k, v in record.items() if k not in ("actions", "events", "result")}
        return head | ({"room": True} if self.in_room else {})


def _recorded(stored: StoredSession, max_actions: int, stop: Stop) -> Recording:
    """The recording whose start and actions the ledger has. Raises `TableError` where they do not play."""
    head = stored.head
    try:
        recording = Recording.begin(starting_state(head), head["scenario"], head["seed"], head["seats"])
        recording.marks |= {mark: head[mark] for mark in MARKS if mark in head}
        _replay(recording, stored.entries, max_actions, stop)
    except (Refusal, RecordError) as error:
        raise TableError(
            f"This game was begun by engine {head['engine']} and does not replay here: {error} "
            "It cannot go on; its record can still be read with that version."
        ) from None
    if stored.result is not None and recording.result is None:
        recording.truncate()
    return recording


def _replay(recording: Recording, entries: list[Entry], max_actions: int, stop: Stop = lambda: False) -> None:
    for entry in entries:
        check(stop)
        action = recording.state.parse_action(entry.action, entry.side)
        events = recording.apply(entry.side, action)
        if events != entry.events:
            raise RecordError(f"its action {entry.version} has other results now.")
    if recording.result is None and recording.version >= max_actions:
        recording.truncate()
