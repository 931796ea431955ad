"""Ways over the ground of a fox hunt: who is where when, and what the way to a field costs, walls in between too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from livingtable.agents.foxhunt.sight import Ground, Player
from livingtable.games.foxhunt.yard import FREE, HARD

NO_WAY = 10_000


def spread(ground: Ground, field: int, most: int) -> Mapping[int, int]:
    """By free field: in how many rounds, at most `most`, it is reached from that one."""
    return _spread(ground, ((field, 0),), most)


@lru_cache(maxsize=128)
def _spread(ground: Ground, begun: tuple[tuple[int, int], ...], most: int) -> Mapping[int, int]:
    """By free field: the round in which it is reached from fields that count from such a round.

    All who see the same board ask for the same ones, one seat after the other.
    """
    cells, steps, starts = ground.cells, ground.steps, dict(begun)
    reached: dict[int, int] = {}
    now = min(starts.values(), default=most + 1)
    edge: list[int] = []
    while now <= most:
        edge += [field for field, t in starts.items() if t == now and field not in reached]
        reached.update(dict.fromkeys(edge, now))
        if not edge:
            later = [t for t in starts.values() if t > now]
            now = min(later, default=most + 1)
            continue
        now += 1
        edge = list({n for field in edge for step in steps if cells[n := field + step] == FREE and n not in reached})
        if now <= most:
            reached.update(dict.fromkeys(edge, now))
    return reached


def arrivals(ground: Ground, hunters: list[Player], most: int) -> Mapping[int, int]:
    """By field: the first round, 0 this one, after whose moves one of the hunters could stand there and catch."""
    starts: dict[int, int] = {}
    for hunter in hunters:
        for field in (hunter.field, *ground.around(hunter.field)):
            starts[field] = min(hunter.paralysed, starts.get(field, NO_WAY))
    return _spread(ground, tuple(sorted(starts.items())), most)


@lru_cache(maxsize=64)
def costs_to(ground: Ground, target: int, wall: int, doomed: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """What the cheapest way from each field to the target costs, a step 1; fields without a way are left out.

    A breakable wall costs `wall` more, one of `doomed` the rounds that it still stands.
    """
    cells, steps = ground.cells, ground.steps
    standing = dict(doomed)
    costs: dict[int, int] = {}
    edges: dict[int, list[int]] = {0: [target]}
    cost = 0
    while edges:
        for field in edges.pop(cost, ()):
            if field in costs:
                continue
            costs[field] = cost
            onward = cost + 1
            if cells[field] != FREE:
                onward += min(wall, standing.get(field, wall))
            edge = edges.setdefault(onward, [])
            edge += [n for step in steps if cells[n := field + step] != HARD and n not in costs]
        cost += 1
    return costs
