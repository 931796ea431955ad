"""What can go wrong, split by whose mistake it was.

A `Refusal` is a player's: the action was no action, or not allowed now. A `ScenarioError` is the author's of a
scenario or set-up. A `RecordError` is a damaged or foreign record's. Anything else that is raised is ours.
"""

from __future__ import annotations

from enum import StrEnum
from typing import cast


class Code(StrEnum):
    """Why an action was refused, in the order in which the reasons are looked at."""

    NOT_YOUR_SEAT = "not_your_seat"
    STALE_VERSION = "stale_version"
    GAME_OVER = "game_over"
    NOT_STARTED = "not_started"
    NOT_YOUR_TURN = "not_your_turn"
    MALFORMED_ACTION = "malformed_action"
    ILLEGAL_ACTION = "illegal_action"


class Refusal(Exception):
    """An action was refused and nothing has changed. `reason` is one sentence a player can act on."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason

    def __reduce__(self) -> tuple[type[Refusal], tuple[Code, str]]:
        """Else it cannot come back from a worker process, whose pool then waits for ever."""
        return type(self), (self.code, self.reason)


class ScenarioError(Exception):
    """A scenario or set-up is not playable.

    `source` says which one (a file's name, or "setup"), `key` the place in it (`characters[2].position`), `reason`
    what is wrong and what would be right.
    """

    def __init__(self, source: str, key: str, reason: str) -> None:
        super().__init__(f"{source}: {key}: {reason}" if key else f"{source}: {reason}")
        self.source = source
        self.key = key
        self.reason = reason

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[str, str, str]]:
        """As `Refusal`'s."""
        return type(self), (self.source, self.key, self.reason)


class RecordError(Exception):
    """A record cannot be read: cut off, of another format, or not a record at all."""


class UnknownNameError(Exception):
    """No game, scenario or bot of that name. The message names the nearest and lists the known."""


def innermost(error: BaseException) -> BaseException:
    """Of an error that task groups have wrapped, the one that was raised first."""
    while isinstance(error, BaseExceptionGroup):
        error = cast(BaseExceptionGroup[BaseException], error).exceptions[0]
    return error
