"""How the built-in agents do in every scenario: which tournaments say it, and the page of what came of them.

Of each scenario every agent plays against itself, for what a seat is worth, and all of them play each other, for how
strong they are. `search` takes part in the small scenarios alone, on fewer seeds, for it takes long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from livingtable.agents import agent_kinds
from livingtable.arena.plan import Plan, library
from livingtable.arena.run import Run
from livingtable.arena.schedule import seatings
from livingtable.arena.table import end_in_words, summary
from livingtable.game import Data
from livingtable.scenarios import Scenario
from livingtable.version import __version__

QUICK, SLOW = ("greedy", "random"), "search"
SMALL = ("border_fort", "duel_glade", "fox_pen")
"""Where `search` plays, too."""
SEEDS, SEEDS_OF_SLOW = 400, 50


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament of which the page tells, and the folder that it is played into."""

    scenario: Scenario
    entrants: tuple[str, ...]
    plan: Plan
    run: Run


def contests(folder: Path, seeds: int) -> list[Contest]:
    """In the order of the page. Games are as many as make so many seeds, of `search` 50 at most."""
    found: list[Contest] = []
    for scenario in library(()).all():
        slow = (SLOW,) if scenario.name in SMALL and SLOW in {kind.name for kind in agent_kinds()} else ()
        for entrants in (*((name,) for name in (*QUICK, *slow)), QUICK, *(((*QUICK, SLOW),) if slow else ())):
            count = min(seeds, SEEDS_OF_SLOW) if SLOW in entrants else seeds
            games = count * len(seatings(entrants, len(scenario.start(0).sides)))
            run = Run(folder / f"{scenario.name}-{'-'.join(entrants)}")
            found.append(Contest(scenario, entrants, Plan((scenario.name,), entrants, games, 0, compressed=True), run))
    return found


def page_of(played: Sequence[Contest]) -> str:
    """The page as Markdown, of those that were played."""
    names = list(dict.fromkeys(contest.scenario.name for contest in played))
    where = "every scenario that ships" if len(names) == len(library(()).all()) else "some of the scenarios that ship"
    lines = [
        "# Results",
        "",
        f"How the built-in agents of living-table {__version__} do in {where}. `living-table arena results` comes to "
        "the same figures again: all seeds come from seed 0. `search` takes long, and so plays in the small scenarios "
        "alone that were made for it, on fewer seeds.",
        "",
        "Rates are those of an agent's seats, of which it may have several in a game; where a first place is shared, "
        "each has it. *Head to head* is how often a seat of the one came before a seat of the other, level places as a "
        "half. Intervals are those of 95 %, of Elo by a bootstrap over groups of one seed, of rates by Wilson, of as "
        "many games as would vary as much if they were independent. What else is counted how is in the README, at "
        "*Arena*.",
        "",
    ]
    for scenario in names:
        lines += _section([contest for contest in played if contest.scenario.name == scenario])
    return "\n".join(lines)


def _section(played: Sequence[Contest]) -> Iterator[str]:
    scenario = played[0].scenario
    seats = len(scenario.start(0).sides)
    even = f"{seats} seats, of which each would come first in {100 / seats:.1f} % of the games if all were equal"
    yield from (f"## {scenario.name}", "", f"{scenario.setup.title}, of {scenario.game}: {even}.", "")
    alone: dict[str, Data] = {}
    for contest in played:
        rows = list(contest.run.rows())
        data = summary(rows, contest.entrants, contest.plan.seed)
        first, *others = contest.entrants
        if others:
            yield from _strengths(contest.entrants, len({row["seed"] for row in rows}), data)
        else:
            alone[first] = data
    yield from _seats(alone)


def _strengths(entrants: Sequence[str], seeds: int, data: Data) -> Iterator[str]:
    yield f"{', '.join(entrants)} against each other on {seeds} seeds, each with every seating:"
    yield ""
    yield "| agent | Elo | first rate | mean place | mean score | games |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in data["entrants"]:
        elo = f"{row['elo']:.0f} ({row['eloLow']:.0f} to {row['eloHigh']:.0f})"
        rate = _rate(row["firstRate"], row["firstLow"], row["firstHigh"])
        yield f"| {row['entrant']} | {elo} | {rate} | {row['meanPlace']} | {row['meanScore']} | {row['games']} |"
    yield from ("", f"{_met(data)}. {_ended(data)}", "")


def _met(data: Data) -> str:
    """How often each was placed before each that is weaker."""
    by_strength = [row["entrant"] for row in data["entrants"]]
    rates = {(one, other): data["headToHead"][one][other]["rate"] for one, other in combinations(by_strength, 2)}
    told = (f"{one} before {other} {100 * rate:.1f} %" for (one, other), rate in rates.items() if rate is not None)
    return f"Head to head: {', '.join(told) or 'nobody'}"


def _seats(by_agent: dict[str, Data]) -> Iterator[str]:
    """A row a seat, a column an agent that has all seats."""
    if not by_agent:
        return
    yield "What a seat is worth, where one agent has all of them, a game a seed:"
    yield ""
    yield f"| seat, first rate | {' | '.join(f'all {name}' for name in by_agent)} |"
    yield f"| --- |{' --- |' * len(by_agent)}"
    rates = {
        name: {seat["side"]: _rate(seat["firstRate"], seat["low"], seat["high"]) for seat in data["seats"]}
        for name, data in by_agent.items()
    }
    for side in dict.fromkeys(side for found in rates.values() for side in found):
        yield f"| {side} | {' | '.join(found.get(side, '-') for found in rates.values())} |"
    yield ""
    for name, data in by_agent.items():
        yield f"- all {name}: {_ended(data)}"
    yield ""


def _rate(rate: float | None, low: float, high: float) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _ended(data: Data) -> str:
    """How many games, how they ended, and how long they were."""
    ends = ", ".join(f"{count} {end_in_words(end)}" for end, count in data["ends"].items() if count)
    (length,) = data["lengths"]
    doubles = f" {data['duplicates']} are doubles of others." if data["duplicates"] else ""
    means = f"{length['meanRounds']} rounds and {length['meanActions']} actions in the mean"
    return f"{data['games']} games: {ends}; {means}.{doubles}"
