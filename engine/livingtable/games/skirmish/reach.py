"""How far a piece comes and which way it takes (SK-2)."""

from __future__ import annotations

from livingtable.games.skirmish.terrain import Terrain

Levels = list[int]
"""By cost: the hexes whose cheapest way costs just that, as bits; at 0 the start alone."""


def levels(terrain: Terrain, start: int, points: int, enemies: int, enemy_castle: int) -> Levels:
    """Floods from a hex, level by level of cost (SK-2.1).

    Friends do not stop it, enemies do (SK-0.4). The enemy's castle can be entered, and the way ends there (SK-4.1).
    """
    cheap, dear = terrain.cheap & ~enemies, terrain.dear & ~enemies
    stop = 1 << enemy_castle
    seen = 1 << start
    found: Levels = [seen]
    beyond = [terrain.around(seen), 0]
    # beyond[0]: neighbours of the level before, to be entered for 1; beyond[1]: of the one before that, for 2.
    for _ in range(points):
        level = (beyond[0] & cheap | beyond[1] & dear) & ~seen
        found.append(level)
        seen |= level
        beyond = [terrain.around(level & ~stop), beyond[0]]
    return found


def reached(found: Levels) -> int:
    """All hexes of the levels but the start."""
    bits = 0
    for level in found[1:]:
        bits |= level
    return bits


def path(terrain: Terrain, found: Levels, target: int, enemy_castle: int) -> tuple[list[int], int]:
    """The hexes entered on the way to a reached hex, and what it costs.

    The cheapest; of these the one with the most hexes; of these the first by the neighbour order, step by step from the
    start (SK-2.2).
    """
    cost = next(c for c, level in enumerate(found) if level >> target & 1)
    # Backwards from the target: how many hexes the longest of the cheapest ways still enters, from each hex on one.
    still: list[dict[int, int]] = [{} for _ in range(cost + 1)]
    still[cost][target] = 0
    for c in range(cost, 0, -1):
        for h, count in still[c].items():
            before = c - terrain.cost[h]
            level = found[before] if before >= 0 else 0
            for step in terrain.steps:
                p = h - step
                if p >= 0 and p != enemy_castle and level >> p & 1 and still[before].get(p, -1) < count + 1:
                    still[before][p] = count + 1
    here, c = next(iter(still[0])), 0
    way: list[int] = []
    while here != target:
        left = still[c][here]
        for step in terrain.steps:
            h = here + step
            after = c + terrain.cost.get(h, 0)
            if c < after <= cost and still[after].get(h, -1) == left - 1:
                here, c = h, after
                way.append(h)
                break
    return way, cost
