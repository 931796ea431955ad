"""A client that asks the server's tools, and holds every answer against what is true of all answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from mcp import Client
from mcp_types import TextContent

from livingtable.game import Data
from livingtable_server.sessions.pieces import joined


@dataclass(frozen=True)
class Asker:
    client: Client

    async def ask(self, tool: str, **arguments: Any) -> Data:
        """The structured half of an answer; the text half is there too."""
        return (await self.both(tool, **arguments))[0]

    async def text(self, tool: str, **arguments: Any) -> str:
        return (await self.both(tool, **arguments))[1]

    async def both(self, tool: str, **arguments: Any) -> tuple[Data, str]:
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert not result.is_error, content.text
        assert result.structured_content is not None
        assert content.text
        return result.structured_content, content.text

    async def error(self, tool: str, **arguments: Any) -> str:
        """The text of a tool error, which has no structured content; it is of the server's own making."""
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert result.is_error, content.text
        assert result.structured_content is None
        assert "fault of the server" not in content.text
        assert "pydantic" not in content.text
        assert content.text.isprintable(), "one line, and safe to show"
        return content.text

    async def begin(self, setup: Mapping[str, Any] | str = "crossroads", **arguments: Any) -> str:
        """The id of a new session of a scenario or a set-up."""
        source = {"scenario": setup} if isinstance(setup, str) else {"setup": dict(setup)}
        answer = await self.ask("new_game", **source, **{"detail": "brief", **arguments})
        return answer["sessionId"]

    async def begin_fork(self, session: str, **arguments: Any) -> str:
        """The id of a new session that goes on from another one."""
        return (await self.ask("new_game", fork=session, detail="brief", **arguments))["sessionId"]

    async def submit(self, session: str, notation: str, **arguments: Any) -> Data:
        return await self.ask("submit_action", sessionId=session, notation=notation, **arguments)

    async def refused(self, code: str, session: str, **arguments: Any) -> Data:
        """A refusal of that code, whole."""
        answer, text = await self.both("submit_action", sessionId=session, **arguments)
        assert answer["ok"] is False
        assert answer["code"] == code, answer
        assert set(answer) - {"legal"} == {"ok", "code", "reason", "version", "toAct"}
        assert answer["reason"].isprintable()
        for told in (code, answer["reason"], str(answer["version"]), *answer.get("legal", ()), *answer["toAct"]):
            assert told in text
        return answer

    async def legal(self, session: str, side: str | None = None) -> list[str]:
        """Every legal notation of the seat."""
        named = {"side": side} if side else {}
        answer = await self.ask("list_legal_actions", sessionId=session, detail="brief", **named)
        return alternatives(answer["legal"])

    async def whole_record(self, session: str) -> Data:
        """The pages of the record, put together."""
        page = await self.ask("get_record", sessionId=session)
        record = page["record"]
        while "nextCursor" in page:
            page = await self.ask("get_record", sessionId=session, cursor=page["nextCursor"])
            record = joined(record, page["record"])
        return record


def alternatives(lines: list[str]) -> list[str]:
    """`["move 1,0 1,1", "pass"]` as `["move 1,0", "move 1,1", "pass"]`, of games whose prefixes are one word."""
    pairs = [(line.split()[0], line.split()[1:] or [""]) for line in lines]
    return [f"{prefix} {word}".strip() for prefix, words in pairs for word in words]


async def play_out(asker: Asker, session: str, seed: int = 0, side: str | None = None) -> Data:
    """Random legal actions of the caller's seats until there is a result; returns the last answer."""
    named = {"side": side} if side else {}
    random = Random(seed)
    answer = await asker.ask("get_state", sessionId=session, detail="brief", **named)
    while answer["result"] is None:
        if not answer.get("legal"):
            answer = await asker.ask("wait_for_turn", sessionId=session, **named)
            continue
        notation = random.choice(alternatives(answer["legal"]))
        answer = await asker.submit(session, notation, expectedVersion=answer["version"], **named)
        assert answer["ok"], answer
    return answer


def compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
