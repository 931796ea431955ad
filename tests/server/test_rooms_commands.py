"""`living-table rooms`: what whoever hosts a table sees of its rooms, and does in them."""

from __future__ import annotations

import json

import anyio
import pytest
from tests.server.commands import Shell
from tests.server.setups import meadow

from livingtable.game import Data
from livingtable_server.app import session_manager
from livingtable_server.sessions.errors import NotFoundError, SecretError
from livingtable_server.sessions.rooms import NewRoom
from livingtable_server.settings import Settings


@pytest.fixture
def url(shell: Shell) -> str:
    return f"sqlite:///{shell.folder / 'games.db'}"


@pytest.fixture
def room(url: str) -> Data:
    """A room of two seats, one of them Ada's, the other open."""

    async def made() -> Data:
        table = session_manager(Settings(url))
        answer = await table.rooms.create(NewRoom(setup=meadow("1_2", "___"), name="Ada"))
        await table.close()
        return answer

    return anyio.run(made)


def test_a_list_shows_who_sits_where(shell: Shell, room: Data) -> None:
    said = shell("rooms", "list")
    assert said.code == 0
    assert room["roomCode"] in said.out
    assert 'p1 "Ada" agent, p2 "p2" open' in said.out
    assert "waits for players" in said.out


def test_a_list_shows_no_secret(shell: Shell, room: Data) -> None:
    assert room["playerId"] not in shell("rooms", "list", "--all").out


def test_a_closed_room_is_listed_only_among_all(shell: Shell, room: Data) -> None:
    assert shell("rooms", "close", room["roomCode"].lower()).code == 0
    assert shell("rooms", "list").out == "There is no open room.\n"
    assert room["roomCode"] in shell("rooms", "list", "--all").out


def test_nobody_comes_into_a_closed_room(shell: Shell, room: Data, url: str) -> None:
    shell("rooms", "close", room["roomCode"])

    async def come() -> None:
        table = session_manager(Settings(url))
        with pytest.raises(NotFoundError, match="This room was closed"):
            await table.rooms.join(room["roomCode"])
        await table.close()

    anyio.run(come)


def test_the_record_of_a_closed_room_can_still_be_had(shell: Shell, room: Data, url: str) -> None:
    said = shell("rooms", "close", room["roomCode"])
    assert f"living-table export {room['roomCode']}" in said.out
    record = json.loads(shell("export", room["roomCode"], "--out", "-").out)
    assert record["game"] == "foxhunt"
    assert type(record["seed"]) is int, "whoever owns the store has it whole"

    async def asked() -> Data:
        table = session_manager(Settings(url))
        try:
            return await table.rooms.record(room["roomCode"], room["playerId"])
        finally:
            await table.close()

    for_players = anyio.run(asked)
    assert for_players["seats"] == record["seats"]
    assert (for_players["redacted"], for_players["seed"]) == (True, None)


def test_a_room_that_is_closed_already_is_said_to_be(shell: Shell, room: Data) -> None:
    shell("rooms", "close", room["roomCode"])
    assert shell("rooms", "close", room["roomCode"]).is_wrong_use("was closed")


def test_a_removed_player_has_no_seat_any_more_and_a_bot_plays_it(shell: Shell, room: Data, url: str) -> None:
    said = shell("rooms", "remove", room["roomCode"], "p1", "--bot", "random")
    assert (said.code, said.out.startswith('"Ada" is out of the room; random plays p1 now.')) == (0, True)
    assert "close the room" in said.out
    assert 'p1 "random" bot:random' in shell("rooms", "list").out

    async def come_back() -> None:
        table = session_manager(Settings(url))
        with pytest.raises(SecretError):
            await table.rooms.join(room["roomCode"], player_id=room["playerId"])
        await table.close()

    anyio.run(come_back)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("close", "AAAA-AAAA"), "no room of this code"),
        (("close", "../../x"), "no room of this code"),
        (("remove", "CODE", "p9"), 'no seat "p9"'),
        (("remove", "CODE", "p2"), "No player sits on p2"),
        (("remove", "CODE", "p1", "--bot", "x.py:Bot"), "no bot for foxhunt"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    shell: Shell, room: Data, arguments: tuple[str, ...], told: str
) -> None:
    said = shell("rooms", *(room["roomCode"] if part == "CODE" else part for part in arguments))
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert len(said.err.splitlines()) == 1


def test_where_there_is_no_store_none_is_made(shell: Shell) -> None:
    said = shell("rooms", "list")
    assert said.code == 2
    assert "There is no store" in said.err
    assert not (shell.folder / "games.db").exists()


# the record of a game without a result


def play_on(url: str, room: Data, *, begin: bool) -> None:
    """The other seat is taken by a bot, so that the game begins, and Ada chooses."""

    async def played() -> None:
        table = session_manager(Settings(url))
        code, player = room["roomCode"], room["playerId"]
        if begin:
            await table.rooms.seat_bot(code, player, "p2", "random")
            assert (await table.rooms.submit(code, player, "stay"))["ok"]
        await table.close()

    anyio.run(played)


@pytest.mark.parametrize("how", ["waiting", "running", "closed"])
def test_who_owns_the_store_exports_a_room_without_a_result_whole(shell: Shell, room: Data, url: str, how: str) -> None:
    play_on(url, room, begin=how == "running")
    if how == "closed":
        shell("rooms", "close", room["roomCode"])
    file, every = shell.folder / "one.json", shell.folder / "all.jsonl"
    assert shell("export", room["roomCode"], "--out", file).code == 0
    record = json.loads(file.read_text("ascii"))
    assert "redacted" not in record
    assert record["start"]["dice"] is not None
    assert record["seats"][1]["controller"] == ("bot:random" if how == "running" else "open")
    said = shell("verify", file)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"{file}: verified: ")
    assert shell("replay", file).code == 0
    assert shell("render", file, "-o", shell.folder / "one.svg").code == 0
    assert shell("store", "export", every).code == 0
    assert json.loads(every.read_text("ascii")) == record, "both exports give one record"


def test_prune_leaves_an_open_room_and_says_so(shell: Shell, room: Data) -> None:
    said = shell("store", "prune", "--older-than", "0d", "--yes")
    assert said.code == 0
    assert "and 1 that may be going on, which stay: --also-running takes them too" in said.out
    assert room["roomCode"] in shell("rooms", "list").out
    assert (
        shell("store", "prune", "--older-than", "0d", "--yes", "--also-running").out == "1 game (1 in rooms) removed.\n"
    )
    assert shell("rooms", "list").out == "There is no open room.\n"
