"""SK-5: scenarios and set-ups, what is checked in them, and the words in which a bad one is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.games.skirmish.drawing import act, drawn, figures_of, piece, setup_of, started
from tests.games.skirmish.plain import Ground, dijkstra, hexes_of, read

from livingtable.errors import ScenarioError
from livingtable.scenarios import ScenarioLibrary, check_scenario, load_file

FIELD = """
    I  K1 .  ~
      .  M  .  _
    .  .  o1 C
    """

# --- the two that ship ---

SHIPPED = Path(__file__).parents[3] / "engine/livingtable/games/skirmish/scenarios"


def shipped(name: str) -> dict[str, Any]:
    return json.loads((SHIPPED / f"{name}.json").read_text("utf-8"))


def test_two_scenarios_ship_and_a_small_one_to_measure_strength_on() -> None:
    """SK-5.1."""
    assert {file.stem for file in SHIPPED.glob("*.json")} == {"castle_siege", "river_raid", "border_fort"}


def test_river_raid_has_twelve_turns_and_castle_siege_no_limit() -> None:
    """SK-4.3."""
    assert shipped("river_raid")["turnLimit"] == 12
    assert shipped("castle_siege").get("turnLimit") is None


each = pytest.mark.parametrize("name", ["castle_siege", "river_raid"])


@each
def test_a_shipped_scenario_starts_and_says_its_name(name: str) -> None:
    """SK-5.1."""
    state = check_scenario(shipped(name), name).start(1)
    assert shipped(name)["name"] == name
    assert state.to_act == ("ivory",)


@each
def test_ivorys_castle_is_in_the_west_and_crimsons_in_the_east(name: str) -> None:
    """SK-5.1."""
    rows: list[str] = shipped(name)["map"]
    columns = {sign: column for row in rows for column, sign in enumerate(row) if sign in "IC"}
    width = max(len(row) for row in rows)
    assert columns["I"] < width / 3
    assert columns["C"] >= width * 2 / 3


@each
def test_each_side_has_its_own_kinds(name: str) -> None:
    """SK-5.1: Knights, Archers, a Wizard, a General; Goblins, Orcs, a Troll, a Dragon, a General."""
    kinds = {side: [p["kind"] for p in shipped(name)["pieces"] if p["side"] == side] for side in ("ivory", "crimson")}
    assert set(kinds["ivory"]) == set("KAWS")
    assert set(kinds["crimson"]) == set("GOTDS")
    assert [kinds["ivory"].count(kind) for kind in "WS"] == [1, 1]
    assert [kinds["crimson"].count(kind) for kind in "TDS"] == [1, 1, 1]
    assert all(kinds["ivory"].count(kind) > 1 for kind in "KA")
    assert all(kinds["crimson"].count(kind) > 1 for kind in "GO")


@each
def test_a_river_runs_between_with_roads_over_it(name: str) -> None:
    """SK-5.1: without roads nobody would come across."""
    rows: list[str] = shipped(name)["map"]
    assert any("~" in row for row in rows)
    assert _crossed(rows)
    assert not _crossed([row.replace("=", "~") for row in rows])


def _crossed(rows: list[str]) -> bool:
    signs = {sign: h for h, sign in hexes_of(rows).items()}
    return signs["C"] in dijkstra(Ground(rows), signs["I"], 10_000)


@each
def test_the_river_has_more_than_one_crossing(name: str) -> None:
    """SK-5.1: with any one hex of road taken away there is still a way."""
    rows: list[str] = shipped(name)["map"]
    for h, sign in hexes_of(rows).items():
        if sign == "=":
            assert _crossed(_without(rows, h)), f"all ways lead over {h}"


def _without(rows: list[str], place: tuple[int, int]) -> list[str]:
    q, r = place
    c = q + (r - (r & 1)) // 2
    return [row[:c] + "~" + row[c + 1 :] if n == r else row for n, row in enumerate(rows)]


# --- what a set-up may say ---


def test_a_set_up_says_all_about_a_piece() -> None:
    """SK-5.2, the contract's `pieces`."""
    told = {"hp": 1, "moved": True, "hexesMoved": 3, "attacksMade": 1, "afraid": False}
    state = drawn(FIELD, figures={"K1": told, "o1": {"afraid": True}})
    assert {key: piece(state, "K1")[key] for key in told} == told
    assert piece(state, "o1")["afraid"]


def test_what_a_set_up_does_not_say_is_as_at_the_start_of_a_game() -> None:
    """SK-5.2: full hp, nothing done; turn 1, ivory first, no limit, both led."""
    setup = setup_of(FIELD)
    for p in setup["pieces"]:
        del p["id"]
    view = started(setup).view(None)
    assert (view["turn"], view["side"], view["turnLimit"]) == (1, "ivory", None)
    assert view["leaderless"] == {"ivory": False, "crimson": False}
    for p in view["pieces"]:
        assert [p[key] for key in ("hp", "moved", "hexesMoved", "attacksMade", "afraid")] == [2, False, 0, 0, False]


def test_pieces_without_ids_are_numbered_by_side_and_kind() -> None:
    """SK-0.3: in the order of the set-up, leaving out what is given."""
    setup = setup_of("I K1 K2 K3 A1 k1 o1 C")
    for n in (0, 1, 3, 4, 5):
        del setup["pieces"][n]["id"]
    setup["pieces"][2]["id"] = "ivory-K1"
    assert list(figures_of(started(setup), "hex").items()) == [
        ("K2", "1,0"), ("K3", "2,0"), ("K1", "3,0"), ("A1", "4,0"), ("k1", "5,0"), ("o1", "6,0"),
    ]  # fmt: skip


def test_the_rows_need_not_be_of_one_length() -> None:
    """SK-5.2: what is missing is no hex."""
    setup = setup_of(FIELD)
    setup["map"][1] = "."
    setup["map"][0] += "    "
    state = started(setup)
    assert len({len(row) for row in state.view(None)["map"]}) == 1
    assert act(state, "K1 > 0,1")


def test_the_way_between_the_castles_may_lead_through_pieces() -> None:
    """SK-5.2: the map counts."""
    assert drawn("I K1 o1 C").result is None


# --- what is refused ---


def refusal(**changes: Any) -> ScenarioError:
    """How the field with these changes is refused."""
    with pytest.raises(ScenarioError) as caught:
        started({**setup_of(FIELD), **changes})
    return caught.value


def changed(n: int, **changes: Any) -> list[dict[str, Any]]:
    """The field's pieces (K1, o1) with one of them changed."""
    pieces: list[dict[str, Any]] = setup_of(FIELD)["pieces"]
    pieces[n] |= changes
    return pieces


MAPS: Mapping[str, tuple[list[str], str]] = {
    "no ivory castle": (["...~", ".M. ", "...C"], "map"),
    "no crimson castle": (["I..~", ".M. ", "...."], "map"),
    "two ivory castles": (["I..~", ".M. ", "..IC"], "map"),
    "two crimson castles": (["I.C~", ".M. ", "...C"], "map"),
    "a river without a crossing": (["I.~.", "..~.", "..~C"], "map"),
    "mountains all around": (["IM..", "MM..", "...C"], "map"),
    "no hex between": (["I . ", "  ..", "...C"], "map"),
    "a strange sign": (["I..~", ".X. ", "...C"], "map[1]"),
    "a small letter": (["I..~", ".f. ", "...C"], "map[1]"),
    "an empty row": (["I..~", "", "...C"], "map[1]"),
    "a row of 101": (["I..~", "." * 101, "...C"], "map[1]"),
    "101 rows": (["I.C"] + ["..."] * 100, "map"),
    "no row": ([], "map"),
}


@pytest.mark.parametrize("name", MAPS)
def test_a_bad_map_is_refused(name: str) -> None:
    """SK-5.2: both castles exist, and each can be reached from the other."""
    rows, key = MAPS[name]
    assert refusal(map=rows).key == key


def test_the_reason_says_what_is_wrong_with_the_castles() -> None:
    """SK-5.2."""
    assert "ivory castle (I)" in refusal(map=["...~", ".M. ", "...C"]).reason
    assert "crimson castle (C)" in refusal(map=["I..~", ".M. ", "...."]).reason
    assert "no way from one castle to the other" in refusal(map=["I.~.", "..~.", "..~C"]).reason


PIECES: Mapping[str, tuple[int, dict[str, Any], str]] = {
    "on a taken hex": (1, {"hex": "1,0"}, "pieces[1].hex"),
    "in water": (0, {"hex": "3,0"}, "pieces[0].hex"),
    "on a mountain": (0, {"hex": "1,1"}, "pieces[0].hex"),
    "where no hex is": (0, {"hex": "3,1"}, "pieces[0].hex"),
    "off the map": (0, {"hex": "9,9"}, "pieces[0].hex"),
    "on the enemy's castle": (0, {"hex": "2,2"}, "pieces[0].hex"),
    "on no hex": (0, {"hex": "one,two"}, "pieces[0].hex"),
    "of no kind": (0, {"kind": "X"}, "pieces[0].kind"),
    "of no side": (0, {"side": "green"}, "pieces[0].side"),
    "with too many hp": (0, {"hp": 3}, "pieces[0].hp"),
    "with no hp": (0, {"hp": 0}, "pieces[0].hp"),
    "with half an hp": (0, {"hp": 1.5}, "pieces[0].hp"),
    "with three attacks": (0, {"attacksMade": 3}, "pieces[0].attacksMade"),
    "with two attacks of a Knight": (0, {"attacksMade": 2}, "pieces[0].attacksMade"),
    "with two attacks of an Archer that has moved": (
        0,
        {"kind": "A", "id": "ivory-A1", "moved": True, "attacksMade": 2},
        "pieces[0].attacksMade",
    ),
    "moved further than it can": (0, {"moved": True, "hexesMoved": 5}, "pieces[0].hexesMoved"),
    "moved over hexes without having moved": (0, {"hexesMoved": 1}, "pieces[0].hexesMoved"),
    "moved and still afraid": (0, {"moved": True, "afraid": True}, "pieces[0].afraid"),
    "attacking in fear": (0, {"attacksMade": 1, "afraid": True}, "pieces[0].afraid"),
    "moved in the other side's turn": (1, {"moved": True, "hexesMoved": 1}, "pieces[1].moved"),
    "attacking in the other side's turn": (1, {"attacksMade": 1}, "pieces[1].attacksMade"),
    "with a text for a mark": (0, {"moved": "yes"}, "pieces[0].moved"),
    "with the id of another kind": (0, {"id": "ivory-O1"}, "pieces[0].id"),
    "with the id of another side": (0, {"id": "crimson-K1"}, "pieces[0].id"),
    "with an id without a number": (0, {"id": "ivory-K"}, "pieces[0].id"),
    "with the number 0": (0, {"id": "ivory-K0"}, "pieces[0].id"),
    "with a number in other digits": (0, {"id": "ivory-K1\u0663"}, "pieces[0].id"),
    "with another id": (0, {"id": "Bob"}, "pieces[0].id"),
    "with an unknown key": (0, {"colour": "red"}, "pieces[0].colour"),
}


@pytest.mark.parametrize("name", PIECES)
def test_a_bad_piece_is_refused(name: str) -> None:
    """SK-5.2: no two share a hex, none stands in water or on a mountain; SK-0.3 and the contract for the rest."""
    n, changes, key = PIECES[name]
    error = refusal(pieces=changed(n, **changes))
    assert error.key == key
    assert error.reason


def test_the_reason_names_who_has_the_hex() -> None:
    """SK-5.2."""
    assert refusal(pieces=changed(1, hex="1,0")).reason == "1,0 is taken by ivory-K1"


def test_two_pieces_with_one_id_are_refused() -> None:
    """SK-0.3."""
    setup = setup_of("I K1 K2 o1 C")
    setup["pieces"][1]["id"] = "ivory-K1"
    with pytest.raises(ScenarioError) as caught:
        started(setup)
    assert caught.value.key == "pieces[1].id"


WHOLE: Mapping[str, tuple[dict[str, Any], str]] = {
    "no pieces": ({"pieces": []}, "pieces"),
    "a turn limit of 0": ({"turnLimit": 0}, "turnLimit"),
    "a turn limit in words": ({"turnLimit": "twelve"}, "turnLimit"),
    "a turn after the limit": ({"turnLimit": 3, "turn": 4}, "turn"),
    "turn 0": ({"turn": 0}, "turn"),
    "an unknown first side": ({"firstSide": "green"}, "firstSide"),
    "a leaderless third side": ({"leaderless": {"green": True}}, "leaderless.green"),
    "a die of 7": ({"dice": {"d6": [7]}}, "dice.d6[0]"),
    "an unknown key": ({"turnlimit": 3}, "turnlimit"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_bad_set_up_is_refused(name: str) -> None:
    """SK-5.2, the contract's limits."""
    changes, key = WHOLE[name]
    assert refusal(**changes).key == key


def test_a_misspelt_key_is_told_the_nearest() -> None:
    """SK-5.2, C64."""
    assert 'did you mean "turnLimit"?' in refusal(turnlimit=3).reason


def test_65_pieces_are_refused() -> None:
    """The contract's limit."""
    rows = ["I" + "." * 33, "." * 33 + "C"]
    pieces = [{"kind": "G", "side": ("ivory", "crimson")[n % 2], "hex": f"{n // 2},{n % 2}"} for n in range(2, 67)]
    with pytest.raises(ScenarioError) as caught:
        started({"game": "skirmish", "map": rows, "pieces": pieces})
    assert caught.value.key == "pieces"
    assert len(figures_of(started({"game": "skirmish", "map": rows, "pieces": pieces[:64]}), "hp")) == 64


def test_a_map_of_100_by_100_starts() -> None:
    """The contract's limit."""
    rows = ["I" + "." * 99, *["." * 100] * 98, "." * 99 + "C"]
    pieces = [{"kind": "D", "side": "ivory", "hex": "50,0"}, {"kind": "G", "side": "crimson", "hex": "50,50"}]
    state = started({"game": "skirmish", "map": rows, "pieces": pieces})
    reached = dijkstra(Ground(rows), read("50,0"), 6)
    assert len(list(state.legal_actions("ivory"))) == len(reached) + 1


# --- files ---


def file_of(folder: Path, name: str, **changes: Any) -> Path:
    data = {"name": name, "title": "A field", "summary": "A field.", **setup_of(FIELD), **changes}
    file = folder / f"{name}.json"
    file.write_text(json.dumps(data), "utf-8")
    return file


def test_users_add_scenarios_in_a_folder_that_they_name(tmp_path: Path) -> None:
    """SK-5.2."""
    file_of(tmp_path, "field")
    library = ScenarioLibrary([tmp_path])
    assert library.problems == []
    assert library.get("field").start(1).view(None) == drawn(FIELD).view(None)


def test_a_bad_file_is_refused_with_file_key_and_reason_and_nothing_else_stops(tmp_path: Path) -> None:
    """SK-5.2."""
    bad = file_of(tmp_path, "bad", pieces=changed(0, hex="1,1"))
    file_of(tmp_path, "good")
    library = ScenarioLibrary([tmp_path])
    (problem,) = library.problems
    assert (problem.file, problem.key, problem.reason) == (str(bad), "pieces[0].hex", "1,1 is water or a mountain")
    assert {"good", "castle_siege"} <= {scenario.name for scenario in library.all("skirmish")}


def test_a_file_that_is_loaded_alone_says_the_same(tmp_path: Path) -> None:
    """SK-5.2."""
    bad = file_of(tmp_path, "bad", map=["I.~.", "..~.", "..~C"])
    with pytest.raises(ScenarioError) as caught:
        load_file(bad)
    assert (caught.value.source, caught.value.key) == (str(bad), "map")
