"""A user's own agent in a process of its own: reads questions from stdin, writes choices to stdout, a line each."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable
from inspect import isclass
from pathlib import Path
from typing import Any

from livingtable.game import Data


class ListedAction(dict[str, Any]):
    """A legal action as its JSON object, with its `notation` as an attribute, too."""

    @property
    def notation(self) -> str:
        return self["notation"]


def main(file: str, name: str, side: str, seed: str) -> None:
    # What the agent prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    choose = _chooser(file, name, side, int(seed))
    for line in sys.stdin:
        asked: Data = json.loads(line)
        legal = [ListedAction(action) for action in asked["actions"]]
        try:
            told: Data = {"choice": _written(choose(asked["view"], legal))}
        except Exception as error:  # whatever a user's agent raises is its forfeit
            told = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(told) + "\n")
        answers.flush()


def _chooser(file: str, name: str, side: str, seed: int) -> Callable[[Data, list[ListedAction]], object]:
    spec = importlib.util.spec_from_file_location("own_agent_of_a_user", Path(file).resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(Path(file).resolve().parent))
    spec.loader.exec_module(module)
    made = getattr(module, name)
    return made(side, seed).choose if isclass(made) else made


def _written(choice: object) -> object:
    """A notation or an object, as JSON."""
    if isinstance(choice, ListedAction):
        return {"notation": choice.notation}
    return choice


if __name__ == "__main__":
    main(*sys.argv[1:])
