"""Games in which the seats take turns, as PettingZoo's agent-environment cycle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]

from livingtable.adapters.pettingzoo.encoding import Encoding, Observation
from livingtable.adapters.pettingzoo.play import Environment, Rewards
from livingtable.game import State
from livingtable.records import ACTIONS_AT_MOST


class Turns(Environment, AECEnv[str, Observation, int | None]):
    """The agent that is to act is `agent_selection`. An illegal action changes nothing, costs `illegal_penalty`, and
    the same agent is asked again. After `max_cycles` actions, illegal ones among them, every agent is truncated; who is
    dead in the game waits for its end, as places are given then."""

    def __init__(
        self,
        game: str,
        encoding: Callable[[State], Encoding],
        scenario: str | Mapping[str, Any],
        *,
        max_cycles: int = ACTIONS_AT_MOST,
        rewards: Rewards = "place",
        illegal_penalty: float = 0.1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(game, encoding, scenario, rewards, illegal_penalty, render_mode)
        self.metadata["is_parallelizable"] = False
        self.max_cycles = max_cycles

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options` has no meaning yet."""
        self._play.begin(seed)
        self._cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._look()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        chosen = None if action is None else self._play.legal(agent).get(int(action))
        if chosen is None:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.rewards[agent] = -self._penalty
        else:
            self._play.state.apply(self.sides[agent], chosen)
            self.rewards = self._play.rewards()
        self._cycles += 1
        self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        return self._play.observation(agent)

    def _look(self) -> None:
        """Who is to act, and with which choices; or that it is over."""
        over = self._play.state.result is not None
        cut = not over and self._cycles >= self.max_cycles
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.infos = {
            agent: {"action_mask": self._play.encoding.mask(self._play.legal(agent))} for agent in self.agents
        }
        if over or cut:
            self.agent_selection = self.agents[0]
        else:
            (side,) = self._play.state.to_act
            self.agent_selection = next(agent for agent, of in self.sides.items() if of == side)
