"""`verify`, `replay` and `export`: what is said of records, good, changed and damaged (C04)."""

from __future__ import annotations

import io
import json
import re
import sys
from copy import deepcopy
from pathlib import Path

import anyio
import pytest
from tests.contract.playing import library, recorded
from tests.server.commands import Shell
from tests.server.setups import NEIGHBOURS

from livingtable.game import Data
from livingtable.records import verify
from livingtable_server.app import session_manager
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.settings import Settings
from livingtable_server.terminal.verify import first_place

ACTIONS = 30


@pytest.fixture(scope="module")
def record() -> Data:
    """A game that was cut off."""
    return recorded(library().get("crossroads"), 7, "greedy", ACTIONS).to_data()


@pytest.fixture(scope="module")
def ended() -> Data:
    """A game played to its end."""
    record = recorded(library().get("mountain_pass"), 7, "random").to_data()
    assert record["result"]["reason"] != "truncated"
    return record


def changed(record: Data, number: int) -> Data:
    """With another action of that number, and all else as it was."""
    other = deepcopy(record)
    action = other["actions"][number - 1]
    assert action["action"]["type"] != "pass"
    action["action"] = {"type": "pass"}
    return other


# verify


def test_a_record_that_holds_is_verified(shell: Shell, record: Data, ended: Data) -> None:
    first, second = shell.write("cut_off.json", record), shell.write("ended.json", ended)
    said = shell("verify", first, second)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        f"{first}: verified: {ACTIONS} actions, ended by truncated",
        f"{second}: verified: {len(ended['actions'])} actions, ended by {ended['result']['reason']}",
    ]


def test_of_a_changed_record_the_first_action_that_differs_is_named(shell: Shell, record: Data) -> None:
    """C04"""
    file = shell.write("changed.json", changed(record, 12))
    good = shell.write("good.json", record)
    said = shell("verify", file, good)
    assert said.code == 1
    first, second = said.out.splitlines()
    assert first.startswith(f'{file}: differs, first at action 12 ({record["actions"][11]["side"]}: {{"type":"pass"}})')
    assert second.startswith(f"{good}: verified")


def test_a_refused_action_of_a_record_is_a_difference(shell: Shell, record: Data) -> None:
    other = deepcopy(record)
    other["actions"][4]["action"] = {"type": "move", "to": "0,0"}
    said = shell("verify", shell.write("refused.json", other))
    assert said.code == 1
    assert "first at action 5 " in said.out
    assert "refused: " in said.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("{", "perhaps cut off"),
        ('{"format": "chess/1"}', '"living-table/1"'),
        ("[]", "one JSON object"),
        ("[" * 100_000, "nested too deep"),
        ("\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "perhaps cut off"),
    ],
)
def test_what_is_no_record_cannot_be_read(shell: Shell, record: Data, text: str, words: str) -> None:
    """C04: a clear error, and the other files are verified all the same."""
    bad, good = shell.write("bad.json", text), shell.write("good.json", record)
    said = shell("verify", bad, good)
    assert (said.code, said.err) == (2, "")
    first, second = said.out.splitlines()
    assert first.startswith(f"{bad}: cannot be read: ")
    assert words in first
    assert "verified" in second


def test_half_a_record_cannot_be_read(shell: Shell, record: Data) -> None:
    """C04"""
    text = json.dumps(record)
    said = shell("verify", shell.write("half.json", text[: len(text) // 2]))
    assert (said.code, said.out.count("\n")) == (2, 1)
    assert "cut off" in said.out


def test_no_text_and_no_file_cannot_be_read(shell: Shell) -> None:
    binary = shell.folder / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    said = shell("verify", binary, shell.folder, shell.folder / "nothing.json")
    assert said.code == 2
    assert [line.partition(": ")[2] for line in said.out.splitlines()] == [
        "cannot be read: it is no text in UTF-8",
        "cannot be read: Is a directory",
        "cannot be read: No such file or directory",
    ]


def test_a_jsonl_file_has_a_record_a_line(shell: Shell, record: Data) -> None:
    lines = [json.dumps(record), "", json.dumps(changed(record, 3)), "nonsense"]
    file = shell.write("games.jsonl", "\n".join(lines) + "\n")
    said = shell("verify", file)
    assert said.code == 2
    first, second, third = said.out.splitlines()
    assert first.startswith(f"{file}:1: verified")
    assert second.startswith(f"{file}:3: differs, first at action 3 ")
    assert third.startswith(f"{file}:4: cannot be read")


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("times", [1, 2])
def test_records_come_from_stdin_too(
    shell: Shell, record: Data, monkeypatch: pytest.MonkeyPatch, indent: int | None, times: int
) -> None:
    text = "\n".join([json.dumps(record, indent=indent)] * times)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    said = shell("verify", "-")
    if times == 2 and indent:
        assert said.code == 2  # Two documents over many lines are no form of ours.
    else:
        assert said.code == 0
        assert said.out.count("verified") == times


def test_a_record_cannot_drive_the_terminal(shell: Shell, record: Data) -> None:
    other = changed(record, 2)
    other["actions"][1]["side"] = "\x1b[2J"
    said = shell("verify", shell.write("evil.json", other))
    assert said.code == 1
    assert "\x1b" not in said.out


@pytest.mark.parametrize(
    ("recorded", "replayed", "place"),
    [
        ({"a": 1, "b": [1, {"c": 2}]}, {"a": 1, "b": [1, {"c": 3}]}, (".b[1].c", 2, 3)),
        ([1, 2], [1, 4], ("[1]", 2, 4)),
        ({"a": [1]}, {"a": {"b": 1}}, (".a", [1], {"b": 1})),
        (1, 2, ("", 1, 2)),
    ],
)
def test_a_difference_is_told_down_to_the_first_place(
    recorded: object, replayed: object, place: tuple[str, object, object]
) -> None:
    assert first_place(recorded, replayed) == place


# replay


def test_without_a_terminal_replay_prints_every_action_and_the_board_of_every_round(shell: Shell, ended: Data) -> None:
    said = shell("replay", shell.write("ended.json", ended))
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == 'botwars "mountain_pass", seed 7'
    assert lines[1] == "; ".join(f'{s["side"]} "{s["name"]}" {s["controller"]}' for s in ended["seats"])
    numbers = [int(line.split()[0]) for line in lines if " | " in line]
    assert numbers == list(range(1, len(ended["actions"]) + 1))
    rounds = [int(line.split()[1]) for line in lines if re.fullmatch(r"round \d+", line)]
    assert rounds == sorted(rounds)
    assert len(rounds) > 2
    assert f"Game over: {ended['result']['reason']}." in said.out


def test_replay_begins_where_it_is_told(shell: Shell, record: Data) -> None:
    file = shell.write("record.json", record)
    out = shell("replay", file, "--from", "28").out
    assert [line.split()[0] for line in out.splitlines() if " | " in line] == ["29", "30"]
    assert "was not decided" in out
    assert shell("replay", file, "--from", "30").code == 0
    assert shell("replay", file, "--from", "31").is_wrong_use("at most 30")


def test_replay_shows_one_record_of_several(shell: Shell, record: Data, ended: Data) -> None:
    file = shell.write("games.jsonl", f"{json.dumps(record)}\n{json.dumps(ended)}\n")
    assert shell("replay", file).is_wrong_use("2 records", "--record")
    assert shell("replay", file, "--record", "3").is_wrong_use("no number 3")
    assert "mountain_pass" in shell("replay", file, "--record", "2").out


@pytest.mark.parametrize("seats", [[], ["p1"], [{}], [None]])
def test_replay_shows_the_game_whatever_its_file_says_of_the_seats(
    shell: Shell, record: Data, seats: list[object]
) -> None:
    said = shell("replay", shell.write("seats.json", {**record, "seats": seats}))
    assert (said.code, said.err) == (0, "")


def test_replay_of_what_is_no_record_names_the_file(shell: Shell) -> None:
    file = shell.write("bad.json", "{}")
    assert shell("replay", file).is_wrong_use(str(file), "format")


def test_replay_ends_at_an_action_that_the_rules_refuse(shell: Shell, record: Data) -> None:
    other = deepcopy(record)
    other["actions"][4]["action"] = {"type": "move", "to": "0,0"}
    said = shell("replay", shell.write("refused.json", other))
    assert said.code == 0
    assert "5 refused | action 5 of this record cannot be played" in said.out
    assert "\n6 " not in said.out


# export


def begun(seed: int = 3) -> tuple[str, Data]:
    """The id of a session in the ledger of the test, with one action, and its record."""

    async def begin() -> tuple[str, Data]:
        manager = session_manager(Settings.from_options())
        try:
            session = await manager.new_game(NewGame(setup={**NEIGHBOURS, "name": "../a b"}, seed=seed, side="p1"))
            assert (await manager.submit(session.session_id, "ally p2"))["ok"]
            return session.session_id, await manager.record(session.session_id)
        finally:
            await manager.close()

    return anyio.run(begin)


def test_export_writes_the_record_of_a_session(shell: Shell) -> None:
    session, record = begun()
    file = shell.folder / "out.json"
    said = shell("export", session, "--out", file)
    assert (said.code, said.err) == (0, "")
    assert f"living-table verify {file}" in said.out
    assert json.loads(file.read_text("ascii")) == record
    assert verify(record).ok
    assert list(shell.folder.glob(".*")) == [], "nothing half-written is left"


def test_export_writes_into_the_data_folder_and_over_no_other_file(shell: Shell) -> None:
    session, record = begun()
    files = [Path(shell("export", session).out.splitlines()[0]) for _ in range(2)]
    assert [file.name for file in files] == ["a-b-3.json", "a-b-3-2.json"]
    assert {file.parent for file in files} == {shell.folder / "data" / "living-table" / "records"}
    assert [json.loads(file.read_text("ascii")) for file in files] == [record, record]


def test_export_of_a_game_that_there_is_not_says_where_to_look(shell: Shell) -> None:
    begun()
    assert shell("export", "nothing").is_wrong_use("no game", "rooms list --all", "store export")


def test_export_makes_no_store(shell: Shell) -> None:
    assert shell("export", "nothing").is_wrong_use("There is no store")


def test_export_writes_to_stdout(shell: Shell) -> None:
    session, record = begun()
    said = shell("export", session, "--out", "-")
    assert (json.loads(said.out), said.err) == (record, "")
    assert session not in said.out, "the id of a session is a key, and stands in no record"
