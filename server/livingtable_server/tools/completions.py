"""Completions: what a host can offer while somebody types an argument of a prompt or of a resource's address."""

from __future__ import annotations

from typing import Any

from mcp.server import MCPServer
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from livingtable.game import game_names
from livingtable_server.sessions.manager import SessionManager

VALUES_AT_MOST = 100


def add_completions(server: MCPServer[Any], table: SessionManager) -> None:
    """Names of games and scenarios; of a prompt for one game, that game's scenarios. Ids are nobody's to guess."""

    @server.completion()  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
    async def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _context: CompletionContext | None,
    ) -> Completion:
        fitting = [value for value in _values(reference, argument.name) if value.startswith(argument.value)]
        return Completion(values=fitting[:VALUES_AT_MOST], total=len(fitting), has_more=len(fitting) > VALUES_AT_MOST)

    def _values(reference: PromptReference | ResourceTemplateReference, argument: str) -> list[str]:
        if isinstance(reference, PromptReference):
            game = next((name for name in game_names() if reference.name.startswith(f"{name}_")), None)
            return _scenarios(game) if argument == "scenario" else []
        if reference.uri == "rules://{game}" and argument == "game":
            return list(game_names())
        return _scenarios(None) if reference.uri == "scenario://{name}" and argument == "name" else []

    def _scenarios(game: str | None) -> list[str]:
        return [scenario.name for scenario in table.library().all(game)]

    _ = complete
