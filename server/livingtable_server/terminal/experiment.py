"""`living-table experiment`: prompts and models compared, and what came of it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from livingtable.arena.stopping import Stopped, terminated_as_interrupted
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import safe, terminal
from livingtable_server.terminal.faults import FAULT, UseError
from livingtable_server.terminal.options import check_not_left_out

if TYPE_CHECKING:  # They need what the extra brings.
    from inspect_ai.model import Model

    from livingtable_server.experiments.running import Display, Progress, Setting
    from livingtable_server.experiments.watch import Watch

EXTRA = ("inspect_ai", "openai", "numpy", "scipy")
SECONDS_A_LINE = 5.0
"""Between two lines of progress."""
LINES_ALIKE = 6
"""After so many times of nothing new, it is said that nothing is new."""
REASONS_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for."""

    file: Path
    out: Path | None
    dry_run: bool
    max_cost: float | None
    prompts: Path | None
    connections: int | None
    show: str


def run_experiment(settings: Settings, wish: Wish) -> int:
    """Plays an experiment into a folder, or goes on with one; or says what it will take. The exit code: not 0 where a
    model was given up, or where there were but crashes."""
    try:
        with terminated_as_interrupted():
            return _run(settings, wish)
    except Stopped as stopped:
        return stopped.code


def _run(settings: Settings, wish: Wish) -> int:
    need_the_extra()
    out = wish.out or Path(wish.file.stem)
    if wish.prompts is not None and not wish.prompts.is_dir():
        raise UseError(f'--prompts names "{wish.prompts}", which is no folder: make it, or name another.')
    try:
        setting = _setting(settings, wish)
        if wish.dry_run:
            setting.check_without_keys()
            _show_estimates(setting)
            return 0
        models = setting.check()  # So that what is wrong is told before anything is begun.
        return _play(setting, models, wish, out)
    except ExperimentError as error:
        raise UseError(str(error)) from None
    except OSError as error:
        raise UseError(f'"{out}" cannot be written ({error.strerror or error}).') from None


def report(folder: Path) -> None:
    """Writes the report of a run, or of any folder with logs of these tasks, and says where it is."""
    need_the_extra()
    from livingtable_server.experiments.logs import games_in
    from livingtable_server.experiments.report import report_of, write_report
    from livingtable_server.experiments.running import Run

    if not folder.is_dir():
        raise UseError(f'"{folder}" is no folder; name the one into which an experiment was run.')
    try:
        run = Run(folder)
        plan = run.plan()
        games = run.games() if plan else games_in(folder)
        if not games:
            raise UseError(f'"{folder}" has no games yet; run an experiment into it first.')
        data = report_of(games, plan)
        files = write_report(folder, data, games)
    except ExperimentError as error:
        raise UseError(str(error)) from None
    except OSError as error:
        raise UseError(f'"{folder}" cannot be written ({error.strerror or error}).') from None
    _show_groups(data["groups"])
    for file in files:
        _print(str(file))


def need_the_extra() -> None:
    """Raises `UseError` where it is not installed."""
    if any(find_spec(name) is None for name in EXTRA):
        raise UseError("Experiments need more libraries: pip install 'living-table[experiments]'.")


def _setting(settings: Settings, wish: Wish) -> Setting:
    from livingtable_server.experiments.files import load_experiment
    from livingtable_server.experiments.prompts import PromptLibrary
    from livingtable_server.experiments.running import Setting

    library = ScenarioLibrary(settings.scenarios)
    experiment = load_experiment(wish.file, library)
    check_not_left_out(settings.scenarios, experiment.scenarios)
    return Setting(experiment, library, PromptLibrary(library, wish.prompts), settings.scenarios)


def _show_estimates(setting: Setting) -> None:
    from livingtable_server.experiments.estimate import estimates

    table = Table("model", "games", "decisions", "tokens in", "tokens out", "cost, $", box=None, pad_edge=False)
    found = estimates(setting.experiment, setting.library, setting.prompts)
    for row in found:
        cost = "no price given" if row.cost is None else f"{row.cost:.2f}"
        figures = (f"{value:.0f}" for value in (row.games, row.decisions, row.tokens_in, row.tokens_out))
        table.add_row(Text(safe(row.model)), *figures, cost)
    terminal().print(table)
    others = " and what models in other seats take" if setting.experiment.against else ""
    _print(
        f"Estimated with a bot in the model's seat, four signs a token. On top come retries{others}. Nothing was asked."
    )


def _play(setting: Setting, models: dict[str, Model], wish: Wish, out: Path) -> int:
    from livingtable_server.experiments.running import Run
    from livingtable_server.experiments.watch import Watch

    experiment = setting.experiment
    unpriced = [name for name, model in experiment.models.items() if model.price is None]
    if wish.max_cost is not None and unpriced:
        raise UseError(f"--max-cost needs prices: give models.{unpriced[0]}.price, input and output in $ a million.")
    run = Run(out)
    run.begin(setting)
    before = run.progress(experiment)
    done = len(before.done)
    _say(f"{before.games - done} games to play into {out}" + (f", {done} done" if done else ""))
    watch, display = Watch(before.games, done), _display(wish.show)
    lines = display in ("none", "plain") and wish.show != "nothing"
    try:
        with _lines_of(watch, lines):
            run.play(setting, models, watch, before, wish.max_cost, wish.connections, display)
    finally:
        now = run.progress(experiment)
        _say_how_it_stands(now, watch, wish, out)
    return FAULT if watch.stopped or (now.crashed and not now.done) else 0


@contextmanager
def _lines_of(watch: Watch, wanted: bool) -> Generator[None]:
    """Says meanwhile how the run stands, also into a pipe: at once what is new, now and then that nothing is."""
    over = Event()

    def tell() -> None:
        said, alike = watch.line(), 0
        while not over.wait(SECONDS_A_LINE):
            line = watch.line()
            alike = alike + 1 if line == said else 0
            if line != said or alike % LINES_ALIKE == 0:
                _say(line)
            said = line

    teller = Thread(target=tell, daemon=True)
    if wanted:
        teller.start()
    try:
        yield
    finally:
        over.set()
        if wanted:
            teller.join()


def _display(show: str) -> Display:
    if show == "auto":
        return "rich" if sys.stderr.isatty() else "none"
    return "none" if show == "nothing" else "full" if show == "full" else "plain"


def _say_how_it_stands(now: Progress, watch: Watch, wish: Wish, out: Path) -> None:
    done = len(now.done)
    cost = f", ${now.spent:.4f} spent" if now.spent else ""
    _say(f"{done} of {now.games} games are done{cost}" + (f"; {now.crashed} crashed" if now.crashed else ""))
    for (name, reason), times in watch.crashes.most_common(REASONS_AT_MOST):
        _say(f"  {times} of {name}: {reason}")
    for (name, variant), reason in watch.stopped.items():
        _say(f"{name}{f' with {variant}' if variant else ''} is asked no more: {reason}")
    if done < now.games:
        if wish.max_cost is not None and now.spent >= wish.max_cost:
            _say("The cost limit is reached; with a higher --max-cost it goes on.")
        _say(f"to go on: {shlex.join(_again(wish, out))}")
    if done or now.crashed:
        _say(f"to see what came of it: {shlex.join(['living-table', 'experiment', 'report', str(out)])}")


def _again(wish: Wish, out: Path) -> Sequence[str]:
    command = ["living-table", "experiment", "run", str(wish.file), "--out", str(out)]
    return command if wish.prompts is None else [*command, "--prompts", str(wish.prompts)]


def _show_groups(groups: Sequence[dict[str, object]]) -> None:
    from livingtable_server.experiments.drawing import number, percent

    columns = ("model", "variant", "games", "crashed", "wins", "score", "illegal", "unparsable", "cut", "cost, $")
    table = Table(*columns, box=None, pad_edge=False)
    for group in groups:
        measures: dict[str, dict[str, float] | None] = group["measures"]  # pyright: ignore[reportAssignmentType]
        found = {name: of["mean"] if of else None for name, of in measures.items()}
        names = (Text(safe(str(group["model"]))), Text(safe(str(group["variant"]))))
        counts = (str(group[key]) for key in ("games", "crashed", "wins"))
        rates = (percent(found[name]) for name in ("illegal", "unparsable", "cut"))
        table.add_row(*names, *counts, number(found["score"]), *rates, number(found["cost"]))
    terminal().print(table)


def _print(text: str) -> None:
    terminal().print(safe(text), soft_wrap=True, highlight=False)


def _say(text: str) -> None:
    sys.stderr.write(f"{safe(text)}\n")
