"""Variants of prompts, put together from shared parts, and what may be wrong in them.

`GAME/variants/NAME.jinja` is a variant. It may include any other file of the folder of prompts: `GAME/parts/…` and
`parts/…` are shared ones. A user's own folder has the same layout and stands before the shipped one, so that a variant
of one's own can be built from the shipped parts.

A template is given `game`, `goal`, `terms` (settings of the game that no board shows), `seat`, `way` (`chat` or
`tools`), and `position(scenario, seed, side)`: a position to show, with its `board` and its `legal` lines. Whatever
stands in backticks below a position and is an action must be legal in it, also where a call of a tool has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path

from livingtable.errors import Refusal, ScenarioError, UnknownNameError
from livingtable.game import State, legal_lines, unknown_name
from livingtable.reading import UnreadableError, read_text
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import Variant
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import Way
from livingtable_server.tools.catalog import tools_of
from livingtable_server.tools.prompts import prompts_folder

SUFFIX = ".jinja"
_SHOWN = "\x00position {}\x00"
"""Stands before a position while a template is rendered, so that it is known which one a line belongs to."""
_SHOWN_HERE = re.compile("\x00position (\\d+)\x00")
_CODE = re.compile(r"`([^`\n]+)`")
_CALL = re.compile(r"(\w+) (\{.*\})")
_TOOL_LIKE = re.compile(r"[a-z]+(?:_[a-z]+)+")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A variant as the model reads it. `examples` are the texts in backticks with the position that they stand under,
    None above the first one."""

    text: str
    examples: tuple[tuple[str, State | None, str], ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """What `position(…)` gives a template."""

    board: str
    legal: str


FILE_BYTES_AT_MOST = 1024 * 1024


class PromptLibrary:
    """The variants of the shipped folder, and of a user's own, which stands before it."""

    def __init__(self, scenarios: ScenarioLibrary, folder: Path | None = None) -> None:
        self._scenarios = scenarios
        self._folders: list[Traversable] = [*([folder] if folder else []), prompts_folder()]

    def names(self, game: str) -> list[str]:
        """The variants of a game, in alphabetical order."""
        folders = [folder / game / "variants" for folder in self._folders]
        entries = [entry.name for folder in folders if folder.is_dir() for entry in folder.iterdir()]
        return sorted({name.removesuffix(SUFFIX) for name in entries if name.endswith(SUFFIX)})

    def system_text(self, state: State, variant: Variant, seat: str) -> str:
        """What a model is told before the first decision: its variant, and the rules if they are to stand there."""
        prompt = self.render(state, variant.prompt, variant.way, seat)
        return f"{prompt.text}\n\n{state.game.rules_text()}".rstrip() if variant.rules else prompt.text

    def render(self, state: State, name: str, way: Way, seat: str) -> Prompt:
        """For a seat of a game that begins from that state. Raises `ExperimentError` for an unknown variant, and for
        one that cannot be rendered."""
        from jinja2 import FunctionLoader, StrictUndefined, TemplateError
        from jinja2.sandbox import SandboxedEnvironment

        game = state.game.name
        if name not in self.names(game):
            raise ExperimentError("", "factors.prompt", unknown_name(f"prompt for {game}", name, self.names(game)))
        shown: list[tuple[State, str]] = []

        def position(scenario: str, seed: int, side: str) -> _Position:
            there = self._scenarios.get(scenario).start(seed)
            shown.append((there, side))
            mark = _SHOWN.format(len(shown) - 1)
            return _Position(mark + there.board(side), "\n".join(legal_lines(there.legal_actions(side))))

        environment = SandboxedEnvironment(
            loader=FunctionLoader(self._source), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        given = {"game": game, "goal": state.game.summary, "terms": state.terms, "seat": seat, "way": way}
        try:
            template = environment.get_template(f"{game}/variants/{name}{SUFFIX}")
            text = template.render(**given, position=position)
        except (TemplateError, UnknownNameError, ScenarioError) as error:
            where = getattr(error, "name", None) or f"{game}/variants/{name}{SUFFIX}"
            line = getattr(error, "lineno", None)
            place = f"line {line}" if line else ""
            raise ExperimentError(where, place, str(error) or type(error).__name__) from None
        return Prompt(_SHOWN_HERE.sub("", text).strip(), tuple(_examples(text, shown)))

    def check(self, state: State, name: str, way: Way, seat: str) -> None:
        """Raises `ExperimentError` for the first thing that is wrong in a variant."""
        for problem in problems(self.render(state, name, way, seat)):
            raise ExperimentError(f"{state.game.name}/variants/{name}{SUFFIX}", "", problem)

    def _source(self, name: str) -> str | None:
        if ".." in name.split("/"):
            return None
        files = (folder.joinpath(*name.split("/")) for folder in self._folders)
        return next((_text_of(file) for file in files if file.is_file()), None)


def _text_of(file: Traversable) -> str:
    """Raises `ExperimentError` for a file of the user's that cannot be read."""
    if not isinstance(file, Path):
        return file.read_text("utf-8")
    try:
        return read_text(file, FILE_BYTES_AT_MOST)
    except UnreadableError as error:
        raise ExperimentError(str(file), "", str(error)) from None


def _examples(text: str, shown: list[tuple[State, str]]) -> Iterator[tuple[str, State | None, str]]:
    begin, state, side = 0, None, ""
    marks = [*_SHOWN_HERE.finditer(text), None]
    for mark in marks:
        for code in _CODE.findall(text[begin : mark.start() if mark else len(text)]):
            yield code, state, side
        if mark:
            begin = mark.end()
            state, side = shown[int(mark[1])]


def problems(prompt: Prompt) -> Iterator[str]:
    """What a model would be told wrongly: example moves that are not legal where they are shown, tools and arguments
    that do not exist."""
    known = _arguments()
    for code, state, side in prompt.examples:
        call = _CALL.fullmatch(code)
        name = call[1] if call else code
        if _TOOL_LIKE.fullmatch(name) and name not in known:
            yield unknown_name("tool", name, sorted(known))
        elif call and name in known:
            given = set(re.findall(r'"(\w+)":', call[2]))
            unknown = sorted(given - known[name])
            yield from (unknown_name(f"argument of {name}", key, sorted(known[name])) for key in unknown)
            if state is not None:
                for notation in re.findall(r'"notation": "([^"]+)"', call[2]):
                    yield from _illegal(notation, state, side)
        elif state is not None:
            yield from _illegal(code, state, side)


def _illegal(code: str, state: State, side: str) -> Iterator[str]:
    text = code.removeprefix("ACTION:").strip()
    try:
        action = state.parse_action(text, side)
    except Refusal:
        if code.startswith("ACTION:"):
            yield f"`{code}` is no action"
        return
    if action not in state.legal_actions(side):
        yield f"`{code}` is not legal in the position that is shown"


@cache
def _arguments() -> dict[str, set[str]]:
    """Of each tool of the server the arguments, as they are written on the wire."""
    from livingtable_server.sessions.parameters import input_schema

    return {tool.name: set(input_schema(tool.parameters)["properties"]) for tool in tools_of("all")}
