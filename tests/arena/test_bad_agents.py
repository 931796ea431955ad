"""Whatever an agent does, it forfeits its own game at most, and nothing of it is left."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.arena.tournaments import brief
from tests.arena.zoo import BAD_AGENTS, left_of

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
