"""Scripted agents, by name: what a seat's controller `bot:NAME` names.

An agent is made for one seat of one game (`create`) and is asked for its choice with what that seat may see and the
legal actions. One that searches needs a position to play on from: it gets a copy of the state without hidden commands
and with other dice, so it knows no more than the others. None keeps a memory that its choice depends on: the same
position and seed, the same choice, so that a game can go on after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from livingtable.agents.greedy_botwars import GreedyBotwars
from livingtable.agents.greedy_foxhunt import GreedyFoxhunt
from livingtable.agents.greedy_skirmish import GreedySkirmish
from livingtable.agents.search import Guide, Search
from livingtable.agents.search_botwars import BotwarsGuide
from livingtable.agents.search_foxhunt import FoxhuntGuide
from livingtable.agents.search_skirmish import SkirmishGuide
from livingtable.agents.uniform import Uniform
from livingtable.dice import derive_seed, shuffled
from livingtable.errors import UnknownNameError
from livingtable.game import Action, Data, State, game_names, printable, unknown_name

ITERATIONS, ITERATIONS_AT_MOST = 100, 1000
"""The budget of `search`, and of `search:N` at most."""
MILLISECONDS_AT_MOST = 1000
"""Of `search:Nms`; what it then chooses depends on the machine."""
WORK_AT_MOST = 1_500_000
"""Of all iterations of a choice together, as `Guide.work` counts: about a second on an idle machine of 2025."""
_BUDGET = re.compile(r"(?P<number>[1-9][0-9]{0,3})(?P<time>ms)?")


class Agent(Protocol):
    """Whoever chooses among legal actions."""

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        """One of the legal actions; `view` is the wire's `state` as the agent's seat sees it."""
        ...


@dataclass(frozen=True)
class AgentKind:
    """A registered agent, by the game's name: `makers` make one for a seat and a seed; `guides` are what one that
    searches knows of a game."""

    name: str
    summary: str
    makers: Mapping[str, Callable[[str, int], Agent]] = field(default_factory=dict[str, Callable[[str, int], Agent]])
    guides: Mapping[str, Callable[[], Guide]] = field(default_factory=dict[str, Callable[[], Guide]])

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(sorted({*self.makers, *self.guides}))

    @property
    def slow(self) -> bool:
        """Whether a choice may take so long that it is better made in a thread of its own."""
        return bool(self.guides)


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
        AgentKind(
            "search",
            f"Plays many games on in its mind (Monte-Carlo tree search); {ITERATIONS} of them, or N as search:N "
            f"(1 to {ITERATIONS_AT_MOST}), deterministic by seed; or for N milliseconds as search:Nms "
            f"(1 to {MILLISECONDS_AT_MOST}).",
            guides={"botwars": BotwarsGuide, "foxhunt": FoxhuntGuide, "skirmish": SkirmishGuide},
        ),
    )
}


def agent_kinds() -> list[AgentKind]:
    """In alphabetical order."""
    return [_KINDS[name] for name in sorted(_KINDS)]


def agent_kind(name: str) -> AgentKind:
    """What kind of agent a name names, its budget aside. Raises `UnknownNameError`."""
    word = name.partition(":")[0]
    if word not in _KINDS:
        raise UnknownNameError(unknown_name("bot", name, sorted(_KINDS)))
    return _KINDS[word]


def check_agent(name: str, game: str) -> str:
    """The name again if it is registered for the game. Raises `UnknownNameError`, which lists those that are.

    Over a wire a bot has no other name: no files, commands or addresses; and no budget above `ITERATIONS_AT_MOST` or
    `MILLISECONDS_AT_MOST`.
    """
    word, colon, budget = name.partition(":")
    kinds = [kind for kind in agent_kinds() if game in kind.games]
    named = next((kind for kind in kinds if kind.name == word), None)
    known = [form for kind in kinds for form in _forms(kind)]
    if named is None or (colon and not named.slow):
        raise UnknownNameError(unknown_name(f"bot for {game}", name, known))
    if colon and _budget(budget) is None:
        raise UnknownNameError(
            f'"{printable(name[:40])}" has no such budget: {word}:N has 1 to {ITERATIONS_AT_MOST} iterations, '
            f"{word}:Nms has 1 to {MILLISECONDS_AT_MOST} milliseconds. Known: {', '.join(known)}."
        )
    return name


def _forms(kind: AgentKind) -> list[str]:
    return [kind.name, f"{kind.name}:N", f"{kind.name}:Nms"] if kind.slow else [kind.name]


def _budget(text: str) -> tuple[int | None, int | None] | None:
    """Iterations or milliseconds, as the part of a name after its colon says; None if it says neither."""
    given = _BUDGET.fullmatch(text)
    if given is None:
        return None
    number = int(given["number"])
    if given["time"]:
        return (None, number) if number <= MILLISECONDS_AT_MOST else None
    return (number, None) if number <= ITERATIONS_AT_MOST else None


def create(name: str, game: str, side: str, seed: int) -> Agent:
    """The agent of that name for one seat. Raises `UnknownNameError`, also for one that searches: a view is not enough
    for it; `choose` asks it with a state."""
    kind = agent_kind(check_agent(name, game))
    if game not in kind.makers:
        known = [kind.name for kind in agent_kinds() if game in kind.makers]
        raise UnknownNameError(unknown_name(f"bot for {game} that needs no more than a view", name, known))
    return kind.makers[game](side, seed)


def create_search(name: str, game: str, side: str, seed: int) -> Search:
    """The searching agent of that name for one seat. Raises `UnknownNameError`."""
    guides = agent_kind(check_agent(name, game)).guides
    if game not in guides:
        known = [kind.name for kind in agent_kinds() if game in kind.guides]
        raise UnknownNameError(unknown_name(f"bot for {game} that searches", name, known))
    iterations, milliseconds = _budget(name.partition(":")[2]) or (ITERATIONS, None)
    return Search(side, seed, guides[game](), iterations, milliseconds)


def fitting_agent(name: str, start: State) -> str:
    """The agent that plays a game under that name: the name itself, save of a search whose iterations would take too
    long in a game of that size. It does as many as fit, and says so: `search:1000` becomes `search:40`.

    It depends on the starting position alone, and not on the machine. Whoever seats a bot asks this once, so that the
    record names what played. A budget in milliseconds stays. Raises `UnknownNameError` as `check_agent` does.
    """
    word, _, budget = check_agent(name, start.game.name).partition(":")
    guide = agent_kind(word).guides.get(start.game.name)
    iterations, milliseconds = _budget(budget) or (ITERATIONS, None)
    if guide is None or iterations is None or milliseconds is not None:
        return name
    fitting = max(1, WORK_AT_MOST // guide().work(start))
    return name if iterations <= fitting else f"{word}:{fitting}"


def choose(
    name: str, state: State, side: str, seed: int, version: int, stop: Callable[[], bool] | None = None
) -> Action:
    """A registered agent's choice for a seat that is to act, in a game of that seed after that many actions.

    It is made anew for each choice and seeded by seat and version, so a restart changes nothing. One that searches asks
    `stop` again and again, from the thread in which it is: after true it gives the best so far, always a legal action,
    which then depends on when that was.
    """
    own_seed = derive_seed(seed, "bot", side, version)
    if agent_kind(check_agent(name, state.game.name)).slow:
        searching = create_search(name, state.game.name, side, own_seed)
        return searching.search(state.fork(derive_seed(own_seed, "dice")), stop)
    agent = create(name, state.game.name, side, own_seed)
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
