"""BW-0.4 and BW-0.5: seats, and what a character is given or draws when it registers."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.games.botwars.drawing import character, drawn, figures_of

import livingtable
from livingtable.errors import ScenarioError
from livingtable.games.botwars.state import BotwarsState
from livingtable.grids import chebyshev, parse_pair

OPEN_FIELD = [".........."] * 10


def registered(characters: list[dict[str, Any]], seed: int = 1, **setup: Any) -> BotwarsState:
    data = {"game": "botwars", "map": OPEN_FIELD, "characters": characters, "wizard": None, **setup}
    return cast(BotwarsState, livingtable.new_game(data, seed=seed))


def distances(state: BotwarsState) -> list[int]:
    cells = [parse_pair(cell) or (0, 0) for cell in figures_of(state, "position").values()]
    return [chebyshev(a, b) for i, a in enumerate(cells) for b in cells[:i]]


# --- seats ---


def test_players_and_trolls_are_numbered_apart_in_registration_order() -> None:
    """BW-0.4: p1, p2, … for players, t1, t2, … for trolls, in registration order."""
    troll = {"characterType": "troll"}
    assert registered([{}, troll, {}, troll]).sides == ("p1", "t1", "p2", "t2")


def test_ids_of_the_scenario_stand() -> None:
    """BW-0.4: or the ids that the scenario gives."""
    assert registered([{"id": "ash"}, {}, {"id": "grim", "pieceType": "troll"}]).sides == ("ash", "p2", "grim")


def test_an_id_is_given_once() -> None:
    """BW-0.4: each character is one seat."""
    with pytest.raises(ScenarioError, match=r"characters\[1\]\.id"):
        registered([{"id": "ash"}, {"id": "ash"}])


def test_a_cell_takes_one_living_character() -> None:
    """BW-0.4: a cell holds at most one living character."""
    with pytest.raises(ScenarioError, match=r"characters\[1\]\.position: 3,3 is taken by p1"):
        registered([{"position": "3,3"}, {"position": "3,3"}])


def test_a_grave_leaves_its_cell_to_the_living() -> None:
    """BW-0.4: at most one *living* character."""
    state = registered([{"position": "3,3", "alive": False}, {"position": "3,3"}, {}])
    assert figures_of(state, "position")["p1"] == figures_of(state, "position")["p2"] == "3,3"


def test_living_characters_never_share_a_cell_in_play() -> None:
    """BW-0.4: at most one, whatever is played."""
    for seed in range(20):
        state = cast(BotwarsState, livingtable.new_game("crossroads", seed=seed))
        for n in range(150):
            if not state.to_act:
                break
            side = state.to_act[0]
            options = state.legal_actions(side)
            state.apply(side, options[(seed * 31 + n * 7) % len(options)])
            cells = [c["position"] for c in state.view(None)["characters"] if c["alive"]]
            assert len(cells) == len(set(cells))


# --- kinds and names ---


@pytest.mark.parametrize("key", ["characterType", "pieceType"])
@pytest.mark.parametrize("kind", ["player", "troll"])
def test_one_type_given_sets_the_other(key: str, kind: str) -> None:
    """BW-0.5: one given sets the other."""
    state = registered([{key: kind}, {}])
    first = state.view(None)["characters"][0]
    assert (first["characterType"], first["pieceType"]) == (kind, kind)


def test_without_a_type_a_character_is_a_player() -> None:
    """BW-0.5: "player" is the default."""
    first = registered([{}, {}]).view(None)["characters"][0]
    assert (first["characterType"], first["pieceType"]) == ("player", "player")


def test_types_that_differ_are_refused() -> None:
    """BW-0.5: differing is refused."""
    with pytest.raises(ScenarioError, match=r"characters\[0\]\.pieceType"):
        registered([{"characterType": "player", "pieceType": "troll"}, {}])


def test_a_name_is_kept() -> None:
    """BW-0.5: a name."""
    assert registered([{"name": "Ash of the West"}, {}]).names["p1"] == "Ash of the West"


# --- strength and health ---


@pytest.mark.parametrize(("kind", "low", "high"), [("player", 10, 30), ("troll", 30, 50)])
def test_a_drawn_strength_is_any_tenth_of_its_span(kind: str, low: int, high: int) -> None:
    """BW-0.5: players 1.0 to 3.0, trolls 3.0 to 5.0, in tenths, the ends among them."""
    drawn_ones = {
        strength
        for seed in range(40)
        for strength in figures_of(registered([{"characterType": kind}] * 10, seed=seed), "strength").values()
    }
    assert drawn_ones == {tenths / 10 for tenths in range(low, high + 1)}


def test_a_drawn_strength_is_uniform() -> None:
    """BW-0.5: uniform; 21 values, 8,400 draws, 400 of each expected (standard deviation 20)."""
    counts: dict[float, int] = {}
    for seed in range(280):
        for strength in figures_of(registered([{}] * 30, seed=seed, map=["." * 100] * 4), "strength").values():
            counts[strength] = counts.get(strength, 0) + 1
    assert all(300 < count < 500 for count in counts.values())


def test_a_given_strength_stands() -> None:
    """BW-0.5: drawn only if not given."""
    assert figures_of(registered([{"strength": 0.1}, {"strength": 7.5}]), "strength") == {"p1": 0.1, "p2": 7.5}


def test_a_strength_of_hundredths_is_refused() -> None:
    """BW-0.3: exact tenths."""
    with pytest.raises(ScenarioError, match=r"characters\[0\]\.strength"):
        registered([{"strength": 2.05}, {}])


def test_health_is_ten_by_default() -> None:
    """BW-0.5: default 10.0."""
    assert figures_of(registered([{}, {"characterType": "troll"}]), "health") == {"p1": 10.0, "t1": 10.0}


def test_health_is_the_games_setting_and_a_characters_own_stands_above_it() -> None:
    """BW-0.5: if not given, the game's setting."""
    assert figures_of(registered([{}, {"health": 4.2}], health=7.5), "health") == {"p1": 7.5, "p2": 4.2}


def test_health_does_not_depend_on_the_maximum_given() -> None:
    """BW-0.5: health not given is the game's setting, room above it or not."""
    state = registered([{"maxHealth": 12.0}, {}])
    assert (character(state, "p1")["health"], character(state, "p1")["maxHealth"]) == (10.0, 12.0)


@pytest.mark.parametrize("given", [{}, {"health": 4.2}, {"health": 30.0}], ids=str)
def test_the_maximum_is_the_health_at_registration(given: dict[str, float]) -> None:
    """BW-0.5: initial maximum health is the health at registration."""
    first = registered([given, {}], health=7.5).view(None)["characters"][0]
    assert first["maxHealth"] == first["health"] == given.get("health", 7.5)


# --- places ---


def test_places_are_drawn_on_open_cells() -> None:
    """BW-0.5: at random free open cells."""
    for seed in range(50):
        state = registered([{}, {}], seed=seed, map=["M.MFM", "MMMFM", "FMF.F"])
        assert set(figures_of(state, "position").values()) == {"1,0", "3,2"}


def test_every_open_cell_may_be_drawn() -> None:
    """BW-0.5: random."""
    places = {character(registered([{}, {}], seed=seed, map=["......"]), "p1")["position"] for seed in range(200)}
    assert places == {f"{x},0" for x in range(6)}


def test_places_are_drawn_apart_from_each_other() -> None:
    """BW-0.5: no two within distance 1 of each other where the map allows it."""
    for seed in range(50):
        assert min(distances(registered([{}] * 8, seed=seed))) > 1


def test_places_are_drawn_apart_from_those_given() -> None:
    """BW-0.5: no two within distance 1 of each other."""
    for seed in range(100):
        state = registered([{"position": "2,0"}, {}], seed=seed, map=["....."])
        assert character(state, "p2")["position"] in ("0,0", "4,0")


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (["...", "...", "..."], 4),
        (["." * 19], 10),
        (["......."] * 7, 16),
        ([".M.....", "..F....", ".......", "......."], 8),
    ],
    ids=["the four corners", "every second cell", "a full packing", "between obstacles"],
)
def test_places_are_apart_wherever_the_map_allows_it(rows: list[str], count: int) -> None:
    """BW-0.5: where the map allows it, though it allows it in few ways."""
    for seed in range(300):
        assert min(distances(registered([{}] * count, seed=seed, map=rows))) > 1


def test_a_crowded_map_is_filled_all_the_same() -> None:
    """BW-0.5: where the map does not allow it, they stand closer."""
    state = registered([{}] * 4, map=["....", "MMMM"])
    assert sorted(figures_of(state, "position").values()) == ["0,0", "1,0", "2,0", "3,0"]


def test_nobody_is_drawn_onto_the_wizard() -> None:
    """BW-0.5, BW-2.5: a random free cell is without the wizard, whose own was given."""
    for seed in range(100):
        state = registered([{}, {}], seed=seed, map=["......"], wizard={"position": "3,0"})
        assert "3,0" not in figures_of(state, "position").values()


def test_the_start_is_the_same_for_the_same_seed() -> None:
    """BW-0.5: drawn from the seed."""
    starts = [registered([{}] * 6, seed=seed, wizard={}).to_data() for seed in (5, 5, 6)]
    assert starts[0] == starts[1]
    assert starts[0]["characters"] != starts[2]["characters"]


def test_a_drawn_board_keeps_to_its_drawing() -> None:
    """BW-0.5: a given position stands."""
    assert figures_of(drawn("1.M2"), "position") == {"p1": "0,0", "p2": "3,0"}
