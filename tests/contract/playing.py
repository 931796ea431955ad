"""Whole games, played by registered bots or by chance: the contract's, the golden and the measured ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from livingtable.agents import agent_kinds, choose, next_command
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


QUICK = ":6"
"""The budget with which tests that are not about its strength ask a bot that searches."""


def bots_for(game: str) -> list[str]:
    """The bots that play a game, those that search with a budget for tests."""
    return [kind.name + (QUICK if kind.slow else "") for kind in agent_kinds() if game in kind.games]


def bot_turns(state: State, bot: str, seed: int) -> Iterator[Turn]:
    """Whose action comes next, and which, until there is a result: as in a session whose seats are all such bots.

    The caller plays it before asking for another.
    """
    version = 0
    while state.to_act:
        side = next_command(state, seed)
        yield side, choose(bot, state, side, seed, version)
        version += 1


def random_turns(state: State, seed: int) -> Iterator[Turn]:
    """The same of random play: any seat that is to act, any of its legal actions, each equally likely."""
    dice = Dice(derive_seed(seed, "play"))
    while state.to_act:
        side = dice.pick(state.to_act)
        yield side, dice.pick(state.legal_actions(side))


def recorded(scenario: Scenario, seed: int, bot: str | None = None, actions: int = ACTIONS_AT_MOST) -> Recording:
    """A game of a bot against itself, or of chance, to its end or cut off after so many actions."""
    state = scenario.start(seed)
    controller = f"bot:{bot}" if bot else "agent"
    seats = [{"side": side, "name": name, "controller": controller} for side, name in state.names.items()]
    recording = Recording.begin(state, scenario.data, seed, seats)
    for side, action in bot_turns(state, bot, seed) if bot else random_turns(state, seed):
        recording.apply(side, action)
        if recording.version >= actions:
            break
    if recording.result is None:
        recording.truncate()
    return recording


def positions(scenario: Scenario, seed: int, actions: int) -> Iterator[State]:
    """The states that random play goes through, the first and the last too. Look, do not touch: it is one state."""
    state = scenario.start(seed)
    yield state
    turns = random_turns(state, seed)
    for _ in range(actions):
        turn = next(turns, None)
        if turn is None:
            return
        state.apply(*turn)
        yield state
