"""`living-table arena`: tournaments of bots, and what came of them."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from livingtable.arena.play import play
from livingtable.arena.run import Plan, Run, library
from livingtable.errors import RecordError, ScenarioError, UnknownNameError
from livingtable.game import Data
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import UseError

COMPRESSED_FROM = 2_000
"""Games from which on the records of a run are kept compressed."""
TRIAL_SECONDS = 3.0
"""For how long games are tried out, to say how long the run will take."""


def run_arena(folder: Path, plan: Plan, workers: int, resume: bool, ray: str | None) -> None:
    """Plays a tournament into a folder; goes on with one that is there, if asked to."""
    run = Run(folder)
    plan = _checked(run, plan, resume)
    _say(f"{_estimate(plan, workers)}\n")
    with _progress() as told:
        _play(run, plan, workers, ray, told)
    show(folder)
    terminal().print(Text(safe(f"living-table arena report {folder} makes a page of it.")), soft_wrap=True)


def report(folder: Path) -> None:
    """Writes the report, and says where it is."""
    from livingtable.arena.report import write_report

    for file in write_report(_there(folder)):
        terminal().print(Text(safe(str(file))), soft_wrap=True)


def show(folder: Path) -> None:
    """The table of entrants, and how the games ended."""
    from livingtable.arena.report import COLUMNS, cells, report_of

    data = report_of(_there(folder))
    table = Table(*COLUMNS.values(), box=None, pad_edge=False)
    for row in data["entrants"]:
        table.add_row(*(Text(safe(cell)) for cell in cells(row)))
    terminal().print(table)
    ends = ", ".join(f"{count} {end}" for end, count in data["ends"].items() if count)
    terminal().print(Text(safe(f"{data['games']} games: {ends}.")), soft_wrap=True)


def test_difference(folder: Path, bounds: str, plan: Plan, workers: int, resume: bool, ray: str | None) -> None:
    """Plays pairs of two entrants until the sequential test has decided, at most as many games as the plan has."""
    from livingtable.arena.sprt import sprt

    elo0, elo1 = _bounds(bounds)
    if len(plan.entrants) != 2:
        raise UseError("--sprt compares two agents: name two with --agents.")
    run = Run(folder)
    plan = _checked(run, plan, resume)
    most, games = plan.games, 0
    while True:
        games = min(most, games + 40)
        _play(run, replace(plan, games=games), workers, ray, lambda _done, _of: None)
        found = sprt(list(run.rows()), *plan.entrants, elo0, elo1)
        _say(
            f"{found.pairs} pairs, mean score {found.mean / 2 if found.mean > 1 else found.mean:.3f}, llr {found.llr:.2f} "
            f"({found.lower:.2f}, {found.upper:.2f})\n"
        )
        if found.verdict != "undecided" or games >= most:
            break
    words = {
        "elo1": f"{plan.entrants[0]} is stronger by {elo1:g} Elo rather than by {elo0:g}",
        "elo0": f"{plan.entrants[0]} is not stronger by {elo1:g} Elo, rather by {elo0:g} or less",
        "undecided": "undecided: more games are needed",
    }
    terminal().print(Text(safe(f"{words[found.verdict]} ({found.pairs} pairs).")), soft_wrap=True)


def record_of(folder: Path, number: int) -> Data:
    """The record of the N-th game, from 1. Raises `UseError` where there is none."""
    run = _there(folder)
    for n, record in enumerate(run.records(), start=1):
        if n == number:
            return record
    raise UseError(f'"{folder}" has no game {number}.')


def _checked(run: Run, plan: Plan, resume: bool) -> Plan:
    try:
        plan.check()
        for name in plan.scenarios:
            library(plan.folders).get(name).start(0)
        if run.exists:
            if not resume:
                raise UseError(f'There is a tournament in "{run.folder}" already: go on with it by --resume.')
            _check_the_same(run.plan(), plan)
    except (UnknownNameError, ScenarioError, RecordError) as error:
        raise UseError(str(error)) from None
    return plan


def _check_the_same(before: Plan, plan: Plan) -> None:
    """Entrants, scenarios and games may be added to a run; nothing else about it may change."""
    for name in ("seed", "seconds", "max_actions", "folders", "compressed"):
        old, new = getattr(before, name), getattr(plan, name)
        if old != new and name != "compressed":
            raise UseError(f"That tournament has {name} {old}, not {new}: take another folder with --out.")


def _play(run: Run, plan: Plan, workers: int, ray: str | None, told: object) -> None:
    try:
        if ray is not None:
            from livingtable.arena.on_ray import batches_on

            run.go_on(plan, workers, told, batches_on(ray))  # pyright: ignore
        else:
            run.go_on(plan, workers, told)  # pyright: ignore
    except OSError as error:
        raise UseError(f'"{run.folder}" cannot be written ({error.strerror or error}).') from None


def _estimate(plan: Plan, workers: int) -> str:
    """Some games are played for a moment, to say how long all will take."""
    fixtures = plan.fixtures()
    begun, played = time.perf_counter(), 0
    for fixture in fixtures:
        play(fixture, library(plan.folders).get(fixture.scenario), plan.seconds, plan.max_actions)
        played += 1
        if time.perf_counter() - begun > TRIAL_SECONDS:
            break
    each = (time.perf_counter() - begun) / max(1, played)
    count = sum(1 for _ in plan.fixtures())
    return f"{count} games, about {_duration(each * count / max(1, workers))} with {workers} workers."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _there(folder: Path) -> Run:
    run = Run(folder)
    if not run.exists:
        raise UseError(f'"{folder}" holds no tournament: living-table arena run --out {folder} makes one.')
    return run


def _bounds(text: str) -> tuple[float, float]:
    parts = text.split(",")
    try:
        low, high = (float(part) for part in parts)
    except ValueError:
        raise UseError(f'--sprt takes two Elo differences such as 0,30, not "{text[:40]}".') from None
    if not low < high:
        raise UseError("--sprt takes the smaller Elo difference first, such as 0,30.")
    return low, high


def _say(text: str) -> None:
    sys.stderr.write(safe(text))
    sys.stderr.flush()


class _progress:
    """Done of how many and the time left, on stderr, at a terminal alone."""

    def __enter__(self) -> object:
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True, markup=False, emoji=False),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._bar.__enter__()
        task = self._bar.add_task("")
        return lambda done, of: self._bar.update(task, completed=done, total=of)

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)
