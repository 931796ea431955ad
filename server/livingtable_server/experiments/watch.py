"""What a run has met so far, and when a model is to be asked no more.

Inspect asks again and again, with longer and longer waits, and says nothing of it. So each model's calls are listened
to: of one that is down the run ends in plain words, and what was not played can be gone on with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, cast
from urllib.parse import urlsplit

from inspect_ai.model import Model

PATIENCE = 30.0
"""Seconds for which a model that has never answered is asked again."""
PATIENCE_LATER = 300.0
"""The same of one that has answered before: servers are started anew."""
CRASHES_IN_A_ROW = 3
"""Of a model's games with one variant, for the same reason before any of them was finished."""
_WRONG_KEY = (401, 403)
_TRIED_AGAIN = (408, 409, 429)
_ALL = ""


class StoppedError(Exception):
    """The model is asked no more; its game is not played."""


class NoAnswerError(Exception):
    """The model has not answered for so long that it is asked no more."""


class Watch:
    """Of one run. `crashes` counts games by model and reason; `stopped` says why a model is asked no more, by model and
    variant, "" for all variants. `trouble` is the latest, of models that have not answered since."""

    def __init__(self, games: int = 0, done: int = 0, clock: Callable[[], float] = monotonic) -> None:
        self.games = games
        self.done = done
        self.crashes: Counter[tuple[str, str]] = Counter()
        self.stopped: dict[tuple[str, str], str] = {}
        self.trouble: dict[str, str] = {}
        self._clock = clock
        self._addresses: dict[str, str] = {}
        self._answered: set[str] = set()
        self._down_since: dict[str, float] = {}
        self._in_a_row: dict[tuple[str, str], tuple[object, int]] = {}
        self._finished: set[tuple[str, str]] = set()

    def listen(self, name: str, model: Model) -> None:
        """From now on this model's calls are noted, and refused once it is asked no more."""
        generate = model.api.generate
        where = self._addresses[name] = str(getattr(model.api, "base_url", None) or model)

        async def noted(*given: Any, **named: Any) -> Any:
            self.check(name, _ALL)
            try:
                output = await generate(*given, **named)
            except Exception as error:
                self.failed(name, where, error)
                raise
            if (refused := _refused(output)) is not None:
                self.failed(name, where, refused)
            else:
                self.answered(name)
            return output

        model.api.generate = noted

    def check(self, name: str, variant: str) -> None:
        """Raises `StoppedError`."""
        if (name, _ALL) in self.stopped or (name, variant) in self.stopped:
            raise StoppedError

    def answered(self, name: str) -> None:
        self._answered.add(name)
        self._down_since.pop(name, None)
        self.trouble.pop(name, None)

    def failed(self, name: str, where: str, error: Exception) -> None:
        """A call has. Raises `NoAnswerError`, which is not tried again, where that has lasted for too long."""
        said, status = in_words(where, error), _status(error)
        error.add_note(said)  # The game that crashes of it knows no address.
        self.trouble.pop(name, None)
        for_good = status is not None and status < 500 and status not in _TRIED_AGAIN
        self.trouble[name] = said if for_good else f"{said}, trying again"
        if status in _WRONG_KEY:
            self.stopped[name, _ALL] = said
        if status is not None and status < 500:
            self._down_since.pop(name, None)  # Somebody is there.
            return
        since = self._down_since.setdefault(name, self._clock())
        patience = PATIENCE_LATER if name in self._answered else PATIENCE
        if (lasted := self._clock() - since) >= patience:
            self.stopped[name, _ALL] = f"{said}, tried for {lasted:.0f} s"
            raise NoAnswerError(said) from error

    def finished(self, name: str, variant: str) -> None:
        """A game came to an end."""
        self.done += 1
        self._finished.add((name, variant))

    def crashed(self, name: str, variant: str, error: BaseException) -> str:
        """A game did. Returns why, with the host that was asked, if it was because of a call; else ""."""
        error = _innermost(error)
        notes = [note for cause in _causes(error) for note in getattr(cause, "__notes__", [])]
        said = notes[-1] if notes else _short(str(error)) or type(error).__name__
        self.crashes[name, said] += 1
        kind = (type(error), _status(error))
        before, times = self._in_a_row.get((name, variant), (kind, 0))
        times = times + 1 if before == kind else 1
        self._in_a_row[name, variant] = kind, times
        known = (name, variant) in self._finished or (name, _ALL) in self.stopped
        if times >= CRASHES_IN_A_ROW and not known:
            self.stopped.setdefault((name, variant), f"the first {times} games crashed: {said}")
        where = self._addresses.get(name, "")
        return said.replace(_without_secrets(where), place_of(where)) if notes and where else ""

    def line(self) -> str:
        """How the run stands, in one line."""
        crashed = self.crashes.total()
        parts = [f"{self.done} of {self.games} games done" + (f", {crashed} crashed" if crashed else "")]
        if self.trouble:
            name, said = list(self.trouble.items())[-1]
            parts.append(self.stopped.get((name, _ALL), said))
        return "; ".join(parts)


def in_words(where: str, error: BaseException) -> str:
    """Why a call came to nothing: `no answer from http://… (connection refused)`."""
    where = _without_secrets(where)
    status = _status(error)
    if status is not None:
        said = _short(str(error))
        hint = ": is the key right?" if status in _WRONG_KEY else ""
        return f"{where} answers with error {status}{hint} ({said})"
    for cause in _causes(error):
        if isinstance(cause, ConnectionRefusedError):
            return f"no answer from {where} (connection refused)"
        if isinstance(cause, TimeoutError) or "Timeout" in type(cause).__name__:
            return f"no answer from {where} (timed out)"
        if isinstance(cause, OSError) and cause.strerror:
            return f"no answer from {where} ({cause.strerror.lower()})"
    return f"no answer from {where} ({_short(str(error)) or type(error).__name__})"


def place_of(where: str) -> str:
    """Host and port of an address alone, for a report that others read."""
    return urlsplit(where).netloc.rpartition("@")[2] or where


def _refused(output: Any) -> Exception | None:
    """What a provider returns, with the call that it was, instead of raising it: it is not tried again."""
    first = cast(tuple[object, ...], output)[0] if isinstance(output, tuple) else output
    return first if isinstance(first, Exception) else None


def _status(error: BaseException) -> int | None:
    """What a provider's error calls its HTTP status; Google's says `code`."""
    found = (getattr(error, name, None) for name in ("status_code", "code"))
    return next((value for value in found if isinstance(value, int)), None)


def _innermost(error: BaseException) -> BaseException:
    """Of an error that says no more than that it was tried often, the last one."""
    last = getattr(error, "last_attempt", None)
    return (last.exception() or error) if last is not None else error


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it came of; the deepest first, which says most."""
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
        chain.append(cause)
    yield from reversed(chain)


def _without_secrets(where: str) -> str:
    """An address may have a user's name and password, and a key in its query."""
    parts = urlsplit(where)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="", fragment="").geturl() if parts.netloc else where


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 160 else f"{text[:160]}…"
