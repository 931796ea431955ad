"""Whole experiments on loopback, by the command line: the report finds what the scripted models do."""

from __future__ import annotations

import csv
import os
import re
import signal
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from threading import Event

import pytest
from tests.experiments.runs import as_toml, comparison, experiment, group, model, read_report
from tests.experiments.scripted import (
    CUT,
    Asked,
    BrokenModelError,
    Policy,
    Scripted,
    any_legal,
    idle,
    policy_of,
    scripted_server,
    with_faults,
)
from tests.server.commands import COMMAND, Shell

from livingtable.game import Data
from livingtable.records import read_record, state_at, verify

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")


def run(shell: Shell, data: Data, *options: str) -> Data:
    """Plays an experiment into the folder `run`, writes its report and reads it."""
    shell.write("mine.toml", as_toml(data))
    played = shell("experiment", "run", "mine.toml", "--out", "run", *options)
    assert played.code == 0, played
    written = shell("experiment", "report", "run")
    assert written.code == 0, written
    return read_report(shell.folder / "run")


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# What the report finds


@pytest.mark.slow
def test_the_report_finds_the_rates_of_illegal_and_malformed_answers(shell: Shell, scripted: Scripted) -> None:
    data = experiment(scripted.url, seeds={"from": 1, "count": 25}, seats=["p1", "p2"], max_decisions=12, retries=20)
    report = run(shell, data | {"models": {"wild": model(scripted.url, "20-10")}})
    found = group(report, "wild", "plain")["measures"]
    assert found["illegal"]["low"] <= 0.20 <= found["illegal"]["high"]
    assert found["unparsable"]["low"] <= 0.10 <= found["unparsable"]["high"]
    assert found["illegal"]["high"] - found["illegal"]["low"] < 0.1
    refused = [row["kind"] for row in report["refused"]]
    assert len(scripted.asked) == sum(int(row["answers"]) for row in rows_of(shell.folder / "run" / "games.csv"))
    assert found["illegal"]["mean"] == pytest.approx(refused.count("illegal") / len(scripted.asked))


def careful_is_better(model: str) -> Policy:
    """Answers wrongly in one of four, unless it is asked to be careful."""
    hasty = with_faults(0.25, 0.0, any_legal)
    careful = with_faults(0.0, 0.0, any_legal)
    assert model
    return lambda asked: (careful if "Be careful" in asked.text else hasty)(asked)


@pytest.mark.slow
def test_the_report_finds_the_better_prompt_and_nothing_between_a_prompt_and_its_twin(shell: Shell) -> None:
    with scripted_server(careful_is_better) as scripted:
        data = experiment(
            scripted.url,
            seeds={"from": 1, "count": 12},
            factors={"prompt": ["plain", "cautious"]},
            null=True,
            max_decisions=10,
            measure="illegal",
            difference=0.15,
        )
        report = run(shell, data)
    found = comparison(report, "prompt")
    assert (found["a"], found["b"], found["pairs"]) == ("plain", "cautious", 12)
    assert found["high"] < 0
    assert found["pHolm"] < 0.05
    assert 2 <= found["games"] <= 12
    twin = comparison(report, "null")
    assert (twin["difference"], twin["p"], twin["pHolm"]) == (0, 1, None)


@pytest.mark.slow
def test_the_report_finds_the_better_model(shell: Shell) -> None:
    """A troll that stays where it is and beats who comes scores more than one that soon forfeits by illegal answers."""

    def policy(model: str) -> Policy:
        return with_faults(0.4, 0.0, any_legal) if model == "worse" else with_faults(0.0, 0.0, idle)

    with scripted_server(policy) as scripted:
        models = {name: model(scripted.url, name) for name in ("worse", "better")}
        games: Data = {"scenarios": ["crossroads"], "seats": ["t1"], "seeds": {"from": 1, "count": 12}}
        report = run(shell, experiment(scripted.url, **games, models=models, retries=0, max_decisions=15))
    found = comparison(report, "model")
    assert (found["a"], found["b"]) == ("worse", "better")
    assert found["low"] > 0
    assert found["pHolm"] < 0.05
    assert "better does better than worse" in (shell.folder / "run" / "report.html").read_text("utf-8")


# What is kept


def test_every_decision_is_kept_with_the_version_at_which_the_record_shows_its_position(
    shell: Shell, scripted: Scripted
) -> None:
    run(shell, experiment(scripted.url, models={"wild": model(scripted.url, "30-0")}, retries=5))
    folder = shell.folder / "run"
    decisions = [row for row in rows_of(folder / "decisions.csv") if row["kind"] == "accepted"]
    assert len(decisions) == 8
    for row in decisions:
        record = read_record((folder / row["record"]).read_text("utf-8"))
        legal = [action.notation for action in state_at(record, int(row["version"])).legal_actions(row["side"])]
        assert row["notation"] in legal
    assert {verify(read_record(file.read_text("utf-8"))).ok for file in (folder / "records").iterdir()} == {True}


def test_the_page_links_to_the_position_of_every_refused_answer(shell: Shell, scripted: Scripted) -> None:
    report = run(shell, experiment(scripted.url, models={"wild": model(scripted.url, "40-10")}, retries=5))
    page = (shell.folder / "run" / "report.html").read_text("utf-8")
    links = set(re.findall(r'href="(boards/[^"]+)"', page))
    assert len(links) == len({(row["record"], row["version"]) for row in report["refused"]}) > 0
    for link in links:
        assert (shell.folder / "run" / link).read_text("utf-8").startswith("<svg")


def test_tokens_and_cost_are_those_of_the_provider_at_the_price_of_the_file(shell: Shell, scripted: Scripted) -> None:
    report = run(shell, experiment(scripted.url))
    read = sum(len(asked.text) // 4 for asked in scripted.asked)
    (row, other) = rows_of(shell.folder / "run" / "games.csv")
    assert int(row["tokensIn"]) + int(other["tokensIn"]) == read
    cost = float(row["cost"]) + float(other["cost"])
    assert cost == pytest.approx((read * 1.0 + len(scripted.asked) * 12 * 2.0) / 1e6)
    assert report["groups"][0]["measures"]["cost"]["mean"] == pytest.approx(cost / 2)


def test_a_models_text_is_no_markup_on_the_page_and_no_formula_in_a_table(shell: Shell) -> None:
    said = "=<script>alert(1)</script>"
    with scripted_server(lambda _: lambda _: said) as scripted:
        run(shell, experiment(scripted.url, retries=0))
    assert "<script" not in (shell.folder / "run" / "report.html").read_text("utf-8")
    assert {row["said"] for row in rows_of(shell.folder / "run" / "decisions.csv")} == {f"'{said}"}


def test_the_page_needs_nothing_from_elsewhere(shell: Shell, scripted: Scripted) -> None:
    run(shell, experiment(scripted.url))
    page = (shell.folder / "run" / "report.html").read_text("utf-8")
    assert not re.search(r"""(src|href)=["'](?!records/|boards/)|url\(|@import|https?://(?!127\.0\.0\.1)""", page)


def test_a_picture_of_the_board_reaches_the_model(shell: Shell, scripted: Scripted) -> None:
    run(shell, experiment(scripted.url, seeds=[1], factors={"board": "picture"}))
    for asked in scripted.asked:
        parts = asked.messages[-1]["content"]
        assert [part["type"] for part in parts] == ["image_url", "text"]
        assert parts[0]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


# Models against each other


def test_each_seat_that_is_measured_is_the_models_own_whoever_has_it_in_the_others_games(
    shell: Shell, scripted: Scripted
) -> None:
    models = {name: model(scripted.url, rates) for name, rates in (("good", "0-0"), ("bad", "100-0"))}
    games: Data = {"game": "skirmish", "scenarios": ["river_raid"], "seats": ["ivory", "crimson"], "retries": 0}
    against = {"ivory": "good", "crimson": "good"}
    run(shell, experiment(scripted.url, **games, models=models, against=against, seeds=[1], max_decisions=25))
    rows = rows_of(shell.folder / "run" / "games.csv")
    ends = {(row["model"], row["seat"]): (row["end"], row["by"]) for row in rows}
    assert ends == {
        ("good", "ivory"): ("truncated", ""),
        ("good", "crimson"): ("truncated", ""),
        ("bad", "ivory"): ("forfeit", "ivory"),
        ("bad", "crimson"): ("forfeit", "crimson"),
    }


# Time


def test_who_lets_the_time_of_a_game_run_out_has_forfeited_it(shell: Shell) -> None:
    over = Event()

    def policy(_model: str) -> Policy:
        def wait(_asked: Asked) -> str:
            over.wait(60)
            return ""

        return wait

    with scripted_server(policy) as scripted:
        report = run(shell, experiment(scripted.url, seeds=[1], seconds_a_game=1))
        over.set()
    assert report["ends"] == {"forfeit: timeout": 1}


# Crashes (C75)


def some_crash(_model: str) -> Policy:
    def policy(asked: Asked) -> str:
        if "as p3" in asked.text:
            raise BrokenModelError
        return policy_of("0-0")(asked)

    return policy


def test_crashed_games_are_listed_and_rates_stand_over_those_that_ended_and_over_all(shell: Shell) -> None:
    with scripted_server(some_crash) as scripted:
        data = experiment(scripted.url, seats=["p1", "p3"], max_decisions=2)
        shell.write("mine.toml", as_toml(data))
        played = shell("experiment", "run", "mine.toml", "--out", "run")
    assert "2 of 4 games are done" in played.err
    assert "2 crashed" in played.err
    assert shell("experiment", "report", "run").code == 0
    report = read_report(shell.folder / "run")
    found = group(report, "legal", "plain")
    assert (found["games"], found["crashed"], report["ends"]["crash"]) == (4, 2, 2)
    assert [row["seat"] for row in report["crashes"]] == ["p3", "p3"]
    assert all("the model is broken" in row["why"] for row in report["crashes"])
    assert found["winRateOfAll"] == found["wins"] / 4
    assert found["winRate"] == found["wins"] / 2


# Going on


def test_a_run_is_gone_on_with_and_what_is_done_is_not_asked_again(shell: Shell, scripted: Scripted) -> None:
    data = experiment(scripted.url)
    first = run(shell, data)
    asked = len(scripted.asked)
    assert run(shell, data) == first
    assert len(scripted.asked) == asked
    more = run(shell, data | {"seeds": [1, 2, 3]})
    assert more["games"] == 3
    assert len(scripted.asked) == asked * 3 // 2


def test_a_run_is_not_gone_on_with_as_another_experiment(shell: Shell, scripted: Scripted) -> None:
    run(shell, experiment(scripted.url))
    shell.write("mine.toml", as_toml(experiment(scripted.url, retries=7)))
    assert shell("experiment", "run", "mine.toml", "--out", "run").is_wrong_use("retries", "with 2", "says 7", "folder")


def test_a_changed_prompt_is_named_with_the_digests_of_both_texts(shell: Shell, scripted: Scripted) -> None:
    (shell.folder / "own" / "botwars").mkdir(parents=True)
    file = shell.write("own/botwars/variants/short.jinja", "Answer with ACTION: and an action.")
    data = experiment(scripted.url, factors={"prompt": ["short"]})
    run(shell, data, "--prompts", "own")
    file.write_text("Answer with ACTION: and a legal action.", "utf-8")
    said = shell("experiment", "run", "mine.toml", "--out", "run", "--prompts", "own")
    was, now = (
        sha256(f"Answer with ACTION: and {what}.".encode()).hexdigest()[:12] for what in ("an action", "a legal action")
    )
    assert said.is_wrong_use(
        "prompt short (first_alliance, p1)", f"begun with its text (SHA-256 {was}), and this says (SHA-256 {now})"
    )


@pytest.mark.parametrize("way", ["chat", "tools"])
def test_answers_cut_at_the_limit_of_tokens_have_a_column_of_their_own(shell: Shell, way: str) -> None:
    with scripted_server(lambda _: lambda _asked: CUT) as scripted:
        report = run(shell, experiment(scripted.url, factors={"way": way}, retries=1))
    found = group(report, "legal", "plain")
    assert (found["measures"]["cut"]["mean"], found["measures"]["unparsable"]["mean"]) == (1.0, 0.0)
    assert report["ends"] == {"forfeit: cut": 2}
    assert {row["cut"] for row in rows_of(shell.folder / "run" / "games.csv")} == {"2"}
    assert "cut at the limit of tokens" in (shell.folder / "run" / "report.html").read_text("utf-8")


def test_a_log_that_is_broken_off_is_told_by_name(shell: Shell, scripted: Scripted) -> None:
    run(shell, experiment(scripted.url))
    (log,) = (shell.folder / "run" / "logs").glob("*.eval")
    log.write_bytes(log.read_bytes()[:-2000])
    for command in (("run", "mine.toml", "--out", "run"), ("report", "run")):
        said = shell("experiment", *command)
        assert said.code == 2
        assert f"{log.name}: is no whole log" in said.err
        assert "Traceback" not in said.err


def test_the_cost_limit_is_kept_and_with_a_higher_one_it_goes_on(shell: Shell, scripted: Scripted) -> None:
    shell.write("mine.toml", as_toml(experiment(scripted.url, seeds=[1, 2, 3, 4])))
    command = ("experiment", "run", "mine.toml", "--out", "run", "--connections", "1", "--max-cost")
    said = shell(*command, "0.004")
    assert "The cost limit is reached" in said.err
    spent = float(re.findall(r"\$([\d.]+) spent", said.err)[-1])
    assert 0.004 <= spent < 0.005
    assert "4 of 4 games are done" in shell(*command, "1").err


def test_the_cost_limit_stops_a_game_over_the_tools_too(shell: Shell, scripted: Scripted) -> None:
    shell.write("mine.toml", as_toml(experiment(scripted.url, factors={"way": "tools"})))
    said = shell("experiment", "run", "mine.toml", "--out", "run", "--max-cost", "0.001")
    assert "0 of 2 games are done" in said.err
    assert "crashed" not in said.err
    assert "The cost limit is reached" in said.err


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_keeps_what_was_done(how: signal.Signals, shell: Shell, scripted: Scripted) -> None:
    shell.write("mine.toml", as_toml(experiment(scripted.url, seeds={"from": 1, "count": 200})))
    command = [*COMMAND, "experiment", "run", "mine.toml", "--out", "run", "--connections", "2"]
    process = subprocess.Popen(command, cwd=shell.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 180
    while len(scripted.asked) < 60 and time.monotonic() < deadline:
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(how, -how)
    assert ("to go on: living-table experiment run" in err) == (how != signal.SIGKILL)
    assert "Traceback" not in err
    shell("experiment", "report", "run")
    ended = read_report(shell.folder / "run")["groups"][0]["measures"]["score"]["games"]
    assert 5 <= ended < 200


# Before anything is played


def test_a_dry_run_says_what_it_will_take_and_asks_nothing(shell: Shell, scripted: Scripted) -> None:
    shell.write("mine.toml", as_toml(experiment(scripted.url, seats=["p1", "p2"])))
    said = shell("experiment", "run", "mine.toml", "--out", "run", "--dry-run")
    assert said.code == 0
    assert re.search(r"legal\s+4\s+16\s+\d+\s+2400\s+0\.0\d", said.out), said.out
    assert scripted.asked == []
    assert not (shell.folder / "run").exists()


@pytest.mark.slow
def test_the_estimate_is_near_to_what_it_then_takes(shell: Shell, scripted: Scripted) -> None:
    terse = {"legal": {**model(scripted.url, "0-0"), "expected_output": 4}}
    data = experiment(scripted.url, factors={"history": [0, 3]}, models=terse)
    shell.write("mine.toml", as_toml(data))
    said = shell("experiment", "run", "mine.toml", "--dry-run").out
    read = int(re.findall(r"legal\s+\d+\s+\d+\s+(\d+)", said)[0])
    run(shell, data)
    assert read == pytest.approx(sum(len(asked.text) / 4 for asked in scripted.asked), rel=0.1)


def test_ones_own_prompts_stand_before_the_shipped_ones(shell: Shell, scripted: Scripted) -> None:
    file = shell.folder / "own" / "botwars" / "variants" / "plain.jinja"
    file.parent.mkdir(parents=True)
    file.write_text('My own words.\n{% include "parts/answer.jinja" %}', "utf-8")
    run(shell, experiment(scripted.url), "--prompts", "own")
    assert {asked.text.splitlines()[0] for asked in scripted.asked} == {"My own words."}


def test_what_is_wrong_is_told_in_one_line(shell: Shell, scripted: Scripted) -> None:
    shell.write("mine.toml", as_toml(experiment(scripted.url, seats=["p9"])))
    assert shell("experiment", "run", "mine.toml").is_wrong_use("mine.toml: seats[0]", "p1, p2")
    assert shell("experiment", "run", "none.toml").is_wrong_use("none.toml", "cannot be read")
    assert shell("experiment", "report", "nowhere").is_wrong_use("nowhere", "no folder")
    shell.write("mine.toml", as_toml(experiment(scripted.url)))
    assert shell("experiment", "run", "mine.toml", "--prompts", "nowhere").is_wrong_use("--prompts", "no folder")
    unpriced = experiment(scripted.url, models={"m": {"model": "openai-api/local/0-0", "base_url": scripted.url}})
    shell.write("mine.toml", as_toml(unpriced))
    assert shell("experiment", "run", "mine.toml", "--max-cost", "1").is_wrong_use("models.m.price")


@pytest.mark.parametrize(
    ("config", "said"),
    [({"reasoning_efort": "low"}, 'did you mean "reasoning_effort"'), ({"seed": "x"}, "models.m.config.seed")],
)
def test_what_is_asked_of_a_model_is_checked(config: Data, said: str, shell: Shell, scripted: Scripted) -> None:
    entry = {**model(scripted.url, "0-0"), "config": config}
    shell.write("mine.toml", as_toml(experiment(scripted.url, models={"m": entry})))
    played = shell("experiment", "run", "mine.toml")
    assert (played.code, played.err.count("Traceback")) == (2, 0)
    assert said in played.err


def test_without_the_extra_it_is_told_how_to_install_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_name: str) -> None:
        """No module is found."""

    monkeypatch.setattr("livingtable_server.terminal.experiment.find_spec", nothing)
    for command in (("run", "mine.toml"), ("report", ".")):
        assert shell("experiment", *command).is_wrong_use("pip install 'living-table[experiments]'")


def test_a_model_that_cannot_be_had_is_told_by_its_place(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOBODY_API_KEY", raising=False)
    shell.write("mine.toml", as_toml(experiment("x", models={"m": {"model": "openai-api/nobody/x"}})))
    said = shell("experiment", "run", "mine.toml")
    assert said.code == 2
    assert "models.m" in said.err
    assert "NOBODY_API_KEY" in said.err


def test_where_nothing_was_played_the_experiment_may_still_change(
    shell: Shell, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOBODY_API_KEY", raising=False)
    data = experiment(scripted.url)
    shell.write("mine.toml", as_toml({**data, "models": {"m": {"model": "openai-api/nobody/x"}}}))
    assert shell("experiment", "run", "mine.toml", "--out", "run").code == 2
    assert run(shell, data)["games"] == 2
