"""`greedy` for skirmish: the gain and risk of each action of a turn, one after the other.

It takes a castle that it can take, kills what it can, keeps a piece on its own castle while the enemy can come to it,
moves up, seeks cover, and ends its turn when nothing more is worth doing. Weights are thousandths of a hit; equal
values are decided by the order of the legal actions, so the choice is a function of the view alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from livingtable.game import Action, Data
from livingtable.games.skirmish.actions import Attack, EndTurn, Move
from livingtable.games.skirmish.kinds import ARCHER, DRAGON, GENERAL, KNIGHT, SIDES, WIZARD
from livingtable.games.skirmish.reach import levels, path, reached
from livingtable.games.skirmish.rules import CHARGE_HEXES, NEEDED, NEEDED_AGAINST_SHELTER
from livingtable.games.skirmish.terrain import Terrain, places, terrain_of

HIT = 1000
FAR = 10_000
WORTH = {"K": 3, "A": 3, "W": 3, "G": 2, "O": 2, "T": 3, "D": 5, "S": 4}
"""Of a hit, by the kind that suffers it."""


@lru_cache(maxsize=128)
def costs_to(terrain: Terrain, target: int) -> dict[int, int]:
    """What the cheapest way from each hex to a hex costs, pieces aside; hexes without a way are left out."""
    costs = {target: 0}
    queue = [(0, target)]
    while queue:
        cost, h = heapq.heappop(queue)
        if cost > costs[h]:
            continue
        for step in terrain.steps:
            before = h + step
            total = cost + terrain.cost[h]
            if terrain.cost.get(before) and total < costs.get(before, FAR):
                costs[before] = total
                heapq.heappush(queue, (total, before))
    return costs


@dataclass(slots=True)
class Piece:
    id: str
    kind: str
    h: int
    hp: int
    move: int
    range: int
    moved: bool
    hexes_moved: int
    attacks: int
    afraid: bool


class GreedySkirmish:
    def __init__(self, side: str, seed: int) -> None:
        self.side = side

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        if len(legal) == 1:
            return legal[0]
        return max(legal, key=Turn(view, self.side).value)


class Turn:
    """One view, read once, and what each action is worth to the side."""

    def __init__(self, view: Data, side: str) -> None:
        self.terrain = terrain_of(tuple(view["map"]))
        own_side = SIDES.index(side)
        self.castle, self.enemy_castle = self.terrain.castle[own_side], self.terrain.castle[1 - own_side]
        self.leaderless = bool(view["leaderless"][side])
        pieces = [(p["side"], self._piece(p)) for p in view["pieces"]]
        self.own = {p.id: p for s, p in pieces if s == side}
        self.enemies = {p.id: p for s, p in pieces if s != side}
        self.enemy_bits = sum(1 << e.h for e in self.enemies.values())
        self.own_bits = sum(1 << p.h for p in self.own.values())
        self.threat = self._threat()
        self.to_enemy_castle = costs_to(self.terrain, self.enemy_castle)
        self.to_castle = costs_to(self.terrain, self.castle)
        self.castle_danger = min((self.to_castle.get(e.h, FAR) - e.move for e in self.enemies.values()), default=FAR)

    def value(self, action: Action) -> int:
        match action:
            case Attack(attacker_id, defender_id):
                attacker = self.own[attacker_id]
                return self._attack_value(attacker, self.enemies[defender_id], attacker.hexes_moved) + 300
            case Move(piece_id, to):
                return self._move_value(self.own[piece_id], self.terrain.index[to])
            case EndTurn():
                return 60
            case _:
                return -FAR

    def _piece(self, p: Data) -> Piece:
        return Piece(
            p["id"],
            p["kind"],
            self.terrain.index[p["hex"]],
            p["hp"],
            p["move"],
            p["range"],
            p["moved"],
            p["hexesMoved"],
            p["attacksMade"],
            p["afraid"],
        )

    def _threat(self) -> dict[int, int]:
        """By hex: the hits, in thousandths, that the enemy could deal there in its next turn, roughly."""
        threat: dict[int, int] = {}
        names = self.terrain.names
        for enemy in self.enemies.values():
            stand = reached(levels(self.terrain, enemy.h, enemy.move, self.own_bits, self.castle)) | 1 << enemy.h
            zone = stand
            for _ in range(enemy.range):
                zone |= self.terrain.around(zone)
            shots = 2 if enemy.kind == ARCHER else 1
            for h in places(zone):
                if h in names:  # Beyond the edges there are bits of no hex.
                    needed = NEEDED_AGAINST_SHELTER if self.terrain.sheltering >> h & 1 else NEEDED
                    threat[h] = threat.get(h, 0) + HIT * (7 - needed) // 6 * (1 + (shots - 1) // 2)
        return threat

    # attacking

    def _chance(self, attacker: Piece, target: Piece, hexes_moved: int) -> int:
        sheltered = self.terrain.sheltering >> target.h & 1 and attacker.kind != WIZARD
        needed = NEEDED_AGAINST_SHELTER if sheltered else NEEDED
        needed += self.leaderless
        needed -= attacker.kind == KNIGHT and hexes_moved >= CHARGE_HEXES
        return HIT * max(0, min(6, 7 - needed)) // 6

    def _attack_value(self, attacker: Piece, target: Piece, hexes_moved: int) -> int:
        worth = WORTH[target.kind] + (4 if target.hp == 1 else 0)
        if target.h == self.enemy_castle:
            worth += 2
        worth += max(0, 8 - self.to_castle.get(target.h, FAR)) // 2
        return self._chance(attacker, target, hexes_moved) * worth // 2 + (200 if attacker.kind == DRAGON else 0)

    def _best_attack_from(self, piece: Piece, h: int, hexes_moved: int) -> int:
        near = self.terrain.within(h, piece.range)
        values = (self._attack_value(piece, e, hexes_moved) for e in self.enemies.values() if near >> e.h & 1)
        return max(values, default=0)

    def _may_attack_after_moving(self, piece: Piece) -> bool:
        return piece.attacks == 0  # A move also takes the fear away.

    # moving

    def _move_value(self, piece: Piece, to: int) -> int:
        if to == self.enemy_castle:
            return 1_000 * HIT
        value = self._place_value(piece, to) - self._place_value(piece, piece.h)
        if self._may_attack_after_moving(piece):
            value += self._best_attack_from(piece, to, self._hexes(piece, to)) * 9 // 10
            if not piece.afraid:
                value -= self._best_attack_from(piece, piece.h, 0)
        return value

    def _hexes(self, piece: Piece, to: int) -> int:
        """How many hexes a Knight enters on the way, as Charge counts them; of the others it does not matter."""
        if piece.kind != KNIGHT:
            return 0
        by_cost = levels(self.terrain, piece.h, piece.move, self.enemy_bits, self.enemy_castle)
        return len(path(self.terrain, by_cost, to, self.enemy_castle)[0])

    def _place_value(self, piece: Piece, h: int) -> int:
        """What standing there is worth: near the enemy's castle, out of danger, on the own one in need."""
        value = -self._eagerness(piece) * self.to_enemy_castle.get(h, 50)
        danger = self.threat.get(h, 0)
        caution = 3 if piece.kind == GENERAL else 2 if piece.hp == 1 else 1
        value -= danger * caution * WORTH[piece.kind] // 12
        if h == self.castle:
            value += self._guard_value(piece)
        return value

    def _eagerness(self, piece: Piece) -> int:
        return 20 if piece.kind == GENERAL else 90 if piece.kind in (ARCHER, WIZARD) else 130

    def _guard_value(self, piece: Piece) -> int:
        """The General keeps the castle by habit; whoever it is, it stays while the enemy is a turn or two away."""
        if self.castle_danger <= 0:
            return 60 * HIT
        habit = 2 * HIT if piece.kind == GENERAL else 0
        return habit + (3 * HIT if self.castle_danger <= 6 else 0)
