"""`living-table arena`: tournaments of bots, and what came of them."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from livingtable.arena.entrants import is_remote
from livingtable.arena.plan import SECONDS, Plan, library
from livingtable.arena.run import Run, Told
from livingtable.arena.workers import play_one
from livingtable.game import get_game
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.replay import replay_record

EXTRA = ("numpy", "scipy", "threadpoolctl", "zstandard")
COMPRESSED_FROM = 2_000
"""Games a scenario from which on the records of a run are kept compressed."""
TRIAL_GAMES = 4
GAMES = 40
"""A scenario, if not said; and between two looks of a sequential test."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for; None or nothing: as in the run that is gone on with, or the default."""

    scenarios: Sequence[str]
    game: str | None
    agents: Sequence[str]
    games: int | None
    seed: int | None
    seconds: float | None
    workers: int | None
    out: Path
    resume: bool
    sprt: str | None


def run_arena(settings: Settings, wish: Wish) -> None:
    """Plays a tournament into a folder, or goes on with one, and shows what came of it."""
    _need_the_extra()
    bounds = None if wish.sprt is None else _bounds(wish.sprt)
    run = Run(wish.out)
    plan = _plan(settings, wish, run)
    if bounds is not None and len(plan.entrants) != 2:
        raise UseError(f"--sprt compares two agents, not {len(plan.entrants)}: name two with --agents.")
    workers = wish.workers or os.cpu_count() or 1
    try:
        _say(_estimate(run, plan, workers))
        if bounds is None:
            _play(run, plan, workers)
        else:
            _play_until_decided(run, plan, workers, bounds)
    except KeyboardInterrupt:
        kept = sum(1 for _ in run.rows())
        again = ["living-table", "arena", "run", "--out", str(wish.out), "--resume"]
        again += [] if wish.sprt is None else ["--sprt", wish.sprt]
        _say(f"{kept} games are kept; to go on: {shlex.join(again)}")
        raise
    except OSError as error:
        raise UseError(f'"{wish.out}" cannot be written ({error.strerror or error}).') from None
    show(wish.out)


def show(folder: Path) -> None:
    """The table of entrants, and how the games ended."""
    _need_the_extra()
    from livingtable.arena.report import COLUMNS, cells, report_of

    data = report_of(_run_in(folder))
    table = Table(*COLUMNS.values(), box=None, pad_edge=False)
    for row in data["entrants"]:
        table.add_row(*(Text(safe(cell)) for cell in cells(row)))
    terminal().print(table)
    ends = ", ".join(f"{count} {end}" for end, count in data["ends"].items() if count) or "none"
    doubles = f" {data['duplicates']} are doubles of others." if data["duplicates"] else ""
    _print(f"{data['games']} games: {ends}.{doubles}")
    for lost in data["forfeits"][:10]:
        _print(f"forfeit by {lost['by']} as {lost['side']}, seed {lost['seed']}: {lost['why']}: {lost['detail']}")
    if len(data["forfeits"]) > 10:
        _print(f"and {len(data['forfeits']) - 10} forfeits more, which stand in the report.")


def report(folder: Path) -> None:
    """Writes the report, and says where it is."""
    _need_the_extra()
    from livingtable.arena.report import write_report

    try:
        files = write_report(_run_in(folder))
    except OSError as error:
        raise UseError(f'"{folder}" cannot be written ({error.strerror or error}).') from None
    for file in files:
        _print(str(file))


def replay(folder: Path, number: int, begin: int) -> None:
    """Steps through the N-th game, from 1."""
    run = _run_in(folder)
    if run.plan().compressed:
        _need_the_extra()
    record = next(islice(run.records(), number - 1, None), None)
    if record is None:
        raise UseError(f'"{folder}" has {sum(1 for _ in run.rows())} games, and no game {number}.')
    replay_record(record, begin)


# What is to be played


def _plan(settings: Settings, wish: Wish, run: Run) -> Plan:
    agents = tuple(dict.fromkeys(name for text in wish.agents for name in _agents(text)))
    scenarios = tuple(wish.scenarios)
    if wish.game is not None:
        folders = tuple(map(str, settings.scenarios))
        scenarios += tuple(s.name for s in library(folders).all(get_game(wish.game).name))
    plan = _more(wish, run, scenarios, agents) if run.exists else _begun(settings, wish, scenarios, agents)
    plan.check()
    return plan


def _agents(text: str) -> list[str]:
    """Of a list; a command or an address, which may hold commas, stands alone."""
    return [text] if is_remote(text) else [name for name in text.split(",") if name]


def _begun(settings: Settings, wish: Wish, scenarios: tuple[str, ...], agents: tuple[str, ...]) -> Plan:
    if wish.resume:
        raise UseError(f'"{wish.out}" holds no tournament to go on with: leave --resume out to begin one.')
    if not scenarios:
        raise UseError("Which scenario? Name it with --scenario, or all of a game with --game.")
    if not agents:
        raise UseError("Who plays? Name the agents with --agents, such as --agents greedy,random.")
    games = wish.games or GAMES
    return Plan(
        scenarios=tuple(dict.fromkeys(scenarios)),
        entrants=agents,
        games=games,
        seed=wish.seed or 0,
        seconds=wish.seconds or SECONDS,
        compressed=games >= COMPRESSED_FROM,
        folders=tuple(str(folder) for folder in settings.scenarios),
    )


def _more(wish: Wish, run: Run, scenarios: tuple[str, ...], agents: tuple[str, ...]) -> Plan:
    """Entrants, scenarios and games may be added to a run; nothing else about it may change."""
    if not wish.resume:
        raise UseError(f'There is a tournament in "{wish.out}": go on with it by --resume, or name another folder.')
    before = run.plan()
    for option, old, new in (("--seed", before.seed, wish.seed), ("--seconds", before.seconds, wish.seconds)):
        if new is not None and new != old:
            raise UseError(f'The tournament in "{wish.out}" has {option} {old}, not {new}: name another folder.')
    return before.with_more(scenarios, agents, wish.games or 0)


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise UseError(f'--sprt takes two Elo differences such as 0,30, not "{text[:40]}".') from None
    if not -1_000 <= low < high <= 1_000:
        raise UseError("--sprt takes the smaller Elo difference first, such as 0,30, both from -1000 to 1000.")
    return low, high


# Playing


def _play(run: Run, plan: Plan, workers: int) -> None:
    with _progress() as told:
        run.go_on(plan, workers, told)


def _play_until_decided(run: Run, plan: Plan, workers: int, bounds: tuple[float, float]) -> None:
    """Plays pairs until the sequential test has decided, at most as many games as the plan has."""
    from livingtable.arena.sprt import sprt

    first, second = plan.entrants
    low, high = bounds
    games = run.plan().games if run.exists else min(plan.games, GAMES)
    while True:
        _play(run, replace(plan, games=games), workers)
        found = sprt(list(run.rows()), first, second, low, high)
        figures = f"{found.pairs} pairs, mean score {found.mean:.3f}, log-likelihood ratio {found.llr:.2f}"
        _say(f"{figures}, decided at {found.lower:.2f} or {found.upper:.2f}")
        if found.verdict != "undecided" or games >= plan.games:
            break
        games = min(plan.games, games + GAMES)
    words = {
        "elo1": f"{first} is stronger than {second} by {high:g} Elo rather than by {low:g}",
        "elo0": f"{first} is stronger than {second} by {low:g} Elo or less rather than by {high:g}",
        "undecided": f"Undecided after {plan.games} games: allow more with --games",
    }
    _print(f"{words[found.verdict]}.")


def _estimate(run: Run, plan: Plan, workers: int) -> str:
    """A few games are tried out, to say how long all will take."""
    count = sum(1 for _ in run.waiting(plan))
    if count <= 2 * TRIAL_GAMES:
        return f"{count} games to play, with {workers} workers."
    begun = time.perf_counter()
    for fixture in islice(run.waiting(plan), TRIAL_GAMES):
        play_one(plan, fixture)
    seconds = (time.perf_counter() - begun) / TRIAL_GAMES * count / min(workers, count)
    return f"{count} games to play, with {workers} workers: about {_duration(seconds)}."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


@contextmanager
def _progress() -> Generator[Told]:
    """How many are done of how many, and the time left: on stderr, at a terminal alone."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games", markup=False))
    console = Console(stderr=True, markup=False, emoji=False)
    quiet = not sys.stderr.isatty()
    with Progress(
        *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console, transient=True, disable=quiet
    ) as bar:
        task = bar.add_task("")
        yield lambda done, of: bar.update(task, completed=done, total=of)


# Around it


def _run_in(folder: Path) -> Run:
    run = Run(folder)
    if not run.exists:
        raise UseError(f'"{folder}" holds no tournament: living-table arena run --out {folder} makes one.')
    return run


def _need_the_extra() -> None:
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise UseError(f"Tournaments need {', '.join(missing)}: pip install 'living-table[arena]'.")


def _print(text: str) -> None:
    terminal().print(Text(safe(text)), soft_wrap=True)


def _say(text: str) -> None:
    sys.stderr.write(f"{safe(text)}\n")
    sys.stderr.flush()
