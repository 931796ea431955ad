"""Whatever a file that a command is to read turns out to be, the command says so and ends."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.contract.playing import recorded
from tests.server.commands import COMMAND, SECONDS_AT_MOST, Shell
from tests.server.setups import NEIGHBOURS

from livingtable.game import Data
from livingtable.scenarios import check_setup

SCENARIO: Data = {**NEIGHBOURS, "name": "mine", "title": "Mine", "summary": "Two beside each other."}


def pipe(place: Path) -> str:
    os.mkfifo(place)
    return "a pipe"


def device(place: Path) -> str:
    place.symlink_to("/dev/zero")
    return "a device"


def loop(place: Path) -> str:
    place.symlink_to(place)
    return "Too many levels of symbolic links"


def folder(place: Path) -> str:
    place.mkdir()
    return "Is a directory"


ODD = (pipe, device, loop, folder)


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    "command",
    ["verify ODD", "replay ODD", "render ODD -o out.svg", "experiment run ODD --dry-run"],
)
def test_a_file_that_is_none_is_told_and_not_waited_for(
    shell: Shell, make: Callable[[Path], str], command: str
) -> None:
    words = make(shell.folder / "odd")
    said = shell(*(shell.folder / "odd" if part == "ODD" else part for part in command.split()))
    assert said.code == 2
    assert words in said.out + said.err


@pytest.mark.parametrize("make", ODD[:3], ids=lambda make: make.__name__)
def test_check_tells_of_a_file_that_is_none_among_others(shell: Shell, make: Callable[[Path], str]) -> None:
    words = make(shell.folder / "a.json")
    good = shell.write("b.json", SCENARIO)
    said = shell("check", shell.folder / "a.json", good)
    first, second = said.out.splitlines()
    assert said.code == 1
    assert first.startswith(f"{shell.folder / 'a.json'}: cannot be read: ")
    assert words in first
    assert second.startswith(f"{good}: ok: ")
    assert len(shell("check", shell.folder).out.splitlines()) == 2


def test_what_a_shell_puts_in_place_of_a_command_is_read(shell: Shell) -> None:
    record = recorded(check_setup(NEIGHBOURS), 1, None, 4).to_data()
    file = shell.write("record.json", record)
    line = " ".join(COMMAND)
    done = subprocess.run(
        ["bash", "-c", f"{line} verify <(cat {file})"], capture_output=True, text=True, timeout=SECONDS_AT_MOST
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ": verified: 4 actions" in done.stdout


# check and the loader are of one mind


def test_check_names_every_fault_of_every_file_on_a_line_of_its_own(shell: Shell) -> None:
    bad: Data = {**SCENARIO, "pieces": [], "characters": [{"id": "p1", "x": 1}, {"id": "p1", "position": "99,99"}]}
    file = shell.write("bad.json", bad)
    said = shell("check", file)
    assert (said.code, said.err) == (1, "")
    assert [line.split(": ")[:2] for line in said.out.splitlines()] == [
        [str(file), key] for key in ("characters[0].x", "pieces", "characters[1].id", "characters[1].position")
    ]


def test_check_refuses_what_the_loader_would_leave_out(shell: Shell) -> None:
    shipped = shell.write("own/a.json", {**SCENARIO, "name": "crossroads"})
    shell.write("own/b.json", SCENARIO)
    second = shell.write("own/c.json", SCENARIO)
    twice = shell.write("own/d.json", json.dumps({**SCENARIO, "name": "d"}).replace('"name"', '"title": "T", "name"'))
    checked = shell("check", shipped.parent)
    loaded = shell("scenarios", "--scenarios", shipped.parent)
    wrong = [line for line in checked.out.splitlines() if ": ok: " not in line]
    assert wrong == [line.removeprefix("living-table: ") for line in loaded.err.splitlines()]
    assert wrong == [
        f'{shipped}: name: there is a scenario "crossroads" already; rename it',
        f'{second}: name: there is a scenario "mine" already; rename it',
        f"{twice}: title: stands there twice; take one out",
    ]


@pytest.mark.parametrize(
    "command",
    [
        "demo --fast --scenario crossroads",
        "play --scenario crossroads",
        "arena run --scenario crossroads --agents random --games 1 --out cup",
    ],
)
def test_a_shipped_scenario_is_not_played_in_place_of_ones_own_of_that_name(shell: Shell, command: str) -> None:
    file = shell.write("own/a.json", {**SCENARIO, "name": "crossroads"})
    said = shell(*command.split(), "--scenarios", file.parent)
    assert said.code == 2
    assert f'living-table: {file}: name: there is a scenario "crossroads" already; rename it' in said.err
