"""`living-table arena`: tournaments of bots, and what came of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from rich.table import Table
from rich.text import Text

from livingtable.arena.estimate import estimated_seconds
from livingtable.arena.on_ray import check_address
from livingtable.arena.plan import Plan
from livingtable.arena.run import Run, never
from livingtable.arena.sprt import sequential_test
from livingtable.arena.workers import LostWorkerError
from livingtable.game import Data
from livingtable.records import read_record
from livingtable_server.settings import Settings
from livingtable_server.terminal.arena_plan import Wish, plan_of
from livingtable_server.terminal.arena_progress import progress, say, until_stopped
from livingtable_server.terminal.display import one_line, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.options import check_not_left_out
from livingtable_server.terminal.render import moving_picture
from livingtable_server.terminal.replay import replay_record

EXTRA = ("numpy", "scipy", "threadpoolctl", "zstandard")
FEW_GAMES = 8
"""Which are not worth an estimate."""


def run_arena(settings: Settings, wish: Wish) -> int:
    """Plays a tournament into a folder, or goes on with one, and shows what came of it. The exit code."""
    return until_stopped(lambda: _run(settings, wish))


def _run(settings: Settings, wish: Wish) -> None:
    need_the_extra()
    if wish.ray is not None and find_spec("ray") is None:
        raise UseError("--ray needs Ray: pip install 'living-table[ray]'.")
    if wish.out.exists() and not wish.out.is_dir():
        raise UseError(f'"{wish.out}" cannot be written: it is a file, and --out needs a folder.')
    run = Run(wish.out)
    before = run.plan() if run.exists else None
    plan = plan_of(settings, wish, run)
    check_not_left_out([Path(folder) for folder in plan.folders], plan.scenarios)
    workers = wish.workers or os.cpu_count() or 1
    try:
        if wish.ray is not None:
            check_address(wish.ray)
        run.begin(plan)
        if len(plan.entrants) == 1:
            say("One agent alone plays itself: that says what the seats are worth, not how strong it is.")
        if before is not None and _asks_for_fewer(wish, before):
            say(_fewer(run, wish, before, plan))
            if _is_same(before, plan):
                show(wish.out)
                return
        if not _is_decided(run, plan):
            say(_estimate(run, plan, workers))
            _play(run, plan, workers, wish.ray)
    except KeyboardInterrupt:
        say(_kept(run, wish))
        raise
    except LostWorkerError as error:
        raise UseError(f"{error} {_kept(run, wish)}") from None
    except ConnectionError as error:
        raise UseError(f"Ray at {wish.ray} does not answer ({error}): --ray local plays on this machine.") from None
    except OSError as error:
        raise UseError(f'"{wish.out}" cannot be written ({error.strerror or error}).') from None
    show(wish.out)


def _asks_for_fewer(wish: Wish, before: Plan) -> bool:
    return wish.games is not None and wish.games < before.games


def _is_same(before: Plan, plan: Plan) -> bool:
    return (before.entrants, before.scenarios) == (plan.entrants, plan.scenarios)


def _fewer(run: Run, wish: Wish, before: Plan, plan: Plan) -> str:
    """What becomes of a tournament for which fewer games are asked than it has."""
    said = f"--games {wish.games} is fewer than the {before.games} a scenario of this tournament, which stay"
    if not _is_same(before, plan):
        return f"{said}."
    played, left = sum(1 for _ in run.rows()), sum(1 for _ in run.waiting(plan))
    more = f" To play the {left} that are left, leave --games out." if left else ""
    return f"{said}: the {played} games played are kept, and nothing more is played.{more}"


def _kept(run: Run, wish: Wish) -> str:
    kept = sum(1 for _ in run.rows())
    again = ["living-table", "arena", "run", "--out", str(wish.out), "--resume"]
    again += [] if wish.ray is None else ["--ray", wish.ray]
    return f"{kept} games are kept; to go on: {shlex.join(again)}"


def show(folder: Path) -> None:
    """The table of entrants, and how the games ended."""
    need_the_extra()
    from livingtable.arena.report import ends_of, games_of, report_of

    data = report_of(_run_in(folder))
    _print_entrants(data["entrants"])
    for name, entrants in data["byScenario"].items():
        _print(f"{name} alone:")
        _print_entrants(entrants)
    ends = ", ".join(f"{count} {end}" for end, count in ends_of(data).items() if count) or "none"
    doubles = f" {data['duplicates']} are doubles of others." if data["duplicates"] else ""
    _print(f"{games_of(data)}: {ends}.{doubles}")
    for lost in data["forfeits"][:10]:
        game = f"game {lost['number']}, seed {lost['seed']}"
        _print(f"forfeit by {lost['by']} as {lost['side']} ({game}): {lost['why']}: {lost['detail']}")
    if len(data["forfeits"]) > 10:
        _print(f"and {len(data['forfeits']) - 10} forfeits more, which stand in the report.")
    if data["sprt"]:
        _print(data["sprt"]["words"])


def _print_entrants(entrants: Sequence[Data]) -> None:
    from livingtable.arena.report import COLUMNS, cells

    table = Table(*COLUMNS.values(), box=None, pad_edge=False)
    for row in entrants:
        table.add_row(*(Text(one_line(cell)) for cell in cells(row)))
    terminal().print(table)


def report(folder: Path) -> None:
    """Writes the report, and says where it is."""
    need_the_extra()
    from livingtable.arena.report import write_report

    try:
        files = write_report(_run_in(folder), moving_picture)
    except OSError as error:
        raise UseError(f'"{folder}" cannot be written ({error.strerror or error}).') from None
    for file in files:
        _print(str(file))


def replay(folder: Path, number: int, begin: int) -> None:
    """Steps through the N-th game, from 1."""
    run = _run_in(folder)
    if run.plan().compressed:
        need_the_extra()
    line = next(islice(run.record_lines(), number - 1, None), None)
    if line is None:
        games = sum(1 for _ in run.rows())
        if number <= games:
            raise UseError(f'The records in "{folder}" are damaged or gone: that of game {number} is not there.')
        raise UseError(f'"{folder}" has {games} games, and no game {number}.')
    replay_record(read_record(line.decode()), begin)


# Playing


def _is_decided(run: Run, plan: Plan) -> bool:
    test = sequential_test(plan)
    return test is not None and any(map(test.add, run.rows()))


def _play(run: Run, plan: Plan, workers: int, ray: str | None) -> None:
    test = sequential_test(plan)
    with progress(tenths=True) as told:
        run.go_on(plan, workers, told, test.add if test else never, ray)


def _estimate(run: Run, plan: Plan, workers: int) -> str:
    """How many games, and about how long; of a sequential test the most of both."""
    count = sum(1 for _ in run.waiting(plan))
    most = "at most " if plan.sprt else ""
    games = f"{most}{count} games to play, with {workers} {'worker' if workers == 1 else 'workers'}"
    if count <= FEW_GAMES:
        return f"{games}."
    seconds = estimated_seconds(plan, run.waiting(plan)) / min(workers, count)
    return f"{games}: {most}about {_duration(seconds)}."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


# Around it


def _run_in(folder: Path) -> Run:
    run = Run(folder)
    if not run.exists:
        raise UseError(f'"{folder}" holds no tournament: living-table arena run --out {folder} makes one.')
    return run


def need_the_extra() -> None:
    """Raises `UseError` where a library is missing."""
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise UseError(f"Tournaments need {', '.join(missing)}: pip install 'living-table[arena]'.")


def _print(text: str) -> None:
    terminal().print(Text(one_line(text)), soft_wrap=True)
