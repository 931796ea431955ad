"""Whole games, played by registered bots or by chance: the contract's, the golden and the measured ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import livingtable
from livingtable.agents import agent_kinds, create
from livingtable.dice import Dice, derive_seed
from livingtable.game import Action, State, game_names
from livingtable.records import Recording
from livingtable.scenarios import Scenario, ScenarioLibrary

ACTIONS_AT_MOST = 5_000
"""As a session is cut off by default."""

Turn = tuple[str, Action]


@cache
def library() -> ScenarioLibrary:
    return ScenarioLibrary()


def shipped() -> list[Scenario]:
    """Every scenario of every registered game."""
    return [scenario for game in game_names() for scenario in library().all(game)]


def bots_for(game: str) -> list[str]:
    return [kind.name for kind in agent_kinds() if game in kind.makers]


def bot_turns(state: State, bot: str, seed: int) -> Iterator[Turn]:
    """Whose action comes next, and which, until there is a result. The caller plays it before asking for another; all
    seats are played by one kind of bot."""
    agents = {side: create(bot, state.game.name, side, derive_seed(seed, "agent", side)) for side in state.sides}
    while state.to_act:
        side = state.to_act[0]
        yield side, agents[side].choose(state.view(side), state.legal_actions(side))


def random_turns(state: State, seed: int) -> Iterator[Turn]:
    """The same of random play: any seat that is to act, any of its legal actions, each equally likely."""
    dice = Dice(derive_seed(seed, "play"))
    while state.to_act:
        side = dice.pick(state.to_act)
        yield side, dice.pick(state.legal_actions(side))


def recorded(scenario: Scenario, seed: int, bot: str | None = None, actions: int = ACTIONS_AT_MOST) -> Recording:
    """A game of a bot against itself, or of chance, to its end or so many actions."""
    state = scenario.start(seed)
    seats = [{"side": side, "name": name, "controller": f"bot:{bot}"} for side, name in state.names.items()]
    recording = Recording.begin(state, scenario.data, seed, seats)
    turns = bot_turns(state, bot, seed) if bot else random_turns(state, seed)
    for side, action in turns:
        recording.apply(side, action)
        if recording.version >= actions:
            break
    if recording.result is None:
        recording.truncate()
    return recording


def positions(scenario: Scenario, seed: int, actions: int) -> Iterator[State]:
    """The states that random play goes through, the first and the last too. Each is the game's own: look, do not
    touch."""
    state = scenario.start(seed)
    yield state
    turns = random_turns(state, seed)
    for _, (side, action) in zip(range(actions), turns, strict=False):
        state.apply(side, action)
        yield state


__all__ = [
    "ACTIONS_AT_MOST",
    "Turn",
    "bot_turns",
    "bots_for",
    "library",
    "livingtable",
    "positions",
    "random_turns",
    "recorded",
    "shipped",
]
