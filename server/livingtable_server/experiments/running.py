"""Runs of an experiment in a folder of their own: begun, interrupted, gone on with.

The folder holds `experiment.json`, what was asked, with the prompts as the models read them; and `logs`, Inspect's
logs, in which every game that came to an end is kept at once. What is still to play is what the logs do not have.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from inspect_ai import Task
from inspect_ai import eval as inspect_eval  # pyright: ignore[reportUnknownVariableType]
from inspect_ai.model import GenerateConfig, Model, get_model
from pydantic import ValidationError

from livingtable.game import Data, unknown_name
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import Fixture, fixtures, variants
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import Experiment, ModelEntry
from livingtable_server.experiments.hall import Hall, game_scorer, player, sample_of
from livingtable_server.experiments.logs import UNDONE, Game, games_in, summaries_in
from livingtable_server.experiments.observation import need_pictures
from livingtable_server.experiments.prompts import PromptLibrary
from livingtable_server.experiments.purse import Purse
from livingtable_server.experiments.watch import Watch

FORMAT = "living-table-experiment/1"
LOGS = "logs"
PLAN = "experiment.json"
RETRIES_AT_MOST = 8
"""Of a call that failed, with longer and longer waits; then the game has crashed."""
_MAY_CHANGE = ("summary", "seeds", "measure", "difference")
"""Keys of a file with other values of which a run can be gone on with."""
_MAY_CHANGE_OF_MODELS = ("price", "expected_output", "base_url")

Display = Literal["full", "conversation", "rich", "plain", "log", "none"]


@dataclass(frozen=True)
class Setting:
    """An experiment, and what it is played with."""

    experiment: Experiment
    library: ScenarioLibrary
    prompts: PromptLibrary
    folders: Sequence[Path] = ()

    def check(self) -> dict[str, Model]:
        """The models, and all else that a game would crash of. Raises `ExperimentError` for the first thing that is not
        there: a prompt, a library, a key."""
        self.check_without_keys()
        return {name: model_of(name, entry) for name, entry in self.experiment.models.items()}

    def check_without_keys(self) -> None:
        """The same, but for what a model itself needs on this machine: a key, a library."""
        _ = self.plan
        if any(variant.board == "picture" and variant.way == "chat" for variant in variants(self.experiment).values()):
            need_pictures()
        for name, entry in self.experiment.models.items():
            with suppress(_NeedsError):
                _made(name, entry)

    @cached_property
    def plan(self) -> Data:
        """What `experiment.json` says. Raises `ExperimentError` where a prompt is wrong."""
        experiment = self.experiment
        texts: dict[str, str] = {}
        for label, variant in variants(experiment).items():
            for scenario in experiment.scenarios:
                state = self.library.get(scenario).start(experiment.seeds[0])
                for seat in experiment.seats:
                    self.prompts.check(state, variant.prompt, variant.way, seat)
                    texts[f"{label} / {scenario} / {seat}"] = self.prompts.system_text(state, variant, seat)
        return {"format": FORMAT, "experiment": experiment.model_dump(mode="json"), "prompts": texts}


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` are models and games; `spent` is the cost of all plays, also of those that count no more."""

    games: int
    done: frozenset[tuple[str, str]]
    crashed: int
    spent: float


class Run:
    """A folder of an experiment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def logs(self) -> Path:
        return self.folder / LOGS

    def plan(self) -> Data | None:
        """None where nothing was begun. Raises `ExperimentError`."""
        file = self.folder / PLAN
        if not file.is_file():
            return None
        try:
            plan: Data = json.loads(file.read_text("utf-8"))
            if plan["format"] != FORMAT:
                raise ExperimentError(str(file), "format", f'must be "{FORMAT}"')
        except (OSError, ValueError, KeyError, TypeError):
            raise ExperimentError(str(file), "", "cannot be read; name another folder") from None
        return plan

    def begin(self, setting: Setting) -> None:
        """Makes the folder, or finds it to be of the same experiment, if anything was played in it. Raises
        `ExperimentError`."""
        plan, before = setting.plan, self.plan()
        if before is not None:
            played = any(self.logs.glob("*.eval"))
            for key, was, now in _changes(before, plan) if played else ():
                raise ExperimentError(
                    "", key, f"{self.folder} was begun with {was}, and this says {now}; name another folder"
                )
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise ExperimentError(str(self.folder), "", "holds something else; name a new folder")
        self.logs.mkdir(parents=True, exist_ok=True)
        text = json.dumps(plan, indent=2, ensure_ascii=False) + "\n"
        (self.folder / PLAN).write_text(text, "utf-8", newline="\n")

    def games(self) -> list[Game]:
        return games_in(self.logs) if self.logs.is_dir() else []

    def progress(self, experiment: Experiment) -> Progress:
        prices = {entry.model: entry.price for entry in experiment.models.values()}
        plays = list(summaries_in(self.logs, prices))
        done = frozenset((play.model, play.id) for play in plays if play.end not in UNDONE)
        crashed = {(play.model, play.id) for play in plays if play.end == "crash"} - done
        asked = sum(1 for _ in fixtures(experiment)) * len(experiment.models)
        return Progress(asked, done, len(crashed), sum(play.cost for play in plays))

    def play(
        self,
        setting: Setting,
        models: dict[str, Model],
        watch: Watch,
        before: Progress,
        max_cost: float | None,
        connections: int | None,
        display: Display,
    ) -> None:
        """Plays what is still to play, after what was played before. Raises `KeyboardInterrupt` where it was
        interrupted; what came to an end before that is kept."""
        experiment = setting.experiment
        purse = Purse(max_cost, before.spent)
        for name, model in models.items():
            watch.listen(name, model)
        tasks = [
            _task(setting, name, models, purse, watch, left)
            for name in experiment.models
            if (left := [f for f in fixtures(experiment) if (name, f.id) not in before.done])
        ]
        if not tasks or purse.empty:
            return
        logs = inspect_eval(
            tasks,
            max_tasks=len(tasks),
            max_samples=connections,
            max_connections=connections,
            log_dir=str(self.logs),
            log_format="eval",
            log_buffer=1,  # What was paid for is kept at once.
            log_model_api=False,
            fail_on_error=False,
            display=display,
            score_display=False,
            acp_server=False,
            ctl_server=False,
        )
        if not logs or any(log.status == "cancelled" for log in logs):
            raise KeyboardInterrupt


def _task(
    setting: Setting, name: str, models: dict[str, Model], purse: Purse, watch: Watch, games: Sequence[Fixture]
) -> Task:
    experiment = setting.experiment
    entry = experiment.models[name]
    hall = Hall(
        scenarios=setting.library,
        prompts=setting.prompts,
        opponent=experiment.opponent,
        retries=experiment.retries,
        on_failure=experiment.on_failure,
        max_decisions=experiment.max_decisions,
        seconds_a_game=experiment.seconds_a_game,
        agree_with=experiment.agree_with,
        model=name,
        price=entry.price,
        prices={seat: experiment.models[other].price for seat, other in experiment.against.items()},
        purse=purse,
        watch=watch,
        folders=setting.folders,
    )
    return Task(
        name="-".join(f"{experiment.name} {name}".split()),
        dataset=[sample_of(fixture, name) for fixture in games],
        solver=player(hall),
        scorer=game_scorer(),
        model=models[name],
        model_roles={seat: models[other] for seat, other in experiment.against.items()},
        metadata={"experiment": experiment.name, "model": name},
    )


def model_of(name: str, entry: ModelEntry) -> Model:
    """Raises `ExperimentError` where Inspect cannot have it: no key, no such provider, a library that is missing."""
    try:
        return _made(name, entry)
    except _NeedsError as error:
        raise ExperimentError("", f"models.{name}", str(error)) from None


class _NeedsError(Exception):
    """A model's key or library is not here."""


def _made(name: str, entry: ModelEntry) -> Model:
    config = _config(name, entry)
    given: dict[str, Any] = {"api_key": "local"} if _needs_no_key(entry) else {}
    try:
        return get_model(entry.model, config=config, base_url=entry.base_url, memoize=False, **given, **entry.args)
    except Exception as error:
        said = " ".join(_plain(str(error)).split())
        if type(error).__name__ == "PrerequisiteError":  # Inspect gives no name to import it by.
            raise _NeedsError(said) from None
        raise ExperimentError("", f"models.{name}", said) from None


def _config(name: str, entry: ModelEntry) -> GenerateConfig:
    known = sorted(GenerateConfig.model_fields)
    for key in entry.config:
        if key not in known:
            raise ExperimentError("", f"models.{name}.config", unknown_name("setting of models", key, known))
    own = {"temperature": entry.temperature, "max_tokens": entry.max_tokens, "max_retries": RETRIES_AT_MOST}
    try:
        return GenerateConfig.model_validate({**own, **entry.config})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in (f"models.{name}.config", *first["loc"][:1]))
        raise ExperimentError("", place, first["msg"]) from None


def _needs_no_key(entry: ModelEntry) -> bool:
    """A server on this machine is asked without one, unless there is one in the environment."""
    if entry.base_url is None:
        return False
    host = urlsplit(entry.base_url).hostname or ""
    try:
        local = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        local = False
    provider, _, rest = entry.model.partition("/")
    service = rest.partition("/")[0] if provider == "openai-api" else provider
    return local and f"{service.upper().replace('-', '_')}_API_KEY" not in os.environ


def _plain(text: str) -> str:
    """Without Rich's marks."""
    from rich.errors import MarkupError
    from rich.text import Text

    try:
        return Text.from_markup(text).plain
    except MarkupError:
        return text


def _changes(before: Data, now: Data) -> list[tuple[str, str, str]]:
    """Where a run that is gone on with was asked something else: the key, and what was said then and now."""
    was, asked = _fixed(before["experiment"]), _fixed(now["experiment"])
    found = [(key, _short(was.get(key)), _short(asked[key])) for key in asked if was.get(key) != asked[key]]
    for name, text in now["prompts"].items():
        if name in before["prompts"] and before["prompts"][name] != text:
            found.append(_changed_prompt(name, before["prompts"][name], text))
    return found


def _changed_prompt(name: str, was: str, now: str) -> tuple[str, str, str]:
    """Of a text by its name in the plan: which one, and how to tell one from the other."""
    variant, *where = name.split(" / ")
    return f"prompt {variant} ({', '.join(where)})", f"its text {digest(was)}", digest(now)


def digest(text: str) -> str:
    """Enough of a text's SHA-256 to tell it from others."""
    return f"(SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:12]})"


def _fixed(experiment: Data) -> Data:
    models = {
        name: {key: value for key, value in entry.items() if key not in _MAY_CHANGE_OF_MODELS}
        for name, entry in experiment["models"].items()
    }
    return {key: value for key, value in {**experiment, "models": models}.items() if key not in _MAY_CHANGE}


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:120]}…"
