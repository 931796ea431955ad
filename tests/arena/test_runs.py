"""A tournament on disk: byte for byte the same, however it was played."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.arena.tournaments import brief, write_scenario

from livingtable.arena.plan import Plan, library
from livingtable.arena.run import Run
from livingtable.errors import RecordError
from livingtable.records import verify


def files(run: Run) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(run.folder.iterdir())}


def stop_after(games: int) -> Callable[[int, int], None]:
    """Interrupts as a user does, when so many are done."""

    def told(done: int, _of: int) -> None:
        if done == games:
            raise KeyboardInterrupt

    return told


def interrupted(run: Run, plan: Plan, games: int, workers: int = 1) -> Run:
    with pytest.raises(KeyboardInterrupt):
        run.go_on(plan, workers, stop_after(games))
    return run


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return brief(tmp_path / "own", games=10)


@pytest.fixture
def finished(tmp_path: Path, plan: Plan) -> dict[str, bytes]:
    run = Run(tmp_path / "at-once")
    assert run.go_on(plan) == 10
    return files(run)


def test_a_run_keeps_a_manifest_a_row_a_game_and_a_record_a_game(tmp_path: Path, plan: Plan) -> None:
    run = Run(tmp_path / "run")
    run.go_on(plan)
    assert sorted(files(run)) == ["games.jsonl", "manifest.json", "records.jsonl"]
    rows, records = list(run.rows()), list(run.records())
    assert [(row["scenario"], row["group"], tuple(row["seats"].values())) for row in rows] == [
        (fixture.scenario, fixture.group, fixture.seating) for fixture in plan.fixtures()
    ]
    assert [record["seed"] for record in records] == [row["seed"] for row in rows]
    assert all(verify(record).ok for record in records)
    assert run.plan() == plan


def test_two_workers_write_the_same_bytes_as_one(tmp_path: Path, plan: Plan, finished: dict[str, bytes]) -> None:
    run = Run(tmp_path / "two")
    run.go_on(plan, workers=2)
    assert files(run) == finished


@pytest.mark.parametrize("games", [0, 1, 7, 10])
def test_a_run_that_was_interrupted_goes_on_to_the_same_bytes(
    tmp_path: Path, plan: Plan, finished: dict[str, bytes], games: int
) -> None:
    run = interrupted(Run(tmp_path / "run"), plan, games)
    assert len(list(run.rows())) == len(list(run.records())) == games
    assert run.go_on(plan) == 10 - games
    assert files(run) == finished


def test_a_run_may_be_interrupted_again_and_again_with_other_workers(
    tmp_path: Path, plan: Plan, finished: dict[str, bytes]
) -> None:
    run = Run(tmp_path / "run")
    for games, workers in ((2, 1), (5, 2), (9, 1)):
        interrupted(run, plan, games, workers)
    run.go_on(plan)
    assert files(run) == finished


def test_a_game_that_was_half_written_is_played_again(tmp_path: Path, plan: Plan, finished: dict[str, bytes]) -> None:
    run = interrupted(Run(tmp_path / "run"), plan, 3)
    journal = run.folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    assert run.go_on(plan) == 8
    assert files(run) == finished


@pytest.mark.parametrize("moment", range(7))
def test_a_process_killed_while_it_makes_the_files_anew_loses_nothing(
    tmp_path: Path, plan: Plan, finished: dict[str, bytes], moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    run = Run(tmp_path / "run")
    run.go_on(replace(plan, games=4))
    interrupted(run, plan, 8)
    left = moment

    def dying(operation: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def replace_or_die(file: Path, target: Path) -> Path:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return operation(file, target)

        return replace_or_die

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", dying(Path.replace))
        with pytest.raises(Killed):
            run.go_on(plan)
    run.go_on(plan)
    assert files(run) == finished


@pytest.mark.slow
def test_a_process_that_is_killed_keeps_the_games_that_were_over(
    tmp_path: Path, plan: Plan, finished: dict[str, bytes]
) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from livingtable.arena.run import Run;"
        "from livingtable.arena.plan import Plan;"
        f"plan = Plan.from_data({plan.to_data()!r});"
        "Run(Path(sys.argv[1])).go_on(plan, 1, lambda done, of: done == 6 and os.kill(os.getpid(), signal.SIGKILL))"
    )
    run = Run(tmp_path / "run")
    assert subprocess.run([sys.executable, "-c", script, str(run.folder)]).returncode < 0
    assert run.go_on(plan) == 4
    assert files(run) == finished


# more of it


def test_games_can_be_added_to_a_finished_run(tmp_path: Path, plan: Plan, finished: dict[str, bytes]) -> None:
    run = Run(tmp_path / "run")
    run.go_on(replace(plan, games=6))
    assert run.go_on(run.plan().with_more((), (), 10)) == 4
    assert files(run) == finished


def test_an_entrant_who_is_added_plays_on_every_seed_and_the_rest_stays_as_it_was(tmp_path: Path, plan: Plan) -> None:
    run = Run(tmp_path / "run")
    run.go_on(plan)
    before = list(run.records())
    own = tmp_path / "own.py"
    own.write_text("def first(view, legal):\n    return legal[0]\n", "utf-8")
    grown = run.plan().with_more((), (f"{own}:first",), 0)
    interrupted(run, grown, 14)
    run.go_on(grown)
    assert [record for record in run.records() if record in before] == before
    assert {row["group"] for row in run.rows() if f"{own}:first" in row["seats"].values()} == {0, 1, 2, 3, 4}

    at_once = Run(tmp_path / "at-once")
    at_once.go_on(grown)
    assert files(run) == files(at_once)


def test_games_that_a_larger_field_would_not_play_are_kept(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "own", seats=3)
    plan = Plan(("brief",), ("random",), 3, 7, folders=(str(folder),))
    run = Run(tmp_path / "run")
    run.go_on(plan)
    kept = list(run.records())
    run.go_on(plan.with_more((), ("greedy",), 0))
    assert [record for record in run.records() if record in kept] == kept
    assert len(list(run.rows())) == 3 + 3 * 2
    assert run.go_on(run.plan()) == 0


def test_a_scenario_can_be_added(tmp_path: Path, plan: Plan) -> None:
    run = Run(tmp_path / "run")
    run.go_on(plan)
    write_scenario(tmp_path / "own", "other", seats=3)
    library.cache_clear()  # The scenarios of a folder are read once a process.
    assert run.go_on(run.plan().with_more(("other",), (), 0)) == 10
    assert [row["scenario"] for row in run.rows()] == ["brief"] * 10 + ["other"] * 10


def test_another_tournament_is_not_mixed_into_a_run(tmp_path: Path, plan: Plan) -> None:
    run = Run(tmp_path / "run")
    run.go_on(plan)
    before = files(run)
    for other in (replace(plan, seed=8), replace(plan, games=4), replace(plan, entrants=("greedy", "random"))):
        with pytest.raises(RecordError, match="another tournament"):
            run.go_on(other)
    assert files(run) == before


def test_another_engine_does_not_go_on_with_a_run(tmp_path: Path, plan: Plan) -> None:
    run = interrupted(Run(tmp_path / "run"), plan, 1)
    manifest = run.folder / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text("utf-8")), "engine": "0.0.1"}), "utf-8")
    with pytest.raises(RecordError, match=r"begun by living-table 0\.0\.1"):
        run.go_on(plan)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "living-table-arena/1"}', '{"format": "other/1"}'])
def test_a_folder_that_holds_no_run_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(RecordError):
        Run(tmp_path).plan()


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"manifest_version": 3}'])
def test_a_manifest_of_something_else_is_called_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(RecordError, match=r'manifest\.json" is not the manifest of a tournament: name another folder'):
        Run(tmp_path).plan()


Damage = Callable[[bytes], bytes | None]


def gone(_: bytes) -> None: ...


def without_the_last_line(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def with_a_line_twice(data: bytes) -> bytes:
    return data + data.splitlines(keepends=True)[-1]


def with_its_last_bytes_lost(data: bytes) -> bytes:
    return data[:-20]


@pytest.mark.parametrize(
    ("file", "damage", "words"),
    [
        ("games.jsonl", gone, 'games.jsonl" is not there, but there are 10 records'),
        ("games.jsonl", without_the_last_line, 'games.jsonl" has 9 games, but there are 10 records'),
        ("games.jsonl", with_its_last_bytes_lost, 'games.jsonl" has 9 games, but there are 10 records'),
        ("games.jsonl", with_a_line_twice, 'records.jsonl" has 10 records, but there are 11 games'),
        ("records.jsonl", gone, 'records.jsonl" is not there, but there are 10 games'),
        ("records.jsonl", without_the_last_line, 'records.jsonl" has 9 records, but there are 10 games'),
    ],
)
@pytest.mark.parametrize("more", [0, 4], ids=["finished", "with more to play"])
def test_games_and_records_that_do_not_match_are_not_gone_on_with(
    tmp_path: Path, plan: Plan, file: str, damage: Damage, words: str, more: int
) -> None:
    run = Run(tmp_path / "run")
    run.go_on(plan)
    left = damage((run.folder / file).read_bytes())
    (run.folder / file).unlink()
    if left is not None:
        (run.folder / file).write_bytes(left)
    before = files(run)
    with pytest.raises(RecordError) as raised:
        run.go_on(replace(plan, games=10 + more))
    assert f"{words}: it was damaged. Put it back" in str(raised.value)
    assert files(run) == before


def test_compressed_records_that_were_damaged_are_named(tmp_path: Path, plan: Plan) -> None:
    run = Run(tmp_path / "run")
    small = replace(plan, compressed=True)
    run.go_on(small)
    packed = run.folder / "records.jsonl.zst"
    packed.write_bytes(b"no zst" + packed.read_bytes())
    before = files(run)
    with pytest.raises(RecordError, match=r'records\.jsonl\.zst": .*so the file was damaged. Put it back'):
        run.go_on(small)
    assert files(run) == before


def test_records_may_be_kept_compressed(tmp_path: Path, plan: Plan, finished: dict[str, bytes]) -> None:
    run = Run(tmp_path / "run")
    small = replace(plan, compressed=True)
    interrupted(run, small, 4)
    run.go_on(small, workers=2)
    assert sorted(files(run)) == ["games.jsonl", "manifest.json", "records.jsonl.zst"]
    assert len(files(run)["records.jsonl.zst"]) < len(finished["records.jsonl"]) / 3
    assert [json.dumps(record) for record in run.records()] == [
        json.dumps(json.loads(line)) for line in finished["records.jsonl"].splitlines()
    ]


def test_who_is_told_hears_how_many_are_done(tmp_path: Path, plan: Plan) -> None:
    heard: list[tuple[int, int]] = []
    Run(tmp_path / "run").go_on(plan, told=lambda done, of: heard.append((done, of)))
    assert heard == [(done, 10) for done in range(11)]


@pytest.mark.slow
def test_the_memory_of_a_run_does_not_grow_with_its_games(tmp_path: Path) -> None:
    def peak(games: int) -> int:
        run = Run(tmp_path / str(games))
        plan = brief(tmp_path / "own", "random", games=games)
        tracemalloc.start()
        run.go_on(plan)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    peak(400)  # what is imported and cached once
    # A row has a thousand bytes, a record ten times as many; the rules keep some answers of theirs.
    assert peak(600) - peak(20) < 580 * 200
