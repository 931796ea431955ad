"""`living-table scenarios`, `check` and `rules`: what there is to play, and by which rules."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from livingtable.errors import ScenarioError
from livingtable.game import get_game
from livingtable.scenarios import ScenarioLibrary, scenario_files
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import one_line, rules_page, terminal
from livingtable_server.terminal.faults import UseError, complain_of_scenario


def library_of(settings: Settings) -> ScenarioLibrary:
    """All scenarios; of a user's file that is none it is said on stderr why."""
    library = ScenarioLibrary(settings.scenarios)
    for problem in library.problems:
        complain_of_scenario(problem.file, problem.key, problem.reason)
    return library


def list_scenarios(settings: Settings, game: str | None) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("game", no_wrap=True)
    table.add_column("title", overflow="fold")
    table.add_column("seats", overflow="fold")
    for scenario in library_of(settings).all(game):
        seats = " ".join(scenario.start(0).sides)
        table.add_row(*(Text(one_line(cell)) for cell in (scenario.name, scenario.game, scenario.setup.title, seats)))
    terminal().print(table)


def check_files(paths: Sequence[Path]) -> int:
    """Says of each scenario file, and of each in a folder, whether it can be played beside the shipped ones and those
    before it: a line a file, or one for all that is wrong with it. 1 if any cannot."""
    console, library = terminal(), ScenarioLibrary()
    wrong = 0
    for file in _files(paths):
        try:
            scenario = library.add_file(file)
        except ScenarioError as error:
            wrong += 1
            lines = error.lines()
        else:
            lines = [f'{file}: ok: {scenario.game} "{scenario.name}", seats {" ".join(scenario.start(0).sides)}']
        for line in lines:
            console.print(one_line(line), soft_wrap=True)
    return 1 if wrong else 0


def _files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        found = scenario_files(path) if path.is_dir() else [path]
        if not os.path.lexists(path):
            raise UseError(f'There is no file "{path}".')
        if not found:
            raise UseError(f'There is no .json file in the folder "{path}".')
        files += found
    return files


def show_rules(game: str, section: str | None) -> None:
    """Raises `UnknownNameError` for a game or a section that there is not."""
    described = get_game(game)
    rules_page(terminal(), described.rules_section(section) if section else described.rules_text())


def section_titles(game: str) -> list[str]:
    """`1. Board, seats, figures` and so on."""
    return [line[3:] for line in get_game(game).rules_text().splitlines() if line.startswith("## ")]
