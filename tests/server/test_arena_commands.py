"""`living-table arena`: a tournament from its beginning to its report, as one who has written a bot goes through it."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress
from tests.arena.tournaments import OWN_AGENTS, write_scenario
from tests.server.commands import COMMAND, Said, Shell, at_terminal, spawned

from livingtable.arena import own_process, ratings
from livingtable.arena.results import Contest, contests
from livingtable.game import Data
from livingtable_server.terminal import arena, arena_plan, arena_progress, arena_results


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "RESAMPLES", 40)


class Cup:
    """A user's folder with a scenario and bots, in which tournaments are played."""

    def __init__(self, shell: Shell, folder: Path) -> None:
        self.shell, self.folder = shell, folder
        self.scenarios = write_scenario(folder / "own")
        (folder / "bots.py").write_text(OWN_AGENTS, "utf-8")

    def line(self, out: str, *more: str, agents: str = "greedy,random") -> list[str]:
        """To begin a tournament; `agents` may name functions of the file of bots by `own:`."""
        own = agents.replace("own:", f"{self.folder}/bots.py:")
        begin = ["arena", "run", "--scenario", "brief", "--agents", own, "--scenarios", str(self.scenarios)]
        return [*begin, "--out", str(self.folder / out), *more]

    def run(self, out: str, *more: str, agents: str = "greedy,random") -> Said:
        return self.shell(*self.line(out, "--workers", "1", *more, agents=agents))

    def go_on(self, out: str, *more: str) -> Said:
        """Without a word on what it is that is gone on with."""
        return self.shell("arena", "run", "--out", self.folder / out, "--resume", "--workers", "1", *more)

    def files(self, out: str) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in (self.folder / out).iterdir()}

    def rows(self, out: str) -> list[Data]:
        return [json.loads(line) for line in (self.folder / out / "games.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def cup(shell: Shell, tmp_path: Path) -> Cup:
    return Cup(shell, tmp_path)


# from the beginning to the report


def test_a_tournament_shows_its_table_and_how_the_games_ended(cup: Cup) -> None:
    said = cup.run("cup", "--games", "12", agents="greedy,random,own:first")
    assert (said.code, said.err.startswith("12 games to play")) == (0, True), said
    assert re.search(r"^entrant +Elo +low +high", said.out)
    assert [bool(re.search(rf"^{name} +\d+\.\d", said.out, re.MULTILINE)) for name in ("greedy", "random")] == [
        True,
        True,
    ]
    assert "bots.py:first" in said.out
    assert re.search(r"^12 games: \d+ (won|drawn)", said.out, re.MULTILINE)


def test_shown_again_it_is_the_same(cup: Cup) -> None:
    said = cup.run("cup", "--games", "4")
    assert cup.shell("arena", "show", cup.folder / "cup").out == said.out


def test_who_names_one_agent_is_told_that_it_plays_itself(cup: Cup) -> None:
    told = "One agent alone plays itself"
    assert told in cup.run("alone", agents="random").err
    assert told not in cup.run("both", agents="random,greedy").err


def test_the_report_is_written_where_it_says(cup: Cup) -> None:
    cup.run("cup", "--games", "4")
    said = cup.shell("arena", "report", cup.folder / "cup")
    files = [Path(line) for line in said.out.split()]
    assert [file.name for file in files] == ["report.html", "report.json", "report.csv", "report.md"]
    assert [row["entrant"] for row in csv.DictReader(files[2].read_text("utf-8").splitlines())]
    picture = next((cup.folder / "cup" / "replays").glob("*.svg")).read_text("utf-8")
    assert picture.startswith("<svg")


def test_a_game_can_be_stepped_through(cup: Cup) -> None:
    cup.run("cup", "--games", "4")
    said = cup.shell("arena", "replay", cup.folder / "cup", "2")
    assert said.out.startswith(f'botwars "brief", seed {cup.rows("cup")[1]["seed"]}')
    assert cup.shell("arena", "replay", cup.folder / "cup", "5").is_wrong_use("4 games", "no game 5")


def test_how_long_it_will_take_is_said_before_it_begins(cup: Cup) -> None:
    said = cup.run("cup", "--games", "10", agents="greedy,own:first")
    assert re.match(r"10 games to play, with 1 worker: about \d+ (s|min)\.\n", said.err), said.err


def test_at_a_terminal_it_shows_how_far_it_is_and_the_time_left(cup: Cup) -> None:
    with at_terminal(*cup.line("cup", "--games", "60", "--workers", "1"), size=(100, 30)) as terminal:
        assert re.search(r"\d+/60 games \d:\d\d:\d\d [-\d]", terminal.until("/60 games") + terminal.until("entrant"))
        assert terminal.end() == 0


def test_where_there_is_no_terminal_each_tenth_is_a_line(cup: Cup) -> None:
    lines = cup.run("cup", "--games", "20").err.splitlines()
    assert lines[1:] == [f"{done} of 20 games" for done in range(2, 21, 2)]
    assert cup.go_on("cup", "--games", "24").err.splitlines()[1:] == ["22 of 24 games", "24 of 24 games"]


def test_of_a_few_games_no_tenths_are_told(cup: Cup) -> None:
    assert len(cup.run("cup", "--games", "18").err.splitlines()) == 1


def test_the_time_left_is_reckoned_from_the_beginning_of_this_run_and_from_all_its_games() -> None:
    now = [0.0]
    with Progress(arena_progress.TimeLeft(), get_time=lambda: now[0], console=Console(file=StringIO())) as bar:
        told, column = arena_progress.Bar(bar), arena_progress.TimeLeft()

        def left(done: int) -> str:
            told(done, 200)
            return column.render(bar.tasks[0]).plain

        assert left(100) == "-:--:--"
        now[0] = 60.0
        assert [left(done) for done in (108, 109, 110)][-1] == "0:09:00"
        now[0] = 120.0
        assert left(120) == "0:08:00"
        assert left(200) == "0:00:00"


# the same, whatever


def test_the_same_command_writes_the_same_bytes_whatever_the_workers_and_the_hash_seed(cup: Cup) -> None:
    cup.run("one", "--games", "8")
    for out, workers, hash_seed in (("two", "2", "1"), ("three", "3", "77")):
        env = {"PYTHONHASHSEED": hash_seed}
        assert spawned(*cup.line(out, "--games", "8", "--workers", workers), env=env).code == 0
        assert cup.files(out) == cup.files("one")


INTERRUPTING = """
import os, signal, time
from pathlib import Path

HERE = Path(__file__).parent

def interrupting(view, legal):
    with (HERE / "calls").open("a") as calls:
        calls.write("x")
    if (HERE / "calls").stat().st_size > 15 and not (HERE / "done").exists():
        while not (HERE / "pid").exists():
            pass
        (HERE / "done").touch()
        os.kill(int((HERE / "pid").read_text()), int((HERE / "signal").read_text()))
    return legal[0]
"""
"""A bot that presses Ctrl-C, once, when it has been asked fifteen times."""


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("more", [[], ["--sprt", "0,1"]], ids=["", "sprt"])
@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"])
def test_interrupted_it_says_how_to_go_on_and_comes_to_the_same_bytes(
    cup: Cup, workers: str, more: list[str], how: signal.Signals, code: int
) -> None:
    bots = cup.folder / "bots.py"
    bots.write_text(INTERRUPTING, "utf-8")
    line = cup.line("cup", "--games", "16", *more, "--workers", workers, agents="random,own:interrupting")
    with subprocess.Popen([*COMMAND, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        (cup.folder / "signal").write_text(str(int(how)))
        (cup.folder / "pid").write_text(str(process.pid))
        out, err = process.communicate()
    assert (process.returncode, out) == (code, "")
    said = [line for line in err.splitlines() if not re.match(r"(at most )?\d+ games ", line)]
    assert said == [], "neither a traceback nor a warning"
    told = re.search(r"^(\d+) games are kept; to go on: living-table (.+)$", err, re.MULTILINE)
    assert told, err
    assert int(told[1]) < 16
    most = "at most " if more else ""
    assert f"{told[1]} of {most}16 games so far: " in cup.shell("arena", "show", cup.folder / "cup").out
    assert cup.shell(*told[2].split(), "--workers", "1").code == 0

    assert cup.run("at-once", "--games", "16", *more, agents="random,own:interrupting").code == 0
    assert cup.files("cup") == cup.files("at-once")


def test_who_is_added_to_a_finished_tournament_plays_on_all_its_seeds(cup: Cup) -> None:
    cup.run("cup", "--games", "6")
    said = cup.go_on("cup", "--agents", f"{cup.folder}/bots.py:first")
    assert (said.code, "18 games" in said.out, "bots.py:first" in said.out) == (0, True, True)
    cup.run("at-once", "--games", "18", agents="greedy,random,own:first")
    assert cup.files("cup") == cup.files("at-once")


def test_games_can_be_added(cup: Cup) -> None:
    cup.run("cup", "--games", "4")
    assert cup.go_on("cup", "--games", "8").code == 0
    cup.run("at-once", "--games", "8")
    assert cup.files("cup") == cup.files("at-once")


def test_a_bot_that_has_changed_since_is_not_mixed_with_what_it_was(cup: Cup) -> None:
    cup.run("cup", "--games", "4", agents="random,own:first")
    with (cup.folder / "bots.py").open("a", encoding="utf-8") as bots:
        bots.write("# better\n")
    assert cup.go_on("cup", "--games", "8").is_wrong_use("bots.py:first has changed", "another folder")


# bots that fail


def test_bots_that_fail_forfeit_each_with_its_reason_and_the_rest_goes_on(cup: Cup) -> None:
    agents = "random,own:never_answers,own:raises,own:illegal,own:prose"
    said = cup.run("cup", "--games", "20", "--seconds", "0.3", agents=agents)
    assert said.code == 0
    found = {(row["by"].rpartition(":")[2], row["why"]) for row in cup.rows("cup") if row["end"] == "forfeit"}
    assert found >= {("never_answers", "timeout"), ("raises", "crash"), ("illegal", "illegal"), ("prose", "unparsable")}
    assert len(found) == 4
    assert "20 games: 20 forfeit." in said.out
    assert re.search(
        r"forfeit by \S+bots.py:never_answers as p1 \(game \d+, seed \d+\): timeout: no answer within 0.3 s", said.out
    )
    assert "forfeits more, which stand in the report" in said.out


def test_where_a_process_that_plays_is_lost_it_says_what_is_kept_and_how_to_go_on(cup: Cup) -> None:
    (cup.folder / "bots.py").write_text(
        "import os, signal\ndef ending(view, legal):\n    os.kill(os.getppid(), signal.SIGKILL)\n", "utf-8"
    )
    said = cup.shell(*cup.line("cup", "--games", "6", "--workers", "2", agents="random,own:ending"))
    assert (said.code, said.out) == (2, "")
    assert re.search(r"ended from outside.* 0 games are kept; to go on: living-table arena run .* --resume$", said.err)


@pytest.mark.parametrize("address", ["127.0.0.2:9", "nowhere"])
def test_a_cluster_that_does_not_answer_is_named(cup: Cup, address: str) -> None:
    said = cup.run("cup", "--games", "4", "--ray", address)
    assert (said.code, said.out) == (2, "")
    assert f"Ray at {address} does not answer" in said.err
    assert "--ray local" in said.err
    assert not (cup.folder / "cup").exists()
    assert cup.run("cup", "--games", "4").code == 0


# sequential tests


def test_a_sequential_test_stops_as_soon_as_it_is_clear_and_says_so_again(cup: Cup) -> None:
    line = ["--sprt", "-400,-300"]
    said = cup.run("cup", *line, agents="greedy,random")
    assert "at most 20000 games to play" in said.err
    assert "greedy is stronger than random by -300 Elo rather than by -400" in said.out
    assert len(cup.rows("cup")) < 400
    before = cup.files("cup")
    again = cup.go_on("cup")
    assert (again.out, again.err) == (said.out, "")
    assert cup.files("cup") == before


def test_an_undecided_test_keeps_its_limit_until_more_is_allowed(cup: Cup) -> None:
    said = cup.run("cup", "--sprt", "0,1", "--games", "24", agents="random,own:first")
    assert "Undecided" in said.out
    assert len(cup.rows("cup")) == 24
    assert cup.go_on("cup").err == "at most 0 games to play, with 1 worker.\n"
    cup.go_on("cup", "--games", "30")
    assert len(cup.rows("cup")) == 30


# wrong use


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", ["scenario", "--scenario", "--game"]),
        ("--scenario crosroads --agents greedy", ['did you mean "crossroads"']),
        ("--game crossroads --agents greedy", ["crossroads", "botwars"]),
        ("--scenario crossroads", ["--agents"]),
        ("--scenario crossroads --agents greedi", ['did you mean "greedy"']),
        ("--scenario crossroads --agents no/bot.py:Bot", ["no/bot.py"]),
        ("--scenario crossroads --agents mcp+stdio:", ["mcp+stdio:COMMAND"]),
        ("--scenario crossroads --agents greedy --games 0", ["--games"]),
        ("--scenario crossroads --agents greedy --games many", ["--games"]),
        ("--scenario crossroads --agents greedy --seed -1", ["--seed"]),
        ("--scenario crossroads --agents greedy --seconds 0", ["--seconds"]),
        ("--scenario crossroads --agents greedy --workers 0", ["--workers"]),
        ("--scenario crossroads --agents greedy --resume", ["no tournament", "--resume"]),
        ("--scenario crossroads --agents greedy,random --sprt 30", ["--sprt", "0,30"]),
        ("--scenario crossroads --agents greedy,random --sprt 30,0", ["--sprt", "smaller"]),
        ("--scenario crossroads --agents greedy,random --sprt 0,nan", ["--sprt"]),
        ("--scenario crossroads --agents greedy --sprt 0,30", ["--sprt", "two agents"]),
        ("--scenario crossroads --scenario fox_yard --agents greedy,random --sprt 0,30", ["--sprt", "one scenario"]),
    ],
)
def test_what_cannot_be_played_is_said_in_words_and_leaves_nothing_behind(
    shell: Shell, tmp_path: Path, line: str, words: list[str]
) -> None:
    out = tmp_path / "cup"
    assert shell("arena", "run", "--out", out, *line.split()).is_wrong_use(*words)
    assert not out.exists()


@pytest.mark.parametrize("command", ["show", "report", "replay"])
def test_a_folder_without_a_tournament_is_named(shell: Shell, tmp_path: Path, command: str) -> None:
    number = ["1"] if command == "replay" else []
    assert shell("arena", command, tmp_path, *number).is_wrong_use(str(tmp_path), "no tournament", "arena run")


def test_a_folder_that_holds_a_tournament_is_not_played_into_unasked(cup: Cup) -> None:
    cup.run("cup", "--games", "4")
    assert cup.run("cup", "--games", "4").is_wrong_use("--resume", "another folder")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--seed", "5"], ["--seed 0", "--seed 5"]),
        (["--seconds", "9"], ["--seconds 5.0", "--seconds 9.0"]),
        (["--sprt", "0,30"], ["no --sprt", "--sprt 0,30"]),
    ],
)
def test_what_a_tournament_was_begun_with_stays(cup: Cup, line: list[str], words: list[str]) -> None:
    cup.run("cup", "--games", "4")
    assert cup.go_on("cup", *line).is_wrong_use(*words, "another folder")


def test_a_folder_that_cannot_be_written_is_named(cup: Cup) -> None:
    (cup.folder / "cup").write_text("a file", "utf-8")
    assert cup.run("cup", "--games", "4").is_wrong_use("cup", "cannot be written: it is a file", "needs a folder")


@pytest.mark.parametrize("more", [[], ["--resume"]], ids=["", "resume"])
def test_a_folder_whose_manifest_is_of_something_else_is_not_played_into(cup: Cup, more: list[str]) -> None:
    (cup.folder / "cup").mkdir()
    (cup.folder / "cup" / "manifest.json").write_text('{"name": "an extension"}', "utf-8")
    before = cup.files("cup")
    assert cup.run("cup", "--games", "4", *more).is_wrong_use("manifest.json", "not the manifest of a tournament")
    assert cup.files("cup") == before


def test_without_the_extra_it_says_which(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "find_spec", lambda name: None if name == "scipy" else object())  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert cup.run("cup").is_wrong_use("scipy", "pip install 'living-table[arena]'")


def test_without_ray_it_says_how_to_get_it(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "find_spec", lambda name: None if name == "ray" else object())  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert cup.run("cup", "--ray", "local").is_wrong_use("pip install 'living-table[ray]'")


def test_the_other_commands_do_not_wait_for_the_libraries_of_the_arena() -> None:
    program = (
        "import sys, livingtable_server.terminal.arena, livingtable_server.cli;"
        "print([name for name in ('numpy', 'scipy', 'zstandard', 'ray') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ})
    assert (done.stdout, done.stderr) == ("[]\n", "")


# results


def of_random(folder: Path, seeds: int) -> list[Contest]:
    return [c for c in contests(folder, seeds) if c.entrants == ("random",)]


def test_the_page_of_results_is_written_and_goes_on_from_what_was_played(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def two(folder: Path, seeds: int) -> list[Contest]:
        return [c for c in contests(folder, seeds) if c.scenario.name == "castle_siege"][:2]

    monkeypatch.setattr(arena_results, "contests", two)
    monkeypatch.setattr(arena_progress, "GAMES_FOR_TENTHS", 1)
    page = cup.folder / "RESULTS.md"
    line = ["arena", "results", "--out", cup.folder / "results", "--page", page, "--seeds", "2", "--workers", "1"]
    first = cup.shell(*line)
    assert "1 of 2: castle_siege-greedy, 2 games to play" in first.err
    assert len(first.err.splitlines()) == 3  # a line a tournament, none of its tenths, and the page
    written = page.read_text("utf-8")
    assert "## castle_siege" in written
    again = cup.shell(*line)
    assert "1 of 2: castle_siege-greedy, 0 games to play" in again.err
    assert page.read_text("utf-8") == written


def test_the_page_of_results_tells_of_all_in_the_folder_whichever_scenario_is_played(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_results, "contests", of_random)
    page = cup.folder / "RESULTS.md"
    for name in ("river_raid", "castle_siege"):
        line = ["arena", "results", "--out", cup.folder / "results", "--page", page, "--seeds", "1", "--workers", "1"]
        assert "1 of 1: " in cup.shell(*line, "--scenario", name).err
    titles = [line for line in page.read_text("utf-8").splitlines() if line.startswith("## ")]
    assert titles == ["## castle_siege", "## river_raid"]


def test_results_on_fewer_seeds_than_were_played_are_refused_in_words(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_results, "contests", of_random)
    line = ["arena", "results", "--out", cup.folder / "results", "--page", cup.folder / "PAGE.md", "--workers", "1"]
    line += ["--scenario", "castle_siege"]
    assert cup.shell(*line, "--seeds", "2").code == 0
    assert cup.shell(*line, "--seeds", "1").is_wrong_use("more is played than 1 seeds", "larger number")


def test_results_for_a_page_that_cannot_be_written_play_nothing(cup: Cup) -> None:
    page = cup.folder / "nowhere" / "PAGE.md"
    said = cup.shell("arena", "results", "--out", cup.folder / "results", "--page", page)
    assert said.is_wrong_use("--page", "in a folder that is there")
    assert not (cup.folder / "results").exists()


def test_results_of_a_scenario_that_there_is_not_name_the_nearest(cup: Cup) -> None:
    said = cup.shell("arena", "results", "--out", cup.folder / "results", "--scenario", "castle_seige")
    assert (said.code, 'did you mean "castle_siege"' in said.err) == (2, True)


# what is wrong with an agent is said before it is played


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class Mine:\n    def __init__(self, side)\n", "SyntaxError"),
        ("import nowhere_to_be_found\n", "nowhere_to_be_found"),
        ("Other = 1\n", '"Mine" is not in it (mine.py)'),
        ("Mine = 1\n", "neither a class nor a function"),
        ("class Mine:\n    def __init__(self, side, seed):\n        raise ValueError('no luck')\n", "no luck"),
    ],
)
def test_an_agent_that_does_not_start_is_not_played(cup: Cup, source: str, said: str) -> None:
    (cup.folder / "mine.py").write_text(source, "utf-8")
    answer = cup.run("first", agents=f"{cup.folder / 'mine.py'}:Mine,greedy")
    assert answer.is_wrong_use("mine.py:Mine", "does not start", said)
    assert not (cup.folder / "first").exists()


def test_an_agent_that_hangs_while_it_starts_is_not_played(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "START_SECONDS", 0.5)
    (cup.folder / "mine.py").write_text("import threading\nthreading.Event().wait()\n", "utf-8")
    assert cup.run("first", agents=f"{cup.folder / 'mine.py'}:Mine,greedy").is_wrong_use("does not start")


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("mcp+stdio:nothere", "No such file or directory: 'nothere'"),
        (f"mcp+stdio:{sys.executable} -c pass", "the process ended with exit code 0"),
        (f"mcp+stdio:{sys.executable} -c 'print(1)'", "the process ended with exit code 0"),
        (f"mcp+stdio:{sys.executable} -c 'import nothere'", "No module named 'nothere'"),
        ("http://127.0.0.2:9/choose", "nobody answers at 127.0.0.2:9"),
    ],
)
def test_a_remote_agent_that_is_not_there_is_not_played(cup: Cup, agent: str, said: str) -> None:
    assert cup.run("first", agents=f"{agent},greedy").is_wrong_use(agent, "does not start", said)
    assert not (cup.folder / "first").exists()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("http://127.0.0.1:9/choose,greedy", ["http://127.0.0.1:9/choose", "greedy"]),
        ("mcp+stdio:bot --of a,b,search:50", ["mcp+stdio:bot --of a,b", "search:50"]),
        ("greedy,http://127.0.0.1:9/a,b,my.py:Bot", ["greedy", "http://127.0.0.1:9/a,b", "my.py:Bot"]),
        ("random, greedy,", ["random", "greedy"]),
    ],
)
def test_a_command_or_address_goes_on_until_the_next_agent(text: str, names: list[str]) -> None:
    assert arena_plan.agents_of(text) == names


def test_a_damaged_line_of_a_tournament_is_named(cup: Cup) -> None:
    cup.run("first", "--games", "4")
    games = cup.folder / "first" / "games.jsonl"
    lines = games.read_bytes().splitlines(keepends=True)
    games.write_bytes(b"".join([*lines[:2], b"{not json\n", *lines[3:]]))
    assert cup.shell("arena", "show", cup.folder / "first").is_wrong_use("games.jsonl", "line 3", "damaged")


def test_a_record_that_is_gone_is_not_taken_for_a_game_that_never_was(cup: Cup) -> None:
    cup.run("first", "--games", "4")
    (cup.folder / "first" / "records.jsonl").unlink()
    assert cup.shell("arena", "replay", cup.folder / "first", "1").is_wrong_use("damaged or gone", "game 1")
    assert cup.go_on("first").is_wrong_use("records.jsonl", "is not there", "Put it back")


# fewer games than there are


def test_fewer_games_are_answered_and_nothing_more_is_played(cup: Cup) -> None:
    assert cup.run("cup", "--games", "8").code == 0
    before = cup.files("cup")
    said = cup.go_on("cup", "--games", "4")
    assert said.code == 0
    assert said.err == (
        "--games 4 is fewer than the 8 a scenario of this tournament, which stay: the 8 games played are kept, and "
        "nothing more is played.\n"
    )
    assert "greedy" in said.out
    assert cup.files("cup") == before


def test_fewer_games_with_another_agent_leave_the_number_as_it_is(cup: Cup) -> None:
    assert cup.run("cup", "--games", "8").code == 0
    said = cup.go_on("cup", "--games", "4", "--agents", f"{cup.folder}/bots.py:first")
    assert said.code == 0
    assert said.err.startswith("--games 4 is fewer than the 8 a scenario of this tournament, which stay.\n")
    assert len(cup.rows("cup")) > 8
