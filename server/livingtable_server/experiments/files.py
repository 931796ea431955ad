"""Experiment files: TOML to checked models.

A file says what is varied (`factors`), who plays (`models`), where (`scenarios`, `seeds`, `seats`) and what counts.
Every combination of factors and models plays the same scenarios, seeds and seats, so that they can be compared game by
game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from livingtable.agents import check_agent
from livingtable.errors import UnknownNameError
from livingtable.game import MAX_SEED, game_names, printable, unknown_name
from livingtable.reading import UnreadableError, read_text
from livingtable.scenarios import Name, Scenario, ScenarioLibrary
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.measures import MEASURES

FILE_BYTES_AT_MOST = 1024 * 1024
SEEDS_AT_MOST = 100_000

Board = Literal["text", "json", "picture"]
Detail = Literal["brief", "full"]
Way = Literal["chat", "tools"]
OnFailure = Literal["forfeit", "random", "skip"]


def _as_list(value: object) -> object:
    """One level may stand without brackets."""
    return cast(object, value) if isinstance(value, list) else [value]


def _as_seeds(value: object) -> object:
    """`{from = 1, count = 20}` as the list of them."""
    if not isinstance(value, dict):
        return value
    given = cast(dict[str, object], value)
    begin, count = given.get("from"), given.get("count")
    if set(given) != {"from", "count"} or type(begin) is not int or type(count) is not int or count < 1:
        raise ValueError('must be a list, or "from" and "count", two whole numbers')
    if count > SEEDS_AT_MOST:
        raise ValueError(f"must be at most {SEEDS_AT_MOST} seeds")
    return list(range(begin, begin + count))


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Factors(_Checked):
    """What the model is told and shown: of each factor the levels that are tried."""

    prompt: Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1)] = ["plain"]
    """Variants of the prompt, as they are called in `prompts/GAME/variants`."""
    legal: Annotated[list[bool], BeforeValidator(_as_list), Field(min_length=1)] = [True]
    """Whether the legal actions are listed."""
    board: Annotated[list[Board], BeforeValidator(_as_list), Field(min_length=1)] = ["text"]
    history: Annotated[list[Annotated[int, Field(ge=0, le=1000)]], BeforeValidator(_as_list), Field(min_length=1)] = [0]
    """How many earlier decisions, question and answer, stay in sight."""
    rules: Annotated[list[bool], BeforeValidator(_as_list), Field(min_length=1)] = [False]
    """Whether the rules of the game stand in the prompt."""
    detail: Annotated[list[Detail], BeforeValidator(_as_list), Field(min_length=1)] = ["brief"]
    way: Annotated[list[Way], BeforeValidator(_as_list), Field(min_length=1)] = ["chat"]
    """A chat in which the answer is a notation; or the tools of the server over MCP."""


class Price(_Checked):
    """Dollars for a million tokens."""

    input: Annotated[float, Field(ge=0, strict=False)]
    output: Annotated[float, Field(ge=0, strict=False)]


class ModelEntry(_Checked):
    """A model as Inspect names it (`openai/…`, `anthropic/…`, `openai-api/SERVICE/…`)."""

    model: Annotated[str, Field(min_length=3, pattern=r"^[^/\s]+/\S+$")]
    base_url: str | None = None
    temperature: Annotated[float, Field(ge=0, le=2, strict=False)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    price: Price | None = None
    expected_output: Annotated[int, Field(ge=1)] = 150
    """Tokens of an answer, for the estimate of `--dry-run`."""
    config: dict[str, Any] = {}
    """What else is asked of the model, as Inspect calls it: `reasoning_effort`, `seed`, `cache`, …"""
    args: dict[str, Any] = {}
    """What else Inspect's provider takes."""


class Experiment(_Checked):
    """A checked experiment file."""

    name: Name
    summary: Annotated[str, Field(max_length=1000)] = ""
    game: str
    scenarios: Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1)]
    seeds: Annotated[
        list[Annotated[int, Field(ge=0, le=MAX_SEED)]],
        BeforeValidator(_as_seeds),
        Field(min_length=1, max_length=SEEDS_AT_MOST),
    ]
    seats: Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1)]
    """Those in which each model plays each seed, one seat a game."""
    opponent: str = "greedy"
    """The bot in the other seats."""
    factors: Factors = Factors()
    models: Annotated[dict[str, ModelEntry], Field(min_length=1)]
    against: dict[str, str] = {}
    """Seats that a model has instead of the bot, with the model's name among `models`."""
    null: bool = False
    """Whether the first variant also plays under another name, as a check of the method."""
    retries: Annotated[int, Field(ge=0, le=20)] = 2
    """After an answer that was illegal or no action, for one decision."""
    on_failure: OnFailure = "forfeit"
    max_decisions: Annotated[int, Field(ge=1, le=5000)] = 200
    """Of the model, after which a game is cut off."""
    seconds_a_game: Annotated[int, Field(ge=1)] | None = None
    agree_with: str = ""
    """An agent's name, such as `search:50`: how often the model chooses as it would."""
    measure: str = "score"
    """On which the experiment decides."""
    difference: Annotated[float, Field(gt=0, strict=False)] | None = None
    """In that measure, worth seeing: for how many games that takes."""


def load_experiment(file: Path, library: ScenarioLibrary) -> Experiment:
    """One file, checked against the scenarios that there are. Raises `ExperimentError`."""
    source = str(file)
    try:
        data = tomllib.loads(read_text(file, FILE_BYTES_AT_MOST))
    except UnreadableError as error:
        raise ExperimentError(source, "", str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(source, "", f"is no TOML: {error}") from None
    except (RecursionError, ValueError):
        raise ExperimentError(source, "", "is nested too deep, or holds a number that is too long") from None
    return check_experiment(data, source, library)


def check_experiment(data: Mapping[str, Any], source: str, library: ScenarioLibrary) -> Experiment:
    """Raises `ExperimentError` that names the place and what would be right."""
    try:
        experiment = Experiment.model_validate(dict(data))
    except ValidationError as error:
        first = min(error.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
        raise ExperimentError(source, _place(first["loc"]), _in_words(first)) from None
    for key, reason in _misfits(experiment, library):
        raise ExperimentError(source, key, reason)
    return experiment


def _misfits(experiment: Experiment, library: ScenarioLibrary) -> Iterable[tuple[str, str]]:
    """What fits each by itself, and not together."""
    if experiment.game not in game_names():
        yield "game", unknown_name("game", experiment.game, game_names())
    yield from _doubles(experiment)
    for i, name in enumerate(experiment.scenarios):
        try:
            scenario = library.get(name)
        except UnknownNameError as error:
            yield f"scenarios[{i}]", str(error)
            continue
        if scenario.game != experiment.game:
            yield f"scenarios[{i}]", f'"{name}" is one of {scenario.game}, not of {experiment.game}'
        yield from _seat_misfits(experiment, scenario)
    yield from _name_misfits(experiment)
    factors = experiment.factors
    if "tools" in factors.way:
        if experiment.against:
            yield "against", 'models play each other in a chat; take "tools" out of factors.way'
        for factor, only in (("legal", True), ("board", "text"), ("detail", "brief"), ("history", 0)):
            if getattr(factors, factor) != [only]:
                shown = str(only).lower()
                yield f"factors.{factor}", f'the tools show what they show: with way = "tools" it must be {shown}'


def _doubles(experiment: Experiment) -> Iterable[tuple[str, str]]:
    lists: dict[str, list[Any]] = {
        "scenarios": experiment.scenarios,
        "seeds": experiment.seeds,
        "seats": experiment.seats,
        **{f"factors.{name}": levels for name, levels in experiment.factors},
    }
    for key, values in lists.items():
        if len(set(values)) < len(values):
            again = next(v for i, v in enumerate(values) if v in values[:i])
            yield key, f"{again} stands twice; each once"


def _seat_misfits(experiment: Experiment, scenario: Scenario) -> Iterable[tuple[str, str]]:
    state = scenario.start(experiment.seeds[0])
    known = ", ".join(state.sides)
    for i, seat in enumerate(experiment.seats):
        if seat not in state.sides:
            yield f"seats[{i}]", f'{scenario.name} has no seat "{printable(seat)}"; its seats are {known}'
    for seat in experiment.against:
        if seat not in state.sides:
            yield f"against.{printable(seat)}", f"{scenario.name} has no such seat; its seats are {known}"


def _name_misfits(experiment: Experiment) -> Iterable[tuple[str, str]]:
    for key, name in (("opponent", experiment.opponent), ("agree_with", experiment.agree_with)):
        try:
            if name or key == "opponent":
                check_agent(name, experiment.game)
        except UnknownNameError as error:
            yield key, str(error)
    for name, model in experiment.models.items():
        if "api_key" in model.args:
            yield f"models.{name}.args.api_key", "stands in the environment; here it would get into the report"
    for seat, name in experiment.against.items():
        if name not in experiment.models:
            yield f"against.{seat}", f'no model "{printable(name)}"; known: {", ".join(experiment.models)}'
    if experiment.measure not in MEASURES:
        yield "measure", f'no measure "{printable(experiment.measure)}"; known: {", ".join(MEASURES)}'
    if experiment.measure == "agreement" and not experiment.agree_with:
        yield "agree_with", "must name an agent, since agreement is what is measured"


def _place(parts: tuple[int | str, ...]) -> str:
    place = ""
    for part in parts:
        if isinstance(part, int):
            place += f"[{part}]"
        else:
            shown = printable(part[:60])
            place += f".{shown}" if place else shown
    return place


def _in_words(error: ErrorDetails) -> str:
    limits: dict[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            known = _keys_beside(error["loc"])
            near = get_close_matches(str(error["loc"][-1])[:80], known, n=1)
            hint = f'did you mean "{near[0]}"?' if near else "take it out."
            return f"unknown key; {hint} Known: {', '.join(known)}"
        case "missing":
            return "is missing"
        case "string_type":
            return "must be a text"
        case "int_type" | "int_from_float":
            return "must be a whole number"
        case "float_type":
            return "must be a number"
        case "bool_type":
            return "must be true or false"
        case "list_type":
            return "must be a list"
        case "dict_type" | "model_type":
            return "must be a table"
        case "literal_error":
            return f"must be {limits['expected']}"
        case "greater_than_equal":
            return f"must be at least {limits['ge']}"
        case "greater_than":
            return f"must be above {limits['gt']}"
        case "less_than_equal":
            return f"must be at most {limits['le']}"
        case "too_short":
            return "must have at least one entry"
        case "too_long":
            return f"must have at most {limits['max_length']} entries"
        case "string_pattern_mismatch" | "string_too_short":
            return "must be PROVIDER/MODEL, as Inspect names it, such as openai/gpt-5-mini"
        case _:
            message = error["msg"].removeprefix("Value error, ")
            return message[0].lower() + message[1:]


_MODELS: dict[str, type[BaseModel]] = {"factors": Factors, "models": ModelEntry, "price": Price}


def _keys_beside(place: tuple[int | str, ...]) -> list[str]:
    """The keys that are right at a place of a file."""
    holders = [_MODELS[part] for part in place[:-1] if isinstance(part, str) and part in _MODELS]
    return list((holders[-1] if holders else Experiment).model_fields)
