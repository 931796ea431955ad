"""What an entrant that is not built in is asked, and for how long its answer is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar, cast

from livingtable.arena.choices import no_answer
from livingtable.game import Data, State, legal_lines

START_SECONDS = 60.0
"""For a process to be there, whatever the limit of a move."""

Answer = TypeVar("Answer")


def question(state: State, side: str, seed: int, version: int) -> Data:
    """`{game, side, seed, version, view, legal, actions}`.

    `view` is the wire's `state` as the seat sees it, `legal` are the notations in lines, `actions` the legal actions as
    objects, each with its `notation`.
    """
    legal = state.legal_actions(side)
    return {
        "game": state.game.name,
        "side": side,
        "seed": seed,
        "version": version,
        "view": state.view(side),
        "legal": legal_lines(legal),
        "actions": [{"notation": action.notation, **action.to_data()} for action in legal],
    }


def within(seconds: float, ask: Callable[[], Answer]) -> Answer:
    """What `ask` returns or raises; a `Forfeit` (`timeout`) if that takes longer. It is then left to itself."""
    outcome: SimpleQueue[tuple[Answer | None, Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            outcome.put((ask(), None))
        except Exception as error:
            outcome.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        answer, error = outcome.get(timeout=seconds)
    except Empty:
        raise no_answer(seconds) from None
    if error is not None:
        raise error
    return cast(Answer, answer)
