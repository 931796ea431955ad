"""One cell as a task of Inspect's own command line: its parameters are checked as an experiment file's are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from inspect_ai import Task

from livingtable.errors import UnknownNameError
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import FACTORS, fixtures
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import Experiment, check_experiment
from livingtable_server.experiments.hall import Hall, game_scorer, player, sample_of
from livingtable_server.experiments.prompts import PromptLibrary
from livingtable_server.sessions.seats import UnknownSeatError, named_side


def single_task(game: str, given: dict[str, Any]) -> Task:
    """From the parameters of a task (`-T prompt=cautious -T side=…`). Raises `ExperimentError` for what cannot be."""
    folders = [Path(part) for part in str(given["scenarios"]).split(os.pathsep) if part]
    library = ScenarioLibrary(folders)
    name = given["scenario"] or library.all(game)[0].name
    experiment = check_experiment(
        {
            "name": game,
            "game": game,
            "scenarios": [name],
            "seats": [_seat(library, name, given["side"])],
            "seeds": seeds_of(str(given["seeds"])),
            "factors": {factor: given[factor] for factor in FACTORS},
            "models": {"model": {"model": "inspect/model"}},
            **{key: given[key] for key in ("opponent", "retries", "on_failure", "max_decisions", "agree_with")},
        },
        f"living_table/{game}",
        library,
    )
    prompts = PromptLibrary(library, Path(given["prompts"]) if given["prompts"] else None)
    return task_of(experiment, library, prompts, folders)


def _seat(library: ScenarioLibrary, scenario: str, side: str) -> str:
    """The seat, also by the name of its group; the first, if none is named."""
    try:
        state = library.get(scenario).start(0)
        return named_side(state, side) if side else state.sides[0]
    except UnknownNameError as error:
        raise ExperimentError("", "scenario", str(error)) from None
    except UnknownSeatError as error:
        raise ExperimentError("", "side", str(error)) from None


def seeds_of(text: str) -> list[int]:
    """`7`, `1-5` or `1,2,9`."""
    seeds: list[int] = []
    for part in text.split(","):
        begin, dash, end = part.strip().partition("-")
        if not begin.isdigit() or (dash and not end.isdigit()):
            raise ExperimentError("", "seeds", f'must be such as 7, 1-5 or 1,2,9, not "{text[:40]}"')
        seeds += range(int(begin), int(end if dash else begin) + 1)
    return seeds


def task_of(experiment: Experiment, library: ScenarioLibrary, prompts: PromptLibrary, folders: list[Path]) -> Task:
    """The games of an experiment with one cell."""
    state = library.get(experiment.scenarios[0]).start(experiment.seeds[0])
    for name in experiment.factors.prompt:
        prompts.check(state, name, experiment.factors.way[0], experiment.seats[0])
    hall = Hall(
        scenarios=library,
        prompts=prompts,
        opponent=experiment.opponent,
        retries=experiment.retries,
        on_failure=experiment.on_failure,
        max_decisions=experiment.max_decisions,
        agree_with=experiment.agree_with,
        folders=folders,
    )
    return Task(
        dataset=[sample_of(fixture) for fixture in fixtures(experiment)],
        solver=player(hall),
        scorer=game_scorer(),
        fail_on_error=False,
    )
