"""`living-table arena`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from livingtable.game import MAX_SEED
from livingtable_server.commands.options import Scenarios
from livingtable_server.terminal.options import settings_from

arena_app = typer.Typer(name="arena", help="Tournaments of bots: how strong each is, and how sure that is.")

ArenaFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a tournament.")]


@arena_app.command("run")
def run_arena(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the tournament.")],
    scenario: Annotated[list[str] | None, typer.Option(metavar="NAME", help="May be repeated.")] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="All its scenarios.")] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Bots, FILE.py:NAME of your own, mcp+stdio:COMMAND or http://ADDRESS; may be repeated.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="At least so many a scenario; 40. With --sprt: at most; 20000."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="Decides all seeds; 0.")] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0.01, help="For a choice of a bot that is not built in; 5.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=61, help="Processes; as many as there are processors.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on, also with more agents or games.")] = False,
    sprt: Annotated[
        str | None, typer.Option(metavar="ELO0,ELO1", help="Two agents: stop as soon as it is clear.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster, or, with local, by Ray here.")
    ] = None,
    scenarios: Scenarios = None,
) -> int:
    """Play a tournament, or go on with one."""
    settings = settings_from(scenarios=scenarios)
    from livingtable_server.terminal import arena
    from livingtable_server.terminal.arena_plan import Wish

    wish = Wish(
        scenarios=scenario or [],
        game=game,
        agents=agents or [],
        games=games,
        seed=seed,
        seconds=seconds,
        workers=workers,
        out=out,
        resume=resume,
        sprt=sprt,
        ray=ray,
    )
    return arena.run_arena(settings, wish)


@arena_app.command("show")
def show_arena(folder: ArenaFolder) -> None:
    """Show the table of a tournament."""
    from livingtable_server.terminal import arena

    arena.show(folder)


@arena_app.command("report")
def report_arena(folder: ArenaFolder) -> None:
    """Write the report of a tournament: a page, and the same as JSON, CSV and Markdown."""
    from livingtable_server.terminal import arena

    arena.report(folder)


@arena_app.command("replay")
def replay_arena(
    folder: ArenaFolder,
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="Which game, from 1.")],
    begin: Annotated[int, typer.Option("--from", metavar="N", min=0, help="Begin after that many actions.")] = 0,
) -> None:
    """Step through a game of a tournament."""
    from livingtable_server.terminal import arena

    arena.replay(folder, number, begin)


@arena_app.command("results")
def results_of_arena(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the games are kept; named again, it goes on.")],
    page: Annotated[Path, typer.Option(metavar="FILE", help="What to write.")] = Path("RESULTS.md"),
    seeds: Annotated[int, typer.Option(metavar="N", min=1, help="Of each scenario.")] = 400,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Play this one alone; may be repeated.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=61, help="Processes; as many as there are processors.")
    ] = None,
) -> int:
    """Play the built-in agents in every scenario, and write the page of how they do."""
    from livingtable_server.terminal.arena_results import write_results

    return write_results(out, page, seeds, workers or os.cpu_count() or 1, scenario or ())
