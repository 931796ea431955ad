"""Record, replay, verify to the first difference.

A record is one JSON object with everything that a replay needs (the wire contract, *The record*). It holds the whole
start, so a replay needs neither the scenario nor the seed, and every event, so a reader needs no rules.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from livingtable.errors import RecordError, Refusal, UnknownNameError
from livingtable.game import Action, Data, Result, State, get_game, printable
from livingtable.scenarios import is_one_line
from livingtable.version import __version__

FORMAT = "living-table/1"
TRUNCATED = "truncated"
MARKS = ("forkedFrom", "forked", "seedGiven")
FORFEIT = "forfeit"
ACTIONS_AT_MOST = 5_000
"""After so many a game is cut off as `truncated`, if nothing else was agreed on (the wire contract)."""
KINDS_IN_WORDS = {
    "illegal": "an illegal action",
    "unparsable": "an answer that is no action",
    "overlong": "an answer that is too long",
    "cut": "an answer cut at its limit of tokens",
    "crash": "it failed",
    "timeout": "no answer in time",
}
"""What a forfeit was, by its kind. Whoever plays may have further kinds."""
_SHAPE: dict[str, type | tuple[type, ...]] = {
    "format": str,
    "game": str,
    "scenario": dict,
    "seed": (int, type(None)),
    "start": dict,
    "seats": list,
    "actions": list,
    "events": list,
    "result": (dict, type(None)),
    "engine": str,
}
_ENDED: dict[str, type] = {"reason": str, "side": str, "kind": str}
JOIN_PAGES = "join it with the others: get_record with the nextCursor of a page gives the next one"
_UNSOUND = (
    *(LookupError, ValueError, TypeError, AttributeError, ArithmeticError),
    *(AssertionError, RecursionError, MemoryError, StopIteration, UnknownNameError),
)
"""What a state that is none, or is one only at first sight, may raise."""
REDACTED = (
    "the record is of a room's game without a result: its seed and dice are left out, so it can be neither replayed "
    "nor verified. Take it again when the game is over; who runs the server has it whole (living-table export)"
)


@dataclass(slots=True)
class Recording:
    """A game being played, and all that its record will say.

    `seats` are objects `{side, name, controller}`; `actions` and `events` are the wire's objects, the events grouped by
    the action that caused them.
    """

    state: State
    scenario: Data
    seed: int
    seats: list[Data]
    start: Data
    actions: list[Data] = field(default_factory=list[Data])
    events: list[list[Data]] = field(default_factory=list[list[Data]])
    truncated: Result | None = None
    ended: Data | None = None
    """Of a game that somebody forfeited: `{reason: "forfeit", side, kind}`."""
    rounds: list[int] = field(default_factory=list[int])
    """In a simultaneous game, the versions at which rounds were resolved."""
    marks: Data = field(default_factory=dict[str, Any])
    """Keys of the record that tell whether the dice may have been tried in another game: `forkedFrom: {version,
    sameDice}` of a fork, `forked: true` of a game whose dice went on in a fork while it was played; the latter stands
    in the record once there is a result, so that a fork leaves the record of a game that is played as it is.
    `seedGiven: true` of a room's game whose maker chose the seed."""

    @classmethod
    def begin(cls, state: State, scenario: Data, seed: int, seats: list[Data]) -> Recording:
        """From a state of version 0; the recording takes it over."""
        return cls(state, scenario, seed, seats, state.to_data())

    def starting_state(self) -> State:
        """The state of version 0, made anew."""
        return self.state.game.restore(self.start)

    @property
    def version(self) -> int:
        """The number of accepted actions."""
        return len(self.actions)

    @property
    def result(self) -> Result | None:
        return self.state.result or self.truncated

    def round_of(self, version: int) -> tuple[int, int]:
        """The versions from which to which the decision is open that was open at that version: of it, `version` itself
        and the next where seats take turns; the round's beginning and its end (or today's version) where all choose at
        once."""
        if not self.state.game.simultaneous:
            return version, min(version + 1, self.version)
        n = bisect_right(self.rounds, version)
        return (self.rounds[n - 1] if n else 0), (self.rounds[n] if n < len(self.rounds) else self.version)

    @property
    def hidden_from(self) -> int:
        """Actions above this version are hidden commands of the round that is open."""
        return self.version if self.result is not None else self.round_of(self.version)[0]

    def apply(self, side: str, action: Action) -> list[Data]:
        """Plays an action and writes it down; returns its events. Raises `Refusal`, with nothing changed."""
        events = stamped([event.to_data() for event in self.state.apply(side, action)], self.version + 1)
        self.actions.append({"version": self.version + 1, "side": side, "action": action.to_data()})
        self.events.append(events)
        if self.state.game.simultaneous and not self.state.open_commands:
            self.rounds.append(self.version)
        return events

    def truncate(self) -> Result:
        """Cuts the game off: no winners, the ranking as it stands."""
        self.truncated = _cut_off(self.state)
        return self.truncated

    def forfeit(self, side: str, kind: str) -> Result:
        """Ends the game by a seat's forfeit, of a kind such as `illegal`, `unparsable`, `crash` or `timeout`.

        The rules know no forfeit: the result is that of a game that was cut off, and `ended` says why it was.
        """
        self.ended = {"reason": FORFEIT, "side": side, "kind": kind}
        return self.truncate()

    def events_after(self, version: int) -> list[Data]:
        """All events that later actions caused, in order."""
        return [event for group in self.events[max(0, version) :] for event in group]

    def to_data(self) -> Data:
        """The record, whole."""
        record: Data = {
            "format": FORMAT,
            "game": self.state.game.name,
            "scenario": self.scenario,
            "seed": self.seed,
            "start": self.start,
            "seats": self.seats,
            "actions": list(self.actions),
            "events": self.events_after(0),
            "result": self.result.to_data() if self.result else None,
            "engine": __version__,
            **{mark: told for mark, told in self.marks.items() if mark != "forked" or self.result},
        }
        return record if self.ended is None else {**record, "ended": self.ended}

    def public_data(self) -> Data:
        """The record as anybody may read it: commands that are still hidden stand as `action: null`."""
        record = self.to_data()
        for entry in range(self.hidden_from, self.version):
            record["actions"][entry] = {**record["actions"][entry], "action": None}
        return record


def stamped(events: Sequence[Data], version: int) -> list[Data]:
    """Events with the number of their causing action, behind the type."""
    return [{"type": event["type"], "version": version, **event} for event in events]


def read_record(text: str) -> Data:
    """The record that a JSON text holds. Raises `RecordError` in words that say what is wrong with it."""
    if not text.strip():
        raise RecordError("the record is empty")
    try:
        data: object = json.loads(text)
    except RecursionError:
        raise RecordError("the record is nested too deep") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"the record is no whole JSON text, perhaps cut off: {error}") from None
    except ValueError:
        raise RecordError("the record holds a number of more than 4,300 digits") from None
    return check_record(data)


def check_record(data: object) -> Data:
    """The same object, known to have a record's shape. Raises `RecordError`."""
    if not isinstance(data, dict):
        raise RecordError("a record is one JSON object")
    record = cast(Data, data)
    _check_whole(record)
    if record.get("format") != FORMAT:
        shown = str(record.get("format"))[:40]
        raise RecordError(f'the record has the format {shown!a}; this program reads "{FORMAT}"')
    for key, kind in _SHAPE.items():
        if key not in record:
            raise RecordError(f'the record has no "{key}"')
        if isinstance(record[key], bool) or not isinstance(record[key], kind):
            raise RecordError(f'"{key}" of the record is of the wrong type')
    if not isinstance(record.get("redacted", False), bool):
        raise RecordError('"redacted" of the record is of the wrong type')
    for i, entry in enumerate(cast(list[object], record["actions"])):
        if not isinstance(entry, dict) or not {"version", "side", "action"} <= entry.keys():
            raise RecordError(f"actions[{i}] of the record must have version, side and action")
        if not isinstance(entry["side"], str):
            raise RecordError(f'"side" of actions[{i}] of the record must be a text')
    for i, entry in enumerate(cast(list[object], record["events"])):
        if not isinstance(entry, dict) or not {"type", "version"} <= entry.keys():
            raise RecordError(f"events[{i}] of the record must have type and version")
        if not isinstance(entry["type"], str):
            raise RecordError(f'"type" of events[{i}] of the record must be a text')
        if isinstance(entry["version"], bool) or not isinstance(entry["version"], int):
            raise RecordError(f'"version" of events[{i}] of the record must be a whole number')
    _check_ended(record.get("ended"))
    return record


def _check_whole(record: Data) -> None:
    """Raises `RecordError` for what is only a page of a record, with how to put the pages together."""
    page = "that is one page of a record and not the whole"
    if "nextCursor" in record:
        raise RecordError(f"{page}; {JOIN_PAGES}")
    if "format" not in record and "record" in record:
        raise RecordError('a record is what stands under "record" in that object; give it alone')
    if "format" not in record and {"actions", "events"} & record.keys():
        raise RecordError(f"{page}: the first page, with its format and start, is missing; {JOIN_PAGES}")
    if "format" in record and "actions" in record and ("start" not in record or "scenario" not in record):
        lacks = " and ".join(f'"{key}"' for key in ("start", "scenario") if key not in record)
        raise RecordError(f"the record has no {lacks}: if it is a page of a long record, {JOIN_PAGES}")


def _check_ended(ended: object) -> None:
    """The key may be missing, as in most records."""
    if ended is None:
        return
    told = cast(Data, ended) if isinstance(ended, dict) else {}
    if not all(isinstance(told.get(key), kind) for key, kind in _ENDED.items()):
        raise RecordError('"ended" of the record must have the texts reason, side and kind')


def ended_in_words(record: Mapping[str, Any]) -> str:
    """Who forfeited the game of a record, as a phrase (`forfeited by p2 (an illegal action)`); "" if nobody did."""
    ended: Data | None = record.get("ended")
    if not ended or ended["reason"] != FORFEIT:
        return ""
    return f"forfeited by {ended['side'][:20]} ({KINDS_IN_WORDS.get(ended['kind'], ended['kind'][:20])})"


Each = Callable[[], None]
"""Called before each action is replayed; what it raises ends the replay."""


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Step:
    """One replayed action: what it was, what it caused now, and the state after it (which the replay goes on with)."""

    version: int
    side: str
    action: Data
    events: list[Data]
    state: State


@contextmanager
def reading(what: str) -> Generator[None]:
    """Whatever an unsound state raises within it becomes a `RecordError` in plain words: `what` says what is wrong."""
    try:
        yield
    except _UNSOUND as error:
        missing = str(error.args[0]) if isinstance(error, KeyError) and error.args else ""
        why = f'it has no "{missing[:40]}"' if missing.isidentifier() else "a value in it cannot stand there"
        raise RecordError(f"{what}: {why}") from None


def is_redacted(record: Mapping[str, Any]) -> bool:
    """Whether what a replay needs was left out for its reader (the wire contract, *The record*)."""
    return bool(record.get("redacted")) or (record["seed"] is None and record["start"].get("dice", "") is None)


def starting_state(record: Mapping[str, Any]) -> State:
    """The state of version 0. Raises `RecordError`.

    Texts in it are made fit to be shown on one line: whoever wrote the record wrote the names.
    """
    if is_redacted(record):
        raise RecordError(REDACTED)
    try:
        game = get_game(record["game"])
    except UnknownNameError as error:
        raise RecordError(str(error)) from None
    with reading(f'"start" of the record is no state of {game.name}'):
        state = game.restore(_on_one_line(record["start"]))
        _ = state.view(None), state.board(None), state.ranking(), state.result
        return state


def _on_one_line(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isprintable() or is_one_line(value) else printable(value)
    if isinstance(value, dict):
        return {_on_one_line(key): _on_one_line(each) for key, each in cast(Data, value).items()}
    return [_on_one_line(each) for each in cast(list[Any], value)] if isinstance(value, list) else value


def replay(record: Mapping[str, Any], until: int | None = None, each: Each = _nothing) -> Iterator[Step]:
    """Plays a record's actions again, up to a version. Raises `RecordError`; a refused action raises its `Refusal`."""
    state = starting_state(record)
    for number, entry in enumerate(record["actions"], start=1):
        if (until is not None and number > until) or entry["action"] is None:
            return
        if entry["version"] != number:
            found = f"number {number} says {entry['version']!r}"
            raise RecordError(f"the actions are not numbered 1, 2, 3, …: {found}; is a page of the record missing?")
        each()
        side, given = str(entry["side"]), _as_action(entry["action"], number)
        with reading(f"action {number} cannot be played from the state before it"):
            action = state.parse_action(given, side)
            events = stamped([event.to_data() for event in state.apply(side, action)], number)
        yield Step(number, side, given, events, state)


def _as_action(action: object, number: int) -> Data:
    if not isinstance(action, dict):
        raise RecordError(f"action {number} of the record is no JSON object")
    return cast(Data, action)


def state_at(record: Mapping[str, Any], version: int, each: Each = _nothing) -> State:
    """The state after that many actions. Raises as `replay` does."""
    state = starting_state(record)
    for step in replay(record, version, each):
        state = step.state
    return state


def fork(record: Mapping[str, Any], version: int, seed: int | None, each: Each = _nothing) -> tuple[State, bool]:
    """A start from the state after that many actions, and whether it has the same dice: they go on as they stood, or
    anew from a seed; from their own seed anew they are the same, since who has seen them from their beginning knows
    those to come."""
    before = state_at(record, version, each)
    begun = before.fork(seed)
    return begun, begun.to_data()["dice"]["seed"] == before.to_data()["dice"]["seed"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record and its replay part: at which action, in what, and what each says."""

    version: int
    what: str
    recorded: Any
    replayed: Any

    def to_data(self) -> Data:
        return {
            "version": self.version,
            "what": self.what,
            "recorded": self.recorded,
            "replayed": self.replayed,
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a record replays to what it says, and the replay's result. Of a `part` everything replays as it is
    recorded, but the actions end before the game does."""

    ok: bool
    result: Data | None
    first_difference: Difference | None
    part: bool = False


def verify(record: Mapping[str, Any], each: Each = _nothing) -> Verification:
    """Replays a record and compares every event and the result. Raises `RecordError` where it cannot be read at all."""
    check_record(record)
    state = starting_state(record)
    with reading(f'"start" of the record is no state of {record["game"]}'):
        difference = _difference(0, "start", record["start"], state.to_data(), record)
    waiting = _events_by_version(record)
    version = 0
    steps = replay(record, None, each)
    while difference is None:
        try:
            step = next(steps, None)
        except Refusal as refusal:
            entry = record["actions"][version]
            difference = _difference(version + 1, "action", entry, f"refused: {refusal.reason}", record)
            break
        if step is None:
            break
        version, state = step.version, step.state
        difference = _difference(version, "events", waiting.pop(version, []), step.events, record)
    with reading("the state after the last action has no result"):
        replayed = state.result.to_data() if state.result else None
    if difference is None:
        hidden = {entry["version"] for entry in record["actions"][version:] if entry["action"] is None}
        left_over = [event for number, group in waiting.items() if number not in hidden for event in group]
        difference = _difference(version, "events", left_over, [], record)
    if difference is None and replayed is None and _is_truncated(record):
        with reading("the state after the last action has no ranking"):
            replayed = _cut_off(state).to_data()
    part = difference is None and replayed is None and record["result"] is not None
    if difference is None:
        difference = _difference(version, "result", record["result"], replayed, record)
    if difference is None and record.get("ended") is not None:
        difference = _misplaced_end(version, record, state)
    return Verification(difference is None, record["result"] if difference is None else replayed, difference, part)


def _is_truncated(record: Mapping[str, Any]) -> bool:
    """A game that was cut off verifies if the replay is undecided after the last action."""
    result: Mapping[str, Any] | None = record["result"]
    return result is not None and result.get("reason") == TRUNCATED


def _misplaced_end(version: int, record: Mapping[str, Any], state: State) -> Difference | None:
    """Only a seat of the game can have forfeited it, and only a game that the rules did not end."""
    possible = _is_truncated(record) and record["ended"]["side"] in state.sides
    return None if possible else _difference(version, "ended", record["ended"], None, record)


def _cut_off(state: State) -> Result:
    """Of a round that is still open the commands are told, which nothing else would answer for (`unresolved`)."""
    commands = [{"side": side, "action": action.to_data()} for side, action in state.open_commands]
    return Result(TRUNCATED, (), state.ranking(), {"unresolved": commands} if commands else {})


def _events_by_version(record: Mapping[str, Any]) -> dict[Any, list[Data]]:
    groups: dict[Any, list[Data]] = {}
    for event in record["events"]:
        groups.setdefault(event["version"], []).append(event)
    return groups


def _difference(version: int, what: str, recorded: Any, replayed: Any, record: Mapping[str, Any]) -> Difference | None:
    if recorded == replayed:
        return None
    if record["engine"] != __version__:
        what += f" (recorded by engine {record['engine']}, replayed by {__version__})"
    return Difference(version, what, recorded, replayed)
