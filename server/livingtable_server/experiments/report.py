"""The report of a run: figures by model and variant, what differs and how sure that is, and every doubtful game."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from statistics import fmean
from typing import Any, cast

from livingtable.game import Data
from livingtable.records import state_at
from livingtable_server.experiments.cells import variants
from livingtable_server.experiments.comparisons import clusters_of, compared, contrasts, sure_between
from livingtable_server.experiments.files import Experiment
from livingtable_server.experiments.logs import Game
from livingtable_server.experiments.measures import MEASURES, Measure, Row
from livingtable_server.experiments.scores import ENDS
from livingtable_server.experiments.statistics import holm

RECORDS, BOARDS = "records", "boards"
SHOWN_AT_MOST = 100
"""Of refused answers, on the page; all stand in decisions.csv."""
_RATES = {
    "illegal": ("illegal", "answers"),
    "unparsable": ("unparsable", "answers"),
    "cut": ("cut", "answers"),
    "agreement": ("agreed", "compared"),
}
"""Measures of a group that are a share of all its answers, not a mean of its games' shares."""


def report_of(games: Sequence[Game], plan: Data | None) -> Data:
    """`plan` is the run's `experiment.json`, None for a folder of other logs of these tasks."""
    games = _in_order(games, plan)
    played = [game for game in games if game.row["end"] != "not played"]
    rows = [game.row for game in played]
    experiment: Data = plan["experiment"] if plan else {}
    main = MEASURES[experiment.get("measure", "score")]
    ended = [row for row in rows if row["end"] != "crash"]
    found = list(contrasts(ended))
    others = [m for m in MEASURES.values() if m is not main]
    return {
        "name": experiment.get("name", "Games"),
        "summary": experiment.get("summary", ""),
        "measure": main.name,
        "difference": experiment.get("difference"),
        "experiment": experiment,
        "prompts": plan["prompts"] if plan else {},
        "games": len(rows),
        "notPlayed": len(games) - len(played),
        "ends": _ends(rows),
        "groups": [_group(model, variant, own) for (model, variant), own in _grouped(rows).items()],
        "comparisons": compared(found, main, experiment.get("difference")),
        "others": _corrected_together([compared(found, measure, None) for measure in others]),
        "crashes": [_place(game) | {"why": game.row["why"]} for game in played if game.row["end"] == "crash"],
        "forfeits": [_place(game) | _last_attempt(game) for game in played if game.row["forfeits"]],
        "refused": _refused(played),
    }


def _in_order(games: Sequence[Game], plan: Data | None) -> Sequence[Game]:
    """Models and variants as the experiment's file has them, whoever was ready first."""
    if plan is None:
        return games
    experiment = Experiment.model_validate(plan["experiment"])
    models, labels = list(experiment.models), list(variants(experiment))
    known = [game for game in games if game.row["model"] in models and game.row["variant"] in labels]
    return sorted(
        known, key=lambda game: (models.index(game.row["model"]), labels.index(game.row["variant"]), game.key)
    )


def _corrected_together(by_measure: Sequence[list[Data]]) -> list[Data]:
    """The other measures are one family: what is found among them is a hint."""
    results = [result for several in by_measure for result in several]
    asked = [result for result in results if result["what"] != "null"]
    for result, corrected in zip(asked, holm([result["p"] for result in asked]), strict=True):
        result["pHolm"] = corrected
    return results


def _grouped(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["model"], row["variant"]), []).append(row)
    return groups


def _group(model: str, variant: str, rows: list[Row]) -> Data:
    """Of a model with a variant. Wins stand over the games that came to an end and over all (C75); crashed games count
    for nothing else."""
    ended = [row for row in rows if row["end"] != "crash"]
    wins = sum(row["end"] == "won" for row in ended)
    return {
        "model": model,
        "variant": variant,
        "games": len(rows),
        "crashed": len(rows) - len(ended),
        "ends": _ends(rows),
        "wins": wins,
        "winRate": wins / len(ended) if ended else None,
        "winRateOfAll": wins / len(rows),
        "measures": {name: _summary(measure, ended) for name, measure in MEASURES.items()},
        "seats": {
            seat: {"games": len(own), **{n: _mean(MEASURES[n], own) for n in ("score", "place", "win")}}
            for seat, own in _by_seat(ended).items()
        },
    }


def _by_seat(rows: Sequence[Row]) -> dict[str, list[Row]]:
    seats: dict[str, list[Row]] = {}
    for row in rows:
        seats.setdefault(row["seat"], []).append(row)
    return seats


def _mean(measure: Measure, rows: Sequence[Row]) -> float | None:
    values = [value for row in rows if (value := measure.of(row)) is not None]
    return fmean(values) if values else None


def _summary(measure: Measure, rows: Sequence[Row]) -> Data | None:
    """The mean over games with its interval; of rates the share of all answers, by linearization."""
    if measure.name in _RATES:
        part, whole = _RATES[measure.name]
        known = [row for row in rows if row[whole]]
        total = sum(row[whole] for row in known)
        if not total:
            return None
        rate = sum(row[part] for row in known) / total
        scale = len(known) / total
        values = [rate + (row[part] - rate * row[whole]) * scale for row in known]
    else:
        known = [row for row in rows if measure.of(row) is not None]
        values = [value for row in known if (value := measure.of(row)) is not None]
    if not known:
        return None
    data = clusters_of(known, values)
    low, high = sure_between(data)
    if measure.rate and low is not None and high is not None:
        low, high = max(0.0, low), min(1.0, high)
    return {"mean": float(data.mean), "low": low, "high": high, "games": len(known)}


def _ends(rows: Iterable[Row]) -> dict[str, int]:
    """In a fixed order, forfeits by their kind."""
    counts = Counter(_end(row) for row in rows)
    order = {end: i for i, end in enumerate(ENDS)}
    return dict(sorted(counts.items(), key=lambda item: (order[item[0].partition(":")[0]], item[0])))  # pyright: ignore[reportArgumentType]


def _end(row: Row) -> str:
    return f"{row['end']}: {row['why']}" if row["end"] in ("forfeit", "forfeit of another") else row["end"]


def _place(game: Game) -> Data:
    keys = ("model", "variant", "scenario", "seed", "seat")
    return {**{key: game.row[key] for key in keys}, "record": record_name(game)}


def _last_attempt(game: Game) -> Data:
    """What the seat said last, and in which position."""
    own = [d for d in game.decisions if d["side"] == game.row["seat"]]
    last: Data = own[-1] if own else {"version": 0, "attempts": []}
    said: Data = last["attempts"][-1] if last["attempts"] else {"said": "", "reason": ""}
    return {"why": game.row["why"], "version": last["version"], "said": said["said"], "reason": said["reason"]}


def _refused(games: Sequence[Game]) -> list[Data]:
    return [
        {**_place(game), "version": decision["version"], **{k: attempt[k] for k in ("kind", "said", "reason")}}
        for game in games
        for decision in game.decisions
        for attempt in decision["attempts"]
        if attempt["kind"] != "accepted" and decision["side"] == game.row["seat"]
    ]


def record_name(game: Game) -> str:
    """The file of a game's record, within the run's folder; "" where there is none."""
    if game.record is None:
        return ""
    name = "-".join(game.key)
    return f"{RECORDS}/{re.sub(r'[^A-Za-z0-9._=-]+', '_', name)}.json"


def board_name(row: Data) -> str:
    """The file with the position of a refused answer, within the run's folder; "" where there is no record."""
    return f"{BOARDS}/{Path(row['record']).stem}-{row['version']}.svg" if row["record"] else ""


def _draw_boards(folder: Path, data: Data, games: Sequence[Game]) -> None:
    """The positions that the page links to, as the seat saw them."""
    records = {record_name(game): game.record for game in games if game.record is not None}
    (folder / BOARDS).mkdir(parents=True, exist_ok=True)
    for row in [*data["forfeits"][:SHOWN_AT_MOST], *data["refused"][:SHOWN_AT_MOST]]:
        if row["record"]:
            state = state_at(records[row["record"]], row["version"])
            (folder / board_name(row)).write_text(state.svg(row["seat"]), "utf-8", newline="\n")


def write_report(folder: Path, data: Data, games: Sequence[Game]) -> list[Path]:
    """`report.html`, `report.json`, `games.csv`, `comparisons.csv`, `decisions.csv`, the records, and pictures of the
    positions of refused answers. `data` is what `report_of` says of the games."""
    _draw_boards(folder, data, games)
    texts = {
        "report.html": as_html(data),
        "report.json": json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        "games.csv": as_csv([_flat(game) for game in games]),
        "comparisons.csv": as_csv([*data["comparisons"], *data["others"]]),
        "decisions.csv": as_csv(list(_decisions(games))),
    }
    (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    for game in games:
        if game.record is not None:
            record = json.dumps(game.record, ensure_ascii=False, separators=(",", ":")) + "\n"
            (folder / record_name(game)).write_text(record, "utf-8", newline="\n")
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="\n")
    return [folder / name for name in texts]


def _flat(game: Game) -> Data:
    row = {key: value for key, value in game.row.items() if key != "factors"}
    return {**row, **game.row["factors"], "record": record_name(game)}


def _decisions(games: Sequence[Game]) -> Iterable[Data]:
    for game in games:
        for decision in game.decisions:
            head = {
                **_place(game),
                "side": decision["side"],
                "version": decision["version"],
                "round": decision["round"],
            }
            chosen = {"how": decision["how"], "notation": decision["notation"], "advised": decision["advised"]}
            for number, attempt in enumerate(decision["attempts"], 1):
                yield {**head, "attempt": number, **attempt, **chosen}


def as_csv(rows: Sequence[Data]) -> str:
    out = io.StringIO()
    columns = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _harmless(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _harmless(value: Any) -> Any:
    """A model's text must not become a formula of whoever's spreadsheet."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def as_html(data: Data) -> str:
    """One self-contained page."""
    from jinja2 import Environment, StrictUndefined

    from livingtable_server.experiments.drawing import figure, interval_bar, number, percent, verdict

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    filters = cast(dict[str, Any], environment.filters)
    filters |= {"number": number, "percent": percent, "figure": figure}
    source = (resources.files("livingtable_server.experiments") / "report.html.jinja").read_text("utf-8")
    return environment.from_string(source).render(
        data=data, measures=MEASURES, bar=interval_bar, verdict=verdict, board=board_name, shown_at_most=SHOWN_AT_MOST
    )
