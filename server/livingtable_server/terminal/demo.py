"""`living-table demo`: a scripted agent plays a whole game through the server's tools, as a model would.

The server is a process of its own, reached over stdio by the SDK's client. The agent gets nothing but what the tools
give: the state that its seat may see, and the legal actions.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from rich.console import Console

from livingtable.agents import create
from livingtable.errors import innermost
from livingtable.game import Data
from livingtable.records import starting_state
from livingtable_server.sessions.pieces import joined
from livingtable_server.settings import Settings
from livingtable_server.terminal.display import Frame, is_interactive, one_line, ranking_table, terminal, whole_screen
from livingtable_server.terminal.faults import INTERRUPTED, UseError, complain_of_scenario
from livingtable_server.terminal.options import check_not_left_out, how_to_resume, server_arguments, server_environment
from livingtable_server.terminal.record_files import check_target, write_record
from livingtable_server.terminal.serve_stdio import module_command

AGENT = "greedy"
SECONDS_A_DECISION, SECONDS_A_LINE, SECONDS_AT_MOST = 0.3, 0.06, 1.5
DECISIONS_BETWEEN_BOARDS = 10
"""Where lines are printed one under the other."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be shown. Without a side the agent has the first seat; without a seed one is drawn."""

    scenario: str
    seed: int | None = None
    side: str | None = None
    fast: bool = False
    out: Path | None = None


def demo(settings: Settings, wish: Wish) -> int:
    """Plays, shows and records a game; returns the exit code."""
    check_target(wish.out)
    check_not_left_out(settings.scenarios, [wish.scenario])
    console = terminal()
    game = Demo(settings, wish)
    try:
        if is_interactive(console):
            with whole_screen(console) as show:
                show(Frame("Starting the server …", "", []))
                anyio.run(game.run, Pictures(show, wish.fast))
        else:
            anyio.run(game.run, Lines(console))
    except (KeyboardInterrupt, BaseExceptionGroup) as error:
        if not isinstance(innermost(error), KeyboardInterrupt):
            raise
        if game.session_id:
            console.print(f"Stopped. {how_to_resume(settings, game.session_id)}", soft_wrap=True)
        return INTERRUPTED
    game.tell_the_end(console)
    return 0


class Tools:
    """The server's tools, each by its name."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> Data:
        """The structured answer; null arguments are left out. Raises `UseError` with the text of a tool error."""
        given = {key: value for key, value in arguments.items() if value is not None}
        result = await self._client.call_tool(tool, given)
        if result.is_error or result.structured_content is None:
            text = " ".join(part.text for part in result.content if isinstance(part, TextContent))
            raise UseError(text.removeprefix(f"Error executing tool {tool}: "))
        return result.structured_content

    async def record(self, session_id: str) -> Data:
        """The whole record, from its pages."""
        answer = await self.call("get_record", sessionId=session_id)
        record: Data = answer["record"]
        while "nextCursor" in answer:
            answer = await self.call("get_record", sessionId=session_id, cursor=answer["nextCursor"])
            record = joined(record, answer["record"])
        return record


class Show(Protocol):
    """Whoever shows a game as it goes."""

    async def show(self, frame: Frame) -> None: ...


class Demo:
    """One game of the demo. `session_id` is there once it has begun, the rest once it is over."""

    def __init__(self, settings: Settings, wish: Wish) -> None:
        self._settings = settings
        self._wish = wish
        self.session_id = ""
        self.record: Data = {}
        self.last_board = ""
        self.verified = False

    async def run(self, show: Show) -> None:
        command, *arguments = module_command()
        server = StdioServerParameters(
            command=command,
            args=[*arguments, "mcp", *server_arguments(self._settings)],
            env=server_environment(self._settings),
        )
        async with Client(server) as client:
            tools = Tools(client)
            begun = await self._begin(tools)
            await self._play(Player(tools, begun, await tools.record(self.session_id)), show)
            self.record = await tools.record(self.session_id)
            self.verified = (await tools.call("verify_record", record=self.record))["ok"]

    async def _begin(self, tools: Tools) -> Data:
        """The snapshot of a new game."""
        wish = self._wish
        first = await _first_seat(tools, wish.scenario)
        begun = await tools.call(
            "new_game", scenario=wish.scenario, seed=wish.seed, side=wish.side or first, detail="full"
        )
        self.session_id = begun["sessionId"]
        return begun["snapshot"]

    async def _play(self, player: Player, show: Show) -> None:
        since = 0
        while True:
            now = await player.look(since)
            since, self.last_board = now["version"], now["board"]
            await show.show(_frame(now, player.side))
            if now["result"] is not None:
                return
            await player.go_on()

    def tell_the_end(self, console: Console) -> None:
        """The board and the ranking, where the record is and how to verify it."""
        console.print(Frame("", self.last_board, []).page(console))
        console.print(ranking_table(self.record["result"]))
        if not self.verified:
            raise RuntimeError("the record of this game does not replay")
        file = str(write_record(self.record, self._wish.out))
        actions = len(self.record["actions"])
        console.print(f"\nThe record, {actions} actions, verified by the server: {file}", soft_wrap=True)
        console.print(f"To verify it yourself: living-table verify {shlex.quote(file)}", soft_wrap=True)
        console.print(f"To step through it:    living-table replay {shlex.quote(file)}", soft_wrap=True)


class Player:
    """The scripted agent at its seat. It begins with the snapshot of a new game and the record of its start, and then
    has what the tools answer."""

    def __init__(self, tools: Tools, snapshot: Data, record: Data) -> None:
        self.side: str = snapshot["side"]
        self._tools = tools
        self._session_id = snapshot["sessionId"]
        self._agent = create(AGENT, snapshot["game"], self.side, snapshot["seed"])
        self._start = starting_state(record)  # It only reads actions: they come as JSON.

    async def look(self, since: int) -> Data:
        """How the game stands, and what has happened since, as texts."""
        return await self._call("get_state", sinceVersion=since, detail="brief")

    async def go_on(self) -> None:
        """Acts, or waits until it may."""
        answer = await self._call("wait_for_turn", detail="full")
        if self.side not in answer["toAct"]:
            return
        legal = [self._start.parse_action(action, self.side) for action in answer["actions"]]
        action = self._agent.choose(answer["state"], legal)
        done = await self._call("submit_action", notation=action.notation, expectedVersion=answer["version"])
        if not done["ok"]:
            raise RuntimeError(f"{action.notation} was refused: {done['reason']}")

    async def _call(self, tool: str, **arguments: Any) -> Data:
        return await self._tools.call(tool, sessionId=self._session_id, side=self.side, **arguments)


def _frame(now: Data, side: str) -> Frame:
    name = next(seat["name"] for seat in now["seats"] if seat["side"] == side)
    title = f'{now["scenario"]}, seed {now["seed"]}   round {now["round"]}   {side} "{name}" is the agent {AGENT}'
    return Frame(title, now["board"], now["events"], "Ctrl-C stops; the game is kept", side)


async def _first_seat(tools: Tools, scenario: str) -> str | None:
    listed = await tools.call("list_scenarios")
    for problem in listed.get("problems", ()):
        complain_of_scenario(problem["file"], problem["key"], problem["reason"])
    return next((row["seats"][0] for row in listed["scenarios"] if row["name"] == scenario), None)


class Pictures:
    """At a terminal: one picture after the other in the same place, slowly enough to be watched."""

    def __init__(self, picture: Callable[[Frame], None], fast: bool) -> None:
        self._picture = picture
        self._fast = fast
        self._lines: list[str] = []

    async def show(self, frame: Frame) -> None:
        self._lines = [*self._lines, *frame.lines][-100:]
        self._picture(replace(frame, lines=self._lines))
        if not self._fast:
            await anyio.sleep(min(SECONDS_A_DECISION + SECONDS_A_LINE * len(frame.lines), SECONDS_AT_MOST))


class Lines:
    """Into a pipe: every event, and now and then the board."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown = 0

    async def show(self, frame: Frame) -> None:
        for line in frame.lines:
            self._console.print(one_line(line), soft_wrap=True)
        if self._shown % DECISIONS_BETWEEN_BOARDS == 0:
            self._console.print(Frame(frame.title, frame.board, []).page(self._console))
        self._shown += 1
