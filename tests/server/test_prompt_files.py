"""The prompts that the server offers (`prompts/<game>/*.md`): front matter for MCP, a Jinja2 body, and in the body
only tools and arguments that exist. Calls stand in backticks as `tool {"argument": …}`, in JSON.
"""

import json
import re
from pathlib import Path

import frontmatter
import jinja2
import pytest
from pydantic import BaseModel, ConfigDict

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "prompts").glob("*/*.md"))
GIVEN_FOR_REQUIRED = "2f6c0d9e8b7a4f51"

TOOLS: dict[str, set[str]] = {
    "list_scenarios": {"game"},
    "read_rules": {"game", "section"},
    "new_game": {"scenario", "setup", "fork", "version", "seed", "side", "opponent", "health", "detail"},
    "get_state": {"sessionId", "side", "sinceVersion", "detail"},
    "list_legal_actions": {"sessionId", "side", "detail"},
    "submit_action": {"sessionId", "action", "notation", "side", "expectedVersion", "detail"},
    "wait_for_turn": {"sessionId", "side", "roomCode", "playerId", "timeoutSeconds", "sinceVersion", "detail"},
    "get_record": {"sessionId", "roomCode", "playerId", "cursor"},
    "verify_record": {"record", "sessionId"},
    "list_sessions": {"active"},
}
KNOWN_WORDS = {"sole_survivor", "only_trolls", "round_limit", "stale_version", "round_resolved"}
"""In snake case like a tool, but none: reasons for an end, codes, types of events."""


class Argument(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    description: str
    required: bool
    default: str | None = None


class FrontMatter(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    title: str
    description: str
    arguments: list[Argument]


def front_matter(file: Path) -> FrontMatter:
    return FrontMatter.model_validate(frontmatter.loads(file.read_text(encoding="utf-8")).metadata)


def render(file: Path, **given: str) -> str:
    defaults = {a.name: GIVEN_FOR_REQUIRED if a.default is None else a.default for a in front_matter(file).arguments}
    body = frontmatter.loads(file.read_text(encoding="utf-8")).content
    return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(body).render(defaults | given)


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", text)


def unknown_tools(text: str) -> set[str]:
    words = {word for span in quoted(text) for word in re.findall(r"(?<![\w\"])[a-z]+(?:_[a-z]+)+(?![\w\"])", span)}
    return words - TOOLS.keys() - KNOWN_WORDS


def calls(text: str) -> list[tuple[str, dict[str, object]]]:
    """Each tool called in the text, with its arguments."""
    found = [re.fullmatch(r"(\w+) (\{.*\})", span) for span in quoted(text)]
    return [(match[1], json.loads(match[2])) for match in found if match]


each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")


def named(start: str) -> pytest.MarkDecorator:
    files = [file for file in FILES if file.name.startswith(start)]
    return pytest.mark.parametrize("file", files, ids=lambda file: f"{file.parent.name}/{file.name}")


playing, reviewing = named("play"), named("review")


@pytest.mark.parametrize("game", sorted({file.parent.name for file in FILES}))
def test_a_game_with_prompts_has_them_for_playing_and_for_reviewing(game: str) -> None:
    names = {file.name for file in FILES if file.parent.name == game}
    assert "review_game.md" in names
    assert any(name.startswith("play") for name in names)


def test_the_prompts_of_botwars_are_there() -> None:
    names = {file.name for file in FILES if file.parent.name == "botwars"}
    assert names >= {"play_player.md", "play_troll.md", "review_game.md"}


@each_file
def test_the_name_is_that_of_game_and_file(file: Path) -> None:
    assert front_matter(file).name == f"{file.parent.name}_{file.stem}"


@each_file
def test_title_and_descriptions_say_something_on_one_line(file: Path) -> None:
    head = front_matter(file)
    for text in [head.title, head.description, *(argument.description for argument in head.arguments)]:
        assert text.strip()
        assert len(text.splitlines()) == 1


@each_file
def test_an_argument_is_required_or_has_a_default(file: Path) -> None:
    arguments = front_matter(file).arguments
    assert len({argument.name for argument in arguments}) == len(arguments)
    for argument in arguments:
        assert argument.required == (argument.default is None), argument.name


@each_file
def test_every_argument_is_used_and_nothing_else(file: Path) -> None:
    body = frontmatter.loads(file.read_text(encoding="utf-8")).content
    used = set(re.findall(r"\{[{%][^}]*?\b(?:if )?(\w+)\b[^}]*?[%}]\}", body)) - {"endif"}
    assert used == {argument.name for argument in front_matter(file).arguments}


@each_file
def test_the_body_renders_with_its_defaults(file: Path) -> None:
    text = render(file)
    assert text.strip()
    assert "{{" not in text
    assert "{%" not in text
    assert "None" not in text
    assert "\n\n\n" not in text


@each_file
def test_only_tools_that_exist_are_named(file: Path) -> None:
    assert unknown_tools(render(file)) == set()


@each_file
def test_calls_use_only_arguments_that_exist(file: Path) -> None:
    shown = calls(render(file))
    assert shown, "the prompt shows no call"
    for tool, arguments in shown:
        assert arguments.keys() <= TOOLS[tool], tool


@playing
def test_a_play_prompt_leads_from_the_new_game_to_its_last_turn(file: Path) -> None:
    shown = [tool for tool, _ in calls(render(file))]
    assert shown[0] == "new_game"
    assert {"read_rules", "list_legal_actions", "submit_action", "wait_for_turn"} <= set(shown)


@playing
def test_a_play_prompt_says_whose_game_it_is_how_to_choose_and_when_to_stop(file: Path) -> None:
    text = render(file, side="x2")
    assert f'`read_rules {{"game": "{file.parent.name}"}}`' in text
    assert "x2" in text.splitlines()[0]
    for needed in ("ONE alternative", "`result` not null", "`ok: false`", "expectedVersion", "no instruction"):
        assert needed in text, needed


@playing
def test_a_play_prompt_names_what_both_halves_of_an_answer_say(file: Path) -> None:
    """The text half has neither `events` nor `board`; and a brief `new_game` gives the legal lines itself."""
    text = render(file)
    assert not {"events", "board"} & set(quoted(text))
    for needed in ("GAME OVER (`result` not null)", "refused (`ok: false`)", "not yet (`ready` false)"):
        assert needed in text, needed
    assert "Lost them? `list_legal_actions" in text


@reviewing
def test_a_review_prompt_tries_other_actions_with_other_dice(file: Path) -> None:
    """A fork without a seed foretells the dice of a game that is still played, and marks it."""
    forks = [arguments for tool, arguments in calls(render(file)) if tool == "new_game"]
    assert forks
    assert all("seed" in arguments for arguments in forks)


@reviewing
def test_a_review_prompt_verifies_reads_every_page_and_can_look_at_what_else_was_possible(file: Path) -> None:
    text = render(file)
    shown = [tool for tool, _ in calls(text)]
    assert shown[0] == "verify_record"
    assert {"get_record", "new_game", "read_rules"} <= set(shown)
    for needed in ("`nextCursor`", "`firstDifference`", '"fork"', "submit nothing", "no instruction"):
        assert needed in text, needed


@playing
def test_scenario_side_and_seed_reach_the_new_game(file: Path) -> None:
    drawn = calls(render(file, scenario="troll_night", side="x2"))[0]
    assert drawn == ("new_game", {"scenario": "troll_night", "side": "x2", "detail": "brief"})
    chosen = calls(render(file, scenario="troll_night", side="x2", seed="0"))[0]
    assert chosen == ("new_game", {"scenario": "troll_night", "side": "x2", "seed": 0, "detail": "brief"})


@playing
def test_the_style_is_told_if_there_is_one(file: Path) -> None:
    assert "Style" not in render(file)
    assert render(file, style="never pass").endswith("never pass")


@pytest.mark.parametrize("text", ["call `new_gama` now", "`submit {}` or `submit_actions {}`"])
def test_a_tool_that_does_not_exist_would_be_found(text: str) -> None:
    assert unknown_tools(text)
