"""Experiments of the tests, and what their reports say."""

from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from livingtable.game import Data


@contextmanager
def inspects_warnings_left_to_itself() -> Generator[None]:
    """Inspect uses what is deprecated, and leaves streams open at the end of a run, which end with the process: neither
    is our fault, nor another test's in the same process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.filterwarnings("ignore", "The 'initial' parameter is deprecated", DeprecationWarning)
        yield
        gc.collect()


ENTRY: Data = {"model": "openai-api/local/0-0", "price": {"input": 1.0, "output": 2.0}}


def experiment(url: str, **changed: Any) -> Data:
    """Short games of botwars with the model `legal`, which answers at random among the legal actions."""
    return {
        "name": "short",
        "game": "botwars",
        "scenarios": ["first_alliance"],
        "seeds": [1, 2],
        "seats": ["p1"],
        "max_decisions": 4,
        "models": {"legal": {**ENTRY, "base_url": url}},
        **changed,
    }


def model(url: str, name: str) -> Data:
    """A model of the scripted server."""
    return {**ENTRY, "model": f"openai-api/local/{name}", "base_url": url}


def as_toml(data: Data) -> str:
    """Tables after what stands beside them; JSON writes TOML's texts, numbers, lists of them and truth values."""
    plain = {key: value for key, value in data.items() if not isinstance(value, dict)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    return "\n".join([*lines, *_tables(data, ())]) + "\n"


def _tables(data: Data, above: tuple[str, ...]) -> list[str]:
    lines: list[str] = []
    for key, value in data.items():
        if isinstance(value, dict):
            table: Data = value  # pyright: ignore[reportUnknownVariableType]
            path = (*above, json.dumps(key))
            plain = {k: v for k, v in table.items() if not isinstance(v, dict)}
            lines += [f"[{'.'.join(path)}]", *(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in plain.items())]
            lines += _tables(table, path)
    return lines


def read_report(folder: Path) -> Data:
    return json.loads((folder / "report.json").read_text("utf-8"))


def group(report: Data, model: str, variant: str) -> Data:
    return next(g for g in report["groups"] if (g["model"], g["variant"]) == (model, variant))


def comparison(report: Data, what: str, measure: str | None = None) -> Data:
    rows = report["comparisons"] if measure is None else report["others"]
    return next(r for r in rows if r["what"] == what and measure in (None, r["measure"]))
