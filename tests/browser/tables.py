"""What the tests of pages do: begin games over HTTP, and see and touch a table as somebody in front of it does."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Protocol

from httpx2 import Client
from playwright.sync_api import BrowserContext, Locator, Page

from livingtable.game import Data

SCENARIOS = Path(__file__).parents[2] / "engine" / "livingtable" / "games"
FIRST_SEATS = {"botwars": "p1", "skirmish": "ivory", "foxhunt": "p1"}
SMALL = {"botwars": "crossroads", "skirmish": "castle_siege", "foxhunt": "fox_yard"}


def setup(game: str, **changes: Any) -> Data:
    """The small scenario of a game as a set-up of one's own, with changes."""
    text = (SCENARIOS / game / "scenarios" / f"{SMALL[game]}.json").read_text("utf-8")
    return {**json.loads(text), "name": "changed", **changes}


class NewContext(Protocol):
    """Makes a browser of its own; what is given are Playwright's options."""

    def __call__(self, **more: Any) -> BrowserContext: ...


class OpenPage(Protocol):
    """Opens a page at a path, in a browser of its own."""

    def __call__(self, path: str = "/", **more: Any) -> Page: ...


class Sit(Protocol):
    """Sits down in a browser at the page of a game or a room."""

    def __call__(self, path: str, **more: Any) -> Table: ...


class Tables:
    """Plays over REST, as an agent on another machine does."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def post(self, path: str, body: Mapping[str, Any]) -> Data:
        answer = self.client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def get(self, path: str, player_id: str | None = None) -> Data:
        answer = self.client.get(path, headers={"X-Player-Id": player_id} if player_id else {})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def begin(self, game: str, **more: Any) -> str:
        """The path of a new game against the computer."""
        source = {} if "setup" in more else {"scenario": SMALL[game]}
        wish = {**source, "side": FIRST_SEATS[game], "seed": 5, **more}
        return f"/games/{self.post('/games', wish)['sessionId']}"

    def play_out(self, game: str, at_most: int = 500, **more: Any) -> str:
        """The path of a game that is over, or has gone on for so many decisions of the caller's."""
        path = self.begin(game, **more)
        chance, side = Random(2), FIRST_SEATS[game]
        for _ in range(at_most):
            actions = self.get(f"{path}/legal-actions?side={side}")["actions"]
            if not actions:
                break
            self.post(f"{path}/actions", {"action": chance.choice(actions), "side": side})
        return path

    def legal(self, path: str, side: str) -> list[Data]:
        return self.get(f"{path}/legal-actions?side={side}")["actions"]


class Table:
    """A page with a board on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def board(self) -> Locator:
        return self.page.locator("svg.board[role=grid]")

    def wait_until_drawn(self) -> None:
        self.board.wait_for()

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    @property
    def targets(self) -> Locator:
        """The cells on which a click acts."""
        return self.page.locator('[data-can="target"]')

    @property
    def sources(self) -> Locator:
        return self.page.locator('[data-can="source"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    @property
    def version(self) -> int:
        found = re.search(r"version (\d+)", self.board.get_attribute("aria-label") or "")
        assert found
        return int(found[1])

    def wait_for_version(self, version: int) -> None:
        """Until the board shows that version or a later one."""
        self.page.wait_for_function(
            "n => document.querySelector('svg.board').getAttribute('aria-label').split(' ').at(-1) >= n", arg=version
        )

    def wait_for_exactly(self, version: int) -> None:
        """Until the board shows that version, earlier or later than the one before."""
        self.page.wait_for_function(
            "n => document.querySelector('svg.board').getAttribute('aria-label').endsWith(` ${n}`)", arg=version
        )

    @property
    def headline(self) -> str:
        return self.page.locator(".headline").inner_text()

    @property
    def ledger(self) -> list[str]:
        return self.page.locator(".ledger-lines li").all_inner_texts()

    def pieces(self) -> str:
        """What is drawn of pieces: two pages that show the same have the same."""
        return self.page.locator(".layer-pieces").evaluate("layer => layer.textContent")

    def focused(self) -> str:
        return self.page.evaluate("document.activeElement?.dataset?.cell ?? ''")

    def labels(self) -> dict[str, str]:
        """The name of every cell, by its coordinate."""
        script = "cells => Object.fromEntries(cells.map(c => [c.dataset.cell, c.getAttribute('aria-label')]))"
        return self.page.locator("[data-cell]").evaluate_all(script)


def sit_as(open_page: OpenPage, path: str, player_id: str) -> Table:
    """A room's page in the browser of who has that seat."""
    page = open_page("/")
    remember = "([key, value]) => localStorage.setItem(key, JSON.stringify(value))"
    page.evaluate(remember, [f"living-table.seat.{path.removeprefix('/rooms/')}", player_id])
    page.goto(path)
    table = Table(page)
    table.wait_until_drawn()
    return table
