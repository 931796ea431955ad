"""What both kinds of environment share: a game from its start to its end, in numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.utils import seeding
from numpy.typing import NDArray

from livingtable.adapters.pettingzoo.encoding import Encoding, Observation, scenario_of
from livingtable.game import MAX_SEED, Action, State

RENDER_MODES = ("human", "ansi", "rgb_array")
Rewards = Literal["place", "score"]


class Environment:
    """What both kinds of environment answer alike."""

    def __init__(
        self,
        game: str,
        encoding: Callable[[State], Encoding],
        scenario: str | Mapping[str, Any],
        rewards: Rewards,
        illegal_penalty: float,
        render_mode: str | None,
    ) -> None:
        self.metadata: dict[str, Any] = {"name": f"{game}_v0", "render_modes": list(RENDER_MODES)}
        self.render_mode = render_mode
        self._play = Play(scenario, game, encoding, rewards, render_mode)
        self._penalty = illegal_penalty
        self._cycles = 0
        self.possible_agents = list(self._play.agents)
        self.agents: list[str] = []

    @property
    def sides(self) -> dict[str, str]:
        """The seat of each agent."""
        return self._play.sides

    @property
    def encoding(self) -> Encoding:
        """What the numbers mean."""
        return self._play.encoding

    def observation_space(self, agent: str) -> Space[Any]:
        return self._play.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self._play.action_spaces[agent]

    def render(self) -> str | NDArray[np.uint8] | None:
        return self._play.render()


class Play:
    """One scenario, played again and again. Agents are called `seat_1`, …; `sides` says which seat each has."""

    def __init__(
        self,
        scenario: str | Mapping[str, Any],
        game: str,
        encoding: Callable[[State], Encoding],
        rewards: Rewards,
        render_mode: str | None,
    ) -> None:
        self._scenario = scenario_of(scenario, game)
        self.state = self._scenario.start(0)
        self.encoding = encoding(self.state)
        self.agents = [f"seat_{number}" for number in range(1, len(self.state.sides) + 1)]
        self.sides = dict(zip(self.agents, self.state.sides, strict=True))
        low, high = self.encoding.bounds()
        self.observation_spaces = {agent: Box(low, high, dtype=np.float32) for agent in self.agents}
        self.action_spaces = {agent: Discrete(len(self.encoding.actions)) for agent in self.agents}
        if rewards not in ("place", "score"):
            raise ValueError(f'rewards must be "place" or "score", not {rewards!r}.')
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}.")
        self._by_score, self._render_mode = rewards == "score", render_mode
        self._number = {notation: number for number, notation in enumerate(self.encoding.actions)}
        self._seeds: np.random.Generator | None = None
        self._scores = dict.fromkeys(self.agents, 0.0)

    def begin(self, seed: int | None) -> int:
        """A new game. The seed decides its dice; without one it follows from the last that was given.

        Returns the game's own seed, with which its record replays.
        """
        if seed is not None or self._seeds is None:
            self._seeds, _ = seeding.np_random(seed)
        own = int(self._seeds.integers(MAX_SEED + 1))
        self.state = self._scenario.start(own)
        self._scores = self._scored()
        return own

    def legal(self, agent: str) -> dict[int, Action]:
        """The legal actions by their numbers; none where the agent is not to act."""
        return {self._number[action.notation]: action for action in self.state.legal_actions(self.sides[agent])}

    def observation(self, agent: str) -> Observation:
        return self.encoding.observation(self.state, self.sides[agent])

    def rewards(self) -> dict[str, float]:
        """Since they were asked for last. "place": at the end from 1 for the only first to -1 for the only last, shared
        places in the middle of theirs, before it nothing. "score": what was added to the score in the ranking."""
        if self._by_score:
            before, self._scores = self._scores, self._scored()
            return {agent: self._scores[agent] - before[agent] for agent in self.agents}
        if self.state.result is None or not self.state.result.winners:
            return dict.fromkeys(self.agents, 0.0)
        places = {row["side"]: row["place"] for row in self.state.result.ranking}
        return {agent: _by_place(places[side], list(places.values())) for agent, side in self.sides.items()}

    def render(self) -> str | NDArray[np.uint8] | None:
        if self._render_mode == "rgb_array":
            return _pixels(self.state.svg(None))
        if self._render_mode == "human":
            sys.stdout.write(self.state.board(None) + "\n\n")
        return self.state.board(None) if self._render_mode == "ansi" else None

    def _scored(self) -> dict[str, float]:
        scores = {row["side"]: float(row["score"]) for row in self.state.ranking()}
        return {agent: scores[side] for agent, side in self.sides.items()}


def _by_place(place: int, places: list[int]) -> float:
    if len(places) == 1:
        return 1.0
    better = sum(other < place for other in places)
    worse = sum(other > place for other in places)
    return (worse - better) / (len(places) - 1)


def _pixels(svg: str) -> NDArray[np.uint8]:
    """Rows × columns × red, green, blue."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise RuntimeError(
            'render_mode="rgb_array" needs two more libraries: pip install "living-table[render]"'
        ) from None
    png = resvg_py.svg_to_bytes(svg_string=svg, background="white")
    return np.asarray(Image.open(BytesIO(bytes(png))).convert("RGB"))
