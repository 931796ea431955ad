"""`living-table demo`: a scripted agent plays a whole game through a server of its own, over stdio."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from tests.server.commands import Shell, spawned
from tests.server.setups import ONE_LEFT_TO_BEAT

from livingtable.game import Data
from livingtable.records import verify

pytestmark = pytest.mark.usefixtures("shell")

NAME = "one left 🦊"
SCENARIO: Data = {**ONE_LEFT_TO_BEAT, "name": NAME, "title": "One left", "summary": "A short game."}


def commands_of(out: str, name: str) -> list[str]:
    """The arguments of the command that the output says to give."""
    found = re.search(rf"living-table {name} (.*)", out)
    assert found, out
    return shlex.split(found[1])


def test_a_whole_game_with_its_record(shell: Shell) -> None:
    shell.write("own/last.json", SCENARIO)
    bad = shell.write("own/bad.json", "{}")
    out = shell.folder / "re cord.json"
    options = ["--scenario", NAME, "--scenarios", shell.folder / "own", "--seed", "7", "--out", out]
    said = spawned("demo", *options, env={"PYTHONIOENCODING": "utf-8"})
    assert said.code == 0, said
    assert said.err.startswith(f"living-table: {bad}: ")
    assert said.err.count("\n") == 1
    assert f'{NAME}, seed 7   round 1   p1 "' in said.out
    assert re.search(r"Game over: .* Winners: p1\.", said.out)
    record = json.loads(out.read_text("ascii"))
    assert verify(record).ok
    assert record["scenario"]["name"] == NAME
    assert [seat["controller"] for seat in record["seats"]] == ["agent", "bot:greedy"]
    assert commands_of(said.out, "verify") == commands_of(said.out, "replay") == [str(out)]
    assert shell("verify", out).code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--scenario crosroads", ["crosroads", 'did you mean "crossroads"?']),
        ("--side p77", ["p77", "p1, p2"]),
        ("--store sqlite:////dev/null/games.db", ["/dev/null/games.db", "--store"]),
    ],
)
def test_what_the_server_will_not_do_is_wrong_use(options: str, words: list[str]) -> None:
    assert spawned("demo", *options.split()).is_wrong_use(*words)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["p1", "troll"])
def test_the_default_game_is_played_shown_and_recorded_without_a_terminal(shell: Shell, side: str) -> None:
    said = spawned("demo", "--fast", "--side", side, "--seed", "7")
    assert (said.code, said.err) == (0, "")
    assert "\x1b" not in said.out
    (name,) = commands_of(said.out, "verify")
    file = Path(name)
    assert file.parent == shell.folder / "data" / "living-table" / "records"
    verified = shell("verify", file)
    assert verified.code == 0
    record = json.loads(file.read_text("ascii"))
    seat = "p1" if side == "p1" else "t1"
    assert [s["side"] for s in record["seats"] if s["controller"] == "agent"] == [seat]
    assert record["result"]["reason"] != "truncated"
    # None of the agent's moves is left out: they happen while it is asked, and are shown line by line.
    moves = [e for e in record["events"] if e["type"] == "moved" and e["side"] == seat]
    assert said.out.count(f"\n{seat} moves ") == len(moves) > 3


@pytest.mark.slow
def test_one_seed_is_one_game(shell: Shell) -> None:
    files = [shell.folder / name for name in ("one.json", "other.json")]
    for file in files:
        assert spawned("demo", "--seed", "11", "--scenario", "troll_night", "--out", file).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
