"""Scenario files: what is wrong with a bad one is told by file, key and what would be right; the rest goes on."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from livingtable.errors import ScenarioError, UnknownNameError
from livingtable.game import Data, game_names
from livingtable.scenarios import FILE_BYTES_AT_MOST, ScenarioLibrary, check_scenario, check_setup, load_file

GOOD: Data = {
    "game": "botwars",
    "name": "two_towers",
    "title": "Two Towers",
    "summary": "Two players on a small field.",
    "map": ["....", ".M..", "...."],
    "characters": [{"position": "0,0"}, {"position": "3,2"}],
}


def without(key: str) -> Data:
    return {k: v for k, v in GOOD.items() if k != key}


def character(**figures: Any) -> Data:
    """A set-up of which the first character has these figures."""
    return {"characters": [figures, {"position": "3,2"}]}


def error_of(tmp_path: Path, data: object) -> ScenarioError:
    """What `load_file` says to a file that holds this."""
    file = tmp_path / "bad.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    with pytest.raises(ScenarioError) as raised:
        load_file(file)
    assert raised.value.source == str(file), "the file is named"
    assert str(file) in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1
    return raised.value


def test_a_good_file_is_a_scenario(tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    file.write_text(json.dumps(GOOD), "utf-8")
    scenario = load_file(file)
    assert (scenario.game, scenario.name, scenario.data) == ("botwars", "two_towers", GOOD)
    assert scenario.start(1).to_data() == check_scenario(GOOD, "here").start(1).to_data()


def test_a_set_up_needs_no_name_title_and_summary() -> None:
    setup = {key: GOOD[key] for key in ("game", "map", "characters")}
    assert check_setup(setup).start(1).sides == ("p1", "p2")


BAD: list[tuple[str, Data, str, str]] = [
    ("an unknown game", {"game": "botwar"}, "game", "must be one of botwars"),
    ("a game that is no text", {"game": 7}, "game", "must be one of"),
    ("a name of 33 characters", {"name": "x" * 33}, "name", "at most 32 characters"),
    ("a blank name", {"name": " "}, "name", "must not be blank"),
    ("a name with a line break", {"name": "a\nb"}, "name", "one line without control characters"),
    ("a name with NUL", {"name": "a\0"}, "name", "one line without control characters"),
    ("a name that turns the writing", {"name": "a\u202eb"}, "name", "one line without control characters"),
    ("a name with half a surrogate pair", {"name": "a\ud800"}, "name", "without halves of surrogate pairs"),
    ("a title with a line break", {"title": "a\nb"}, "title", "one line"),
    ("a title of 81 characters", {"title": "x" * 81}, "title", "at most 80 characters"),
    ("a summary of 1,001 characters", {"summary": "x" * 1001}, "summary", "at most 1000 characters"),
    ("a summary that is no text", {"summary": 7}, "summary", "must be a text"),
    ("a map of 101 rows", {"map": ["."] * 101}, "map", "at most 100 entries"),
    ("a map of 101 columns", {"map": ["." * 101]}, "map[0]", "1 to 100 characters"),
    ("a map without rows", {"map": []}, "map", "1 or more entries"),
    ("a map of uneven rows", {"map": ["....", "..."]}, "map[1]", "has 3 characters, the first row has 4"),
    ("a map with a strange sign", {"map": ["..x."]}, "map[0]", "may hold . M F only, not 'x'"),
    ("a map that is a text", {"map": "..."}, "map", "a list of rows, or an object with width, height and obstacles"),
    ("a map of numbers", {"map": [1]}, "map[0]", "must be a text"),
    ("a map without an open cell", {"map": ["MF"]}, "map", "no open cell"),
    ("a drawn map too wide", {"map": {"width": 101, "height": 9, "obstacles": 0}}, "map.width", "at most 100"),
    ("a drawn map too full", {"map": {"width": 9, "height": 9, "obstacles": 0.95}}, "map.obstacles", "at most 0.9"),
    (
        "a drawn map of parts of cells",
        {"map": {"width": 9.5, "height": 9, "obstacles": 0}},
        "map.width",
        "whole number",
    ),
    ("33 characters", {"characters": [{}] * 33}, "characters", "at most 32 entries"),
    ("nobody", {"characters": []}, "characters", "1 or more entries"),
    ("more than there is room for", {"map": ["."]} | {"characters": [{}, {}]}, "characters", "too few open cells"),
    ("strength 0", character(strength=0), "characters[0].strength", "from 0.1 to 1000.0"),
    ("strength 1000.1", character(strength=1000.1), "characters[0].strength", "from 0.1 to 1000.0"),
    ("strength with two decimals", character(strength=1.25), "characters[0].strength", "at most one decimal"),
    ("strength as a text", character(strength="2"), "characters[0].strength", "must be a number"),
    ("strength as a truth", character(strength=True), "characters[0].strength", "must be a number"),
    ("strength that is no number", character(strength=float("nan")), "characters[0].strength", "one decimal"),
    ("strength without end", character(strength=float("inf")), "characters[0].strength", "one decimal"),
    ("a living one without health", character(health=0), "characters[0].health", "above 0"),
    ("more health than the most", character(health=5, maxHealth=4), "characters[0].health", "maxHealth 4.0"),
    ("a score with a decimal", character(score=1.5), "characters[0].score", "whole number"),
    ("life as a text", character(alive="yes"), "characters[0].alive", "true or false"),
    ("a cell off the map", character(position="4,0"), "characters[0].position", "from 0,0 to 3,2"),
    ("a cell on a mountain", character(position="1,1"), "characters[0].position", "is an obstacle"),
    ("a cell that is taken", character(position="3,2"), "characters[1].position", "taken by p1"),
    ("a cell in words", character(position="north"), "characters[0].position", 'written "x,y"'),
    ("an id in capitals", character(id="P1"), "characters[0].id", "lower-case letters and digits"),
    ("an id of 13 letters", character(id="a" * 13), "characters[0].id", "1 to 12"),
    ("an id that means a group", character(id="troll"), "characters[0].id", "player, troll, server, wizard"),
    ("an id that is taken", character(id="p2"), "characters[1].id", '"p2" is taken by characters[0]'),
    ("an unknown kind", character(characterType="elf"), "characters[0].characterType", "'player' or 'troll'"),
    (
        "two kinds at once",
        character(characterType="troll", pieceType="player"),
        "characters[0].pieceType",
        "the same as characterType",
    ),
    ("a party of one", {"parties": [["p1"]]}, "parties[0]", "2 or more entries"),
    ("a party that is no line", {"parties": [["p1", "p2"]]}, "parties[0][1]", 'must stand next to "p1"'),
    ("a party with a stranger", {"parties": [["p1", "p9"]]}, "parties[0][1]", "no living player"),
    ("a wizard off the map", {"wizard": {"position": "9,9"}}, "wizard.position", "off the map"),
    ("an unknown ruleset", {"ruleset": "newest"}, "ruleset", "'full' or 'classic'"),
    ("no round", {"maxRounds": 0}, "maxRounds", "at least 1"),
    ("health 0 for all", {"health": 0}, "health", "from 0.1"),
    ("a turn of nobody", {"turn": "p9"}, "turn", "p1, p2"),
    ("passes of a solo", {"consecutivePasses": {"p1": 1}}, "consecutivePasses.p1", "no leader of a party"),
    ("a die of 21", {"dice": {"d20": [21]}}, "dice.d20[0]", "at most 20"),
    ("10,001 dice", {"dice": {"d3": [1] * 10_001}}, "dice.d3", "at most 10000 entries"),
]


@pytest.mark.parametrize(("change", "key", "right"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD])
def test_a_bad_file_is_told_its_key_and_what_is_right(tmp_path: Path, change: Data, key: str, right: str) -> None:
    error = error_of(tmp_path, {**GOOD, **change})
    assert error.key == key
    assert right in error.reason


@pytest.mark.parametrize("key", ["game", "name", "title", "summary", "map", "characters"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    error = error_of(tmp_path, without(key))
    assert error.key == key
    assert error.reason in ("is missing", f"must be one of {', '.join(game_names())}")


@pytest.mark.parametrize(
    ("change", "key", "near"),
    [
        ({"maxRound": 5}, "maxRound", "maxRounds"),
        ({"mapp": []}, "mapp", "map"),
        (character(posiiton="0,0"), "characters[0].posiiton", "position"),
        ({"wizard": {"strenght": 3}}, "wizard.strenght", "strength"),
        ({"dice": {"d21": [1]}}, "dice.d21", "d20"),
        ({"map": {"width": 5, "height": 5, "obstacle": 0.1}}, "map.obstacle", "obstacles"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known(tmp_path: Path, change: Data, key: str, near: str) -> None:
    error = error_of(tmp_path, {**GOOD, **change})
    assert error.key == key
    assert error.reason.startswith(f'unknown key; did you mean "{near}"?')


def test_an_unknown_key_like_none_is_refused_with_all_that_are_known(tmp_path: Path) -> None:
    error = error_of(tmp_path, {**GOOD, "qqqqq": 1})
    assert error.reason.startswith("unknown key; take it out. Known: game, name, title")


def test_the_limits_themselves_are_allowed() -> None:
    at_the_limit: Data = {
        **GOOD,
        "name": "x" * 32,
        "title": "x" * 80,
        "map": ["." * 100] * 100,
        "characters": [{"id": f"a{n:011}", "name": "n" * 32} for n in range(32)],
        "dice": {"d20": [20] * 10_000, "d6": [6], "d3": [3]},
    }
    state = check_scenario(at_the_limit, "here").start(2**53 - 1)
    assert len(state.sides) == 32


@pytest.mark.parametrize(
    "name", ["漢字", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "שלום", "e\u0301", "../../x", "<b>"]
)
def test_names_of_all_scripts_are_names(name: str) -> None:
    state = check_scenario({**GOOD, **character(name=name)}, "here").start(1)
    assert state.names["p1"] == name


# files


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("{'game': 'botwars'}", "is no JSON"),
        ("[]", "must be one JSON object"),
        ("null", "must be one JSON object"),
        ("7", "must be one JSON object"),
        ("[" * 20_000 + "]" * 20_000, "is nested too deep"),
        ('{"game": ' + "9" * 5_000 + "}", "is no JSON"),
    ],
    ids=["empty", "cut off", "quoted wrongly", "a list", "null", "a number", "nested", "a number of 5,000 digits"],
)
def test_a_file_that_is_no_json_object_is_told_so(tmp_path: Path, text: str, reason: str) -> None:
    error = error_of(tmp_path, text)
    assert (error.key, error.reason[: len(reason)]) == ("", reason)


def test_a_file_that_is_no_text_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_file(file)


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_file(tmp_path / "none.json")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as out:
        out.truncate(FILE_BYTES_AT_MOST + 1)
    with pytest.raises(ScenarioError, match="larger than 4 MiB"):
        load_file(file)


def test_an_error_comes_back_from_another_process_whole() -> None:
    error = ScenarioError("a.json", "map[0]", "is too long")
    again = pickle.loads(pickle.dumps(error))
    assert (again.source, again.key, again.reason, str(again)) == ("a.json", "map[0]", "is too long", str(error))


# the library


def put(folder: Path, file: str, data: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / file).write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return folder


def test_the_shipped_scenarios_are_there_in_alphabetical_order() -> None:
    names = [scenario.name for scenario in ScenarioLibrary().all("botwars")]
    assert names == ["crossroads", "duel_glade", "first_alliance", "mountain_pass", "troll_night", "wide_wilds"]


def test_a_folder_of_the_user_s_adds_to_them(tmp_path: Path) -> None:
    library = ScenarioLibrary([put(tmp_path / "mine", "a.json", GOOD)])
    assert library.problems == []
    assert library.get("two_towers").data == GOOD
    assert library.get("crossroads").game == "botwars"


def test_one_bad_file_leaves_the_rest_working(tmp_path: Path) -> None:
    folder = put(tmp_path / "mine", "a.json", {**GOOD, "name": "first"})
    put(folder, "b.json", {**GOOD, "name": "second", "maxRounds": 0})
    put(folder, "c.json", "{")
    put(folder, "d.json", {**GOOD, "name": "fourth"})
    put(folder, "notes.txt", "not looked at")
    library = ScenarioLibrary([folder])
    assert {"first", "fourth", "crossroads"} <= {scenario.name for scenario in library.all()}
    assert [(Path(problem.file).name, problem.key) for problem in library.problems] == [
        ("b.json", "maxRounds"),
        ("c.json", ""),
    ]
    with pytest.raises(UnknownNameError):
        library.get("second")


def test_a_file_that_could_not_be_started_is_a_problem_too(tmp_path: Path) -> None:
    library = ScenarioLibrary([put(tmp_path / "mine", "a.json", {**GOOD, **character(position="1,1")})])
    (problem,) = library.problems
    assert (problem.key, problem.reason) == ("characters[0].position", "1,1 is an obstacle")


def test_of_two_scenarios_of_one_name_the_first_stays(tmp_path: Path) -> None:
    folder = put(tmp_path / "mine", "a.json", GOOD)
    put(folder, "b.json", {**GOOD, "title": "The other one"})
    put(folder, "c.json", {**GOOD, "name": "crossroads"})
    library = ScenarioLibrary([folder])
    assert library.get("two_towers").setup.title == "Two Towers"
    assert library.get("crossroads").setup.title == "Crossroads"
    assert [(Path(p.file).name, p.key) for p in library.problems] == [("b.json", "name"), ("c.json", "name")]
    assert all("already; rename it" in problem.reason for problem in library.problems)


def test_a_folder_that_is_none_is_a_problem(tmp_path: Path) -> None:
    library = ScenarioLibrary([tmp_path / "none"])
    assert [(problem.file, problem.reason) for problem in library.problems] == [
        (str(tmp_path / "none"), "is no folder")
    ]
    assert library.all()


def test_a_folder_that_ends_in_json_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "mine.json").mkdir()
    (problem,) = ScenarioLibrary([tmp_path]).problems
    assert "cannot be read" in problem.reason


def test_an_unknown_scenario_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match='"crosroads"; did you mean "crossroads"'):
        ScenarioLibrary().get("crosroads")


@pytest.mark.parametrize("name", ["../../x", "%2e%2e%2f", "/etc/passwd", "CON", "x.", "\0", "\ud800", "x" * 300, ""])
def test_a_strange_name_is_an_unknown_scenario_and_reads_no_file(name: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        ScenarioLibrary().get(name)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 500


def test_scenarios_of_an_unknown_game_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        ScenarioLibrary().all("botwar")
