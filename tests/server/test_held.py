"""What killed processes leave behind is found and removed; what another process still uses is not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from livingtable_server.terminal.held import held, is_left_over, partial_file, shared_folder

HOLDING = """
import sys
from pathlib import Path
from livingtable_server.terminal import held

with getattr(held, sys.argv[1])(*map(Path, sys.argv[2:])) as place:
    print(place, flush=True)
    sys.stdin.read()
"""


@contextmanager
def process_with(what: str, *arguments: Path) -> Generator[tuple[subprocess.Popen[str], Path]]:
    """A process that has such a place, and where that is."""
    command = [sys.executable, "-c", HOLDING, what, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, Path(process.stdout.readline().rstrip("\n"))
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def _folders_are_made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_a_folder_is_gone_at_its_end() -> None:
    with shared_folder() as folder:
        (folder / "figures.db").touch()
    assert not folder.exists()


def test_a_folder_that_a_killed_process_left_is_removed_at_the_next_start() -> None:
    with process_with("shared_folder") as (process, left):
        (left / "figures.db").touch()
        process.kill()
        process.wait()
        assert left.is_dir()
        with shared_folder() as folder:
            assert folder != left
            assert not left.exists()


def test_a_folder_that_another_process_uses_is_let_be() -> None:
    with process_with("shared_folder") as (_, used), shared_folder() as folder:
        assert used.is_dir()
        assert not is_left_over(used)
        assert folder != used


def test_a_folder_that_one_of_several_still_holds_is_not_left_over() -> None:
    with shared_folder() as folder:
        with held(folder) as is_there:
            assert is_there
        assert not is_left_over(folder)


def test_other_folders_are_let_be(tmp_path: Path) -> None:
    (tmp_path / "living-table-of-somebody").mkdir()
    (tmp_path / "target").mkdir()
    (tmp_path / "living-table-workers-link").symlink_to(tmp_path / "target")
    with shared_folder():
        pass
    assert (tmp_path / "living-table-of-somebody").is_dir()
    assert (tmp_path / "target").is_dir()


def test_parts_of_a_file_that_killed_processes_left_are_removed_when_it_is_written_again(tmp_path: Path) -> None:
    target = tmp_path / "copy [1].db"
    with process_with("partial_file", target) as (process, left):
        left.with_name(f"{left.name}-journal").touch()
        process.kill()
        process.wait()
        assert left.exists()
        with partial_file(target) as partial:
            assert [file.name for file in tmp_path.iterdir()] == [partial.name]
            partial.replace(target)
    assert list(tmp_path.iterdir()) == [target]


def test_a_part_is_for_all_who_may_read_files_unless_it_is_to_be_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with partial_file(tmp_path / "record.json") as partial:
            assert partial.stat().st_mode & 0o777 == 0o644
        with partial_file(tmp_path / "copy.db", 0o600) as partial:
            assert partial.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_part_that_another_process_writes_and_files_of_other_names_are_let_be(tmp_path: Path) -> None:
    others = [tmp_path / ".copy.db.old", tmp_path / ".copy.db.12.34", tmp_path / ".other.db.1"]
    for other in others:
        other.touch()
    with process_with("partial_file", tmp_path / "copy.db") as (_, used):
        with partial_file(tmp_path / "copy.db"):
            pass
        assert used.exists()
    assert all(other.exists() for other in others)
