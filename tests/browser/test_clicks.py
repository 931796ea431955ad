"""No click is lost: not one that comes while a move is on its way, nor one during which the page is drawn anew."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route
from tests.browser.tables import OpenPage, Sit, Table, Tables, sit_as


class HeldBack:
    """Moves that a page sends, kept on their way until somebody lets them go on."""

    def __init__(self, page: Page) -> None:
        self.sent: list[Any] = []
        self._waiting: list[Route] = []
        page.route("**/actions", self._hold)

    def _hold(self, route: Route) -> None:
        self.sent.append(json.loads(route.request.post_data or "")["action"])
        self._waiting.append(route)

    def go_on(self) -> None:
        self._waiting.pop(0).continue_()


@pytest.fixture
def room(open_page: OpenPage, tables: Tables) -> tuple[Table, str, str]:
    """Ivory's page of a game of skirmish against an agent, its path, and the agent's secret."""
    made = tables.post("/rooms", {"scenario": "castle_siege", "seed": 5})
    path = f"/rooms/{made['roomCode']}"
    agent = tables.post(f"{path}/join", {"name": "Bo", "controller": "agent"})
    table = sit_as(open_page, path, made["playerId"])
    table.page.get_by_text("Your turn").wait_for()
    return table, path, agent["playerId"]


def _move_g1(table: Table) -> None:
    table.cell("2,3").click()
    table.cell("3,1").click()


def test_what_is_clicked_while_a_move_is_on_its_way_is_done_after_it(room: tuple[Table, str, str]) -> None:
    table = room[0]
    moves = HeldBack(table.page)
    _move_g1(table)
    table.button("End Turn").click()
    moves.go_on()
    table.wait_for_version(1)
    moves.go_on()
    table.wait_for_version(2)
    assert [action["type"] for action in moves.sent] == ["move", "end_turn"]


def test_a_double_click_acts_once(seat: Sit, tables: Tables) -> None:
    table = seat(tables.begin("skirmish"))
    moves = HeldBack(table.page)
    table.button("End Turn").dblclick()
    moves.go_on()
    table.page.get_by_text("Your turn").wait_for()
    table.wait_for_version(2)
    table.page.unroute("**/actions")
    assert [action["type"] for action in moves.sent] == ["end_turn"]


def test_what_was_clicked_too_early_is_not_done_on_a_board_that_others_have_changed(seat: Sit, tables: Tables) -> None:
    table = seat(tables.begin("skirmish"))
    moves = HeldBack(table.page)
    table.button("End Turn").click()
    _move_g1(table)
    moves.go_on()
    table.page.get_by_text("it was not done. Choose again.").wait_for()
    assert [action["type"] for action in moves.sent] == ["end_turn"]


def test_a_button_that_is_drawn_anew_while_it_is_pressed_still_acts(
    room: tuple[Table, str, str], tables: Tables
) -> None:
    table, path, agent = room
    table.button("End Turn").hover()
    table.page.mouse.down()
    tables.post(f"{path}/bots", {"playerId": agent, "side": "crimson"})
    table.page.locator(".scores-place").get_by_text("bot").wait_for()
    table.page.mouse.up()
    table.wait_for_version(1)
