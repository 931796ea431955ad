"""FX-0.3, FX-0.4: who starts where, who is the fox, the settings, and the specials of the start."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.foxhunt.drawing import drawn, figures_of, fox_of, named, play, same_board, started, wait
from tests.games.foxhunt.random_play import stable

from livingtable.errors import ScenarioError

YARD = ["W____W", "_wWw__", "______", "W_w__W"]
DEFAULTS = {
    "rounds": 200,
    "fuse": 5,
    "paralysis": 3,
    "hat": 5,
    "startRange": 1,
    "startBombs": 1,
    "throwRange": 3,
    "startSpecials": 4,
    "spawnEvery": 10,
    "revealChance": 0.3,
    "roundSeconds": None,
}


def a_hunt(players: int | list[dict[str, Any]] = 2, seed: int = 1, **setup: Any) -> dict[str, Any]:
    """The view of version 0 of a hunt of which nothing but the map is given."""
    return started({"game": "foxhunt", "map": YARD, "players": players, **setup}, seed).view(None)


# --- the players ---


@pytest.mark.parametrize("number", [2, 3, 16])
def test_2_to_16_players_are_called_p1_p2_and_so_on(number: int) -> None:
    """FX-0.3."""
    ids = [player["id"] for player in a_hunt(number)["players"]]
    assert ids == [f"p{n}" for n in range(1, number + 1)]


@pytest.mark.parametrize("number", [0, 1, 17])
def test_fewer_than_2_and_more_than_16_players_are_refused(number: int) -> None:
    """FX-0.3: given by number or one by one."""
    one_by_one: list[dict[str, Any]] = [{} for _ in range(number)]
    for players in (number, one_by_one):
        with pytest.raises(ScenarioError, match=r"players: must (be at|have)"):
            a_hunt(players)


@given(st.integers(0, 2**53 - 1), st.integers(2, 16))
@stable
def test_players_start_on_random_free_fields_each_on_another_one(seed: int, number: int) -> None:
    """FX-0.3; FX-R4: 17 fields are free here."""
    view = a_hunt(number, seed)
    cells = [tuple(int(n) for n in player["position"].split(",")) for player in view["players"]]
    assert all(YARD[y][x] == "_" for x, y in cells)
    assert len(set(cells)) == number


def test_players_share_start_fields_only_where_there_are_no_others() -> None:
    """FX-R4."""
    cells = Counter(p["position"] for p in a_hunt(5, map=["W_W", "WWW", "_W_"])["players"])
    assert sorted(cells) == ["0,2", "1,0", "2,2"]
    assert sorted(cells.values()) in ([1, 1, 3], [1, 2, 2])


def test_drawn_players_keep_off_given_ones() -> None:
    """FX-R4."""
    for seed in range(8):
        view = a_hunt(seed=seed, map=["W_W", "WWW", "_WW"], players=[{}, {"position": "1,0"}])
        assert [player["position"] for player in view["players"]] == ["0,2", "1,0"]


def test_start_fields_are_drawn_from_all_free_fields() -> None:
    """FX-0.3."""
    seen = {player["position"] for seed in range(60) for player in a_hunt(4, seed)["players"]}
    assert len(seen) == sum(row.count("_") for row in YARD)


def test_the_fox_is_drawn_and_can_be_anybody() -> None:
    """FX-0.3."""
    assert {a_hunt(5, seed)["fox"] for seed in range(60)} == {"p1", "p2", "p3", "p4", "p5"}


def test_a_set_up_can_name_the_fox() -> None:
    """FX-0.3, the contract's `fox`."""
    assert {a_hunt(5, seed, fox="p4")["fox"] for seed in range(10)} == {"p4"}


def test_a_set_up_can_name_the_players_and_what_they_have() -> None:
    """The contract's `players`."""
    state = drawn(
        """
        1  _  2
        _  _  _
        _  _  _
        """,
        figures={"p2": {"name": "Reynard", "points": 7, "range": 3, "bombs": 2, "hat": 4, "paralysed": 1}},
        foxRounds=6,
    )
    assert state.view(None)["players"][1] == {
        "id": "p2",
        "name": "Reynard",
        "position": "2,0",
        "points": 7,
        "range": 3,
        "bombs": 2,
        "bombsLaid": 0,
        "hat": 4,
        "paralysed": 1,
        "committed": False,
    }
    assert (fox_of(state), state.view(None)["foxRounds"]) == ("p1", 6)


def test_a_player_has_at_first_what_the_settings_give() -> None:
    """FX-0.4: `startRange`, `startBombs`."""
    view = a_hunt(startRange=4, startBombs=3)
    assert [(p["range"], p["bombs"], p["points"], p["hat"], p["paralysed"]) for p in view["players"]] == [
        (4, 3, 0, 0, 0)
    ] * 2


# --- the settings ---


def test_the_settings_have_their_defaults() -> None:
    """FX-0.4."""
    view = a_hunt()
    assert view["settings"] == DEFAULTS
    assert (view["rounds"], view["secondsLeft"]) == (200, None)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("rounds", n) for n in (1, 10_000)),
        *(("paralysis", n) for n in (0, 1_000)),
        *((key, n) for key in ("fuse", "hat", "startSpecials", "spawnEvery") for n in (0, 100_000)),
        *((key, n) for key in ("startRange", "startBombs", "throwRange") for n in (0, 100)),
        *(("revealChance", chance) for chance in (0.0, 0.25, 0.333333, 1.0)),
        *(("roundSeconds", seconds) for seconds in (0.1, 1.5, 86_400.0)),
    ],
)
def test_each_setting_can_be_given(key: str, value: Any) -> None:
    """FX-0.4, FX-R10, FX-R17, FX-R20: to its limits."""
    assert a_hunt(**{key: value})["settings"] == {**DEFAULTS, key: value}


@pytest.mark.parametrize("number", [0, 1, 3, 9])
def test_as_many_specials_lie_at_the_start_as_the_settings_say(number: int) -> None:
    """FX-0.4: on random free fields without players, each on another one."""
    for seed in range(12):
        view = a_hunt(4, seed, startSpecials=number)
        cells = [special["position"] for special in view["specials"]]
        assert len(set(cells)) == len(cells) == number
        assert not {player["position"] for player in view["players"]} & set(cells)
        assert all(YARD[int(cell[2])][int(cell[0])] == "_" for cell in cells)


def test_there_are_no_more_specials_at_the_start_than_free_fields() -> None:
    """FX-0.4, FX-R5: also none under a bomb."""
    state = drawn(
        """
        1  W  2
        a  _  W
        W  _  W
        """,
        specials=None,
        figures={"a": {"fuse": 9}},
        startSpecials=100,
        d3=[1, 1],
    )
    assert same_board(
        state,
        """
        1  W  2
        o  R  W
        W  R  W
        """,
    )


def test_specials_are_not_drawn_where_a_set_up_gives_them() -> None:
    """FX-0.4."""
    view = a_hunt(specials=[{"position": "1,0", "kind": "hat"}], startSpecials=9)
    assert view["specials"] == [{"position": "1,0", "kind": "hat"}]
    assert a_hunt(specials=[], startSpecials=9)["specials"] == []


def test_the_kinds_of_specials_are_a_die_of_three() -> None:
    """FX-6.1, FX-R2: range, bombs, hat."""
    kinds = [special["kind"] for special in a_hunt(startSpecials=3, dice={"d3": [1, 1, 1]})["specials"]]
    assert kinds == ["range"] * 3
    seen = Counter(s["kind"] for seed in range(40) for s in a_hunt(seed=seed, startSpecials=9)["specials"])
    assert set(seen) == {"range", "bombs", "hat"}
    assert all(80 <= n <= 160 for n in seen.values()), "of 360"


def test_the_start_draws_the_map_then_fields_then_the_fox_then_the_specials() -> None:
    """FX-R3: what comes later in that order does not change what comes before."""
    whole = {"game": "foxhunt", "map": {"width": 10, "height": 12}}
    for seed in range(5):
        plain = started({**whole, "players": 4, "startSpecials": 0}, seed).view(None)
        more = started({**whole, "players": 6, "startSpecials": 9}, seed).view(None)
        specials = started({**whole, "players": 4, "startSpecials": 9}, seed).view(None)
        assert plain["map"] == more["map"] == specials["map"]
        assert [p["position"] for p in plain["players"]] == [p["position"] for p in more["players"][:4]]
        assert (plain["players"], plain["fox"]) == (specials["players"], specials["fox"])


def test_the_same_seed_starts_the_same_hunt() -> None:
    """FX-0.3."""
    assert a_hunt(9, 77) == a_hunt(9, 77)
    assert len({str(a_hunt(9, seed)) for seed in range(20)}) == 20


# --- spawnEvery ---

FENCED = """
    1  W  2
    W  W  _
    _  W  W
    """
"""Only two fields are without a player."""


def test_a_special_appears_in_each_round_whose_number_is_a_multiple() -> None:
    """FX-0.4: rounds 3 and 6 of 7."""
    state = drawn(FENCED, spawnEvery=3, rounds=7)
    rounds = [[event["type"] for event in play(state)] for _ in range(7)]
    assert [n for n, types in enumerate(rounds, start=1) if "special_appeared" in types] == [3, 6]


def test_a_special_appears_in_the_first_and_in_the_last_round_too() -> None:
    """FX-0.4, FX-2: step 8 comes before the end."""
    state = drawn(FENCED, spawnEvery=1, rounds=2)
    assert len(named(wait(state, 2), "special_appeared")) == 2
    assert state.result is not None


def test_what_appears_is_a_die_of_three_on_a_free_field() -> None:
    """FX-0.4, FX-R2."""
    state = drawn(
        """
        1  W  2
        W  W  W
        _  W  W
        """,
        spawnEvery=1,
        d3=[3],
    )
    assert named(play(state), "special_appeared") == [
        {"type": "special_appeared", "side": "server", "position": "0,2", "kind": "hat"}
    ]


def test_no_special_appears_where_a_special_a_bomb_or_a_player_is() -> None:
    """FX-0.4: three times the one field that is left."""
    for taken in ("R", "a", "3"):
        picture = f"""
            1  W  2
            W  W  {taken}
            _  W  W
            """
        for seed in range(6):
            state = drawn(picture, seed=seed, spawnEvery=1, figures={"a": {"fuse": 9}})
            (appeared,) = named(play(state), "special_appeared")
            assert appeared["position"] == "0,2"


def test_on_a_full_board_nothing_appears_and_no_die_is_thrown() -> None:
    """FX-0.4: "if there is one"."""
    state = drawn(
        """
        1  W  2
        W  W  H
        a  W  W
        """,
        spawnEvery=1,
        figures={"a": {"fuse": 9}},
    )
    dice = state.to_data()["dice"]
    assert named(wait(state, 4), "special_appeared") == []
    assert state.to_data()["dice"] == dice


def test_with_0_nothing_ever_appears() -> None:
    """FX-0.4."""
    assert named(wait(drawn(FENCED, spawnEvery=0), 30), "special_appeared") == []


def test_a_field_that_an_explosion_has_cleared_in_that_round_is_free_again() -> None:
    """FX-2: step 8 comes after step 5."""
    state = drawn(
        """
        1  W  2
        W  W  W
        W  a  W
        """,
        spawnEvery=1,
        d3=[2],
    )
    play(state)
    assert same_board(
        state,
        """
        1  W  2
        W  W  W
        W  B  W
        """,
    )
    assert figures_of(state, "paralysed") == {"p1": 0, "p2": 0}
