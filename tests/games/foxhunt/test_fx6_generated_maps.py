"""FX-6.2: generated maps, for every seed and size."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.foxhunt.drawing import started
from tests.games.foxhunt.plain import STEPS, Cell, ground_of, line_from, read
from tests.games.foxhunt.random_play import stable

from livingtable.errors import ScenarioError

seeds = st.integers(0, 2**53 - 1)
sizes = st.tuples(st.integers(10, 24), st.integers(10, 24))


def generated(width: int, height: int, seed: int, players: int = 16) -> dict[str, Any]:
    """The view of version 0."""
    setup = {"game": "foxhunt", "map": {"width": width, "height": height}, "players": players}
    return started(setup, seed).view(None)


def beside(cell: Cell) -> list[Cell]:
    return [line_from(cell, direction, 1)[0] for direction in STEPS]


def area_of(cells: set[Cell]) -> set[Cell]:
    """Those of the cells that hang together with one of them."""
    reached = {min(cells)}
    edge = list(reached)
    while edge:
        fresh = {cell for cell in beside(edge.pop()) if cell in cells} - reached
        reached |= fresh
        edge += fresh
    return reached


@given(sizes, seeds)
@stable
def test_what_is_free_or_can_be_broken_hangs_together(size: tuple[int, int], seed: int) -> None:
    """FX-6.2: every such field can be reached from every other."""
    open_fields = {cell for cell, sign in ground_of(generated(*size, seed)).items() if sign != "W"}
    assert area_of(open_fields) == open_fields


@given(sizes, seeds)
@stable
def test_there_is_a_border_of_walls_that_nothing_destroys(size: tuple[int, int], seed: int) -> None:
    """FX-6.2."""
    width, height = size
    for (x, y), sign in ground_of(generated(width, height, seed)).items():
        if x in (0, width - 1) or y in (0, height - 1):
            assert sign == "W"


@given(sizes, seeds)
@stable
def test_inside_there_are_walls_of_both_kinds_and_more_free_fields_than_walls(size: tuple[int, int], seed: int) -> None:
    """FX-6.2, FX-R3: 12 in 100 of the inner fields are `W`, 30 in 100 of the others `w`."""
    width, height = size
    rows = generated(width, height, seed)["map"]
    signs = "".join(row[1:-1] for row in rows[1:-1])
    inner = (width - 2) * (height - 2)
    assert signs.count("W") == inner * 12 // 100
    assert signs.count("w") == (inner - signs.count("W")) * 30 // 100


@given(sizes, seeds)
@stable
def test_players_start_on_free_fields_with_a_free_neighbour(size: tuple[int, int], seed: int) -> None:
    """FX-6.2, FX-R4: each on another one."""
    view = generated(*size, seed)
    ground = ground_of(view)
    cells = [read(player["position"]) for player in view["players"]]
    for cell in cells:
        assert ground[cell] == "_"
        assert [n for n in beside(cell) if ground[n] == "_"]
    assert len(set(cells)) == 16


@pytest.mark.parametrize(("width", "height"), [(10, 100), (100, 10), (60, 60), (100, 100)])
def test_large_maps_too(width: int, height: int) -> None:
    """FX-6.2."""
    ground = ground_of(generated(width, height, seed=3))
    open_fields = {cell for cell, sign in ground.items() if sign != "W"}
    assert area_of(open_fields) == open_fields
    assert {sign for (x, y), sign in ground.items() if x in (0, width - 1) or y in (0, height - 1)} == {"W"}


def test_another_seed_is_another_map() -> None:
    """FX-6.2."""
    assert len({str(generated(10, 10, seed)["map"]) for seed in range(30)}) == 30
    assert generated(12, 15, 8) == generated(12, 15, 8)


def test_a_position_can_be_given_on_a_generated_map_if_it_is_free_there() -> None:
    """FX-6.2: the map does not depend on it."""
    free = generated(10, 10, seed=5)["players"][0]["position"]
    setup = {"game": "foxhunt", "map": {"width": 10, "height": 10}, "players": [{"position": free}, {}]}
    assert started(setup, 5).view(None)["players"][0]["position"] == free
    with pytest.raises(ScenarioError, match=r"players\[0\]\.position: 0,0 is a wall"):
        started({**setup, "players": [{"position": "0,0"}, {}]}, 5)
