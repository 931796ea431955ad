"""Prompts: each `prompts/<game>/*.md`, its front matter the description, its body a Jinja2 template."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from mcp.server import MCPServer
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.prompts.base import PromptArgument
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from livingtable.game import unknown_name

ARGUMENT_AT_MOST = 2_000
"""Characters: a name, an id or a few sentences. A prompt repeats what it is given."""


def prompts_folder() -> Traversable:
    """In an installed wheel `_prompts` beside the package, in a checkout the folder `prompts`."""
    packaged = resources.files("livingtable_server") / "_prompts"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "prompts"


def add_prompts(server: MCPServer[Any]) -> None:
    for prompt in load_prompts():
        server.add_prompt(prompt)


@cache
def load_prompts() -> tuple[Prompt, ...]:
    """Every prompt, by game and name."""
    files = [
        file
        for folder in sorted(prompts_folder().iterdir(), key=lambda entry: entry.name)
        if folder.is_dir()
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if file.name.endswith(".md")
    ]
    return tuple(_prompt(file.read_text("utf-8")) for file in files)


def check_request(name: str, arguments: Mapping[str, str]) -> None:
    """Raises `MCPError`, with what would be right, for an unknown prompt, an unknown argument or a missing one."""
    known = {prompt.name: prompt.arguments or [] for prompt in load_prompts()}
    if name not in known:
        raise _invalid(unknown_name("prompt", name, sorted(known)))
    names = [argument.name for argument in known[name]]
    for given in arguments:
        if given not in names:
            raise _invalid(unknown_name("argument", given, names))
    for given, value in arguments.items():
        if len(value) > ARGUMENT_AT_MOST:
            raise _invalid(f'"{given}" must have at most {ARGUMENT_AT_MOST} characters')
    for argument in known[name]:
        if argument.required and argument.name not in arguments:
            raise _invalid(f'"{argument.name}" is missing: {argument.description}')


def _invalid(text: str) -> MCPError:
    return MCPError(code=INVALID_PARAMS, message=text)


def _prompt(text: str) -> Prompt:
    import frontmatter

    post = frontmatter.loads(text)
    meta: dict[str, Any] = post.metadata
    arguments = cast(list[dict[str, Any]], meta.get("arguments", []))
    defaults = {a["name"]: str(a.get("default", "")) for a in arguments if not a.get("required")}

    async def render(**given: str) -> str:
        return _rendered(post.content, defaults, given)

    return Prompt(
        name=meta["name"],
        title=meta["title"],
        description=meta["description"],
        arguments=[
            PromptArgument(name=a["name"], description=a["description"], required=bool(a.get("required")))
            for a in arguments
        ],
        fn=render,
        context_kwarg=None,
    )


def _rendered(body: str, defaults: Mapping[str, str], given: Mapping[str, str]) -> str:
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    try:
        return SandboxedEnvironment(undefined=StrictUndefined).from_string(body).render({**defaults, **given})
    except TemplateError as error:
        raise _invalid(f"The prompt could not be made: {error}") from None
