"""Bots that take their time: meanwhile the server answers others, and a call is not held up for ever."""

from __future__ import annotations

from itertools import count
from threading import Event

import anyio
import anyio.to_thread
import pytest
from tests.server.asking import Asker
from tests.server.setups import TWO_TROLLS_AND_THE_DEAD

from livingtable.game import Action, Data, State
from livingtable_server.sessions import session

pytestmark = pytest.mark.anyio

SECONDS_AT_MOST = 20
"""A test that would fail waits so long."""


class Thinker:
    """A bot that thinks until it is let go, and then takes the first legal action."""

    def __init__(self) -> None:
        self.thinks, self.may_choose = Event(), Event()

    def choose(self, bot: str, state: State, side: str, *_more: object) -> Action:
        assert bot == "search:900"
        self.thinks.set()
        assert self.may_choose.wait(SECONDS_AT_MOST), "nobody could let it go: it has held up the whole server"
        return state.legal_actions(side)[0]


async def test_while_a_bot_searches_others_are_answered(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    thinker = Thinker()
    monkeypatch.setattr(session, "choose", thinker.choose)
    answers: list[Data] = []

    async def begin() -> None:
        answers.append(await asker.ask("new_game", scenario="border_fort", side="crimson", opponent="search:900"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(begin)
        assert await anyio.to_thread.run_sync(thinker.thinks.wait, SECONDS_AT_MOST)
        other = await asker.begin("border_fort")
        assert (await asker.submit(other, "end"))["ok"]
        assert not answers
        thinker.may_choose.set()
    assert answers[0]["snapshot"]["version"] > 0


@pytest.mark.parametrize("bot", ["search:5", "search:5ms"])
async def test_a_searching_opponent_plays_its_seat(asker: Asker, bot: str) -> None:
    answer = await asker.ask("new_game", scenario="duel_glade", side="p2", opponent=bot, seed=3)
    assert (answer["snapshot"]["version"], answer["snapshot"]["toAct"]) == (1, ["p2"])
    assert {seat["controller"] for seat in answer["snapshot"]["seats"]} == {"agent", f"bot:{bot}"}


@pytest.mark.parametrize("bot", ["search:1000000000", "search:1001ms"])
async def test_a_budget_above_the_cap_is_refused_with_what_would_be_right(asker: Asker, bot: str) -> None:
    """C65."""
    text = await asker.error("new_game", scenario="duel_glade", side="p2", opponent=bot)
    assert "1 to 1000 iterations" in text
    assert "1 to 1000 milliseconds" in text
    assert "greedy" in text


async def test_a_call_is_answered_though_bots_are_still_to_act_if_they_take_long(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the clock is 15 seconds later, so a call has time for two actions."""
    monkeypatch.setattr(session, "monotonic", map(float, count(0, 15)).__next__)
    answer = await asker.ask("new_game", setup=TWO_TROLLS_AND_THE_DEAD, side="p1", detail="brief")
    version = answer["snapshot"]["version"]
    assert 0 < version <= 2
    answer = await asker.ask("wait_for_turn", sessionId=answer["sessionId"], side="p1", timeoutSeconds=0)
    assert version < answer["version"] <= version + 2
