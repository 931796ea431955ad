"""The games that Inspect's logs hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import (
    EvalLogInfo,
    EvalSample,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)

from livingtable.game import Data
from livingtable_server.experiments.asking import tokens_of
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import Price
from livingtable_server.experiments.hall import DECISIONS, RECORD, ROW, SCORER
from livingtable_server.experiments.measures import Row
from livingtable_server.experiments.purse import cost_of

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


@dataclass(frozen=True, slots=True)
class Summary:
    """What a log says of a play at a glance: enough to go on with a run."""

    model: str
    id: str
    end: str
    cost: float


def summaries_in(folder: Path, prices: Mapping[str, Price | None]) -> Iterator[Summary]:
    """Every play, without its record. `prices` are by Inspect's names of the models, for plays that were not scored."""
    for log in _logs(folder):
        for found in read_eval_log_sample_summaries(log):
            score = (found.scores or {}).get(SCORER)
            interrupted = (found.error or "").startswith("Cancelled")
            end = "not played" if interrupted else "crash" if found.error or score is None else str(score.answer)
            usage = found.model_usage.items()
            costs = [cost_of(*tokens_of(used), prices.get(model)) or used.total_cost or 0.0 for model, used in usage]
            yield Summary(found.metadata["model"], str(found.id), end, sum(costs))


def _logs(folder: Path) -> Iterator[EvalLogInfo]:
    """The oldest first. Raises `ExperimentError` for one that is broken off."""
    for log in sorted(list_eval_logs(str(folder), descending=False), key=lambda info: info.name):
        try:
            read_eval_log(log, header_only=True)
        except Exception as error:
            reason = f"is no whole log ({error}); move it elsewhere, and go on without its games"
            raise ExperimentError(log.name.removeprefix("file://"), "", reason) from None
        yield log


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
    for log in _logs(folder):
        for sample in read_eval_log_samples(
            log, all_samples_required=False, exclude_fields={"messages", "events", "attachments"}
        ):
            if ROW in sample.store:
                yield _game(sample)


def _game(sample: EvalSample) -> Game:
    row: Row = {"cut": 0, **sample.store[ROW]}  # Of older logs, which do not count it.
    if sample.error is not None:
        known = row["why"] if row["end"] in UNDONE else ""
        row["end"] = row["end"] if row["end"] in UNDONE else "crash"
        row["why"] = known or _short(" ".join(sample.error.message.split()))
    return Game(row, sample.store.get(RECORD), sample.store.get(DECISIONS) or [])


def _short(message: str) -> str:
    """Which error, and the end of what it says: in between there may be all that was sent."""
    return message if len(message) <= 300 else f"{message[:40]} … {message[-250:]}"
