"""What can go wrong, split by whose mistake it was.

A `Refusal` is a player's: the action was no action, or not allowed now. A `ScenarioError` is the author's of a
scenario or set-up. A `RecordError` is a damaged or foreign record's. Anything else that is raised is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

FAULTS_NAMED = 10
"""In one text."""


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


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a scenario: `key` is the place in it (`characters[2].position`, "" for all of it),
    `reason` what is wrong and what would be right."""

    key: str
    reason: str

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}" if self.key else self.reason


class ScenarioError(Exception):
    """A scenario or set-up is not playable.

    `source` says which one (a file's name, or "setup"), `faults` all that is wrong with it, `key` and `reason` the
    first of them. Its text names ten at the most and counts the rest.
    """

    def __init__(self, source: str, key: str, reason: str, more: Sequence[Fault] = ()) -> None:
        self.source = source
        self.key = key
        self.reason = reason
        self.faults = (Fault(key, reason), *more)
        super().__init__(f"{source}: {'; '.join(map(str, self.faults[:FAULTS_NAMED]))}{self._rest()}")

    @classmethod
    def of(cls, source: str, faults: Sequence[Fault]) -> ScenarioError:
        """Of one fault or more."""
        return cls(source, faults[0].key, faults[0].reason, faults[1:])

    def lines(self) -> list[str]:
        """A line a fault: `file: key: reason`."""
        return [f"{self.source}: {fault}" for fault in self.faults]

    def _rest(self) -> str:
        left = len(self.faults) - FAULTS_NAMED
        return f"; and {left} more" if left > 0 else ""

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[str, str, str, Sequence[Fault]]]:
        """As `Refusal`'s."""
        return type(self), (self.source, self.key, self.reason, self.faults[1:])


class Faults:
    """Collects what is wrong with a scenario, so that its author is told all at once: within `with faults:` a
    `ScenarioError` ends the block alone, and `tell` raises one for all that were collected."""

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, ScenarioError):
            return False
        self._found += [fault for fault in error.faults if fault not in self._found]
        return True

    def tell(self, source: str = "") -> None:
        """Raises `ScenarioError` if there is a fault."""
        if self._found:
            raise ScenarioError.of(source, self._found)


class RecordError(Exception):
    """A record cannot be read: cut off, of another format, or not a record at all."""


class UnknownNameError(Exception):
    """No game, scenario or bot of that name. The message names the nearest and lists the known."""


def innermost(error: BaseException) -> BaseException:
    """Of an error that task groups have wrapped, the one that was raised first."""
    while isinstance(error, BaseExceptionGroup):
        error = cast(BaseExceptionGroup[BaseException], error).exceptions[0]
    return error
