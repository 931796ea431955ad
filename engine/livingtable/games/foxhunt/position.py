"""Everything that a round depends on, and the small questions that the rules ask of it.

Times are kept as the number of the round in which they run out, so that nothing has to tick: a bomb's explosion, a
player's last round of paralysis, the last round of its hat. Views show what is left (FX-4.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from livingtable.dice import Dice
from livingtable.game import Result
from livingtable.games.foxhunt.actions import BOMB, MOVES, STAY, THROWS, FoxhuntAction
from livingtable.games.foxhunt.yard import FREE, NOWHERE, Yard

RANGE, BOMBS, HAT = "range", "bombs", "hat"
KINDS = (RANGE, BOMBS, HAT)
"""The specials (FX-6.1), in the order of a d3."""

MILLION = 1_000_000

Listed = tuple[tuple[FoxhuntAction, ...], tuple[FoxhuntAction, ...]]
"""What can be done from a field: with a bomb to lay, and without."""


@dataclass(frozen=True, slots=True)
class Settings:
    """FX-0.4. `reveal` is the chance in millionths, `round_milliseconds` None without a clock."""

    rounds: int
    fuse: int
    paralysis: int
    hat: int
    start_range: int
    start_bombs: int
    throw_range: int
    start_specials: int
    spawn_every: int
    reveal: int
    round_milliseconds: int | None


@dataclass(frozen=True, slots=True)
class Cast:
    """The players, in seat order."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    index: dict[str, int]
    names_by_id: dict[str, str]


class Bomb(NamedTuple):
    field: int
    owner: int
    range: int
    explodes: int
    """The round in whose step 5 it goes off by itself."""


class Position:
    __slots__ = (
        "_listed",
        "beams",
        "bomb_count",
        "bombs",
        "cast",
        "commands",
        "dice",
        "field",
        "fox",
        "fox_rounds",
        "ground",
        "hat_until",
        "outcome",
        "paralysed_until",
        "points",
        "range",
        "round_number",
        "settings",
        "specials",
        "yard",
    )

    yard: Yard
    settings: Settings
    cast: Cast
    ground: bytearray
    field: list[int]
    points: list[int]
    range: list[int]
    """How far the beams of each player's next bomb go."""
    bomb_count: list[int]
    """How many unexploded bombs each player may have."""
    hat_until: list[int]
    paralysed_until: list[int]
    fox: int
    fox_rounds: int
    bombs: list[Bomb]
    specials: dict[int, str]
    beams: tuple[int, ...]
    """The fields of the last round's explosion."""
    commands: dict[int, FoxhuntAction]
    """Hidden until the round is resolved; in the order of arrival (FX-1.3)."""
    round_number: int
    dice: Dice
    outcome: Result | None
    _listed: dict[int, Listed]

    def can_act(self, i: int) -> bool:
        return self.paralysed_until[i] < self.round_number

    @property
    def ticked_to(self) -> int:
        """The round from which on what is left of paralysis and hats is counted: at the end they have ticked down once
        more, while the round stays at the last one played (FX-2, steps 7 and 9)."""
        return self.round_number + (self.outcome is not None)

    def rounds_left(self, until: int) -> int:
        """Of paralysis or a hat that holds until that round, the current one included (FX-4.2)."""
        return max(0, until - self.ticked_to + 1)

    def bombs_laid(self, i: int) -> int:
        return sum(1 for bomb in self.bombs if bomb.owner == i)

    def may_lay(self, i: int) -> bool:
        """FX-4.1."""
        return self.bombs_laid(i) < self.bomb_count[i]

    def listed(self, i: int) -> tuple[FoxhuntAction, ...]:
        """What a player who can act may do, in the order of `actions.py` (FX-1.4)."""
        field = self.field[i]
        known = self._listed.get(field)
        if known is None:
            known = self._listed[field] = self._list(field)
        return known[0] if self.may_lay(i) else known[1]

    def _list(self, field: int) -> Listed:
        moves: list[FoxhuntAction] = []
        throws: list[FoxhuntAction] = []
        for d, beside in enumerate(self.yard.beside):
            reach = self.throw_reach(field, d)
            throws += THROWS[d][:reach]
            to = beside[field]
            if to != NOWHERE and self.ground[to] == FREE:
                moves.append(MOVES[d])
        return (*moves, BOMB, *throws, STAY), (*moves, STAY)

    def throw_reach(self, field: int, d: int) -> int:
        """How many fields a bomb can be thrown in that direction before a wall is in its way (FX-4.1)."""
        beside, ground = self.yard.beside[d], self.ground
        n = 0
        while n < self.settings.throw_range:
            field = beside[field]
            if field == NOWHERE or ground[field] != FREE:
                break
            n += 1
        return n

    def open_up(self, field: int) -> None:
        """A wall is gone; what was listed is listed anew. Copies keep the list that they shared."""
        self.ground[field] = FREE
        self._listed = {}

    def forget_listed(self) -> None:
        self._listed = {}

    def free_fields(self, *taken: object) -> list[int]:
        """The free fields without what is given, any of `players`, `bombs`, `specials`; in map order."""
        closed: set[int] = set()
        if "players" in taken:
            closed.update(self.field)
        if "bombs" in taken:
            closed.update(bomb.field for bomb in self.bombs)
        if "specials" in taken:
            closed.update(self.specials)
        return [field for field, wall in enumerate(self.ground) if wall == FREE and field not in closed]

    def draw_kind(self) -> str:
        """A special of random kind: a d3, so that it can be loaded."""
        return KINDS[self.dice.roll(3) - 1]
