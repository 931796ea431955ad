"""The command line: options and dispatch. What a command does is in `terminal`, imported when it is called, for the
serving commands must start as fast as a bare server does. Those that have commands of their own are in `commands`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from livingtable.version import __version__
from livingtable_server.commands.arena import arena_app
from livingtable_server.commands.experiment import experiment_app
from livingtable_server.commands.help import with_plain_help
from livingtable_server.commands.options import Health, Out, ScenarioName, Scenarios, Seed, Side, Store
from livingtable_server.commands.rooms import rooms_app
from livingtable_server.commands.store import store_app
from livingtable_server.settings import DEBUG_VARIABLE
from livingtable_server.terminal.faults import WRONG_USE, complain, report
from livingtable_server.terminal.options import DEFAULT_SCENARIO, settings_from

app = typer.Typer(
    name="living-table",
    help="A table at which language models, bots and people play. Without a command it serves MCP over stdio.",
    add_completion=False,
)
app.add_typer(store_app)
app.add_typer(rooms_app)
app.add_typer(arena_app)
app.add_typer(experiment_app)
mcp_app = typer.Typer(name="living-table-mcp", add_completion=False)


def main() -> None:
    """`living-table`."""
    sys.exit(run(app, sys.argv[1:]))


def main_mcp() -> None:
    """`living-table-mcp`: another name for `living-table mcp`."""
    sys.exit(run(mcp_app, sys.argv[1:]))


def run(commands: typer.Typer, arguments: Sequence[str]) -> int:
    """Runs a command and returns its exit code; whatever goes wrong is one line on stderr."""
    try:
        code = with_plain_help(commands)(list(arguments), standalone_mode=False, prog_name=commands.info.name)
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
        list[str] | None, typer.Option(metavar="NET", help="A proxy that says who the client is; may be repeated.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=N", help="Of one client: requests, games, waiting, streams, open, computing, misses. 0: none."
        ),
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
    section: Annotated[
        str | None, typer.Argument(metavar="[SECTION]", help="Its number or title, a rule's number, or words.")
    ] = None,
) -> None:
    """Show the rules of a game, whole or one section."""
    from livingtable_server.terminal.listings import show_rules

    show_rules(game, section)


if __name__ == "__main__":
    main()
