"""What the README tells people to type is there and works."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from livingtable.arena.asking import question
from livingtable.arena.plan import Plan, library
from livingtable.arena.run import Run
from livingtable.scenarios import check_scenario

CHECKOUT = Path(__file__).parents[2]
README = (CHECKOUT / "README.md").read_text("utf-8")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the README's line on which its text begins (from 1), and the text."""

    language: str
    line: int
    text: str


def blocks(*languages: str) -> list[Block]:
    found = (
        Block(match[1], README.count("\n", 0, match.start(2)) + 1, match[2])
        for match in re.finditer(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    )
    return [block for block in found if block.language in languages]


def line_of(block: Block) -> str:
    return f"line {block.line}"


def first_command_under(heading: str) -> str:
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return section.partition("```sh\n")[2].partition("\n```")[0]


# Python


def test_the_readme_shows_a_game_in_six_lines_of_python_that_run_as_shown() -> None:
    said: list[str] = []
    lines = 0
    for block in blocks("python"):
        example = doctest.DocTestParser().get_doctest(block.text, {}, "README.md", "README.md", block.line - 1)
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
        lines += len(example.examples)
    assert not said, "".join(said)
    assert 0 < lines <= 6


def test_the_bot_that_the_readme_shows_plays(tmp_path: Path) -> None:
    (block,) = blocks("py")
    (tmp_path / "bot.py").write_text(block.text, "utf-8")
    plan = Plan(("duel",), (f"{tmp_path}/bot.py:Eager", "greedy"), 2, 0, folders=(str(tmp_path),))
    (scenario,) = (d for d in documents() if "characters" in d)
    (tmp_path / "duel.json").write_text(json.dumps({**scenario, "name": "duel"}), "utf-8")
    Run(tmp_path / "cup").go_on(plan)
    assert [row["end"] for row in Run(tmp_path / "cup").rows()].count("forfeit") == 0


# JSON


@pytest.mark.parametrize("block", blocks("json"), ids=line_of)
def test_a_json_block_is_json(block: Block) -> None:
    assert isinstance(json.loads(block.text), dict)


def documents() -> list[dict[str, Any]]:
    return [json.loads(block.text) for block in blocks("json")]


def configurations() -> list[dict[str, Any]]:
    return [d[key]["living-table"] for d in documents() for key in ("mcpServers", "servers") if key in d]


def test_a_configuration_without_a_command_names_the_address_that_the_server_has_by_default() -> None:
    (server,) = (server for server in configurations() if "command" not in server)
    assert server["url"] == "http://127.0.0.1:8000/mcp"
    assert "127.0.0.1" in command_help("serve")
    assert "8000" in command_help("serve")


def test_every_configuration_starts_the_server_with_uvx_or_from_a_checkout() -> None:
    servers = [server for server in configurations() if "command" in server]
    uvx, checkout = ("uvx", "living-table"), ("/path/to/living-table/.venv/bin/living-table",)
    # Claude Desktop, VS Code, Cursor; Claude Code has a command for it.
    assert [(server["command"], *server["args"]) for server in servers] == [uvx, checkout] * 3


def test_the_scenario_of_the_readme_is_playable() -> None:
    (scenario,) = (d for d in documents() if "characters" in d)
    assert check_scenario(scenario, "README.md").start(7).to_act


def test_the_question_of_the_readme_is_what_a_remote_agent_is_asked() -> None:
    (shown,) = (d for d in documents() if "legal" in d)
    asked = question(library(()).get("duel_glade").start(0), shown["side"], shown["seed"], 0)
    assert {**shown, "view": ...} == {**asked, "view": ...}


# Commands


def test_one_command_installs_and_plays() -> None:
    assert first_command_under("Install and play") == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/living-table demo"
    )


def test_one_command_installs_with_the_constraints_and_tests() -> None:
    command = first_command_under("Install and test")
    assert re.fullmatch(
        r"python3 -m venv \.venv && \.venv/bin/pip install -c constraints\.txt -e '\.\[test\]' && \.venv/bin/pytest.*",
        command,
    )


def test_ci_takes_its_command_from_the_readme_and_has_none_of_its_own() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text("utf-8")
    assert 'heading="Install and test"' in script
    assert not re.search(r"^\s*(\S*/)?(pip|pytest)\s", script, re.MULTILINE)


def shown_commands() -> list[str]:
    """`living-table NAME` wherever the README writes it as code."""
    code = [*(block.text for block in blocks("sh")), *re.findall(r"`([^`\n]+)`", README)]
    return sorted({name for text in code for name in re.findall(r"(?<![\w-])living-table ([a-z]+)(?![\w:-])", text)})


def installed(command: str) -> str:
    script = shutil.which(command, path=sysconfig.get_path("scripts"))
    assert script, f"{command} is not installed"
    return script


def command_help(*arguments: str) -> str:
    done = subprocess.run(
        [installed("living-table"), *arguments, "--help"],
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200", "TERMINAL_WIDTH": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_readme_shows_the_commands_that_there_are() -> None:
    listed = set(re.findall(r"^\W*([a-z]+)\s", command_help().partition("Commands")[2], re.MULTILINE))
    assert shown_commands() == sorted(listed)


@pytest.mark.slow
@pytest.mark.parametrize("name", shown_commands())
def test_a_command_has_the_options_that_the_readme_gives_it(name: str) -> None:
    rows = [row for row in README.splitlines() if f"`living-table {name}" in row]
    options = {option for row in rows for option in re.findall(r"--[a-z]+", row) if option != "--help"}
    said = command_help(name)
    assert [option for option in sorted(options) if not re.search(rf"{option}\b", said)] == []


# Tools


async def offered_tools() -> list[str]:
    server = StdioServerParameters(command=installed("living-table"), args=["mcp", "--store", "sqlite://"])
    async with Client(server) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def test_the_tools_at_a_glance_are_those_of_the_server() -> None:
    glance = README.partition("\n## The tools at a glance\n")[2].partition("\n## ")[0]
    rows = [row.split("|")[1] for row in glance.splitlines() if row.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(anyio.run(offered_tools))


# Everywhere


@pytest.mark.parametrize(
    "name", ["README.md", "CHANGELOG.md", "constraints.txt", "pyproject.toml", ".ci/run", ".ci/tools"]
)
def test_no_path_of_a_machine_stands_in(name: str) -> None:
    text = (CHECKOUT / name).read_text("utf-8")
    assert re.findall(r"(?<![\w.])(?:/(?:home|root|Users|work|opt|tmp|var|srv|mnt)\b|[A-Z]:\\)\S*", text) == []
