"""Records are stepped through, to what they say of the end, and taken along as pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.browser.tables import NewContext, OpenPage, Sit, Table, Tables, setup
from tests.web.serving import Site

GAMES = ["botwars", "skirmish", "foxhunt"]


def _replay_of(path: str) -> str:
    return path.replace("/games/", "/replay/")


def _finished(tables: Tables, game: str) -> str:
    return tables.play_out(game, setup=setup(game, **({"rounds": 12} if game == "foxhunt" else {})))


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_ends_with_the_recorded_end_on_the_recorded_board(seat: Sit, tables: Tables, game: str) -> None:
    path = _finished(tables, game)
    record = tables.get(f"{path}/record")["record"]
    table = seat(_replay_of(path))
    table.button("To the end").click()
    table.wait_for_version(len(record["actions"]))
    live = seat(path)
    assert table.pieces() == live.pieces()
    assert [label.split(";")[0] for label in table.labels().values()] == [
        label.split(";")[0] for label in live.labels().values()
    ]
    winners = record["result"]["winners"]
    assert table.headline.startswith(f"{', '.join(winners)} wins" if winners else "No winner")


def test_a_replay_steps_plays_pauses_and_jumps_to_battles(seat: Sit, tables: Tables) -> None:
    path = _finished(tables, "skirmish")
    table = seat(_replay_of(path))
    assert (table.version, table.headline) == (0, "The start")
    table.button("One step on").click()
    table.wait_for_version(1)
    table.button("The next battle").click()
    table.page.wait_for_function("() => document.querySelector('.ledger-lines .now.battle') !== null")
    assert " x " in table.headline
    battle = table.version
    table.button("One step back").click()
    table.page.wait_for_function(
        "n => document.querySelector('svg.board').getAttribute('aria-label').endsWith(` ${n}`)", arg=battle - 1
    )
    table.page.get_by_label("Speed").select_option("8×")
    table.button("Play").click()
    table.wait_for_version(battle + 2)
    table.button("Pause").click()
    assert table.button("Play").is_visible()


KEYS = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", -1), ("Home", 0), (".", 1), (",", 0)]


@pytest.mark.parametrize("game", GAMES)
def test_the_keys_step_from_anywhere_on_the_page(seat: Sit, tables: Tables, game: str) -> None:
    path = _finished(tables, game)
    versions = tables.get(f"{path}/frames")["versions"]
    table = seat(_replay_of(path))
    for key, frame in KEYS:
        table.page.keyboard.press(key)
        table.wait_for_exactly(versions[frame])


def test_the_space_bar_plays_and_pauses(seat: Sit, tables: Tables) -> None:
    table = seat(_replay_of(_finished(tables, "botwars")))
    table.page.keyboard.press(" ")
    table.wait_for_version(1)
    table.page.keyboard.press(" ")
    assert table.button("Play").is_visible()


def test_a_step_is_told_to_who_hears_the_page_as_what_happened(seat: Sit, tables: Tables) -> None:
    path = _finished(tables, "skirmish")
    table = seat(_replay_of(path))
    table.page.keyboard.press("ArrowRight")
    table.wait_for_exactly(1)
    told = table.page.locator(".table [aria-live=polite].hidden").inner_text()
    assert told == "; ".join(table.page.locator(".ledger-lines .now").all_inner_texts()).strip()
    assert "action" not in told
    assert "action 1 of" in (table.page.get_by_role("slider", name="Moment").get_attribute("aria-valuetext") or "")


def test_the_slider_goes_to_any_moment(seat: Sit, tables: Tables) -> None:
    table = seat(_replay_of(_finished(tables, "botwars")))
    slider = table.page.get_by_role("slider", name="Moment")
    slider.fill("17")
    table.wait_for_version(17)
    slider.press("ArrowRight")
    table.wait_for_version(18)
    assert table.page.url.endswith("#v=18")


def test_a_link_leads_to_its_moment(seat: Sit, tables: Tables) -> None:
    path = _replay_of(_finished(tables, "skirmish"))
    assert seat(f"{path}#v=9").version == 9


def test_a_record_from_a_file_is_replayed_without_its_game(open_page: OpenPage, tables: Tables, tmp_path: Path) -> None:
    record = tables.get(f"{_finished(tables, 'botwars')}/record")["record"]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), "utf-8")
    page = open_page("/replay")
    page.get_by_label("Record").set_input_files(file)
    table = Table(page)
    table.wait_until_drawn()
    table.button("To the end").click()
    table.wait_for_version(len(record["actions"]))


def test_of_a_file_with_many_records_one_is_chosen(open_page: OpenPage, tables: Tables, tmp_path: Path) -> None:
    records = [tables.get(f"{tables.play_out(game, at_most=3)}/record")["record"] for game in GAMES]
    file = tmp_path / "all.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    page = open_page("/replay")
    page.get_by_label("Record").set_input_files(file)
    page.get_by_role("heading", name="3 records in all.jsonl").wait_for()
    choice = page.get_by_label("Which one")
    assert [text.split(" · ")[:2] for text in choice.locator("option").all_inner_texts()] == [
        ["1. Crossroads", "botwars"],
        ["2. Castle Siege", "skirmish"],
        ["3. Fox in the Yard", "foxhunt"],
    ]
    choice.select_option("1")
    page.get_by_role("button", name="Replay it").click()
    Table(page).wait_until_drawn()
    assert page.locator("#title").inner_text() == "Castle Siege"


def test_a_file_of_records_with_one_line_is_shown_at_once(open_page: OpenPage, tables: Tables, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(tables.get(f"{tables.begin('skirmish')}/record")["record"]) + "\n", "utf-8")
    page = open_page("/replay")
    page.get_by_label("Record").set_input_files(file)
    Table(page).wait_until_drawn()


@pytest.mark.parametrize(("text", "said"), [("no", "is no JSON file"), ('{"a": 1}\nno\n', "line 2 is no JSON")])
def test_a_file_that_is_no_json_says_where(open_page: OpenPage, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "holiday.jsonl"
    file.write_text(text, "utf-8")
    page = open_page("/replay")
    page.get_by_label("Record").set_input_files(file)
    assert said in page.get_by_role("alert").inner_text()


def test_a_file_that_is_no_record_is_said_to_be_none(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "holiday.json"
    file.write_text('{"format": "something"}', "utf-8")
    page = open_page("/replay")
    page.get_by_label("Record").set_input_files(file)
    page.get_by_role("alert").wait_for()
    assert "format" in page.get_by_role("alert").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_record_and_board_are_taken_along_as_files(seat: Sit, tables: Tables, game: str) -> None:
    path = tables.play_out(game, at_most=5)
    table = seat(path)
    table.page.get_by_text("Download", exact=True).click()
    assert json.loads(_downloaded(table, "Record (JSON)"))["format"] == "living-table/1"
    picture = ElementTree.fromstring(_downloaded(table, "Board (SVG)"))
    assert "var(" not in ElementTree.tostring(picture, "unicode")
    assert len(list(picture.iter())) > 50
    assert _downloaded(table, "Board (PNG)").startswith(b"\x89PNG\r\n")


def _downloaded(table: Table, button: str) -> bytes:
    with table.page.expect_download() as coming:
        table.button(button).click()
    return Path(coming.value.path()).read_bytes()


@pytest.fixture
def guarded() -> Iterator[Site]:
    site = Site("--limit", "games=0", environment={"LIVING_TABLE_TOKEN": "sesame"})
    yield site
    site.stop()


def test_a_server_with_a_token_is_asked_for_it_before_it_shows_a_file(
    guarded: Site, new_context: NewContext, tables: Tables, tmp_path: Path
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(tables.get(f"{_finished(tables, 'botwars')}/record")["record"]), "utf-8")
    page = new_context(base_url=guarded.url).new_page()
    page.goto("/replay")
    page.get_by_label("Record").set_input_files(file)
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Show the record").click()
    page.get_by_text("That is not this server’s token").wait_for()
    page.get_by_label("Token").fill("sesame")
    page.get_by_label("Token").press("Enter")
    Table(page).wait_until_drawn()


def test_a_round_is_told_without_that_somebody_had_chosen(seat: Sit, tables: Tables) -> None:
    table = seat(_replay_of(_finished(tables, "foxhunt")))
    table.page.keyboard.press("ArrowRight")
    told = table.page.locator(".table [aria-live=polite].hidden")
    table.page.wait_for_function("() => document.querySelector('.table .hidden[aria-live]').textContent.includes(':')")
    assert told.inner_text().startswith("Round 1: ")
    assert "has chosen" not in told.inner_text()
    table.page.keyboard.press("End")
    table.page.wait_for_function(
        "() => document.querySelector('.table .hidden[aria-live]').textContent.includes('Game over')"
    )


def test_the_end_is_told_even_after_a_great_deal(open_page: OpenPage) -> None:
    script = """() => import('/static/words/index.js').then(({ aloud }) => aloud('foxhunt', [
        ...Array.from({ length: 20 }, (_, n) => ({ type: 'moved', side: 'p1', from: '1,1', to: `1,${n}` })),
        { type: 'game_over', side: 'server', reason: 'round_limit' }]))"""
    assert open_page("/").evaluate(script).endswith("and 8 more; Game over: the last round is over")


def test_the_keys_of_a_replay_stand_on_its_page(seat: Sit, tables: Tables) -> None:
    table = seat(_replay_of(tables.play_out("skirmish", at_most=2)))
    assert "arrows step" in table.page.locator(".hint").inner_text()
