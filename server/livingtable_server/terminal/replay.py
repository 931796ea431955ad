"""`living-table replay`: steps through a record in the terminal, or prints it whole where there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import typer
from rich.console import Console

from livingtable.errors import Refusal
from livingtable.game import Data, State, get_game
from livingtable.records import Step, replay, starting_state
from livingtable_server.terminal.display import Frame, is_interactive, ranking_table, safe, terminal
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.record_files import record_texts

KEYS = "Enter next   b back   12 Enter goes to 12   q quits"
_NEXT = ("\r", "\n", " ", "n", "\x1b[C", "\x1b[B", "\xe0M", "\xe0P")
_BACK = ("b", "\x1b[D", "\x1b[A", "\x7f", "\x08", "\xe0K", "\xe0H")
_QUIT = ("q", "Q", "\x1b", "\x03", "\x04")


def replay_file(source: str, number: int | None = None, begin: int = 0) -> None:
    """Shows the record of a file, or one of several by its number, from a version on."""
    reel = Reel(_record(source, number))
    if begin and reel.at(begin).version < begin:
        raise UseError(f"--from must be at most {reel.last}, the record's last action.")
    console = terminal()
    if is_interactive(console):
        _step_through(console, reel, begin)
    else:
        _print_all(console, reel, begin)


def _record(source: str, number: int | None) -> Data:
    texts = list(record_texts(source))
    if number is None and len(texts) > 1:
        raise UseError(f"{source} holds {len(texts)} records: say which with --record, from 1 to {len(texts)}.")
    chosen = number or 1
    if not 1 <= chosen <= len(texts):
        raise UseError(f"{source} holds {len(texts)} records; there is no number {chosen}.")
    return texts[chosen - 1].read()


@dataclass(frozen=True, slots=True)
class Picture:
    """A version of a game as it is shown: what was played to get there, what it caused, and the board after it."""

    version: int
    round: int
    action: str
    lines: list[str]
    board: str


class Reel:
    """The pictures of a record, made as they are asked for and then kept."""

    def __init__(self, record: Data) -> None:
        self.record = record
        self.name = f"{record['game']} \"{record['scenario'].get('name', '')}\", seed {record['seed']}"
        self.last = len(record["actions"])
        state = starting_state(record)
        self._pictures = [Picture(0, state.round, "the start", [], state.board(None))]
        self._coming = self._develop()

    def at(self, version: int) -> Picture:
        """Of that version, or of the last one that there is."""
        while len(self._pictures) <= version and (picture := next(self._coming, None)):
            self._pictures.append(picture)
        return self._pictures[min(max(0, version), len(self._pictures) - 1)]

    def _develop(self) -> Iterator[Picture]:
        """An action that the rules refuse is the end of it."""
        describe = get_game(self.record["game"]).describe
        version = 0
        try:
            for step in replay(self.record):
                version = step.version
                yield Picture(version, step.state.round, _notation(step), describe(step.events), step.state.board(None))
        except Refusal as refusal:
            before = self._pictures[-1]
            said = f"the rules refuse action {version + 1} of this record: {refusal.reason}"
            yield Picture(version + 1, before.round, "refused", [said, "the replay ends here"], before.board)
            return
        if version < self.last:
            self.last = version


def _notation(step: Step) -> str:
    return f"{step.side} {_as_notation(step.state, step.action)}"


def _as_notation(state: State, action: Data) -> str:
    try:
        return state.parse_action(action).notation
    except Refusal:
        return json.dumps(action, ensure_ascii=False)


# at a terminal


def _step_through(console: Console, reel: Reel, begin: int) -> None:
    """Until the one who watches quits."""
    version, typed = begin, ""
    with console.screen() as screen:
        while True:
            picture = reel.at(version)
            version = picture.version
            screen.update(_frame(reel, picture, typed).screen(console))
            key = typer.getchar()
            if key in _QUIT:
                return
            if key.isdigit():
                typed = (typed + key)[:9]
            elif key in _BACK and typed:
                typed = typed[:-1]
            elif key in _BACK:
                version = max(0, version - 1)
            elif key in _NEXT:
                version, typed = (int(typed), "") if typed else (version + 1, "")


def _frame(reel: Reel, picture: Picture, typed: str) -> Frame:
    title = f"{picture.version} of {reel.last}: {picture.action}   round {picture.round}   {reel.name}"
    lines = [*picture.lines, *(_result_lines(reel.record["result"]) if picture.version >= reel.last else [])]
    return Frame(title, picture.board, lines, f"go to {typed}_" if typed else KEYS)


def _result_lines(result: Any) -> list[str]:
    """The end, short, as it stands in the record."""
    if not result:
        return ["", "the record ends here, the game had not ended"]
    rows = [f"{row['place']}. {row['side']} \"{row['name']}\" {row['score']}" for row in result["ranking"]]
    return ["", f"game over: {result['reason']}", *rows]


# into a pipe


def _print_all(console: Console, reel: Reel, begin: int) -> None:
    """A line or more an action; the board at the start and whenever a round is over."""
    before = reel.at(begin)
    console.print(safe(reel.name))
    console.print(Frame("", before.board, []).page(console))
    version = begin + 1
    while (picture := reel.at(version)).version == version:
        told = "; ".join(picture.lines)
        console.print(safe(f"{version} {picture.action}" + (f" | {told}" if told else "")), soft_wrap=True)
        if picture.round != before.round or version == reel.last:
            console.print(Frame(f"round {picture.round}", picture.board, []).page(console))
        before, version = picture, version + 1
    if reel.record["result"]:
        console.print(ranking_table(reel.record["result"]))
    else:
        console.print("the record ends here, the game had not ended")
