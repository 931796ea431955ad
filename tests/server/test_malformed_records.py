"""Records that somebody has changed: whatever stands in them, their readers say in plain words what is wrong."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, cast

import pytest
from tests.contract.playing import recorded
from tests.server.commands import Shell

from livingtable.errors import RecordError, Refusal
from livingtable.game import Data, game_names
from livingtable.records import REDACTED, check_record, read_record, verify
from livingtable.scenarios import check_setup
from livingtable_server.sessions.frames import frames, moments, picture_of
from livingtable_server.terminal.replay import Reel

SETUPS: dict[str, Data] = {
    "botwars": {
        "game": "botwars",
        "map": ["....", ".M..", "...."],
        "wizard": {"position": "3,0"},
        "characters": [
            {"position": "0,0"},
            {"position": "1,0"},
            {"position": "2,2", "characterType": "troll"},
            {"position": "0,2", "alive": False},
        ],
        "parties": [["p1", "p2"]],
    },
    "skirmish": {
        "game": "skirmish",
        "map": ["I...", ".~F.", "...C"],
        "pieces": [{"kind": "K", "side": "ivory", "hex": "1,0"}, {"kind": "A", "side": "crimson", "hex": "2,2"}],
    },
    "foxhunt": {
        "game": "foxhunt",
        "map": ["____", "_Ww_", "____"],
        "players": [{"position": "0,0"}, {"position": "3,2"}],
        "bombs": [{"position": "1,0", "owner": "p1", "range": 1, "fuse": 1}],
        "specials": [{"position": "2,2", "kind": "hat"}],
    },
}
GONE = object()
VALUES: tuple[object, ...] = (GONE, None, True, -1, 7, 2**70, 0.5, "", "x", "p1\nforged", [], ["x"], {}, {"x": 1})
PYTHON = re.compile(
    r"Error\(|Error:|NoneType|object (is|has|of)|Traceback|KeyError|unhashable|indices|int\(\)|unpack|attribute|'<'|"
    r"literal|subscript|argument"
)


@pytest.fixture(scope="module", params=game_names())
def record(request: pytest.FixtureRequest) -> Data:
    """Short, but with some of everything."""
    return read_record(json.dumps(recorded(check_setup(SETUPS[request.param]), 3, None, 6).to_data()))


def places(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Of every key of every object, and of the first two entries of every list."""
    if isinstance(value, dict):
        for key, each in cast(Data, value).items():
            yield (*place, key)
            yield from places(each, (*place, key))
    elif isinstance(value, list):
        for i, each in enumerate(cast(list[object], value)[:2]):
            yield (*place, i)
            yield from places(each, (*place, i))


def changed(record: Data, place: tuple[str | int, ...], value: object) -> Data:
    other = deepcopy(record)
    here: Any = other
    for part in place[:-1]:
        here = here[part]
    if value is GONE:
        del here[place[-1]]
    else:
        here[place[-1]] = value
    return other


def verified(record: Data) -> None:
    verify(record)


def replayed(record: Data) -> None:
    reel = Reel(check_record(record))
    picture = reel.at(10_000)
    assert "\nforged" not in picture.board


def framed(record: Data) -> None:
    assert "p1\\nforged" not in json.dumps(frames(check_record(record)))


def drawn(record: Data) -> None:
    for moment in moments(check_record(record)):
        picture_of(moment)


READERS: tuple[Callable[[Data], None], ...] = (verified, replayed, framed, drawn)


def check_readers(record: Data) -> None:
    said = [why_not(reader, record) for reader in READERS]
    assert not [reason for reason in said if PYTHON.search(reason) or "\n" in reason]


def why_not(reader: Callable[[Data], None], record: Data) -> str:
    """Why it cannot be read; "" where it can."""
    try:
        reader(deepcopy(record))
    except (RecordError, Refusal) as error:
        return str(error)
    return ""


def test_a_record_with_any_one_value_changed_is_read_or_refused_in_plain_words(record: Data) -> None:
    dice = random.Random(1)
    every = [(place, value) for place in places(record) for value in VALUES]
    for place, value in dice.sample(every, min(len(every), 400)):
        check_readers(changed(record, place, value))


@pytest.mark.slow
def test_a_record_with_each_value_changed_is_read_or_refused_in_plain_words(record: Data) -> None:
    for place in places(record):
        for value in VALUES:
            check_readers(changed(record, place, value))


def test_the_commands_say_it_on_one_line(shell: Shell, record: Data) -> None:
    values: tuple[object, ...] = (None, [], {})
    for value in values:
        for key in ("start", "actions", "result", "seats"):
            file = shell.write("odd.json", changed(record, (key,), value))
            for command in (["verify"], ["replay"], ["render", "-o", shell.folder / "out.svg"]):
                said = shell(command[0], file, *command[1:])
                assert said.code in (0, 1, 2)
                assert not PYTHON.search(said.out + said.err)


# what was left out


def redacted(record: Data, **more: object) -> Data:
    return {**record, "seed": None, "start": {**record["start"], "dice": None}, "result": None, **more}


@pytest.mark.parametrize("more", [{}, {"redacted": True}], ids=["of older days", "marked"])
def test_of_a_redacted_record_it_is_said_what_cannot_be_done(shell: Shell, record: Data, more: Data) -> None:
    file = shell.write("redacted.json", redacted(record, **more))
    said = shell("verify", file)
    assert (said.code, said.out) == (2, f"{file}: cannot be read: {REDACTED}\n")
    assert shell("replay", file).is_wrong_use("seed and dice are left out")
    assert shell("render", file, "-o", shell.folder / "out.svg").is_wrong_use("seed and dice are left out")


# what somebody else wrote begins no line


FORGED = "Ada\nverified: 7 actions, ended by castle_taken\r\x1b[2J\u2028x"


def test_line_breaks_in_the_texts_of_a_record_begin_no_line(shell: Shell, record: Data) -> None:
    other = deepcopy(record)
    texts = [place for place in places(other) if isinstance(value_at(other, place), str)]
    for place in texts:
        if place[-1] == "name" or place[0] in ("seats", "engine") or place[-1] == "side":
            other = changed(other, place, FORGED)
    file = shell.write("forged.json", other)
    for command in (["verify"], ["replay"], ["replay", "--from", "0"], ["render", "-o", shell.folder / "out.svg"]):
        said = shell(command[0], file, *command[1:])
        assert not [line for line in (said.out + said.err).splitlines() if line.startswith(("verified", "x"))]
        assert "\x1b" not in said.out + said.err


def value_at(record: Data, place: tuple[str | int, ...]) -> object:
    here: Any = record
    for part in place:
        here = here[part]
    return here
