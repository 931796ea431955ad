"""By keyboard from anywhere on a table's page: nobody has to find the board with Tab first."""

from __future__ import annotations

import pytest
from tests.browser.tables import Sit, Table, Tables

GAMES = ["botwars", "skirmish", "foxhunt"]


@pytest.mark.parametrize("key", ["n", "N", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
@pytest.mark.parametrize("game", GAMES)
def test_a_key_leads_to_the_board_as_soon_as_the_page_is_there(seat: Sit, tables: Tables, game: str, key: str) -> None:
    table = seat(tables.begin(game))
    table.page.keyboard.press(key)
    assert table.focused()


@pytest.mark.parametrize("game", GAMES)
def test_n_and_enter_play_without_a_mouse_or_tab(seat: Sit, tables: Tables, game: str) -> None:
    path = tables.begin(game)
    table = seat(path)
    for key in ["n", "Enter"] * (2 if game == "skirmish" else 1):
        table.page.keyboard.press(key)
    table.wait_for_version(1)
    assert tables.get(path)["version"] >= 1


def test_after_a_click_on_a_button_the_keys_work_again(seat: Sit, tables: Tables) -> None:
    table = seat(tables.begin("skirmish"))
    table.button("Larger").click()
    table.page.keyboard.press("n")
    assert table.cell(table.focused()).get_attribute("data-can") == "source"


def test_with_a_piece_chosen_n_goes_round_what_that_piece_can_do(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    table = seat(path)
    table.page.keyboard.press("n")
    chosen = table.focused()
    table.page.keyboard.press("Enter")
    pieces = {piece["hex"]: piece["id"] for piece in tables.get(path)["state"]["pieces"]}
    reachable = {a["to"] for a in tables.legal(path, "ivory") if a.get("pieceId") == pieces[chosen]}
    visited: list[str] = []
    for _ in range(2 * len(reachable)):
        table.page.keyboard.press("n")
        visited.append(table.focused())
    assert set(visited) == reachable
    assert visited[: len(reachable)] == visited[len(reachable) :]
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("n")
    assert table.focused() in pieces


def test_what_is_typed_into_a_field_is_not_taken_for_a_key(seat: Sit, tables: Tables) -> None:
    table = seat(f"/rooms/{tables.post('/rooms', {'scenario': 'castle_siege'})['roomCode']}")
    name = table.page.get_by_label("Your name")
    name.press_sequentially("nne")
    assert name.input_value() == "nne"
    assert not table.focused()


def test_who_looks_on_scrolls_with_the_arrows(seat: Sit, tables: Tables) -> None:
    table: Table = seat(f"/rooms/{tables.post('/rooms', {'scenario': 'castle_siege'})['roomCode']}")
    table.page.keyboard.press("ArrowDown")
    assert not table.focused()
