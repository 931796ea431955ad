"""A game over the real MCP server, on stdio, which the model plays by its own calls of tools.

The game is begun for it, and it is offered what a player needs and nothing else: `new_game` could fork the game and
try the dice beforehand, `get_record` shows them. The server's answers reach the model as their text, without the seed,
from which all dice to come can be worked out; what they mean is read from their structured half, which Inspect's own
client for MCP does not give.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio import to_thread
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Model,
    execute_tools,
)
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from livingtable.agents import choose
from livingtable.game import Data, printable
from livingtable.records import Recording, starting_state
from livingtable_server.experiments.asking import message_of, reply_of
from livingtable_server.experiments.cells import Fixture
from livingtable_server.experiments.files import Price
from livingtable_server.experiments.parsing import Kind
from livingtable_server.experiments.play import CUT, Terms, kind_of, refusal_text
from livingtable_server.experiments.purse import Purse
from livingtable_server.experiments.table import Attempt, AttemptKind, Decision, Forfeit, Played, in_its_place
from livingtable_server.sessions.pieces import joined

OFFERED = ("get_state", "list_legal_actions", "submit_action", "wait_for_turn")
LOOKS_AT_MOST = 8
"""Calls in a row that are no action, such as looks at the board; one more counts as an answer without an action."""
_KINDS: dict[str, Kind] = {"malformed_action": "unparsable", "illegal_action": "illegal"}


def _nothing_yet() -> Attempt:
    return Attempt("unparsable", "")


@asynccontextmanager
async def own_server(scenarios: Sequence[Path]) -> AsyncGenerator[Client]:
    """A server process with a ledger in memory, for one game."""
    folders = [text for folder in scenarios for text in ("--scenarios", str(folder.absolute()))]
    arguments = ["-P", "-m", "livingtable_server", "mcp", "--store", "sqlite://", *folders]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
        yield client


@dataclass(slots=True)
class ToolGame:
    """One game of one model over a server. `talk` is all that is said: the model's memory, and the log's."""

    client: Client
    fixture: Fixture
    opponent: str
    terms: Terms
    model: Model
    price: Price | None
    purse: Purse
    talk: list[ChatMessage]
    decisions: list[Decision] = field(default_factory=list[Decision])
    forfeit: Forfeit | None = None
    _session: str = ""
    _version: int = 0
    _over: bool = False
    _looks: int = 0
    """Calls in a row that were no action."""
    _under_way: Attempt = field(default_factory=_nothing_yet)
    """What was asked and paid since the last action."""

    async def play(self) -> None:
        """To the end, a forfeit or the limit."""
        begun = await self._begin()
        tools = await self._tools()
        self.talk.append(ChatMessageSystem(content=self.terms.prompts[self.fixture.seat]))
        self.talk.append(ChatMessageUser(content=begun))
        while not self._over and self.forfeit is None:
            if self._open is None:
                if len(self.decisions) >= self.terms.max_decisions:
                    return
                await self._begin_decision()
            await self._answer(tools)
            if self._open is not None and len(self._open.attempts) > self.terms.retries:
                await self._fail(self._open)

    async def played(self) -> Played:
        """What is kept of the game: the server's record, played again here."""
        recording = await self._recording()
        for decision in self.decisions:
            if decision.how == "model":
                decision.notation = _notation(recording, decision)
        if self.forfeit is not None and recording.result is None:
            recording.forfeit(self.forfeit.side, self.forfeit.why)
        elif recording.result is None:
            recording.truncate()
        return Played(recording, self.decisions, self.forfeit)

    @property
    def _open(self) -> Decision | None:
        """The decision that the model has to take."""
        last = self.decisions[-1] if self.decisions else None
        return last if last is not None and last.how == "none" else None

    async def _begin(self) -> str:
        asked = {
            "scenario": self.fixture.scenario,
            "seed": self.fixture.seed,
            "side": self.fixture.seat,
            "opponent": self.opponent,
            "detail": "brief",
        }
        begun = await self.client.call_tool("new_game", asked)
        if begun.is_error or begun.structured_content is None:
            raise RuntimeError(f"the game could not be begun: {text_of(begun)}")
        self._session = begun.structured_content["sessionId"]
        self._note(begun.structured_content["snapshot"])
        ready = self._over or self.fixture.seat in begun.structured_content["snapshot"]["toAct"]
        return self._told(begun) if ready else f"{self._told(begun)}\n{await self._wait()}"

    async def _wait(self) -> str:
        """Until the seat is to act: within one call bots play so many actions at most."""
        while True:
            asked = {"sessionId": self._session, "side": self.fixture.seat}
            waited = await self.client.call_tool("wait_for_turn", asked)
            answer: Data = waited.structured_content or {}
            self._note(answer)
            if waited.is_error or answer.get("ready"):
                return self._told(waited)

    def _told(self, answered: CallToolResult) -> str:
        """What the model reads of an answer: nothing of the seed, which a snapshot has, brief or full."""
        seed = self.fixture.seed
        return re.sub(rf'(?m), seed {seed}(?!\d)|"seed":{seed},', "", text_of(answered))

    def _note(self, answer: Data) -> None:
        """How the game stands after an answer of the server."""
        self._version = answer.get("version", self._version)
        self._over = self._over or answer.get("result") is not None

    async def _tools(self) -> list[Tool]:
        listed = {tool.name: tool for tool in (await self.client.list_tools()).tools}
        return [self._tool(name, listed[name].description or name, listed[name].input_schema) for name in OFFERED]

    def _tool(self, name: str, description: str, schema: Data) -> Tool:
        async def call(**arguments: Any) -> str:
            given = {key: value for key, value in arguments.items() if value is not None}
            answered = await self.client.call_tool(name, given)
            if name == "submit_action":
                await self._submitted(given, answered)
            if answered.is_error:
                raise ToolError(text_of(answered))
            self._note(answered.structured_content or {})
            return self._told(answered)

        described = {key: {"description": key, **kind} for key, kind in schema["properties"].items()}
        takes = {"properties": described, "required": schema.get("required", [])}
        parameters = ToolParams.model_validate(takes)
        return ToolDef(call, name=name, description=description, parameters=parameters, max_output=0).as_tool()

    async def _submitted(self, given: Data, answered: CallToolResult) -> None:
        """One action that the model has sent, in an answer of its own or after another in the same."""
        answer: Data = answered.structured_content or {}
        if answer.get("repeated") or (self._over and self._open is None):
            return
        decision = self._open or await self._begin_decision()
        sent = given.get("notation") or given.get("action", "")
        said = sent if isinstance(sent, str) else json.dumps(sent)
        if answer.get("ok"):
            self._settle(decision, "accepted", said, "")
            decision.how, decision.notation = "model", said
        else:
            reason = answer.get("reason") or text_of(answered)
            kind = _KINDS.get(answer["code"], "refused") if "code" in answer else "unparsable"
            self._settle(decision, kind, said, reason)

    async def _begin_decision(self) -> Decision:
        decision = Decision(self.fixture.seat, self._version, 0)
        self.decisions.append(decision)
        if self.terms.agree_with:
            recording = await self._recording()
            version = decision.version
            advised = await to_thread.run_sync(
                choose, self.terms.agree_with, recording.state, decision.side, recording.seed, version
            )
            decision.advised = advised.notation
        return decision

    def _settle(self, decision: Decision, kind: AttemptKind, said: str, reason: str) -> None:
        attempt, self._under_way, self._looks = self._under_way, _nothing_yet(), 0
        attempt.kind, attempt.said, attempt.reason = kind, printable(str(said)[:80]), reason
        decision.attempts.append(attempt)

    async def _answer(self, tools: list[Tool]) -> None:
        """One answer of the model, and the calls that are in it."""
        self.purse.check()
        output = await self.model.generate(self.talk, tools=tools)
        reply = reply_of(output, self.price)
        self.purse.pay(reply.cost)
        self._under_way.add(reply.tokens_in, reply.tokens_out, reply.cost, reply.seconds)
        message = message_of(output)
        self.talk.append(message)
        decision, attempts = self._open, sum(len(d.attempts) for d in self.decisions)
        if not message.tool_calls:
            self._refuse(decision, CUT if reply.cut else "an answer without a call of a tool", cut=reply.cut)
            return
        executed = await execute_tools(self.talk, tools)
        self.talk += executed.messages
        if sum(len(d.attempts) for d in self.decisions) > attempts or self._over:
            return
        self._looks += 1
        wrong = [m.text for m in executed.messages if isinstance(m, ChatMessageTool) and m.function == "submit_action"]
        if wrong:
            self._refuse(decision, wrong[0], told=True, cut=reply.cut)
        elif self._looks > LOOKS_AT_MOST:
            self._refuse(decision, f"{self._looks} calls without an action")

    def _refuse(self, decision: Decision | None, reason: str, told: bool = False, cut: bool = False) -> None:
        """Counts an answer without an action, and says so unless the model has been told."""
        assert decision is not None, "the model is asked for a decision only"
        kind = kind_of("unparsable", cut)
        self._settle(decision, kind, "", reason)
        tries_left = max(0, self.terms.retries + 1 - len(decision.attempts))
        if not told:
            self.talk.append(ChatMessageUser(content=refusal_text(kind, reason, tries_left)))

    async def _fail(self, decision: Decision) -> None:
        how = self.terms.on_failure
        if how == "forfeit":
            self.forfeit = Forfeit(decision.side, decision.attempts[-1].kind)
            return
        recording = await self._recording()
        action = in_its_place(recording.state, decision.side, recording.seed, decision.version, how)
        decision.how, decision.notation = how, action.notation
        asked = {"sessionId": self._session, "side": decision.side, "notation": action.notation}
        answered = await self.client.call_tool("submit_action", asked)
        self._note(answered.structured_content or {})
        told = f"{action.notation} was played in your place.\n{self._told(answered)}"
        self.talk.append(ChatMessageUser(content=told))

    async def _recording(self, until: int | None = None) -> Recording:
        """The game so far, or as it was at a version, from the server's record."""
        record = await self._record()
        recording = Recording.begin(starting_state(record), record["scenario"], record["seed"], record["seats"])
        rounds = {0: recording.state.round}
        for entry in record["actions"][:until]:
            if entry["action"] is None:  # Hidden, of a round that is open.
                break
            recording.apply(entry["side"], recording.state.parse_action(entry["action"], entry["side"]))
            rounds[recording.version] = recording.state.round
        for decision in self.decisions:
            decision.round = rounds.get(decision.version, decision.round)
        return recording

    async def _record(self) -> Data:
        answered = await self.client.call_tool("get_record", {"sessionId": self._session})
        page: Data = answered.structured_content or {}
        record: Data = page["record"]
        while "nextCursor" in page:
            asked = {"sessionId": self._session, "cursor": page["nextCursor"]}
            page = (await self.client.call_tool("get_record", asked)).structured_content or {}
            record = joined(record, page["record"])
        return record


def _notation(recording: Recording, decision: Decision) -> str:
    """How an accepted action is listed, however the model wrote it."""
    later = (e for e in recording.actions if e["side"] == decision.side and e["version"] > decision.version)
    return recording.state.parse_action(next(later)["action"], decision.side).notation


def text_of(answered: CallToolResult) -> str:
    return "\n".join(part.text for part in answered.content if isinstance(part, TextContent))
