"""Every page is checked by axe-core, in both colour schemes: nothing serious is found."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.tables import OpenPage, Tables

SERIOUS = ("serious", "critical")


def _paths(tables: Tables) -> dict[str, str]:
    room = tables.post("/rooms", {"scenario": "castle_siege"})["roomCode"]
    over = tables.play_out("skirmish")
    return {
        "lobby": "/",
        "botwars": tables.play_out("botwars", at_most=8),
        "skirmish": tables.begin("skirmish"),
        "foxhunt": tables.play_out("foxhunt", at_most=8),
        "over": over,
        "room": f"/rooms/{room}",
        "replay": over.replace("games", "replay"),
        "chooser": "/replay",
        "nothing": "/games/none",
        "nowhere": "/no/page",
    }


@pytest.fixture(scope="module")
def paths(site: Any) -> dict[str, str]:
    with site.client() as client:
        return _paths(Tables(client))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", ["lobby", "botwars", "skirmish", "foxhunt", "over", "room", "replay", "chooser", "nothing", "nowhere"]
)
def test_axe_finds_nothing_serious_on_the_page(
    open_page: OpenPage, axe: str, paths: dict[str, str], name: str, scheme: str
) -> None:
    page = open_page(paths[name], color_scheme=scheme, bypass_csp=True)
    page.wait_for_load_state("load")
    page.wait_for_timeout(0)
    page.locator("svg.board, [role=alert]:not([hidden]), input[type=file], .nowhere-page .card").first.wait_for()
    assert _findings(page, axe) == []


def test_axe_finds_nothing_serious_in_the_dialogs(open_page: OpenPage, axe: str, paths: dict[str, str]) -> None:
    page = open_page("/", bypass_csp=True)
    page.get_by_role("button", name="Play Crossroads").click()
    assert _findings(page, axe) == []
    page = open_page(paths["skirmish"], bypass_csp=True)
    page.get_by_role("button", name="Rules").click()
    page.locator(".rules-text h4").first.wait_for()
    assert _findings(page, axe) == []


def _findings(page: Any, axe: str) -> list[str]:
    page.evaluate(axe)
    violations = page.evaluate("() => axe.run().then(found => found.violations)")
    return [
        f"{v['id']}: {v['help']}: {[node['target'] for node in v['nodes']][:4]}"
        for v in violations
        if v["impact"] in SERIOUS
    ]
