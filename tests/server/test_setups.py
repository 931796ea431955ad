"""Set-ups of one's own: the schema of scenario files over the wire, each error with its key (contract, *Scenario
files*), and the settings of `new_game`."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.asking import Asker
from tests.server.setups import FAR_APART, PARTY_OF_TWO, botwars, player, troll

from livingtable.game import Data
from livingtable_server.app import session_manager
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.settings import Settings

pytestmark = pytest.mark.anyio

OPEN_ROWS = ["......"] * 6


async def start(asker: Asker, setup: Data, **more: Any) -> Data:
    answer = await asker.ask("new_game", setup=setup, **more)
    return answer["snapshot"]["state"]


async def test_a_setup_is_played_as_given(asker: Asker) -> None:
    setup = {
        "game": "botwars",
        "name": "own",
        "title": "One's own",
        "summary": "Three and a troll.",
        "notes": "For tests.",
        "map": ["...M", "..F.", "...."],
        "ruleset": "full",
        "characters": [
            {"id": "ada", "name": "Ada L.", "position": "0,0", "strength": 1.5, "score": 3},
            {"position": "1,0", "strength": 1.0, "health": 4.5, "maxHealth": 6.0},
            {"name": "gone", "position": "3,2", "alive": False, "strength": 2.0},
            {"pieceType": "troll", "position": "0,2", "strength": 5.0},
            {"position": "3,2", "strength": 1.0},
        ],
        "parties": [["ada", "p2"]],
        "wizard": {"position": "3,1", "strength": 3.5},
        "wizardRoams": True,
        "health": 8.0,
        "maxRounds": 7,
        "turn": "t1",
        "consecutivePasses": {"ada": 1},
        "dice": {"d20": [1, 20], "d6": [1], "d3": [3]},
    }
    answer = await asker.ask("new_game", setup=setup, seed=1)
    state = answer["snapshot"]["state"]
    assert (answer["snapshot"]["scenario"], answer["snapshot"]["toAct"]) == ("own", ["t1"])
    assert [c["id"] for c in state["characters"]] == ["ada", "p2", "p3", "t1", "p4"]
    ada, second, gone, beast, _ = state["characters"]
    assert (ada["name"], ada["strength"], ada["health"], ada["maxHealth"]) == ("Ada L.", 1.5, 8.0, 8.0)
    assert (ada["score"], ada["leader"], second["leader"]) == (3, "ada", "ada")
    assert (second["health"], second["maxHealth"]) == (4.5, 6.0)
    assert (gone["alive"], beast["characterType"], beast["pieceType"]) == (False, "troll", "troll")
    assert state["graves"] == [{"id": "p3", "position": "3,2"}]
    assert state["parties"] == [
        {"leader": "ada", "members": ["ada", "p2"], "totalStrength": 2.5, "consecutivePasses": 1}
    ]
    assert state["wizard"] == {"name": "Gary the Wizard", "position": "3,1", "strength": 3.5}
    assert (state["width"], state["height"], state["terrain"]) == (4, 3, setup["map"])
    assert state["maxRounds"] == 7
    record = (await asker.ask("get_record", sessionId=answer["sessionId"]))["record"]
    assert record["scenario"].items() >= setup.items()


async def test_a_setup_needs_no_name_title_or_summary(asker: Asker) -> None:
    state = await start(asker, {"game": "botwars", "map": OPEN_ROWS, "characters": [{}, {}, {}]})
    assert [c["id"] for c in state["characters"]] == ["p1", "p2", "p3"]
    assert all(1.0 <= c["strength"] <= 3.0 for c in state["characters"])
    assert state["wizard"]["name"] == "Gary the Wizard", "absent: at a random cell"
    assert state["maxRounds"] == 200


async def test_a_map_is_drawn_from_the_seed(asker: Asker) -> None:
    setup = botwars(characters=[{}, {}]) | {"map": {"width": 12, "height": 9, "obstacles": 0.25}}
    one, again, other = [await start(asker, setup, seed=seed) for seed in (3, 3, 4)]
    assert one == again
    assert one["terrain"] != other["terrain"]
    assert (one["width"], one["height"]) == (12, 9)


async def test_a_characters_type_may_be_said_by_either_key(asker: Asker) -> None:
    for key in ("characterType", "pieceType"):
        state = await start(asker, botwars("....", characters=[player("0,0"), {key: "troll", "position": "3,0"}]))
        assert state["characters"][1]["id"] == "t1"


ONE: Data = player("0,0")
WRONG: list[tuple[str, Data]] = [
    # unknown keys
    ("charakters", {"charakters": []}),
    ("sead", {"sead": 1}),
    ("seed", {"seed": 1}),
    ("characters[0].helth", {"characters": [{**ONE, "helth": 1}]}),
    ("map.depth", {"map": {"width": 5, "height": 5, "obstacles": 0, "depth": 5}}),
    ("wizard.name", {"wizard": {"name": "Merlin"}}),
    ("dice.d4", {"dice": {"d4": [1]}}),
    # missing keys
    ("map.height", {"map": {"width": 5, "obstacles": 0}}),
    # wrong types
    ("map", {"map": "...."}),
    ("map[1]", {"map": ["....", 5]}),
    ("map", {"map": None}),
    ("characters", {"characters": 3}),
    ("characters[0]", {"characters": ["p1"]}),
    ("characters[0].position", {"characters": [player("0,0") | {"position": [0, 0]}]}),
    ("characters[0].position", {"characters": [player("A1")]}),
    ("characters[0].strength", {"characters": [player("0,0", strength="2.0")]}),
    ("characters[0].strength", {"characters": [player("0,0", strength=True)]}),
    ("characters[0].strength", {"characters": [player("0,0", strength=2.05)]}),
    ("characters[0].score", {"characters": [player("0,0", score=1.5)]}),
    ("characters[0].alive", {"characters": [player("0,0", alive=1)]}),
    ("characters[0].id", {"characters": [player("0,0", id="P1")]}),
    ("parties", {"parties": {"p1": "p2"}}),
    ("wizardRoams", {"wizardRoams": "yes"}),
    ("maxRounds", {"maxRounds": "5"}),
    ("maxRounds", {"maxRounds": 5.5}),
    ("turn", {"turn": 1}),
    ("health", {"health": "10"}),
    ("dice.d20[1]", {"dice": {"d20": [1, "2"]}}),
    ("dice", {"dice": [1]}),
    ("consecutivePasses.p1", {"consecutivePasses": {"p1": "1"}}),
    ("notes", {"notes": 5}),
    ("game", {"game": 5}),
    ("game", {"game": "chess"}),
    # out of range
    ("map[1]", {"map": ["....", "..."]}),
    ("map[0]", {"map": ["..x."]}),
    ("map", {"map": []}),
    ("map", {"map": ["MF"]}),
    ("map", {"map": ["."] * 101}),
    ("map[0]", {"map": ["." * 101]}),
    ("map.width", {"map": {"width": 101, "height": 5, "obstacles": 0}}),
    ("map.width", {"map": {"width": 0, "height": 5, "obstacles": 0}}),
    ("map.obstacles", {"map": {"width": 5, "height": 5, "obstacles": 1.5}}),
    ("characters", {"characters": []}),
    ("characters", {"characters": [{}] * 65}),
    ("characters[0].strength", {"characters": [player("0,0", strength=0)]}),
    ("characters[0].strength", {"characters": [player("0,0", strength=-1.0)]}),
    ("characters[0].health", {"characters": [player("0,0", health=-1.0)]}),
    ("health", {"health": 0}),
    ("maxRounds", {"maxRounds": 0}),
    ("dice.d20[0]", {"dice": {"d20": [21]}}),
    ("dice.d3[0]", {"dice": {"d3": [0]}}),
    ("dice.d6", {"dice": {"d6": [1] * 10_001}}),
    ("ruleset", {"ruleset": "blitz"}),
    ("characters[0].characterType", {"characters": [player("0,0", characterType="wizard")]}),
    ("characters[0].id", {"characters": [player("0,0", id="a" * 13)]}),
    ("characters[0].id", {"characters": [player("0,0", id="wizard")]}),
    ("characters[0].id", {"characters": [player("0,0", id="troll")]}),
    ("characters[0].id", {"characters": [player("0,0", id="../x")]}),
    # what does not fit together
    ("characters[1].id", {"characters": [player("0,0", id="x"), player("1,0", id="x")]}),
    ("characters[1].position", {"characters": [player("0,0"), player("0,0")]}),
    ("characters[0].position", {"characters": [player("99,0")]}),
    ("characters[0].pieceType", {"characters": [player("0,0", characterType="player", pieceType="troll")]}),
    ("characters[1].characterType", {"ruleset": "classic", "characters": [player("0,0"), troll("1,0")]}),
    ("parties[0][1]", {"parties": [["p1", "p9"]]}),
    ("parties[0][1]", {"parties": [["p1", "p2"]]}),
    ("parties[0]", {"parties": [["p1"]]}),
    ("turn", {"turn": "p9"}),
    ("consecutivePasses.p1", {"consecutivePasses": {"p1": 1}}),
    ("wizard.position", {"wizard": {"position": "99,99"}}),
]


@pytest.mark.parametrize(("key", "more"), WRONG, ids=[f"{key}-{i}" for i, (key, _) in enumerate(WRONG)])
async def test_an_error_of_a_setup_names_its_key(asker: Asker, key: str, more: Data) -> None:
    error = await asker.error("new_game", setup={**FAR_APART, **more})
    assert f" {key}: " in error, error
    assert len(error) < 500
    assert (await asker.ask("list_sessions"))["sessions"] == []


@pytest.mark.parametrize("missing", ["game", "map", "characters"])
async def test_a_missing_key_of_a_setup_is_named(asker: Asker, missing: str) -> None:
    setup = {key: value for key, value in FAR_APART.items() if key != missing}
    assert f" {missing}: " in await asker.error("new_game", setup=setup)


async def test_a_misspelt_key_of_a_setup_is_told_the_nearest(asker: Asker) -> None:
    assert '"maxRounds"' in await asker.error("new_game", setup={**FAR_APART, "maxRound": 5})


async def test_a_setup_nested_deep_is_refused(asker: Asker) -> None:
    """C61"""
    deep: list[Any] = []
    for _ in range(150):
        deep = [deep]
    for key in ("map", "characters", "parties", "notes", "surprise"):
        assert f" {key}" in await asker.error("new_game", setup={**FAR_APART, key: deep})


async def test_loaded_dice_fall_in_order(asker: Asker) -> None:
    setup = botwars(
        "....", "....", characters=[player("0,0"), troll("1,0"), player("3,1")], dice={"d20": [20, 1, 1, 20, 19, 2]}
    )
    session = await asker.begin(setup)
    await asker.submit(session, "attack t1")
    (battle,) = [e for e in (await asker.whole_record(session))["events"] if e["type"] == "battle"]
    rolls = [(bout["attackerRolls"], bout["defenderRolls"]) for bout in battle["bouts"]]
    assert rolls == [([20], [1]), ([1], [20]), ([19], [2])]


# health: the call's stands above the option's, that above the scenario's, a character's own above all (BW-7.1)


async def healths(asker: Asker, setup: Data, **more: Any) -> list[float]:
    return [c["health"] for c in (await start(asker, setup, **more))["characters"]]


MIXED = botwars("....", "....", characters=[player("0,0"), player("3,0", health=4.0)])


async def test_health_is_10_or_the_scenarios(asker: Asker) -> None:
    assert await healths(asker, MIXED) == [10.0, 4.0]
    assert await healths(asker, {**MIXED, "health": 7.5}) == [7.5, 4.0]


async def test_the_calls_health_stands_above_the_scenarios_but_not_above_a_characters(asker: Asker) -> None:
    assert await healths(asker, {**MIXED, "health": 7.5}, health=6.5) == [6.5, 4.0]
    assert await healths(asker, MIXED, health=6) == [6.0, 4.0]
    assert await healths(asker, MIXED, health="6.5") == [6.5, 4.0]
    answer = await asker.ask("new_game", scenario="crossroads", health=3.5)
    assert {c["health"] for c in answer["snapshot"]["state"]["characters"]} == {3.5}


async def test_the_options_health_stands_above_the_scenarios_and_below_the_calls() -> None:
    table = session_manager(Settings("sqlite://", health=5.5))
    for asked, expected in ((None, [5.5, 4.0]), (6.5, [6.5, 4.0])):
        session = await table.new_game(NewGame(setup={**MIXED, "health": 7.5}, health=asked))
        view = session.recording.state.view(None)
        assert [c["health"] for c in view["characters"]] == expected
    await table.close()


@pytest.mark.parametrize("health", [-1, 0.05, 1e9])
async def test_a_health_that_cannot_be_is_refused(asker: Asker, health: float) -> None:
    assert "health" in await asker.error("new_game", setup=FAR_APART, health=health)


async def test_a_party_of_a_setup_is_whole(asker: Asker) -> None:
    state = await start(asker, PARTY_OF_TWO)
    assert state["parties"][0]["members"] == ["p1", "p2"]
