"""A task of Inspect for each game, so that `inspect eval living_table/GAME` plays it."""

from __future__ import annotations

from collections.abc import Callable

from click import UsageError
from inspect_ai import Task, task

from livingtable.game import game_names
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.single import single_task


def _task_of(game: str) -> Callable[..., Task]:
    @task(name=game)
    def table(
        scenario: str = "",
        side: str = "",
        prompt: str = "plain",
        seeds: str | int = "1-5",
        opponent: str = "greedy",
        legal: bool = True,
        board: str = "text",
        history: int = 0,
        rules: bool = False,
        detail: str = "brief",
        way: str = "chat",
        retries: int = 2,
        on_failure: str = "forfeit",
        max_decisions: int = 200,
        agree_with: str = "",
        prompts: str = "",
        scenarios: str = "",
    ) -> Task:
        given = {name: value for name, value in locals().items() if name != "game"}
        try:
            return single_task(game, given)
        except ExperimentError as error:  # As Inspect's command line tells what was not used rightly.
            raise UsageError(str(error)) from None

    return table


TASKS = {game: _task_of(game) for game in game_names()}
