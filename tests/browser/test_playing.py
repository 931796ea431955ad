"""People play in a browser: by mouse, by keyboard alone, and only what the rules allow."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Locator
from tests.browser.tables import FIRST_SEATS, OpenPage, Sit, Table, Tables, setup

GAMES = ["botwars", "skirmish", "foxhunt"]
CLICKS_AT_MOST = 600


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_mouse_to_its_end(seat: Sit, tables: Tables, game: str) -> None:
    path = tables.begin(game, setup=setup(game, **{"foxhunt": {"rounds": 20}}.get(game, {})))
    table, chance = seat(path), Random(7)
    for _ in range(CLICKS_AT_MOST):
        if "win" in table.headline or "draw" in table.headline:
            break
        version = table.version
        _click_something(table, chance)
        table.page.wait_for_function(
            "n => !document.querySelector('svg.board').getAttribute('aria-label').endsWith(` ${n}`)", arg=version
        )
    result = tables.get(path)["result"]
    assert result is not None
    assert table.page.locator(".place-1").count() == len([r for r in result["ranking"] if r["place"] == 1])
    assert table.ledger[-1].startswith("Game over")


def _click_something(table: Table, chance: Random) -> None:
    """A glowing cell, of a piece that had to be clicked first where there are several, or a button."""
    pieces = table.sources.count()
    if pieces > 1 and chance.random() < 0.9:
        table.sources.nth(chance.randrange(pieces)).click()
    if glowing := table.targets.count():
        table.targets.nth(chance.randrange(glowing)).click()
    else:
        table.page.locator(".actions button:not([aria-pressed])").last.click()


@pytest.mark.parametrize("game", GAMES)
def test_only_what_the_legal_actions_list_can_be_clicked(seat: Sit, tables: Tables, game: str) -> None:
    path = tables.play_out(game, at_most=6)
    table, legal = seat(path), tables.legal(path, FIRST_SEATS[game])
    if game == "skirmish":
        pieces = {p["id"]: p["hex"] for p in tables.get(path)["state"]["pieces"]}
        wanted = {(pieces[a["pieceId"]], a["to"]) for a in legal if a["type"] == "move"}
        wanted |= {(pieces[a["attackerId"]], pieces[a["defenderId"]]) for a in legal if a["type"] == "attack"}
        offered = {(source, target) for source in _named(table.sources) for target in _targets_of(table, source)}
        assert offered == wanted
    elif game == "botwars":
        assert set(_named(table.targets)) >= {a["to"] for a in legal if a["type"] == "move"}
        assert table.targets.count() + table.page.locator(".actions button").count() >= len(legal)
    else:
        assert table.targets.count() == len([a for a in legal if a["type"] == "move"])
        if any(a["type"] == "throw" for a in legal):
            table.button("Throw a bomb").click()
            assert table.targets.count() == len([a for a in legal if a["type"] == "throw"])


def _named(cells: Locator) -> list[str]:
    return cells.evaluate_all("cells => cells.map(cell => cell.dataset.cell)")


def _targets_of(table: Table, source: str) -> list[str]:
    table.cell(source).click()
    targets = _named(table.targets)
    table.cell(source).click()
    return targets


def test_a_click_on_a_piece_makes_what_it_reaches_glow_and_a_click_there_moves_it(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    table = seat(path)
    assert table.targets.count() == 0
    table.cell("2,3").click()
    reachable = {a["to"] for a in tables.legal(path, "ivory") if a.get("pieceId") == "ivory-K1"}
    assert set(_named(table.targets)) == reachable
    assert table.page.locator(".glow.move").count() == len(reachable)
    table.cell("3,1").click()
    table.wait_for_version(1)
    assert table.ledger == ["Ivory Knight K1 moves from 2,3 to 3,1, cost 3"]
    assert "ivory Knight K1" in table.labels()["3,1"]


def test_a_click_where_nothing_glows_does_nothing(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    table = seat(path)
    table.cell("2,3").click()
    table.cell("11,5").click()
    table.cell("6,3").click()
    assert tables.get(path)["version"] == 0
    assert table.targets.count() == 0


def test_a_refused_move_says_why(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish", opponent="random")
    table = seat(path)
    table.page.route("**/events?*", lambda route: route.abort())
    table.cell("2,3").click()
    table.page.route("**/actions", lambda route: route.continue_(post_data='{"notation":"K1 > 9,9","side":"ivory"}'))
    table.cell("3,1").click()
    refusal = table.page.locator(".refusal")
    refusal.wait_for()
    assert "9,9" in refusal.inner_text()
    assert tables.get(path)["version"] == 0


def test_a_turn_of_skirmish_by_keyboard_alone(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    table = seat(path)
    _tab_to_board(table)
    table.page.keyboard.press("n")
    assert table.focused() == "2,3"
    table.page.keyboard.press("Enter")
    assert "selected" in table.labels()["2,3"]
    table.page.keyboard.press("ArrowUp")
    table.page.keyboard.press("Enter")
    table.wait_for_version(1)
    assert "moves from 2,3 to" in table.ledger[0]
    table.page.keyboard.press("e")
    table.wait_for_version(3)
    assert tables.get(path)["round"] == 2


def test_a_turn_of_botwars_by_keyboard_alone(seat: Sit, tables: Tables) -> None:
    path = tables.begin("botwars")
    table = seat(path)
    _tab_to_board(table)
    table.page.keyboard.press("n")
    table.page.keyboard.press("Enter")
    table.wait_for_version(1)
    assert table.ledger[0].startswith("p1 moves from 1,5 to")


def test_a_round_of_foxhunt_by_keyboard_alone(seat: Sit, tables: Tables) -> None:
    path = tables.begin("foxhunt", opponent="random")
    table = seat(path)
    _tab_to_board(table)
    table.page.keyboard.press("t")
    assert table.page.locator(".glow.attack").count() > 0
    table.page.keyboard.press("t")
    table.page.keyboard.press("b")
    table.wait_for_version(4)
    assert "p1 bomb" in "\n".join(table.ledger)
    assert tables.get(path)["state"]["bombs"]


def _tab_to_board(table: Table) -> None:
    """From the top of the page, by Tab alone; the focus can be seen then."""
    for _ in range(12):
        table.page.keyboard.press("Tab")
        if table.focused():
            break
    assert table.focused()
    assert table.page.evaluate("document.activeElement.matches(':focus-visible')")
    assert table.page.evaluate("getComputedStyle(document.activeElement).stroke") != "none"


@pytest.mark.parametrize("game", GAMES)
def test_a_cell_is_called_by_its_coordinate_and_by_what_is_there(seat: Sit, tables: Tables, game: str) -> None:
    labels = seat(tables.begin(game)).labels()
    assert all(label.startswith(f"{name} ") and len(label) > len(name) + 3 for name, label in labels.items())
    standing = {"botwars": "player p1 “Ash”, strength", "skirmish": "ivory General S1", "foxhunt": "p1 “p1”"}[game]
    assert len([label for label in labels.values() if standing in label]) == 1


def test_with_every_seat_at_one_screen_both_sides_play_in_turn(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish", side=None)
    table = seat(path)
    table.button("End Turn").click()
    table.wait_for_version(1)
    assert "you are the Crimson Horde" in table.page.locator(".detail").inner_text()
    table.cell("9,2").click()
    table.targets.first.click()
    table.wait_for_version(2)


def test_where_all_choose_at_once_each_own_seat_can_be_chosen_for(seat: Sit, tables: Tables) -> None:
    path = tables.begin("foxhunt", side=None)
    table = seat(path)
    table.page.get_by_role("group", name="Your seats to act").get_by_role("button", name="p3").click()
    table.page.get_by_text("you are p3").wait_for()
    table.button("Stay").click()
    table.wait_for_version(1)
    assert [p["id"] for p in tables.get(path)["state"]["players"] if p["committed"]] == ["p3"]
    assert table.page.locator(".committed").count() == 1


def test_a_game_that_the_server_does_not_have_is_said_to_be_missing(open_page: OpenPage) -> None:
    page = open_page("/games/nothing-of-the-kind")
    assert "This game is not kept here" in page.get_by_role("alert").inner_text()
