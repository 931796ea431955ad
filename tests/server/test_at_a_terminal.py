"""`demo`, `play` and `replay` at a terminal of 80 by 24, as a person has them."""

from __future__ import annotations

import re

import pytest
from tests.contract.playing import library, recorded
from tests.server.commands import AtTerminal, Shell, at_terminal
from tests.server.setups import ONE_LEFT_TO_BEAT

pytestmark = pytest.mark.usefixtures("shell")

LAST = {**ONE_LEFT_TO_BEAT, "name": "last", "title": "One left", "summary": "A short game."}


@pytest.fixture
def record(shell: Shell) -> str:
    """The name of a record's file, of ten actions."""
    return str(shell.write("record.json", recorded(library().get("crossroads"), 7, "greedy", 10).to_data()))


def test_replay_goes_on_and_back_and_jumps(record: str) -> None:
    with at_terminal("replay", record) as terminal:
        terminal.until("0 of 10: the start")
        terminal.until("q quits")
        for key, shown in [
            ("\r", "1 of 10: p1 "),
            (" ", "2 of 10: p2 "),
            ("\x1b[C", "3 of 10: p3 "),
            ("b", "2 of 10: p2 "),
            ("\x1b[D", "1 of 10: p1 "),
            ("7\r", "7 of 10: t1 "),
            ("99\r", "10 of 10: p2 "),
            ("\r", "10 of 10: p2 "),
            ("12\x7f\r", "1 of 10: p1 "),
            ("bb", "0 of 10: the start"),
            ("b\r", "1 of 10: p1 "),
        ]:
            terminal.press(key)
            terminal.until(shown)
        terminal.until("q quits")
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.rest().strip() == "", "the screen is as it was before"


def test_keys_that_are_pressed_before_it_is_ready_or_all_at_once_are_not_lost(record: str) -> None:
    with at_terminal("replay", record) as terminal:
        terminal.press("\r \rq")
        terminal.until("3 of 10")
        assert terminal.end() == 0


@pytest.mark.parametrize("leaving", ["q", "\x1b", "\x04"])
def test_replay_is_left_by_key(record: str, leaving: str) -> None:
    with at_terminal("replay", record, "--from", "4") as terminal:
        terminal.until("4 of 10")
        terminal.press(leaving)
        assert terminal.end() == 0


def test_replay_is_left_by_ctrl_c(record: str) -> None:
    with at_terminal("replay", record) as terminal:
        terminal.until("q quits")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.rest()


def test_play_is_left_by_ctrl_c_and_gone_on_with() -> None:
    with at_terminal("play", "--seed", "3") as terminal:
        terminal.until("p1> ")
        terminal.press("pass\n")
        terminal.until("p1 passes")
        terminal.until("p1> ")
        assert terminal.interrupt() == 130
        session = re.search(r"--resume (\w+)\s(\w*)", terminal.rest())
        assert session, terminal.rest()
        assert "Traceback" not in terminal.rest()
    with at_terminal("play", "--resume", "".join(session.groups())) as terminal:
        terminal.until("p1 passes")
        terminal.until("p1> ")
        terminal.press("\x04")
        assert terminal.end() == 0


def interrupted(terminal: AtTerminal) -> str:
    assert terminal.interrupt() == 130
    assert "Traceback" not in terminal.rest()
    return terminal.rest()


def test_the_demo_is_left_by_ctrl_c_and_its_game_is_kept(shell: Shell) -> None:
    with at_terminal("demo", "--seed", "3") as terminal:
        terminal.until("Starting the server")
        terminal.until("round 2")
        said = interrupted(terminal)
    session = re.search(r"--resume (\w+)\s(\w*)", said)
    assert session, said
    file = shell.folder / "kept.json"
    assert shell("export", "".join(session.groups()), "--out", file).code == 0
    assert shell("verify", file).code == 0


def test_the_demo_is_left_by_ctrl_c_before_its_server_has_started() -> None:
    with at_terminal("demo", "--seed", "3") as terminal:
        terminal.until("Starting the server")
        assert "--resume" not in interrupted(terminal)


def test_the_demo_ends_with_the_ranking_on_the_screen_that_was_there_before(shell: Shell) -> None:
    folder = shell.write("own/last.json", LAST).parent
    with at_terminal("demo", "--scenario", "last", "--scenarios", folder, "--fast") as terminal:
        terminal.until("Ctrl-C stops")
        terminal.until("Game over: ")
        assert terminal.end() == 0
        assert "living-table verify" in terminal.rest().replace("\n", "")
        assert "Ctrl-C" not in terminal.rest()


@pytest.mark.parametrize("name", ["NO_COLOR", "COLOUR"])
def test_no_color_is_respected(name: str) -> None:
    with at_terminal("rules", "botwars", "3", env={name: "1"}) as terminal:
        assert terminal.end() == 0
        coloured = re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.raw)
        assert (coloured is None) is (name == "NO_COLOR")


def test_choices_that_fill_more_than_a_row_have_a_row_each() -> None:
    with at_terminal("play", "--scenario", "castle_siege", "--seed", "1") as terminal:
        shown = terminal.until("ivory> ")
        assert "You may:\n  K1 > " in shown
        assert "\n  end\n" in shown
        terminal.press("quit\r")
        assert terminal.end() == 0
