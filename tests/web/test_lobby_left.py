"""Registrations whose tokens are lost do not block the lobby of botWebWars: they make way, and the host clears it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from httpx2 import AsyncClient
from tests.server.commands import Shell
from tests.server.conftest import shell
from tests.web.serving import in_process, settings
from tests.web.test_lobby import Bots

from livingtable.game import Data
from livingtable_server.store.ledger import Ledger
from livingtable_server.web import lobby
from livingtable_server.web.registrations import PLAYERS_AT_MOST, UNUSED_MINUTES

__all__ = ["shell"]


class Time:
    """Goes on when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 31, 12, tzinfo=UTC)

    def passes(self, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(lobby, "utc_now", time)
    return time


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture
async def full(anyio_backend: str, client: AsyncClient, time: Time) -> Bots:
    """A lobby of as many as it takes."""
    assert anyio_backend == "asyncio"
    assert time
    bots = Bots(client)
    for _ in range(PLAYERS_AT_MOST):
        await bots.register(name="lost")
    return bots


async def names(bots: Bots) -> list[str]:
    return [player["name"] for player in (await bots.state())["players"]]


@pytest.mark.anyio
async def test_a_full_lobby_says_when_it_will_have_a_place(full: Bots) -> None:
    answer = await full.client.post("/api/players", json={"name": "Ada"})
    assert answer.status_code == 409
    assert f"{UNUSED_MINUTES} minutes" in answer.json()["detail"]


@pytest.mark.anyio
async def test_32_registrations_whose_tokens_are_lost_make_way_in_time(full: Bots, time: Time) -> None:
    """The lobby that was stuck for good."""
    time.passes(UNUSED_MINUTES - 1)
    assert (await full.client.post("/api/players", json={"name": "Ada"})).status_code == 409
    time.passes(1)
    assert await full.register(name="Ada") == "p1"
    assert await names(full) == ["Ada"]


@pytest.mark.anyio
async def test_who_uses_its_token_stays_and_keeps_its_id(full: Bots, time: Time) -> None:
    for _ in range(3):
        time.passes(UNUSED_MINUTES - 1)
        await full.state("p7")
    assert await full.register(name="Ada") == "p1"
    assert await full.register(name="Bo") == "p2"
    assert [p["id"] for p in (await full.state())["players"]] == ["p7", "p1", "p2"]
    begun = await full.ask("POST", "/api/start", "p7")
    assert (begun.status_code, begun.json()["toAct"]) == (200, ["p7"])


@pytest.mark.anyio
async def test_an_id_that_is_taken_is_not_given_twice(client: AsyncClient, time: Time) -> None:
    bots = Bots(client)
    await bots.register(name="gone")
    time.passes(UNUSED_MINUTES - 5)
    await bots.register(name="here")
    time.passes(5)
    assert [await bots.register(name="x") for _ in range(2)] == ["p1", "p3"]


@pytest.mark.anyio
async def test_a_dropped_token_counts_no_more_and_is_told_to_register_again(full: Bots, time: Time) -> None:
    time.passes(UNUSED_MINUTES)
    answer = await full.ask("POST", "/api/start", "p1")
    assert (answer.status_code, "register again" in answer.text) == (403, True)
    assert (await full.ask("POST", "/api/players/p1/pass", "p1")).status_code == 404


@pytest.mark.anyio
async def test_who_polls_does_not_write_into_the_store_each_time(
    full: Bots, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = 0
    update = Ledger.update_lobby

    async def counted(self: Ledger, name: str, revision: int, data: Data) -> bool:
        nonlocal written
        written += 1
        return await update(self, name, revision, data)

    monkeypatch.setattr(Ledger, "update_lobby", counted)
    for _ in range(10):
        time.passes(0.25)
        await full.state("p1")
    assert written == 2


@pytest.mark.anyio
async def test_a_clock_that_was_set_back_keeps_nobody_for_longer(client: AsyncClient, time: Time) -> None:
    bots = Bots(client)
    await bots.register(name="Ada")
    time.passes(-600)
    assert await names(bots) == ["Ada"]
    time.passes(UNUSED_MINUTES)
    assert await names(bots) == []


@pytest.mark.anyio
async def test_registrations_of_an_older_program_make_way_too_over_a_restart(url: str, time: Time) -> None:
    """They had no time."""
    ledger = await Ledger.open(url)
    revision, _ = await ledger.lobby(lobby.NAME, lobby.EMPTY)
    lost = [
        {"id": f"p{n}", "name": "lost", "characterType": "player", "secret": "0" * 64}
        for n in range(1, PLAYERS_AT_MOST + 1)
    ]
    assert await ledger.update_lobby(lobby.NAME, revision, {"players": lost, "room": None})
    await ledger.close()
    async with in_process(settings(), url) as client:
        assert (await client.post("/api/players", json={"name": "Ada"})).status_code == 409
    time.passes(UNUSED_MINUTES)
    async with in_process(settings(), url) as client:
        assert await Bots(client).register(name="Ada") == "p1"


@pytest.mark.anyio
async def test_the_time_is_nobodys_to_see_and_no_part_of_the_game(full: Bots) -> None:
    assert all(set(player) == {"id", "name", "characterType"} for player in (await full.state())["players"])
    assert (await full.ask("POST", "/api/start", "p1")).status_code == 200


# the host


def registered(url: str, *players: str, started: bool = False) -> None:
    async def register() -> None:
        async with in_process(settings(), url) as client:
            bots = Bots(client)
            for name in players:
                await bots.register(name=name)
            if started:
                assert (await bots.ask("POST", "/api/start", "p1")).status_code == 200

    anyio.run(register)


@pytest.fixture
def own_url(shell: Shell) -> str:
    return f"sqlite:///{shell.folder / 'games.db'}"


def test_the_host_sees_who_has_registered_and_clears_the_lobby(shell: Shell, own_url: str) -> None:
    registered(own_url, "Ada", "Bo")
    said = shell("rooms", "lobby")
    assert said.code == 0
    assert '"Ada"' in said.out
    assert "token last used" in said.out
    assert shell("rooms", "lobby", "--clear").out == "The lobby is empty: 2 registrations were dropped.\n"
    assert shell("rooms", "lobby").out == "Nobody has registered.\n"
    registered(own_url, "Cleo")


def test_a_game_that_is_played_is_ended_by_closing_its_room_first(shell: Shell, own_url: str) -> None:
    registered(own_url, "Ada", "Bo", started=True)
    out = shell("rooms", "lobby").out
    assert "A game is being played, in room" in out
    code = out.partition("room ")[2][:9]
    assert shell("rooms", "lobby", "--clear").is_wrong_use(f"living-table rooms close {code}")
    assert shell("rooms", "close", code).code == 0
    assert shell("rooms", "lobby").out == "Nobody has registered.\n"
    assert shell("rooms", "lobby", "--clear").code == 0
    registered(own_url, "Cleo")


def test_after_its_room_was_closed_the_lobby_is_shown_as_open(shell: Shell, own_url: str) -> None:
    registered(own_url, "Ada", "Bo", started=True)
    code = shell("rooms", "lobby").out.partition("room ")[2][:9]
    assert shell("rooms", "close", code).code == 0

    async def seen() -> Data:
        async with in_process(settings(), own_url) as client:
            return (await client.get("/api/state")).json()

    assert anyio.run(seen) == {"started": False, "players": []}


def test_a_lobby_in_which_nobody_ever_was_is_empty(shell: Shell, own_url: str) -> None:
    async def made() -> None:
        await (await Ledger.open(own_url)).close()

    anyio.run(made)
    assert shell("rooms", "lobby").out == "Nobody has registered.\n"
