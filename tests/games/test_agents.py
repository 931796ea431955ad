"""The bots: deterministic, never illegal, without memory, and known by registered names only."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from tests.contract.playing import bots_for, library, recorded, shipped
from tests.contract.sampling import each_scenario, running

from livingtable.agents import agent_kinds, check_agent, choose, command_order, create
from livingtable.errors import UnknownNameError
from livingtable.game import State, game_names
from livingtable.scenarios import Scenario

GAMES_AND_BOTS = [(game, bot) for game in game_names() for bot in bots_for(game)]


def test_there_are_random_and_greedy_bots_for_botwars() -> None:
    assert {"random", "greedy"} <= set(bots_for("botwars"))
    assert [kind.name for kind in agent_kinds()] == sorted(kind.name for kind in agent_kinds())
    assert all(kind.summary for kind in agent_kinds())


def test_chance_plays_every_game() -> None:
    assert all("random" in bots_for(game) for game in game_names())


@each_scenario
def test_a_bot_always_chooses_one_of_the_legal_actions(scenario: Scenario) -> None:
    for state in running(scenario):
        for bot in bots_for(scenario.game):
            for side in state.to_act:
                listed = list(state.legal_actions(side))
                before = state.to_data()
                assert choose(bot, state, side, 5, 9) in listed
                assert state.to_data() == before, "a bot has changed the state that it was shown"
                assert list(state.legal_actions(side)) == listed


@each_scenario
def test_a_bot_asked_twice_chooses_the_same(scenario: Scenario) -> None:
    for state in running(scenario):
        for bot in bots_for(scenario.game):
            side = state.to_act[0]
            again = state.game.restore(json.loads(json.dumps(state.to_data())))
            assert choose(bot, state, side, 5, 9) == choose(bot, again, side, 5, 9)


@each_scenario
def test_what_greedy_chooses_does_not_depend_on_its_seed_or_on_what_it_was_asked_before(scenario: Scenario) -> None:
    if "greedy" not in bots_for(scenario.game):
        return
    agents: dict[str, object] = {}
    for state in running(scenario):
        side = state.to_act[0]
        view, legal = state.view(side), state.legal_actions(side)
        old = agents.setdefault(side, create("greedy", scenario.game, side, 1))
        fresh = create("greedy", scenario.game, side, 2)
        assert getattr(old, "choose")(view, legal) == fresh.choose(view, legal)  # noqa: B009


@pytest.mark.parametrize(("game", "bot"), GAMES_AND_BOTS)
def test_a_bot_plays_itself_to_the_same_game_twice(game: str, bot: str) -> None:
    scenario = library().all(game)[0]
    assert recorded(scenario, 3, bot, 150).to_data() == recorded(scenario, 3, bot, 150).to_data()


@pytest.mark.parametrize("scenario", shipped(), ids=lambda scenario: scenario.name)
def test_greedy_beats_chance(scenario: Scenario) -> None:
    """Of the seats every second one is greedy's, in turns; its scores are the better ones."""
    if "greedy" not in bots_for(scenario.game):
        return
    scores: dict[str, list[float]] = {"greedy": [], "random": []}
    for seed in range(4):
        state = scenario.start(seed)
        bots = {side: ("greedy", "random")[(i + seed) % 2] for i, side in enumerate(state.sides)}
        version = 0
        while state.to_act and version < 600:
            side = state.to_act[0]
            state.apply(side, choose(bots[side], state, side, seed, version))
            version += 1
        for row in state.ranking():
            scores[bots[row["side"]]].append(row["score"])
    assert sum(scores["greedy"]) / len(scores["greedy"]) > sum(scores["random"]) / len(scores["random"])


def _position_with_many_actions() -> State:
    return max(
        (state for scenario in shipped() for state in running(scenario)),
        key=lambda state: len(state.legal_actions(state.to_act[0])),
    )


def test_random_takes_each_action_about_as_often() -> None:
    state = _position_with_many_actions()
    side = state.to_act[0]
    listed = state.legal_actions(side)
    each = 120
    chosen = Counter(choose("random", state, side, 3, version).notation for version in range(each * len(listed)))
    assert set(chosen) == {action.notation for action in listed}
    chi_squared = sum((n - each) ** 2 / each for n in chosen.values())
    assert chi_squared < len(listed) + 4 * (2 * len(listed)) ** 0.5


def test_random_of_one_agent_goes_on_drawing() -> None:
    state = _position_with_many_actions()
    side = state.to_act[0]
    agent = create("random", state.game.name, side, 8)
    view, legal = state.view(side), state.legal_actions(side)
    assert len({agent.choose(view, legal).notation for _ in range(200)}) > 1


def test_two_seats_of_one_game_draw_apart() -> None:
    state = _position_with_many_actions()
    side = state.to_act[0]
    agents = [create("random", state.game.name, "p1", seed) for seed in (1, 2)]
    view, legal = state.view(side), state.legal_actions(side)
    drawn = [[agent.choose(view, legal).notation for _ in range(30)] for agent in agents]
    assert drawn[0] != drawn[1]


def test_the_order_of_bots_commands_is_a_matter_of_seed_and_round() -> None:
    sides = ("p1", "p2", "p3", "p4")
    assert command_order(sides, 1, 1) == command_order(sides, 1, 1)
    assert sorted(command_order(sides, 1, 1)) == list(sides)
    assert len({tuple(command_order(sides, seed, turn)) for seed in range(6) for turn in range(6)}) > 10


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize(
    "name",
    [
        "x.py:Bot", "mcp+stdio:sh", "http://127.0.0.1/", "search:1000000000", "search:1001", "search:0", "search:",
        "search:-1", "search:1e2", "search:1٣", "search:1001ms", "search:0ms", "search:ms", "search:50MS", "search:5s",
         "search:007", "search:٣", "search:9:9", "search:" + "9" * 9_999,
        "greedy:9", "greedy ", "Greedy", "",
        "../greedy", "os.system", "x" * 10_000, "gre\0edy", "\ud800",
    ],
)  # fmt: skip
def test_a_name_that_is_not_registered_is_refused_and_the_registered_are_listed(game: str, name: str) -> None:
    """C65: nothing is run, nothing fetched."""
    for refuse in (lambda: check_agent(name, game), lambda: create(name, game, "p1", 1)):
        with pytest.raises(UnknownNameError) as raised:
            refuse()
        text = str(raised.value)
        assert all(kind.name in text for kind in agent_kinds() if game in kind.games)
        assert text.isprintable()
        assert len(text) < 300
