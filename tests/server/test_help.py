"""Every command's help names no type that its reader has no use for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.commands import Shell
from typer.main import get_command

from livingtable_server import cli


def commands_below(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield names
    for name, each in getattr(command, "commands", {}).items():
        yield from commands_below(each, (*names, name))


@pytest.mark.parametrize("names", list(commands_below(get_command(cli.app))), ids=" ".join)
def test_no_flag_bears_a_type_and_no_argument_a_second_name(shell: Shell, names: tuple[str, ...]) -> None:
    said = shell(*names, "--help")
    assert said.code == 0
    assert not re.findall(r"<(bool|path|str|text|int|float|file)\b", said.out)


def test_what_may_be_chosen_is_named(shell: Shell) -> None:
    assert "<core|all>" in shell("mcp", "--help").out
