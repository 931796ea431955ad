"""What holds in every position of random play."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.games.foxhunt.drawing import Event, data_of, grid_of, named, started
from tests.games.foxhunt.plain import explosion, ground_of, legal_notations, read
from tests.games.foxhunt.random_play import random_play, random_setup, rngs, stable

from livingtable.errors import Code, Refusal
from livingtable.games.foxhunt import FoxhuntState
from livingtable.games.foxhunt.actions import BOMB, MOVES, STAY, THROWS, FoxhuntAction

View = Mapping[str, Any]


def check(state: FoxhuntState) -> None:
    view = state.view(None)
    ground = ground_of(view)
    for thing in (*view["players"], *view["bombs"], *view["specials"]):
        assert ground[read(thing["position"])] == "_", "all things lie on free fields (FX-0.2)"
    cells = [special["position"] for special in view["specials"]]
    assert len(set(cells)) == len(cells), "one special to a field"
    assert all(ground[read(cell)] == "_" for cell in view["beams"]), "no beam in a wall (FX-4.3)"
    assert all(bomb["fuse"] >= 0 for bomb in view["bombs"]), "no bomb outlives its round (FX-4.2)"
    for player in view["players"]:
        laid = sum(bomb["owner"] == player["id"] for bomb in view["bombs"])
        assert player["bombsLaid"] == laid
        assert min(player[key] for key in ("points", "range", "bombs", "hat", "paralysed")) >= 0
        assert player["committed"] is (player["id"] in [side for side, _ in state.open_commands])
        can_act = state.result is None and player["paralysed"] == 0
        assert (player["id"] in state.to_act) is (can_act and not player["committed"]), "FX-1.1"
    assert view["fox"] in state.sides
    assert bool(state.to_act) is (state.result is None), "no round is left open that nobody can end (FX-1.2)"
    assert 1 <= state.round <= view["rounds"]


@given(rngs)
@stable
def test_every_position_keeps_the_rules_of_the_board(rng: Random) -> None:
    """FX-0.2, FX-1.1, FX-1.2, FX-4.2, FX-4.3."""
    state = started(random_setup(rng))
    check(state)
    for side, action in random_play(rng, state):
        state.apply(side, action)
        check(state)


@given(rngs)
@stable
def test_the_figures_keep_within_the_settings(rng: Random) -> None:
    """FX-4.6, FX-6.1: also after the last round; only a set-up may start with more."""
    setup = random_setup(rng)
    setup["players"] = [{**player, "hat": 0, "paralysed": 0} for player in setup["players"]]
    state = started({**setup, "bombs": []})
    for side, action in random_play(rng, state):
        state.apply(side, action)
        view = state.view(None)
        for player in view["players"]:
            assert player["hat"] <= setup["hat"]
            assert player["paralysed"] <= setup["paralysis"]
        assert all(bomb["fuse"] <= setup["fuse"] for bomb in view["bombs"])


@given(rngs)
@stable
def test_walls_only_ever_become_free(rng: Random) -> None:
    """FX-0.1, FX-4.5: `W` stays, `w` breaks and only where an event says so."""
    state = started(random_setup(rng))
    before = ground_of(state.view(None))
    for side, action in random_play(rng, state):
        events = data_of(state.apply(side, action))
        after = ground_of(state.view(None))
        changed = {cell for cell, sign in after.items() if sign != before[cell]}
        assert changed == {read(event["position"]) for event in named(events, "wall_destroyed")}
        assert all((before[cell], after[cell]) == ("w", "_") for cell in changed)
        before = after


@given(rngs)
@stable
def test_one_player_scores_a_round_and_points_go_nowhere_else(rng: Random) -> None:
    """FX-5.1."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state):
        before = _points(state)
        events = data_of(state.apply(side, action))
        scored = named(events, "scored")
        assert len(scored) == len(named(events, "round_resolved"))
        for event in scored:
            before[event["side"]] += event["points"]
        assert _points(state) == before


def _points(state: FoxhuntState) -> dict[str, int]:
    return {player["id"]: player["points"] for player in state.view(None)["players"]}


@given(rngs)
@stable
def test_one_catch_a_round_and_never_by_who_could_not_act(rng: Random) -> None:
    """FX-2, FX-3.1."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state):
        idle = {player["id"] for player in state.view(None)["players"] if player["paralysed"]}
        rounds = _by_round(data_of(state.apply(side, action)))
        assert all(len(named(events, "caught")) <= 1 for events in rounds)
        # Who is idle in the rounds that follow at once is not known here.
        assert not {event["by"] for events in rounds[:1] for event in named(events, "caught")} & idle


def _by_round(events: list[Event]) -> list[list[Event]]:
    """The events of each round that was resolved."""
    rounds: list[list[Event]] = []
    for event in events:
        if event["type"] == "round_resolved":
            rounds.append([])
        if rounds:
            rounds[-1].append(event)
    return rounds


@given(rngs)
@stable
def test_an_explosion_is_the_one_that_follows_from_the_view(rng: Random) -> None:
    """FX-4.3, FX-4.4: bombs, beams, walls and specials, with the bombs of that round laid and its specials taken."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state):
        view = state.view(None)
        for events in _by_round(data_of(state.apply(side, action)))[:1]:
            laid = named(events, "bomb_laid")
            taken = {event["position"] for event in named(events, "picked_up")}
            specials = [special for special in view["specials"] if special["position"] not in taken]
            bombs, beams, walls, gone = explosion({**view, "bombs": [*view["bombs"], *laid], "specials": specials})
            blasts = named(events, "exploded")
            assert len(blasts) == bool(bombs)
            assert {cell for blast in blasts for cell in blast["bombs"]} == bombs
            assert {cell for blast in blasts for cell in blast["beams"]} == beams
            assert {event["position"] for event in named(events, "wall_destroyed")} == walls
            assert {event["position"] for event in named(events, "special_destroyed")} == gone


@given(rngs)
@stable
def test_who_is_hit_stands_on_a_beam_and_all_who_stand_there_are_hit_or_protected(rng: Random) -> None:
    """FX-4.6."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state):
        rounds = _by_round(data_of(state.apply(side, action)))
        if len(rounds) != 1:
            continue
        view = state.view(None)
        told = [event["side"] for event in rounds[0] if event["type"] in ("paralysed", "protected")]
        assert told == [player["id"] for player in view["players"] if player["position"] in view["beams"]]


@given(rngs)
@stable
def test_the_legal_list_is_the_one_that_follows_from_the_view(rng: Random) -> None:
    """FX-1.4, FX-4.1: in its order, from the start on; in a game that has been played to here, in its copy and in the
    position made anew; also of players that have given their command."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state):
        view = state.view(None)
        for position in (state, state.copy(), FoxhuntState.from_data(state.to_data())):
            for seat in state.sides:
                assert [one.notation for one in position.legal_actions(seat)] == legal_notations(view, seat)
        state.apply(side, action)


@given(rngs)
@stable
def test_an_action_is_accepted_if_and_only_if_it_is_listed(rng: Random) -> None:
    """C10."""
    state = started(random_setup(rng, most=5))
    whole: list[FoxhuntAction] = [*MOVES, BOMB, *(throw for throws in THROWS for throw in throws[:5]), STAY]
    for side, action in random_play(rng, state, 12):
        before = state.to_data()
        for seat in state.sides:
            listed = set(state.legal_actions(seat))
            for one in whole:
                if one in listed:
                    assert state.copy().apply(seat, one)
                else:
                    code = Code.ILLEGAL_ACTION if listed else Code.NOT_YOUR_TURN
                    assert _refusal_of(state, seat, one).code is code
        assert state.to_data() == before
        state.apply(side, action)


def _refusal_of(state: FoxhuntState, side: str, action: FoxhuntAction) -> Refusal:
    with pytest.raises(Refusal) as caught:
        state.apply(side, action)
    assert caught.value.reason.isprintable()
    return caught.value


@given(rngs)
@stable
def test_a_copy_is_independent(rng: Random) -> None:
    """Whatever is played on it, walls broken and all; the legal lists have been asked for before."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 15):
        lists = [list(state.legal_actions(seat)) for seat in state.sides]
        before = state.to_data()
        other = state.copy()
        assert other.to_data() == before
        for mover, move in random_play(rng, other, 15):
            other.apply(mover, move)
        assert state.to_data() == before
        assert [list(state.legal_actions(seat)) for seat in state.sides] == lists
        state.apply(side, action)


@given(rngs)
@stable
def test_a_state_comes_back_from_its_data(rng: Random) -> None:
    """C03: through JSON, dice and open commands included; and plays on alike."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 40):
        text = json.dumps(state.to_data(), allow_nan=False)
        again = FoxhuntState.from_data(json.loads(text))
        assert json.dumps(again.to_data()) == text
        assert data_of(again.apply(side, action)) == data_of(state.apply(side, action))
    assert FoxhuntState.from_data(state.to_data()).to_data() == state.to_data()


STRANGE: tuple[Any, ...] = (None, True, 0, -1, 1.5, "", "x", "0,0", "9,9", [], {}, 10**9, -(10**9), ["p1"])


def places(value: Any, here: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where anything stands in a JSON value, the value itself left out."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(value, list):
        inner = list(enumerate(value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    for key, part in inner:
        yield (*here, key)
        yield from places(part, (*here, key))


@given(rngs)
@stable
def test_a_stored_state_damaged_anywhere_keeps_no_action_from_coming_to_an_end(rng: Random) -> None:
    """C04: no action takes for ever, whatever a forged record says of rounds, paralysis and fuses."""
    state = started(random_setup(rng, most=4))
    for side, action in random_play(rng, state, rng.randint(0, 20)):
        state.apply(side, action)
    for _ in range(20):
        damaged = json.loads(json.dumps(state.to_data()))
        *way, last = rng.choice(list(places(damaged)))
        holder: Any = damaged
        for key in way:
            holder = holder[key]
        holder[last] = rng.choice(STRANGE)
        with suppress(ValueError, KeyError, TypeError, AttributeError, IndexError):  # As records take them.
            again = FoxhuntState.from_data(damaged)
            played = [len(again.apply(mover, move)) for mover, move in random_play(rng, again, 10)]
            assert sum(played) < 100_000


@given(rngs)
@stable
def test_the_rows_of_the_board_are_of_one_width_and_show_everybody(rng: Random) -> None:
    """C14: plain ASCII; each player's line has its field, which the grid marks."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 30):
        state.apply(side, action)
    view = state.view(None)
    for side in (None, *state.sides):
        lines = state.board(side).split("\n")
        grid = grid_of(state.board(side))
        assert len(grid) == view["height"]
        assert {len(row) for row in grid} == {view["width"]}
        assert all(line.isascii() for line in lines)
        for player in view["players"]:
            x, y = read(player["position"])
            assert re.fullmatch(r"[1-9@F&]", grid[y][x])
            assert sum(f" {player['position']} {player['points']} " in line for line in lines) >= 1
