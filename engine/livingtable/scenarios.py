"""Data files to checked scenarios.

A scenario is one JSON object: what all games share is `SetupBase` here, the rest is the game's own `setup_model`. A
set-up sent over the wire is the same object; its `name`, `title` and `summary` may be left out.

Scenarios come from the games' own folders and from folders that the user names; a bad file of theirs is reported in
`ScenarioLibrary.problems` and stops nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, PydanticCustomError

from livingtable.errors import Faults, ScenarioError, UnknownNameError
from livingtable.events import Tenths, shown, tenths_of
from livingtable.game import Data, State, game_names, get_game, printable, unknown_name
from livingtable.grids import parse_pair
from livingtable.names import taken_for
from livingtable.reading import UnreadableError, read_json

FILE_BYTES_AT_MOST = 4 * 1024 * 1024
FAULTS_TOLD = 100
"""Of the schema; those above are counted."""
MAP_AT_MOST = 100
"""Rows and columns of a map."""
SIDE_PATTERN = re.compile(r"[a-z][a-z0-9]{0,11}")
RESERVED_SIDES = ("player", "troll", "server", "wizard")


def _one_line(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "must not be blank")
    if not is_one_line(text):
        raise PydanticCustomError("one_line", "must be one line without control characters")
    return text


def is_one_line(text: str) -> bool:
    """Whether a name can be shown anywhere: no line breaks, no control characters, no halves of surrogate pairs.

    Zero-width joiners and variation selectors are not printable but belong to emoji families and to scripts.
    """
    plain = re.sub("[\u200c\u200d\ufe0e\ufe0f]", "", text)
    return printable(plain) == plain


def _side(text: str) -> str:
    if not SIDE_PATTERN.fullmatch(text):
        raise PydanticCustomError("side", "must be 1 to 12 lower-case letters and digits, a letter first")
    if text in RESERVED_SIDES:
        raise PydanticCustomError("side", "must not be one of player, troll, server, wizard")
    return text


def _cell(text: str) -> str:
    if parse_pair(text) is None:
        raise PydanticCustomError("cell", 'must be a cell written "x,y"')
    return text


def _tenths(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("tenths", "must be a number")
    if abs(value) > 1_000_000 or value != value or tenths_of(value) / 10 != value:
        raise PydanticCustomError("tenths", "must be a number with at most one decimal")
    return tenths_of(value)


def tenths_between(least: Tenths, most: Tenths) -> AfterValidator:
    """For `ExactTenths`: limits, which are told as the author writes numbers, not in tenths."""

    def check(value: Tenths) -> Tenths:
        if not least <= value <= most:
            limits = {"least": shown(least), "most": shown(most)}
            raise PydanticCustomError("tenths", "must be from {least} to {most}", limits)
        return value

    return AfterValidator(check)


Name = Annotated[str, Field(max_length=32), AfterValidator(_one_line)]
"""A name of a person, bot, room or scenario."""
Title = Annotated[str, Field(max_length=80), AfterValidator(_one_line)]
Side = Annotated[str, AfterValidator(_side)]
CellText = Annotated[str, AfterValidator(_cell)]
ExactTenths = Annotated[Tenths, BeforeValidator(_tenths)]
"""A JSON number with at most one decimal, kept as whole tenths."""
Rows = Annotated[list[str], Field(min_length=1, max_length=MAP_AT_MOST)]


class Checked(BaseModel):
    """The base of every object in a scenario: camelCase keys, unknown ones refused, nothing coerced."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", strict=True)


class LoadedDice(Checked):
    """Values that fall first, in order, before the seeded ones."""

    d20: list[Annotated[int, Field(ge=1, le=20)]] = Field(default=[], max_length=10_000)
    d6: list[Annotated[int, Field(ge=1, le=6)]] = Field(default=[], max_length=10_000)
    d3: list[Annotated[int, Field(ge=1, le=3)]] = Field(default=[], max_length=10_000)

    def by_sides(self) -> dict[int, list[int]]:
        return {20: self.d20, 6: self.d6, 3: self.d3}


class SetupBase(Checked):
    """What the scenarios of all games share."""

    game: str
    name: Name
    title: Title
    summary: Annotated[str, Field(max_length=1000)]
    notes: Annotated[str, Field(max_length=10_000)] = ""
    dice: LoadedDice = LoadedDice()


@dataclass(frozen=True)
class Scenario:
    """A checked scenario: `data` as it was written, `setup` as its game's model."""

    data: Data
    setup: SetupBase

    @property
    def game(self) -> str:
        return self.setup.game

    @property
    def name(self) -> str:
        return self.setup.name

    def start(self, seed: int) -> State:
        """The state of version 0. Raises `ScenarioError` where the parts of the set-up do not fit together."""
        try:
            state = get_game(self.game).start(self.setup, seed)
            _check_names(state)
        except ScenarioError as error:
            raise ScenarioError.of(error.source or self.name, error.faults) from None
        return state


def _check_names(state: State) -> None:
    for side, name in state.names.items():
        mistaken = taken_for(name, side, state.sides)
        if mistaken is not None:
            raise ScenarioError("", "name", f'"{name}", as {side} is named, would be taken for {mistaken}; rename it')


_FIGURES = frozenset(
    (
        *("extra_forbidden", "int_type", "int_from_float", "float_type", "finite_number", "tenths"),
        *("greater_than_equal", "less_than_equal", "string_too_long", "one_line", "blank"),
    )
)
"""Kinds of faults that leave the rest of a set-up readable."""
_SETUP_DEFAULTS: Data = {"name": "setup", "title": "A set-up of one's own", "summary": ""}


def check_setup(data: Mapping[str, Any], source: str = "setup") -> Scenario:
    """A set-up from the wire, checked against its game's schema. Raises `ScenarioError`."""
    return check_scenario({**_SETUP_DEFAULTS, **data}, source)


def check_scenario(data: Mapping[str, Any], source: str) -> Scenario:
    """Raises `ScenarioError` that names the source and, of all faults of the schema, the keys and what would be right;
    where these leave the rest of it readable, with what `Scenario.start` would find fault with."""
    game = data.get("game")
    if not isinstance(game, str) or game not in game_names():
        raise ScenarioError(source, "game", f"must be one of {', '.join(game_names())}")
    model = get_game(game).setup_model
    try:
        setup = model.model_validate(dict(data))
    except ValidationError as error:
        # Misspelt keys before those that are missing for them.
        wrong = sorted(error.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
        faults = Faults()
        for each in wrong[:FAULTS_TOLD]:
            with faults:
                raise ScenarioError("", _place(each), _in_words(each, model)) from None
        if len(wrong) > FAULTS_TOLD:
            with faults:
                raise ScenarioError("", "", f"and {len(wrong) - FAULTS_TOLD} more") from None
        elif all(_stands_alone(each) for each in wrong):
            with faults, suppress(ValidationError):
                rest = _without(dict(data), [each["loc"] for each in wrong])
                get_game(game).start(model.model_validate({**_SETUP_DEFAULTS, **rest}), 0)
        faults.tell(source)
        raise
    return Scenario(dict(data), cast(SetupBase, setup))


def _stands_alone(error: ErrorDetails) -> bool:
    """Whether the rest can be judged as if the key were not there: an unknown one, a name or a figure, but nothing by
    which the parts of a set-up are told apart or placed."""
    return error["type"] in _FIGURES or error["loc"][0] in _SETUP_DEFAULTS


def _without(data: Data, places: Iterable[tuple[int | str, ...]]) -> Data:
    """A copy without the keys at these places, or those above them where one leads into a list."""
    copy = deepcopy(data)
    for place in places:
        path = [part for part in place if not (isinstance(part, str) and part.startswith("<"))]
        while isinstance(path[-1], int):
            path.pop()
        here: Any = copy
        with suppress(LookupError, TypeError):  # It went with another one.
            for part in path[:-1]:
                here = here[part]
            del here[path[-1]]
    return copy


def _place(error: ErrorDetails) -> str:
    """`("characters", 2, "position")` as `characters[2].position`; the tags of unions, in `<>`, are left out."""
    place = ""
    for part in error["loc"]:
        if isinstance(part, int):
            place += f"[{part}]"
        elif not part.startswith("<"):
            shown = printable(part[:60])
            place += f".{shown}" if place else shown
    return place


def _in_words(error: ErrorDetails, model: type[BaseModel]) -> str:
    limits: dict[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            known = _keys_beside(error["loc"], model)
            near = get_close_matches(str(error["loc"][-1])[:80], known, n=1)
            hint = f'did you mean "{near[0]}"?' if near else "take it out."
            return f"unknown key; {hint} Known: {', '.join(known)}"
        case "missing":
            return "is missing"
        case "string_type":
            return "must be a text"
        case "string_unicode":
            return "must be whole characters, without halves of surrogate pairs"
        case "int_type" | "int_from_float":
            return "must be a whole number"
        case "float_type" | "finite_number":
            return "must be a number"
        case "bool_type":
            return "must be true or false"
        case "list_type":
            return "must be a list"
        case "dict_type" | "model_type" | "model_attributes_type":
            return "must be an object"
        case "literal_error":
            return f"must be {limits['expected']}"
        case "greater_than_equal":
            return f"must be at least {limits['ge']}"
        case "less_than_equal":
            return f"must be at most {limits['le']}"
        case "string_too_long":
            return f"must have at most {limits['max_length']} characters"
        case "too_long":
            return f"must have at most {limits['max_length']} entries"
        case "too_short":
            return f"must have {limits['min_length']} or more entries"
        case _:
            message = error["msg"]
            return message[0].lower() + message[1:]


def _keys_beside(place: tuple[int | str, ...], model: type[BaseModel]) -> list[str]:
    """The keys that are right at a place of a set-up, by the JSON schema of its model."""
    whole = _schema(model)
    here = _alternatives(whole, whole)
    for part in place[:-1]:
        if isinstance(part, int):
            below = [schema["items"] for schema in here if "items" in schema]
        elif part.startswith("<"):
            continue
        else:
            below = [schema["properties"][part] for schema in here if part in schema.get("properties", {})]
        here = [schema for outer in below for schema in _alternatives(outer, whole)]
    return [key for schema in here for key in schema.get("properties", {})]


@cache
def _schema(model: type[BaseModel]) -> Data:
    return model.model_json_schema()


def _alternatives(schema: Data, whole: Data) -> list[Data]:
    """A schema without references and unions: all that a value of it may be."""
    if "$ref" in schema:
        return _alternatives(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    options: list[Data] = schema.get("anyOf") or schema.get("oneOf") or []
    return [part for option in options for part in _alternatives(option, whole)] or [schema]


# --- where scenarios come from ---


@dataclass(frozen=True)
class ScenarioProblem:
    """A file that is no scenario: which, where in it, and why."""

    file: str
    key: str
    reason: str


class ScenarioLibrary:
    """All scenarios by name: those that ship with the games, then those of the user's folders, in order."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._scenarios: dict[str, Scenario] = {}
        self._files: dict[str, Path] = {}
        self.problems: list[ScenarioProblem] = []
        self.left_out: dict[str, ScenarioProblem] = {}
        """By the names of others' scenarios that files of the user's claim."""
        for game in game_names():
            for entry in _json_files(resources.files("livingtable.games") / game / "scenarios"):
                scenario = check_scenario(json.loads(entry.read_text("utf-8")), entry.name)
                self._scenarios[scenario.name] = scenario
                if isinstance(entry, Path):
                    self._files[scenario.name] = entry
        for folder in folders:
            self._add_folder(folder)

    def all(self, game: str | None = None) -> list[Scenario]:
        """In alphabetical order. Raises `UnknownNameError` for an unknown game."""
        if game is not None:
            get_game(game)
        return [s for _, s in sorted(self._scenarios.items()) if game in (None, s.game)]

    def get(self, name: str) -> Scenario:
        """Raises `UnknownNameError`, which names the nearest scenario."""
        if name not in self._scenarios:
            raise UnknownNameError(unknown_name("scenario", name, sorted(self._scenarios)))
        return self._scenarios[name]

    def _add_folder(self, folder: Path) -> None:
        if not folder.is_dir():
            self.problems.append(ScenarioProblem(str(folder), "", "is no folder"))
            return
        for file in scenario_files(folder):
            try:
                self.add_file(file)
            except ScenarioError as error:
                self.problems += [ScenarioProblem(error.source, fault.key, fault.reason) for fault in error.faults]

    def add_file(self, file: Path) -> Scenario:
        """One more scenario, if its file is sound and its name is nobody's yet. Raises `ScenarioError` for all that is
        wrong with it. The same file again is no fault."""
        faults, scenario = Faults(), None
        with faults:
            scenario = load_file(file)
        with faults:
            self._check_name(file, scenario)
        faults.tell(str(file))
        assert scenario is not None
        self._scenarios[scenario.name] = scenario
        self._files[scenario.name] = file
        return scenario

    def _check_name(self, file: Path, scenario: Scenario | None) -> None:
        """Raises `ScenarioError` where another one has the name; also of a file that has other faults."""
        name = scenario.name if scenario else _name_in(file)
        if name not in self._scenarios or _is_same(file, self._files.get(name)):
            return
        error = ScenarioError(str(file), "name", f'there is a scenario "{name}" already; rename it')
        self.left_out[name] = ScenarioProblem(error.source, error.key, error.reason)
        raise error


def scenario_files(folder: Path) -> list[Path]:
    """The files of a folder that are taken for scenarios, in order."""
    return sorted(folder.glob("*.json"))


def load_file(file: Path) -> Scenario:
    """One scenario file, checked to the point of being started. Raises `ScenarioError`, which names all its faults."""
    source = str(file)
    faults = Faults()
    data = _data_of(file, faults)
    with faults:
        scenario = check_scenario(data, source)
        scenario.start(0)
        if not faults:
            return scenario
    faults.tell(source)
    raise AssertionError


def _data_of(file: Path, faults: Faults) -> Data:
    """The JSON object in a file. Raises `ScenarioError` where there is none. A key that stands twice in it is noted as
    a fault: one of the two is not what its author meant."""
    source = str(file)
    try:
        data, twice = read_json(file, FILE_BYTES_AT_MOST)
    except UnreadableError as error:
        raise ScenarioError(source, "", str(error)) from None
    if not isinstance(data, dict):
        raise ScenarioError(source, "", "must be one JSON object")
    for place in twice:
        with faults:
            raise ScenarioError("", printable(place[:200]), "stands there twice; take one out")
    return cast(Data, data)


def _name_in(file: Path) -> str:
    """Of a file that is no sound scenario, the name that it claims, if any."""
    with suppress(ScenarioError):
        name = _data_of(file, Faults()).get("name")
        return name if isinstance(name, str) else ""
    return ""


def _is_same(file: Path, other: Path | None) -> bool:
    return other is not None and file.exists() and other.exists() and file.samefile(other)


def _json_files(folder: Traversable) -> list[Traversable]:
    if not folder.is_dir():
        return []
    return sorted((e for e in folder.iterdir() if e.name.endswith(".json")), key=lambda e: e.name)
