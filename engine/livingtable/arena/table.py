"""What a tournament's games come to: a row an entrant, head to head, by seat, ends kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from livingtable.arena.ratings import Z, rated, ratings
from livingtable.game import Data
from livingtable.records import TRUNCATED

BINS = 12
ENDS = ("won", "drawn", TRUNCATED, "forfeit")


def end_in_words(end: str) -> str:
    """How a game ended, as people read it."""
    return "cut off" if end == TRUNCATED else end


def wilson(successes: float, of: float) -> tuple[float, float]:
    """The 95 % interval of a rate (E. B. Wilson, 1927), as shares; (0, 1) of none."""
    if not of:
        return 0.0, 1.0
    rate, square = successes / of, Z * Z
    middle = (rate + square / (2 * of)) / (1 + square / of)
    spread = Z * ((rate * (1 - rate) + square / (4 * of)) / of) ** 0.5 / (1 + square / of)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def wilson_by_group(groups: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """The same of successes and tries that come in groups, within which they are not independent: as of so many
    independent ones as have the same variance as what is seen between the groups, never more than there are. Where it
    is all of them or none, each group counts once.

    Source: L. Kish, "Survey Sampling", 1965, the design effect of clusters.
    """
    successes, of = (sum(column) for column in zip(*groups, strict=True)) if groups else (0, 0)
    if not 0 < successes < of:
        return wilson(len(groups) if successes else 0, len(groups))
    if len(groups) == 1:
        return wilson(successes / of, 1)
    rate = successes / of
    spread = sum((some - rate * tried) ** 2 for some, tried in groups) * len(groups) / (len(groups) - 1)
    alike = min(of, rate * (1 - rate) * of * of / spread) if spread else of
    return wilson(rate * alike, alike)


def summary(rows: Sequence[Data], entrants: Sequence[str], seed: int = 0) -> Data:
    """Everything that a report shows, as JSON without NaN.

    Places, scores and wins are over the games that were played to their end; forfeits and games cut off are counted
    beside them, and stand in `forfeits` one by one, with the number that each game has among `rows`, from 1. Lengths
    are those of all games.
    """
    ordered = _ordered(rows)
    return {
        "games": len(ordered),
        "ends": dict.fromkeys(ENDS, 0) | Counter(row["end"] for row in ordered),
        "reasons": dict(sorted(Counter(row["reason"] for row in ordered).items())),
        "duplicates": _duplicates(ordered),
        "entrants": entrant_rows(ordered, entrants, seed),
        "headToHead": _head_to_head(ordered, entrants),
        "seats": _seats(ordered),
        "lengths": _lengths(ordered),
        "forfeits": [
            {"number": number}
            | {key: row[key] for key in ("scenario", "group", "seed", "seats", "by", "side", "why", "detail")}
            for number, row in enumerate(rows, start=1)
            if row["end"] == "forfeit"
        ],
    }


def entrant_rows(rows: Sequence[Data], entrants: Sequence[str], seed: int = 0) -> list[Data]:
    """A row an entrant, the best first; the same whatever the order of the games."""
    ordered = _ordered(rows)
    return [
        _entrant_row(ordered, rating.entrant) | {"elo": rating.elo, "eloLow": rating.low, "eloHigh": rating.high}
        for rating in ratings(ordered, entrants, seed)
    ]


def _ordered(rows: Sequence[Data]) -> list[Data]:
    return sorted(rows, key=lambda row: (row["scenario"], row["group"], *row["seats"].values()))


def _entrant_row(rows: Sequence[Data], entrant: str) -> Data:
    there = [row for row in rows if entrant in row["seats"].values()]
    ended = rated(there)
    places = [row["places"][side] for row in ended for side, name in row["seats"].items() if name == entrant]
    scores = [row["scores"][side] for row in ended for side, name in row["seats"].items() if name == entrant]
    firsts = sum(1 for place in places if place == 1)
    low, high = wilson_by_group(list(_firsts_by_group(ended, entrant).values()))
    forfeits = [row for row in there if row["end"] == "forfeit" and row["by"] == entrant]
    return {
        "entrant": entrant,
        "games": len(there),
        "ended": len(ended),
        "truncated": sum(1 for row in there if row["end"] == "truncated"),
        "forfeits": dict(sorted(Counter(row["why"] for row in forfeits).items())),
        "forfeitRate": _share(len(forfeits), len(there)),
        "firsts": firsts,
        "firstRate": _share(firsts, len(places)),
        "firstRateOfAll": _share(firsts, len(places) + sum(_seats_of(r, entrant) for r in there if r not in ended)),
        "firstLow": round(low, 4),
        "firstHigh": round(high, 4),
        "meanPlace": _mean(places),
        "meanScore": _mean(scores),
    }


def _firsts_by_group(rows: Sequence[Data], entrant: str) -> dict[tuple[str, int], tuple[int, int]]:
    """Of the games of each seed: its first places, and its seats."""
    found: dict[tuple[str, int], tuple[int, int]] = {}
    for row in rows:
        firsts, seats = found.get((row["scenario"], row["group"]), (0, 0))
        mine = [row["places"][side] for side, name in row["seats"].items() if name == entrant]
        found[row["scenario"], row["group"]] = (firsts + mine.count(1), seats + len(mine))
    return found


def _seats_of(row: Data, entrant: str) -> int:
    return sum(1 for name in row["seats"].values() if name == entrant)


def _share(part: int, of: int) -> float | None:
    return round(part / of, 4) if of else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def _head_to_head(rows: Sequence[Data], entrants: Sequence[str]) -> Data:
    """Of each entrant against each other: how often a seat of the one was placed before a seat of the other, level as
    a half, and of how many."""
    table: Data = {}
    for one in sorted(entrants):
        for other in sorted(entrants):
            if one == other:
                continue
            points, of = 0.0, 0
            for row in rated(rows):
                mine = [row["places"][s] for s, name in row["seats"].items() if name == one]
                theirs = [row["places"][s] for s, name in row["seats"].items() if name == other]
                points += sum((a < b) + (a == b) / 2 for a in mine for b in theirs)
                of += len(mine) * len(theirs)
            table.setdefault(one, {})[other] = {
                "points": points,
                "of": of,
                "rate": round(points / of, 4) if of else None,
            }
    return table


def _seats(rows: Sequence[Data]) -> list[Data]:
    """The rate of first places of each seat of each scenario, whoever sat there, with its interval, and all places."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in rated(rows):
        for side, place in row["places"].items():
            found.setdefault((row["scenario"], side), []).append(place)
    seats: list[Data] = []
    for (scenario, side), places in found.items():
        firsts = sum(1 for place in places if place == 1)
        low, high = wilson(firsts, len(places))
        rate = {"firstRate": _share(firsts, len(places)), "low": round(low, 4), "high": round(high, 4)}
        told = {"meanPlace": _mean(places), "places": {str(n): count for n, count in sorted(Counter(places).items())}}
        seats.append({"scenario": scenario, "side": side, "games": len(places), **rate, **told})
    return seats


def _lengths(rows: Sequence[Data]) -> list[Data]:
    found: dict[str, list[Data]] = {}
    for row in rows:
        found.setdefault(row["scenario"], []).append(row)
    return [
        {
            "scenario": scenario,
            "games": len(games),
            "meanRounds": _mean([row["rounds"] for row in games]),
            "meanActions": _mean([row["actions"] for row in games]),
            "mostRounds": max(row["rounds"] for row in games),
            "rounds": _spread([row["rounds"] for row in games]),
        }
        for scenario, games in sorted(found.items())
    ]


def _spread(values: Sequence[int]) -> list[Data]:
    """How many lie in each of at most `BINS` ranges of the same width, both ends of a range included."""
    least, most = min(values), max(values)
    width = (most - least) // BINS + 1
    counts = Counter((value - least) // width for value in values)
    ranges = ((least + n * width, n) for n in range((most - least) // width + 1))
    return [{"from": begin, "to": begin + width - 1, "games": counts[n]} for begin, n in ranges]


def _duplicates(rows: Sequence[Data]) -> int:
    """Games that are another's double: same scenario, seed and seats."""
    keys = Counter((row["scenario"], row["seed"], *row["seats"].values()) for row in rows)
    return sum(count - 1 for count in keys.values())
