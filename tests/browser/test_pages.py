"""Pages and static files as they go over the wire; without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browser.tables import Tables

from livingtable_server.web.pages import STATIC

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PAGES = ["/", "/replay", "/replay/anything"]
MODULES = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.js"))
IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "(\.{1,2}/[\w./]+\.js)";$')
EXPORT = re.compile(r"^export (?:async function|function|class|const) (\w+)")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_html_that_runs_nothing_but_the_servers_own_script(tables: Tables, path: str) -> None:
    answer = tables.client.get(path, headers=HTML)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert (policy["default-src"], policy["script-src"], policy["style-src"]) == ("'none'", "'self'", "'self'")
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert re.findall(r"<script(?![^>]* src=)|<style| on\w+=| style=|https?:", answer.text) == []


def test_a_games_address_is_a_page_to_a_browser_and_json_to_everybody_else(tables: Tables) -> None:
    path = tables.begin("skirmish")
    page = tables.client.get(path, headers=HTML)
    assert (page.headers["content-type"], page.headers["vary"]) == ("text/html; charset=utf-8", "Accept")
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        assert tables.client.get(path, headers=headers).json()["game"] == "skirmish"


def test_the_page_of_a_game_holds_nothing_of_the_game(tables: Tables) -> None:
    path = tables.begin("skirmish")
    assert path.removeprefix("/games/") not in tables.client.get(path, headers=HTML).text


def test_a_room_is_a_page_to_a_browser(tables: Tables) -> None:
    code = tables.post("/rooms", {"scenario": "castle_siege"})["roomCode"]
    assert tables.client.get(f"/rooms/{code}", headers=HTML).headers["content-type"].startswith("text/html")


def test_other_methods_and_paths_are_not_taken_for_pages(tables: Tables) -> None:
    answer = tables.client.post("/games", json={"scenario": "castle_siege"}, headers=HTML)
    assert answer.headers["content-type"] == "application/json"
    assert tables.client.post("/nothing", json={}, headers=HTML).json()["status"] == 404


@pytest.mark.parametrize("path", ["/nothing", "/rooms/", "/games/x/y/z", "/rooms/AB%2FCD/"])
def test_an_address_that_is_not_known_is_a_page_to_a_browser_and_json_to_who_accepts_that_alone(
    tables: Tables, path: str
) -> None:
    page = tables.client.get(path, headers=HTML)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no page at this address" in page.text
    assert tables.client.get(path, headers={"Accept": "application/json"}).json()["status"] == 404


ANYTHING = [{"Accept": "*/*"}, {"Accept": ""}, {"Accept": "text/*;q=0.3, image/png"}, HTML]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accept", ANYTHING, ids=lambda headers: headers["Accept"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_given_to_whoever_accepts_one(tables: Tables, path: str, accept: dict[str, str], method: str) -> None:
    answer = tables.client.request(method, path, headers=accept)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert bool(answer.content) is (method == "GET")


def test_an_unknown_address_outside_the_api_is_a_page_to_whoever_accepts_one(tables: Tables) -> None:
    assert tables.client.get("/nothing", headers={"Accept": "*/*"}).headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/games/x/y/z", "/rooms/", "/records/x", "/api/x", "/mcp/x", "/rules"])
def test_an_unknown_address_of_the_api_is_a_problem_to_who_does_not_prefer_pages(tables: Tables, path: str) -> None:
    assert tables.client.get(path, headers={"Accept": "*/*"}).json()["status"] == 404


@pytest.mark.parametrize(
    ("accept", "page"),
    [
        ("text/html", True),
        ("text/*", True),
        ("application/json;q=0.5, text/html", True),
        ("application/json, text/html;q=0.9", False),
        ("text/html;q=0, */*", False),
        ("*/*", False),
    ],
)
def test_a_games_address_is_a_page_to_who_prefers_one(tables: Tables, accept: str, page: bool) -> None:
    answer = tables.client.get(tables.begin("skirmish"), headers={"Accept": accept})
    assert answer.headers["content-type"].startswith("text/html") is page
    assert answer.headers["vary"] == "Accept"


@pytest.mark.parametrize(
    "name",
    ["../pages.py", "%2e%2e/pages.py", "..%2fpages.py", "/etc/passwd", "%00", "pages", "", "boards/", "CON", "x."],
)
def test_nothing_but_the_static_files_can_be_had(tables: Tables, name: str) -> None:
    answer = tables.client.get(f"/static/{name}")
    assert answer.status_code == 404
    assert "def " not in answer.text


def test_a_browser_that_has_a_file_does_not_get_it_again(tables: Tables) -> None:
    first = tables.client.get("/static/board.css")
    assert first.headers["content-type"] == "text/css; charset=utf-8"
    again = tables.client.get("/static/board.css", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_every_file_that_a_page_or_a_module_names_is_there(tables: Tables) -> None:
    named = {
        name for page in STATIC.glob("*.html") for name in re.findall(r'"/static/([^"]+)"', page.read_text("utf-8"))
    }
    named |= {target for module in MODULES for _, target in imports(module)}
    assert len(named) > 20
    assert [name for name in sorted(named) if tables.client.get(f"/static/{name}").status_code != 200] == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_what_others_export_and_uses_it(module: str) -> None:
    """In the one form that the page of the App is put together from."""
    source = (STATIC / module).read_text("utf-8")
    loose = [line for line in source.splitlines() if re.match(r"(import|export)\b", line)]
    assert [line for line in loose if not IMPORT.match(line) and not EXPORT.match(line)] == []
    for names, target in imports(module):
        exported = {
            found[1] for line in (STATIC / target).read_text("utf-8").splitlines() if (found := EXPORT.match(line))
        }
        assert set(names) <= exported
        assert [name for name in names if len(re.findall(rf"\b{name}\b", source)) < 2] == []


@pytest.mark.parametrize("module", MODULES)
def test_no_module_makes_markup_out_of_text_or_code_out_of_data(module: str) -> None:
    source = (STATIC / module).read_text("utf-8")
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser", source)
        == []
    )


def test_no_module_is_left_that_nobody_imports() -> None:
    entries = {
        name for page in STATIC.glob("*.html") for name in re.findall(r'"/static/([^"]+\.js)"', page.read_text("utf-8"))
    }
    imported = {target for module in MODULES for _, target in imports(module)}
    assert set(MODULES) - imported - entries == {"app/app.js"}


def imports(module: str) -> Iterator[tuple[list[str], str]]:
    """Names, and the path of the module that they are from."""
    for line in (STATIC / module).read_text("utf-8").splitlines():
        if found := IMPORT.match(line):
            target = Path((STATIC / module).parent / found[2]).resolve().relative_to(STATIC.resolve())
            yield found[1].split(", "), target.as_posix()
