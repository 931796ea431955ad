"""What pages say, and when: hints, names, menus, and why something cannot be done."""

from __future__ import annotations

import pytest
from tests.browser.tables import NewContext, OpenPage, Sit, Table, Tables, setup

GAMES = ["botwars", "skirmish", "foxhunt"]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def test_an_enemy_out_of_reach_is_said_to_be_so_and_the_piece_stays_chosen(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    table = seat(path)
    table.cell("2,3").click()
    foe = next(piece for piece in tables.get(path)["state"]["pieces"] if piece["id"] == "crimson-G1")
    table.cell(foe["hex"]).click()
    said = table.page.locator(".turn .refusal")
    assert said.inner_text() == "crimson Goblin G1 is out of reach of Knight K1."
    assert "selected" in table.labels()["2,3"]
    table.cell("3,1").click()
    table.wait_for_version(1)
    assert not said.is_visible()


def test_a_piece_of_ones_own_that_has_done_all_says_so(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    tables.post(f"{path}/actions", {"notation": "K1 > 3,1", "side": "ivory"})
    table = seat(path)
    table.cell("3,1").click()
    assert table.page.locator(".turn .refusal").inner_text() == "Knight K1 can do nothing more in this turn."


@pytest.mark.parametrize("width", ["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_how_to_play_is_said_to_whoever_can_act_on_any_screen(seat: Sit, tables: Tables, game: str, width: str) -> None:
    table = seat(tables.begin(game), **(PHONE if width == "phone" else {}))
    assert table.page.locator(".hint").is_visible()


@pytest.mark.parametrize("game", GAMES)
def test_how_to_play_is_not_said_to_whoever_cannot_act(seat: Sit, tables: Tables, game: str) -> None:
    scenario = {"botwars": "crossroads", "skirmish": "castle_siege", "foxhunt": "fox_yard"}[game]
    room = tables.post("/rooms", {"scenario": scenario})
    path = f"/rooms/{room['roomCode']}"
    waiting = seat(path)
    assert not waiting.page.locator(".hint").is_visible()
    tables.post(f"{path}/bots", {"playerId": room["playerId"], "side": "all", "bot": "random"})
    onlooker = seat(path)
    assert not onlooker.page.locator(".hint").is_visible()


def test_how_to_play_is_not_said_after_the_end(seat: Sit, tables: Tables) -> None:
    assert not seat(tables.play_out("skirmish")).page.locator(".hint").is_visible()


@pytest.mark.parametrize("game", GAMES)
def test_ones_own_seat_is_ones_own_in_the_scores(seat: Sit, tables: Tables, game: str) -> None:
    table = seat(tables.begin(game))
    assert table.page.locator(".scores .mine .controller").inner_text() == "you"
    assert "agent" not in table.page.locator(".scores").inner_text()


def test_in_the_scores_players_have_no_more_room_than_trolls(seat: Sit, tables: Tables) -> None:
    rows = seat(tables.begin("botwars")).page.locator(".scores tbody tr")
    heights = rows.evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert max(heights) - min(heights) <= 1


@pytest.mark.parametrize("width", ["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_in_the_scores_a_seat_stands_level_with_its_name(seat: Sit, tables: Tables, game: str, width: str) -> None:
    table = seat(tables.begin(game), **(PHONE if width == "phone" else {}))
    apart = table.page.locator(".scores tbody tr").evaluate_all(_APART)
    assert max(abs(each) for each in apart) <= 2


_APART = """rows => rows.map((row) => {
  const range = document.createRange();
  range.selectNode([...row.querySelector("th").childNodes].find((node) => node.nodeType === Node.TEXT_NODE));
  return range.getClientRects()[0].top - row.querySelector(".name").getClientRects()[0].top;
})"""


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_the_whole_table_of_scores_is_seen_and_no_name_is_broken(
    seat: Sit, tables: Tables, game: str
) -> None:
    path = tables.play_out(game) if game == "skirmish" else tables.begin(game)
    table = seat(path, **PHONE)
    place = table.page.locator(".scores-place")
    assert place.evaluate("place => place.scrollWidth <= place.clientWidth")
    lines = "names => names.filter(n => !n.textContent.includes(' ') && n.getClientRects().length > 1).length"
    assert table.page.locator(".scores .name").evaluate_all(lines) == 0


@pytest.mark.parametrize("way", ["Escape", "a click elsewhere"])
def test_an_open_menu_is_closed_by(seat: Sit, tables: Tables, way: str) -> None:
    table = seat(tables.begin("skirmish"))
    table.page.get_by_text("Download", exact=True).click()
    item = table.button("Board (SVG)")
    item.wait_for()
    if way == "Escape":
        table.page.keyboard.press("Escape")
    else:
        table.page.get_by_role("heading", name="Ledger").click()
    item.wait_for(state="hidden")


@pytest.mark.parametrize(
    ("answer", "said"),
    [("denied", "The browser allows no notifications here"), ("granted", "You will be notified"), ("default", "")],
)
def test_whoever_asks_to_be_notified_gets_an_answer(
    new_context: NewContext, tables: Tables, answer: str, said: str
) -> None:
    context = new_context()
    context.add_init_script(
        "globalThis.Notification = class { static permission = 'default';"
        f" static requestPermission = () => Promise.resolve({answer!r}) }};"
    )
    page = context.new_page()
    page.goto(tables.begin("skirmish"))
    Table(page).wait_until_drawn()
    page.get_by_role("button", name="Notify me").click()
    status = page.locator("nav [role=status]")
    page.wait_for_function("said => document.querySelector('nav [role=status]').textContent === said", arg=said)
    assert status.inner_text() == said
    assert page.get_by_role("button", name="Notify me").is_visible() == (answer == "default")


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_one_title(seat: Sit, tables: Tables, game: str) -> None:
    table = seat(tables.begin(game))
    table.button("Rules").click()
    table.page.locator(".rules-text h4").first.wait_for()
    titles = table.page.get_by_role("dialog").locator("h2, h3").all_inner_texts()
    assert titles == [f"The rules of {game}"]


def test_a_room_without_open_seats_says_that_a_bots_can_be_taken(seat: Sit, tables: Tables) -> None:
    room = tables.post("/rooms", {"scenario": "castle_siege"})
    path = f"/rooms/{room['roomCode']}"
    tables.post(f"{path}/bots", {"playerId": room["playerId"], "side": "crimson"})
    words = seat(path).page.locator(".invitation p")
    assert words.inner_text().startswith("No seat is open, but a bot’s can be taken.")


def test_a_room_full_of_players_says_that_all_seats_are_taken(seat: Sit, tables: Tables) -> None:
    path = f"/rooms/{tables.post('/rooms', {'scenario': 'castle_siege'})['roomCode']}"
    tables.post(f"{path}/join", {})
    table = seat(path)
    assert table.page.locator(".invitation p").inner_text().startswith("All seats are taken.")
    assert not table.button("Take the seat").is_visible()


@pytest.mark.parametrize("path", ["/games/none", "/"])
def test_words_stand_as_they_are_written(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    page.wait_for_load_state("networkidle")
    changed = "all => all.filter(e => getComputedStyle(e).textTransform === 'capitalize').length"
    assert page.locator("h1, h2, h3, a, small").evaluate_all(changed) == 0


def test_a_set_up_without_a_title_is_called_by_its_name(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish", setup={**_untitled(), "name": "old_mill"})
    assert seat(path).page.locator("#title").inner_text() == "Old Mill"


def _untitled() -> dict[str, object]:
    return {key: value for key, value in setup("skirmish").items() if key != "title"}


ENDS = {
    "botwars": ["united", "sole_survivor", "only_trolls", "round_limit", "truncated"],
    "skirmish": ["castle_taken", "army_destroyed", "turn_limit", "truncated"],
    "foxhunt": ["round_limit", "truncated"],
}


@pytest.mark.parametrize(("game", "reason"), [(game, reason) for game, reasons in ENDS.items() for reason in reasons])
def test_how_a_game_ended_is_said_in_more_than_the_words_of_its_code(
    open_page: OpenPage, game: str, reason: str
) -> None:
    page = open_page("/")
    words = page.evaluate(
        "([game, reason]) => import('/static/words/index.js').then((words) => words.endInWords(game, reason))",
        [game, reason],
    )
    assert len(words.split()) >= 4


def test_the_end_of_a_fox_hunt_is_said_on_its_page(seat: Sit, tables: Tables) -> None:
    table = seat(tables.play_out("foxhunt", setup=setup("foxhunt", rounds=3)))
    assert table.page.locator(".turn .detail").inner_text().endswith("the last round is over")
    assert "next +" not in table.page.locator(".scores-place").inner_text()
