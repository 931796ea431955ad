"""How fast the largest table is on the page: until it is ready, and from an event's arrival to its drawing.

python -m tests.benchmarks.page_speed

Needs Debian's Chromium. Limits: ready in under 1 s, drawn within 100 ms (median). Exits with 1 beyond them.
"""

from __future__ import annotations

import statistics
import sys
import time

from playwright.sync_api import Browser, sync_playwright
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.tables import Tables
from tests.web.serving import Site

READY_SECONDS, DRAWN_MS = 1.0, 100.0
PAGES = 5


def main() -> int:
    site = Site("--limit", "games=0", "--limit", "requests=0")
    try:
        with site.client() as client, sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            ready = _seconds_until_ready(browser, site.url, Tables(client))
            drawn = _milliseconds_until_drawn(browser, site.url, Tables(client))
            browser.close()
    finally:
        site.stop()
    sys.stdout.write(
        f"great_hunt ready after {min(ready):.2f} s, median {statistics.median(ready):.2f} s, of {PAGES} pages\n"
    )
    sys.stdout.write(
        f"{len(drawn)} updates drawn after a median of {statistics.median(drawn):.0f} ms, at most {max(drawn):.0f} ms\n"
    )
    return int(min(ready) >= READY_SECONDS or statistics.median(drawn) >= DRAWN_MS)


def _seconds_until_ready(browser: Browser, url: str, tables: Tables) -> list[float]:
    """Each in a browser context that has nothing of the page yet."""
    path = tables.begin("foxhunt", setup=None, scenario="great_hunt", opponent="random")
    seconds: list[float] = []
    for _ in range(PAGES):
        page = browser.new_context(viewport={"width": 1280, "height": 860}, base_url=url).new_page()
        begin = time.perf_counter()
        page.goto(path)
        page.locator('[data-can="target"]').first.wait_for()
        seconds.append(time.perf_counter() - begin)
    return seconds


def _milliseconds_until_drawn(browser: Browser, url: str, tables: Tables) -> list[float]:
    """Measured in the page: from when an event has come in to when the board shows its version."""
    room = tables.post("/rooms", {"scenario": "great_hunt", "seed": 1})
    path = f"/rooms/{room['roomCode']}"
    players = [room["playerId"]] + [tables.post(f"{path}/join", {})["playerId"] for _ in range(15)]
    page = browser.new_context(viewport={"width": 1280, "height": 860}, base_url=url).new_page()
    page.goto(path)
    page.locator("svg.board").wait_for()
    page.evaluate(_WATCH)
    for player in players:
        tables.post(f"{path}/actions", {"playerId": player, "notation": "stay"})
        page.wait_for_timeout(150)
    return page.evaluate("() => globalThis.taken")


_WATCH = """() => {
  globalThis.taken = [];
  const parse = JSON.parse;
  let came = null;
  JSON.parse = (...given) => {
    const data = parse(...given);
    if (data && data.type && data.version && came === null) came = performance.now();
    return data;
  };
  const board = document.querySelector("svg.board");
  new MutationObserver(() => requestAnimationFrame(() => {
    if (came !== null) globalThis.taken.push(performance.now() - came);
    came = null;
  })).observe(board, { attributes: true, attributeFilter: ["aria-label"] });
}"""


if __name__ == "__main__":
    sys.exit(main())
