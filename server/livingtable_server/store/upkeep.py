"""What the keeper of a store does with it, beside all games: count, take out, remove."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from livingtable_server.store.database import Database, Run
from livingtable_server.store.errors import Conflict
from livingtable_server.store.stored import escaped, unescaped


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

    async def idle(self, since: datetime) -> list[Idle]:
        """The sessions, finished or not, that were begun before that moment and in which nothing has been played
        since; one in a room only if no player was there since either. The oldest first."""
        rows = await self._database.rows(self._sql.IDLE, {"before": _column(since)})
        return [Idle(unescaped(session_id), code and unescaped(code)) for session_id, code in rows]

    async def remove(self, session_id: str, since: datetime) -> bool:
        """Removes a session with its actions and its room, for good, if it is still idle; else False."""
        values = {"session_id": escaped(session_id), "before": _column(since)}

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


def _column(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
