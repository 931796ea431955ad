"""What the keeper of a store does with it, beside all games: count, take out, remove."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from livingtable_server.store.database import Database, Run
from livingtable_server.store.errors import Conflict
from livingtable_server.store.stored import escaped, unescaped

IN_ROOM_DAYS = 30
"""For so long an open room may wait for its players, after whom it is closed (`sessions.room_upkeep`)."""
ALONE_DAYS = 1
"""For so long a game in no room counts as being played."""
CONNECTED_MINUTES = 5
"""Who was there within this time still looks at a game that is over."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is. `sessions` has those of rooms among them; `bytes` is what the tables take."""

    schema: int
    sessions: int
    running: int
    rooms: int
    open_rooms: int
    actions: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Idle:
    """A session in which nothing has happened for long, and the code of its room, if it is in one."""

    session_id: str
    room: str | None


class Upkeep:
    """The store that a ledger is in, as its keeper sees it."""

    def __init__(self, database: Database) -> None:
        from livingtable_server.store import tables

        self._sql = tables
        self._database = database

    async def counts(self) -> Counts:
        ((schema,),) = await self._database.rows(self._sql.SCHEMA_VERSION, {})
        ((sessions, running, rooms, open_rooms, actions),) = await self._database.rows(self._sql.COUNTS, {})
        ((size,),) = await self._database.rows(self._database.bytes_used, {})
        return Counts(schema, sessions, running, rooms, open_rooms, actions, size)

    async def session_ids(self) -> list[str]:
        """Of all sessions, those of rooms among them, the oldest first."""
        return [unescaped(session_id) for (session_id,) in await self._database.rows(self._sql.SESSION_IDS, {})]

    async def idle(self, since: datetime, also_running: bool = False) -> list[Idle]:
        """The sessions, finished or not, that were begun before that moment and in which nothing has been played
        since; one in a room only if no player was there since either. The oldest first.

        `also_running`: also those that somebody is connected to, or may have to act in, by the figures above.
        """
        rows = await self._database.rows(self._sql.IDLE, _moments(since, also_running))
        return [Idle(unescaped(session_id), code and unescaped(code)) for session_id, code in rows]

    async def remove(self, session_id: str, since: datetime, also_running: bool = False) -> bool:
        """Removes a session with its actions and its room, for good, if it is still idle; else False."""
        values = {"session_id": escaped(session_id), **_moments(since, also_running)}

        async def whole(run: Run) -> bool:
            await run(self._sql.HOLD_SESSION, values)
            if not await run(self._sql.STILL_IDLE, values):
                return False
            for statement in self._sql.REMOVE:
                await run(statement, values)
            return True

        try:
            return await self._database.transaction(whole)
        except Conflict:  # somebody has come into its room this very moment
            return False


def _moments(since: datetime, also_running: bool) -> dict[str, str]:
    """Before which a game must have been left alone, by what it is."""
    now = datetime.now(UTC)
    least = {
        "before": timedelta(),
        "before_seen": timedelta(minutes=CONNECTED_MINUTES),
        "before_in_room": timedelta(days=IN_ROOM_DAYS),
        "before_alone": timedelta(days=ALONE_DAYS),
    }
    return {name: _column(since if also_running else min(since, now - age)) for name, age in least.items()}


def _column(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
