"""Nobody is named as another's seat or as the server: what others read of them would be misleading."""

from __future__ import annotations

import pytest
from tests.server.asking import Asker
from tests.server.players import full_room, make_room, play_to_the_end
from tests.server.setups import FAR_APART, meadow

from livingtable.names import NOT_A_PLAYER, taken_for
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.rematch import rematch

pytestmark = pytest.mark.anyio

SIDES = ["p1", "p2", "t1", "ivory"]


@pytest.mark.parametrize(
    "name", ["p2", "P2", " p 2 ", "p\u200d2", "ｐ２", "p²", "[p2]", "p-2", "p2.", '"p2"', "p\u00a02", "\u24df\u2461"]
)
def test_a_name_is_taken_for_a_seat_whatever_its_case_width_blanks_and_signs(name: str) -> None:
    assert taken_for(name, "p1", SIDES) == "p2"
    assert taken_for(name, "p2", SIDES) is None, "it is the own one"


@pytest.mark.parametrize("name", ["р2", "Р2", "ρ2"], ids=["cyrillic", "cyrillic capital", "greek"])
def test_letters_of_other_alphabets_that_look_the_same_make_no_difference(name: str) -> None:
    assert taken_for(name, "p1", SIDES) == "p2"
    assert taken_for("ѕеrvеr", "p1", SIDES) == "server"


@pytest.mark.parametrize("name", ["Пётр", "Νίκος", "Ада"])
def test_names_in_other_alphabets_are_names(name: str) -> None:
    assert taken_for(name, "p1", SIDES) is None


@pytest.mark.parametrize("name", ["SERVER", "Server:", "ＳＥＲＶＥＲ", "s e r v e r", "(server)"])
def test_a_name_is_taken_for_the_server(name: str) -> None:
    assert taken_for(name, "p1", SIDES) == "server"


@pytest.mark.parametrize(
    "name", ["Ada", "p21", "P2 fan", "Ivory Tower", "serverless", "Bo", "p3", "🦊", "🦊🦊", "李", "", "Youssef", "p1"]
)
def test_other_names_are_not(name: str) -> None:
    assert taken_for(name, "p1", SIDES) is None


async def test_a_room_is_not_made_by_one_named_as_another_seat_or_the_server(asker: Asker) -> None:
    for name, taken in (("p2", "p2"), ("ｐ３", "p3"), ("Server", "server"), ("YOU", "you")):
        error = await asker.error("create_room", setup=FAR_APART, name=name)
        assert f'"name" must not be one that others would take for {taken}' in error
    assert (await make_room(asker, FAR_APART, name="p1")).side == "p1"


async def test_nobody_joins_a_room_under_such_a_name(asker: Asker) -> None:
    maker = await make_room(asker, "castle_siege", name="Ada")
    for name in ("ivory", "Ivory", " IVORY", *NOT_A_PLAYER):
        assert "others would take for" in await asker.error("join_room", roomCode=maker.code, name=name)
    state = await maker.state()
    assert [p["controller"] for p in state["players"]] == ["agent", "open"]
    assert (await asker.ask("join_room", roomCode=maker.code, name="Crimson"))["side"] == "crimson"


async def test_a_rematch_is_had_by_those_who_are_named_by_their_seats(asker: Asker, table: SessionManager) -> None:
    players = await full_room(asker, meadow("1_2", "___", rounds=1))
    await play_to_the_end(players)
    assert [(await rematch(table.rooms, p.code, p.secret))["side"] for p in players] == ["p1", "p2"]


async def test_a_set_up_does_not_name_one_seat_as_another(asker: Asker) -> None:
    cells = [character["position"] for character in FAR_APART["characters"]]
    for name in ("p2", "P2", "server"):
        characters = [{"position": cell, "name": name} if not n else {"position": cell} for n, cell in enumerate(cells)]
        error = await asker.error("new_game", setup={**FAR_APART, "characters": characters})
        assert f'"{name}", as p1 is named, would be taken for {name.lower()}; rename it' in error
