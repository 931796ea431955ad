"""A skirmish position: the pieces, whose turn it is, what each has done in it.

Pieces are numbers in the order of the set-up; sides are 0 (ivory) and 1 (crimson).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from livingtable.dice import Dice
from livingtable.events import EventData
from livingtable.game import Result
from livingtable.games.skirmish.actions import Attack, Move, SkirmishAction
from livingtable.games.skirmish.kinds import Kind
from livingtable.games.skirmish.reach import Levels, levels, reached
from livingtable.games.skirmish.terrain import Terrain, places

GONE = -1

Events = list[EventData]


class Reach:
    """What one piece reaches: by cost, as bits, as hexes in order; and the moves as they were last listed."""

    __slots__ = ("bits", "friends", "hexes", "levels", "listed")

    def __init__(self, by_cost: Levels) -> None:
        self.levels = by_cost
        self.bits = reached(by_cost)
        self.hexes = places(self.bits)
        self.friends = 0
        self.listed: list[SkirmishAction] | None = None


@lru_cache(maxsize=256)
def moves_on(_terrain: Terrain, _piece_id: str) -> dict[int, SkirmishAction]:
    """A piece's moves by hex, as far as they have been needed: on a large map most never are. Games share them."""
    return {}


@dataclass(frozen=True, slots=True)
class Army:
    """What never changes about the pieces and the game; copies of a position share it."""

    ids: tuple[str, ...]
    kinds: tuple[Kind, ...]
    sides: tuple[int, ...]
    index: dict[str, int]
    of_side: tuple[tuple[int, ...], tuple[int, ...]]
    turn_limit: int | None
    first_side: int
    moves: tuple[dict[int, SkirmishAction], ...]
    """By piece and hex: the `Move` there, made once, when it is first asked for."""
    attacks: tuple[dict[int, SkirmishAction], ...]
    """By piece and enemy: the `Attack`, made once."""


def make_army(
    terrain: Terrain,
    ids: tuple[str, ...],
    kinds: tuple[Kind, ...],
    sides: tuple[int, ...],
    turn_limit: int | None,
    first_side: int,
) -> Army:
    numbers = range(len(ids))
    attacks: list[dict[int, SkirmishAction]] = [
        {j: Attack(ids[i], ids[j]) for j in numbers if sides[j] != sides[i]} for i in numbers
    ]
    return Army(
        ids,
        kinds,
        sides,
        {piece_id: i for i, piece_id in enumerate(ids)},
        (tuple(i for i in numbers if sides[i] == 0), tuple(i for i in numbers if sides[i] == 1)),
        turn_limit,
        first_side,
        tuple(moves_on(terrain, piece_id) for piece_id in ids),
        tuple(attacks),
    )


class Position:
    """The figures of one moment, and the few changes of which every rule is made."""

    __slots__ = (
        "_reach",
        "afraid",
        "army",
        "attacks_made",
        "dice",
        "hexes_moved",
        "hp",
        "leaderless",
        "moved",
        "occupant",
        "occupied",
        "outcome",
        "side",
        "terrain",
        "turn",
        "where",
    )

    army: Army
    terrain: Terrain
    dice: Dice
    where: list[int]
    """The hex of each piece; `GONE` once it is destroyed."""
    hp: list[int]
    moved: list[bool]
    hexes_moved: list[int]
    attacks_made: list[int]
    afraid: list[bool]
    leaderless: list[bool]
    """By side: whether its General is dead (SK-3.4)."""
    occupant: dict[int, int]
    occupied: list[int]
    """By side: the hexes of its pieces, as bits."""
    side: int
    turn: int
    outcome: Result | None
    _reach: dict[int, Reach]
    """By piece of the side to act; good as long as it stays there and no enemy comes or goes."""

    # what a piece of the side to act can do

    def reach(self, i: int) -> Reach:
        """Where a piece of the side to act can go, friends aside."""
        found = self._reach.get(i)
        if found is None:
            enemy = 1 - self.side
            points = self.army.kinds[i].move
            by_cost = levels(self.terrain, self.where[i], points, self.occupied[enemy], self.terrain.castle[enemy])
            found = self._reach[i] = Reach(by_cost)
        return found

    def moves(self, i: int) -> list[SkirmishAction]:
        """The moves of a piece of the side to act: to what it reaches, save where friends stand (SK-2.1, SK-0.4)."""
        reach = self.reach(i)
        friends = reach.bits & self.occupied[self.side]
        if reach.listed is None or friends != reach.friends:
            moves, taken = self.army.moves[i], self.occupant
            reach.friends = friends
            try:
                reach.listed = [moves[h] for h in reach.hexes if h not in taken]
            except KeyError:
                moves |= {h: Move(self.army.ids[i], self.terrain.names[h]) for h in reach.hexes if h not in moves}
                reach.listed = [moves[h] for h in reach.hexes if h not in taken]
        return reach.listed

    def forget_reach(self) -> None:
        """After an enemy has gone, or the turn."""
        self._reach = {}

    # changes

    def put(self, i: int, h: int) -> None:
        """Moves a piece to a free hex."""
        old, side = self.where[i], self.army.sides[i]
        del self.occupant[old]
        self.occupant[h] = i
        self.occupied[side] ^= 1 << old | 1 << h
        self.where[i] = h
        self._reach.pop(i, None)

    def remove(self, i: int) -> None:
        h = self.where[i]
        del self.occupant[h]
        self.occupied[self.army.sides[i]] ^= 1 << h
        self.where[i] = GONE
        self.forget_reach()
