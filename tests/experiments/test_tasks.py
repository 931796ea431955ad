"""The games as tasks of Inspect: by name, with its parameters, roles and logs; over a chat and over the MCP server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.experiments.runs import as_toml, experiment, inspects_warnings_left_to_itself, model, read_report
from tests.experiments.scripted import Scripted
from tests.server.commands import Shell

from livingtable.game import Data, game_names
from livingtable.records import verify

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from click import UsageError  # noqa: E402
from inspect_ai.log import EvalLog  # noqa: E402
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model  # noqa: E402

from livingtable_server.experiments.logs import games_in  # noqa: E402

USAGE = ModelUsage(input_tokens=50, output_tokens=5, total_tokens=55)


def saying(*answers: str) -> Model:
    """A model of Inspect's for tests: with a usage of its own, else it would count tokens, and fetch what for."""

    def outputs() -> Iterator[ModelOutput]:
        for i in range(10_000):
            output = ModelOutput.from_content("mockllm/model", answers[min(i, len(answers) - 1)])
            output.usage = USAGE
            yield output

    return get_model("mockllm/model", custom_outputs=outputs())


def calling(*calls: tuple[str, Data] | str) -> Model:
    """The same with calls of tools; a text is an answer without one. `S` stands for the session's id."""
    left = list(calls)

    def output(messages: Sequence[ChatMessage], *_: Any) -> ModelOutput:
        call = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(call, str):
            said = ModelOutput.from_content("mockllm/model", call)
        else:
            name, arguments = call
            session = messages[1].text.split()[1].removesuffix(":")
            given = {key: session if value == "S" else value for key, value in arguments.items()}
            said = ModelOutput.for_tool_call("mockllm/model", name, given)
        said.usage = USAGE
        return said

    return get_model("mockllm/model", custom_outputs=output)


def evaluated(game: str, folder: Path, played_by: Model, given: Data, roles: dict[str, Model] | None = None) -> EvalLog:
    """`inspect eval living_table/GAME -T …`, in this process."""
    with inspects_warnings_left_to_itself():
        (log,) = inspect_ai.eval(
            f"living_table/{game}",
            model=played_by,
            model_roles=roles,
            task_args=given,
            log_dir=str(folder),
            display="none",
        )
    return log


SHORT: Data = {"seeds": "1", "max_decisions": 3}


@pytest.mark.parametrize("game", game_names())
def test_each_game_is_a_task_by_its_name(game: str, tmp_path: Path) -> None:
    log = evaluated(game, tmp_path, saying("nothing that is\nan action"), SHORT | {"retries": 1})
    assert log.status == "success"
    (found,) = games_in(tmp_path)
    assert (found.row["game"], found.row["end"], found.row["why"]) == (game, "forfeit", "unparsable")
    assert (found.row["answers"], found.row["tokensIn"], found.row["tokensOut"]) == (2, 100, 10)


def test_the_log_holds_the_record_every_decision_and_the_scores(tmp_path: Path) -> None:
    played_by = saying("ACTION: move 99,99", "ACTION: pass")
    log = evaluated("botwars", tmp_path, played_by, SHORT | {"scenario": "crossroads"})
    (sample,) = log.samples or []
    assert verify(sample.store["record"]).ok
    assert sample.store["decisions"][0]["version"] == 0
    assert [a["kind"] for a in sample.store["decisions"][0]["attempts"]] == ["illegal", "accepted"]
    (score,) = (sample.scores or {}).values()
    value: Any = score.value
    assert (value["illegal"], value["decisions"], score.answer) == (0.25, 3, "truncated")
    texts = [message.text for message in sample.messages]
    assert texts[0].startswith("You play one whole game of botwars as p1")
    assert "ACTION: move 99,99" in texts


def test_parameters_choose_prompt_seat_scenario_and_seeds(tmp_path: Path) -> None:
    given = {"side": "troll", "prompt": "cautious", "scenario": "mountain_pass", "seeds": "3-4", "max_decisions": 1}
    log = evaluated("botwars", tmp_path, saying("ACTION: pass"), given)
    samples = log.samples or []
    assert [sample.id for sample in samples] == [f"cautious / mountain_pass / {seed} / t1" for seed in (3, 4)]
    assert all("Be careful" in sample.messages[0].text for sample in samples)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"prompt": "cautius"}, 'did you mean "cautious"'),
        ({"side": "p99"}, "p99"),
        ({"scenario": "crosroads"}, 'did you mean "crossroads"'),
        ({"seeds": "x"}, "such as 7, 1-5 or 1,2,9"),
        ({"board": "ascii"}, "factors.board"),
    ],
)
def test_a_wrong_parameter_is_told(given: Data, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        evaluated("botwars", tmp_path, saying("ACTION: pass"), given)
    assert said in str(raised.value)


def test_a_role_that_is_called_like_a_seat_has_that_seat(tmp_path: Path) -> None:
    roles = {"crimson": saying("I do not play.")}
    evaluated("skirmish", tmp_path, saying("ACTION: end"), SHORT | {"scenario": "river_raid", "side": "ivory"}, roles)
    (found,) = games_in(tmp_path)
    assert (found.row["end"], found.row["by"], found.row["win"]) == ("forfeit of another", "crimson", None)
    assert found.record is not None
    assert [seat["controller"] for seat in found.record["seats"]] == ["agent", "agent"]


def test_a_folder_of_logs_has_a_report_too(tmp_path: Path, shell: Shell) -> None:
    evaluated("foxhunt", tmp_path / "logs", saying("ACTION: stay"), SHORT)
    assert shell("experiment", "report", "logs").code == 0
    (group,) = read_report(tmp_path / "logs")["groups"]
    assert (group["model"], group["variant"], group["games"]) == ("mockllm/model", "plain", 1)


@pytest.mark.parametrize("way", ["chat", "tools"])
def test_a_limit_of_inspects_cuts_the_game_off(way: str, tmp_path: Path) -> None:
    given = TOOLS | {"way": way, "max_decisions": 50}
    with inspects_warnings_left_to_itself():
        inspect_ai.eval(
            "living_table/botwars",
            model=calling(PASS) if way == "tools" else saying("ACTION: pass"),
            task_args=given,
            token_limit=200,
            log_dir=str(tmp_path),
            display="none",
        )
    (found,) = games_in(tmp_path)
    assert found.row["end"] == "truncated"
    assert 3 <= found.row["decisions"] <= 5


# Over the MCP server

PASS: tuple[str, Data] = ("submit_action", {"sessionId": "S", "notation": "pass"})
TOOLS: Data = {"way": "tools", "seeds": "1", "scenario": "first_alliance", "max_decisions": 2}


def test_a_model_plays_by_its_own_calls_of_the_real_server(tmp_path: Path) -> None:
    calls = [("get_state", {"sessionId": "S", "detail": "brief"}), PASS, ("submit_action", {"sessionId": "S"}), PASS]
    log = evaluated("botwars", tmp_path, calling(*calls), TOOLS)
    (sample,) = log.samples or []
    assert sample.error is None
    (found,) = games_in(tmp_path)
    kinds = [[attempt["kind"] for attempt in decision["attempts"]] for decision in found.decisions]
    assert kinds == [["accepted"], ["unparsable", "accepted"]]
    assert found.record is not None
    assert verify(found.record).ok
    for decision in found.decisions:
        action = found.record["actions"][decision["version"]]
        assert (action["side"], action["action"]) == ("p1", {"type": "pass"})
    assert found.row["tokensIn"] == 4 * 50


@pytest.mark.parametrize(
    ("game", "scenario", "idle"),
    [
        ("botwars", "first_alliance", "pass"),
        pytest.param("foxhunt", "fox_pen", "stay", marks=pytest.mark.slow),
        pytest.param("skirmish", "border_fort", "end", marks=pytest.mark.slow),
    ],
)
def test_the_server_is_played_by_the_same_dice_as_the_chat(game: str, scenario: str, idle: str, tmp_path: Path) -> None:
    given = TOOLS | {"scenario": scenario, "max_decisions": 3}
    call = ("submit_action", {"sessionId": "S", "notation": idle})
    evaluated(game, tmp_path / "tools", calling(call), given)
    evaluated(game, tmp_path / "chat", saying(f"ACTION: {idle}"), given | {"way": "chat"})
    (tools,), (chat,) = games_in(tmp_path / "tools"), games_in(tmp_path / "chat")
    assert tools.record is not None
    assert chat.record is not None
    assert tools.record["events"] == chat.record["events"]
    assert tools.row["score"] == chat.row["score"]


def test_over_the_tools_no_model_plays_another(tmp_path: Path) -> None:
    roles = {"crimson": saying("ACTION: end")}
    evaluated("skirmish", tmp_path, calling(PASS), TOOLS | {"scenario": "border_fort"}, roles)
    (found,) = games_in(tmp_path)
    assert found.row["end"] == "crash"
    assert "models play each other in a chat" in found.row["why"]


def test_an_illegal_call_is_illegal_and_a_stale_one_is_neither(tmp_path: Path) -> None:
    illegal = ("submit_action", {"sessionId": "S", "notation": "move 9,9"})
    stale = ("submit_action", {"sessionId": "S", "notation": "pass", "expectedVersion": 77})
    evaluated("botwars", tmp_path, calling(illegal, stale, PASS), TOOLS | {"max_decisions": 1})
    (found,) = games_in(tmp_path)
    assert [a["kind"] for a in found.decisions[0]["attempts"]] == ["illegal", "refused", "accepted"]
    assert (found.row["illegal"], found.row["unparsable"], found.row["retries"]) == (1, 0, 2)


@pytest.mark.parametrize(("how", "end"), [("forfeit", "forfeit"), ("skip", "truncated")])
def test_who_only_looks_or_only_talks_has_not_answered(how: str, end: str, tmp_path: Path) -> None:
    looking = calling("I wonder.", ("get_state", {"sessionId": "S"}))
    evaluated("botwars", tmp_path, looking, TOOLS | {"retries": 1, "on_failure": how})
    (found,) = games_in(tmp_path)
    assert found.row["end"] == end
    assert found.row["unparsable"] == found.row["answers"] >= 2
    assert "calls without an action" in found.decisions[0]["attempts"][1]["reason"]


def test_a_model_is_not_told_the_seed_of_its_game(tmp_path: Path) -> None:
    """From the seed, which a snapshot has, all dice to come can be worked out."""
    looks = [("get_state", {"sessionId": "S", "detail": detail}) for detail in ("brief", "full")]
    log = evaluated("botwars", tmp_path, calling(*looks, PASS), TOOLS | {"seeds": "90210", "max_decisions": 1})
    (sample,) = log.samples or []
    texts = [message.text for message in sample.messages]
    assert any('botwars "first_alliance"\n' in text for text in texts)
    assert any('"scenario":"first_alliance","version":' in text for text in texts)
    assert not [text for text in texts if "90210" in text or "seed" in text]


def test_a_model_is_not_offered_what_would_let_it_try_the_dice(shell: Shell, scripted: Scripted) -> None:
    models = {"m": model(scripted.url, "0-0")}
    shell.write("mine.toml", as_toml(experiment(scripted.url, models=models, seeds=[1], factors={"way": "tools"})))
    assert "1 of 1 games are done" in shell("experiment", "run", "mine.toml").err
    offered = {tool["function"]["name"] for asked in scripted.asked for tool in asked.tools}
    assert offered == {"get_state", "list_legal_actions", "submit_action", "wait_for_turn"}


# Start-up


@pytest.mark.parametrize(
    "module", ["livingtable_server.cli", "livingtable_server.app", "livingtable_server.terminal.experiment"]
)
def test_inspect_is_imported_only_where_it_is_needed(module: str) -> None:
    program = f"import sys, json, {module}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {"inspect_ai", "numpy", "scipy", "openai"} & set(json.loads(done.stdout)) == set()
