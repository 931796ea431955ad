"""Agents of a user's own, and what becomes of one that does not choose a legal action (C73)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests.arena.tournaments import OWN_AGENTS, brief
from tests.contract.wrappings import AROUND, all_forms

from livingtable.arena import entrants, own_agent, remote
from livingtable.arena.asking import question
from livingtable.arena.choices import Forfeit, chosen
from livingtable.arena.entrants import check_entrant, try_start
from livingtable.arena.plan import Plan, library
from livingtable.arena.run import Run
from livingtable.arena.workers import play_one
from livingtable.errors import UnknownNameError
from livingtable.game import Data
from livingtable.records import verify


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], str]:
    file = tmp_path / "own.py"
    file.write_text(OWN_AGENTS, "utf-8")
    return lambda name: f"{file}:{name}"


def first_game(plan: Plan) -> Data:
    """The row of it; the record holds, however the game ended."""
    played = play_one(plan, next(plan.fixtures()))
    assert verify(played.record).ok
    return played.row


@pytest.mark.parametrize("name", ["first", "first_by_notation", "Counting"])
def test_an_agent_of_ones_own_plays_to_the_end(tmp_path: Path, own: Callable[[str], str], name: str) -> None:
    row = first_game(brief(tmp_path, own(name), "random"))
    assert row["end"] in ("won", "drawn"), row


def test_who_writes_a_class_that_cannot_be_made_is_told_what_it_is_made_with(tmp_path: Path) -> None:
    file = tmp_path / "bare.py"
    file.write_text("class Bare:\n    def choose(self, view, legal):\n        return legal[0]\n", "utf-8")
    with pytest.raises(UnknownNameError, match="made with its side and a seed"):
        try_start(f"{file}:Bare", "p1", 5.0)


@pytest.mark.parametrize(
    ("name", "why", "detail"),
    [
        ("raises", "crash", "ZeroDivisionError: by nothing (own.py, line 12)"),
        ("leaves", "crash", "enough of this"),
        ("illegal", "illegal", "99,99"),
        ("prose", "unparsable", ""),
        ("nothing", "unparsable", "neither a notation nor an action, but an object: give one of the legal actions"),
        ("no_answer", "unparsable", "but None: give"),
        ("the_index", "unparsable", 'but 0: give one of the legal actions or its notation, such as "'),
        ("all_of_them", "unparsable", "but a list: give"),
        ("nobody", "crash", "nobody"),
    ],
)
def test_who_makes_no_legal_choice_forfeits_with_the_reason(
    tmp_path: Path, own: Callable[[str], str], name: str, why: str, detail: str
) -> None:
    row = first_game(brief(tmp_path, "random", own(name)))
    told = (row["end"], row["reason"], row["by"], row["side"], row["why"])
    assert told == ("forfeit", "forfeit", own(name), "p2", why)
    assert detail in row["detail"]


FAULTS = """from parts import helping
import json

def in_a_neighbour(view, legal):
    return helping.pick(legal)

def in_a_library(view, legal):
    return json.loads("no")

def at_length(view, legal):
    raise ValueError("at length " * 100)

class InItsMaking:
    def __init__(self, side, seed):
        side + seed
"""


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("in_a_neighbour", "IndexError: list index out of range (parts/helping.py, line 2)"),
        ("in_a_library", "(char 0) (own.py, line 8)"),
        ("at_length", "leng… (own.py, line 11)"),
        ("InItsMaking", "with its side and a seed) (own.py, line 15)"),
    ],
)
def test_a_crash_names_the_line_of_the_agents_own_file(tmp_path: Path, name: str, ends: str) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "helping.py").write_text("def pick(legal):\n    return legal[99999]\n", "utf-8")
    (tmp_path / "own.py").write_text(FAULTS, "utf-8")
    row = first_game(brief(tmp_path, f"{tmp_path / 'own.py'}:{name}", "random"))
    assert row["detail"].endswith(ends), row


@pytest.mark.parametrize("broken", ["own", "beside"])
def test_what_cannot_be_parsed_is_placed_once(tmp_path: Path, broken: str) -> None:
    (tmp_path / "own.py").write_text("import beside\n", "utf-8")
    (tmp_path / f"{broken}.py").write_text("x = 1\ndef choose(\n", "utf-8")
    with pytest.raises(UnknownNameError) as raised:
        try_start(f"{tmp_path / 'own.py'}:choose", "p1", 5.0)
    assert str(raised.value).endswith(f"SyntaxError: '(' was never closed ({broken}.py, line 2)")


def test_who_never_answers_has_a_limit_a_move_and_the_rest_goes_on(tmp_path: Path, own: Callable[[str], str]) -> None:
    plan = brief(tmp_path, own("never_answers"), "random", "greedy", games=6, seconds=0.3)
    run = Run(tmp_path / "run")
    assert run.go_on(plan) == 6
    rows = list(run.rows())
    forfeits = [row for row in rows if row["end"] == "forfeit"]
    assert {(row["by"], row["why"], row["detail"]) for row in forfeits} == {
        (own("never_answers"), "timeout", "no answer within 0.3 s")
    }
    assert [own("never_answers") in row["seats"].values() for row in rows] == [row in forfeits for row in rows]


def test_an_agent_may_import_what_stands_beside_it_and_not_what_stands_beside_ours(tmp_path: Path) -> None:
    (tmp_path / "play.py").write_text("def first(legal):\n    return legal[0]\n", "utf-8")
    file = tmp_path / "own.py"
    file.write_text("import play\nimport livingtable\ndef first(view, legal):\n    return play.first(legal)\n", "utf-8")
    assert first_game(brief(tmp_path, f"{file}:first", "random"))["end"] in ("won", "drawn")


def test_an_agent_that_is_left_alone_ends(own: Callable[[str], str]) -> None:
    command = [sys.executable, own_agent.__file__, *own("never_answers").rsplit(":", 1), "p1", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"number": 0}
        process.stdin.write('{"view": {}, "actions": []}\n')
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/such/file.py:Name", "no/such/file.py"),
        ("greeedy", 'did you mean "greedy"?'),
        ("mcp+stdio: ", "mcp+stdio:COMMAND"),
        ("mcp+stdio:bot 'of mine", "No closing quotation"),
        ("http://", "names no host"),
        ("https:///choose", "http://HOST:PORT/PATH"),
        ("http://127.0.0.1:port/choose", "http://HOST:PORT/PATH"),
        ("http://[::1/choose", "http://HOST:PORT/PATH"),
    ],
)
def test_an_entrant_that_there_cannot_be_is_named(name: str, words: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        check_entrant(name, "botwars")
    assert words in str(raised.value)


@pytest.mark.parametrize("name", ["bot.py", "bot.py:", "bot.txt:Eager", "127.0.0.1:9037", "bots/eager", "HTTP://host"])
def test_who_may_have_meant_a_file_or_an_address_is_told_how_to_write_it(name: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        check_entrant(name, "botwars")
    assert f'"{name}"' in str(raised.value)
    assert "A file of your own is FILE.py:NAME, an address begins with http://" in str(raised.value)


@pytest.mark.parametrize("name", ["greeedy", "search:0", "greedy:"])
def test_who_meant_a_bot_is_told_of_bots_alone(name: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        check_entrant(name, "botwars")
    assert "FILE.py" not in str(raised.value)


# over HTTP

Answer = Callable[[Data], bytes]


@contextmanager
def answering(answer: Answer) -> Generator[str]:
    """The address of a server that answers so."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = answer(asked)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/choose"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def as_notation(action: Data) -> object:
    return action["notation"]


def as_notation_in_an_object(action: Data) -> object:
    return {"notation": action["notation"]}


def as_action(action: Data) -> object:
    return {"action": {key: value for key, value in action.items() if key != "notation"}}


def as_the_question_has_it(action: Data) -> object:
    return action


def as_the_question_has_it_in_an_object(action: Data) -> object:
    return {"action": action}


ANSWERS = [
    as_notation,
    as_notation_in_an_object,
    as_action,
    as_the_question_has_it,
    as_the_question_has_it_in_an_object,
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_remote_agent_is_asked_for_its_choice(tmp_path: Path, answer: Callable[[Data], object]) -> None:
    asked: list[Data] = []

    def note(told: Data) -> bytes:
        asked.append(told)
        return json.dumps(answer(told["actions"][0])).encode()

    with answering(note) as address:
        row = first_game(brief(tmp_path, address, "random"))
    assert row["end"] in ("won", "drawn"), row
    assert asked[0].keys() == {"game", "side", "seed", "version", "view", "legal", "actions"}
    assert (asked[0]["game"], asked[0]["side"]) == ("botwars", "p1")


def test_a_remote_agent_may_answer_a_bare_notation(tmp_path: Path) -> None:
    with answering(lambda asked: f"{asked['actions'][0]['notation']}\n".encode()) as address:
        assert first_game(brief(tmp_path, address, "random"))["end"] in ("won", "drawn")


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_may_be_json_in_a_text_as_mcp_servers_give_it(answer: Callable[[Data], object]) -> None:
    state = library(()).get("castle_siege").start(0)
    (side, *_) = state.sides
    action = question(state, side, 0, 0)["actions"][0]
    assert chosen(json.dumps(answer(action), indent=2), state, side).notation == action["notation"]


@pytest.mark.parametrize("name", ["http://127.0.0.1:9/choose", "mcp+stdio:chooser", "own.py:Own"])
def test_no_agent_but_those_built_in_is_given_the_seed_of_the_dice(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    given: list[int] = []

    class Seat:
        def __init__(self, *told: object) -> None:
            given.extend(part for part in told if isinstance(part, int))

    for kind in ("HttpSeat", "McpSeat", "ProcessSeat"):
        monkeypatch.setattr(entrants, kind, Seat)
    for side in ("p1", "p2", "p1"):
        entrants.seat(name, side, 77, 5.0)
    assert given[0] == given[2]
    assert len({77, *given}) == 3


def test_a_remote_agent_that_answers_no_json_forfeits(tmp_path: Path) -> None:
    with answering(lambda _: b"Well, I think") as address:
        assert first_game(brief(tmp_path, address, "random"))["why"] == "unparsable"


def test_a_remote_agent_that_never_answers_forfeits(tmp_path: Path) -> None:
    over = Event()

    def wait(_: Data) -> bytes:
        over.wait(60)
        return b""

    with answering(wait) as address:
        row = first_game(brief(tmp_path, address, "random", seconds=0.2))
        over.set()
    assert row["why"] == "timeout"


def test_a_remote_agent_that_is_not_there_forfeits(tmp_path: Path) -> None:
    with answering(lambda _: b"") as address:
        pass
    assert first_game(brief(tmp_path, address, "random"))["why"] == "crash"


def test_an_address_where_nobody_answers_is_said_before_anything_is_played() -> None:
    with answering(lambda _: b"") as address:
        pass
    with pytest.raises(UnknownNameError, match=r"nobody answers at 127\.0\.0\.1:\d+: .*refused"):
        try_start(address, "p1", 5.0)


def test_an_address_is_tried_without_a_question() -> None:
    asked: list[Data] = []

    def note(told: Data) -> bytes:
        asked.append(told)
        return b""

    with answering(note) as address:
        try_start(address, "p1", 5.0)
    assert asked == []


def test_an_address_behind_a_proxy_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    try_start("http://far.invalid/choose", "p1", 5.0)


# over MCP

MCP_SERVER = """
from typing import Any
from mcp.server import MCPServer

server = MCPServer("chooser")

@server.tool()
def choose(game: str, side: str, seed: int, version: int, view: dict[str, Any], legal: list[str],
           actions: list[dict[str, Any]]) -> str:
    if {raises}:
        raise ValueError("no idea")
    return actions[0]["notation"]

server.run("stdio")
"""


@pytest.mark.parametrize(("raises", "end", "why"), [(False, "drawn", None), (True, "forfeit", "crash")])
def test_an_mcp_server_is_asked_by_its_tool_choose(tmp_path: Path, raises: bool, end: str, why: str | None) -> None:
    file = tmp_path / "chooser.py"
    file.write_text(MCP_SERVER.replace("{raises}", str(raises)), "utf-8")
    row = first_game(brief(tmp_path, f"mcp+stdio:{sys.executable} {file}", "random", seconds=30))
    assert (row["end"], row.get("why")) == (end, why), row


def test_an_mcp_server_that_is_none_forfeits(tmp_path: Path) -> None:
    row = first_game(brief(tmp_path, f"mcp+stdio:{sys.executable} -c pass", "random"))
    assert (row["end"], row["why"], row["detail"]) == ("forfeit", "crash", "the process ended with exit code 0"), row


def test_an_mcp_server_is_tried_before_it_is_played(tmp_path: Path) -> None:
    file = tmp_path / "chooser.py"
    file.write_text(MCP_SERVER.replace("{raises}", "False"), "utf-8")
    command = f"mcp+stdio:{sys.executable} {file}"
    try_start(command, "p1", 5.0)
    file.write_text(file.read_text("utf-8").replace("def choose(", "def pick("), "utf-8")
    with pytest.raises(UnknownNameError, match='does not start: the server has no tool "choose", but pick'):
        try_start(command, "p1", 5.0)


def test_an_mcp_server_that_never_speaks_is_not_waited_for_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "START_SECONDS", 0.3)
    silent = f"mcp+stdio:{sys.executable} -c 'import threading; threading.Event().wait()'"
    with pytest.raises(UnknownNameError, match=r"no answer within 0\.3 s"):
        try_start(silent, "p1", 5.0)


@pytest.mark.parametrize("around", AROUND)
def test_an_entrants_answer_is_read_in_every_wrapping_of_the_one_rule(around: str) -> None:
    for state, side, action in all_forms():
        assert chosen(AROUND[around](action.notation), state, side) == action


def test_an_entrants_prose_is_unparsable_though_it_names_a_legal_action() -> None:
    """C77."""
    for state, side, action in all_forms():
        with pytest.raises(Forfeit, match="unparsable"):
            chosen(f"{action.notation} because it is safe", state, side)
