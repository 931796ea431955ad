"""Readable transcripts of a game: what the golden files hold.

A header, a line a version (`12 p3 move 4,5 | p3 moves 3,4 to 4,5`), the board at the start, every so many versions and
at the end, then the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from livingtable.agents import check_agent
from livingtable.game import State, get_game
from livingtable.scenarios import Scenario
from tests.contract.playing import bot_turns

FOLDER = Path(__file__).parent
SEED = 7
BOT = "greedy"
ACTIONS_AT_MOST = 120
VERSIONS_BETWEEN_BOARDS = 25


def file_of(scenario: Scenario) -> Path:
    return FOLDER / scenario.game / f"{scenario.name}.txt"


def transcript(scenario: Scenario, seed: int = SEED, bot: str = BOT, actions: int = ACTIONS_AT_MOST) -> str:
    """Of the bot against itself, cut off after so many actions."""
    check_agent(bot, scenario.game)
    state = scenario.start(seed)
    return "\n".join([*_header(scenario, state, seed, bot), *_moves(state, seed, bot, actions), *_end(state)]) + "\n"


def _header(scenario: Scenario, state: State, seed: int, bot: str) -> list[str]:
    return [
        f"game {scenario.game}",
        f"scenario {scenario.name}",
        f"seed {seed}",
        *(f"seat {side} bot:{bot}" for side in state.sides),
        "",
        state.board(None),
        "",
    ]


def _moves(state: State, seed: int, bot: str, actions: int) -> Iterator[str]:
    describe = get_game(state.game.name).describe
    version = 0
    for side, action in bot_turns(state, bot, seed):
        if version == actions:
            return
        version += 1
        events = [{**event.to_data(), "version": version} for event in state.apply(side, action)]
        yield f"{version} {side} {action.notation} | {'; '.join(describe(events))}"
        if version % VERSIONS_BETWEEN_BOARDS == 0:
            yield f"\nround {state.round}\n{state.board(None)}\n"


def _end(state: State) -> Iterator[str]:
    yield f"\nround {state.round}\n{state.board(None)}\n"
    result = state.result
    yield f"result {result.reason}, winners {' '.join(result.winners) or 'none'}" if result else "cut off, the ranking:"
    for row in state.ranking():
        yield f"{row['place']}. {row['side']} {row['score']}"
