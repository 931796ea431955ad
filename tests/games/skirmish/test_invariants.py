"""What holds in every position of random play."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.games.skirmish.drawing import started
from tests.games.skirmish.plain import COST, hexes_of, legal_notations, read, written
from tests.games.skirmish.random_play import FIGURE, random_play, random_setup, rngs, stable

from livingtable.errors import Code, Refusal
from livingtable.games.skirmish import SkirmishState
from livingtable.games.skirmish.actions import Attack, EndTurn, Move, SkirmishAction
from livingtable.games.skirmish.rules import is_legal


def check(state: SkirmishState) -> None:
    view = state.view(None)
    signs = hexes_of(view["map"])
    taken = [p["hex"] for p in view["pieces"]]
    assert len(taken) == len(set(taken)), "one piece to a hex (SK-0.4)"
    for p in view["pieces"]:
        assert signs[read(p["hex"])] in COST, "nobody stands in water or on a mountain (SK-0.2)"
        assert 1 <= p["hp"] <= p["maxHp"] == FIGURE[p["kind"]], "hp within the figure (SK-3.6, SK-3.8)"
        assert p["attacksMade"] <= (2 if p["kind"] == "A" and not p["moved"] else 1) or state.result, "SK-1.2, SK-3.7"
        assert p["moved"] or p["hexesMoved"] == 0
        enemy_castle = view["castles"]["crimson" if p["side"] == "ivory" else "ivory"]
        assert p["hex"] != enemy_castle or (state.result and state.result.reason == "castle_taken"), "SK-4.1"
    armies = {p["side"] for p in view["pieces"]}
    assert len(armies) == 2 or (state.result and state.result.reason == "army_destroyed"), "SK-4.2"


def candidates(state: SkirmishState) -> list[SkirmishAction]:
    """Any piece, also one that is gone or never was, anywhere on the map and off it, against anybody."""
    ids = [*state.army.ids, "ivory-K99", "nobody", ""]
    places = [*state.terrain.names.values(), "99,99", "-9,0"]
    moves: list[SkirmishAction] = [Move(one, place) for one in ids for place in places]
    attacks: list[SkirmishAction] = [Attack(one, other) for one in ids for other in ids]
    return [*moves, *attacks, EndTurn()]


@given(rngs)
@stable
def test_every_position_keeps_the_rules_of_the_board(rng: Random) -> None:
    """SK-0.2, SK-0.4, SK-3.6, SK-4.1, SK-4.2."""
    state = started(random_setup(rng))
    check(state)
    for side, action in random_play(rng, state):
        state.apply(side, action)
        check(state)


@given(rngs)
@stable
def test_the_legal_list_is_the_one_that_follows_from_the_view(rng: Random) -> None:
    """SK-1.2, SK-2.1, SK-3.1, SK-3.7, SK-3.9: in its order, from the start on; in a game that has been played to here,
    in its copy and in the position made anew."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state):
        expected = legal_notations(state.view(None))
        for position in (state, state.copy(), SkirmishState.from_data(state.to_data())):
            assert [one.notation for one in position.legal_actions(side)] == expected
        state.apply(side, action)


@given(rngs)
@stable
def test_an_action_is_accepted_if_and_only_if_it_is_listed(rng: Random) -> None:
    """C10."""
    state = started(random_setup(rng, most=5))
    for side, action in random_play(rng, state, 12):
        listed = set(state.legal_actions(side))
        for one in candidates(state):
            assert is_legal(state, one) is (one in listed), one
        refused = [one for one in candidates(state) if one not in listed]
        before = state.to_data()
        for one in rng.sample(refused, min(20, len(refused))):
            assert _refusal_of(state, side, one).code is Code.ILLEGAL_ACTION
        assert state.to_data() == before
        for one in listed:
            assert state.copy().apply(side, one)
        state.apply(side, action)


def _refusal_of(state: SkirmishState, side: str, action: SkirmishAction) -> Refusal:
    with pytest.raises(Refusal) as caught:
        state.apply(side, action)
    assert caught.value.reason.isprintable()
    return caught.value


@given(rngs)
@stable
def test_a_copy_is_independent(rng: Random) -> None:
    """Whatever is played on it; both lists of legal actions have been asked for before."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 15):
        state.legal_actions(side)
        before = state.to_data()
        other = state.copy()
        assert other.to_data() == before
        for mover, move in random_play(rng, other, 10):
            other.apply(mover, move)
        assert state.to_data() == before
        state.apply(side, action)


@given(rngs)
@stable
def test_a_state_comes_back_from_its_data(rng: Random) -> None:
    """Through JSON, dice and the destroyed included; and plays on alike."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 40):
        text = json.dumps(state.to_data(), allow_nan=False)
        again = SkirmishState.from_data(json.loads(text))
        assert json.dumps(again.to_data()) == text
        assert _played(again, side, action) == _played(state, side, action)
    assert SkirmishState.from_data(state.to_data()).result == state.result


def _played(state: SkirmishState, side: str, action: SkirmishAction) -> list[dict[str, Any]]:
    return [event.to_data() for event in state.apply(side, action)]


@given(rngs)
@stable
def test_the_board_shows_every_piece_and_has_rows_of_one_width(rng: Random) -> None:
    """C13, C14: plain ASCII; a piece in its row and once more with its hex, the destroyed nowhere."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 20):
        state.apply(side, action)
    lines = state.board(None).split("\n")
    grid, rest = lines[: len(state.view(None)["map"])], lines[len(state.view(None)["map"]) :]
    assert len({len(line) for line in grid}) == 1
    assert all(line.isascii() for line in lines)
    alive = {p["id"]: p["hex"] for p in state.view(None)["pieces"]}
    for piece_id in state.army.ids:
        side, short = piece_id.split("-")
        in_rows = [r for r, line in enumerate(grid) if f"{side[0]}{short.lower()}" in line]
        assert in_rows == ([int(alive[piece_id].split(",")[1])] if piece_id in alive else [])
        if piece_id in alive:
            assert sum(line.split()[:2] == [alive[piece_id], short] for line in rest) == 1


def test_every_hex_of_a_map_has_a_name_of_its_own() -> None:
    """SK-0.1."""
    rows = ["I.F.", ".^~ ", ". .C", " M.."]
    names = [written(h) for h in hexes_of(rows)]
    setup = {"game": "skirmish", "map": rows, "pieces": [{"kind": "K", "side": "ivory", "hex": "1,0"}]}
    assert list(started(setup).terrain.names.values()) == names
    assert len(set(names)) == len(names)
