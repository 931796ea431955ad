"""A user's own agent in a process of its own: reads questions from stdin, writes choices to stdout, a line each.

The first line says that the agent is there, or why it is not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any, cast

Data = dict[str, Any]
MESSAGE_AT_MOST = 140
"""Of what an exception says, so that there is room for its place."""


class ListedAction(Data):
    """A legal action as its JSON object, with its `notation` as an attribute, too."""

    @property
    def notation(self) -> str:
        return self["notation"]


Choose = Callable[[Data, list[ListedAction]], object]


def main(file: str, name: str, side: str, seed: str) -> None:
    # What the agent prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    questions = _questions()

    def tell(told: Data) -> None:
        answers.write(json.dumps(told) + "\n")
        answers.flush()

    folder = Path(file).resolve().parent
    try:
        choose = _chooser(file, name, side, int(seed))
    except Exception as error:  # whatever a user's file raises
        return tell(_fault(error, folder))
    tell({"ready": True})
    while True:
        tell(_answer(choose, questions.get(), folder))


def _questions() -> SimpleQueue[str]:
    """What is asked; when nobody is there to ask any more, the process ends, whatever the agent is at."""
    found: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            found.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return found


def _chooser(file: str, name: str, side: str, seed: int) -> Choose:
    spec = importlib.util.spec_from_file_location("own_agent_of_a_user", Path(file).resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses, for one, look for it
    sys.path.insert(0, str(Path(file).resolve().parent))
    spec.loader.exec_module(module)
    made: Any = getattr(module, name, None)
    if not callable(made):
        wrong = "is neither a class nor a function" if hasattr(module, name) else "is not in it"
        raise LookupError(f'"{name}" {wrong} ({Path(file).name})')
    if not isinstance(made, type):
        return cast(Choose, made)
    try:
        return cast(Any, made)(side, seed).choose
    except TypeError as error:
        told = TypeError(f"{error} (an agent's class is made with its side and a seed)")
        raise told.with_traceback(error.__traceback__) from error


def _answer(choose: Choose, question: str, folder: Path) -> Data:
    asked: Data = json.loads(question)
    legal = [ListedAction(action) for action in asked["actions"]]
    try:
        choice = choose(asked["view"], legal)
    except Exception as error:  # whatever a user's agent raises is its forfeit
        return _fault(error, folder)
    try:
        json.dumps(choice)
    except (TypeError, ValueError, RecursionError):  # No JSON, so no action either.
        return {"unknown": type(choice).__name__}
    return {"choice": choice}


def _fault(error: Exception, folder: Path) -> Data:
    said = " ".join(f"{type(error).__name__}: {error}".split())
    if len(said) > MESSAGE_AT_MOST:
        said = f"{said[: MESSAGE_AT_MOST - 1]}…"
    return {"error": f"{said}{_place(error, folder)}"}


def _place(error: Exception, folder: Path) -> str:
    """Where in the agent's own files it was raised, or what they called that raised it."""
    if isinstance(error, SyntaxError) and folder in Path(error.filename or "").parents:
        return ""  # It says so itself.
    found, step = "", error.__traceback__
    while step is not None:
        file = Path(step.tb_frame.f_code.co_filename)
        if folder in file.parents and "site-packages" not in file.relative_to(folder).parts:
            found = f" ({file.relative_to(folder).as_posix()}, line {step.tb_lineno})"
        step = step.tb_next
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
