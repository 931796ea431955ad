"""Readable transcripts of a game: what the golden files hold.

A header, a line a version (`12 p3 move 4,5 | p3 moves 3,4 to 4,5`), the board at the start, every so many versions (if
it is not large) and at the end, then the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tests.contract.playing import bot_turns, bots_for

from livingtable.game import State, get_game
from livingtable.records import stamped
from livingtable.scenarios import Scenario

FOLDER = Path(__file__).parent
SEED = 7
BOT = "greedy"
ACTIONS_AT_MOST = 120
VERSIONS_BETWEEN_BOARDS = 25
LARGE_BOARD = 2_000
"""Characters: a board of more is shown at the start and at the end alone."""


def file_of(scenario: Scenario) -> Path:
    return FOLDER / scenario.game / f"{scenario.name}.txt"


def transcript(scenario: Scenario, seed: int = SEED, actions: int = ACTIONS_AT_MOST) -> str:
    """Of `greedy` against itself (`random` where a game has none), cut off after so many actions."""
    bot = BOT if BOT in bots_for(scenario.game) else "random"
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
    large = len(state.board(None)) > LARGE_BOARD
    for version, (side, action) in enumerate(islice(bot_turns(state, bot, seed), actions), start=1):
        events = stamped([event.to_data() for event in state.apply(side, action)], version)
        yield f"{version} {side} {action.notation} | {'; '.join(describe(events))}"
        if version % VERSIONS_BETWEEN_BOARDS == 0 and state.result is None and not large:
            yield f"\nround {state.round}\n{state.board(None)}\n"


def _end(state: State) -> Iterator[str]:
    yield f"\nround {state.round}\n{state.board(None)}\n"
    result = state.result
    yield f"result {result.reason}, winners {' '.join(result.winners) or 'none'}" if result else "cut off, the ranking:"
    for row in state.ranking():
        yield f"{row['place']}. {row['side']} {row['score']}"
