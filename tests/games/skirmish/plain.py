"""Reach, ways and legal actions once more, from the words of the rules and the wire's `state` alone: slow and plain, to
hold the engine against."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""SK-0.1."""
COST = {".": 1, "=": 1, "I": 1, "C": 1, "F": 2, "^": 2}
"""SK-0.2."""


class Ground:
    """What a piece walks on: the map, the enemies in its way, the enemy's castle where its way ends."""

    def __init__(self, rows: Sequence[str], enemies: Iterable[Hex] = (), enemy_castle: Hex | None = None) -> None:
        self.signs = hexes_of(rows)
        self.enemies = frozenset(enemies)
        self.enemy_castle = enemy_castle

    def steps_from(self, here: Hex) -> list[tuple[int, Hex, int]]:
        """Number of the direction, hex and cost of each hex that can be entered from here."""
        if here == self.enemy_castle:
            return []
        found: list[tuple[int, Hex, int]] = []
        for number, (dq, dr) in enumerate(DIRECTIONS):
            there = here[0] + dq, here[1] + dr
            cost = COST.get(self.signs.get(there, " "))
            if cost is not None and there not in self.enemies:
                found.append((number, there, cost))
        return found


def hexes_of(rows: Sequence[str]) -> dict[Hex, str]:
    """SK-0.1: character c of row r is the hex q = c - (r - (r & 1)) / 2."""
    return {
        (c - (r - (r & 1)) // 2, r): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != " "
    }


def read(text: str) -> Hex:
    q, r = text.split(",")
    return int(q), int(r)


def written(place: Hex) -> str:
    return f"{place[0]},{place[1]}"


def distance(a: Hex, b: Hex) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def dijkstra(ground: Ground, start: Hex, points: int) -> dict[Hex, int]:
    """The cost of the cheapest way to each hex that costs no more than the points; not the start (SK-2.1)."""
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heapq.heappop(queue)
        if cost > best[here]:
            continue
        for _, there, entering in ground.steps_from(here):
            total = cost + entering
            if total <= points and total < best.get(there, points + 1):
                best[there] = total
                heapq.heappush(queue, (total, there))
    del best[start]
    return best


def best_ways(ground: Ground, start: Hex, points: int) -> dict[Hex, tuple[int, list[Hex]]]:
    """Cost and hexes entered of the way that SK-2.2 chooses to each hex, out of *all* ways that the points allow."""
    chosen: dict[Hex, tuple[tuple[int, int, tuple[int, ...]], list[Hex]]] = {}

    def walk(here: Hex, cost: int, turns: tuple[int, ...], way: list[Hex]) -> None:
        for number, there, entering in ground.steps_from(here):
            total = cost + entering
            if total > points or there == start or there in way:
                continue
            longer = [*way, there]
            rank = total, -len(longer), (*turns, number)  # cheapest, then most hexes, then first by neighbour order
            if there not in chosen or rank < chosen[there][0]:
                chosen[there] = rank, longer
            walk(there, total, rank[2], longer)

    walk(start, 0, (), [])
    return {there: (rank[0], way) for there, (rank, way) in chosen.items()}


def ground_for(view: Mapping[str, Any], side: str) -> Ground:
    enemy = "crimson" if side == "ivory" else "ivory"
    enemies = [read(p["hex"]) for p in view["pieces"] if p["side"] == enemy]
    return Ground(view["map"], enemies, read(view["castles"][enemy]))


def legal_notations(view: Mapping[str, Any]) -> list[str]:
    """All that the side to act may do, pieces as listed, attacks before moves, rows from the north; last the end."""
    side = view["side"]
    ground = ground_for(view, side)
    taken = {read(p["hex"]) for p in view["pieces"]}
    enemies = [p for p in view["pieces"] if p["side"] != side]
    found: list[str] = []
    for p in view["pieces"]:
        if p["side"] != side:
            continue
        name = p["id"].split("-")[1]
        found += [f"{name} x {e['id'].split('-')[1]}" for e in enemies if _may_attack(p) and _in_range(p, e)]
        if _may_move(p):
            reached = dijkstra(ground, read(p["hex"]), p["move"]).keys() - taken
            found += [f"{name} > {written(h)}" for h in sorted(reached, key=lambda h: (h[1], h[0]))]
    return [*found, "end"]


def _may_attack(p: Mapping[str, Any]) -> bool:
    """SK-1.2, SK-3.7, SK-3.9."""
    twice = p["kind"] == "A" and not p["moved"]
    return p["attacksMade"] < (2 if twice else 1) and not p["afraid"]


def _may_move(p: Mapping[str, Any]) -> bool:
    """SK-1.2, SK-3.7."""
    return not p["moved"] and p["attacksMade"] < 2


def _in_range(p: Mapping[str, Any], enemy: Mapping[str, Any]) -> bool:
    return distance(read(p["hex"]), read(enemy["hex"])) <= p["range"]
