"""Pages in Debian's Chromium. Where it is not installed, these tests are skipped and say so."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebError, sync_playwright
from tests.browser.tables import NewContext, OpenPage, Sit, Table, Tables
from tests.web.ci_tools import FOLDER
from tests.web.serving import Site

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDE = {"width": 1280, "height": 860}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site() -> Generator[Site]:
    site = Site("--limit", "games=0", "--limit", "requests=0")
    yield site
    site.stop()


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Not for the whole session: as long as Playwright is started, no other event loop can run in this thread."""
    if not Path(CHROMIUM).exists() and not os.environ.get("CI"):
        pytest.skip(f"Chromium is not installed at {CHROMIUM}")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_context(browser: Browser, site: Site) -> Generator[NewContext]:
    """Makes contexts, each a browser of its own that remembers nothing of the others. A page in which a script fails,
    or that is refused something, fails its test."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def failed(found: WebError) -> None:
        troubles.append(str(found.error))

    def make(**more: Any) -> BrowserContext:
        options: dict[str, Any] = {"viewport": WIDE, "base_url": site.url, "reduced_motion": "reduce", **more}
        context = browser.new_context(**options)
        context.set_default_timeout(15_000)
        context.on("weberror", failed)
        context.on("console", lambda said: troubles.append(said.text) if _is_trouble(said.text) else None)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert troubles == []


def _is_trouble(text: str) -> bool:
    return "Content Security Policy" in text or "Uncaught" in text or "TypeError" in text


@pytest.fixture
def open_page(new_context: NewContext) -> OpenPage:
    def opened(path: str = "/", **more: Any) -> Page:
        page = new_context(**more).new_page()
        page.goto(path)
        return page

    return opened


@pytest.fixture
def tables(site: Site) -> Generator[Tables]:
    """Games and rooms as others begin and play them, without a browser."""
    with site.client() as client:
        yield Tables(client)


@pytest.fixture
def seat(open_page: OpenPage) -> Sit:
    def sit(path: str, **more: Any) -> Table:
        table = Table(open_page(path, **more))
        table.wait_until_drawn()
        return table

    return sit


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker's script."""
    script = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists() and not os.environ.get("CI"):
        pytest.skip("axe-core is not installed; .ci/tools installs it")
    return script.read_text("utf-8")
