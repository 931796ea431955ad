"""Seeds of rooms: whoever chose one may have tried its dice, and so all in the room are told; a drawn one is secret."""

from __future__ import annotations

import pytest
from tests.server.asking import Asker
from tests.server.players import full_room, make_room, play_to_the_end, server_at
from tests.server.setups import meadow

from livingtable.records import verify
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.rematch import rematch

pytestmark = pytest.mark.anyio

HUNT = meadow("1_2", "___", rounds=1)
SEED = 4_711_471_147_114_711


@pytest.mark.parametrize("detail", ["full", "brief"])
async def test_a_seed_that_was_given_is_shown_to_all_from_the_beginning(asker: Asker, detail: str) -> None:
    maker = await make_room(asker, HUNT, seed=SEED)
    for given in (maker.key, {"roomCode": maker.code}):
        state, text = await asker.both("get_room_state", **given, detail=detail)
        assert (state["seed"], state["seedGiven"]) == (SEED, True)
        assert str(SEED) in text


async def test_the_brief_text_says_in_words_who_chose_the_seed(asker: Asker) -> None:
    maker = await make_room(asker, HUNT, seed=7)
    _, text = await asker.both("get_room_state", **maker.key)
    assert text.splitlines()[0].endswith("; the room's maker chose the seed 7")


async def test_the_record_shows_it_too_and_keeps_the_dice_until_the_end(asker: Asker) -> None:
    players = await full_room(asker, HUNT, seed=SEED)
    running = await players[1].record()
    assert (running["seed"], running["seedGiven"], running["start"]["dice"]) == (SEED, True, None)
    await play_to_the_end(players)
    over = await players[1].record()
    assert (over["seed"], over["seedGiven"], over["start"]["dice"]["seed"]) == (SEED, True, SEED)
    assert verify(over).ok


async def test_a_drawn_seed_is_withheld_and_nothing_is_said_of_its_being_given(asker: Asker) -> None:
    players = await full_room(asker, HUNT)
    told = await players[0].state(), await players[0].record()
    assert [answer["seed"] for answer in told] == [None, None]
    await play_to_the_end(players)
    told = *told, await players[0].state(), await players[0].record()
    assert all("seedGiven" not in answer for answer in told)


async def test_a_rematch_draws_its_seed(asker: Asker, table: SessionManager) -> None:
    players = await full_room(asker, HUNT, seed=SEED)
    await play_to_the_end(players)
    again = await rematch(table.rooms, players[0].code, players[0].secret)
    state = await asker.ask("get_room_state", roomCode=again["roomCode"])
    assert state["seed"] is None
    assert "seedGiven" not in state


async def test_a_given_seed_is_known_after_a_restart_and_in_other_processes(url: str) -> None:
    async with server_at(url) as (_, asker):
        players = await full_room(asker, HUNT, seed=SEED)
        async with server_at(url) as (_, other):
            state = await other.ask("get_room_state", roomCode=players[0].code)
            assert (state["seed"], state["seedGiven"]) == (SEED, True)
    async with server_at(url) as (_, asker):
        record = await players[0].at(asker).record()
        assert (record["seed"], record["seedGiven"], record["start"]["dice"]) == (SEED, True, None)
        await play_to_the_end([player.at(asker) for player in players])
        assert (await players[0].at(asker).record())["seedGiven"] is True


async def test_a_session_of_ones_own_has_no_such_mark(asker: Asker) -> None:
    begun = await asker.ask("new_game", setup=HUNT, seed=7)
    assert begun["snapshot"]["seed"] == 7
    assert "seedGiven" not in begun["snapshot"]
