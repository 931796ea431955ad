"""All that is wrong with a scenario is told at once, and no file can keep its reader waiting."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from livingtable.errors import FAULTS_NAMED, ScenarioError
from livingtable.game import Data
from livingtable.scenarios import FAULTS_TOLD, FILE_BYTES_AT_MOST, ScenarioLibrary, check_setup, load_file

BOTWARS: Data = {
    "game": "botwars",
    "name": "glade",
    "title": "A glade",
    "summary": "A glade.",
    "map": ["....", ".M..", "...."],
    "wizard": None,
    "characters": [{"id": "p1", "position": "0,0"}, {"id": "p2", "position": "3,2"}],
}
SKIRMISH: Data = {
    "game": "skirmish",
    "name": "field",
    "title": "A field",
    "summary": "A field.",
    "map": ["I...", ".~..", "...C"],
    "pieces": [{"kind": "K", "side": "ivory", "hex": "1,0"}, {"kind": "K", "side": "crimson", "hex": "2,2"}],
}
FOXHUNT: Data = {
    "game": "foxhunt",
    "name": "yard",
    "title": "A yard",
    "summary": "A yard.",
    "map": ["____", "_WW_", "____"],
    "players": [{"position": "0,0"}, {"position": "3,2"}],
}


def keys_of(data: Data) -> list[str]:
    """Where the faults of a set-up are, in the order in which they are told."""
    with pytest.raises(ScenarioError) as caught:
        check_setup(data).start(0)
    return [fault.key for fault in caught.value.faults]


def file_of(folder: Path, data: object, name: str = "a.json") -> Path:
    file = folder / name
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return file


def changed(base: Data, part: str, n: int, **changes: Any) -> Data:
    """The set-up with another one put in as the n-th part, made from it."""
    parts = [dict(each) for each in base[part]]
    parts.insert(n, {**parts[-1], **changes})
    return {**base, part: parts}


# all at once


def test_an_unknown_key_an_id_twice_a_cell_off_the_board_and_a_foreign_key_are_told_at_once(tmp_path: Path) -> None:
    data = {
        **BOTWARS,
        "pieces": [],
        "characters": [
            {"id": "p1", "position": "0,0", "colour": "red"},
            {"id": "p1", "position": "1,0"},
            {"id": "p3", "position": "9,9"},
        ],
    }
    file = file_of(tmp_path, data)
    with pytest.raises(ScenarioError) as caught:
        load_file(file)
    assert [fault.key for fault in caught.value.faults] == [
        "characters[0].colour",
        "pieces",
        "characters[1].id",
        "characters[2].position",
    ]
    assert caught.value.lines() == [f"{file}: {fault.key}: {fault.reason}" for fault in caught.value.faults]


BAD: dict[str, tuple[Data, list[str]]] = {
    "botwars, the map and the ids": (
        {**changed(BOTWARS, "characters", 1, id="p2"), "map": ["....", ".x..", "..."]},
        ["characters[2].id", "map[1]", "map[2]"],
    ),
    "botwars, cells, health and the Wizard's cell": (
        {
            **BOTWARS,
            "wizard": {"position": "1,1"},
            "characters": [
                {"position": "0,0", "health": 0},
                {"position": "0,0", "health": 3, "maxHealth": 2},
                {"position": "1,1"},
            ],
        },
        [
            *("characters[0].health", "characters[1].health", "wizard.position"),
            *("characters[1].position", "characters[2].position"),
        ],
    ),
    "botwars, two parties and a count of passes": (
        {
            **BOTWARS,
            "characters": [{"position": c} for c in ("0,0", "2,0", "0,2", "2,2")],
            "parties": [["p1", "p2"], ["p3", "p9"]],
            "consecutivePasses": {"p4": 1},
        },
        ["parties[0][1]", "parties[1][1]", "consecutivePasses.p4"],
    ),
    "botwars, kinds": (
        {**BOTWARS, "ruleset": "classic", "characters": [{"characterType": "troll"}, {"alive": False}]},
        ["characters[0].characterType", "characters[1].alive"],
    ),
    "botwars, figures of the schema and cells": (
        {**BOTWARS, "health": "ten", "maxRounds": 0, "characters": [{"position": "0,0"}, {"position": "0,0"}]},
        ["health", "maxRounds", "characters[1].position"],
    ),
    "skirmish, castles and rows": ({**SKIRMISH, "map": ["I..I", ".x..", "...."]}, ["map[1]", "map", "map"]),
    "skirmish, pieces and the turn": (
        {
            **SKIRMISH,
            "turn": 5,
            "turnLimit": 4,
            "pieces": [
                {"kind": "K", "side": "ivory", "hex": "1,0", "id": "ivory-O1"},
                {"kind": "K", "side": "ivory", "hex": "1,0", "hp": 99},
                {"kind": "K", "side": "crimson", "hex": "1,1", "moved": True},
                {"kind": "K", "side": "crimson", "hex": "7,7", "speed": 3},
            ],
        },
        [
            *("pieces[3].speed", "pieces[0].id", "turn", "pieces[1].hp", "pieces[1].hex"),
            *("pieces[2].moved", "pieces[2].hex", "pieces[3].hex"),
        ],
    ),
    "foxhunt, rows": ({**FOXHUNT, "map": ["____", "_?__", "___"]}, ["map[1]", "map[2]"]),
    "foxhunt, players, the fox, bombs and specials": (
        {
            **FOXHUNT,
            "fox": "p9",
            "players": [{"id": "p1", "position": "1,1"}, {"id": "p1", "position": "9,9"}],
            "bombs": [{"position": "1,1", "owner": "p7", "range": 1, "fuse": 1}],
            "specials": [{"position": "0,0", "kind": "hat"}, {"position": "0,0", "kind": "hat"}],
        },
        [
            *("players[1].id", "players[0].position", "players[1].position", "fox"),
            *("bombs[0].position", "bombs[0].owner", "specials[1].position"),
        ],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_all_faults_that_do_not_hide_each_other_are_told_each_at_its_place(name: str) -> None:
    data, keys = BAD[name]
    assert keys_of(data) == keys


@pytest.mark.parametrize("key", ["title", "summary"])
def test_a_missing_text_hides_no_fault_of_the_board(tmp_path: Path, key: str) -> None:
    data = {**BOTWARS, "characters": [{"id": "p1", "position": "0,0"}, {"id": "p1", "position": "9,9"}]}
    with pytest.raises(ScenarioError) as caught:
        load_file(file_of(tmp_path, {name: value for name, value in data.items() if name != key}))
    assert [fault.key for fault in caught.value.faults] == [key, "characters[1].id", "characters[1].position"]


def test_where_a_place_cannot_be_read_nothing_is_said_that_depends_on_it() -> None:
    """The party would be found torn, for a cell that was drawn."""
    characters = [{"position": "0,0"}, {"position": "one,nought"}]
    assert keys_of({**BOTWARS, "characters": characters, "parties": [["p1", "p2"]]}) == ["characters[1].position"]


def test_a_text_names_ten_faults_and_counts_the_rest() -> None:
    with pytest.raises(ScenarioError) as caught:
        check_setup({**BOTWARS, **{f"key{n}": n for n in range(14)}})
    said = str(caught.value)
    assert said.count("unknown key") == FAULTS_NAMED
    assert said.endswith("; and 4 more")
    assert "\n" not in said


def test_of_very_many_faults_a_hundred_are_told() -> None:
    specials = [{"position": "0,0", "kind": "hat", "x": 1}] * 3_000
    with pytest.raises(ScenarioError) as caught:
        check_setup({**FOXHUNT, "specials": specials})
    assert len(caught.value.faults) == FAULTS_TOLD + 1
    assert caught.value.faults[-1].reason == f"and {3_000 - FAULTS_TOLD} more"


# keys that stand twice


def test_a_key_that_stands_twice_is_a_fault_beside_the_others(tmp_path: Path) -> None:
    text = json.dumps(BOTWARS).replace('"id": "p2",', '"id": "p2", "id": "p3", "speed": 1,')
    text = text.replace('"wizard": null', '"wizard": null, "wizard": null')
    with pytest.raises(ScenarioError) as caught:
        load_file(file_of(tmp_path, text))
    assert [fault.key for fault in caught.value.faults] == ["wizard", "characters[1].id", "characters[1].speed"]
    assert caught.value.reason == "stands there twice; take one out"


# names


def test_a_name_that_another_scenario_has_is_a_fault_beside_the_others(tmp_path: Path) -> None:
    library = ScenarioLibrary()
    file = file_of(tmp_path, {**BOTWARS, "name": "crossroads", "maxRounds": 0})
    with pytest.raises(ScenarioError) as caught:
        library.add_file(file)
    assert [fault.key for fault in caught.value.faults] == ["maxRounds", "name"]
    assert library.left_out["crossroads"].file == str(file)


def test_the_same_file_again_is_no_fault(tmp_path: Path) -> None:
    library = ScenarioLibrary()
    file = file_of(tmp_path, BOTWARS)
    library.add_file(file)
    (tmp_path / "link.json").symlink_to(file)
    assert library.add_file(tmp_path / "link.json").name == "glade"
    with pytest.raises(ScenarioError):
        library.add_file(file_of(tmp_path, BOTWARS, "b.json"))


# files that are none


def fifo(place: Path) -> None:
    os.mkfifo(place)


def a_socket(place: Path) -> None:
    here = Path.cwd()
    os.chdir(place.parent)  # Their names may have 108 bytes at the most.
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(place.name)
    finally:
        os.chdir(here)


def a_loop(place: Path) -> None:
    place.symlink_to(place)


def a_folder(place: Path) -> None:
    place.mkdir()


def a_device(place: Path) -> None:
    place.symlink_to("/dev/zero")


def nowhere(place: Path) -> None:
    place.symlink_to(place.parent / "none")


def too_large(place: Path) -> None:
    with place.open("wb") as out:
        out.truncate(FILE_BYTES_AT_MOST + 1)


ODD = {
    fifo: "cannot be read: it is a pipe, not a file of text",
    a_socket: "cannot be read: it is a socket, not a file of text",
    a_device: "cannot be read: it is a device, not a file of text",
    a_folder: "cannot be read: Is a directory",
    a_loop: "cannot be read: Too many levels of symbolic links",
    nowhere: "cannot be read: No such file or directory",
    too_large: "is larger than 4 MiB",
}


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_what_is_no_file_of_text_is_told_and_waited_for_by_nobody(tmp_path: Path, make: Any) -> None:
    make(tmp_path / "odd.json")
    file_of(tmp_path, BOTWARS)
    library = ScenarioLibrary([tmp_path])
    (problem,) = library.problems
    assert (problem.file, problem.key, problem.reason) == (str(tmp_path / "odd.json"), "", ODD[make])
    assert library.get("glade")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_is_closed_to_us_is_told(tmp_path: Path) -> None:
    file = file_of(tmp_path, BOTWARS)
    file.chmod(0)
    with pytest.raises(ScenarioError, match="cannot be read: Permission denied"):
        load_file(file)
