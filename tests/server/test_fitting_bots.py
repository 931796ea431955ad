"""A bot that searches is seated with as many iterations as fit the game, and its seat and the record say how many."""

from __future__ import annotations

import pytest
from tests.games.largest import setups
from tests.server.asking import Asker
from tests.server.players import make_room

pytestmark = pytest.mark.anyio

LARGE = setups()["skirmish D spread"]


async def test_on_a_large_board_the_seat_of_a_search_says_what_fits(asker: Asker) -> None:
    """Ivory begins, and is the caller's: nothing is searched here."""
    answer = await asker.ask("new_game", setup=LARGE, side="ivory", opponent="search:1000")
    controllers = {seat["side"]: seat["controller"] for seat in answer["snapshot"]["seats"]}
    assert controllers == {"ivory": "agent", "crimson": "bot:search:16"}
    record = await asker.whole_record(answer["sessionId"])
    assert [seat["controller"] for seat in record["seats"]] == ["agent", "bot:search:16"]


async def test_in_scenarios_that_ship_it_is_seated_as_it_was_asked_for(asker: Asker) -> None:
    answer = await asker.ask("new_game", scenario="border_fort", side="ivory", opponent="search:1000")
    assert {seat["controller"] for seat in answer["snapshot"]["seats"]} == {"agent", "bot:search:1000"}


async def test_in_a_room_too_the_seat_says_what_fits(asker: Asker) -> None:
    maker = await make_room(asker, LARGE, side="ivory")
    answer = await asker.ask("seat_bot", **maker.key, side="crimson", bot="search:1000")
    assert answer["bot"] == "search:16"
    controllers = {row["side"]: row["controller"] for row in (await maker.state())["players"]}
    assert controllers["crimson"] == "bot:search:16"
