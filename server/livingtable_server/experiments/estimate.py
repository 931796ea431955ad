"""What an experiment will take, before any model is asked.

A bot plays in the models' seats, and what a model would be shown at each of its decisions is written out and counted:
four signs are taken for a token. Retries are not in it; they come on top.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean

from livingtable.agents import choose
from livingtable.game import Data
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import Fixture, Variant, fixtures, variants
from livingtable_server.experiments.files import Experiment
from livingtable_server.experiments.observation import observe
from livingtable_server.experiments.prompts import PromptLibrary
from livingtable_server.experiments.purse import cost_of
from livingtable_server.experiments.table import Table

SIGNS_A_TOKEN = 4
PICTURE_TOKENS = 800
TOOL_TOKENS = 900
"""The descriptions of the tools, with every question."""
SEEDS = 2
"""Of a scenario and seat that are played for the estimate."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one model. `cost` in dollars, None without a price."""

    model: str
    games: int
    decisions: float
    tokens_in: float
    tokens_out: float
    cost: float | None


def estimates(experiment: Experiment, library: ScenarioLibrary, prompts: PromptLibrary) -> list[Estimate]:
    seen = {
        (label, scenario, seat): [
            _played(experiment, library, prompts, Fixture(variant, label, scenario, seed, seat))
            for seed in experiment.seeds[:SEEDS]
        ]
        for label, variant in variants(experiment).items()
        for scenario in experiment.scenarios
        for seat in experiment.seats
    }
    of_each = [seen[f.label, f.scenario, f.seat] for f in fixtures(experiment)]
    return [_estimate(experiment, name, of_each) for name in experiment.models]


def _estimate(experiment: Experiment, name: str, games: list[list[tuple[list[float], Data]]]) -> Estimate:
    """`games`: of each game the trials for it, each the tokens shown at every decision."""
    entry = experiment.models[name]
    written = entry.expected_output
    decisions = sum(fmean(len(shown) for shown, _ in trials) for trials in games)
    read = sum(fmean(_read(shown, terms, written) for shown, terms in trials) for trials in games)
    cost = cost_of(round(read), round(decisions * written), entry.price)
    return Estimate(name, len(games), decisions, read, decisions * written, cost)


def _read(shown: list[float], terms: Data, written: int) -> float:
    """The tokens that a model reads in a game: each time its prompt, what of the talk is kept, and the position."""
    kept = len(shown) if terms["all"] else terms["history"]
    total = 0.0
    for i, now in enumerate(shown):
        earlier = shown[max(0, i - kept) : i]
        total += terms["prompt"] + now + sum(earlier) + len(earlier) * written
    return total


def _played(
    experiment: Experiment, library: ScenarioLibrary, prompts: PromptLibrary, fixture: Fixture
) -> tuple[list[float], Data]:
    scenario = library.get(fixture.scenario)
    table = Table(scenario, fixture.seed, [fixture.seat], experiment.opponent)
    variant = fixture.variant
    prompt = prompts.system_text(scenario.start(fixture.seed), variant, fixture.seat)
    tools = TOOL_TOKENS if variant.way == "tools" else 0
    terms = {"prompt": len(prompt) / SIGNS_A_TOKEN + tools, "history": variant.history, "all": bool(tools)}
    return list(_shown(table, variant, experiment.max_decisions)), terms


def _shown(table: Table, variant: Variant, max_decisions: int) -> Iterator[float]:
    """The tokens of what is shown at each decision."""
    while not table.over:
        side = table.to_decide()
        if side is None:
            table.play_bot()
            continue
        if len(table.decisions) >= max_decisions:
            return
        decision = table.begin_decision(side)
        state, version = table.state, table.recording.version
        picture = variant.board == "picture"
        drawn = replace(variant, board="text") if picture else variant  # Nothing is painted to be counted.
        text = observe(state, side, version, drawn, table.news(side)).text
        yield len(text) / SIGNS_A_TOKEN + (PICTURE_TOKENS if picture else 0)
        table.play(decision, choose("greedy", state, side, table.recording.seed, version), "model")
