"""Seeds: whole numbers from 0 to 2^53 - 1, drawn if not given, always told (C02, C07, C60)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.server.asking import Asker
from tests.server.setups import BESIDE_A_TROLL, FAR_APART
from tests.server.wire import Wire

from livingtable.game import Data
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.manager import SessionManager

pytestmark = pytest.mark.anyio

RANGE = "a whole number from 0 to 9007199254740991"
LARGEST = 2**53 - 1
UNDICED = {key: value for key, value in BESIDE_A_TROLL.items() if key != "dice"}


@pytest.mark.parametrize(
    "seed",
    [
        -1,
        2**53,
        1.5,
        True,
        False,
        "abc",
        "1.5",
        "-1",
        "9" * 5000,
        [],
        {"seed": 1},
        pytest.param(10**5000, id="5001 digits"),
    ],
)
async def test_what_is_no_seed_is_refused_with_the_range(asker: Asker, seed: object) -> None:
    """C60"""
    error = await asker.error("new_game", scenario="crossroads", seed=seed)
    assert f'"seed" must be {RANGE}' in error
    assert len(error) < 200
    assert (await asker.ask("list_sessions"))["sessions"] == []


@pytest.mark.parametrize("seed", [-1, 2**53, 1.5, True, "7", pytest.param(10**5000, id="5001 digits")])
async def test_the_manager_itself_refuses_them_in_the_same_words(table: SessionManager, seed: Any) -> None:
    """C60: whichever way a request comes in."""
    with pytest.raises(TableError, match=f'^"seed" must be {RANGE}, not .*\\.$'):
        await table.new_game(NewGame(scenario="crossroads", seed=seed))
    assert await table.list_sessions() == []


@pytest.mark.parametrize("seed", ["1e400", "-1e400", "NaN", "Infinity", "-1", str(2**53), "9" * 4000, "true", '"abc"'])
async def test_what_is_no_seed_is_refused_as_bytes_on_the_wire_too(wire: Wire, seed: str) -> None:
    """C60: what no client of ours could send."""
    answer = wire.request("tools/call", f'{{"name":"new_game","arguments":{{"scenario":"crossroads","seed":{seed}}}}}')
    result = answer["result"]
    assert result["isError"] is True
    assert f'"seed" must be {RANGE}' in result["content"][0]["text"]
    assert "structuredContent" not in result


@pytest.mark.parametrize(
    ("seed", "meant"), [(0, 0), (LARGEST, LARGEST), ("7", 7), (7.0, 7), (str(LARGEST), LARGEST), (1, 1)]
)
async def test_a_seed_is_returned_and_recorded(asker: Asker, seed: object, meant: int) -> None:
    """C60"""
    answer = await asker.ask("new_game", setup=FAR_APART, seed=seed)
    found = answer["snapshot"]["seed"]
    assert (found, type(found)) == (meant, int)
    assert (await asker.whole_record(answer["sessionId"]))["seed"] == meant
    assert (await asker.ask("verify_record", sessionId=answer["sessionId"]))["ok"] is True


async def test_a_thousand_digits_are_not_repeated(asker: Asker) -> None:
    """C60"""
    assert len(await asker.error("new_game", scenario="crossroads", seed="9" * 1000)) < 250


async def test_200_games_without_a_seed_have_200_seeds_each_returned_and_recorded(table: SessionManager) -> None:
    """C07"""
    random.seed(1)
    sessions = [await table.new_game(NewGame(setup=FAR_APART)) for _ in range(200)]
    snapshots: list[Data] = [table.snapshot(session, None, "full") for session in sessions]
    seeds = [snapshot["seed"] for snapshot in snapshots]
    assert len(set(seeds)) == 200
    assert all(0 <= seed <= LARGEST for seed in seeds)
    assert [(await table.record(session.session_id))["seed"] for session in sessions] == seeds
    assert len({session.session_id for session in sessions}) == 200


async def test_a_drawn_seed_gives_the_same_game_again(asker: Asker) -> None:
    first = (await asker.ask("new_game", scenario="wide_wilds"))["snapshot"]
    again = (await asker.ask("new_game", scenario="wide_wilds", seed=first["seed"]))["snapshot"]
    assert first["state"] == again["state"]


async def test_dice_of_two_sessions_do_not_mix(asker: Asker) -> None:
    """C02"""

    async def alone() -> list[Data]:
        session = await asker.begin(UNDICED, seed=11)
        await asker.submit(session, "attack t1")
        return (await asker.whole_record(session))["events"]

    expected = await alone()
    one, other = await asker.begin(UNDICED, seed=11), await asker.begin(UNDICED, seed=11)
    random.random()
    await asker.submit(one, "attack t1")
    random.random()
    await asker.submit(other, "attack t1")
    for session in (one, other):
        assert (await asker.whole_record(session))["events"] == expected


async def test_session_ids_hold_128_bits_and_are_plain_text(table: SessionManager) -> None:
    ids = {(await table.new_game(NewGame(setup=FAR_APART))).session_id for _ in range(50)}
    assert len(ids) == 50
    assert all(len(i) >= 22 and i.isascii() and i.isalnum() for i in ids)
