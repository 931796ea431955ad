"""The games that Inspect's logs hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log_samples

from livingtable.game import Data
from livingtable_server.experiments.hall import DECISIONS, RECORD, ROW
from livingtable_server.experiments.measures import Row

UNDONE = ("crash", "not played")
"""Ends of games that are played anew when a run is gone on with."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a log: its figures, its record (None of one that came to no end), its decisions."""

    row: Row
    record: Data | None
    decisions: list[Data]

    @property
    def key(self) -> tuple[str, ...]:
        row = self.row
        return (row["model"], row["variant"], row["scenario"], str(row["seed"]), row["seat"])


def games_in(folder: Path) -> list[Game]:
    """Each game once: of several plays of it the one that came to an end, else the latest."""
    found: dict[tuple[str, ...], Game] = {}
    for game in plays_in(folder):
        before = found.get(game.key)
        if before is None or before.row["end"] in UNDONE:
            found[game.key] = game
    return list(found.values())


def plays_in(folder: Path) -> Iterator[Game]:
    """Every play, the oldest log first. A log that was not finished counts as far as it goes."""
    for log in sorted(list_eval_logs(str(folder), descending=False), key=lambda info: info.name):
        for sample in read_eval_log_samples(
            log, all_samples_required=False, exclude_fields={"messages", "events", "attachments"}
        ):
            if ROW in sample.store:
                yield _game(sample)


def _game(sample: EvalSample) -> Game:
    row: Row = dict(sample.store[ROW])
    if sample.error is not None:
        row["end"] = row["end"] if row["end"] in UNDONE else "crash"
        row["why"] = " ".join(sample.error.message.split())[:300]
    return Game(row, sample.store.get(RECORD), sample.store.get(DECISIONS) or [])
