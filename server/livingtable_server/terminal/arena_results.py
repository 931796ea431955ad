"""`living-table arena results`: the page of how the built-in agents do."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from livingtable.arena.plan import library
from livingtable.arena.results import Contest, contests, page_of
from livingtable.arena.workers import LostWorkerError
from livingtable_server.terminal.arena import need_the_extra
from livingtable_server.terminal.arena_progress import progress, say, until_stopped
from livingtable_server.terminal.faults import UseError


def write_results(out: Path, page: Path, seeds: int, workers: int, scenarios: Sequence[str] = ()) -> int:
    """Plays what is still to be played, scenario by scenario (of these, if any are named), and writes the page of all
    that has been played anew after each tournament. The exit code."""
    return until_stopped(lambda: _write(out, page, seeds, workers, scenarios))


def _write(out: Path, page: Path, seeds: int, workers: int, scenarios: Sequence[str]) -> None:
    need_the_extra()
    whole = contests(out, seeds)
    for name in scenarios:
        library(()).get(name)
    waiting = [contest for contest in whole if not scenarios or contest.scenario.name in scenarios]
    _check(waiting, page, seeds)
    try:
        for number, contest in enumerate(waiting, start=1):
            count = sum(1 for _ in contest.run.waiting(contest.plan))
            say(f"{number} of {len(waiting)}: {contest.run.folder.name}, {count} games to play")
            with progress() as told:
                played = contest.run.go_on(contest.plan, workers, told)
            if played or number == len(waiting):
                begun = [contest for contest in whole if any(True for _ in contest.run.rows())]
                page.write_text(page_of(begun), "utf-8", newline="\n")
    except (KeyboardInterrupt, LostWorkerError) as error:
        again = ["living-table", "arena", "results", "--out", str(out), "--page", str(page), "--seeds", str(seeds)]
        again += [word for name in scenarios for word in ("--scenario", name)]
        kept = f"What was played is kept; to go on: {shlex.join(again)}"
        if isinstance(error, LostWorkerError):
            raise UseError(f"{error} {kept}") from None
        say(kept)
        raise
    except OSError as error:
        raise UseError(f'"{error.filename or out}" cannot be written ({error.strerror or error}).') from None
    say(str(page))


def _check(waiting: Sequence[Contest], page: Path, seeds: int) -> None:
    """Raises `UseError` for what would otherwise be found out after hours."""
    if not page.parent.is_dir() or page.is_dir():
        raise UseError(f'--page "{page}" cannot be written: name a file in a folder that is there.')
    for run, plan in ((contest.run, contest.plan) for contest in waiting):
        if run.exists and run.plan().games > plan.games:
            raise UseError(
                f'In "{run.folder}" more is played than {seeds} seeds: give --seeds a larger number, or name another '
                "folder."
            )
