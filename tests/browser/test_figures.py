"""How much a table's page loads, and from where. How fast it is, `tests.benchmarks.page_speed` measures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser.tables import NewContext, Tables

STATIC = Path(__file__).parents[2] / "server" / "livingtable_server" / "web" / "static"
TABLE_BYTES = 150_000


def test_script_and_style_of_a_table_are_together_under_150_kb(new_context: NewContext, tables: Tables) -> None:
    page = new_context().new_page()
    loaded: list[str] = []
    page.on("response", lambda answer: loaded.append(answer.url) if "/static/" in answer.url else None)
    page.goto(tables.begin("skirmish"))
    page.locator("svg.board").wait_for()
    files = [STATIC / url.split("/static/")[1] for url in loaded if url.endswith((".js", ".css"))]
    assert len(files) > 15
    assert sum(file.stat().st_size for file in files) < TABLE_BYTES


def test_a_page_asks_no_other_server(new_context: NewContext, tables: Tables, site: Any) -> None:
    page = new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/", tables.begin("foxhunt"), "/replay"):
        page.goto(path)
        page.wait_for_load_state("load")
    assert asked
    assert [url for url in asked if not url.startswith(site.url)] == []
