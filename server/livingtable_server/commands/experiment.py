"""`living-table experiment`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from livingtable_server.commands.options import Scenarios
from livingtable_server.terminal.options import settings_from

experiment_app = typer.Typer(name="experiment", help="Prompts and models compared: which plays better, at what price.")


@experiment_app.command("run")
def run_experiment(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An experiment file, TOML.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder; called like the file, if left out.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it will take.")] = False,
    max_cost: Annotated[
        float | None, typer.Option(metavar="DOLLARS", min=0, help="No model is asked once that is spent.")
    ] = None,
    prompts: Annotated[Path | None, typer.Option(metavar="DIR", help="Your own prompts, before those here.")] = None,
    connections: Annotated[int | None, typer.Option(metavar="N", min=1, help="Games at once of a model.")] = None,
    show: Annotated[
        Literal["auto", "full", "lines", "nothing"], typer.Option(help="Of the progress; full: Inspect's own screen.")
    ] = "auto",
    scenarios: Scenarios = None,
) -> int:
    """Run an experiment, or go on with one."""
    settings = settings_from(scenarios=scenarios)
    from livingtable_server.terminal import experiment

    return experiment.run_experiment(
        settings, experiment.Wish(file, out, dry_run, max_cost, prompts, connections, show)
    )


@experiment_app.command("report")
def report_experiment(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run, or of Inspect's logs.")],
) -> None:
    """Write the report of a run: a page, and the same as JSON and CSV."""
    from livingtable_server.terminal import experiment

    experiment.report(folder)
