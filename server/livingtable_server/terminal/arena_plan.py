"""What `living-table arena run` is to play, from its options, in words for the one who typed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from livingtable.arena.entrants import is_built_in, is_remote, own_file, try_start
from livingtable.arena.plan import SECONDS, Plan, library
from livingtable.arena.run import Run
from livingtable.game import get_game
from livingtable_server.settings import Settings
from livingtable_server.terminal.faults import UseError

COMPRESSED_FROM = 2_000
"""Games a scenario from which on the records of a run are kept compressed."""
GAMES = 40
"""A scenario, if not said."""
SPRT_GAMES = 20_000
"""The most that a sequential test plays, if not said."""


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
    ray: str | None


def plan_of(settings: Settings, wish: Wish, run: Run) -> Plan:
    """A new tournament's, or that of one that is gone on with. Raises `UseError` and `UnknownNameError`."""
    agents = tuple(dict.fromkeys(name for text in wish.agents for name in agents_of(text)))
    scenarios = tuple(wish.scenarios)
    if wish.game is not None:
        folders = tuple(map(str, settings.scenarios))
        scenarios += tuple(s.name for s in library(folders).all(get_game(wish.game).name))
    plan = _more(wish, run, scenarios, agents) if run.exists else _begun(settings, wish, scenarios, agents)
    if plan.sprt is not None and (len(plan.entrants), len(plan.scenarios)) != (2, 1):
        raise UseError(
            "--sprt compares two agents in one scenario, not "
            f"{len(plan.entrants)} in {len(plan.scenarios)}: name them with --agents and --scenario."
        )
    plan.check()
    (side, *_) = library(plan.folders).get(plan.scenarios[0]).start(0).sides
    for name in plan.entrants:
        try_start(name, side, plan.seconds)
    return plan


def agents_of(text: str) -> list[str]:
    """Of a list. Commands and addresses may hold commas: such a one goes on until what follows can be an agent."""
    names: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if names and is_remote(names[-1]) and not _can_be_agent(part):
            names[-1] += f",{part}"
        elif part:
            names.append(part)
    return names


def _can_be_agent(name: str) -> bool:
    return is_built_in(name) or is_remote(name) or own_file(name) is not None


def _begun(settings: Settings, wish: Wish, scenarios: tuple[str, ...], agents: tuple[str, ...]) -> Plan:
    if wish.resume:
        raise UseError(f'"{wish.out}" holds no tournament to go on with: leave --resume out to begin one.')
    if not scenarios:
        raise UseError("Which scenario? Name it with --scenario, or all of a game with --game.")
    if not agents:
        raise UseError("Who plays? Name the agents with --agents, such as --agents greedy,random.")
    games = wish.games or (GAMES if wish.sprt is None else SPRT_GAMES)
    return Plan(
        scenarios=tuple(dict.fromkeys(scenarios)),
        entrants=agents,
        games=games,
        seed=wish.seed or 0,
        seconds=wish.seconds or SECONDS,
        compressed=games >= COMPRESSED_FROM,
        folders=tuple(str(folder) for folder in settings.scenarios),
        sprt=None if wish.sprt is None else _bounds(wish.sprt),
    )


def _more(wish: Wish, run: Run, scenarios: tuple[str, ...], agents: tuple[str, ...]) -> Plan:
    """Entrants, scenarios and games may be added to a run; nothing else about it may change."""
    before = run.plan()  # First, for it may be none of ours.
    if not wish.resume:
        raise UseError(f'There is a tournament in "{wish.out}": go on with it by --resume, or name another folder.')
    sprt = None if wish.sprt is None else _bounds(wish.sprt)
    asked = (("--seed", before.seed, wish.seed), ("--seconds", before.seconds, wish.seconds))
    for option, old, new in (*asked, ("--sprt", before.sprt, sprt)):
        if new is not None and new != old:
            raise UseError(
                f'The tournament in "{wish.out}" has {_said(option, old)}, not {_said(option, new)}: '
                "name another folder."
            )
    return before.with_more(scenarios, agents, wish.games or 0)


def _said(option: str, value: object) -> str:
    if value is None:
        return f"no {option}"
    return f"{option} {','.join(f'{one:g}' for one in value) if isinstance(value, tuple) else value}"  # pyright: ignore[reportUnknownVariableType]


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise UseError(f'--sprt takes two Elo differences such as 0,30, not "{text[:40]}".') from None
    if not -1_000 <= low < high <= 1_000:
        raise UseError("--sprt takes the smaller Elo difference first, such as 0,30, both from -1000 to 1000.")
    return low, high
