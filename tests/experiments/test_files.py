"""Experiment files: what is right in them, and what is said of what is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import fixtures, variants
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import Experiment, check_experiment, load_experiment

EXAMPLES = sorted((Path(__file__).parents[2] / "prompts" / "experiments").glob("*.toml"))

BASE = """
name = "mine"
game = "botwars"
scenarios = ["crossroads", "troll_night"]
seeds = {from = 1, count = 3}
seats = ["p1", "t1"]
null = true

[factors]
prompt = ["plain", "cautious"]
legal = [true, false]

[models.small]
model = "openai-api/local/small"
"""


def checked(library: ScenarioLibrary, text: str = BASE, **changed: Any) -> Experiment:
    return check_experiment({**tomllib.loads(text), **changed}, "mine.toml", library)


def wrong(library: ScenarioLibrary, **changed: Any) -> str:
    with pytest.raises(ExperimentError) as raised:
        checked(library, **changed)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_is_an_experiment(file: Path, library: ScenarioLibrary) -> None:
    assert load_experiment(file, library).summary


def test_the_variants_are_all_combinations_and_the_null_twin_of_the_first(library: ScenarioLibrary) -> None:
    assert list(variants(checked(library))) == [
        "prompt=plain legal=yes",
        "prompt=plain legal=no",
        "prompt=cautious legal=yes",
        "prompt=cautious legal=no",
        "prompt=plain legal=yes (null)",
    ]


def test_where_only_the_prompt_varies_a_variant_is_called_like_it(library: ScenarioLibrary) -> None:
    experiment = checked(library, factors={"prompt": ["plain", "cautious"]}, null=False)
    assert list(variants(experiment)) == ["plain", "cautious"]


def test_every_variant_plays_the_same_seeds_scenarios_and_seats(library: ScenarioLibrary) -> None:
    games = list(fixtures(checked(library)))
    by_variant: dict[str, list[tuple[str, int, str]]] = {}
    for game in games:
        by_variant.setdefault(game.label, []).append((game.scenario, game.seed, game.seat))
    first, *others = by_variant.values()
    assert len(first) == 2 * 3 * 2
    assert others == [first] * 4
    assert len({game.id for game in games}) == len(games)


def test_one_level_may_stand_without_brackets(library: ScenarioLibrary) -> None:
    experiment = checked(library, scenarios="crossroads", seats="p1", factors={"prompt": "plain"})
    assert (experiment.scenarios, experiment.seats, experiment.factors.prompt) == (["crossroads"], ["p1"], ["plain"])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sead": 1}, 'mine.toml: sead: unknown key; did you mean "seeds"?'),
        ({"factors": {"promt": ["plain"]}}, 'factors.promt: unknown key; did you mean "prompt"?'),
        ({"models": {"small": {"modl": "a/b"}}}, 'models.small.modl: unknown key; did you mean "model"?'),
        ({"game": "botwar"}, 'game: There is no game "botwar"; did you mean "botwars"? Known: botwars, '),
        ({"scenarios": ["crosroads"]}, 'did you mean "crossroads"?'),
        ({"scenarios": ["fox_yard"]}, 'scenarios[0]: "fox_yard" is one of foxhunt, not of botwars'),
        ({"seats": ["p9"]}, 'seats[0]: crossroads has no seat "p9"; its seats are p1, p2'),
        ({"seeds": []}, "seeds: must have at least one entry"),
        ({"seeds": {"from": 1}}, 'seeds: must be a list, or "from" and "count", two whole numbers'),
        ({"seeds": [-1]}, "seeds[0]: must be at least 0"),
        ({"seeds": [1, 1]}, "seeds: 1 stands twice; each once"),
        ({"models": {}}, "models: must have at least one entry"),
        ({"models": {"small": {"model": "gpt"}}}, "models.small.model: must be PROVIDER/MODEL"),
        ({"opponent": "greedi"}, 'did you mean "greedy"?'),
        ({"agree_with": "oracle"}, "agree_with: "),
        ({"measure": "scor"}, 'measure: no measure "scor"; known: score, win'),
        ({"measure": "agreement"}, "agree_with: must name an agent"),
        ({"on_failure": "cry"}, "on_failure: must be 'forfeit', 'random' or 'skip'"),
        ({"against": {"p2": "big"}}, 'against.p2: no model "big"; known: small'),
        ({"against": {"x": "small"}}, "against.x: crossroads has no such seat"),
        ({"factors": {"board": ["ascii"]}}, "factors.board[0]: must be 'text', 'json' or 'picture'"),
        ({"factors": {"way": ["tools"], "legal": [False]}}, "factors.legal: the tools show what they show"),
        ({"factors": {"way": ["tools"]}, "against": {"p2": "small"}}, "against: models play each other in a chat"),
        (
            {"models": {"small": {"model": "a/b", "args": {"api_key": "x"}}}},
            "models.small.args.api_key: stands in the environment",
        ),
        ({"retries": True}, "retries: must be a whole number"),
    ],
)
def test_a_fault_is_told_with_its_place_and_what_would_be_right(
    changed: dict[str, Any], said: str, library: ScenarioLibrary
) -> None:
    assert said in wrong(library, **changed)


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path, library: ScenarioLibrary) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('name = "x"\ngame = \n', "utf-8")
    with pytest.raises(ExperimentError, match=r"is no TOML: .*line 2"):
        load_experiment(file, library)
