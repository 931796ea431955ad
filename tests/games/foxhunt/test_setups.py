"""Set-ups that are refused: each names its key and what would be right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.foxhunt.drawing import started

from livingtable.errors import ScenarioError

RIGHT: dict[str, Any] = {"game": "foxhunt", "map": ["___", "_Ww", "___"], "players": [{}, {}]}
FREE, WALL, BREAKABLE, OFF = "0,0", "1,1", "2,1", "3,0"


def refusal(**changed: Any) -> tuple[str, str]:
    """The key and the reason with which a set-up is refused that is right but for this."""
    with pytest.raises(ScenarioError) as caught:
        started({**RIGHT, **changed})
    assert str(caught.value).splitlines() == [str(caught.value)]
    return caught.value.key, caught.value.reason


def bomb(**changed: Any) -> list[dict[str, Any]]:
    return [{"position": FREE, "owner": "p1", "range": 1, "fuse": 0, **changed}]


def without(thing: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [{k: v for k, v in thing.items() if k != key}]


def test_the_set_up_that_these_tests_change_is_right() -> None:
    assert started(RIGHT)
    assert started({**RIGHT, "bombs": bomb(), "specials": [{"position": FREE, "kind": "hat"}]})


MAPS: list[tuple[Any, str, str]] = [
    ([], "map", "must have 1 or more entries"),
    (["___", "___"], "map", "has 2 rows; it needs at least 3"),
    (["___"] * 101, "map", "must have at most 100 entries"),
    (["__", "__", "__"], "map[0]", "must have 3 to 100 characters"),
    (["_" * 101] * 3, "map[0]", "must have 3 to 100 characters"),
    (["____", "____", "___"], "map[2]", "has 3 characters, the first row has 4"),
    (["___", "_x_", "___"], "map[1]", "may hold _ W w only, not 'x'"),
    (["___", "_*_", "___"], "map[1]", "may hold _ W w only, not '*'"),
    (["WWW", "WwW", "WWW"], "map", "has no free field"),
    (["___", 7, "___"], "map[1]", "must be a text"),
    ("___", "map", "must be a list of rows, or an object with width and height"),
    (None, "map", "must be a list of rows, or an object with width and height"),
    ({}, "map.width", "is missing"),
    ({"width": 10}, "map.height", "is missing"),
    ({"width": 9, "height": 10}, "map.width", "must be at least 10"),
    ({"width": 10, "height": 101}, "map.height", "must be at most 100"),
    ({"width": 10.5, "height": 10}, "map.width", "must be a whole number"),
    (
        {"width": 10, "height": 10, "obstacles": 0.2},
        "map.obstacles",
        "unknown key; take it out. Known: width, height",
    ),
]


@pytest.mark.parametrize(("given", "key", "reason"), MAPS, ids=[str(given)[:40] for given, _, _ in MAPS])
def test_a_map_that_is_none(given: Any, key: str, reason: str) -> None:
    """FX-0.1."""
    assert refusal(map=given) == (key, reason)


PLAYERS: list[tuple[Any, str, str]] = [
    (1, "players", "must be at least 2"),
    (17, "players", "must be at most 16"),
    (True, "players", "must be a list of players, or their number, 2 to 16"),
    ("four", "players", "must be a list of players, or their number, 2 to 16"),
    (2.0, "players", "must be a list of players, or their number, 2 to 16"),
    ([{}], "players", "must have 2 or more entries"),
    ([{}] * 17, "players", "must have at most 16 entries"),
    ([{}, {"id": "p1"}], "players[1].id", '"p1" is taken by players[0]'),
    ([{"id": "p2"}, {}], "players[1].id", '"p2" is taken by players[0]'),
    ([{}, {"id": "server"}], "players[1].id", "must not be one of player, troll, server, wizard"),
    ([{}, {"id": "P2"}], "players[1].id", "must be 1 to 12 lower-case letters and digits, a letter first"),
    ([{}, {"name": ""}], "players[1].name", "must not be blank"),
    ([{}, {"name": "a\nb"}], "players[1].name", "must be one line without control characters"),
    ([{}, {"name": "x" * 33}], "players[1].name", "must have at most 32 characters"),
    ([{}, {"position": OFF}], "players[1].position", "3,0 is off the map, which goes from 0,0 to 2,2"),
    ([{}, {"position": WALL}], "players[1].position", "1,1 is a wall"),
    ([{}, {"position": BREAKABLE}], "players[1].position", "2,1 is a wall"),
    ([{}, {"position": "a1"}], "players[1].position", 'must be a cell written "x,y"'),
    ([{}, {"points": -1}], "players[1].points", "must be at least 0"),
    ([{}, {"range": 101}], "players[1].range", "must be at most 100"),
    ([{}, {"bombs": 1.5}], "players[1].bombs", "must be a whole number"),
    ([{}, {"hat": True}], "players[1].hat", "must be a whole number"),
    ([{}, {"paralysed": "3"}], "players[1].paralysed", "must be a whole number"),
    ([{}, {"paralysed": 1_001}], "players[1].paralysed", "must be at most 1000"),
    ([{"paralysed": 1}, {"paralysed": 1}], "players", "at least one must not be paralysed: nobody could act"),
]


@pytest.mark.parametrize(("given", "key", "reason"), PLAYERS, ids=[str(given)[:40] for given, _, _ in PLAYERS])
def test_players_that_are_none(given: Any, key: str, reason: str) -> None:
    """FX-0.3."""
    assert refusal(players=given) == (key, reason)


def test_a_misspelt_key_of_a_player_is_named_with_the_nearest() -> None:
    """C64."""
    key, reason = refusal(players=[{}, {"paralyzed": 3}])
    assert key == "players[1].paralyzed"
    assert reason.startswith('unknown key; did you mean "paralysed"? Known: id, name, position, points')


@pytest.mark.parametrize("fox", ["p3", "", "fox"])
def test_a_fox_that_is_no_player(fox: str) -> None:
    """FX-0.3."""
    assert refusal(fox=fox) == ("fox", "must be one of p1, p2")


THINGS: list[tuple[str, Any, str, str]] = [
    ("specials", [{"position": OFF, "kind": "hat"}], "specials[0].position", "3,0 is off the map, which goes"),
    ("specials", [{"position": WALL, "kind": "hat"}], "specials[0].position", "1,1 is a wall"),
    ("specials", [{"position": FREE, "kind": "boots"}], "specials[0].kind", "must be 'range', 'bombs' or 'hat'"),
    ("specials", [{"position": FREE}], "specials[0].kind", "is missing"),
    (
        "specials",
        [{"position": FREE, "kind": "hat"}, {"position": FREE, "kind": "range"}],
        "specials[1].position",
        "0,0 has a special already",
    ),
    ("bombs", bomb(position=OFF), "bombs[0].position", "3,0 is off the map, which goes from 0,0 to 2,2"),
    ("bombs", bomb(position=BREAKABLE), "bombs[0].position", "2,1 is a wall"),
    ("bombs", bomb(owner="p3"), "bombs[0].owner", "must be one of p1, p2"),
    ("bombs", bomb(range=-1), "bombs[0].range", "must be at least 0"),
    ("bombs", bomb(fuse=-1), "bombs[0].fuse", "must be at least 0"),
    *(("bombs", without(bomb()[0], key), f"bombs[0].{key}", "is missing") for key in bomb()[0]),
    ("bombs", None, "bombs", "must be a list"),
]


@pytest.mark.parametrize(("what", "given", "key", "reason"), THINGS)
def test_specials_and_bombs_that_are_none(what: str, given: Any, key: str, reason: str) -> None:
    """FX-0.2, FX-4.2, FX-6.1."""
    found, why = refusal(**{what: given})
    assert (found, why[: len(reason)]) == (key, reason)


SETTINGS: list[tuple[str, Any, str]] = [
    ("rounds", 0, "must be at least 1"),
    ("rounds", 10_001, "must be at most 10000"),
    ("paralysis", 1_001, "must be at most 1000"),
    ("rounds", None, "must be a whole number"),
    *((key, -1, "must be at least 0") for key in ("fuse", "paralysis", "hat", "startSpecials", "spawnEvery")),
    *((key, 100_001, "must be at most 100000") for key in ("fuse", "hat", "startSpecials", "spawnEvery")),
    *((key, -1, "must be at least 0") for key in ("startRange", "startBombs", "throwRange", "foxRounds")),
    *((key, 101, "must be at most 100") for key in ("startRange", "startBombs", "throwRange")),
    *((key, 1.5, "must be a whole number") for key in ("rounds", "fuse", "hat", "throwRange", "spawnEvery")),
    ("revealChance", -0.1, "must be at least 0.0"),
    ("revealChance", 1.1, "must be at most 1.0"),
    ("revealChance", "0.3", "must be a number"),
    ("roundSeconds", 0.05, "must be at least 0.1"),
    ("roundSeconds", 0, "must be at least 0.1"),
    ("roundSeconds", 86_401, "must be at most 86400.0"),
]


@pytest.mark.parametrize(("key", "value", "reason"), SETTINGS)
def test_settings_beyond_their_limits(key: str, value: Any, reason: str) -> None:
    """FX-0.4, FX-R20."""
    found, why = refusal(**{key: value})
    assert found == key
    assert why == reason or float(why.rpartition(" ")[2]) == float(reason.rpartition(" ")[2])


def test_a_misspelt_setting_is_named_with_the_nearest() -> None:
    """C64."""
    key, reason = refusal(fuze=3)
    assert key == "fuze"
    assert reason.startswith('unknown key; did you mean "fuse"?')


@pytest.mark.parametrize("key", ["map", "players"])
def test_what_is_missing_is_named(key: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        started({k: v for k, v in RIGHT.items() if k != key})
    assert (caught.value.key, caught.value.reason) == (key, "is missing")


@pytest.mark.parametrize("value", [0, 4])
def test_loaded_dice_of_three_sides_show_1_to_3(value: int) -> None:
    """The contract's `dice`."""
    assert refusal(dice={"d3": [value]})[0] == "dice.d3[0]"
