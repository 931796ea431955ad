"""People and agents in one room: all see the same, at once, and again after a break."""

from __future__ import annotations

import re

from tests.browser.tables import NewContext, OpenPage, Sit, Table, Tables, setup, sit_as

MARKUP = "<b onload=x>&amp;</b>\"'`"


def _made(tables: Tables, scenario: str = "castle_siege", **more: object) -> tuple[str, str, str]:
    """A room: its path, its code, the secret of its maker."""
    room = tables.post("/rooms", {"scenario": scenario, "seed": 5, **more})
    return f"/rooms/{room['roomCode']}", room["roomCode"], room["playerId"]


def test_two_browsers_and_an_agent_in_one_room_see_the_same(seat: Sit, open_page: OpenPage, tables: Tables) -> None:
    lobby = open_page("/")
    lobby.get_by_role("button", name="Play Castle Siege").click()
    lobby.get_by_label("Your name").fill("Ada")
    lobby.get_by_role("button", name="Make a room").click()
    ada = Table(lobby)
    ada.wait_until_drawn()
    assert ada.headline == "Waiting for players"
    path = re.sub(r"^https?://[^/]+", "", ada.page.url)
    agent = tables.post(f"{path}/join", {"name": "Bo", "controller": "agent"})
    watcher = seat(path)
    ada.page.get_by_text("Your turn").wait_for()
    ada.cell("2,3").click()
    ada.cell("3,1").click()
    ada.button("End Turn").click()
    for table in (ada, watcher):
        table.wait_for_version(2)
    assert watcher.headline == "crimson “Bo” to act"
    moved = tables.post(f"{path}/actions", {"playerId": agent["playerId"], "notation": "G1 > 7,2"})
    assert moved["ok"]
    for table in (ada, watcher):
        table.wait_for_version(3)
    state = tables.get(path, agent["playerId"])
    assert ada.pieces() == watcher.pieces()
    assert ada.labels() == {**watcher.labels()}
    assert "crimson Goblin G1" in ada.labels()["7,2"]
    assert [event["type"] for event in state["events"]][-1] == "moved"
    assert ada.ledger == watcher.ledger


def test_the_room_says_in_plain_words_that_its_maker_chose_the_seed(seat: Sit, tables: Tables) -> None:
    words = "The seed 7 was chosen by the room’s maker"
    seat(_made(tables, seed=7)[0]).page.get_by_role("region", name="Room").get_by_text(words).wait_for()
    drawn = seat(_made(tables, seed=None)[0])
    drawn.page.get_by_role("button", name="Take the seat").wait_for()
    assert drawn.page.get_by_text("was chosen by the room").count() == 0


def test_somebody_who_comes_by_the_link_takes_the_open_seat(seat: Sit, tables: Tables) -> None:
    path, _, player = _made(tables)
    table = seat(path)
    table.page.get_by_label("Your name").fill("Cleo")
    table.button("Take the seat").click()
    table.page.get_by_text("you are crimson “Cleo”").wait_for()
    players = tables.get(path, player)["players"]
    assert [(p["side"], p["name"], p["controller"]) for p in players][1] == ("crimson", "Cleo", "human")


def test_a_name_that_is_being_typed_stays_when_somebody_else_sits_down(seat: Sit, tables: Tables) -> None:
    path, _, _player = _made(tables, "fox_yard")
    table = seat(path)
    table.page.get_by_label("Your name").press_sequentially("Cl")
    tables.post(f"{path}/join", {"name": "Dora"})
    table.page.locator(".scores-place").get_by_text("Dora").wait_for()
    table.page.keyboard.type("eo")
    assert table.page.get_by_label("Your name").input_value() == "Cleo"


def test_the_maker_seats_a_bot_and_the_bot_plays(open_page: OpenPage) -> None:
    table = _room_of_ones_own(open_page)
    table.page.get_by_role("button", name="crimson", exact=True).click()
    table.page.get_by_text("Your turn").wait_for()
    table.button("End Turn").click()
    table.wait_for_version(3)


def test_who_leaves_gives_the_seat_to_a_bot(open_page: OpenPage, tables: Tables) -> None:
    table = _room_of_ones_own(open_page)
    path = re.sub(r"^https?://[^/]+", "", table.page.url)
    table.page.on("dialog", lambda dialog: dialog.accept())
    table.button("Leave (a bot takes over)").click()
    table.page.get_by_text("you are looking on").wait_for()
    players = tables.get(path)["players"]
    assert [p["controller"] for p in players if p["side"] == "ivory"] == ["bot:greedy"]


def _room_of_ones_own(open_page: OpenPage) -> Table:
    lobby = open_page("/")
    lobby.get_by_role("button", name="Play Castle Siege").click()
    lobby.get_by_role("button", name="Make a room").click()
    table = Table(lobby)
    table.wait_until_drawn()
    return table


def test_after_60_seconds_offline_the_board_catches_up_by_itself(seat: Sit, tables: Tables) -> None:
    path, _, ivory = _made(tables)
    crimson = tables.post(f"{path}/join", {})["playerId"]
    table = seat(path)
    table.page.clock.install()
    table.page.context.set_offline(True)
    table.page.get_by_text("The connection is lost").wait_for()
    for player, notation in ((ivory, "K1 > 3,1"), (ivory, "end"), (crimson, "G1 > 7,2")):
        assert tables.post(f"{path}/actions", {"playerId": player, "notation": notation})["ok"]
    table.page.clock.run_for(60_000)
    assert table.version == 0
    table.page.context.set_offline(False)
    table.page.clock.run_for(6_000)
    table.wait_for_version(3)
    assert [line.split(" moves")[0] for line in table.ledger] == [
        "Ivory Knight K1",
        "Ivory ends turn 1",
        "Crimson Goblin G1",
    ]
    assert not table.page.locator("#connection").is_visible()


def test_names_with_markup_are_shown_as_they_are_written(seat: Sit, tables: Tables) -> None:
    path, _, _player = _made(tables, name=MARKUP)
    tables.post(f"{path}/join", {"name": "<svg/onload=alert()>"})
    table = seat(path)
    shown = table.page.locator(".scores .name").all_inner_texts()
    assert shown == [MARKUP, "<svg/onload=alert()>"]
    assert table.headline == f"ivory “{MARKUP}” to act"
    assert table.page.locator("b, .scores svg").count() == 0


def test_in_a_game_names_of_characters_with_markup_are_text_everywhere(seat: Sit, tables: Tables) -> None:
    given = setup("botwars")
    given["characters"] = [{**c, "name": f"<img src=x>{i}"} for i, c in enumerate(given["characters"])]
    table = seat(tables.begin("botwars", setup=given))
    assert table.page.locator("img").count() == 0
    assert "<img src=x>0" in table.labels()["1,5"]


def test_bots_are_watched_in_a_room_of_their_own(open_page: OpenPage) -> None:
    lobby = open_page("/")
    lobby.get_by_role("button", name="Play Crossroads").click()
    lobby.get_by_role("button", name="Watch bots").click()
    table = Table(lobby)
    table.wait_until_drawn()
    table.wait_for_version(2)
    assert table.targets.count() == 0
    assert "you are looking on" in table.page.locator(".detail").inner_text()


def test_it_is_said_in_the_title_when_it_is_ones_turn(seat: Sit, tables: Tables) -> None:
    path, _, player = _made(tables)
    table = seat(path)
    table.button("Take the seat").click()
    table.page.get_by_text("you are crimson").wait_for()
    table.page.wait_for_function("() => document.title.startsWith('Castle Siege')")
    assert tables.post(f"{path}/actions", {"playerId": player, "notation": "end"})["ok"]
    table.page.wait_for_function("() => document.title.startsWith('● Your turn')")


def test_a_code_typed_in_the_lobby_leads_to_the_room(open_page: OpenPage, tables: Tables) -> None:
    path, code, _player = _made(tables)
    lobby = open_page("/")
    lobby.get_by_label("Room code").fill(code.lower())
    lobby.get_by_role("button", name="Go to the room").click()
    Table(lobby).wait_until_drawn()
    assert lobby.url.endswith(path)


def _decided(tables: Tables) -> tuple[str, str, str]:
    """A room whose game is over after a move: its path and the secrets of both sides."""
    given = setup("skirmish", pieces=[_piece("K", "ivory", "10,5"), _piece("O", "crimson", "8,7")])
    room = tables.post("/rooms", {"setup": given, "name": "Ada", "side": "ivory"})
    path = f"/rooms/{room['roomCode']}"
    other = tables.post(f"{path}/join", {"name": "Bo"})["playerId"]
    assert tables.post(f"{path}/actions", {"playerId": room["playerId"], "notation": "K1 > 11,5"})["result"]
    return path, room["playerId"], other


def _piece(kind: str, side: str, place: str) -> dict[str, str]:
    return {"kind": kind, "side": side, "hex": place}


def test_both_players_go_on_in_a_rematch_on_the_same_seats(open_page: OpenPage, tables: Tables) -> None:
    path, ivory, crimson = _decided(tables)
    ada, bo = sit_as(open_page, path, ivory), sit_as(open_page, path, crimson)
    assert ada.headline == "ivory “Ada” wins"
    ada.button("Rematch").click()
    ada.page.get_by_text("Waiting for players").wait_for()
    bo.button("Join it").click()
    bo.page.get_by_text("you are crimson “Bo”").wait_for()
    ada.page.get_by_text("Your turn").wait_for()
    assert ada.page.url == bo.page.url
    assert not ada.page.url.endswith(path)


def test_bots_sit_in_the_rematch_where_they_sat_before(tables: Tables) -> None:
    given = setup("skirmish", pieces=[_piece("K", "ivory", "10,5"), _piece("O", "crimson", "8,7")])
    room = tables.post("/rooms", {"setup": given})
    path, player = f"/rooms/{room['roomCode']}", room["playerId"]
    tables.post(f"{path}/bots", {"playerId": player, "side": "crimson", "bot": "random"})
    tables.post(f"{path}/actions", {"playerId": player, "notation": "K1 > 11,5"})
    again = tables.post(f"{path}/rematch", {"playerId": player})
    assert [p["controller"] for p in tables.get(f"/rooms/{again['roomCode']}")["players"]] == ["human", "bot:random"]
    assert tables.get(path)["room"]["rematch"] == again["roomCode"]


def test_there_is_no_rematch_before_the_end_nor_for_strangers(tables: Tables) -> None:
    path, _code, player = _made(tables)
    early = tables.client.post(f"{path}/rematch", json={"playerId": player})
    assert (early.status_code, "over" in early.json()["detail"]) == (409, True)
    assert tables.client.post(f"{path}/rematch", json={"playerId": "x" * 22}).status_code == 403


def test_the_seconds_that_are_left_to_choose_are_counted_down(seat: Sit, tables: Tables) -> None:
    table = seat(tables.begin("foxhunt", setup=setup("foxhunt", roundSeconds=30.0), opponent="random"))
    clock = table.page.get_by_role("timer")
    clock.wait_for()
    before = float(clock.inner_text().split()[0])
    table.page.wait_for_function("n => parseFloat(document.querySelector('[role=timer]').textContent) < n", arg=before)
    assert before <= 30


def test_who_looks_elsewhere_and_asked_for_it_is_notified(new_context: NewContext, tables: Tables) -> None:
    path, _code, player = _made(tables)
    joined = tables.post(f"{path}/join", {})["playerId"]
    context = new_context()
    context.add_init_script(_ELSEWHERE)
    page = context.new_page()
    page.goto("/")
    page.evaluate("([k, v]) => localStorage.setItem(k, JSON.stringify(v))", [f"living-table.seat.{path[7:]}", joined])
    page.goto(path)
    Table(page).wait_until_drawn()
    page.get_by_role("heading", name="Castle Siege").wait_for()
    assert page.evaluate("() => notices") == []
    tables.post(f"{path}/actions", {"playerId": player, "notation": "end"})
    page.wait_for_function("() => notices.length === 1")
    assert page.evaluate("() => notices[0]") == ["Your turn", "Castle Siege"]


_ELSEWHERE = """
globalThis.notices = [];
globalThis.Notification = class extends EventTarget {
  static permission = "granted";
  constructor(title, { body }) {
    super();
    notices.push([title, body]);
  }
};
Object.defineProperty(document, "hidden", { get: () => true });
"""


def test_who_has_lost_the_seat_to_a_bot_looks_on(open_page: OpenPage, tables: Tables) -> None:
    path, _code, player = _made(tables)
    tables.post(f"{path}/join", {})
    table = sit_as(open_page, path, player)
    assert "you are ivory" in table.page.locator(".detail").inner_text()
    tables.post(f"{path}/bots", {"playerId": player, "side": "ivory"})
    table.page.get_by_text("you are looking on").wait_for()
    assert table.targets.count() == 0
