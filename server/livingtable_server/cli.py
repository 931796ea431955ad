"""The command line: options and dispatch. What a command does is in `terminal`, imported when it is called, for the
serving commands must start as fast as a bare server does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from livingtable.game import MAX_SEED
from livingtable.version import __version__
from livingtable_server.settings import DEBUG_VARIABLE
from livingtable_server.terminal.faults import WRONG_USE, complain, report
from livingtable_server.terminal.options import DEFAULT_SCENARIO, settings_from

app = typer.Typer(
    name="living-table",
    help="A table at which language models, bots and people play. Without a command it serves MCP over stdio.",
    add_completion=False,
)
store_app = typer.Typer(name="store", help="Look after the ledger: count, copy, remove.")
app.add_typer(store_app)
rooms_app = typer.Typer(name="rooms", help="Look after the rooms of a server: see, close, remove a player.")
app.add_typer(rooms_app)
arena_app = typer.Typer(name="arena", help="Tournaments of bots: how strong each is, and how sure that is.")
app.add_typer(arena_app)
experiment_app = typer.Typer(name="experiment", help="Prompts and models compared: which plays better, at what price.")
app.add_typer(experiment_app)
mcp_app = typer.Typer(name="living-table-mcp", add_completion=False)

Store = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="The ledger: sqlite:///PATH, sqlite:// for memory, or postgresql://USER@HOST/DATABASE."
    ),
]
Scenarios = Annotated[list[Path] | None, typer.Option(metavar="DIR", help="Your own scenarios; may be repeated.")]
Health = Annotated[
    str | None, typer.Option("--health", "-H", metavar="N", help="Starting health, above a scenario's own.")
]
ScenarioName = Annotated[str, typer.Option("--scenario", metavar="NAME", help="Which scenario to play.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="Decides the dice; drawn if left out.")
]
Side = Annotated[str | None, typer.Option(metavar="SEAT", help="Which seat; the first if left out.")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Where the record goes; else a new file in your data folder.")
]


def main() -> None:
    """`living-table`."""
    sys.exit(run(app, sys.argv[1:]))


def main_mcp() -> None:
    """`living-table-mcp`: another name for `living-table mcp`."""
    sys.exit(run(mcp_app, sys.argv[1:]))


def run(commands: typer.Typer, arguments: Sequence[str]) -> int:
    """Runs a command and returns its exit code; whatever goes wrong is one line on stderr."""
    try:
        code = commands(list(arguments), standalone_mode=False, prog_name=commands.info.name)
    except typer.TyperException as error:
        path = getattr(getattr(error, "ctx", None), "command_path", commands.info.name)
        complain(f"{error.format_message().rstrip('. ')}; see {path} --help")
        return WRONG_USE
    except (Exception, KeyboardInterrupt) as error:
        return report(error)
    return code if isinstance(code, int) else 0


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"living-table {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def table(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Of a fault of the program, show where it is.")] = False,
) -> None:
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"
    if context.invoked_subcommand is None:
        mcp()


@app.command()
@mcp_app.command()
def mcp(
    tools: Annotated[Literal["core", "all"], typer.Option(help="Offer the seven core tools alone, or all.")] = "all",
    store: Store = None,
    scenarios: Scenarios = None,
    health: Health = None,
) -> None:
    """Serve MCP over stdin and stdout."""
    from livingtable_server.terminal.serve_stdio import serve

    serve(settings_from(store, scenarios, health), tools)


@app.command("serve")
def serve_http(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0: any that is free.")] = 8000,
    token: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Needed to begin games; better in LIVING_TABLE_TOKEN.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="By which others reach it; may be repeated.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Of pages that may ask; may be repeated.")
    ] = None,
    public_url: Annotated[str | None, typer.Option(metavar="URL", help="Where others see it.")] = None,
    trusted_proxy: Annotated[
        list[str] | None, typer.Option(metavar="NET", help="Whose word on the client counts; may be repeated.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=N", help="Of one client: requests, games, waiting, streams, open. 0: none."),
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Processes behind the port.")] = 1,
    store: Store = None,
    scenarios: Scenarios = None,
    health: Health = None,
) -> int:
    """Serve games over HTTP: REST, live events and MCP."""
    settings = settings_from(store, scenarios, health)
    from livingtable_server.terminal.serve_http import Wish, serve

    wish = Wish(
        host=host,
        port=port,
        token=token,
        allow_host=allow_host or [],
        allow_origin=allow_origin or [],
        public_url=public_url,
        trusted_proxy=trusted_proxy or [],
        limit=limit or [],
        workers=workers,
    )
    return serve(settings, wish)


@app.command()
def demo(
    scenario: ScenarioName = DEFAULT_SCENARIO,
    seed: Seed = None,
    side: Side = None,
    fast: Annotated[bool, typer.Option("--fast", help="Without pauses.")] = False,
    out: Out = None,
    store: Store = None,
    scenarios: Scenarios = None,
) -> int:
    """Watch a scripted agent play a game over MCP."""
    settings = settings_from(store, scenarios)
    from livingtable_server.terminal.demo import Wish
    from livingtable_server.terminal.demo import demo as show

    return show(settings, Wish(scenario, seed, side, fast, out))


@app.command()
def play(
    scenario: ScenarioName = DEFAULT_SCENARIO,
    seed: Seed = None,
    side: Side = None,
    opponent: Annotated[str, typer.Option(metavar="BOT", help="Who has the other seats.")] = "greedy",
    resume: Annotated[str | None, typer.Option(metavar="SESSION", help="Go on with a game that is kept.")] = None,
    store: Store = None,
    scenarios: Scenarios = None,
) -> int:
    """Play against bots, by typing."""
    settings = settings_from(store, scenarios)
    from livingtable_server.terminal.play import Wish
    from livingtable_server.terminal.play import play as begin

    return begin(settings, Wish(scenario, seed, side, opponent, resume))


@app.command()
def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=".json or .jsonl, - for stdin.")],
) -> int:
    """Replay records and say of each whether it holds."""
    from livingtable_server.terminal.verify import verify_files

    return verify_files(files)


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, - for stdin.")],
    begin: Annotated[int, typer.Option("--from", metavar="N", min=0, help="Begin after that many actions.")] = 0,
    record: Annotated[int | None, typer.Option(metavar="N", min=1, help="Which one of a .jsonl file.")] = None,
) -> None:
    """Step through a record."""
    from livingtable_server.terminal.replay import replay_file

    replay_file(file, record, begin)


@app.command()
def render(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, - for stdin.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="What to write: .gif, .svg or .png.")],
    at: Annotated[int | None, typer.Option(metavar="N", min=0, help="Only the board after that many actions.")] = None,
    record: Annotated[int | None, typer.Option(metavar="N", min=1, help="Which one of a .jsonl file.")] = None,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.02, max=60, help="How long each board is shown.")] = 0.5,
    width: Annotated[int | None, typer.Option(metavar="N", min=16, max=4000, help="Pixels of .gif and .png.")] = None,
) -> None:
    """Make a moving picture of a record, or of one moment in it."""
    from livingtable_server.terminal.render import render_file

    render_file(file, out, record, at, seconds, width)


@app.command()
def export(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a session, or the code of a room.")],
    out: Out = None,
    store: Store = None,
) -> None:
    """Write the record of a kept game into a file, - for stdout."""
    settings = settings_from(store)
    from livingtable_server.terminal.export import export as write

    write(settings, game, out)


@app.command("scenarios")
def list_scenarios(
    scenarios: Scenarios = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Those of one game alone.")] = None,
) -> None:
    """List the scenarios."""
    settings = settings_from(scenarios=scenarios)
    from livingtable_server.terminal import listings

    listings.list_scenarios(settings, game)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files, or folders of them.")],
) -> int:
    """Check scenario files, and say what is wrong in which."""
    from livingtable_server.terminal.listings import check_files

    return check_files(files)


@app.command()
def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game.")],
    section: Annotated[str | None, typer.Argument(metavar="[SECTION]", help="Its number, or a word of it.")] = None,
) -> None:
    """Show the rules of a game, whole or one section."""
    from livingtable_server.terminal.listings import show_rules

    show_rules(game, section)


@store_app.command()
def info(store: Store = None) -> None:
    """Say where the ledger is, and how much is in it."""
    settings = settings_from(store)
    from livingtable_server.terminal.store import show_info

    show_info(settings)


@store_app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; a new file.")], store: Store = None
) -> None:
    """Copy the ledger's file, while games go on in it."""
    settings = settings_from(store)
    from livingtable_server.terminal.store import back_up

    back_up(settings, file)


@store_app.command("export")
def export_all(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Where the records go; a new file.")],
    store: Store = None,
) -> None:
    """Write the records of all games into a file, one a line."""
    settings = settings_from(store)
    from livingtable_server.terminal.store import export_records

    export_records(settings, file)


@store_app.command()
def prune(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Hours, days or weeks, such as 12h, 30d or 8w.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: Store = None,
) -> None:
    """Remove the games and rooms in which nothing has happened for long."""
    settings = settings_from(store)
    from livingtable_server.terminal import store as keeping

    keeping.prune(settings, older_than, dry_run=dry_run, unasked=yes)


@rooms_app.command("list")
def list_rooms(
    everything: Annotated[bool, typer.Option("--all", help="Those that are closed, too.")] = False,
    store: Store = None,
) -> None:
    """List the newest rooms, and who sits in them."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    rooms.list_rooms(settings, everything)


@rooms_app.command("close")
def close_room(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The room's code.")], store: Store = None
) -> None:
    """Close a room: nobody can come in any more."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    rooms.close_room(settings, code)


@rooms_app.command("remove")
def remove_player(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The room's code.")],
    side: Annotated[str, typer.Argument(metavar="SEAT", help="The player's seat.")],
    bot: Annotated[str, typer.Option(metavar="NAME", help="Who plays on.")] = "greedy",
    store: Store = None,
) -> None:
    """Remove a player from a room; a bot plays on."""
    settings = settings_from(store)
    from livingtable_server.terminal import rooms

    rooms.remove_player(settings, code, side, bot)


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
) -> None:
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
    arena.run_arena(settings, wish)


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
) -> None:
    """Play the built-in agents in every scenario, and write the page of how they do."""
    from livingtable_server.terminal.arena_results import write_results

    write_results(out, page, seeds, workers or os.cpu_count() or 1, scenario or ())


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


if __name__ == "__main__":
    main()
