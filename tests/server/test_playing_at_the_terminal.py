"""`living-table play`: a person against bots, by typing notations."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable

import pytest
from tests.server.commands import Said, Shell, spawned
from tests.server.setups import NEIGHBOURS, ONE_LEFT_TO_BEAT, botwars, player, troll

from livingtable.game import Data

pytestmark = pytest.mark.usefixtures("shell")

WALLED_IN = botwars(
    *("....M....", "....M....", "MMMMMMMMM", "........."),
    characters=[player("0,0", alive=False), troll("0,1"), troll("8,0"), player("4,3")],
    maxRounds=150,
)
"""p1 is dead; the three others cannot get at each other, and play until the last round."""

Play = Callable[..., Said]


def scenario(setup: Data, name: str) -> Data:
    return {"title": "A title", "summary": "A summary.", **setup, "name": name}


@pytest.fixture
def play(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Play:
    """`play("typed", "lines", …)` in a scenario of the folder, `NEIGHBOURS` if none is named."""
    shell.write("own/neighbours.json", scenario(NEIGHBOURS, "neighbours"))
    shell.write("own/last.json", scenario(ONE_LEFT_TO_BEAT, "last"))
    shell.write("own/endless.json", scenario(WALLED_IN, "endless"))

    def play(*lines: str, options: str = "--scenario neighbours --seed 5") -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return shell("play", "--scenarios", shell.folder / "own", *options.split())

    return play


def session_of(said: Said) -> str:
    found = re.search(r"^Session (\w+)$", said.out, re.MULTILINE)
    assert found, said
    return found[1]


def test_the_board_and_the_choices_are_shown(play: Play) -> None:
    said = play("quit")
    assert (said.code, said.err) == (0, "")
    assert 'neighbours, seed 5   round 1   you: p1 "' in said.out
    assert re.search(r"^You may: move .*; ally p2; pass$", said.out, re.MULTILINE)
    assert said.out.count("p1> ") == 1


def test_the_terms_that_no_board_shows_are_told(play: Play) -> None:
    said = play("quit", options="--scenario first_alliance --seed 5")
    assert "whoever has the best score at the end wins. Here: ruleset classic: nobody dies" in " ".join(
        said.out.split()
    )
    assert "Here: " not in play("quit").out


def test_a_notation_is_played_and_what_came_of_it_is_shown(play: Play) -> None:
    said = play("move 0,1", "quit")
    assert "p1 moves 0,0 to 0,1" in said.out
    assert said.out.count("You may: ") == 2


@pytest.mark.parametrize("typed", ["MOVE 0,1", "`move 0,1`", "- **move 0,1**.", '{"type": "move", "to": "0,1"}'])
def test_a_notation_may_be_typed_in_another_case_or_a_wrapping(play: Play, typed: str) -> None:
    assert "p1 moves 0,0 to 0,1" in play(typed, "quit").out


def test_a_wrong_notation_says_why_and_changes_nothing(play: Play) -> None:
    said = play("move 3,0", "move 0,1 1,1", "fly", "ally p77", "\x1b[2J", "pass", "quit")
    reasons = re.findall(r"Refused: (.*)", said.out)
    assert len(reasons) == 5
    assert "choose one" in reasons[1]
    assert "\x1b" not in said.out
    assert "p1 passes" in said.out


def test_help_rules_board_and_legal_cost_no_turn(play: Play) -> None:
    said = play("help", "rules", "rules 3", "rules nonsense", "board", "legal", "", "QUIT")
    assert "rules 2 shows one" in said.out
    assert "3. Movement" in said.out
    assert "## 3. " in said.out
    assert 'There is no section "nonsense"' in said.out
    assert said.out.count("seed 5   round 1   you:") == 2
    assert "Refused" not in said.out


def test_the_end_of_input_leaves_and_the_game_is_kept(play: Play) -> None:
    left = play("pass")
    assert left.code == 0
    session = session_of(left)
    assert f"living-table play --resume {session}" in left.out

    resumed = play("pass", options=f"--resume {session}")
    assert resumed.code == 0
    assert session_of(resumed) == session
    assert "p1 passes" in resumed.out.partition("You may")[0], "what happened before is shown"


def test_ctrl_c_leaves_and_the_game_is_kept(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    said = play()
    assert (said.code, said.err) == (130, "")
    assert f"--resume {session_of(said)}" in said.out


def test_the_end_of_the_game_is_told_and_its_record_can_be_had(play: Play, shell: Shell) -> None:
    said = play("attack t1", options="--scenario last --side player")
    assert (said.code, said.err) == (0, "")
    assert re.search(r"Game over: .* Winners: p1\.", said.out)
    session = session_of(said)
    assert f"living-table export {session}" in said.out
    file = shell.folder / "record.json"
    assert shell("export", session, "--out", file).code == 0
    assert shell("verify", file).code == 0
    assert '"controller":"human"' in file.read_text("ascii")
    assert "Game over" in play(options=f"--resume {session}").out


def test_the_dead_wait_while_the_others_play_on(play: Play) -> None:
    said = play(options="--scenario endless --side p1 --seed 1 --opponent random")
    assert said.code == 0
    assert "the others play on" in said.out
    assert "p1> " not in said.out
    assert "Game over" in said.out


def test_a_game_in_memory_is_gone_and_that_is_said(play: Play) -> None:
    said = play("quit", options="--scenario neighbours --store sqlite://")
    assert "is gone" in said.out
    assert "--resume" not in said.out


def test_the_store_that_was_named_stands_in_the_command_that_goes_on(play: Play, shell: Shell) -> None:
    store = f"sqlite:///{shell.folder}/another.db"
    said = play("quit", options=f"--scenario neighbours --store {store}")
    assert f"--resume {session_of(said)} --store {store}" in said.out


def test_a_bad_scenario_of_the_users_is_told_and_stops_nothing(play: Play, shell: Shell) -> None:
    bad = shell.write("own/bad.json", "{}")
    said = play("quit")
    assert said.code == 0
    assert said.err.startswith(f"living-table: {bad}: ")


def test_any_bytes_may_be_typed() -> None:
    said = spawned("play", stdin=b"\xff\xfe\x00\nmove \xf0\x9f\xa6\x8a\nquit\n", env={"PYTHONIOENCODING": "cp1252"})
    assert (said.code, said.err) == (0, "")
    assert said.out.count("Refused") == 2
