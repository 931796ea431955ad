"""The keeper of a store counts what there is, and removes what is old, on both stores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.server.stores import HEAD, RESULT, begin, move, opened, run_sql

from livingtable_server.store.ledger import Ledger
from livingtable_server.store.upkeep import Idle, Upkeep

pytestmark = pytest.mark.anyio

LONG_AGO = "2026-01-31T12:00:00.000000+00:00"
SINCE = datetime(2026, 2, 1, tzinfo=UTC)
LATER = "2026-02-01T00:00:00.000000+00:00"


async def test_the_counts_have_rooms_and_their_sessions(ledger: Ledger) -> None:
    await begin(ledger, "running", 2)
    await begin(ledger, "ended")
    await ledger.append("ended", move(1), RESULT)
    assert await ledger.create_room("FOX-1", "s1", HEAD, {})
    assert await ledger.create_room("FOX-2", "s2", HEAD, {})
    await ledger.close_room("FOX-2")
    counts = await Upkeep(ledger.database).counts()
    assert (counts.schema, counts.sessions, counts.running, counts.rooms, counts.open_rooms, counts.actions) == (
        *(2, 4, 3),
        *(2, 1, 3),
    )
    assert counts.bytes > 10_000


async def test_all_sessions_are_listed_the_oldest_first(ledger: Ledger) -> None:
    await begin(ledger, "first", 1)
    assert await ledger.create_room("FOX-1", "second", HEAD, {})
    await begin(ledger, 'an "odd" one \ud83e')
    assert await Upkeep(ledger.database).session_ids() == ["first", "second", 'an "odd" one \ud83e']


async def grown_old(url: str) -> None:
    """Games of long ago, of which only some were left alone since."""
    async with opened(url) as ledger:
        for session in ("untouched", "played then", "played since"):
            await begin(ledger, session, 0 if session == "untouched" else 2)
        for code in ("EMPTY", "VISITED", "CLOSED"):
            assert await ledger.create_room(code, f"in {code}", HEAD, {})
            await ledger.touch(code, "p1", LONG_AGO)
        await ledger.touch("VISITED", "p2", LATER)
        await ledger.close_room("CLOSED")
    run_sql(
        url,
        f"UPDATE sessions SET created = '{LONG_AGO}'",
        f"UPDATE actions SET created = '{LONG_AGO}'",
        f"UPDATE actions SET created = '{LATER}' WHERE session_id = 'played since' AND version = 2",
    )
    async with opened(url) as ledger:
        await begin(ledger, "new")


OLD = [Idle("in CLOSED", "CLOSED"), Idle("in EMPTY", "EMPTY"), Idle("played then", None), Idle("untouched", None)]


async def test_idle_is_where_nothing_was_played_and_nobody_present_since(url: str) -> None:
    await grown_old(url)
    async with opened(url) as ledger:
        assert await Upkeep(ledger.database).idle(SINCE) == OLD
        assert await Upkeep(ledger.database).idle(SINCE - timedelta(days=1)) == []


async def test_what_is_idle_is_removed_whole_and_the_rest_stays(url: str) -> None:
    await grown_old(url)
    async with opened(url) as ledger:
        upkeep = Upkeep(ledger.database)
        for idle in OLD:
            assert await upkeep.remove(idle.session_id, SINCE)
            assert await ledger.load(idle.session_id) is None
            assert not await upkeep.remove(idle.session_id, SINCE)
        assert await ledger.presence("EMPTY") == {}
        assert [room.code for room in await ledger.rooms(open_only=False)] == ["VISITED"]
        assert [row.session_id for row in await ledger.sessions()] == ["new", "played since"]
        assert await ledger.latest_version("played since") == 2
        assert await ledger.create_room("EMPTY", "in EMPTY", HEAD, {})


@pytest.mark.parametrize("of", ["played then", "in EMPTY"])
async def test_what_has_come_alive_since_it_was_found_idle_stays(url: str, of: str) -> None:
    await grown_old(url)
    async with opened(url) as ledger:
        if of == "in EMPTY":
            await ledger.touch("EMPTY", "p1", LATER)
        else:
            assert await ledger.append(of, move(3), None)
        assert not await Upkeep(ledger.database).remove(of, SINCE)
        assert await ledger.load(of) is not None


async def test_moments_are_compared_in_whatever_zone_they_are_given(url: str) -> None:
    await grown_old(url)
    async with opened(url) as ledger:
        noon = datetime.fromisoformat(LONG_AGO)
        assert await Upkeep(ledger.database).idle(noon.astimezone()) == []
        assert await Upkeep(ledger.database).idle((noon + timedelta(microseconds=1)).astimezone()) != []


# what goes on


def columns(age: timedelta) -> str:
    return (datetime.now(UTC) - age).isoformat(timespec="microseconds")


NOW = timedelta(seconds=1)
HOUR, WEEK, YEAR = timedelta(hours=1), timedelta(days=7), timedelta(days=365)


async def aged(url: str, session: str, age: timedelta, *, ended: bool = False, room: str | None = None) -> None:
    """A game with one action, which was begun and played so long ago."""
    async with opened(url) as ledger:
        if room is None:
            await begin(ledger, session)
        else:
            assert await ledger.create_room(room, session, HEAD, {})
        assert await ledger.append(session, move(1), RESULT if ended else None)
    run_sql(
        url,
        f"UPDATE sessions SET created = '{columns(age)}' WHERE session_id = '{session}'",
        f"UPDATE actions SET created = '{columns(age)}' WHERE session_id = '{session}'",
    )


async def found(url: str, since: datetime, also_running: bool = False) -> list[str]:
    async with opened(url) as ledger:
        return [idle.session_id for idle in await Upkeep(ledger.database).idle(since, also_running)]


async def test_an_open_room_stays_as_long_as_its_players_are_waited_for(url: str) -> None:
    await aged(url, "old", YEAR, room="OLD")
    await aged(url, "week", WEEK, room="WEEK")
    await aged(url, "new", NOW, room="NEW")
    now = datetime.now(UTC)
    assert await found(url, now) == ["old"]
    assert await found(url, now, also_running=True) == ["old", "week", "new"]
    async with opened(url) as ledger:
        upkeep = Upkeep(ledger.database)
        assert not await upkeep.remove("new", now)
        assert await upkeep.remove("new", now, also_running=True)


async def test_a_closed_room_without_a_result_is_nobodys_to_play(url: str) -> None:
    await aged(url, "closed", HOUR, room="CLOSED")
    async with opened(url) as ledger:
        await ledger.close_room("CLOSED")
    assert await found(url, datetime.now(UTC)) == ["closed"]


async def test_a_game_in_no_room_that_was_played_within_a_day_stays_until_it_is_over(url: str) -> None:
    await aged(url, "ended", HOUR, ended=True)
    await aged(url, "running", HOUR)
    await aged(url, "left", WEEK)
    now = datetime.now(UTC)
    assert await found(url, now) == ["left", "ended"]
    assert await found(url, now, also_running=True) == ["left", "ended", "running"]


async def test_a_game_that_is_over_stays_while_somebody_looks_at_it(url: str) -> None:
    await aged(url, "watched", WEEK, ended=True, room="WATCHED")
    await aged(url, "seen", WEEK, ended=True, room="SEEN")
    async with opened(url) as ledger:
        await ledger.touch("WATCHED", "p1", columns(NOW))
        await ledger.touch("SEEN", "p1", columns(HOUR))
    assert await found(url, datetime.now(UTC)) == ["seen"]
