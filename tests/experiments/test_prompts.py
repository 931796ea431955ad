"""Variants of prompts: each differs from the plain one in one thing, and tells a model nothing that is not so."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from livingtable.game import State, game_names
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import Variant
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import Way
from livingtable_server.experiments.prompts import PromptLibrary, problems

VARIANTS = ("cautious", "plain", "plan_then_act")
each_game = pytest.mark.parametrize("game", game_names())
each_variant = pytest.mark.parametrize("name", VARIANTS)
each_way = pytest.mark.parametrize("way", ["chat", "tools"])


def a_start(library: ScenarioLibrary, game: str) -> State:
    return library.all(game)[0].start(1)


@each_game
def test_a_game_has_the_three_variants(game: str, prompts: PromptLibrary) -> None:
    assert set(prompts.names(game)) >= set(VARIANTS)


@each_game
@each_way
@each_variant
def test_example_moves_are_legal_where_they_are_shown_and_tools_exist(
    game: str, way: Way, name: str, library: ScenarioLibrary, prompts: PromptLibrary
) -> None:
    state = a_start(library, game)
    prompt = prompts.render(state, name, way, state.sides[0])
    assert list(problems(prompt)) == []
    legal = {action.notation for _, shown, side in prompt.examples if shown for action in shown.legal_actions(side)}
    assert len([code for code, shown, _ in prompt.examples if shown and code.removeprefix("ACTION: ") in legal]) >= 3


@each_game
@each_way
@each_variant
def test_a_prompt_is_whole_and_names_the_seat_and_its_game(
    game: str, way: Way, name: str, library: ScenarioLibrary, prompts: PromptLibrary
) -> None:
    state = a_start(library, game)
    text = prompts.render(state, name, way, state.sides[-1]).text
    assert text.startswith(f"You play one whole game of {game} as {state.sides[-1]}")
    for part in ("{{", "{%", "\x00", "None", "\n\n\n"):
        assert part not in text
    assert ("ACTION:" in text) == (way == "chat")
    assert ("submit_action" in text) == (way == "tools")


@each_game
@each_way
@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "plain"])
def test_a_variant_differs_from_the_plain_one_in_one_block(
    game: str, way: Way, name: str, library: ScenarioLibrary, prompts: PromptLibrary
) -> None:
    state = a_start(library, game)
    plain, other = (prompts.render(state, n, way, state.sides[0]).text.splitlines() for n in ("plain", name))
    changes = [op for op in SequenceMatcher(None, plain, other, autojunk=False).get_opcodes() if op[0] != "equal"]
    assert [change[0] for change in changes] == ["insert"]


def test_with_rules_they_stand_in_the_prompt(library: ScenarioLibrary, prompts: PromptLibrary) -> None:
    state = a_start(library, "skirmish")
    with_rules = prompts.system_text(state, Variant(rules=True), "ivory")
    without = prompts.system_text(state, Variant(), "ivory")
    assert with_rules.startswith(without)
    assert state.game.rules_text().strip() in with_rules


# One's own


def own(folder: Path, text: str) -> Path:
    file = folder / "botwars" / "variants" / "mine.jinja"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    return folder


SHOWN = '{% set shown = position("first_alliance", 1, "p1") %}{{ shown.board }}\n'


def test_ones_own_variant_may_be_built_from_the_shipped_parts(tmp_path: Path, library: ScenarioLibrary) -> None:
    prompts = PromptLibrary(library, own(tmp_path, 'Mine.\n{% include "parts/answer.jinja" %}\n'))
    text = prompts.render(a_start(library, "botwars"), "mine", "chat", "p1").text
    assert text.startswith("Mine.")
    assert "ACTION:" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{SHOWN}Say `move 9,9`.", "`move 9,9` is not legal in the position that is shown"),
        (f"{SHOWN}Say `ACTION: dance`.", "`ACTION: dance` is no action"),
        (f'{SHOWN}`submit_action {{"notation": "move 9,9"}}`', "`move 9,9` is not legal"),
        ("Call `submit_acton`.", 'There is no tool "submit_acton"; did you mean "submit_action"?'),
        ('Call `get_state {"sesionId": "S"}`.', 'did you mean "sessionId"?'),
    ],
)
def test_what_a_prompt_tells_wrongly_is_found(text: str, said: str, tmp_path: Path, library: ScenarioLibrary) -> None:
    prompts = PromptLibrary(library, own(tmp_path, text))
    with pytest.raises(ExperimentError, match=r"botwars/variants/mine\.jinja") as raised:
        prompts.check(a_start(library, "botwars"), "mine", "chat", "p1")
    assert said in str(raised.value)


@pytest.mark.parametrize(
    "text",
    ["{% if %}", "{{ nothing }}", '{% include "parts/none.jinja" %}', '{{ position("nowhere", 1, "p1").board }}'],
)
def test_a_template_that_cannot_be_rendered_is_told_by_file(
    text: str, tmp_path: Path, library: ScenarioLibrary
) -> None:
    prompts = PromptLibrary(library, own(tmp_path, text))
    with pytest.raises(ExperimentError, match=r"mine\.jinja|none\.jinja"):
        prompts.render(a_start(library, "botwars"), "mine", "chat", "p1")


def test_a_template_reads_nothing_outside_the_folders(tmp_path: Path, library: ScenarioLibrary) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    folder = own(tmp_path / "prompts", '{% include "../secret" %}')
    with pytest.raises(ExperimentError):
        PromptLibrary(library, folder).render(a_start(library, "botwars"), "mine", "chat", "p1")


def test_an_unknown_variant_is_told_with_the_nearest(library: ScenarioLibrary, prompts: PromptLibrary) -> None:
    with pytest.raises(ExperimentError, match='did you mean "cautious"'):
        prompts.render(a_start(library, "botwars"), "cautius", "chat", "p1")
