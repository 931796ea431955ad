"""Scripted agents, by name: what a seat's controller `bot:NAME` names.

An agent is made for one seat of one game (`create`) and is asked for its choice with what that seat may see and the
legal actions. It keeps no memory that its choice depends on: the same view, legal actions and seed, the same choice, so
that a game can go on after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from livingtable.agents.greedy_botwars import GreedyBotwars
from livingtable.agents.greedy_foxhunt import GreedyFoxhunt
from livingtable.agents.greedy_skirmish import GreedySkirmish
from livingtable.agents.uniform import Uniform
from livingtable.dice import derive_seed, shuffled
from livingtable.errors import UnknownNameError
from livingtable.game import Action, Data, State, game_names, unknown_name


class Agent(Protocol):
    """Whoever chooses among legal actions."""

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        """One of the legal actions; `view` is the wire's `state` as the agent's seat sees it."""
        ...


@dataclass(frozen=True)
class AgentKind:
    """A registered agent: `create(side, seed)` by the game's name."""

    name: str
    summary: str
    makers: dict[str, Callable[[str, int], Agent]]

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(sorted(self.makers))


_KINDS = {
    kind.name: kind
    for kind in (
        AgentKind(
            "greedy",
            "Weighs each action's gain and risk one step ahead and takes the best; deterministic.",
            {"botwars": GreedyBotwars, "foxhunt": GreedyFoxhunt, "skirmish": GreedySkirmish},
        ),
        AgentKind(
            "random",
            "Takes any legal action, each equally likely; deterministic by seed.",
            dict.fromkeys(game_names(), Uniform),
        ),
    )
}


def agent_kinds() -> list[AgentKind]:
    """In alphabetical order."""
    return [_KINDS[name] for name in sorted(_KINDS)]


def check_agent(name: str, game: str) -> str:
    """The name again if it is registered for the game. Raises `UnknownNameError`, which lists those that are.

    Over a wire a bot has no other name: no files, commands or addresses.
    """
    known = [kind.name for kind in agent_kinds() if game in kind.makers]
    if name not in known:
        raise UnknownNameError(unknown_name(f"bot for {game}", name, known))
    return name


def create(name: str, game: str, side: str, seed: int) -> Agent:
    """The agent of that name for one seat. Raises `UnknownNameError`."""
    return _KINDS[check_agent(name, game)].makers[game](side, seed)


def choose(name: str, state: State, side: str, seed: int, version: int) -> Action:
    """A registered agent's choice for a seat that is to act, in a game of that seed after that many actions.

    It is made anew for each choice and seeded by seat and version, so a restart changes nothing.
    """
    agent = create(name, state.game.name, side, derive_seed(seed, "bot", side, version))
    return agent.choose(state.view(side), state.legal_actions(side))


def command_order(sides: Sequence[str], seed: int, round_number: int) -> list[str]:
    """In which order the commands of bots arrive where all choose at once: by seed and round alone (FX-3.2)."""
    return shuffled(sides, derive_seed(seed, "order", round_number))


def next_command(state: State, seed: int, bots: Sequence[str] | None = None) -> str:
    """Which bot chooses next, in a game of that seed, where these (None: all seats) are bots; one of them is to act."""
    waiting = [side for side in state.to_act if bots is None or side in bots]
    if not state.game.simultaneous:
        return waiting[0]
    return next(side for side in command_order(state.sides, seed, state.round) if side in waiting)
