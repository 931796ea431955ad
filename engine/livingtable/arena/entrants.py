"""Who takes part: built-in agents, users' own in processes of their own, and remote ones that are asked for a choice.

Here, and nowhere over a wire, an agent may be named by a file, a command or an address.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from pathlib import Path
from typing import Protocol

from livingtable import agents
from livingtable.arena.choices import Forfeit
from livingtable.arena.own_process import ProcessSeat
from livingtable.arena.remote import HttpSeat, McpSeat, host_and_port
from livingtable.errors import UnknownNameError
from livingtable.game import MAX_SEED, Action, State

_FILE = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)")
MCP, HTTP = "mcp+stdio:", ("http://", "https://")
_OWN = f"A file of your own is FILE.py:NAME, an address begins with {HTTP[0]}, a command with {MCP}."


class EntrantSeat(Protocol):
    """An entrant in one seat of one game."""

    def choose(self, state: State, version: int) -> Action:
        """One of the legal actions, after so many. Raises `Forfeit`."""
        ...

    def leave(self) -> None:
        """The game is over."""
        ...


class BuiltIn:
    """A registered agent, as a session seats it."""

    def __init__(self, name: str, side: str, seed: int) -> None:
        self._name, self._side, self._seed = name, side, seed

    def choose(self, state: State, version: int) -> Action:
        return agents.choose(self._name, state, self._side, self._seed, version)

    def leave(self) -> None:
        """Nothing is held."""


def check_entrant(name: str, game: str) -> str:
    """The name again, if there can be such an entrant. Raises `UnknownNameError` in words."""
    found = _FILE.fullmatch(name)
    if found:
        if not Path(found["file"]).is_file():
            raise UnknownNameError(f'There is no file "{found["file"]}" for the agent {name}.')
        return name
    if is_remote(name):
        _check_remote(name)
        return name
    try:
        return agents.check_agent(name, game)
    except UnknownNameError as error:
        if is_built_in(name) or not any(mark in name for mark in ".:/\\"):
            raise
        raise UnknownNameError(f"{error} {_OWN}") from None


def _check_remote(name: str) -> None:
    try:
        if not name.startswith(MCP):
            host_and_port(name)
        elif not shlex.split(name.removeprefix(MCP)):
            raise UnknownNameError(f"{MCP} names no command: write {MCP}COMMAND.")
    except ValueError as error:
        right = f"{MCP}COMMAND, quoted as in a shell" if name.startswith(MCP) else "http://HOST:PORT/PATH"
        raise UnknownNameError(f"The agent {name} cannot be: {error}; write {right}.") from None


def is_built_in(name: str) -> bool:
    """Whether it is a registered agent's, with or without a budget."""
    return name.partition(":")[0] in {kind.name for kind in agents.agent_kinds()}


def own_file(name: str) -> Path | None:
    """The file that an entrant names, if it names one."""
    found = _FILE.fullmatch(name)
    return Path(found["file"]) if found else None


def is_remote(name: str) -> bool:
    """Whether it names a command or an address, which may hold commas."""
    return name.startswith((MCP, *HTTP))


def try_start(name: str, side: str, seconds: float) -> None:
    """Starts an agent that is not built in once, or tries whether somebody is at its address, as nobody wants to see it
    forfeit a whole tournament. Raises `UnknownNameError` that says why it is not there."""
    tried = seat(name, side, 0, seconds)
    if isinstance(tried, BuiltIn):
        return
    try:
        tried.begin()
    except Forfeit as error:
        raise UnknownNameError(f"The agent {name} does not start: {error.detail}") from None
    finally:
        tried.leave()


def seat(name: str, side: str, seed: int, seconds: float) -> BuiltIn | ProcessSeat | McpSeat | HttpSeat:
    """The entrant of that name in a seat; of those that are not built in each choice may take so long."""
    if is_built_in(name):
        return BuiltIn(name, side, seed)
    own = own_seed(seed, side)
    found = _FILE.fullmatch(name)
    if found:
        return ProcessSeat(found["file"], found["name"], side, own, seconds)
    if name.startswith(MCP):
        return McpSeat(name.removeprefix(MCP), side, own, seconds)
    return HttpSeat(name, side, own, seconds)


def own_seed(seed: int, side: str) -> int:
    """What an agent that is not built in may have for its chance: from the seed of its game, but no way leads back,
    for who has that one can reckon all dice to come."""
    return int.from_bytes(hashlib.sha256(f"{seed} {side}".encode()).digest()[:8], "big") & MAX_SEED
