"""`search`: the same choice everywhere, within its budget, with no hidden knowledge, and it sees a win."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from tests.contract.playing import library, shipped
from tests.games.botwars import drawing as botwars
from tests.games.foxhunt import drawing as foxhunt
from tests.games.skirmish import drawing as skirmish

from livingtable.agents import ITERATIONS, ITERATIONS_AT_MOST, agent_kinds, choose, create, create_search, search
from livingtable.agents.search import Guide, Search, worth
from livingtable.agents.search_botwars import BotwarsGuide
from livingtable.agents.search_foxhunt import FoxhuntGuide
from livingtable.agents.search_skirmish import SkirmishGuide
from livingtable.dice import Dice
from livingtable.errors import UnknownNameError
from livingtable.game import State

SMALL = ("duel_glade", "border_fort", "fox_pen")
GUIDES: dict[str, Guide] = {"botwars": BotwarsGuide(), "foxhunt": FoxhuntGuide(), "skirmish": SkirmishGuide()}
each_small = pytest.mark.parametrize("name", SMALL)

CHOICES = """
from tests.games.test_search import SMALL, choices
print([choices(name, iterations=30) for name in SMALL])
"""


def choices(name: str, iterations: int, of: int = 6) -> list[str]:
    """The first choices of a game in which all seats search."""
    state = library().get(name).start(4)
    made: list[str] = []
    for version in range(of):
        side = state.to_act[0]
        action = choose(f"search:{iterations}", state, side, 4, version)
        made.append(action.notation)
        state.apply(side, action)
    return made


# the same everywhere


def test_its_choices_are_the_same_in_processes_of_other_hash_seeds() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", CHOICES],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "7", "random")
    }
    assert printed == {f"{[choices(name, iterations=30) for name in SMALL]}\n"}


@each_small
def test_one_agent_asked_twice_chooses_the_same_and_leaves_the_state_as_it_is(name: str) -> None:
    state = library().get(name).start(2)
    before, side = state.to_data(), state.to_act[0]
    agent = create_search("search:40", state.game.name, side, 9)
    assert agent.search(state) == agent.search(state)
    assert state.to_data() == before


def test_its_seed_matters_where_it_knows_little() -> None:
    state = library().get("duel_glade").start(2)
    side = state.to_act[0]
    found = {create_search("search:12", "botwars", side, seed).search(state).notation for seed in range(12)}
    assert len(found) > 1


# what it knows


def test_hidden_commands_and_the_dice_of_the_game_do_not_matter_to_it() -> None:
    state = library().get("fox_pen").start(5)
    first, second = state.sides[:2]
    alone = choose("search:30", state, second, 3, 7)
    for action in state.legal_actions(first):
        told = state.fork(99)
        told.apply(first, action)
        assert told.open_commands
        assert choose("search:30", told, second, 3, 7) == alone


def test_loaded_dice_are_unknown_to_it() -> None:
    """It would take the hit that it cannot know of as granted."""
    setup = skirmish.setup_of("I . . K1 o1 . . C")
    chosen = {
        choose("search:40", skirmish.started({**setup, "dice": {"d6": dice}}), "ivory", 1, 0).notation
        for dice in ([6] * 9, [1] * 9, [])
    }
    assert len(chosen) == 1


def test_a_seat_that_is_not_to_act_has_nothing_to_search() -> None:
    state = library().get("border_fort").start(1)
    with pytest.raises(ValueError, match="crimson"):
        create_search("search", "skirmish", "crimson", 1).search(state)


def test_a_view_is_not_enough_for_it() -> None:
    with pytest.raises(UnknownNameError, match="needs no more than a view"):
        create("search", "botwars", "p1", 1)
    with pytest.raises(UnknownNameError, match="that searches"):
        create_search("greedy", "botwars", "p1", 1)


# its budget


@pytest.mark.parametrize(
    ("name", "iterations"),
    [("search", ITERATIONS), ("search:1", 1), ("search:25", 25), (f"search:{ITERATIONS_AT_MOST}", ITERATIONS_AT_MOST)],
)
def test_the_name_says_how_many_iterations_it_does(name: str, iterations: int) -> None:
    state = library().get("duel_glade").start(1)
    agent = create_search(name, "botwars", state.to_act[0], 1)
    agent.search(state)
    assert agent.done == iterations


def test_of_a_single_legal_action_it_does_not_think() -> None:
    state = botwars.drawn("1T.2")
    agent = create_search("search", "botwars", "p1", 1)
    assert agent.search(state).notation == "attack t1"
    assert agent.done == 0


@each_small
def test_the_first_iteration_is_done_however_little_time_there_is(name: str) -> None:
    state = library().get(name).start(1)
    side = state.to_act[0]
    agent = Search(side, 1, GUIDES[state.game.name], None, milliseconds=0)
    assert agent.search(state) in state.legal_actions(side)
    assert agent.done == 1


def test_a_budget_of_time_is_used_up_and_then_no_iteration_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is two milliseconds later: five of them after the first, ten milliseconds are over."""
    monkeypatch.setattr(search, "monotonic", (n / 500 for n in count()).__next__)
    state = library().get("duel_glade").start(1)
    agent = create_search("search:10ms", "botwars", state.to_act[0], 1)
    agent.search(state)
    assert (agent.iterations, agent.milliseconds, agent.done) == (None, 10, 5)


def test_of_two_budgets_the_first_to_be_used_up_counts() -> None:
    state = library().get("duel_glade").start(1)
    agent = Search(state.to_act[0], 1, GUIDES["botwars"], 3, milliseconds=600_000)
    agent.search(state)
    assert agent.done == 3


def test_there_is_no_search_without_a_budget() -> None:
    with pytest.raises(ValueError, match="needs a budget"):
        Search("p1", 1, GUIDES["botwars"], None)


def test_only_what_searches_is_slow() -> None:
    assert {kind.name for kind in agent_kinds() if kind.slow} == {"search"}


# what it sees


def always(state: State, side: str, iterations: int = 60) -> set[str]:
    """All that it chooses with some seeds."""
    return {choose(f"search:{iterations}", state, side, seed, 0).notation for seed in range(5)}


def test_it_takes_a_castle_that_it_can_take() -> None:
    state = skirmish.drawn("""
        I . . . . o1 .
         . S1 . . K1 . C
        . . . . . s1 .
    """)
    assert always(state, "ivory") == {f"K1 > {skirmish.hex_at(6, 1)}"}


def test_it_strikes_the_last_enemy_while_the_enemy_is_about_to_win() -> None:
    """The Orc will take ivory's castle; nobody can stand in its way."""
    state = skirmish.drawn("I . o1 A1 . . . . . . . C", figures={"o1": {"hp": 1}})
    assert always(state, "ivory") == {"A1 x O1"}


def test_it_accepts_the_union_that_ends_the_game_when_it_leads() -> None:
    """p2 is ahead: united, the game ends at once, and it is first."""
    state = botwars.drawn("12..", figures={"p2": {"score": 5}}, max_rounds=50)
    botwars.act(state, "p1", "ally p2")
    assert always(state, "p2") == {"accept"}


def test_it_declines_the_union_that_ends_the_game_when_it_is_behind() -> None:
    """With Gary beside it, it can still win points."""
    state = botwars.drawn(
        """
        12G.
        ....
        """,
        figures={"p1": {"score": 1, "strength": 9.0}, "p2": {"strength": 9.0}},
        max_rounds=50,
    )
    botwars.act(state, "p1", "ally p2")
    assert always(state, "p2", 200) == {"decline"}


def test_a_hunter_catches_a_fox_that_cannot_get_away() -> None:
    state = foxhunt.drawn(
        """
        W W W W W
        W 1 2 _ W
        W W W W W
        """,
        rounds=3,
    )
    assert always(state, "p2") == {"move W"}


def test_a_fox_leaves_the_field_that_will_burn() -> None:
    state = foxhunt.drawn(
        """
        W W W W W W
        W 1a _ _ _ W
        W _ W W _ W
        W _ _ 2 _ W
        W W W W W W
        """,
        figures={"a": {"owner": "p2", "fuse": 1, "range": 1}},
        rounds=30,
    )
    assert "stay" not in always(state, "p1")


# what a leaf is worth


@each_small
def test_values_of_positions_and_ends_are_shares_of_one_game(name: str) -> None:
    """Each between 0 and 1, and half a point for each seat on the average, as in the ranking."""
    state = library().get(name).start(3)
    guide, dice = GUIDES[state.game.name], Dice(1)
    while state.to_act:
        _check_shares(worth(state, guide), state.sides)
        side = dice.pick(state.to_act)
        state.apply(side, dice.pick(state.legal_actions(side)))
    _check_shares(worth(state, guide), state.sides)
    assert state.result is not None


def _check_shares(values: Sequence[float], sides: Sequence[str]) -> None:
    assert len(values) == len(sides)
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in values)
    assert sum(values) == pytest.approx(len(sides) / 2)


@pytest.mark.parametrize("scenario", [scenario.name for scenario in shipped()])
def test_playing_on_goes_to_the_round_that_was_said(scenario: str) -> None:
    """And it breaks nothing: what comes out is a state like any other. (Rounds in which nobody can act are passed.)"""
    for seed in range(5):
        state = library().get(scenario).start(seed)
        guide = GUIDES[state.game.name]
        for _ in range(4):
            if state.result is None:
                end = guide.now(state) + guide.ahead
                guide.play_on(state, Dice(seed), end)
                assert state.result is not None or guide.now(state) >= end
                _check_whole(state)


def _check_whole(state: State) -> None:
    again = state.game.restore(state.to_data())
    assert again.to_data() == state.to_data()
    for side in state.sides:
        assert list(state.legal_actions(side)) == list(again.legal_actions(side))
