"""Lines on stdin that hold no message: each is answered, and the connection goes on."""

from __future__ import annotations

import json
import random
import subprocess
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager

import pytest
from mcp_types import JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError
from tests.server.commands import COMMAND, SECONDS_AT_MOST

from livingtable.game import Data

pytestmark = pytest.mark.usefixtures("shell")

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
CLIENT = {"name": "test", "version": "1"}
ENVELOPE: Data = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO: Data = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT},
}
ERAS = ("2025-11-25", "2026-07-28")


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


class Wire:
    """A server in a process of its own, spoken to in bytes, in one of the protocol's eras."""

    def __init__(self, process: subprocess.Popen[bytes], era: str) -> None:
        self.process = process
        self.era = era
        self.answers: list[Data] = []
        self._asked = 0

    def request(self, number: object, method: str = "tools/list", **params: object) -> Data:
        meta = {"_meta": ENVELOPE} if self.era == "2026-07-28" else {}
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, **meta}}

    def send(self, *lines: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(lines))
        self.process.stdin.flush()

    def answer(self) -> Data:
        """The next line of stdout, which is JSON-RPC."""
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert answer["jsonrpc"] == "2.0"
        self.answers.append(answer)
        return answer

    def answer_to(self, number: object) -> Data:
        while (answer := self.answer())["id"] != number:
            pass
        return answer

    def works(self) -> bool:
        self._asked += 1
        number = f"works {self._asked}"
        self.send(line(self.request(number, "tools/call", name="read_rules", arguments={"game": "foxhunt"})))
        return not self.answer_to(number)["result"].get("isError")

    def end(self) -> list[str]:
        """Closes the input; what was said on stderr, line by line. Nothing more may stand on stdout."""
        out, err = self.process.communicate(timeout=SECONDS_AT_MOST)
        assert (out, self.process.returncode) == (b"", 0)
        return err.decode().splitlines()


@contextmanager
def wire(era: str, before: bytes = b"") -> Generator[Wire]:
    """`before`: what comes ahead of the first line."""
    pipe = subprocess.PIPE
    command = [*COMMAND, "mcp", "--store", "sqlite://"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        end = threading.Timer(SECONDS_AT_MOST / 2, process.kill)  # A test that fails does not wait for ever.
        end.start()
        try:
            opened = Wire(process, era)
            first = HELLO if era == "2025-11-25" else opened.request("hello")
            opened.send(before + line(first))
            assert "result" in opened.answer_to("hello")
            yield opened
        finally:
            end.cancel()
            process.kill()


def call(number: str, arguments: str) -> bytes:
    params = f'{{"name": "submit_action", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {params}}}\n'.encode()


def nested(depth: int) -> str:
    return '{"sessionId": "x", "action": ' + '{"a": ' * depth + "1" + "}" * depth + "}"


DIGITS = "9" * 5_000

UNREADABLE = {
    "a number of 5,000 digits": (call("7", f'{{"seed": {DIGITS}}}'), PARSE_ERROR, 7),
    "an id of 5,000 digits": (call(DIGITS, "{}"), PARSE_ERROR, None),
    "an action nested 300 deep": (call('"seven"', nested(300)), PARSE_ERROR, "seven"),
    "an action nested 100,000 deep": (call("7", nested(100_000)), PARSE_ERROR, None),
    "no jsonrpc": (line({"id": 7, "method": "tools/list"}), INVALID_REQUEST, 7),
    "another jsonrpc": (line({"jsonrpc": "1.0", "id": 7, "method": "tools/list"}), INVALID_REQUEST, 7),
    "params as text": (line({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": "{}"}), INVALID_REQUEST, 7),
    "params as list": (line({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": []}), INVALID_REQUEST, 7),
    "a method that is no text": (line({"jsonrpc": "2.0", "id": 7, "method": 1}), INVALID_REQUEST, 7),
    "no method": (line({"jsonrpc": "2.0", "id": 7}), INVALID_REQUEST, 7),
    "an id that is null": (line({"jsonrpc": "2.0", "id": None, "method": "tools/list"}), INVALID_REQUEST, None),
    "an id that is true": (line({"jsonrpc": "2.0", "id": True, "method": "tools/list"}), INVALID_REQUEST, None),
    "an id with a fraction": (line({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}), INVALID_REQUEST, None),
    "an id of half a pair": (line({"jsonrpc": "2.0", "id": "\ud800", "method": "x"}), INVALID_REQUEST, None),
    "half a pair in a text": (call("7", '{"notation": "\\ud800"}'), PARSE_ERROR, 7),
    "a batch": (line([{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}]), INVALID_REQUEST, None),
    "an empty batch": (b"[]\n", INVALID_REQUEST, None),
    "a text": (b'"tools/list"\n', INVALID_REQUEST, None),
    "a number": (b"7\n", INVALID_REQUEST, None),
    "cut JSON": (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/li\n', PARSE_ERROR, None),
    "two messages on one line": (b'{"jsonrpc": "2.0", "id": 7, "method": "ping"} {}\n', PARSE_ERROR, None),
    "words": (b"hello\n", PARSE_ERROR, None),
    "no UTF-8": (b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}\n', PARSE_ERROR, None),
    "UTF-16": ('{"jsonrpc": "2.0", "id": 7}'.encode("utf-16-le") + b"\n", PARSE_ERROR, None),
    "nothing but zero bytes": (b"\0" * 10 + b"\n", PARSE_ERROR, None),
    "a response without id": (line({"jsonrpc": "2.0", "result": {}}), INVALID_REQUEST, None),
}


@pytest.mark.parametrize("era", ERAS)
def test_each_line_that_cannot_be_read_is_answered_once_and_told_on_stderr_and_the_next_call_works(era: str) -> None:
    with wire(era) as server:
        for name, (sent, code, number) in UNREADABLE.items():
            server.send(sent)
            answer = server.answer()
            assert (answer["id"], answer["error"]["code"]) == (number, code), name
            assert answer["error"]["message"].startswith(("Parse error: ", "Invalid Request: ")), name
            assert server.works(), name
        said = server.end()
    assert len(said) == len(UNREADABLE)
    assert all(one.startswith("living-table: a line on stdin was answered with an error: ") for one in said)


@pytest.mark.parametrize("era", ERAS)
def test_a_byte_order_mark_before_the_first_message_is_skipped(era: str) -> None:
    with wire(era, before=b"\xef\xbb\xbf") as server:
        assert server.works()
        assert server.end() == []


@pytest.mark.parametrize("era", ERAS)
def test_what_cannot_be_read_is_answered_before_the_first_message_too(era: str) -> None:
    with wire(era, before=b"hello\n" * 20) as server:
        assert [answer["error"]["code"] for answer in server.answers[:-1]] == [PARSE_ERROR] * 20
        assert server.works()


def test_empty_lines_and_lines_ended_by_crlf_are_no_fault() -> None:
    with wire("2025-11-25") as server:
        server.send(b"\n", b"\r\n", b"  \n", line(server.request(1))[:-1] + b"\r\n")
        assert "result" in server.answer_to(1)
        assert server.end() == []


def test_a_line_ends_at_lf_alone() -> None:
    """A carriage return is blank in JSON, and U+2028 may stand in a text."""
    spread = line(server_request := {"jsonrpc": "2.0", "id": 1, "method": "ping"}).replace(b", ", b",\r")
    with wire("2025-11-25") as server:
        server.send(spread, json.dumps({**server_request, "id": "\u2028\x85"}, ensure_ascii=False).encode() + b"\n")
        assert "result" in server.answer_to(1)
        assert "result" in server.answer_to("\u2028\x85")


@pytest.mark.slow
def test_a_line_of_40_mib_is_answered_and_not_kept() -> None:
    with wire("2025-11-25") as server:
        server.send(b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * (40 * 1024 * 1024) + b'"}\n')
        answer = server.answer()
        assert (answer["id"], answer["error"]["code"]) == (None, PARSE_ERROR)
        assert "16 MiB" in answer["error"]["message"]
        assert server.works()


def test_a_notification_and_a_response_get_no_answer() -> None:
    with wire("2025-11-25") as server:
        server.send(line({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        server.send(line({"jsonrpc": "2.0", "id": 1, "result": {}}))
        server.send(line({"jsonrpc": "2.0", "method": "notifications/none", "params": {"x": 1}}))
        assert server.works()
        assert len(server.answers) == 2, "to the hello and to the last call"


# any change of any line


def mutated(dice: random.Random, sent: bytes) -> bytes:
    """One to three bytes changed, put in or taken out, or the line cut, doubled or given a piece of itself."""
    changed = bytearray(sent.rstrip(b"\n"))
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(changed))
        match dice.randrange(6):
            case 0:
                changed[at] = dice.randrange(256)
            case 1:
                changed.insert(at, dice.choice(b'{}[]",:0-9e.\\ntru \xc3\xff'))
            case 2:
                del changed[at]
            case 3:
                del changed[at:]
            case 4:
                changed[at:at] = changed[dice.randrange(len(changed)) :]
            case _:
                changed[at] = dice.choice(b'{}[]",:0123456789')
        changed = changed or bytearray(b"x")
    return bytes(changed) + b"\n"


def needs_answer(sent: bytes) -> bool:
    """Of one line: not an empty one, a notification or a response."""
    if not sent.strip():
        return False
    try:
        message = jsonrpc_message_adapter.validate_json(sent, by_name=False)
    except ValidationError:
        return True
    return isinstance(message, JSONRPCRequest) or (
        isinstance(message, JSONRPCNotification) and "id" in json.loads(sent)
    )


def lines_of(sent: Iterable[bytes]) -> list[bytes]:
    return b"".join(sent).split(b"\n")[:-1]


@pytest.mark.parametrize("era", ERAS)
def test_of_300_changed_lines_each_is_answered_once_and_the_server_lives(era: str) -> None:
    dice = random.Random(13)
    with wire(era) as server:
        valid = [
            line(server.request(1)),
            line(server.request("two", "tools/call", name="list_scenarios", arguments={"game": "foxhunt"})),
            line(server.request(3, "tools/call", name="new_game", arguments={"scenario": "fox_pen", "seed": 7})),
            line(server.request(4, "resources/read", uri="rules://botwars")),
            line({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}}),
        ]
        sent = [mutated(dice, dice.choice(valid)) for _ in range(300)]
        expected = sum(needs_answer(one) for one in lines_of(sent))
        assert expected > 200
        already = len(server.answers)
        feeder = threading.Thread(target=server.send, args=sent)
        feeder.start()
        for _ in range(expected):
            answer = server.answer()
            assert ("result" in answer) is not ("error" in answer)
        feeder.join()
        assert len(server.answers) - already == expected
        assert server.works()
        assert not [one for one in server.end() if "Traceback" in one]
