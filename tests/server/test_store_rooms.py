"""Rooms in the ledger: a code is given once, of two changes of one revision one wins, and no list shows the session."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.server.stores import HEAD

from livingtable.game import Data
from livingtable_server.store.ledger import Entry, Ledger, StoredRoom, StoredSession, StoreError

pytestmark = pytest.mark.anyio

DATA: Data = {"name": "Ada's 🦊 table", "seats": {"p1": {"controller": "open"}}}
NOON = "2026-01-31T12:00:00.000000+00:00"
LATER = "2026-01-31T12:00:05.000000+00:00"


async def open_room(ledger: Ledger, code: str = "FOX-1", session_id: str = "s") -> StoredRoom:
    assert await ledger.create_room(code, session_id, HEAD, DATA)
    room = await ledger.room(code)
    assert room is not None
    return room


async def test_a_room_comes_back_as_it_was_stored_with_its_session(ledger: Ledger) -> None:
    room = await open_room(ledger)
    assert room == StoredRoom("FOX-1", "s", room.created, 0, DATA, closed=False)
    assert await ledger.load("s") == StoredSession("s", HEAD, None, [])
    assert await ledger.room_of("s") == "FOX-1"
    assert await ledger.append("s", Entry(1, "p1", {"type": "pass"}, []), None)


async def test_what_is_not_there_is_none(ledger: Ledger) -> None:
    await ledger.create("s", HEAD)
    assert await ledger.room("FOX-1") is None
    assert await ledger.room_of("s") is None
    assert await ledger.room_of("nobody") is None
    assert await ledger.presence("FOX-1") == {}
    assert await ledger.rooms() == []


async def test_a_code_is_given_once_and_the_second_session_is_not_begun(ledger: Ledger) -> None:
    room = await open_room(ledger)
    assert not await ledger.create_room("FOX-1", "other", HEAD, {})
    assert await ledger.load("other") is None
    assert await ledger.room("FOX-1") == room


async def test_a_session_is_in_one_room_and_an_error_does_not_show_it(ledger: Ledger) -> None:
    await open_room(ledger, "FOX-1", "secret-handle")
    with pytest.raises(StoreError, match="draw another id") as again:
        await ledger.create_room("FOX-2", "secret-handle", HEAD, DATA)
    assert "secret-handle" not in str(again.value)
    assert await ledger.room("FOX-2") is None


async def test_a_change_of_the_present_revision_is_stored(ledger: Ledger) -> None:
    room = await open_room(ledger)
    assert await ledger.update_room("FOX-1", 0, {"name": "new"})
    assert await ledger.room("FOX-1") == replace(room, revision=1, data={"name": "new"})


async def test_a_change_of_another_revision_or_of_no_room_is_not(ledger: Ledger) -> None:
    room = await open_room(ledger)
    assert not await ledger.update_room("FOX-1", 1, {})
    assert not await ledger.update_room("FOX-2", 0, {})
    assert await ledger.room("FOX-1") == room


async def test_of_many_changes_at_once_exactly_one_wins(ledger: Ledger) -> None:
    await open_room(ledger)
    for revision in range(20):
        won = await asyncio.gather(*(ledger.update_room("FOX-1", revision, {"by": writer}) for writer in range(5)))
        assert sorted(won) == [False] * 4 + [True]
        room = await ledger.room("FOX-1")
        assert room is not None
        assert (room.revision, room.data) == (revision + 1, {"by": won.index(True)})


async def test_a_closed_room_stays_closed_and_late_changes_fail(ledger: Ledger) -> None:
    room = await open_room(ledger)
    assert await ledger.close_room("FOX-1")
    assert not await ledger.close_room("FOX-1")
    assert not await ledger.close_room("FOX-2")
    assert not await ledger.update_room("FOX-1", 0, {})
    assert await ledger.room("FOX-1") == replace(room, revision=1, closed=True)


async def test_a_stale_room_is_not_closed_on_who_has_just_come_in(ledger: Ledger) -> None:
    read = await open_room(ledger)
    assert await ledger.update_room("FOX-1", 0, {"seats": "one more"})
    assert not await ledger.close_stale_room(read)
    assert await ledger.close_stale_room(replace(read, revision=1))


async def test_a_room_that_was_left_is_not_closed_on_who_has_just_come_back(ledger: Ledger) -> None:
    read = await open_room(ledger)
    await ledger.touch("FOX-1", "p1", "2026-03-01T12:00:00.000+00:00")
    assert not await ledger.close_stale_room(read, unseen_since="2026-03-01T11:59:59.000+00:00")
    assert await ledger.close_stale_room(read, unseen_since="2026-03-01T12:00:01.000+00:00")
    assert not await ledger.close_stale_room(read, unseen_since="2026-03-01T12:00:01.000+00:00")


async def test_the_list_has_the_newest_first_and_the_closed_on_demand(ledger: Ledger) -> None:
    first, second, third = [await open_room(ledger, f"FOX-{n}", f"s{n}") for n in range(3)]
    await ledger.close_room("FOX-1")
    closed = replace(second, revision=1, closed=True)
    assert await ledger.rooms() == [third, first]
    assert await ledger.rooms(open_only=False) == [third, closed, first]
    assert await ledger.rooms(open_only=False, limit=2) == [third, closed]


async def test_no_list_of_sessions_shows_one_of_a_room(ledger: Ledger) -> None:
    await ledger.create("own", HEAD)
    await open_room(ledger)
    await open_room(ledger, "FOX-2", "ended")
    assert await ledger.append("ended", Entry(1, "p1", {"type": "pass"}, []), {"reason": "united"})
    await ledger.close_room("FOX-2")
    assert [row.session_id for row in await ledger.sessions()] == ["own"]
    assert [row.session_id for row in await ledger.sessions(active=True)] == ["own"]
    assert await ledger.sessions(active=False) == []


async def test_the_last_time_of_each_player_is_kept_and_is_no_change_of_the_room(ledger: Ledger) -> None:
    room = await open_room(ledger)
    await ledger.touch("FOX-1", "p1", NOON)
    await ledger.touch("FOX-1", "p2", NOON)
    await ledger.touch("FOX-1", "p1", LATER)
    assert await ledger.presence("FOX-1") == {"p1": LATER, "p2": NOON}
    assert await ledger.room("FOX-1") == room


async def test_nobody_is_present_in_an_unknown_room(ledger: Ledger) -> None:
    with pytest.raises(StoreError, match="no such room"):
        await ledger.touch("FOX-9", "p1", NOON)
