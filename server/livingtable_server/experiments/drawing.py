"""Figures as the page of a report shows them."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from livingtable.game import Data
from livingtable_server.experiments.measures import MEASURES, Measure

WIDTH, HEIGHT = 260, 22
"""Of a bar, in pixels."""


def number(value: float | None) -> str:
    """Three figures, or a dash for what is not known."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}".replace(",", "\u202f")
    return f"{value:.1f}" if size >= 100 else f"{value:.2f}" if size >= 1 else f"{value:.3g}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def figure(value: float | None, measure: Measure) -> str:
    """As its measure is read."""
    return percent(value) if measure.rate else number(value)


def verdict(row: Data) -> str:
    """What a sure difference means for B, in words that go on with "than A"."""
    better = MEASURES[row["measure"]].better * row["difference"]
    if better == 0:
        return "has more" if row["difference"] > 0 else "has less"
    return "does better" if better > 0 else "does worse"


def interval_bar(row: Data, rows: Sequence[Data]) -> Markup:
    """A difference with its interval on the scale that its table shares, and the line of no difference."""
    known = [abs(r[k]) for r in rows for k in ("difference", "low", "high") if r[k] is not None]
    reach = max(known, default=0.0) or 1.0

    def x(value: float) -> float:
        return round(WIDTH / 2 + value / reach * (WIDTH / 2 - 6), 1)

    low, high = (row["difference"] if row[k] is None else row[k] for k in ("low", "high"))
    side = "none" if low <= 0 <= high else "sure"
    label = f"{number(row['difference'])}, interval {number(row['low'])} to {number(row['high'])}"
    return Markup(
        '<svg class="bar {}" width="{}" height="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<line class="zero" x1="{}" y1="1" x2="{}" y2="{}"/><line class="span" x1="{}" y1="11" x2="{}" y2="11"/>'
        '<circle cx="{}" cy="11" r="4.5"/></svg>'
    ).format(
        *(side, WIDTH, HEIGHT, WIDTH, HEIGHT, label, x(0), x(0), HEIGHT - 1, x(low), x(high), x(row["difference"])),
    )
