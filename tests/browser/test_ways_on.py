"""What the page says when a game ends, when its table goes, and when a move is lost on the way; and how to go on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from tests.browser.tables import NewContext, Sit, Table, Tables, setup
from tests.web.serving import Site

COMMAND = [sys.executable, "-P", "-m", "livingtable_server.cli", "rooms"]


def test_after_the_end_the_same_is_played_again_with_other_dice(seat: Sit, tables: Tables) -> None:
    path = tables.play_out("skirmish", side="ivory", opponent="random", controller="human")
    before = tables.get(path)
    table = seat(path)
    table.button("Play again").click()
    table.page.wait_for_url(lambda url: not url.endswith(path))
    table.wait_until_drawn()
    after = tables.get(f"/games/{table.page.url.rpartition('/')[2]}")
    assert (after["scenario"], after["seats"]) == (before["scenario"], before["seats"])
    assert (after["version"], after["result"]) == (0, None)
    assert after["seed"] != before["seed"]


def test_while_a_game_goes_on_nothing_is_offered_for_afterwards(seat: Sit, tables: Tables) -> None:
    assert not seat(tables.begin("skirmish")).button("Play again").is_visible()


def test_from_the_end_a_link_leads_to_the_lobby(seat: Sit, tables: Tables) -> None:
    table = seat(tables.play_out("skirmish"))
    table.page.get_by_role("link", name="To the lobby").click()
    table.page.get_by_role("heading", name="Take a seat").wait_for()


def test_a_move_that_was_lost_on_the_way_is_said_not_to_be_made_until_the_board_has_caught_up(
    seat: Sit, tables: Tables
) -> None:
    path = tables.begin("skirmish")
    table = seat(path)
    table.page.context.set_offline(True)
    table.page.get_by_text("The connection is lost").wait_for()
    table.cell("2,3").click()
    table.cell("3,1").click()
    refusal = table.page.locator(".turn .refusal")
    refusal.wait_for()
    assert "was not made" in refusal.inner_text()
    assert "again" in refusal.inner_text()
    table.page.context.set_offline(False)
    refusal.wait_for(state="hidden")
    table.cell("2,3").click()
    table.cell("3,1").click()
    table.wait_for_version(1)


@pytest.fixture
def hosted(tmp_path: Path) -> Generator[tuple[Site, Callable[..., None]]]:
    """A server, and what its host can do at the command line."""
    store = f"sqlite:///{tmp_path / 'ledger.db'}"
    site = Site("--limit", "games=0", "--limit", "requests=0", store=store)

    def host(*words: str) -> None:
        subprocess.run([*COMMAND, *words, "--store", store], check=True, capture_output=True)

    yield site, host
    site.stop()


@pytest.fixture
def in_room(new_context: NewContext, hosted: tuple[Site, Callable[..., None]]) -> tuple[Table, str]:
    """Somebody who plays Ivory in a room against a bot, and the room's code."""
    page = new_context(base_url=hosted[0].url).new_page()
    page.goto("/")
    page.get_by_role("button", name="Play Castle Siege").click()
    page.get_by_role("button", name="Make a room").click()
    table = Table(page)
    table.wait_until_drawn()
    page.get_by_role("button", name="crimson", exact=True).click()
    page.get_by_text("Your turn").wait_for()
    return table, page.url.rpartition("/")[2]


@contextmanager
def _cut_off(table: Table) -> Generator[None]:
    """What happens now the page learns from its stream when the connection is back."""
    table.page.context.set_offline(True)
    table.page.get_by_text("The connection is lost").wait_for()
    yield
    table.page.context.set_offline(False)


@pytest.mark.parametrize("noticed_by", ["a move", "the stream"])
def test_a_room_that_its_host_closes_is_said_to_be_closed_and_is_not_listed_as_running(
    hosted: tuple[Site, Callable[..., None]], in_room: tuple[Table, str], noticed_by: str
) -> None:
    table, code = in_room
    if noticed_by == "a move":
        with _cut_off(table):
            table.page.route("**/events*", lambda route: route.abort())
    with _cut_off(table) if noticed_by == "the stream" else nullcontext():
        hosted[1]("close", code)
    with hosted[0].client() as client:
        sentence = client.get(f"/rooms/{code}").json()["detail"]
    if noticed_by == "a move":
        table.button("End Turn").click()
    table.page.get_by_role("heading", name="The room is closed").wait_for()
    assert table.page.locator(".turn .detail").inner_text() == sentence
    assert table.targets.count() + table.sources.count() == 0
    assert not table.button("End Turn").is_visible()
    assert not table.page.title().startswith("●")
    table.page.get_by_role("link", name="To the lobby").click()
    table.page.locator("#mine li").wait_for()
    assert "closed" in table.page.locator("#mine li").inner_text()
    assert "running" not in table.page.locator("#mine li").inner_text()


def test_whoever_comes_back_to_a_closed_room_finds_it_listed_as_closed(
    hosted: tuple[Site, Callable[..., None]], in_room: tuple[Table, str]
) -> None:
    table, code = in_room
    table.page.goto("/")  # Else the room's page might hear of it.
    hosted[1]("close", code)
    table.page.reload()
    assert "running" in table.page.locator("#mine li").inner_text()
    table.page.goto(f"/rooms/{code}")
    table.page.get_by_role("alert").get_by_role("link", name="To the lobby").click()
    table.page.locator("#mine li").wait_for()
    assert "closed" in table.page.locator("#mine li").inner_text()


def test_a_game_that_was_over_when_its_room_was_closed_can_still_be_replayed(
    hosted: tuple[Site, Callable[..., None]], new_context: NewContext
) -> None:
    knight, orc = {"kind": "K", "side": "ivory", "hex": "10,5"}, {"kind": "O", "side": "crimson", "hex": "8,7"}
    with hosted[0].client() as client:
        tables = Tables(client)
        room = tables.post("/rooms", {"setup": setup("skirmish", pieces=[knight, orc])})
        path = f"/rooms/{room['roomCode']}"
        tables.post(f"{path}/bots", {"playerId": room["playerId"], "side": "crimson", "bot": "random"})
        tables.post(f"{path}/actions", {"playerId": room["playerId"], "notation": "K1 > 11,5"})
    hosted[1]("close", room["roomCode"])
    page = new_context(base_url=hosted[0].url).new_page()
    page.goto(path.replace("rooms", "replay"))
    table = Table(page)
    table.wait_until_drawn()
    table.button("To the end").click()
    table.wait_for_version(1)


def test_a_game_that_was_under_way_when_its_room_was_closed_can_still_be_replayed(
    hosted: tuple[Site, Callable[..., None]], in_room: tuple[Table, str]
) -> None:
    table, code = in_room
    table.button("End Turn").click()
    table.wait_for_version(1)
    with _cut_off(table):
        hosted[1]("close", code)
    table.page.get_by_role("heading", name="The room is closed").wait_for()
    table.page.get_by_role("link", name="Replay").click()
    table.button("To the end").wait_for()
    table.button("To the end").click()
    table.wait_for_version(1)


def test_a_player_whom_the_host_removes_is_told_so(
    hosted: tuple[Site, Callable[..., None]], in_room: tuple[Table, str]
) -> None:
    table, code = in_room
    with _cut_off(table):
        hosted[1]("remove", code, "ivory")
    table.page.get_by_text("your seat was given to a bot").wait_for()
    assert table.targets.count() == 0
    assert table.button("Take the seat").is_visible()


def test_a_game_that_its_server_does_not_keep_any_more_is_said_to_be_gone_and_nothing_else(
    new_context: NewContext, tmp_path: Path
) -> None:
    """The server is started again on the same port, with another store."""
    first = Site("--limit", "games=0", store=f"sqlite:///{tmp_path / 'first.db'}")
    with first.client() as client:
        path = Tables(client).begin("skirmish")
    page = new_context(base_url=first.url).new_page()
    page.goto(path)
    table = Table(page)
    table.wait_until_drawn()
    first.stop()
    page.get_by_text("The connection is lost").wait_for()
    second = Site("--port", str(first.port), store=f"sqlite:///{tmp_path / 'second.db'}")
    try:
        page.get_by_role("heading", name="The game is gone").wait_for()
        page.get_by_text("The connection is lost").wait_for(state="hidden")
        assert "This game is not kept here" in page.locator(".turn .detail").inner_text()
        page.reload()
        assert "This game is not kept here" in page.get_by_role("alert").inner_text()
        page.goto(path.replace("games", "replay"))
        assert "This game is not kept here" in page.get_by_role("alert").inner_text()
        assert "new_game" not in page.content()
    finally:
        second.stop()


def test_a_room_that_its_server_does_not_know_any_more_is_not_said_to_be_closed(
    new_context: NewContext, tmp_path: Path
) -> None:
    """The server is started again on the same port, with another store."""
    first = Site("--limit", "games=0", store=f"sqlite:///{tmp_path / 'first.db'}")
    with first.client() as client:
        path = f"/rooms/{Tables(client).post('/rooms', {'scenario': 'castle_siege'})['roomCode']}"
    page = new_context(base_url=first.url).new_page()
    page.goto(path)
    table = Table(page)
    table.wait_until_drawn()
    first.stop()
    page.get_by_text("The connection is lost").wait_for()
    second = Site("--port", str(first.port), store=f"sqlite:///{tmp_path / 'second.db'}")
    try:
        page.get_by_role("heading", name="The room is gone").wait_for()
        page.get_by_text("The connection is lost").wait_for(state="hidden")
        assert "This room is not kept here" in page.locator(".turn .detail").inner_text()
        page.goto("/rooms/2222-2222")
        assert "There is no room of this code" in page.get_by_role("alert").inner_text()
    finally:
        second.stop()


def test_who_was_cut_off_while_the_game_ended_is_not_told_that_the_connection_is_still_lost(
    seat: Sit, tables: Tables
) -> None:
    made = tables.post("/rooms", {"setup": setup("foxhunt", rounds=1)})
    path, player = f"/rooms/{made['roomCode']}", made["playerId"]
    tables.post(f"{path}/bots", {"playerId": player, "side": "all"})
    table = seat(path)
    with _cut_off(table):
        table.page.get_by_text("The connection is lost").wait_for()
        tables.post(f"{path}/actions", {"playerId": player, "notation": "stay"})
        while tables.get(path)["result"] is None:
            tables.get(f"{path}/wait?timeoutSeconds=1", player)
    table.page.get_by_text("the last round is over").first.wait_for()
    table.page.get_by_text("The connection is lost").wait_for(state="hidden")
