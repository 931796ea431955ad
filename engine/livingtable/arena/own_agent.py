"""A user's own agent in a process of its own: reads questions, writes choices, a line each.

They come and go by the pipes that the process begins with as stdin and stdout. Before any line of the user's is run
both are moved to where nothing else writes: then stdin is empty, and stdout is stderr. The first line says that the
agent is there, or why it is not; each other one has the number of the question that it answers.
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
ANSWER_AT_MOST = 64 * 1024
"""Bytes of a line."""
MESSAGE_AT_MOST = 140
"""Of what an exception says, so that there is room for its place."""


class ListedAction(Data):
    """A legal action as its JSON object, with its `notation` as an attribute, too."""

    @property
    def notation(self) -> str:
        return self["notation"]


Choose = Callable[[Data, list[ListedAction]], object]


def main(file: str, name: str, side: str, seed: str) -> None:
    answers = os.fdopen(_moved(1), "w", encoding="utf-8")
    questions = _questions(_moved(0))
    _leave_stdin_and_stdout_to_the_agent()

    def tell(told: Data) -> None:
        line = json.dumps(told)
        if len(line) > ANSWER_AT_MOST:
            line = json.dumps({"number": told["number"], "overlong": True})
        answers.write(line + "\n")
        answers.flush()

    folder = Path(file).resolve().parent
    try:
        choose = _chooser(file, name, side, int(seed))
    except Exception as error:  # whatever a user's file raises
        return tell({"number": 0, **_fault(error, folder)})
    tell({"number": 0})
    number = 0
    while True:
        question, number = questions.get(), number + 1
        tell({"number": number, **_answer(choose, question, folder)})


def _moved(descriptor: int) -> int:
    """A copy of it that no program which the agent starts inherits."""
    return os.dup(descriptor)


def _leave_stdin_and_stdout_to_the_agent() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)


def _questions(descriptor: int) -> SimpleQueue[str]:
    """What is asked; when nobody is there to ask any more, the process ends, whatever the agent is at."""
    found: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        with os.fdopen(descriptor, encoding="utf-8") as lines:
            for line in lines:
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
    if isinstance(choice, str) and len(choice) > ANSWER_AT_MOST:
        return {"overlong": True}
    try:
        json.dumps(choice)
    except Exception:  # No JSON, so no action either.
        return {"unknown": type(choice).__name__}
    return {"choice": choice}


def _fault(error: Exception, folder: Path) -> Data:
    try:
        said = " ".join(f"{type(error).__name__}: {error}".split())
    except Exception:  # It cannot even say what it is.
        said = type(error).__name__
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
