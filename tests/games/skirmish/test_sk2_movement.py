"""SK-2: how far a piece comes and which way it takes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from tests.games.skirmish.drawing import act, drawn, legal, moves_of, only, piece, same_reach, short_id, started
from tests.games.skirmish.plain import best_ways, dijkstra, ground_for, read, written
from tests.games.skirmish.random_play import random_setup, rngs, stable

from livingtable.errors import Refusal

# --- reach ---


def test_a_piece_reaches_what_costs_no_more_than_its_move() -> None:
    """SK-2.1: just its move is enough, one more is not."""
    state = drawn("I G1 . . . . o1 C")
    assert same_reach(state, "G1", "1 G1 1 2 3 . o1 C")


def test_a_hex_dearer_than_what_is_left_is_not_reached() -> None:
    """SK-2.1: after one step a Troll has 1 left, and the forest costs 2."""
    state = drawn("I T1 . F . o1 C")
    assert same_reach(state, "T1", "1 T1 1 F . o1 C")


def test_the_cheapest_way_counts_not_the_shortest() -> None:
    """SK-2.1: through the forest three hexes cost 5, along the road four cost 4."""
    state = drawn(
        """
        I  K1 F  F  .  o1 C
          .  =  =  =  .
        """
    )
    assert moves_of(state, "K1")["4,0"]["cost"] == 4


def test_where_a_piece_stands_is_no_hex_to_move_to() -> None:
    """SK-2.1: neither as it is nor by a way round."""
    state = drawn("I K1 . . o1 C")
    assert "K1 > 1,0" not in legal(state)
    with pytest.raises(Refusal, match="it stands there already"):
        act(state, "K1 > 1,0")


@pytest.mark.parametrize(
    ("kind", "move"), [("K", 4), ("A", 4), ("W", 3), ("G", 3), ("O", 3), ("T", 2), ("D", 6), ("S", 3)]
)
def test_each_kind_comes_as_far_as_its_figure(kind: str, move: int) -> None:
    """SK-2.1, SK-0.3."""
    state = drawn(f"{kind}1I . . . . . . . . o1 C")
    assert [to for to, event in moves_of(state, f"{kind}1").items() if event["cost"] == move] == [f"{move},0"]
    assert f"{move + 1},0" not in moves_of(state, f"{kind}1")


def test_what_is_too_far_is_refused_with_the_figure() -> None:
    """SK-2.1, SK-6.3."""
    state = drawn("I T1 . . . o1 C")
    with pytest.raises(Refusal, match="its move of 2"):
        act(state, "T1 > 4,0")


# --- the way ---


def test_the_way_is_the_cheapest() -> None:
    """SK-2.2: along the road, though the hill lies on the straight line."""
    state = drawn(
        """
        I  K1 ^  .  o1 C
          .  =  =  .
        """
    )
    moved = only(act(state, "K1 > 3,0"), "moved")
    assert (moved["path"], moved["cost"]) == (["1,1", "2,1", "3,0"], 3)


def test_of_equally_cheap_ways_the_one_with_the_most_hexes_is_taken() -> None:
    """SK-2.2: two plain hexes and one forest cost the same; the plain ones are two."""
    state = drawn(
        """
        I  K1 F  .  o1 C
          .  .  .  .
        """
    )
    moved = only(act(state, "K1 > 3,0"), "moved")
    assert (moved["path"], moved["cost"]) == (["1,1", "2,1", "3,0"], 3)


def test_of_equally_long_ways_the_first_by_the_neighbour_order_is_taken() -> None:
    """SK-2.2: both ways enter two hexes; east (+1,0) comes before south-east (0,+1)."""
    state = drawn(
        """
        I  K1 .  .  o1 C
          .  .  .  .
        """
    )
    assert only(act(state, "K1 > 2,1"), "moved")["path"] == ["2,0", "2,1"]


def test_the_neighbour_order_counts_from_the_start_not_from_the_end() -> None:
    """SK-2.2: step by step from the start: north-east before north-west, whatever comes later."""
    state = drawn(
        """
        .  .  .  o1
          .  .  .
        I  K1 .  C
        """
    )
    # From 0,2 to 1,0 straight up there are two ways: (+1,-1) then (0,-1), and the other way round.
    assert piece(state, "K1")["hex"] == "0,2"
    assert only(act(state, "K1 > 1,0"), "moved")["path"] == ["1,1", "1,0"]


def test_the_number_of_hexes_entered_is_recorded_with_the_move() -> None:
    """SK-2.2."""
    state = drawn(
        """
        I  K1 F  .  o1 C
          .  .  .  .
        """
    )
    act(state, "K1 > 3,0")
    assert (piece(state, "K1")["hexesMoved"], piece(state, "K1")["hex"]) == (3, "3,0")


def test_the_way_leads_through_friends_but_not_through_enemies() -> None:
    """SK-2.2, SK-0.4."""
    state = drawn(
        """
        I  K1 o1 .  o2 C
          .  G1 .  .
        """
    )
    assert only(act(state, "K1 > 2,1"), "moved")["path"] == ["1,1", "2,1"]


# --- held against a plain search ---


@given(rngs)
@stable
def test_reach_and_cost_are_those_of_a_plain_dijkstra(rng: Random) -> None:
    """SK-2.1, SK-0.2, SK-0.4, SK-4.1: on random maps, for every piece that may move."""
    state = started(random_setup(rng, most=12))
    view = state.view(None)
    side = view["side"]
    ground = ground_for(view, side)
    taken = {read(p["hex"]) for p in view["pieces"]}
    for p in view["pieces"]:
        if p["side"] == side and not p["moved"] and state.result is None:
            expected = dijkstra(ground, read(p["hex"]), p["move"])
            costs = {to: event["cost"] for to, event in moves_of(state, short_id(p["id"])).items()}
            assert costs == {written(h): cost for h, cost in expected.items() if h not in taken}


@given(rngs)
@stable
def test_the_way_is_that_of_a_search_through_all_ways(rng: Random) -> None:
    """SK-2.2: cheapest, then most hexes, then first by the neighbour order; on small maps."""
    state = started(random_setup(rng, most=5))
    view = state.view(None)
    side = view["side"]
    ground = ground_for(view, side)
    for p in view["pieces"]:
        if p["side"] == side and not p["moved"] and state.result is None:
            chosen = best_ways(ground, read(p["hex"]), p["move"])
            for to, event in moves_of(state, short_id(p["id"])).items():
                cost, way = chosen[read(to)]
                assert (event["cost"], event["path"]) == (cost, [written(h) for h in way])
