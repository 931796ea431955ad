"""Runs whose models give no answers: they end, say why, and can be gone on with."""

from __future__ import annotations

import sys

import pytest
from tests.experiments.runs import as_toml, experiment, model, read_report
from tests.experiments.scripted import Asked, BrokenModelError, Policy, Scripted, policy_of, scripted_server
from tests.server.commands import Said, Shell

from livingtable.game import Data

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from livingtable_server.experiments import watch as watching
from livingtable_server.experiments.watch import NoAnswerError, StoppedError, Watch


def answers_with(status: int) -> Policy:
    def policy(_asked: Asked) -> str:
        raise BrokenModelError(status)

    return policy


def play(shell: Shell, data: Data, *options: str) -> Said:
    shell.write("mine.toml", as_toml(data))
    return shell("experiment", "run", "mine.toml", "--out", "run", "--connections", "1", *options)


SEEDS = {"from": 1, "count": 8}


# Whole runs


def test_of_a_server_that_is_down_the_run_ends_in_plain_words(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 0)
    with scripted_server() as scripted:
        """Its port is closed again."""
    said = play(shell, experiment(scripted.url, seeds=SEEDS))
    assert said.code == 1
    assert "0 of 8 games are done; 1 crashed" in said.err
    assert f"1 of legal: no answer from {scripted.url} (connection refused)" in said.err
    assert "legal is asked no more" in said.err
    assert "living-table experiment report run" in said.err
    assert shell("experiment", "report", "run").code == 0
    (crash,) = read_report(shell.folder / "run")["crashes"]
    host = scripted.url.removeprefix("http://").partition("/")[0]
    assert crash["why"] == f"no answer from {host} (connection refused)"


def test_so_it_does_of_a_server_that_has_but_faults(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 0)
    with scripted_server(lambda _: answers_with(500)) as scripted:
        said = play(shell, experiment(scripted.url, seeds=SEEDS))
    assert said.code == 1
    assert "0 of 8 games are done; 1 crashed" in said.err
    assert f"1 of legal: {scripted.url} answers with error 500" in said.err


@pytest.mark.parametrize("way", ["chat", "tools"])
@pytest.mark.parametrize("status", [401, 403])
def test_after_the_first_wrong_key_nothing_more_is_asked(status: int, way: str, shell: Shell) -> None:
    with scripted_server(lambda _: answers_with(status)) as scripted:
        said = play(shell, experiment(scripted.url, seeds=SEEDS, factors={"way": way}))
    assert (said.code, len(scripted.asked)) == (1, 1)
    assert f"error {status}: is the key right?" in said.err
    assert "0 of 8 games are done; 1 crashed" in said.err


def test_where_the_first_games_crash_for_the_same_reason_the_rest_is_not_played(shell: Shell) -> None:
    with scripted_server(lambda _: answers_with(400)) as scripted:
        said = play(shell, experiment(scripted.url, seeds=SEEDS))
    assert (said.code, len(scripted.asked)) == (1, 3)
    (reason,) = [line for line in said.err.splitlines() if line.startswith("  3 of legal: ")]
    assert "the model is broken" in reason
    assert "legal with plain is asked no more: the first 3 games crashed" in said.err


def test_a_variant_that_crashes_leaves_the_others_their_games(shell: Shell) -> None:
    def policy(_model: str) -> Policy:
        return lambda asked: (answers_with(400) if "Be careful" in asked.text else policy_of("0-0"))(asked)

    with scripted_server(policy) as scripted:
        said = play(shell, experiment(scripted.url, seeds=SEEDS, factors={"prompt": ["cautious", "plain"]}))
    assert said.code == 1
    assert "8 of 16 games are done" in said.err
    assert "3 crashed" in said.err


def test_a_model_that_is_given_up_leaves_the_others_their_games_and_is_gone_on_with(shell: Shell) -> None:
    down = [True]

    def policy(name: str) -> Policy:
        return answers_with(401) if down and name == "1-0" else policy_of(name)

    with scripted_server(policy) as scripted:
        models = {"good": model(scripted.url, "0-0"), "locked": model(scripted.url, "1-0")}
        data = experiment(scripted.url, models=models)
        said = play(shell, data)
        assert said.code == 1
        assert "2 of 4 games are done" in said.err
        down.clear()
        again = play(shell, data)
    assert again.code == 0
    assert "4 of 4 games are done" in again.err


@pytest.mark.parametrize(("show", "told"), [("auto", True), ("nothing", False)])
def test_how_it_stands_is_said_meanwhile_also_into_a_pipe(
    show: str, told: bool, shell: Shell, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("livingtable_server.terminal.experiment.SECONDS_A_LINE", 0.001)
    said = play(shell, experiment(scripted.url), "--show", show)
    assert ("0 of 2 games done\n" in said.err) == told
    assert "2 of 2 games are done" in said.err


# Before anything is played


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_pictures_without_the_library_for_them_are_refused(
    options: tuple[str, ...], shell: Shell, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = play(shell, experiment(scripted.url, factors={"board": ["text", "picture"]}), *options)
    assert said.is_wrong_use("factors.board: a picture needs one more library: pip install 'living-table[render]'")
    assert scripted.asked == []
    assert not (shell.folder / "run").exists()


def without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NOBODY_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize("name", ["openai-api/nobody/x", "openai/x", "anthropic/x"])
def test_a_dry_run_needs_no_key(name: str, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    without_keys(monkeypatch)
    said = play(shell, experiment("", models={"m": {"model": name}}), "--dry-run")
    assert (said.code, said.err) == (0, "")
    assert "Nothing was asked." in said.out
    assert not (shell.folder / "run").exists()


@pytest.mark.parametrize(
    ("name", "word", "options"),
    [
        ("openai-api/nobody/x", "NOBODY_API_KEY", ()),
        ("openai/x", "OPENAI_API_KEY", ()),
        ("nobody/x", "nobody", ()),
        ("nobody/x", "nobody", ("--dry-run",)),
    ],
)
def test_a_model_that_cannot_be_had_is_all_that_is_said(
    name: str, word: str, options: tuple[str, ...], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_keys(monkeypatch)
    assert play(shell, experiment("", models={"m": {"model": name}}), *options).is_wrong_use("models.m: ", word)
    assert not (shell.folder / "run").exists()


# When a model is given up


class Clock:
    """Seconds that a test lets pass."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


WHERE = "http://127.0.0.1:8080/v1"
REFUSED = f"no answer from {WHERE} (connection refused)"


def fail(watch: Watch, *at: float, clock: Clock) -> None:
    for clock.now in at:
        watch.failed("m", WHERE, ConnectionRefusedError())


def test_a_model_that_never_answered_is_given_up_after_half_a_minute() -> None:
    clock = Clock()
    watch = Watch(games=24, clock=clock)
    fail(watch, 0, 4, 11, 29, clock=clock)
    watch.check("m", "plain")
    assert watch.line() == f"0 of 24 games done; {REFUSED}, trying again"
    with pytest.raises(NoAnswerError, match="connection refused"):
        fail(watch, 30, clock=clock)
    with pytest.raises(StoppedError):
        watch.check("m", "plain")
    watch.check("other", "plain")


def test_one_that_has_answered_is_given_more_time_from_its_next_failure_on() -> None:
    clock = Clock()
    watch = Watch(clock=clock)
    fail(watch, 0, 20, clock=clock)
    watch.answered("m")
    assert "trying again" not in watch.line()
    fail(watch, 100, 399, clock=clock)
    with pytest.raises(NoAnswerError):
        fail(watch, 400, clock=clock)


def test_a_provider_that_asks_for_patience_is_given_it() -> None:
    class TooManyError(Exception):
        status_code = 429

    clock = Clock()
    watch = Watch(clock=clock)
    for clock.now in (0, 60, 600):
        watch.failed("m", WHERE, TooManyError("slow down"))
    watch.check("m", "plain")
    assert "answers with error 429 (slow down), trying again" in watch.line()


def test_games_that_crash_after_one_was_finished_or_for_several_reasons_stop_nothing() -> None:
    watch = Watch()
    watch.finished("m", "plain")
    for _ in range(9):
        watch.crashed("m", "plain", ValueError("x"))
    for error in (ValueError("x"), KeyError("y")) * 4:
        watch.crashed("m", "cautious", error)
    watch.check("m", "plain")
    watch.check("m", "cautious")


def test_an_address_is_told_without_the_password_in_it() -> None:
    said = watching.in_words("http://me:secret@127.0.0.1:8080/v1?key=secret", ConnectionRefusedError())
    assert said == REFUSED
    assert watching.place_of("http://me:secret@127.0.0.1:8080/v1?key=secret") == "127.0.0.1:8080"
