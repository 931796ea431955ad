"""A fox hunt as its view shows it, read once: the ground with a wall around it, who and what is where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from livingtable.dice import derive_seed
from livingtable.game import Data
from livingtable.games.foxhunt.laid import Bomb
from livingtable.games.foxhunt.yard import FREE, SIGNS, Yard, yard_of

_GROUND = str.maketrans(SIGNS, "".join(chr(i) for i in range(len(SIGNS))))


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A map with a wall around it, so that no step from a field of the map leaves the ground. One object stands for
    one map, so what is kept for a ground is found by that.

    Field "x,y" has the number `(y + 1) * width + x + 1`; `steps` are what to add to go N, E, S, W.
    """

    cells: bytes
    width: int
    steps: tuple[int, int, int, int]
    yard: Yard

    def around(self, field: int) -> list[int]:
        """The free fields beside one, in the order N, E, S, W."""
        return [field + step for step in self.steps if self.cells[field + step] == FREE]

    def field(self, position: str) -> int:
        x, y = position.split(",")
        return (int(y) + 1) * self.width + int(x) + 1


@lru_cache(maxsize=32)
def ground_of(rows: tuple[str, ...]) -> Ground:
    width = len(rows[0]) + 2
    beyond = "W" * width
    text = beyond + "".join(f"W{row}W" for row in rows) + beyond
    return Ground(text.translate(_GROUND).encode(), width, (-width, 1, width, -1), yard_of(width, len(rows) + 2))


@dataclass(frozen=True, slots=True)
class Player:
    side: str
    field: int
    range: int
    hat: int
    paralysed: int


class Sight:
    """`fuse` of a bomb is its `explodes`: this round is round 0."""

    def __init__(self, view: Data, side: str) -> None:
        self.ground = ground_of(tuple(view["map"]))
        field = self.ground.field
        players = [Player(p["id"], field(p["position"]), p["range"], p["hat"], p["paralysed"]) for p in view["players"]]
        seats = {player.side: n for n, player in enumerate(players)}
        self.me = players[seats[side]]
        self.fox = players[seats[view["fox"]]]
        self.hunters = [player for player in players if player is not self.fox]
        self.rivals = [hunter for hunter in self.hunters if hunter is not self.me]
        self.specials: dict[int, str] = {field(s["position"]): s["kind"] for s in view["specials"]}
        self.bombs = [Bomb(field(b["position"]), seats[b["owner"]], b["range"], b["fuse"]) for b in view["bombs"]]
        self.fuse: int = view["settings"]["fuse"]
        self.fortune = derive_seed(view["foxRounds"], *(player.field for player in players))
        """For whims: the same for all who look, and another in each position."""

    def options(self, player: Player) -> list[int]:
        """The fields on which it can be after this round's moves, that on which it stands last."""
        return [*(() if player.paralysed else self.ground.around(player.field)), player.field]

    def apart(self, a: int, b: int) -> int:
        """The number of steps between two fields if there were no walls."""
        (ay, ax), (by, bx) = divmod(a, self.ground.width), divmod(b, self.ground.width)
        return abs(ay - by) + abs(ax - bx)
