"""Everything that a round depends on, and the small questions that the rules ask of it.

Times are kept as the number of the round in which they run out, so that nothing has to tick: a bomb's explosion, a
player's last round of paralysis, the last round of its hat. Views show what is left (FX-4.2).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from livingtable.dice import Dice
from livingtable.game import Result
from livingtable.games.foxhunt.actions import BOMB, MOVES, STAY, THROWS, FoxhuntAction
from livingtable.games.foxhunt.laid import Bomb, Laid
from livingtable.games.foxhunt.yard import FREE, NOWHERE, Yard, marked
from livingtable.grids import bits_of, nth_bit

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


class Position:
    __slots__ = (
        "_laid",
        "_listed",
        "_special_bits",
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
    _laid: Laid | None
    _special_bits: int | None
    """Worked out from `bombs` and `specials` once they are asked for, and kept up with them by `put_bomb` and the like,
    through which all changes of a game go."""

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

    def forget_worked_out(self) -> None:
        """Whoever makes a position from nothing says so."""
        self._listed, self._laid, self._special_bits = {}, None, None

    # bombs and specials

    def laid(self) -> Laid:
        if self._laid is None:
            self._laid = Laid(self.bombs)
        return self._laid

    def special_bits(self) -> int:
        """The fields with specials."""
        if self._special_bits is None:
            self._special_bits = bits_of(self.specials)
        return self._special_bits

    def put_bomb(self, bomb: Bomb) -> None:
        self.bombs.append(bomb)
        self._laid = None

    def remove_bombs(self, fields: Collection[int]) -> None:
        """All on these fields go off."""
        gone = set(fields)
        self.bombs = [bomb for bomb in self.bombs if bomb.field not in gone]
        self.laid().remove(gone)

    def put_special(self, field: int, kind: str) -> None:
        self._special_bits = self.special_bits() | 1 << field
        self.specials[field] = kind

    def take_special(self, field: int) -> str:
        self._special_bits = self.special_bits() & ~(1 << field)
        return self.specials.pop(field)

    # random fields

    def free_bits(self) -> int:
        """The free fields, as bits, in map order."""
        return marked(self.ground, FREE)

    def vacant_bits(self) -> int:
        """The free fields without players, bombs and specials."""
        return self.free_bits() & ~(bits_of(self.field) | self.laid().bits | self.special_bits())

    def draw_field(self, bits: int) -> int:
        """One of the fields, of which there is at least one; each equally likely."""
        return nth_bit(bits, self.dice.below(bits.bit_count()))

    def draw_kind(self) -> str:
        """A special of random kind: a d3, so that it can be loaded."""
        return KINDS[self.dice.roll(3) - 1]
