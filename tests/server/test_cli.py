"""The command line: what each command lists, and what it says to those who use it wrongly."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.commands import Shell
from tests.server.setups import NEIGHBOURS

from livingtable.game import Data
from livingtable.version import __version__
from livingtable_server import cli
from livingtable_server.app import session_manager
from livingtable_server.settings import Settings
from livingtable_server.terminal import listings

SCENARIO: Data = {**NEIGHBOURS, "name": "side_by_side", "title": "Side by side", "summary": "Three solos."}


@pytest.fixture
def own_folder(shell: Shell) -> Path:
    """A user's folder of two scenarios, one of them bad."""
    shell.write("own/good.json", SCENARIO)
    return shell.write("own/bad.json", {**SCENARIO, "name": "bad", "maxRound": 3}).parent


# wrong use


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", ["nonsense", "living-table --help"]),
        ("--nonsense", ["--nonsense"]),
        ("mcp --tools some", ["--tools", "core", "all"]),
        ("mcp --tools", ["--tools", "argument"]),
        ("mcp --health nine", ["--health", "nine", "one decimal"]),
        ("mcp -H 0", ["--health", "above 0"]),
        ("mcp -H 0.0", ["--health", "above 0"]),
        ("mcp -H -1", ["--health", "above 0"]),
        ("mcp -H 7.55", ["--health", "one decimal"]),
        ("mcp -H 1e3", ["--health"]),
        ("mcp -H nan", ["--health"]),
        ("mcp --store mysql://host/db", ["--store", "sqlite:///PATH"]),
        ("mcp --store sqlite:games.db", ["--store", "sqlite:///PATH"]),
        ("mcp --store games.db", ["--store", "sqlite:///PATH"]),
        ("mcp --scenarios no/such/folder", ["--scenarios", "no/such/folder", "no folder"]),
        ("demo --seed seven", ["--seed"]),
        ("demo --seed -1", ["--seed"]),
        ("demo --out no/such/folder/record.json", ["--out", "no/such/folder"]),
        ("play --seed 9007199254740992", ["--seed", "9007199254740991"]),
        ("play --scenario crosroads", ["crosroads", 'did you mean "crossroads"?']),
        ("play --side p77", ["p77", "p1, p2"]),
        ("play --opponent greeedy", ["greeedy", "greedy, random"]),
        ("play --resume nobody", ["no session"]),
        ("export nobody", ["There is no store"]),
        ("export", ["GAME"]),
        ("verify", ["FILE"]),
        ("replay no/such/file.json", ["no/such/file.json", "cannot be read"]),
        ("replay", ["FILE"]),
        ("check no/such/file.json", ["no/such/file.json"]),
        ("scenarios --game chess", ["chess"]),
        ("scenarios --scenarios no/such/folder", ["no/such/folder"]),
        ("rules", ["GAME"]),
        ("rules chess", ["chess"]),
        ("rules botwars 99", ["99", "1. "]),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(shell: Shell, line: str, words: list[str]) -> None:
    assert shell(*line.split()).is_wrong_use(*words)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("LIVING_TABLE_SCENARIOS", "no/such/folder"), ("LIVING_TABLE_STORE", "mysql://me:secret@host")],
)
def test_of_a_wrong_setting_in_the_environment_the_variable_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    said = shell("mcp")
    assert said.is_wrong_use(variable)
    assert "secret" not in said.err


def test_control_characters_of_an_argument_do_not_reach_the_terminal(shell: Shell) -> None:
    said = shell("rules", "a\x1b[2Jb\nc")
    assert said.is_wrong_use()
    assert "\x1b" not in said.err


def test_a_fault_of_the_program_is_one_line_that_says_how_to_see_more(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise ZeroDivisionError("by\nnothing")

    monkeypatch.setattr(listings, "show_rules", fault)
    said = shell("rules", "botwars")
    assert said.code == 1
    assert re.fullmatch(r"living-table: .*ZeroDivisionError: by nothing.*LIVING_TABLE_DEBUG=1.*\n", said.err)

    monkeypatch.setenv("LIVING_TABLE_DEBUG", "1")
    assert "Traceback" in shell("rules", "botwars").err

    monkeypatch.setenv("LIVING_TABLE_DEBUG", "0")
    assert "Traceback" not in shell("rules", "botwars").err
    assert "Traceback" in shell("--debug", "rules", "botwars").err


def test_ctrl_c_is_exit_code_130_and_no_word(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(listings, "show_rules", interrupted)
    said = shell("rules", "botwars")
    assert (said.code, said.out, said.err) == (130, "", "")


INTERRUPTED_AT_IMPORT = """
import sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == "livingtable_server.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
import livingtable_server.__main__ as entry
entry.{command}()
"""


@pytest.mark.parametrize("command", ["main", "main_mcp"])
def test_ctrl_c_while_the_program_is_still_being_loaded_is_the_same(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_IMPORT.format(command=command)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "livingtable_server", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"living-table {__version__}\n")


# help


def test_version(shell: Shell) -> None:
    said = shell("--version")
    assert (said.code, said.out, said.err) == (0, f"living-table {__version__}\n", "")


def test_help_lists_the_commands_each_on_one_line(shell: Shell) -> None:
    listed = shell("--help").out.partition("Commands")[2]
    assert re.findall(r"^\W*([a-z]+)  ", listed, re.MULTILINE) == [
        *("mcp", "serve", "demo", "play", "verify", "replay", "render", "export", "scenarios", "check", "rules"),
        *("store", "rooms", "arena", "experiment"),
    ]
    assert listed.count("│") == 2 * 15


def test_living_table_mcp_takes_the_options_of_mcp(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    def options(text: str) -> set[str]:
        return set(re.findall(r"--[a-z]+", text))

    assert cli.run(cli.mcp_app, ["--help"]) == 0
    assert options(capsys.readouterr().out) == options(shell("mcp", "--help").out)
    assert {"--tools", "--store", "--scenarios", "--health"} < options(shell("mcp", "--help").out)
    assert cli.run(cli.mcp_app, ["--tools", "some"]) == 2
    assert "living-table-mcp --help" in capsys.readouterr().err


# scenarios


def test_scenarios_lists_those_that_are_shipped(shell: Shell) -> None:
    said = shell("scenarios")
    assert (said.code, said.err) == (0, "")
    assert re.search(r"^crossroads +botwars +Crossroads +p1 p2 p3 p4 p5 p6 t1 t2 *$", said.out, re.MULTILINE)
    assert shell("scenarios", "--game", "botwars").out.count("\n") == 1 + len(re.findall(r"botwars", said.out))


def test_scenarios_lists_the_users_too_and_says_of_a_bad_file_what_is_wrong_with_it(
    shell: Shell, own_folder: Path
) -> None:
    said = shell("scenarios", "--scenarios", own_folder)
    assert said.code == 0
    assert "side_by_side" in said.out
    assert "crossroads" in said.out
    (line,) = said.err.splitlines()
    assert line.startswith(f'living-table: {own_folder / "bad.json"}: maxRound: unknown key; did you mean "maxRounds"?')


@pytest.mark.anyio
async def test_the_tool_list_scenarios_tells_of_bad_files_where_there_are_any(own_folder: Path) -> None:
    (problem,) = (await session_manager(Settings("sqlite://", (own_folder,))).list_scenarios())["problems"]
    assert (problem["file"], problem["key"]) == (str(own_folder / "bad.json"), "maxRound")
    assert problem["reason"].startswith('unknown key; did you mean "maxRounds"?')
    assert "problems" not in await session_manager(Settings("sqlite://")).list_scenarios()


# check


def test_check_says_of_each_file_whether_it_can_be_played(shell: Shell, own_folder: Path) -> None:
    good, bad = own_folder / "good.json", own_folder / "bad.json"
    cut = shell.write("cut.json", json.dumps(SCENARIO)[:40])
    said = shell("check", good, bad, cut)
    assert (said.code, said.err) == (1, "")
    first, second, third = said.out.splitlines()
    assert first == f'{good}: ok: botwars "side_by_side", seats p1 p2 p3'
    assert second.startswith(f'{bad}: maxRound: unknown key; did you mean "maxRounds"?')
    assert third.startswith(f"{cut}: is no JSON")


def test_check_takes_folders(shell: Shell, own_folder: Path) -> None:
    assert shell("check", own_folder).out.count("\n") == 2
    (own_folder / "bad.json").unlink()
    assert shell("check", own_folder).code == 0
    empty = own_folder / "empty"
    empty.mkdir()
    assert shell("check", empty).is_wrong_use(str(empty))


# rules


def test_rules_are_shown_whole_or_by_section(shell: Shell) -> None:
    whole = shell("rules", "botwars")
    assert whole.code == 0
    section = shell("rules", "botwars", "3")
    assert section.out.startswith("## 3. ")
    assert section.out.strip() in whole.out
    assert shell("rules", "botwars", "movement").out == section.out
