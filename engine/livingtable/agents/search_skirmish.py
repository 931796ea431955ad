"""What `search` knows of skirmish: which actions look promising, how to play on, what a position is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from livingtable.agents.greedy_skirmish import WORTH, Turn, costs_to
from livingtable.agents.search import Pause, compared, going_on, shares
from livingtable.agents.search_skirmish_places import NO_WAY, loss, zones
from livingtable.agents.search_skirmish_turn import play_turn, taker_of_castle, worth_of_actions
from livingtable.dice import Dice
from livingtable.game import Action, State
from livingtable.games.skirmish.kinds import GENERAL
from livingtable.games.skirmish.position import GONE
from livingtable.games.skirmish.state import SkirmishState

CLOSE = 300
"""As greedy and the rules of thumb count: what falls so far behind the best has a quarter of its weight."""
STEP, HOME = 0.4, 1.5
"""Of each step nearer to the enemy's castle, and of a piece on the own one; a hit is worth the piece's `WORTH`."""
AHEAD = 10.0
"""Ahead by so much, a side is thought to win three games of four."""
ALMOST_WON = 0.97
"""Of a castle that can be taken."""
ACTIONS_WEIGHED = 1_000
"""By greedy, at most."""
STRIKE = 0.4
"""Of each hit that the side to act can try at once."""


class SkirmishGuide:
    """Looks two turns of each side ahead. Greedy weighs the choice that is to be made, the rules of thumb those after
    it, and one of very many actions: greedy's look costs more than the rest of an iteration."""

    ahead = 4

    def now(self, state: State) -> int:
        position = cast(SkirmishState, state)
        return 2 * position.turn + (position.side != position.army.first_side)

    def weights(self, state: State, side: str, legal: Sequence[Action], depth: int) -> list[float]:
        if depth == 0 and len(legal) <= ACTIONS_WEIGHED:
            turn = Turn(state.view(side), side)
            return shares([turn.value(action) for action in legal], CLOSE)
        return shares(worth_of_actions(cast(SkirmishState, state), legal), CLOSE)

    def work(self, state: State) -> int:
        """Of all pieces' looks at the hexes that they reach, which are sets as large as the map."""
        position = cast(SkirmishState, state)
        hexes = len(position.terrain.names)
        reached = [min(hexes, 3 * kind.move * (kind.move + 1)) for kind in position.army.kinds]
        return sum(40 + near + near * hexes // 1_000 for near in reached)

    def play_on(self, state: State, dice: Dice, end: int, pause: Pause = going_on) -> None:
        position = cast(SkirmishState, state)
        while position.outcome is None and self.now(state) < end:
            pause()
            play_turn(position)

    def values(self, state: State) -> list[float]:
        position = cast(SkirmishState, state)
        if taker_of_castle(position) is not None:
            values = [1 - ALMOST_WON, 1 - ALMOST_WON]
            values[position.side] = ALMOST_WON
            return values
        strengths = [_strength(position, side) for side in (0, 1)]
        strengths[position.side] += STRIKE * _strikes(position)
        return compared(strengths, AHEAD)


def _strikes(position: SkirmishState) -> int:
    """What the side to act can strike at once: by piece the dearest hit."""
    enemies = [j for j in position.army.of_side[1 - position.side] if position.where[j] != GONE]
    losses = [(position.where[j], loss(position, j)) for j in enemies]
    return sum(max((lost for h, lost in losses if zone >> h & 1), default=0) for zone in zones(position, position.side))


def _strength(position: SkirmishState, side: int) -> float:
    """The hits that its pieces can take, and how far they have come."""
    terrain, army = position.terrain, position.army
    costs = costs_to(terrain, terrain.castle[1 - side])
    strength = 0.0
    for i in army.of_side[side]:
        h, kind = position.where[i], army.kinds[i].letter
        if h != GONE:
            strength += WORTH[kind] * (1 + position.hp[i]) + HOME * (h == terrain.castle[side])
            if kind != GENERAL:
                strength -= STEP * costs.get(h, NO_WAY)
    return strength
