"""What is compared with what: pairs of games that differ in one thing alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from livingtable.game import Data
from livingtable_server.experiments.cells import FACTORS
from livingtable_server.experiments.measures import Measure, Row
from livingtable_server.experiments.statistics import (
    Clustered,
    clustered,
    clusters_needed,
    difference_seen,
    holm,
    interval,
    sign_flip,
    spread_of,
    standard_error,
)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two levels of one thing. `pairs` are the games of A and B that are the same in all else. `model` is the one that
    played them, "" where models are compared."""

    what: str
    a: str
    b: str
    model: str
    pairs: tuple[tuple[Row, Row], ...]


def contrasts(rows: Sequence[Row]) -> Iterator[Contrast]:
    """Each factor's levels with each other, by model; the null twin with its original; the models with each other."""
    plain = [row for row in rows if not row["factors"]["null"]]
    models = list(dict.fromkeys(row["model"] for row in rows))
    for model in models:
        own = [row for row in plain if row["model"] == model]
        for factor in FACTORS:
            yield from _levels(own, factor, model)
        twins = [row for row in rows if row["model"] == model and row["factors"]["null"]]
        if twins:
            name = twins[0]["variant"].removesuffix(" (null)")
            yield _contrast("null", name, twins[0]["variant"], model, own, twins, "null")
    for a, b in combinations(models, 2):
        of_a, of_b = ([row for row in plain if row["model"] == model] for model in (a, b))
        yield _contrast("model", a, b, "", of_a, of_b, "model")


def _levels(rows: Sequence[Row], factor: str, model: str) -> Iterator[Contrast]:
    levels = list(dict.fromkeys(row["factors"][factor] for row in rows))
    for a, b in combinations(levels, 2):
        of_a, of_b = ([row for row in rows if row["factors"][factor] == level] for level in (a, b))
        yield _contrast(factor, _shown(a), _shown(b), model, of_a, of_b, factor)


def _contrast(
    what: str, a: str, b: str, model: str, of_a: Sequence[Row], of_b: Sequence[Row], apart_from: str
) -> Contrast:
    partners = {_sameness(row, apart_from): row for row in of_b}
    found = ((row, partners.get(_sameness(row, apart_from))) for row in of_a)
    return Contrast(what, a, b, model, tuple((x, y) for x, y in found if y is not None))


def _sameness(row: Row, apart_from: str) -> tuple[object, ...]:
    """What two games of a pair have in common."""
    factors = {k: v for k, v in row["factors"].items() if k != apart_from}
    model = "" if apart_from == "model" else row["model"]
    return (row["scenario"], row["seed"], row["seat"], model, *factors.items())


def _shown(level: object) -> str:
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)


def compared(found: Sequence[Contrast], measure: Measure, wanted: float | None) -> list[Data]:
    """B minus A in a measure, for each contrast that has pairs with a value on both sides.

    `pHolm` is corrected for all of them but the null twins, which are checks of the method and no questions. `games`
    is how many games a side it takes to see `wanted`, `sees` which difference the games that were played could show.
    """
    results = [result for contrast in found if (result := _compared(contrast, measure, wanted))]
    asked = [result for result in results if result["what"] != "null"]
    for result, corrected in zip(asked, holm([result["p"] for result in asked]), strict=True):
        result["pHolm"] = corrected
    return results


def _compared(contrast: Contrast, measure: Measure, wanted: float | None) -> Data | None:
    values = [(x, measure.of(x), measure.of(y)) for x, y in contrast.pairs]
    known = [(x, b - a) for x, a, b in values if a is not None and b is not None]
    if not known:
        return None
    data = clusters_of([row for row, _ in known], [difference for _, difference in known])
    low, high = sure_between(data)
    spread = None if low is None else float(spread_of(data))
    a_cluster = len(known) / data.number
    return {
        "measure": measure.name,
        "what": contrast.what,
        "model": contrast.model,
        "a": contrast.a,
        "b": contrast.b,
        "pairs": len(known),
        "clusters": data.number,
        "difference": float(data.mean),
        "low": low,
        "high": high,
        "p": float(sign_flip(data)),
        "pHolm": None,
        "sees": difference_seen(data.number, spread) if spread is not None else None,
        "wanted": wanted,
        "games": round(clusters_needed(wanted, spread) * a_cluster) if wanted and spread is not None else None,
    }


def sure_between(data: Clustered) -> tuple[float | None, float | None]:
    """The interval of one mean; none with one cluster alone, nor where all are alike: what never varied in so many
    games may still vary, and nothing in them says how much."""
    if data.number < 2 or float(standard_error(data)) == 0:
        return None, None
    low, high = interval(data)
    return float(low), float(high)


def clusters_of(rows: Sequence[Row], values: Sequence[float]) -> Clustered:
    """One seed of one scenario is a cluster."""
    numbers: dict[tuple[str, int], int] = {}
    of_each = [numbers.setdefault((row["scenario"], row["seed"]), len(numbers)) for row in rows]
    return clustered(np.array(values, dtype=np.float64), of_each)
