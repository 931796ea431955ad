"""Whatever an agent does, it forfeits its own game at most, and nothing of it is left."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.arena.tournaments import brief
from tests.arena.zoo import BAD_AGENTS, left_of, until
from tests.server.commands import COMMAND

from livingtable.arena.entrants import try_start
from livingtable.arena.plan import Plan
from livingtable.arena.run import Run
from livingtable.arena.workers import play_one
from livingtable.errors import UnknownNameError
from livingtable.game import Data
from livingtable.records import verify

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="they look into /proc")


@pytest.fixture
def bad(tmp_path: Path) -> Callable[[str], str]:
    file = tmp_path / "bad.py"
    file.write_text(BAD_AGENTS, "utf-8")
    return lambda name: f"{file}:{name}"


def first_game(plan: Plan) -> Data:
    played = play_one(plan, next(plan.fixtures()))
    assert verify(played.record).ok
    assert played.record.get("ended", {}).get("kind") == played.row.get("why")
    return played.row


@pytest.mark.parametrize(
    "name",
    [
        "prints",
        "prints_a_lot",
        "reads_stdin",
        "closes_stdout",
        "forks_and_leaves_a_child_behind",
        "catches_signals",
        "says_thirty_thousand_signs",
    ],
)
def test_an_agent_may_do_what_does_not_concern_its_answers(
    tmp_path: Path, bad: Callable[[str], str], name: str
) -> None:
    row = first_game(brief(tmp_path, bad(name), "random", seconds=60))
    assert row["end"] in ("won", "drawn"), row
    assert left_of(tmp_path / "groups") == []


@pytest.mark.parametrize(
    ("name", "why", "words"),
    [
        ("writes_garbage", "unparsable", 'no answer to this question: "garbage"'),
        ("writes_bytes_that_are_no_text", "unparsable", "no answer to this question"),
        ("writes_json_of_another_shape", "unparsable", 'no answer to this question: "[1, 2]"'),
        ("writes_deep_json", "unparsable", "no answer to this question"),
        ("writes_a_long_number", "unparsable", 'no answer to this question: "9999999999'),
        ("answers_twice", "unparsable", 'no answer to this question: "{"number": 1'),
        ("answers_before_it_is_asked", "unparsable", 'no answer to this question: "{"number": 9'),
        ("answers_half_a_line", "crash", "the process ended with exit code 0"),
        ("answers_at_length", "overlong", "the answer is longer than 64 KB"),
        ("writes_without_an_end", "overlong", "the answer is longer than 64 KB"),
        ("writes_lines_without_an_end", "unparsable", "no answer to this question"),
        ("closes_the_channel", "crash", "the process closed the channel of its answers"),
        ("closes_everything", "crash", "the process ended with exit code 1"),
        ("forks_a_sleeper_and_leaves", "crash", "the process ended with exit code 0"),
        ("forks_a_tree_and_leaves", "crash", "a tree is left"),
        ("starts_a_program_and_leaves", "crash", "the process ended with exit code 0"),
        ("leaves_quietly", "crash", "the process ended with exit code 0"),
        ("leaves_with_a_code", "crash", "the process ended with exit code 7"),
        ("leaves_in_words", "crash", "enough of this"),
        ("ends_itself", "crash", "the process was ended by SIGKILL"),
        ("aborts", "crash", "the process was ended by SIGABRT"),
        ("raises", "crash", "RuntimeError: no idea (bad.py, line "),
        ("raises_more_than_an_error", "crash", "KeyboardInterrupt"),
        ("raises_what_cannot_be_said", "crash", "Mute"),
        ("recurses", "crash", "RecursionError"),
        ("gives_none", "unparsable", "neither a notation nor an action, but None"),
        ("gives_a_number", "unparsable", "but 7"),
        ("gives_not_a_number", "unparsable", "but nan"),
        ("gives_bytes", "unparsable", "but a bytes"),
        ("gives_an_empty_object", "unparsable", ""),
        ("gives_an_object", "unparsable", ""),
        ("gives_half_a_pair", "unparsable", ""),
        ("gives_what_bites", "unparsable", "but a Biting"),
        ("gives_itself_in_itself", "unparsable", "but a dict"),
        ("CannotBeMade", "crash", "RuntimeError: no such thing"),
        ("LeavesWhileItIsMade", "crash", "the process ended with exit code 3"),
        ("HasNoChoose", "crash", "AttributeError"),
    ],
)
def test_what_is_no_answer_is_a_forfeit_in_words_and_nothing_is_left(
    tmp_path: Path, bad: Callable[[str], str], name: str, why: str, words: str
) -> None:
    row = first_game(brief(tmp_path, bad(name), "random", seconds=60))
    assert (row["end"], row["why"]) == ("forfeit", why), row
    assert words in row["detail"]
    assert left_of(tmp_path / "groups") == []


@pytest.mark.parametrize("name", ["answers_late", "spins", "spins_in_c", "sleeps_and_ignores_signals"])
def test_who_does_not_answer_in_time_is_ended(tmp_path: Path, bad: Callable[[str], str], name: str) -> None:
    row = first_game(brief(tmp_path, bad(name), "random", seconds=0.2))
    assert (row["end"], row["why"], row["detail"]) == ("forfeit", "timeout", "no answer within 0.2 s"), row
    assert left_of(tmp_path / "groups") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise RuntimeError('broken')", "RuntimeError: broken (broken.py, line 1)"),
        ("import sys; sys.exit('closed today')", "closed today"),
        ("import os; os._exit(4)", "the process ended with exit code 4"),
        ("raise BaseException('beyond')", "BaseException: beyond"),
        ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
    ],
)
def test_a_file_that_cannot_be_imported_says_why(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "broken.py").write_text(text, "utf-8")
    with pytest.raises(UnknownNameError) as raised:
        try_start(f"{tmp_path / 'broken.py'}:choose", "p1", 60.0)
    assert words in str(raised.value)


def test_a_tournament_of_such_agents_comes_to_its_end(tmp_path: Path, bad: Callable[[str], str]) -> None:
    names = ("writes_garbage", "forks_a_sleeper_and_leaves", "answers_at_length", "gives_none")
    plan = brief(tmp_path, "random", *map(bad, names), games=20, seconds=60)
    run = Run(tmp_path / "run")
    assert run.go_on(plan) == 20
    rows = list(run.rows())
    assert {row["end"] for row in rows} == {"forfeit"}
    assert {row["why"] for row in rows} == {"unparsable", "crash", "overlong"}
    assert left_of(tmp_path / "groups") == []


def test_who_forfeits_is_last_in_its_row_and_the_record_says_so(tmp_path: Path, bad: Callable[[str], str]) -> None:
    plan = brief(tmp_path, bad("gives_none"), "random")
    for fixture in plan.fixtures():
        played = play_one(plan, fixture)
        side = played.row["side"]
        assert played.row["seats"][side] == bad("gives_none")
        assert played.row["places"] == {**dict.fromkeys(played.row["places"], 1), side: 2}
        assert played.record["ended"] == {"reason": "forfeit", "side": side, "kind": "unparsable"}
        assert played.record["result"]["reason"] == "truncated"
        assert verify(played.record).ok
        assert verify({key: value for key, value in played.record.items() if key != "ended"}).ok


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("name", ["spins_in_c", "forks_a_tree_and_waits"])
def test_of_a_tournament_that_is_ended_no_agent_is_left(
    tmp_path: Path, bad: Callable[[str], str], name: str, workers: str, how: signal.Signals
) -> None:
    plan = brief(tmp_path, bad(name), "random")
    line = ["arena", "run", "--scenario", "brief", "--scenarios", plan.folders[0], "--agents", f"{bad(name)},random"]
    command = [
        *COMMAND,
        *line,
        "--games",
        "16",
        "--workers",
        workers,
        "--seconds",
        "600",
        "--out",
        str(tmp_path / "run"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until(lambda: (tmp_path / "asked").exists() or process.poll() is not None)
        process.send_signal(how)
        process.communicate(timeout=60)
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}.get(how, -how)
    assert left_of(tmp_path / "groups") == []


# over wires

MCP_SERVER = """
import os, sys, time
from pathlib import Path
from typing import Any
from mcp.server import MCPServer

with (Path(__file__).parent / "groups").open("a") as groups:
    groups.write(f"{os.getpgrp()}\\n")
server = MCPServer("chooser")

@server.tool()
def choose(game: str, side: str, seed: int, version: int, view: dict[str, Any], legal: list[str],
           actions: list[dict[str, Any]]) -> str:
    WHAT
    return actions[0]["notation"]

server.run("stdio")
"""


@pytest.mark.parametrize(
    ("what", "end", "why", "words"),
    [
        ("print('a stray line', flush=True)", "drawn", None, ""),
        ("os.write(1, b'\\xff\\n[1]\\n' + b'[' * 60000 + b'\\n')", "drawn", None, ""),
        ("os.fork() or time.sleep(600)", "drawn", None, ""),
        ("return 'x' * 300_000_000", "forfeit", "overlong", "the answer is longer than 64 KB"),
        ("os.fork() or time.sleep(600); os._exit(3)", "forfeit", "crash", "the process ended with exit code 3"),
        ("print('no idea', file=sys.stderr); os._exit(3)", "forfeit", "crash", "no idea"),
    ],
)
def test_an_mcp_server_may_do_no_more(tmp_path: Path, what: str, end: str, why: str | None, words: str) -> None:
    file = tmp_path / "chooser.py"
    file.write_text(MCP_SERVER.replace("WHAT", what), "utf-8")
    row = first_game(brief(tmp_path, f"mcp+stdio:{sys.executable} {file}", "random", seconds=60))
    assert (row["end"], row.get("why")) == (end, why), row
    assert words in row.get("detail", "")
    assert left_of(tmp_path / "groups") == []


@contextmanager
def answering(chunk: bytes, times: int) -> Generator[str]:
    """The address of a server that answers so many chunks, as long as somebody reads them."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                for _ in range(times):
                    self.wfile.write(chunk)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/choose?key=secret"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_of_an_answer_over_http_no_more_is_read_than_may_be_in_one(tmp_path: Path) -> None:
    with answering(b"x" * 1_000_000, 300) as address:
        row = first_game(brief(tmp_path, address, "random", seconds=60))
    assert (row["why"], row["detail"]) == ("overlong", "the answer is longer than 64 KB; what follows was not read")


def test_who_does_not_answer_any_more_is_named_by_host_and_port_alone(tmp_path: Path) -> None:
    with answering(b"", 0) as address:
        pass
    row = first_game(brief(tmp_path, address, "random", seconds=60))
    place = address.removeprefix("http://").partition("/")[0]
    assert row["why"] == "crash"
    assert row["detail"].startswith(f"{place}: ")
    assert "secret" not in row["detail"]
    assert "choose" not in row["detail"]
