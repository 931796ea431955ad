"""A tournament as a page of its own, and the same as JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import json
from importlib import resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined, select_autoescape

from livingtable.arena.run import Plan, Run
from livingtable.arena.table import summary
from livingtable.game import Data

COLUMNS = {
    "entrant": "entrant",
    "elo": "Elo",
    "eloLow": "low",
    "eloHigh": "high",
    "games": "games",
    "ended": "ended",
    "truncated": "cut off",
    "forfeits": "forfeits",
    "firsts": "firsts",
    "firstRate": "first rate",
    "firstRateOfAll": "of all",
    "meanPlace": "mean place",
    "meanScore": "mean score",
}
"""Of the table of entrants, with what they are called in it."""


def report_of(run: Run) -> Data:
    """The plan and what came of it."""
    plan = run.plan()
    return {
        "scenarios": list(plan.scenarios),
        "seed": plan.seed,
        "asked": plan.games,
        **summary(list(run.rows()), plan.entrants, plan.seed),
    }


def write_report(run: Run) -> list[Path]:
    """`report.html`, `.json`, `.csv` and `.md` in the run's folder."""
    data = report_of(run)
    texts = {
        "report.html": as_html(data, run.plan()),
        "report.json": json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        "report.csv": as_csv(data),
        "report.md": as_markdown(data),
    }
    for name, text in texts.items():
        (run.folder / name).write_text(text, "utf-8", newline="\n")
    return [run.folder / name for name in texts]


def cells(row: Data) -> list[str]:
    """A row of the table of entrants, as texts."""
    return [_cell(row[key]) for key in COLUMNS]


def as_csv(data: Data) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(cells(row) for row in data["entrants"])
    return out.getvalue()


def as_markdown(data: Data) -> str:
    lines = [
        f"{data['games']} games of {', '.join(data['scenarios'])}, seed {data['seed']}. Ends: {_counts(data['ends'])}.",
        "",
        f"| {' | '.join(COLUMNS.values())} |",
        f"|{' --- |' * len(COLUMNS)}",
        *(f"| {' | '.join(_in_a_cell(cell) for cell in cells(row))} |" for row in data["entrants"]),
    ]
    return "\n".join(lines) + "\n"


def _in_a_cell(text: str) -> str:
    return text.replace("|", "\\|")


def as_html(data: Data, plan: Plan) -> str:
    """One self-contained page."""
    environment = Environment(autoescape=select_autoescape(default=True), undefined=StrictUndefined)
    template = environment.from_string((resources.files("livingtable.arena") / "report.html.jinja").read_text("utf-8"))
    records = "records.jsonl.zst" if plan.compressed else "records.jsonl"
    return (
        template.render(data=data, columns=COLUMNS, cells=cells, counts=_counts, shade=_shade, records=records) + "\n"
    )


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return _counts(value) if value else "0"  # pyright: ignore[reportUnknownArgumentType]
    return "-" if value is None else str(value)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "none"


def _shade(rate: float | None) -> str:
    """The background of a cell of the matrix: blue above a half, red below."""
    if rate is None:
        return "transparent"
    strength = round(abs(rate - 0.5) * 2 * 0.7, 3)
    return f"rgba(31,95,168,{strength})" if rate >= 0.5 else f"rgba(163,58,42,{strength})"
