"""A search does as many iterations as fit the game, by its size alone, and a choice of it can be interrupted."""

from __future__ import annotations

from itertools import count

import pytest
from tests.contract.playing import library, shipped
from tests.games.largest import setups
from tests.games.work import counted

from livingtable.agents import choose, create_search, fitting_agent
from livingtable.errors import UnknownNameError
from livingtable.game import State
from livingtable.scenarios import check_setup

SETUPS = setups()
SPREAD = "skirmish D spread"
ONE_OF_EACH = ("botwars crowd", "foxhunt soft walls", SPREAD)
SMALL = ("duel_glade", "border_fort", "fox_pen")
each_small = pytest.mark.parametrize("name", SMALL)
each_large = pytest.mark.parametrize("name", ONE_OF_EACH)


def largest(name: str) -> State:
    return check_setup(SETUPS[name]).start(1)


# what fits


@pytest.mark.parametrize("scenario", [scenario.name for scenario in shipped()])
def test_in_scenarios_that_ship_search_does_what_it_always_did(scenario: str) -> None:
    state = library().get(scenario).start(1)
    assert fitting_agent("search", state) == "search"
    assert fitting_agent("search:100", state) == "search:100"


@each_small
def test_on_small_boards_the_largest_budget_fits(name: str) -> None:
    assert fitting_agent("search:1000", library().get(name).start(1)) == "search:1000"


@each_large
def test_on_the_largest_boards_the_name_says_how_many_iterations_are_left(name: str) -> None:
    word, _, number = fitting_agent("search:1000", largest(name)).partition(":")
    assert word == "search"
    assert 1 <= int(number) < 100
    assert fitting_agent("search", largest(name)) == f"search:{number}"


@each_large
def test_what_fits_stays_as_it_is(name: str) -> None:
    fitting = fitting_agent("search:1000", largest(name))
    assert fitting_agent(fitting, largest(name)) == fitting
    assert fitting_agent("search:2", largest(name)) == "search:2"


@pytest.mark.parametrize("name", ["greedy", "random", "search:50ms"])
def test_bots_without_a_number_of_iterations_keep_their_names(name: str) -> None:
    assert fitting_agent(name, largest(SPREAD)) == name


def test_what_is_no_bot_is_refused_as_ever() -> None:
    with pytest.raises(UnknownNameError, match="no bot for skirmish"):
        fitting_agent("x.py:Bot", largest(SPREAD))


def test_it_depends_on_the_start_and_not_on_the_seed() -> None:
    assert len({fitting_agent("search", check_setup(SETUPS[SPREAD]).start(seed)) for seed in range(5)}) == 1


# interruptions


@each_large
@pytest.mark.parametrize("questions", [1, 2, 30])
def test_a_choice_that_is_interrupted_is_a_legal_one(name: str, questions: int) -> None:
    state = largest(name)
    before, side = state.to_data(), state.to_act[0]
    asked = count(1)
    chosen = choose("search:1000", state, side, 1, 0, lambda: next(asked) >= questions)
    assert chosen in state.legal_actions(side)
    assert next(asked) == questions + 1  # After it has said stop nobody asks again.
    assert state.to_data() == before


@each_small
def test_without_an_interruption_being_asked_changes_nothing(name: str) -> None:
    state = library().get(name).start(3)
    side = state.to_act[0]
    assert choose("search:30", state, side, 4, 0, lambda: False) == choose("search:30", state, side, 4, 0)


@each_small
def test_the_iteration_that_is_interrupted_is_dropped_and_the_best_of_the_others_is_chosen(name: str) -> None:
    state = library().get(name).start(3)
    side = state.to_act[0]
    asked = 0

    def counting() -> bool:
        nonlocal asked
        asked += 1
        return False

    create_search("search:12", state.game.name, side, 4).search(state, counting)
    of_twelve, agent, questions = asked, create_search("search:100", state.game.name, side, 4), count(1)
    chosen = agent.search(state, lambda: next(questions) > of_twelve)
    assert agent.done == 12
    assert chosen == create_search("search:12", state.game.name, side, 4).search(state)


@each_large
def test_within_an_iteration_it_is_asked_often(name: str) -> None:
    """Work is lines of Python: between two questions so few that they take no more than about 50 milliseconds."""
    state = largest(name)
    side = state.to_act[0]
    agent = create_search("search:2", state.game.name, side, 1)
    whole = counted(lambda: agent.search(state))[0]
    asked = count()
    create_search("search:2", state.game.name, side, 1).search(state, lambda: next(asked) < 0)
    assert whole / next(asked) < 150_000


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_bots_that_choose_at_once_are_not_asked(bot: str) -> None:
    state = library().get("duel_glade").start(1)
    side = state.to_act[0]
    assert choose(bot, state, side, 1, 0, lambda: True) == choose(bot, state, side, 1, 0)
