"""Which games of a tournament are worth a look: forfeits, games that were cut off, the shortest and the longest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from livingtable.game import Data

FORFEITS_OF_A_KIND, CUT_OFF_OF_A_SCENARIO = 2, 2


def notable(rows: Iterable[Data]) -> list[Data]:
    """`{number, why, scenario, seed, seats, end, reason, rounds, actions}`, by number; the first game is number 1."""
    found: dict[int, list[str]] = {}
    numbered = dict(enumerate(rows, start=1))
    for number, why in (*_lost(numbered), *_extremes(numbered)):
        found.setdefault(number, []).append(why)
    told = ("scenario", "seed", "seats", "end", "reason", "rounds", "actions")
    return [
        {"number": number, "why": ", ".join(whys), **{key: numbered[number][key] for key in told}}
        for number, whys in sorted(found.items())
    ]


def _lost(numbered: dict[int, Data]) -> Iterator[tuple[int, str]]:
    """The first few of each kind."""
    counts: dict[tuple[str, ...], int] = {}
    for number, row in numbered.items():
        if row["end"] == "forfeit":
            kind, why, most = (row["by"], row["why"]), f"{row['by']} forfeits: {row['why']}", FORFEITS_OF_A_KIND
        elif row["end"] == "truncated":
            kind, why, most = (row["scenario"],), "cut off", CUT_OFF_OF_A_SCENARIO
        else:
            continue
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= most:
            yield number, why


def _extremes(numbered: dict[int, Data]) -> Iterator[tuple[int, str]]:
    """Of the games of each scenario that were played to their end."""
    lengths: dict[str, list[tuple[int, int]]] = {}
    for number, row in numbered.items():
        if row["end"] in ("won", "drawn"):
            lengths.setdefault(row["scenario"], []).append((row["actions"], number))
    for scenario, found in sorted(lengths.items()):
        yield min(found)[1], f"shortest of {scenario}"
        yield max(found, key=lambda one: (one[0], -one[1]))[1], f"longest of {scenario}"
