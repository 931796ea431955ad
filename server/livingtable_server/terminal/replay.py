"""`living-table replay`: steps through a record in the terminal, or prints it whole where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from rich.console import Console

from livingtable.errors import RecordError, Refusal
from livingtable.game import Data, State, get_game
from livingtable.records import TRUNCATED, ended_in_words, reading, replay, starting_state
from livingtable_server.terminal.display import Frame, is_interactive, one_line, ranking_table, terminal, whole_screen
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.keys import DOWN, END, LEFT, RIGHT, UP, pressed_keys
from livingtable_server.terminal.record_files import chosen_record

UNDECIDED = "The record ends here; the game was not decided."
KEYS = "Enter next   b back   12 Enter goes to 12   q quits"
_NEXT = ("\r", "\n", " ", "n", RIGHT, DOWN)
_BACK = ("b", "\x7f", "\x08", LEFT, UP)
_QUIT = ("q", "Q", "\x1b", END)


def replay_file(source: str, number: int | None = None, begin: int = 0) -> None:
    """Shows the record of a file, or one of several by its number, from a version on."""
    replay_record(chosen_record(source, number), begin)


def replay_record(record: Data, begin: int = 0) -> None:
    """The same of a record."""
    reel = Reel(record)
    if reel.at(begin).version < begin:
        raise UseError(f"--from must be at most {reel.last}, the record's last action.")
    console = terminal()
    if is_interactive(console):
        _step_through(console, reel, begin)
    else:
        _print_all(console, reel, begin)


@dataclass(frozen=True, slots=True)
class Picture:
    """A version of a game as it is shown: what was played to get there, what it caused, and the board after it."""

    version: int
    round: int
    action: str
    lines: list[str]
    board: str
    result: Data | None


class Reel:
    """The pictures of a record, made as they are asked for and then kept."""

    def __init__(self, record: Data) -> None:
        self.name = f'{record["game"]} "{record["scenario"].get("name", "")}", seed {record["seed"]}'
        self.last = len(record["actions"])
        self.undecided = _undecided(record)
        self.seats = [_seated(cast(Data, seat)) for seat in record["seats"] if isinstance(seat, dict)]
        with reading('"start" of the record is no board'):
            self._pictures = [_picture(0, starting_state(record), "the start", self.seats)]
        self._coming = self._develop(record)

    def at(self, version: int) -> Picture:
        """Of that version, or of the last one that there is."""
        while len(self._pictures) <= version and (picture := next(self._coming, None)):
            self._pictures.append(picture)
        return self._pictures[min(max(0, version), len(self._pictures) - 1)]

    def _develop(self, record: Data) -> Iterator[Picture]:
        describe = get_game(record["game"]).describe
        version = 0
        try:
            for step in replay(record):
                with reading(f"action {step.version} of the record leads to no board"):
                    played = f"{step.side} {step.state.parse_action(step.action, step.side).notation}"
                    picture = _picture(step.version, step.state, played, describe(step.events))
                version = step.version
                yield picture
        except (Refusal, RecordError) as error:
            said = [f"action {version + 1} of this record cannot be played: {error}", "the replay ends here"]
            yield replace(self._pictures[-1], version=version + 1, action="refused", lines=said)
        self.last = len(self._pictures) - 1  # Where all choose at once, the latest commands may not be known yet.


def _undecided(record: Data) -> str:
    """How a record ends that the rules did not."""
    if forfeit := ended_in_words(record):
        return f"The record ends here: {forfeit}."
    result: Data = record["result"] or {}
    cut_off = result.get("reason") == TRUNCATED
    return "The record ends here; the game was cut off, and was not decided." if cut_off else UNDECIDED


def _seated(seat: Data) -> str:
    """Whatever a file says: seats are no part of what the rules check."""
    return f'{seat.get("side")} "{seat.get("name")}" {seat.get("controller")}'


def _picture(version: int, state: State, action: str, lines: list[str]) -> Picture:
    result = state.result.to_data() if state.result else None
    return Picture(version, state.round, action, lines, state.board(None), result)


# at a terminal


def _step_through(console: Console, reel: Reel, begin: int) -> None:
    """Until the one who watches quits."""
    version, typed = begin, ""
    with whole_screen(console) as show, pressed_keys() as next_key:
        while True:
            picture = reel.at(version)
            version = picture.version
            show(_frame(reel, picture, typed))
            key = next_key()
            if key in _QUIT:
                return
            if key in "0123456789":
                typed = (typed + key)[:9]
            elif key in _BACK and typed:
                typed = typed[:-1]
            elif key in _BACK:
                version = max(0, version - 1)
            elif key in _NEXT:
                version, typed = (int(typed), "") if typed else (version + 1, "")


def _frame(reel: Reel, picture: Picture, typed: str) -> Frame:
    title = f"{picture.version} of {reel.last}: {picture.action}   round {picture.round}   {reel.name}"
    ended = _end_lines(picture.result, reel.undecided) if picture.version == reel.last else []
    return Frame(title, picture.board, [*picture.lines, *ended], f"go to {typed}_" if typed else KEYS)


def _end_lines(result: Data | None, undecided: str) -> list[str]:
    """The end, short."""
    if result is None:
        return ["", undecided]
    rows = [f'{row["place"]}. {row["side"]} "{row["name"]}" {row["score"]}' for row in result["ranking"]]
    return ["", f"game over: {result['reason']}", *rows]


# into a pipe


def _print_all(console: Console, reel: Reel, begin: int) -> None:
    """A line an action; the board at the start and whenever a round is over."""
    before = reel.at(begin)
    console.print(one_line(reel.name), soft_wrap=True)
    console.print(one_line("; ".join(reel.seats)), soft_wrap=True)
    console.print(Frame("", before.board, []).page(console))
    version = begin + 1
    while (picture := reel.at(version)).version == version:
        console.print(one_line(f"{version} {picture.action} | {'; '.join(picture.lines)}"), soft_wrap=True)
        if picture.round != before.round or version == reel.last:
            console.print(Frame(f"round {picture.round}", picture.board, []).page(console))
        before, version = picture, version + 1
    console.print(ranking_table(before.result) if before.result else one_line(reel.undecided))
