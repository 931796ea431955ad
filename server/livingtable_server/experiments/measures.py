"""What is measured of a seat in a game, and how each is to be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
"""A game's figures, as `scores.py` makes them."""


@dataclass(frozen=True, slots=True)
class Measure:
    """`of` gives a game's value, None where the game has none; `better` is +1 where more is better, -1 where less is, 0
    where neither."""

    name: str
    title: str
    better: int
    of: Callable[[Row], float | None]
    rate: bool = False
    """Whether it is a share, from 0 to 1."""


def _share(part: str, whole: str) -> Callable[[Row], float | None]:
    return lambda row: row[part] / row[whole] if row[whole] else None


def _figure(key: str) -> Callable[[Row], float | None]:
    """None where it is not known, as of a game that was brought to its end by another seat's forfeit (C74)."""
    return lambda row: None if row[key] is None else float(row[key])


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("score", "score", 1, _figure("score")),
        Measure("win", "win", 1, _figure("win"), rate=True),
        Measure("place", "place", -1, _figure("place")),
        Measure("illegal", "illegal rate", -1, _share("illegal", "answers"), rate=True),
        Measure("unparsable", "unparsable rate", -1, _share("unparsable", "answers"), rate=True),
        Measure("cut", "cut at the limit of tokens", -1, _share("cut", "answers"), rate=True),
        Measure("retries", "retries a decision", -1, _share("retries", "decisions")),
        Measure("forfeits", "forfeit", -1, _figure("forfeits"), rate=True),
        Measure("agreement", "agreement", 1, _share("agreed", "compared"), rate=True),
        Measure("tokens_in", "tokens in", -1, _figure("tokensIn")),
        Measure("tokens_out", "tokens out", -1, _figure("tokensOut")),
        Measure("cost", "cost, $", -1, _figure("cost")),
        Measure("seconds", "seconds", -1, _figure("seconds")),
        Measure("decisions", "decisions", 0, _figure("decisions")),
    )
}
"""By name, in the order of the report."""
