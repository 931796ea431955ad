"""The machine's clock is set, forward or back, while games go on: only seconds that go forward drive anything."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from tests.server.stores import HEAD, RESULT, move

from livingtable_server.sessions import presence
from livingtable_server.sessions.presence import Presence
from livingtable_server.store import stored
from livingtable_server.store.ledger import Ledger

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
DAY = 86_400.0
CODE = "CODE"


class Time:
    """Seconds that go by, and by how many the clock is wrong."""

    def __init__(self) -> None:
        self.seconds = 1_000.0
        self.wrong_by = 0.0

    def clock(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds + self.wrong_by)


class Signs:
    """In a ledger's place: when players were heard of, as processes have written it."""

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}

    async def touch(self, _code: str, side: str, seen: str) -> None:
        self.seen[side] = seen

    async def presence(self, _code: str) -> dict[str, str]:
        return dict(self.seen)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(presence, "monotonic", lambda: time.seconds)
    monkeypatch.setattr(presence, "utc_now", time.clock)
    return time


@pytest.mark.parametrize("jump", [DAY, -DAY, 30.0, -30.0])
async def test_a_player_at_another_process_is_away_for_as_long_as_it_is_silent_whatever_the_clock_says(
    time: Time, jump: float
) -> None:
    ledger = cast(Ledger, Signs())
    here, there = Presence(), Presence()
    await there.touch(ledger, CODE, "p1", None)
    assert (await here.away(ledger, CODE))["p1"] == 0
    time.seconds += 4
    time.wrong_by = jump
    assert (await here.away(ledger, CODE))["p1"] == 4
    time.seconds += 2
    await there.touch(ledger, CODE, "p1", None)
    assert (await here.away(ledger, CODE))["p1"] <= 2
    time.seconds += 100
    assert 100 <= (await here.away(ledger, CODE))["p1"] <= 102


async def test_a_sign_that_was_there_before_this_process_is_as_old_as_the_clock_says(time: Time) -> None:
    ledger = cast(Ledger, Signs())
    await Presence().touch(ledger, CODE, "p1", None)
    time.seconds += 50
    here = Presence()
    assert (await here.away(ledger, CODE))["p1"] == 50
    time.seconds += 50
    assert (await here.away(ledger, CODE))["p1"] == 100


async def test_a_sign_of_the_future_grows_old_like_any_other(time: Time) -> None:
    ledger = cast(Ledger, Signs())
    time.wrong_by = DAY
    await Presence().touch(ledger, CODE, "p1", None)
    time.wrong_by = 0.0
    here = Presence()
    assert (await here.away(ledger, CODE))["p1"] == 0
    time.seconds += 500
    assert (await here.away(ledger, CODE))["p1"] == 500


async def test_actions_keep_their_order_when_the_clock_is_set_back(
    ledger: Ledger, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "now", lambda: time.clock().isoformat(timespec="microseconds"))
    await ledger.create("s", HEAD)
    for version in range(1, 6):
        time.wrong_by -= DAY
        assert await ledger.append("s", move(version), RESULT if version == 5 else None)
    assert [entry.version for entry in await ledger.entries_after("s", 0)] == [1, 2, 3, 4, 5]
    (row,) = await ledger.sessions()
    assert (row.version, row.created, row.updated) == (5, "2026-01-31T12:16:40Z", "2026-01-26T12:16:40Z")
    assert not await ledger.append("s", move(5), None)
