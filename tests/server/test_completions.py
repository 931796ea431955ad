"""Hosts can offer the names that an argument takes, while somebody types it."""

from __future__ import annotations

import pytest
from mcp import Client
from mcp_types import PromptReference, ResourceTemplateReference
from tests.server.asking import Asker

from livingtable.game import game_names

pytestmark = pytest.mark.anyio

Reference = PromptReference | ResourceTemplateReference
RULES = ResourceTemplateReference(type="ref/resource", uri="rules://{game}")
SCENARIO = ResourceTemplateReference(type="ref/resource", uri="scenario://{name}")


def prompt(name: str) -> PromptReference:
    return PromptReference(type="ref/prompt", name=name)


async def offered(client: Client, reference: Reference, argument: str, begun: str) -> list[str]:
    return (await client.complete(reference, {"name": argument, "value": begun})).completion.values


async def scenarios(asker: Asker, **of: str) -> list[str]:
    return [row["name"] for row in (await asker.ask("list_scenarios", **of))["scenarios"]]


async def test_the_games_are_offered_for_rules(asker: Asker) -> None:
    assert await offered(asker.client, RULES, "game", "") == list(game_names())
    assert await offered(asker.client, RULES, "game", "bot") == ["botwars"]
    assert await offered(asker.client, RULES, "game", "chess") == []


async def test_the_scenarios_are_offered_for_their_address(asker: Asker) -> None:
    assert await offered(asker.client, SCENARIO, "name", "") == await scenarios(asker)
    assert await offered(asker.client, SCENARIO, "name", "cross") == ["crossroads"]


@pytest.mark.parametrize(("name", "game"), [("botwars_play_player", "botwars"), ("skirmish_play", "skirmish")])
async def test_a_prompt_is_offered_the_scenarios_of_its_game(asker: Asker, name: str, game: str) -> None:
    assert await offered(asker.client, prompt(name), "scenario", "") == await scenarios(asker, game=game)


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        (prompt("botwars_review_game"), "session"),
        (prompt("no_such_prompt"), "arg"),
        (ResourceTemplateReference(type="ref/resource", uri="session://{sessionId}"), "sessionId"),
        (RULES, "name"),
    ],
    ids=str,
)
async def test_nothing_is_offered_for_an_id_or_for_what_is_not_known(
    asker: Asker, reference: Reference, argument: str
) -> None:
    await asker.begin()
    assert await offered(asker.client, reference, argument, "") == []
