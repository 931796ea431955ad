"""Decisions a second in random legal play: legal list and apply, on one core, beside python-chess doing the same.

python -m tests.benchmarks.engine_speed [--scenario crossroads] [--games 60]

Where all choose at once, a decision is a command. Scenarios with a limit of their own fail below it.
"""

from __future__ import annotations

import argparse
import random
import sys
from time import perf_counter

import chess

from livingtable.scenarios import ScenarioLibrary

ROUNDS = 5
LIMITS = {"fox_yard": 20_000, "great_hunt": 3_000}
"""The least decisions a second that a scenario's issue asks for."""


def table_rate(scenario: str, games: int) -> float:
    """Decisions a second; what is drawn and set up outside of legal list and apply does not count."""
    shipped = ScenarioLibrary().get(scenario)
    decisions, seconds = 0, 0.0
    for seed in range(games):
        state = shipped.start(seed)
        draw = random.Random(seed).random
        begun = perf_counter()
        while state.result is None:
            side = state.to_act[0]
            legal = state.legal_actions(side)
            state.apply(side, legal[int(draw() * len(legal))])
            decisions += 1
        seconds += perf_counter() - begun
    return decisions / seconds


def chess_rate(games: int) -> float:
    """Moves a second of python-chess: `legal_moves` as a list and `push`, to the end or 200 moves."""
    moves, seconds = 0, 0.0
    for seed in range(games):
        board = chess.Board()
        draw = random.Random(seed).random
        begun = perf_counter()
        for _ in range(200):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(legal[int(draw() * len(legal))])
            moves += 1
        seconds += perf_counter() - begun
    return moves / seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="crossroads")
    parser.add_argument("--games", type=int, default=60)
    options = parser.parse_args()
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):  # by turns, so that a slow moment of the machine meets both
        ours.append(table_rate(options.scenario, options.games))
        theirs.append(chess_rate(options.games // 3 or 1))
    mine, chess_best = max(ours), max(theirs)
    sys.stdout.write(
        f"{options.scenario}: {mine:,.0f} decisions/s (best of {ROUNDS}; all: {', '.join(f'{r:,.0f}' for r in ours)})\n"
        f"python-chess {chess.__version__}: {chess_best:,.0f} moves/s\n"
        f"ratio: {mine / chess_best:.2f}\n"
    )
    least = LIMITS.get(options.scenario, 0)
    if least:
        sys.stdout.write(f"limit: {least:,} decisions/s, {'kept' if mine >= least else 'missed'}\n")
    return int(mine < least)


if __name__ == "__main__":
    sys.exit(main())
