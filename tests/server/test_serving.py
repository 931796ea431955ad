"""`living-table` and `living-table mcp`: MCP over stdio, and nothing else on stdout (C63)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.server.commands import COMMAND, SECONDS_AT_MOST, AtTerminal, Shell, at_terminal, spawned
from tests.server.setups import NEIGHBOURS

from livingtable.game import Data

pytestmark = pytest.mark.usefixtures("shell")

INITIALIZE: Data = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
INITIALIZED: Data = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CORE = {
    *("list_scenarios", "read_rules", "new_game", "get_state", "list_legal_actions", "submit_action", "wait_for_turn")
}


def call(number: int, tool: str, **arguments: object) -> Data:
    parameters = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": parameters}


def listing(number: int) -> Data:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/list"}


class Served:
    """A server process that is spoken to in bytes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: list[bytes] = []

    def send(self, *messages: Data, end: str = "\n") -> None:
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write((json.dumps(message, ensure_ascii=False) + end).encode())
        self.process.stdin.flush()

    def answer(self, number: int) -> Data:
        """Reads to the answer of that number."""
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            self.lines.append(line)
            message = json.loads(line)
            if message.get("id") == number:
                return message["result"]
        raise AssertionError(f"no answer {number}, but {self.lines}")

    def end(self) -> tuple[int, str]:
        """Closes its input; the exit code and all that it said on stderr."""
        out, err = self.process.communicate(timeout=SECONDS_AT_MOST)
        self.lines += out.splitlines(keepends=True)
        return self.process.returncode, err.decode(errors="replace")


@contextmanager
def served(
    *arguments: str | Path, env: dict[str, str] | None = None, program: list[str] = COMMAND
) -> Generator[Served]:
    with subprocess.Popen(
        [*program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})},
    ) as process:
        try:
            server = Served(process)
            server.send(INITIALIZE, INITIALIZED)
            yield server
        finally:
            process.kill()


PRINTING = """
import sys
from livingtable_server import cli
from livingtable_server.tools import catalog

def printing(*_: object) -> str:
    print("a bot says hello \\u00e9")
    sys.stdout.write("without an end of line")
    return "{}"

catalog.texts.as_json = printing
sys.argv = ["living-table", *sys.argv[1:]]
cli.main()
"""
"""The command, with something in it that prints whenever a tool answers in full."""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_line_of_stdout_is_json_rpc_whatever_the_system_says_of_texts(shell: Shell, end: str) -> None:
    """C63"""
    name = "a fox 🦊 in the snow ☃"
    odd: Data = {"title": "ünï 漢字 🦊", "summary": "“quoted”", **NEIGHBOURS, "name": name}
    folder = shell.write("own/fox.json", odd).parent
    env = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
    program = [sys.executable, "-P", "-c", PRINTING]
    with served("mcp", "--store", "sqlite://", "--scenarios", folder, env=env, program=program) as server:
        server.send(call(1, "list_scenarios"), call(2, "new_game", scenario=name, side="p1"), end=end)
        rows = server.answer(1)["structuredContent"]["scenarios"]
        assert (name, "ünï 漢字 🦊") in [(row["name"], row["title"]) for row in rows]
        assert server.answer(2)["structuredContent"]["snapshot"]["scenario"] == name
        server.send(call(3, "list_scenarios", game="🦊"), listing(4), end=end)
        assert server.answer(3)["isError"]
        server.answer(4)
        code, err = server.end()
    assert code == 0
    assert "a bot says hello" in err, "it really printed"
    assert len(server.lines) == 5
    for line in server.lines:
        assert line.endswith(b"\n")
        assert b"\r" not in line
        assert json.loads(line.decode("utf-8"))["jsonrpc"] == "2.0"


def test_without_arguments_all_tools_are_served_and_the_end_of_input_is_the_end() -> None:
    with served() as server:
        server.send(listing(1))
        names = {tool["name"] for tool in server.answer(1)["tools"]}
        assert server.end() == (0, "")
    assert names > CORE


def test_core_tools_are_served_alone() -> None:
    with served("mcp", "--tools", "core") as server:
        server.send(listing(1))
        assert {tool["name"] for tool in server.answer(1)["tools"]} == CORE


def test_the_health_of_the_option_stands_above_a_scenarios_own() -> None:
    with served("mcp", "-H", "2.5", "--store", "sqlite://") as server:
        server.send(call(1, "new_game", scenario="crossroads", side="p1"))
        state = server.answer(1)["structuredContent"]["snapshot"]["state"]
    assert {character["health"] for character in state["characters"]} == {2.5}


def test_a_game_is_in_the_store_that_was_named(shell: Shell) -> None:
    store = f"sqlite:///{shell.folder}/here.db"
    with served("mcp", "--store", store) as server:
        server.send(call(1, "new_game", scenario="crossroads", side="p1"))
        session = server.answer(1)["structuredContent"]["sessionId"]
        server.end()
    assert shell("export", session, "--store", store, "--out", "-").code == 0
    assert shell("export", session).is_wrong_use("There is no store")


def test_a_store_that_cannot_be_opened_is_told_at_the_first_call(shell: Shell) -> None:
    shell.write("games.db", "this is no database at all, but a text")
    with served("mcp", "--store", f"sqlite:///{shell.folder}/games.db") as server:
        server.send(listing(1), call(2, "list_scenarios"), call(3, "new_game", scenario="crossroads"))
        assert server.answer(1)["tools"]
        assert not server.answer(2).get("isError")
        refused = server.answer(3)
        assert refused["isError"]
        assert "games.db" in refused["content"][0]["text"]
        assert "Traceback" not in server.end()[1]


@pytest.mark.parametrize("line", ["mcp --health none", "mcp --store mysql://host/db", "mcp --scenarios no/such/folder"])
def test_wrong_options_end_it_before_it_serves(line: str) -> None:
    assert spawned(*line.split(), stdin=json.dumps(INITIALIZE).encode()).is_wrong_use()


def test_no_input_at_all_is_a_quiet_end() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&-', "sh", *COMMAND], stderr=subprocess.PIPE, timeout=SECONDS_AT_MOST
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_has_gone_is_a_quiet_end() -> None:
    with served() as server:
        server.answer(0)
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send(listing(1))
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.stderr is not None
        assert (server.process.stderr.read(), server.process.wait(SECONDS_AT_MOST)) == (b"", 0)


def test_ctrl_c_is_a_quiet_end() -> None:
    with served() as server:
        server.answer(0)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(SECONDS_AT_MOST) == -signal.SIGINT
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b""


# at a terminal


def said_at_start(terminal: AtTerminal) -> str:
    return terminal.until("lists all commands")


@pytest.mark.parametrize("arguments", [[], ["mcp", "--store", "sqlite://"]])
def test_at_a_terminal_it_says_what_it_is_and_how_to_configure_it_and_serves(
    arguments: list[str],
) -> None:
    with at_terminal(*arguments) as terminal:
        said = said_at_start(terminal)
        assert "living-table demo" in said
        assert max(map(len, said.splitlines())) < 80
        snippet = json.loads(said[said.index("{") : said.rindex("}") + 1])
        server = snippet["mcpServers"]["living-table"]
        assert [server["command"], *server["args"]] == COMMAND
        terminal.press(json.dumps(INITIALIZE) + "\n")
        terminal.until('"result"')
        terminal.press("\x04")
        assert terminal.end() == 0


def test_at_a_terminal_ctrl_c_ends_it_at_once() -> None:
    with at_terminal() as terminal:
        said_at_start(terminal)
        terminal.press(json.dumps(INITIALIZE) + "\n")
        terminal.until('"result"')
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == -signal.SIGINT
        assert "Traceback" not in terminal.rest()


def test_the_serving_path_imports_nothing_that_it_does_not_need() -> None:
    """A host waits for it to start. How long that takes is measured in `tests/benchmarks`."""
    script = (
        "import sys; from livingtable_server import cli; cli.run(cli.app, ['mcp', '--store', 'sqlite://']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    imported = set(done.stderr.split())
    assert {"typer", "livingtable_server.app"} <= imported
    needless = {"sqlalchemy", "aiosqlite", "jinja2", "platformdirs", "rich.table", "rich.markdown"}
    needless |= {f"livingtable_server.terminal.{name}" for name in ("demo", "play", "replay", "verify", "display")}
    assert imported & needless == set()
