"""`living-table play`: a person at the terminal against bots, by typing notations.

It is a session like any other, kept in the ledger action by action. The session manager lives in a thread of its own,
so that waiting for a line of input stops nothing and Ctrl-C arrives where the line is typed.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TypeVar, cast

from anyio.from_thread import BlockingPortal, start_blocking_portal
from rich.console import Console

from livingtable.errors import UnknownNameError
from livingtable.game import Data, get_game
from livingtable_server.app import session_manager
from livingtable_server.sessions.answers import introduction
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.seats import BOT
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import Frame, ranking_table, rules_page, safe, terminal
from livingtable_server.terminal.faults import INTERRUPTED, complain_of_scenario
from livingtable_server.terminal.listings import section_titles
from livingtable_server.terminal.options import check_not_left_out, how_to_resume

T = TypeVar("T")

HELP = """\
Type one choice: how a line of the list begins, and ONE of what it offers. So "move 3,4 5,5" offers "move 3,4" and
"move 5,5".
board           shows the board again, legal the choices
rules           lists the sections of the rules, rules 2 shows one
quit            leaves; the game is kept"""
WAIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Wish:
    """Which game: a new one, or with `resume` a session's id. Without a side the person has the first seat."""

    scenario: str
    seed: int | None = None
    side: str | None = None
    opponent: str = "greedy"
    resume: str | None = None


def play(settings: Settings, wish: Wish) -> int:
    """Plays until the end, or until the person has enough; returns the exit code."""
    if wish.resume is None:
        check_not_left_out(settings.scenarios, [wish.scenario])
    _prepare_input()
    console = terminal()
    manager = session_manager(settings)
    with start_blocking_portal() as portal:
        try:
            session_id = wish.resume or portal.call(_begin, manager, wish)
            seat = Seat(console, manager, portal, session_id)
            code = seat.play()
        finally:
            portal.call(manager.close)
    if code is None:
        console.print(f"To write its record into a file: living-table export {session_id}", soft_wrap=True)
        return 0
    console.print(how_to_resume(settings, session_id), soft_wrap=True)
    return code


async def _begin(manager: SessionManager, wish: Wish) -> str:
    for problem in manager.library().problems:
        complain_of_scenario(problem.file, problem.key, problem.reason)
    side = wish.side or next(iter(manager.library().get(wish.scenario).start(0).sides))
    request = NewGame(scenario=wish.scenario, seed=wish.seed, side=side, opponent=wish.opponent, controller="human")
    return (await manager.new_game(request)).session_id


class Seat:
    """The person's seat, or seats, of one session: shows what happened, asks what to do, and does it."""

    def __init__(self, console: Console, manager: SessionManager, portal: BlockingPortal, session_id: str) -> None:
        self._console = console
        self._manager = manager
        self._portal = portal
        self._session_id = session_id
        self._now = self._snapshot(0)
        self._own = [seat["side"] for seat in self._now["seats"] if not seat["controller"].startswith(BOT)]

    def play(self) -> int | None:
        """Until the game is over (None), or the person leaves (an exit code)."""
        self._say(f"Session {self._session_id}")
        told = introduction(self._ask(lambda: self._manager.session(self._session_id)))
        self._say(" ".join([told["goal"], *([f"Here: {told['terms']}."] if "terms" in told else [])]))
        self._say("Type a choice, or help.")
        self._show()
        try:
            while self._now["result"] is None:
                side = next((side for side in self._now["toAct"] if side in self._own), None)
                if side is None:
                    self._wait()
                elif not self._act(side):
                    return 0
        except KeyboardInterrupt:
            self._say("")
            return INTERRUPTED
        self._console.print(ranking_table(self._now["result"]))
        return None

    def _act(self, side: str) -> bool:
        """One line of input; False if the person leaves."""
        try:
            typed = input(f"{side}> ").strip()
        except EOFError:
            self._say("")
            return False
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "quit" | "exit" | "q":
                return False
            case "":
                pass
            case "help" | "?":
                self._say(HELP)
                self._show_legal(side)
            case "legal":
                self._show_legal(side)
            case "board":
                self._show()
            case "rules":
                self._rules(rest.strip())
            case _:
                self._submit(side, typed)
        return True

    def _submit(self, side: str, notation: str) -> None:
        version = self._now["version"]
        answer = self._ask(lambda: self._manager.submit(self._session_id, notation, side, version))
        if answer["ok"]:
            self._look(version)
        else:
            self._say(f"Refused: {answer['reason']}.")
            if answer["code"] == "stale_version":  # Somebody else has played this session meanwhile.
                self._look(version)
            else:
                self._show_legal(side)

    def _wait(self) -> None:
        """Until a seat of the person is to act, or for a while: what happens meanwhile is shown as it comes."""
        version, side = self._now["version"], self._own[0]
        idle = self._ask(lambda: self._manager.legal_actions(self._session_id, side, "brief"))
        if "reason" in idle:
            self._say(f"({idle['reason']}; the others play on)")
        self._ask(lambda: self._manager.wait_for_turn(self._session_id, side, WAIT_SECONDS, version, "brief"))
        self._look(version)

    # what there is to see

    def _look(self, since: int) -> None:
        self._now = self._snapshot(since)
        self._show()

    def _snapshot(self, since: int) -> Data:
        return self._ask(lambda: self._manager.get_state(self._session_id, None, since, "brief"))

    def _show(self) -> None:
        now = self._now
        omitted = [f"({now['eventsOmitted']} events left out)"] if "eventsOmitted" in now else []
        seats = ", ".join(f'{s["side"]} "{s["name"]}"' for s in now["seats"] if s["side"] in self._own)
        title = f"{now['scenario']}, seed {now['seed']}   round {now['round']}   you: {seats}"
        frame = Frame(title, now["board"], [*omitted, *now["events"]], side=now["side"])
        self._console.print(frame.page(self._console))
        if now["result"] is None and now["side"] in now["toAct"]:
            self._show_legal(now["side"])

    def _show_legal(self, side: str) -> None:
        legal = self._ask(lambda: self._manager.legal_actions(self._session_id, side, "brief"))["legal"]
        in_one = "You may: " + "; ".join(legal)
        fits = len(in_one) <= self._console.width
        self._say(in_one if fits else "\n  ".join(["You may:", *legal]))

    def _rules(self, section: str) -> None:
        game = self._now["game"]
        if not section:
            self._say("\n".join(["Sections, to be shown by rules NUMBER:", *section_titles(game)]))
            return
        try:
            rules_page(self._console, get_game(game).rules_section(section))
        except UnknownNameError as error:
            self._say(str(error))

    def _say(self, text: str) -> None:
        self._console.print(safe(text))

    def _ask(self, request: Callable[[], Awaitable[T]]) -> T:
        return self._portal.call(request)


def _prepare_input() -> None:
    """Any bytes are taken; at a terminal there are arrow keys and earlier lines, where the system has them."""
    if hasattr(sys.stdin, "reconfigure"):
        cast(io.TextIOWrapper, sys.stdin).reconfigure(errors="replace")
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import_module("readline")  # That alone turns it on.
