"""How `--help` shows options and arguments: with what they take, which of a flag is nothing."""

from __future__ import annotations

from typing import Any

import typer
from typer.main import get_command


def with_plain_help(commands: typer.Typer) -> Any:
    """The command, whose help names no types that its reader has no use for: `<bool>` behind a flag, `<path>` behind an
    argument that is called FILE."""
    command = get_command(commands)
    _make_plain(command)
    return command


def _make_plain(command: Any) -> None:
    options = [*command.params, command.get_help_option(typer.Context(command))]
    for option in options:
        if getattr(option, "is_flag", False):
            option.metavar = ""
        elif option.param_type_name == "argument":
            option.display_type_rich = _nothing
    for each in getattr(command, "commands", {}).values():
        _make_plain(each)


def _nothing(*_: object, **__: object) -> None:
    """Its name says it all."""
