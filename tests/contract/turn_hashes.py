"""`python -m tests.contract.turn_hashes` plays every scenario and prints one hash a turn (C01)."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import islice

from tests.contract.playing import Turn, bot_turns, bots_for, random_turns, shipped

from livingtable.game import State
from livingtable.scenarios import Scenario

SEED = 12
RANDOM_ACTIONS, BOT_ACTIONS = 60, 25


def lines() -> Iterator[str]:
    for scenario in shipped():
        yield from _hashes(scenario, "chance", random_turns(state := scenario.start(SEED), SEED), state, RANDOM_ACTIONS)
        for bot in bots_for(scenario.game):
            yield from _hashes(scenario, bot, bot_turns(state := scenario.start(SEED), bot, SEED), state, BOT_ACTIONS)


def _hashes(scenario: Scenario, player: str, turns: Iterator[Turn], state: State, actions: int) -> Iterator[str]:
    """A hash covers the turn, its events, the state after it, and what all may do then."""
    for number, (side, action) in enumerate(islice(turns, actions), start=1):
        events = [event.to_data() for event in state.apply(side, action)]
        legal = [[a.notation for a in state.legal_actions(seat)] for seat in state.sides]
        turn = [side, action.to_data(), events, state.to_data(), legal, state.board(None)]
        digest = hashlib.sha256(json.dumps(turn, allow_nan=False).encode()).hexdigest()
        yield f"{scenario.name} {player} {number} {digest}"


def main() -> int:
    sys.stdout.write("\n".join(lines()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
