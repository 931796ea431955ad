"""A small OpenAI-compatible server on loopback whose "model" is a scripted policy with a set rate of illegal and of
malformed answers.

The policy reads the legal lines of the last message that has any, as a model would. Everything that it does is decided
by the text that it is asked with, so a game is the same whenever it is played: the name of the model says what it is,
`better`, `worse` or `RATE-RATE` (illegal and malformed answers of a hundred).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

MALFORMED = "I shall go where the wind carries me.\nThen I shall rest."
CUT = "First I look at the\nboard, where"
"""An answer that ends at the limit of tokens."""
USAGE_OUT = 12


@dataclass
class Asked:
    """One question: the messages, and the tools that were offered."""

    model: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]

    @property
    def text(self) -> str:
        return "\n".join(text_of(message) for message in self.messages)


class BrokenModelError(Exception):
    """For a policy to raise: the server answers with an error, by default one that is not worth another try."""

    def __init__(self, status: int = 400) -> None:
        super().__init__(status)
        self.status = status


Policy = Callable[[Asked], str]
"""The answer's text: of a model with tools, the notation that it submits."""


@dataclass
class Scripted:
    """A server that is running."""

    url: str
    asked: list[Asked] = field(default_factory=list[Asked])


def text_of(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def legal_of(asked: Asked) -> list[str]:
    """Every legal notation of the latest message that lists any."""
    for message in reversed(asked.messages):
        if message["role"] != "system" and "legal:\n" in (text := text_of(message)):
            lines = text.rpartition("legal:\n")[2].splitlines()
            return [notation for line in lines for notation in notations_of(line)]
    return []


def notations_of(line: str) -> list[str]:
    """`move 3,4 5,5` as `move 3,4`, `move 5,5`."""
    words = line.split()
    if len(words) < 2:
        return words
    fixed = 2 if words[0] == "throw" or words[1] in (">", "x") else 1
    return [" ".join([*words[:fixed], word]) for word in words[fixed:]]


def chance(asked: Asked, salt: str) -> float:
    """From 0 to 1, by what is asked."""
    return int(sha256(f"{salt}|{asked.text}".encode()).hexdigest()[:12], 16) / 16**12


def with_faults(illegal: float, malformed: float, choose: Callable[[Asked, list[str]], str]) -> Policy:
    def policy(asked: Asked) -> str:
        drawn = chance(asked, "fault")
        if drawn < illegal:
            return f"ACTION: {illegal_of(legal_of(asked))}"
        if drawn < illegal + malformed:
            return MALFORMED
        return f"ACTION: {choose(asked, legal_of(asked))}"

    return policy


def illegal_of(legal: list[str]) -> str:
    """An action of the game's set that is not legal."""
    if any(" > " in action or action == "end" for action in legal):
        return "K1 > 99,99"
    return "throw N 100" if "stay" in legal else "move 99,99"


def any_legal(asked: Asked, legal: list[str]) -> str:
    return legal[int(chance(asked, "choice") * len(legal))]


def idle(_asked: Asked, legal: list[str]) -> str:
    """Does nothing as often as it can."""
    return next((action for action in ("pass", "stay", "end") if action in legal), legal[0])


def policy_of(model: str) -> Policy:
    rates = re.fullmatch(r"(\d+)-(\d+)", model)
    if rates:
        return with_faults(int(rates[1]) / 100, int(rates[2]) / 100, any_legal)
    return with_faults(0, 0, idle if model == "idle" else any_legal)


@contextmanager
def scripted_server(policy_by_model: Callable[[str], Policy] = policy_of) -> Generator[Scripted]:
    """Closed at the end; nothing but loopback is listened on."""
    running = Scripted("")

    class Handler(BaseHTTPRequestHandler):
        """A connection a question: Inspect leaves those that are kept alive open when a run has ended."""

        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(given["model"], given["messages"], given.get("tools") or [])
            running.asked.append(asked)
            try:
                status, answer = 200, completion(asked, policy_by_model(asked.model)(asked))
            except BrokenModelError as error:
                status, answer = (
                    error.status,
                    {"error": {"message": "the model is broken", "type": "invalid_request_error"}},
                )
            self.answer(status, json.dumps(answer).encode())

        def answer(self, status: int, answer: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: Any, **_: Any) -> None:
            """Nothing on stderr."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever asked has been interrupted."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def completion(asked: Asked, said: str) -> dict[str, Any]:
    """In OpenAI's form. With tools, an answer that ends with an action becomes a call of `submit_action`."""
    message: dict[str, Any] = {"role": "assistant", "content": said}
    if asked.tools and "ACTION: " in said:
        session = re.findall(r"session (\w+):", asked.text)[-1]
        arguments = json.dumps({"sessionId": session, "notation": said.rpartition("ACTION: ")[2]})
        function = {"name": "submit_action", "arguments": arguments}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": f"call_{len(asked.messages)}", "type": "function", "function": function}],
        }
    read = len(asked.text) // 4
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if said == CUT else "stop"}],
        "usage": {"prompt_tokens": read, "completion_tokens": USAGE_OUT, "total_tokens": read + USAGE_OUT},
    }
