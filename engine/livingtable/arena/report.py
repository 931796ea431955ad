"""A tournament as a page of its own, and the same as JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Container, Sequence
from dataclasses import asdict
from importlib import resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined, select_autoescape

from livingtable.arena.files import COMPRESSED, RECORDS
from livingtable.arena.notable import notable
from livingtable.arena.plan import Plan
from livingtable.arena.run import Run
from livingtable.arena.sprt import sequential_test
from livingtable.arena.table import end_in_words, entrant_rows, summary
from livingtable.game import Data

REPLAYS = "replays"
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


Draw = Callable[[Data], str]
"""A moving picture of a record, as SVG."""


def report_of(run: Run) -> Data:
    """The plan and what came of it."""
    plan = run.plan()
    rows = list(run.rows())
    return {
        "scenarios": list(plan.scenarios),
        "seed": plan.seed,
        "asked": plan.games,
        "scheduled": _scheduled(plan, rows),
        "sprt": _sequential_test(plan, rows),
        **summary(rows, plan.entrants, plan.seed),
        "byScenario": _by_scenario(plan, rows),
        "notable": notable(rows),
    }


def _by_scenario(plan: Plan, rows: Sequence[Data]) -> dict[str, list[Data]]:
    """The same rows of entrants for each scenario, where there are several: their scores are no measure in common."""
    if len(plan.scenarios) == 1:
        return {}
    of = {name: [row for row in rows if row["scenario"] == name] for name in plan.scenarios}
    return {name: entrant_rows(there, plan.entrants, plan.seed) for name, there in of.items()}


def write_report(run: Run, draw: Draw) -> list[Path]:
    """`report.html`, `.json`, `.csv` and `.md` in the run's folder; the notable games in its folder `replays`."""
    data = report_of(run)
    texts = {
        "report.html": as_html(data, run.plan()),
        "report.json": json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        "report.csv": as_csv(data),
        "report.md": as_markdown(data),
    }
    _write_replays(run, [row["number"] for row in data["notable"]], draw)
    for name, text in texts.items():
        (run.folder / name).write_text(text, "utf-8", newline="\n")
    return [run.folder / name for name in texts]


def _write_replays(run: Run, numbers: Container[int], draw: Draw) -> None:
    folder = run.folder / REPLAYS
    folder.mkdir(exist_ok=True)
    for number, line in enumerate(run.record_lines(), start=1):
        if number in numbers:
            (folder / f"{number}.json").write_bytes(line)
            (folder / f"{number}.svg").write_text(draw(json.loads(line)), "utf-8", newline="\n")


def _scheduled(plan: Plan, rows: Sequence[Data]) -> int:
    """How many games it is with those that are still to be played; of a sequential test, at most."""
    there = set(map(plan.place_of, rows))
    places = (plan.place(fixture.scenario, fixture.group, fixture.seating) for fixture in plan.fixtures())
    return len(rows) + sum(1 for place in places if place not in there)


def ends_of(data: Data) -> dict[str, int]:
    """How many games ended how, in the words of the table of entrants."""
    return {in_words(end): count for end, count in data["ends"].items()}


def in_words(*ends: str) -> str:
    """An end, with its reason if that is another word."""
    return ", ".join(dict.fromkeys(map(end_in_words, ends)))


def games_of(data: Data) -> str:
    """How many games a report tells of, and of how many, where more are to be played."""
    games, of, test = data["games"], data["scheduled"], data["sprt"]
    if games >= of or (test and test["verdict"] != "undecided"):
        return f"{games} games"
    return f"{games} of {'at most ' if test else ''}{of} games so far"


def _sequential_test(plan: Plan, rows: Sequence[Data]) -> Data | None:
    """Of a tournament that is one: its hypotheses, how it stands, and that in words."""
    test = sequential_test(plan)
    if test is None or plan.sprt is None:
        return None
    for row in rows:
        test.add(row)
    (first, second), (low, high) = plan.entrants, plan.sprt
    found = test.found()
    words = {
        "elo1": f"{first} is stronger than {second} by {high:g} Elo rather than by {low:g}",
        "elo0": f"{first} is not stronger than {second} by {high:g} Elo, but by {low:g} or less",
        "undecided": f"Undecided whether {first} is stronger than {second} by {high:g} Elo or by {low:g}",
    }
    figures = (
        f"{found.pairs} pairs, mean score {found.mean:.3f}, log-likelihood ratio {found.llr:.2f}, "
        f"decided at {found.lower:.2f} or {found.upper:.2f}"
    )
    return {"elo0": low, "elo1": high, **asdict(found), "words": f"{words[found.verdict]} ({figures})."}


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
        f"{games_of(data)} of {', '.join(data['scenarios'])}, seed {data['seed']}. Ends: {_counts(ends_of(data))}.",
        "",
        *_table_of(data["entrants"]),
    ]
    for name, entrants in data["byScenario"].items():
        lines += ["", f"{name} alone:", "", *_table_of(entrants)]
    if data["sprt"]:
        lines += ["", data["sprt"]["words"]]
    return "\n".join(lines) + "\n"


def _table_of(entrants: Sequence[Data]) -> list[str]:
    return [
        f"| {' | '.join(COLUMNS.values())} |",
        f"|{' --- |' * len(COLUMNS)}",
        *(f"| {' | '.join(_in_a_cell(cell) for cell in cells(row))} |" for row in entrants),
    ]


def _in_a_cell(text: str) -> str:
    return text.replace("|", "\\|")


def as_html(data: Data, plan: Plan) -> str:
    """One self-contained page."""
    environment = Environment(autoescape=select_autoescape(default=True), undefined=StrictUndefined)
    template = environment.from_string((resources.files("livingtable.arena") / "report.html.jinja").read_text("utf-8"))
    records = RECORDS + COMPRESSED if plan.compressed else RECORDS
    told = {
        "data": data,
        "plan": plan,
        "records": records,
        "replays": REPLAYS,
        "columns": COLUMNS,
        "games": games_of(data),
    }
    words = {"ends": ends_of(data), "reasons": {in_words(name): count for name, count in data["reasons"].items()}}
    return template.render(**told, **words, cells=cells, counts=_counts, in_words=in_words, shade=_shade) + "\n"


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
