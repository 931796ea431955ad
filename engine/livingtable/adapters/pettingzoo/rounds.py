"""Games in which all choose at once, as PettingZoo's parallel environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]

from livingtable.adapters.pettingzoo.encoding import Encoding, Observation
from livingtable.adapters.pettingzoo.play import Environment, Rewards
from livingtable.agents import command_order
from livingtable.game import State

Infos = dict[str, dict[str, Any]]


class Rounds(Environment, ParallelEnv[str, Observation, int | None]):
    """A step is a round. The commands arrive in an order that is drawn anew for each, so that none is favoured
    (FX-3.2).

    An illegal action comes to `idle`, which changes nothing, and costs `illegal_penalty`; one that is left out comes to
    the same at no cost. An agent that cannot act in a round has `idle` alone in its mask; whatever it chooses is taken
    for that, at no cost. After `max_cycles` steps every agent is truncated; None leaves the end to the rules.
    """

    def __init__(
        self,
        game: str,
        encoding: Callable[[State], Encoding],
        idle: str,
        scenario: str | Mapping[str, Any],
        *,
        max_cycles: int | None = None,
        rewards: Rewards = "place",
        illegal_penalty: float = 0.1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(game, encoding, scenario, rewards, illegal_penalty, render_mode)
        self.max_cycles = max_cycles
        self._idle = self.encoding.actions.index(idle)
        self._seed = 0

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """`options` has no meaning yet."""
        self._seed = self._play.begin(seed)
        self._cycles = 0
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        fined = self._command(actions)
        rewards = self._play.rewards()
        for agent in fined:
            rewards[agent] -= self._penalty
        self._cycles += 1
        over = self._play.state.result is not None
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        told = (
            self._observations(),
            rewards,
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, cut),
            self._infos(),
        )
        if over or cut:
            self.agents = []
        return told

    def _command(self, actions: Mapping[str, int | None]) -> list[str]:
        """Gives a command for each agent that can act. Returns those whose choice was illegal."""
        state, fined = self._play.state, list[str]()
        waiting, agent_of = set(state.to_act), {side: agent for agent, side in self.sides.items()}
        for side in command_order(state.sides, self._seed, state.round):
            if side not in waiting:
                continue
            agent = agent_of[side]
            legal = self._play.legal(agent)
            given = actions.get(agent)
            chosen = self._idle if given is None else int(given)
            if chosen not in legal:
                fined.append(agent)
            state.apply(side, legal.get(chosen, legal[self._idle]))
        return fined

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._play.observation(agent) for agent in self.agents}

    def _infos(self) -> Infos:
        return {agent: {"action_mask": self._play.encoding.mask(self._choices(agent))} for agent in self.agents}

    def _choices(self, agent: str) -> Mapping[int, object]:
        return self._play.legal(agent) or {self._idle: None}
