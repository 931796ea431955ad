"""What a user gets: the wheel holds the packages and the prompts, whole, and nothing else.

hatchling leaves out what .gitignore names; so a data file can be in the checkout, and in every test, and yet not in
the wheel.
"""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

from livingtable.version import __version__

CHECKOUT = Path(__file__).parents[2]
SOURCES = {
    CHECKOUT / "engine" / "livingtable": "livingtable",
    CHECKOUT / "server" / "livingtable_server": "livingtable_server",
    CHECKOUT / "server" / "living_table": "living_table",
    CHECKOUT / "prompts": "livingtable_server/_prompts",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built without a network: what it is built with is installed with the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def read(wheel: Path, name: str) -> str:
    with ZipFile(wheel) as archive:
        return archive.read(f"living_table-{__version__}.dist-info/{name}").decode()


def files_of(source: Path) -> list[Path]:
    files = (f.relative_to(source) for f in source.rglob("*") if f.is_file())
    return [f for f in files if f.suffix != ".pyc" and not any(part.startswith(".") for part in f.parts)]


def test_the_wheel_holds_every_file_of_the_packages_and_the_prompts_and_nothing_else(wheel: Path) -> None:
    expected = {f"{inside}/{f.as_posix()}" for source, inside in SOURCES.items() for f in files_of(source)}
    assert {n for n in names(wheel) if ".dist-info/" not in n} == expected


def test_the_wheel_says_that_both_packages_are_typed(wheel: Path) -> None:
    assert {"livingtable/py.typed", "livingtable_server/py.typed"} <= names(wheel)


@pytest.mark.parametrize("game", [f.parent.name for f in sorted(CHECKOUT.glob("engine/livingtable/games/*/rules.py"))])
def test_the_wheel_brings_the_rules_scenarios_and_prompts_of_a_game(wheel: Path, game: str) -> None:
    inside = names(wheel)
    assert f"livingtable/games/{game}/rules.md" in inside
    assert [n for n in inside if n.startswith(f"livingtable/games/{game}/scenarios/") and n.endswith(".json")]
    assert [n for n in inside if n.startswith(f"livingtable_server/_prompts/{game}/") and n.endswith(".md")]


def test_the_wheel_has_the_one_version_number_the_licence_and_the_readme(wheel: Path) -> None:
    metadata = Parser().parsestr(read(wheel, "METADATA"))
    assert (metadata["Name"], metadata["Version"]) == ("living-table", __version__)
    assert (metadata["License-Expression"], metadata["Requires-Python"]) == ("MIT", ">=3.11")
    assert metadata.get_payload() == (CHECKOUT / "README.md").read_text("utf-8")
    assert read(wheel, "licenses/LICENSE") == (CHECKOUT / "LICENSE").read_text("utf-8")


def test_the_wheel_declares_the_two_commands(wheel: Path) -> None:
    entry_points = configparser.ConfigParser()
    entry_points.read_string(read(wheel, "entry_points.txt"))
    assert dict(entry_points["console_scripts"]) == {
        "living-table": "livingtable_server.__main__:main",
        "living-table-mcp": "livingtable_server.__main__:main_mcp",
    }


def test_the_wheel_declares_the_tasks_for_inspect(wheel: Path) -> None:
    entry_points = configparser.ConfigParser()
    entry_points.read_string(read(wheel, "entry_points.txt"))
    assert dict(entry_points["inspect_ai"]) == {"living_table": "living_table.tasks"}


def test_an_unpacked_wheel_lists_the_scenarios_that_it_brings(unpacked: Path, tmp_path: Path) -> None:
    # The unpacked packages stand before those of the checkout, and the checkout is not the current folder.
    program = (
        "import sys, livingtable, livingtable_server.__main__ as entry\n"
        "assert livingtable.__file__.startswith(sys.argv.pop(1)), livingtable.__file__\n"
        "entry.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(unpacked), "scenarios"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked), "COLUMNS": "200", "XDG_DATA_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    shipped = [f.stem for f in CHECKOUT.glob("engine/livingtable/games/*/scenarios/*.json")]
    assert shipped
    assert [name for name in shipped if name not in done.stdout] == []
