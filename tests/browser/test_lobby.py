"""The lobby: what there is to play, how a game is begun, and the games of this browser."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.browser.tables import NewContext, OpenPage, Table, Tables
from tests.web.serving import Site

TOKEN = "open-sesame"


def test_every_scenario_has_its_picture(open_page: OpenPage, tables: Tables) -> None:
    page = open_page("/")
    scenarios = tables.get("/scenarios")["scenarios"]
    page.wait_for_function("n => document.querySelectorAll('.picture svg.board').length === n", arg=len(scenarios))
    assert page.locator(".scenario h3").count() == len(scenarios)
    page.get_by_role("button", name="skirmish", exact=True).click()
    titles = [s["title"] for s in scenarios if s["game"] == "skirmish"]
    assert [text.split("\n")[0] for text in page.locator(".scenario h3").all_inner_texts()] == titles


def test_a_game_against_the_computer_is_begun_as_wished(open_page: OpenPage, tables: Tables) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Play Crossroads").click()
    page.get_by_label("Your seat").select_option("p3")
    page.get_by_label("Against the bot").select_option("random")
    page.get_by_label("Seed").fill("77")
    page.get_by_label("Health").fill("6.5")
    page.get_by_role("button", name="Play the computer").click()
    Table(page).wait_until_drawn()
    snapshot = tables.get(f"/games/{page.url.rpartition('/')[2]}")
    assert snapshot["seed"] == 77
    assert {c["maxHealth"] for c in snapshot["state"]["characters"]} == {6.5}
    controllers = {s["side"]: s["controller"] for s in snapshot["seats"]}
    assert controllers.pop("p3") == "human"
    assert set(controllers.values()) == {"bot:random"}


def test_what_cannot_be_begun_is_said_in_the_dialog(open_page: OpenPage) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Play Crossroads").click()
    page.get_by_label("Health").fill("-1")
    page.get_by_role("button", name="Play the computer").click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()
    assert "health" in page.get_by_role("dialog").get_by_role("alert").inner_text()


def test_with_every_seat_at_one_screen_the_dialog_speaks_of_no_opponent(open_page: OpenPage) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Play Crossroads").click()
    assert page.get_by_label("Against the bot").is_visible()
    page.get_by_label("Your seat").select_option("every seat")
    assert not page.get_by_label("Against the bot").is_visible()
    page.get_by_role("button", name="Play at one screen").click()
    Table(page).wait_until_drawn()


def test_seats_are_offered_with_what_sits_there(open_page: OpenPage) -> None:
    page = open_page("/")
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Play Crossroads").click()
    seats = page.get_by_label("Your seat").locator("option").all_inner_texts()
    assert (seats[0], seats[-2]) == ("p1 (player)", "t2 (troll)")


@pytest.mark.parametrize("button", ["Play the computer", "Make a room", "Watch bots"])
@pytest.mark.parametrize("seed", ["seven", "-1", "1.5", "9007199254740992"])
def test_a_seed_that_is_none_is_told_what_one_is(open_page: OpenPage, seed: str, button: str) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Play Crossroads").click()
    field = page.get_by_label("Seed")
    field.fill(seed)
    page.get_by_role("button", name=button).click()
    said = field.evaluate("field => field.validationMessage")
    assert said == "The seed is a whole number from 0 to 9007199254740991."
    assert page.url.endswith("/")


def test_the_games_of_this_browser_are_there_to_go_on_with(new_context: NewContext, tables: Tables) -> None:
    context = new_context()
    page = context.new_page()
    running, over = tables.begin("botwars"), tables.play_out("skirmish")
    for path in (running, over):
        page.goto(path)
        Table(page).wait_until_drawn()
    page.goto("/")
    mine = page.locator("#mine li")
    assert ["finished" in text for text in mine.all_inner_texts()] == [True, False]
    mine.first.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*")
    page.go_back()
    page.get_by_role("button", name="Forget").first.click()
    assert mine.count() == 1


@pytest.fixture
def guarded() -> Generator[Site]:
    site = Site("--token", TOKEN)
    yield site
    site.stop()


def test_a_server_with_a_token_asks_for_it(new_context: NewContext, guarded: Site) -> None:
    page = new_context(base_url=guarded.url).new_page()
    page.goto("/")
    page.get_by_role("button", name="Play Castle Siege").click()
    page.get_by_role("button", name="Play the computer").click()
    field = page.get_by_label("The server’s token")
    field.wait_for()
    assert "fill it in above" in page.get_by_role("dialog").get_by_role("alert").inner_text()
    field.fill(TOKEN)
    page.get_by_role("button", name="Play the computer").click()
    Table(page).wait_until_drawn()


def test_a_table_is_called_as_in_the_lobby(open_page: OpenPage, tables: Tables) -> None:
    page = open_page(tables.begin("foxhunt", scenario="great_hunt"))
    page.get_by_role("heading", name="The Great Hunt", exact=True).wait_for()
    page.wait_for_function("() => document.title.includes('The Great Hunt')")


def test_a_room_that_is_not_there_is_said_with_a_way_on(open_page: OpenPage) -> None:
    page = open_page("/rooms/AAAA-AAAA")
    page.get_by_role("heading", name="No such table").wait_for()
    page.get_by_role("alert").get_by_role("link", name="To the lobby").click()
    page.get_by_role("heading", name="Take a seat").wait_for()
