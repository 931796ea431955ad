"""The contract that every game keeps, and the registry of games.

A game is a small descriptor (`Game`) and a state object (`State`); the shape is OpenSpiel's. Whoever plays, records,
serves or rates goes through these two and knows no game by name.

A state is what the rules act on: whole (dice included), plain data on demand (`to_data`/`from_data`), cheap to copy.
Seats are named by a *side* (`"p1"`, `"ivory"`). Actions and events are small frozen dataclasses; on the wire, in
records and in the ledger they are plain JSON objects (`to_data`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from livingtable.dice import MAX_SEED as MAX_SEED  # seeds are part of the contract
from livingtable.errors import UnknownNameError
from livingtable.rulebook import look_up, sections

if TYPE_CHECKING:
    from pydantic import BaseModel

Data = dict[str, Any]
"""A JSON object."""


class Action(Protocol):
    """One choice of a seat."""

    @property
    def notation(self) -> str:
        """The short text of it, unique within a position (`move 3,4`)."""
        ...

    def to_data(self) -> Data:
        """The JSON object of it: `{"type": "move", "to": "3,4"}`."""
        ...


class Event(Protocol):
    """One thing that happened, caused by an action."""

    def to_data(self) -> Data:
        """`{"type": …, "side": …, …}`; the record adds `version`, the number of the causing action."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    `winners` are the sides at place 1 (none in a draw), `ranking` has a row a seat, best first:
    `{place, side, name, score, …}`. `extra` holds what a game adds (botwars: the united `party`).
    """

    reason: str
    winners: tuple[str, ...]
    ranking: tuple[Data, ...]
    extra: Mapping[str, Any]

    def to_data(self) -> Data:
        rows = [dict(row) for row in self.ranking]
        return {"reason": self.reason, "winners": list(self.winners), "ranking": rows, **self.extra}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Result:
        extra = {k: v for k, v in data.items() if k not in ("reason", "winners", "ranking")}
        return cls(data["reason"], tuple(data["winners"]), tuple(data["ranking"]), extra)


class State(ABC):
    """A position of a game, whole: everything that what follows depends on, the dice included."""

    __slots__ = ()

    game: ClassVar[Game]

    @property
    @abstractmethod
    def sides(self) -> tuple[str, ...]:
        """Every seat, in registration order."""

    @property
    @abstractmethod
    def names(self) -> Mapping[str, str]:
        """The display name of each seat. Players write these: show them in quotes, take them for no instruction."""

    @property
    @abstractmethod
    def round(self) -> int:
        """From 1; stays at the last one played."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """What kind of decision is open."""

    @property
    @abstractmethod
    def to_act(self) -> tuple[str, ...]:
        """The seats that may act now, in registration order; empty once there is a result."""

    @property
    @abstractmethod
    def result(self) -> Result | None:
        """None while the game goes on."""

    @abstractmethod
    def legal_actions(self, side: str) -> Sequence[Action]:
        """What the seat may do, in the order that its game's `actions.py` documents.

        Empty for a seat that may not act, never empty for one that may. Not to be changed by the caller.
        """

    @abstractmethod
    def why_idle(self, side: str) -> str:
        """Why `legal_actions` is empty for the seat, as one sentence; "" where it is not."""

    @abstractmethod
    def parse_action(self, given: str | Mapping[str, Any], side: str | None = None) -> Action:
        """The action that a notation as it is listed, or a JSON object, writes, said by a seat (None: by the one that
        is to act). What players send goes through `livingtable.notation`, which reads more writings.

        Raises `Refusal` (`malformed_action`) that says what is wrong; `not_your_seat` where what is meant depends on
        the seat and there is none of that name.
        """

    @abstractmethod
    def apply(self, side: str, action: Action) -> Sequence[Event]:
        """Plays the action and returns what happened, in order.

        Raises `Refusal` (`game_over`, `not_your_turn`, `illegal_action`) and then has changed nothing.
        """

    @property
    def open_commands(self) -> Sequence[tuple[str, Action]]:
        """The hidden actions of the round that is open, each with its side, in the order of arrival; none where seats
        take turns. For no reader's eyes before the round is resolved."""
        return ()

    @property
    def clock(self) -> tuple[str, Action] | None:
        """The side and the action that end an open round without those who have not chosen yet; None where no clock
        can be set."""
        return None

    @property
    def round_milliseconds(self) -> int | None:
        """How long the table is to wait before it ends an open round by `clock`; None: for ever."""
        return None

    @property
    def terms(self) -> str:
        """The settings that a player has to know and no board shows, in words; "" where there are none."""
        return ""

    @abstractmethod
    def view(self, side: str | None) -> Data:
        """What that seat (None: a spectator) may know, as the wire's `state`. Hidden things are left out here."""

    @abstractmethod
    def board(self, side: str | None) -> str:
        """The same as a text board of plain ASCII with its legend, for a model or a terminal."""

    @abstractmethod
    def svg(self, side: str | None) -> str:
        """The same as a picture: one self-contained SVG document."""

    @abstractmethod
    def ranking(self) -> tuple[Data, ...]:
        """The ranking as it stands, for games that are cut off."""

    @abstractmethod
    def copy(self) -> State:
        """An independent copy."""

    @abstractmethod
    def fork(self, seed: int | None = None) -> State:
        """A copy without the commands of an open round; its dice go on as they stood, or are made anew from a seed."""

    @abstractmethod
    def to_data(self) -> Data:
        """The whole state as JSON; `Game.restore` makes it again."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line of an account, and the event objects that it tells."""

    text: str
    events: tuple[Data, ...]


def _no_groups(_group: str, _state: State) -> str | None:
    return None


def named_in(event: Mapping[str, Any]) -> frozenset[str]:
    """Every text in an event, as a key or a value: the seats that it names are among them."""
    found: set[str] = set()
    open_parts: list[object] = [value for key, value in event.items() if key != "type"]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, Mapping):
            open_parts += cast("Mapping[str, object]", part).items()
        elif isinstance(part, list | tuple):
            open_parts += cast("Sequence[object]", part)
    return frozenset(found)


@dataclass(frozen=True)
class Game:
    """A game's descriptor."""

    name: str
    title: str
    summary: str
    simultaneous: bool
    setup_model: type[BaseModel]
    """The schema of its scenario files and set-ups."""
    start: Callable[[Any, int], State]
    """From a checked set-up (an instance of `setup_model`) and a seed, the state of version 0."""
    restore: Callable[[Mapping[str, Any]], State]
    """From `State.to_data()`, the state. Raises `ValueError` or `KeyError` where it is none."""
    describe: Callable[[Sequence[Data]], list[str]]
    """Event objects as short texts, one line each (`p2 moves 3,4 to 4,4`); some events share a line."""
    group_sides: Callable[[str, State], str | None] = _no_groups
    """A seat for the name of a group of seats (botwars: `troll` is the first troll's), None if it is none."""
    tell: Callable[[Sequence[Data]], list[Told]] | None = None
    """The lines of `describe`, each with its events; None: it is not known which line tells which event."""
    routine: frozenset[str] = frozenset()
    """The types of events that are left out first where an account is too long."""
    concerned: Callable[[Data], Collection[str]] = named_in
    """The seats whom an event concerns, perhaps among other texts."""

    def told(self, events: Sequence[Data]) -> list[Told]:
        """`describe`, with the events of each line. Without `tell` a line has all events of its version."""
        if self.tell is not None:
            return self.tell(events)
        by_version = [tuple(group) for _, group in groupby(events, key=lambda event: event["version"])]
        return [Told(text, group) for group in by_version for text in self.describe(group)]

    def rules_text(self) -> str:
        """The rules for players: Markdown with sections `## 1. …`, `## 2. …`."""
        return (resources.files("livingtable.games") / self.name / "rules.md").read_text("utf-8")

    def rules_section(self, section: str) -> str:
        """One section, by its number or by words of its title; else the rule of a number (`BW-4.3`, `4.3`), or what
        is said with these words. Raises `UnknownNameError`, which lists the sections."""
        rules = self.rules_text()
        if found := look_up(rules, section):
            return found
        raise UnknownNameError(unknown_name("section", section, [part.heading for part in sections(rules)]))


_games: dict[str, Game] = {}


def register(game: Game) -> None:
    """Makes a game known to records, scenarios, sessions and the contract tests."""
    _games[game.name] = game


def game_names() -> tuple[str, ...]:
    """The registered games, in alphabetical order."""
    return tuple(sorted(_games))


def get_game(name: str) -> Game:
    """Raises `UnknownNameError`, which names the nearest game."""
    if name not in _games:
        raise UnknownNameError(unknown_name("game", name, game_names()))
    return _games[name]


def unknown_name(kind: str, name: str, known: Sequence[str]) -> str:
    """`no game "botwar"; did you mean "botwars"? Known: …`. Of a very long name the beginning is shown."""
    shown = name if len(name) <= 40 else name[:40] + "…"
    near = get_close_matches(name[:80], known, n=1, cutoff=0.5)
    hint = f'; did you mean "{near[0]}"?' if near else "."
    return f'There is no {kind} "{printable(shown)}"{hint} Known: {", ".join(known)}.'


def printable(text: str) -> str:
    """A text on one line, without control characters or halves of surrogate pairs: safe to show anywhere."""
    return "".join(c if c.isprintable() else "�" for c in text)


def legal_lines(actions: Sequence[Action]) -> list[str]:
    """Legal actions as lines that put the alternatives of one prefix together: `move 3,4 4,4 5,5`, `pass`.

    A prefix is all of a notation but its last word; the order is that of the actions.
    """
    lines: dict[str, list[str]] = {}
    for action in actions:
        prefix, _, last = action.notation.rpartition(" ")
        lines.setdefault(prefix or last, []).append(last if prefix else "")
    return [" ".join([prefix, *(w for w in words if w)]) for prefix, words in lines.items()]


def beginning_with(actions: Sequence[Action], prefix: str) -> list[Action]:
    """Those whose notation begins with the prefix: with its words, or if there are none, with its letters (`K1` is
    not `K10`; `K` is each of `K1` to `K9`). Small and capital letters are the same."""
    words = prefix.casefold().split()
    by_words = [action for action in actions if action.notation.casefold().split()[: len(words)] == words]
    if by_words:
        return by_words
    start = " ".join(words)
    return [action for action in actions if action.notation.casefold().startswith(start)]
