"""What the numbers of the environments mean: actions, planes, rewards, and what comes of illegal actions."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from livingtable.adapters.pettingzoo import (
    botwars_encoding,
    botwars_v0,
    foxhunt_encoding,
    foxhunt_v0,
    skirmish_encoding,
    skirmish_v0,
)
from livingtable.adapters.pettingzoo.encoding import Encoding
from livingtable.errors import ScenarioError, UnknownNameError
from livingtable.game import State
from livingtable.scenarios import ScenarioLibrary

ENCODINGS = {"botwars": botwars_encoding, "foxhunt": foxhunt_encoding, "skirmish": skirmish_encoding}
SCENARIOS = [scenario.name for scenario in ScenarioLibrary().all()]
DOCUMENT = Path(__file__).parents[2] / "docs" / "pettingzoo.md"

GLADE = {
    "game": "botwars",
    "map": ["M.F", "...", "..."],
    "characters": [
        {"id": "p1", "position": "1,0", "strength": 2.0, "health": 7.0, "score": -3},
        {"id": "p2", "position": "0,1"},
        {"id": "t1", "position": "2,2", "characterType": "troll", "strength": 4.5},
    ],
    "wizard": {"position": "0,2", "strength": 3.0},
    "parties": [["p2", "p1"]],
}
YARD = {
    "game": "foxhunt",
    "map": ["WWWWWWWWWW", "W________W", *["W________W"] * 7, "WWWWWWWWWW"],
    "players": [{"id": "p1", "position": "1,1", "paralysed": 2}, {"id": "p2", "position": "5,5"}],
    "fox": "p2",
    "rounds": 3,
}


def plane(observation: Any, encoding: Encoding, name: str) -> list[list[float]]:
    number = [plane.name for plane in encoding.planes].index(name)
    return observation[:, :, number].tolist()


def _positions(name: str) -> tuple[Encoding, list[State]]:
    """Of a random game of up to 40 decisions, every position."""
    scenario = ScenarioLibrary().get(name)
    state, chance, met = scenario.start(3), Random(4), list[State]()
    for _ in range(40):
        if state.result is not None:
            break
        met.append(state.copy())
        side = state.to_act[-1]
        state.apply(side, chance.choice(list(state.legal_actions(side))))
    return ENCODINGS[scenario.game].encoding(met[0]), met


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_legal_action_has_a_number_and_no_number_has_two(name: str) -> None:
    encoding, positions = _positions(name)
    assert len(set(encoding.actions)) == len(encoding.actions)
    legal = {a.notation for state in positions for side in state.sides for a in state.legal_actions(side)}
    assert legal <= set(encoding.actions)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_number_is_a_notation_of_the_game(name: str) -> None:
    encoding, positions = _positions(name)
    written = Random(1).sample(encoding.actions, min(200, len(encoding.actions)))
    assert [positions[0].parse_action(text, positions[0].to_act[0]).notation for text in written] == written


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_observation_leaves_its_bounds(name: str) -> None:
    encoding, positions = _positions(name)
    low, high = encoding.bounds()
    for state in positions[::5]:
        for side in state.sides[:3]:
            seen = encoding.observation(state, side)
            assert (seen.shape, seen.dtype) == (low.shape, np.float32)
            assert ((low <= seen) & (seen <= high)).all()


def test_no_hidden_command_is_in_an_observation() -> None:
    state = ScenarioLibrary().get("fox_yard").start(1)
    encoding = foxhunt_encoding.encoding(state)
    before = encoding.observation(state, "p2")
    state.apply("p1", state.legal_actions("p1")[0])
    assert (encoding.observation(state, "p2") == before).all()


def test_botwars_is_drawn_as_its_set_up_says() -> None:
    env = botwars_v0.raw_env(GLADE)
    env.reset(seed=1)
    seen = env.observe("seat_1")
    assert plane(seen, env.encoding, "mountain") == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert plane(seen, env.encoding, "forest") == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert plane(seen, env.encoding, "own") == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert plane(seen, env.encoding, "seat") == [[0, 1, 0], [2, 0, 0], [0, 0, 3]]
    assert plane(seen, env.encoding, "leader") == [[0, 2, 0], [2, 0, 0], [0, 0, 0]]
    assert plane(seen, env.encoding, "place in line") == [[0, 2, 0], [1, 0, 0], [0, 0, 0]]
    assert plane(seen, env.encoding, "strength")[2][2] == 4.5
    assert plane(seen, env.encoding, "wizard") == [[0, 0, 0], [0, 0, 0], [3, 0, 0]]
    assert plane(seen, env.encoding, "own score") == [[-3] * 3] * 3


def test_a_hex_stands_in_its_row_and_place_of_the_map() -> None:
    state = ScenarioLibrary().get("castle_siege").start(1)
    encoding = skirmish_encoding.encoding(state)
    seen = encoding.observation(state, "ivory")
    view = state.view("ivory")
    rows = view["map"]
    castles = [(r, row.index("I")) for r, row in enumerate(rows) if "I" in row]
    assert [
        (r, c) for r, row in enumerate(plane(seen, encoding, "own castle")) for c, v in enumerate(row) if v
    ] == castles
    mountains = [[float(sign == "M") for sign in row.ljust(seen.shape[1])] for row in rows]
    assert plane(seen, encoding, "mountain") == mountains
    assert sum(map(sum, plane(seen, encoding, "own"))) == len([p for p in view["pieces"] if p["side"] == "ivory"])


def test_each_side_of_skirmish_sees_its_own_pieces_as_its_own() -> None:
    state = ScenarioLibrary().get("castle_siege").start(1)
    encoding = skirmish_encoding.encoding(state)
    ivory, crimson = (encoding.observation(state, side) for side in ("ivory", "crimson"))
    assert plane(ivory, encoding, "own") == plane(crimson, encoding, "enemy")


def test_an_illegal_action_in_turn_changes_nothing_and_costs() -> None:
    env = skirmish_v0.raw_env("castle_siege")
    env.reset(seed=1)
    agent = env.agent_selection
    before, illegal = env.observe(agent), int(np.argmin(env.infos[agent]["action_mask"]))
    env.step(illegal)
    assert (env.agent_selection, env.rewards[agent]) == (agent, -0.1)
    assert (env.observe(agent) == before).all()


def test_an_illegal_action_in_a_round_comes_to_staying_and_costs() -> None:
    env = foxhunt_v0.parallel_env({**YARD, "players": [{"position": "1,1"}, {"position": "5,5"}], "fox": "p2"})
    env.reset(seed=1)
    into_the_wall = env.encoding.actions.index("move N")
    seen, rewards, *_ = env.step({"seat_1": into_the_wall, "seat_2": env.encoding.actions.index("move S")})
    assert plane(seen["seat_1"], env.encoding, "own")[1][1] == 1
    assert rewards == {"seat_1": -0.1, "seat_2": 0.0}


def test_who_is_paralysed_may_only_stay_and_pays_nothing_for_another_wish() -> None:
    env = foxhunt_v0.parallel_env(YARD)
    _, infos = env.reset(seed=1)
    stay = env.encoding.actions.index("stay")
    assert np.flatnonzero(infos["seat_1"]["action_mask"]).tolist() == [stay]
    _, rewards, *_ = env.step({"seat_1": 0, "seat_2": stay})
    assert rewards["seat_1"] == 0


def test_places_are_rewarded_at_the_end_from_one_to_minus_one() -> None:
    env = foxhunt_v0.parallel_env({**YARD, "rounds": 1})
    env.reset(seed=1)
    stay = env.encoding.actions.index("stay")
    _, rewards, ended, cut, _ = env.step({"seat_1": stay, "seat_2": stay})
    assert (rewards, set(ended.values()), set(cut.values())) == ({"seat_1": -1.0, "seat_2": 1.0}, {True}, {False})


def test_points_are_rewarded_when_they_come_if_so_wished() -> None:
    env = foxhunt_v0.parallel_env(YARD, rewards="score")
    env.reset(seed=1)
    stay = dict.fromkeys(env.agents, env.encoding.actions.index("stay"))
    assert [env.step(stay)[1]["seat_2"] for _ in range(2)] == [1.0, 2.0]


def test_a_game_in_turns_is_cut_off_after_its_cycles() -> None:
    env = skirmish_v0.raw_env("castle_siege", max_cycles=2)
    env.reset(seed=1)
    for _ in range(2):
        env.step(int(np.argmax(env.infos[env.agent_selection]["action_mask"])))
    assert (set(env.truncations.values()), set(env.terminations.values())) == ({True}, {False})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: botwars_v0.raw_env("castle_siege"), "castle_siege is a scenario of skirmish, not of botwars"),
        (lambda: botwars_v0.raw_env("crossroad"), 'did you mean "crossroads"'),
        (lambda: skirmish_v0.raw_env(render_mode="ascii"), "render_mode must be one of human, ansi, rgb_array"),
        (lambda: skirmish_v0.raw_env(rewards="win"), 'rewards must be "place" or "score"'),
        (lambda: foxhunt_v0.parallel_env({**YARD, "fxo": 1}), "fxo"),
    ],
)
def test_what_cannot_be_made_says_what_would_be_right(wrong: Any, said: str) -> None:
    with pytest.raises((ValueError, ScenarioError, UnknownNameError), match=said):
        wrong()


@pytest.mark.parametrize("game", sorted(ENCODINGS))
def test_the_document_lists_every_plane_with_its_bounds(game: str) -> None:
    section = DOCUMENT.read_text("utf-8").partition(f"## {game}\n")[2].partition("\n## ")[0]
    planes = ENCODINGS[game].PLANES
    wanted = [
        f"| {number} | {p.name} | {p.least:g} to {p.most:,.0f} | {p.meaning.replace('|', chr(92) + '|')} |"
        for number, p in enumerate(planes)
    ]
    assert [row for row in section.splitlines() if row.startswith("| ") and row[2].isdigit()] == wanted
