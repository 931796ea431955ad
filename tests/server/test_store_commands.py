"""`living-table store`: what its keeper sees, copies and removes."""

from __future__ import annotations

import json
import signal
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from tests.server.commands import Shell, at_terminal
from tests.server.stores import HEAD, begin, move, opened, run_sql

from livingtable.records import verify
from livingtable_server.app import session_manager
from livingtable_server.sessions.manager import NewGame
from livingtable_server.settings import Settings
from livingtable_server.store.backup import back_up
from livingtable_server.store.ledger import Ledger, StoreError

LONG_AGO = "2026-01-31T12:00:00.000000+00:00"


@pytest.fixture
def store(shell: Shell) -> str:
    """The address of a store with three sessions of two actions each, one of them in a room."""
    url = f"sqlite:///{shell.folder / 'games.db'}"
    anyio.run(fill, url)
    return url


async def fill(url: str) -> None:
    async with opened(url) as ledger:
        await begin(ledger, "one", 2)
        await begin(ledger, "other", 2)
        assert await ledger.create_room("FOX-1", "in-a-room", HEAD, {})
        for version in (1, 2):
            await ledger.append("in-a-room", move(version), None)


def make_old(url: str) -> None:
    run_sql(
        url,
        f"UPDATE sessions SET created = '{LONG_AGO}' WHERE session_id <> 'other'",
        f"UPDATE actions SET created = '{LONG_AGO}' WHERE session_id <> 'other'",
    )


def session_ids(url: str) -> list[str]:
    return [session for (session,) in run_sql(url, "SELECT session_id FROM sessions ORDER BY session_id")]


# info


def test_info_says_where_the_store_is_and_how_much_is_in_it(shell: Shell, store: str) -> None:
    said = shell("store", "info")
    assert said.code == 0
    address, *rest, size = said.out.splitlines()
    assert address == f"store     {store}"
    assert rest == [
        "schema    2",
        "sessions  3 (3 without a result)",
        "rooms     1 (1 open)",
        "actions   6",
    ]
    assert size.startswith("size      0.")


def test_info_of_postgresql_keeps_the_password_to_itself(shell: Shell, postgres_url: str) -> None:
    anyio.run(fill, postgres_url)
    said = shell("store", "info", "--store", postgres_url.replace("postgres:@", "postgres:hunter2@"))
    assert said.code == 0
    assert said.out.splitlines()[0].startswith("store     postgresql://postgres@/postgres?host=")
    assert "sessions  3 (3 without a result)" in said.out
    assert "hunter2" not in said.out + said.err


# backup


@pytest.mark.usefixtures("store")
def test_a_backup_is_a_store_like_the_first(shell: Shell) -> None:
    copy = shell.folder / "copies" / "games.db"
    copy.parent.mkdir()
    said = shell("store", "backup", copy)
    assert (said.code, said.out, said.err) == (0, f"{copy}\n", "")
    assert list(copy.parent.iterdir()) == [copy]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert session_ids(f"sqlite:///{copy}") == ["in-a-room", "one", "other"]
    assert shell("store", "info", "--store", f"sqlite:///{copy}").code == 0


def test_a_backup_holds_what_there_was_when_it_began_and_waits_for_nobody(shell: Shell, store: str) -> None:
    run_sql(store, *(f"INSERT INTO sessions VALUES ('{n}', '', '', '', '{'x' * 60_000}', NULL)" for n in range(300)))
    copy = shell.folder / "copy.db"
    seen: list[tuple[int, int]] = []

    def play_on(done: int, of: int) -> None:
        seen.append((done, of))
        run_sql(store, f"INSERT INTO sessions VALUES ('late {done}', '', '', '', '', NULL)")

    back_up(shell.folder / "games.db", copy, play_on)
    assert len(seen) > 3
    assert seen[-1][0] == seen[-1][1]
    assert len(session_ids(f"sqlite:///{copy}")) == 303
    assert len(session_ids(store)) > 303


def test_what_is_no_ledger_is_not_copied(shell: Shell) -> None:
    letter = shell.write("letter.txt", "Dear table, " * 100)
    with pytest.raises(StoreError, match=r"cannot be copied \(file is not a database\)"):
        back_up(letter, shell.folder / "copy.db", print)


def test_postgresql_is_backed_up_by_its_own_program(shell: Shell, postgres_url: str) -> None:
    said = shell("store", "backup", shell.folder / "copy", "--store", postgres_url)
    assert said.is_wrong_use("pg_dump", "store export")


# export


async def play_two_games(url: str) -> None:
    manager = session_manager(Settings(url))
    try:
        for seed in (1, 2):
            session = await manager.new_game(NewGame(scenario="crossroads", side="p1", seed=seed))
            await manager.submit(session.session_id, "pass")
    finally:
        await manager.close()


def test_an_export_has_the_records_of_all_games_and_they_verify(shell: Shell, url: str) -> None:
    anyio.run(play_two_games, url)
    file = shell.folder / "all.jsonl"
    said = shell("store", "export", file, "--store", url)
    assert (said.code, said.out, said.err) == (0, f"{file}: 2 records\n", "")
    records = [json.loads(line) for line in file.read_text("ascii").splitlines()]
    assert [record["seed"] for record in records] == [1, 2]
    assert all(verify(record).ok and record["actions"] for record in records)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert shell("verify", file).code == 0


def test_the_record_of_an_export_is_that_of_the_session(shell: Shell) -> None:
    url = f"sqlite:///{shell.folder / 'games.db'}"
    anyio.run(play_two_games, url)
    (session, *_) = session_ids(url)
    assert shell("store", "export", shell.folder / "all.jsonl").code == 0
    exported = [json.loads(line) for line in (shell.folder / "all.jsonl").read_text("ascii").splitlines()]
    assert json.loads(shell("export", session, "--out", "-").out) in exported


@pytest.mark.usefixtures("store")
def test_an_export_that_is_broken_off_leaves_no_file_and_says_so(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        await anyio.sleep_forever()

    before = set(shell.folder.iterdir())
    monkeypatch.setattr(Ledger, "load", interrupted)
    said = shell("store", "export", shell.folder / "all.jsonl")
    assert said.code == 130
    assert said.err == f'living-table: broken off: "{shell.folder / "all.jsonl"}" was not written\n'
    assert set(shell.folder.iterdir()) == before


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_file_that_is_there_is_left_alone(shell: Shell, store: str, command: str) -> None:
    assert shell("store", command, shell.folder / "games.db").is_wrong_use("games.db", "already")
    assert session_ids(store) == ["in-a-room", "one", "other"]


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_folder_that_is_not_there_is_named(shell: Shell, command: str) -> None:
    assert shell("store", command, "no/such/folder/file").is_wrong_use("no/such/folder", "No such file")


# prune


def test_a_dry_run_says_how_many_and_removes_nothing(shell: Shell, store: str) -> None:
    make_old(store)
    said = shell("store", "prune", "--older-than", "30d", "--dry-run")
    assert said.code == 0
    assert said.out.startswith("2 games (1 in rooms) without an action since 20")
    assert said.out.endswith(" UTC. Nothing was removed.\n")
    assert session_ids(store) == ["in-a-room", "one", "other"]


def test_with_yes_old_games_are_removed_unasked(shell: Shell, store: str) -> None:
    make_old(store)
    said = shell("store", "prune", "--older-than", "4w", "--yes")
    assert (said.code, said.out) == (0, "2 games (1 in rooms) removed.\n")
    assert session_ids(store) == ["other"]


@pytest.mark.usefixtures("store")
def test_where_nothing_is_old_nothing_is_asked(shell: Shell) -> None:
    said = shell("store", "prune", "--older-than", "1h")
    assert said.code == 0
    assert said.out.startswith("0 games without an action since ")


def test_without_yes_and_without_anybody_to_ask_nothing_is_removed(shell: Shell, store: str) -> None:
    make_old(store)
    assert shell("store", "prune", "--older-than", "30d").is_wrong_use("--yes", "--dry-run")
    assert session_ids(store) == ["in-a-room", "one", "other"]


@pytest.mark.parametrize(("answer", "left"), [("n", ["in-a-room", "one", "other"]), ("y", ["other"])])
def test_at_a_terminal_it_asks(store: str, answer: str, left: list[str]) -> None:
    make_old(store)
    with at_terminal("store", "prune", "--older-than", "30d", "--store", store) as terminal:
        terminal.until("for good? [y/n] (n): ")
        terminal.press(answer + "\n")
        assert terminal.end() == 0
        assert "removed." in terminal.rest()
    assert session_ids(store) == left


# wrong use


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("age", ["30", "d", "-1d", "1.5d", "30 days", "30D", "999999d", ""])
def test_an_age_is_a_number_and_a_unit(shell: Shell, age: str) -> None:
    assert shell("store", "prune", f"--older-than={age}").is_wrong_use("--older-than", "12h, 30d or 8w")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("store", ["store --help"]),
        ("store nonsense", ["nonsense"]),
        ("store info --store mysql://me:hunter2@host/db", ["--store", "postgresql://"]),
        ("store info --store sqlite://", ["memory", "--store"]),
        ("store info", ["no store", "games.db"]),
        ("store backup copy.db", ["no store"]),
        ("store export all.jsonl", ["no store"]),
        ("store prune --older-than 30d", ["no store"]),
        ("store prune", ["--older-than"]),
        ("store backup", ["FILE"]),
    ],
)
def test_wrong_use_is_one_line_and_makes_no_store(shell: Shell, line: str, words: list[str]) -> None:
    said = shell(*line.split())
    assert said.is_wrong_use(*words)
    assert "hunter2" not in said.err
    assert not (shell.folder / "games.db").exists()


def test_a_store_that_is_none_is_refused_by_its_name(shell: Shell) -> None:
    shell.write("games.db", "Dear table, " * 100)
    assert shell("store", "info").is_wrong_use("games.db", "file is not a database")


def test_info_of_another_programs_file_leaves_it_alone(shell: Shell) -> None:
    with closing(sqlite3.connect(shell.folder / "games.db")) as database, database:
        database.execute("CREATE TABLE bookmarks (url TEXT)")
    assert shell("store", "info").is_wrong_use("another program's database")
    assert [file for file in Path(shell.folder).iterdir() if file.suffix == ".db"] == [shell.folder / "games.db"]
