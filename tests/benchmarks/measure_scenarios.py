"""How a scenario's games go when a bot plays all its seats: the figures in the scenarios' `notes`.

    python -m tests.benchmarks.measure_scenarios crossroads --games 1000 --workers 2

Game n is played with seed n, so the figures are the same on every machine and with any number of workers. `--seats`
adds what each seat gets out of it, which shows a seat that is hopeless; `--events caught` says how often that happens.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from statistics import fmean

from tests.contract.playing import ACTIONS_AT_MOST, bot_turns, library

from livingtable.agents import check_agent
from livingtable.arena.table import wilson
from livingtable.errors import ScenarioError, UnknownNameError
from livingtable.game import Data

TROLL = "troll"
SOON = 60
"""Rounds within which games of two sides should be decided."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of one game."""

    reason: str
    rounds: int
    decisions: int
    ranking: tuple[Data, ...]
    events: Counter[str]
    """How many there were of each type."""

    @property
    def decided(self) -> bool:
        """Whether somebody is ahead of somebody: neither a draw nor cut off on even terms."""
        return any(row["place"] > 1 for row in self.ranking)

    @property
    def troll_first(self) -> bool:
        return any(row["place"] == 1 and row.get("characterType") == TROLL for row in self.ranking)


def play(seed: int, scenario: str, bot: str) -> Played:
    """One game to its end, or cut off where a session would be."""
    state = library().get(scenario).start(seed)
    decisions = 0
    events: Counter[str] = Counter()
    for side, action in bot_turns(state, bot, seed):
        events.update(event.to_data()["type"] for event in state.apply(side, action))
        decisions += 1
        if decisions == ACTIONS_AT_MOST:
            break
    reason = state.result.reason if state.result else "truncated"
    return Played(reason, state.round, decisions, state.ranking(), events)


def play_all(scenario: str, bot: str, games: int, workers: int) -> list[Played]:
    """Games 0, 1, 2, … in order, whoever has played them."""
    played: list[Played] = []
    with Pool(workers) as pool:
        for game in pool.imap(partial(play, scenario=scenario, bot=bot), range(games), chunksize=5):
            played.append(game)
            if len(played) % 50 == 0 or len(played) == games:
                print(f"{scenario}: {len(played)} of {games} games", file=sys.stderr)  # noqa: T201
    return played


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def figures(played: Sequence[Played], scenario: str, bot: str, events: Sequence[str] = ()) -> str:
    """The text that stands in the scenario's `notes`."""
    games = len(played)
    first = sum(game.troll_first for game in played)
    low, high = wilson(first, games)
    reasons = Counter(game.reason for game in played)
    most_frequent_first = sorted(reasons, key=lambda reason: (-reasons[reason], reason))
    ends = ", ".join(f"{reason} {percent(reasons[reason] / games)}" for reason in most_frequent_first)
    trolls = any(row.get("characterType") == TROLL for row in played[0].ranking)
    interval = f"95 % Wilson interval {percent(low)} to {percent(high)}"
    about_trolls = f"A troll takes first place in {percent(first / games)} ({interval})." if trolls else "No trolls."
    if len(played[0].ranking) == 2:
        about_trolls = split(played)
    elif "characterType" not in played[0].ranking[0]:
        about_trolls = first_places(played)
    counted = [f"{fmean(game.events[kind] for game in played):.2f} {kind}" for kind in events]
    return (
        f"{games} games of {bot} against itself, seeds 0 to {games - 1}. {about_trolls} "
        f"Ends: {ends}. "
        f"Means: {fmean(game.rounds for game in played):.1f} rounds, "
        f"{', '.join([f'{fmean(game.decisions for game in played):.1f} decisions', *counted])}. "
        f"Measured by: python -m tests.benchmarks.measure_scenarios {scenario} --games {games}"
        + ("" if bot == "greedy" else f" --bot {bot}")
        + (f" --events {' '.join(events)}" if events else "")
    )


def split(played: Sequence[Played]) -> str:
    """For games of two sides: how often each has won, and how long the games were."""
    parts: list[str] = []
    for side in sorted(row["side"] for row in played[0].ranking):
        won = sum(game.decided and row["place"] == 1 for game in played for row in game.ranking if row["side"] == side)
        low, high = wilson(won, len(played))
        interval = f"95 % Wilson interval {percent(low)} to {percent(high)}"
        parts.append(f"{side} wins {percent(won / len(played))} ({interval})")
    soon = sum(game.decided and game.rounds <= SOON for game in played)
    return f"{', '.join(parts)}. Decided within {SOON} turns: {percent(soon / len(played))}."


def first_places(played: Sequence[Played]) -> str:
    """For games of many equal seats: how often each has been first, a shared place counted for each that shares it."""
    games = len(played)
    firsts = Counter(row["side"] for game in played for row in game.ranking if row["place"] == 1)
    sides = sorted((row["side"] for row in played[0].ranking), key=lambda side: (len(side), side))
    shares: list[str] = []
    for side in sides:
        low, high = wilson(firsts[side], games)
        shares.append(f"{side} {percent(firsts[side] / games)} ({percent(low)} to {percent(high)})")
    return f"First places by seat, with 95 % Wilson intervals: {', '.join(shares)}."


def by_seat(played: Sequence[Played]) -> str:
    """A line a seat: how often it is first, how often alive at the end, its mean score."""
    rows: dict[str, list[Data]] = {}
    for game in played:
        for row in game.ranking:
            rows.setdefault(row["side"], []).append(row)
    return "\n".join(
        f"{side}: first in {percent(fmean(row['place'] == 1 for row in rows[side]))}, "
        f"alive in {percent(fmean(row.get('alive', True) for row in rows[side]))}, "
        f"mean score {fmean(row['score'] for row in rows[side]):.2f}"
        for side in sorted(rows)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.measure_scenarios", description="Measures how scenarios play out."
    )
    parser.add_argument("scenario", nargs="+", help="a shipped scenario's name")
    parser.add_argument("--games", type=int, default=1000, help="seeds 0 to GAMES-1 (default 1000)")
    parser.add_argument("--workers", type=int, default=1, help="processes; the figures do not depend on it")
    parser.add_argument("--bot", default="greedy", help="who plays all seats (default greedy)")
    parser.add_argument("--seats", action="store_true", help="a line a seat as well")
    parser.add_argument("--events", nargs="+", default=[], metavar="TYPE", help="how many of these there are a game")
    given = parser.parse_args(arguments)
    if given.games < 1 or given.workers < 1:
        parser.error("--games and --workers must be at least 1")
    try:
        for name in given.scenario:
            check_agent(given.bot, library().get(name).game)
    except (UnknownNameError, ScenarioError) as error:
        parser.error(str(error))
    for name in given.scenario:
        played = play_all(name, given.bot, given.games, given.workers)
        print(figures(played, name, given.bot, given.events))  # noqa: T201
        if given.seats:
            print(by_seat(played))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
