"""From an answer to an action, by one rule (C77, C78)."""

from __future__ import annotations

import pytest
from tests.contract.wrappings import AROUND, all_forms

from livingtable.game import State
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.parsing import judge, said_action


@pytest.fixture
def botwars(library: ScenarioLibrary) -> State:
    """p1 at 1,1 may move to 2,2, among others, and pass."""
    return library.get("first_alliance").start(1)


@pytest.fixture
def skirmish(library: ScenarioLibrary) -> State:
    return library.get("river_raid").start(1)


@pytest.fixture
def foxhunt(library: ScenarioLibrary) -> State:
    """p1 may move N and S, not E and W."""
    return library.get("fox_yard").start(1)


def accepted(answer: str, state: State, side: str) -> str:
    verdict = judge(answer, state, side)
    assert verdict.action is not None, verdict
    return verdict.action.notation


@pytest.mark.parametrize(
    "answer",
    [
        "move 2,2",
        "  move   2,2 \n",
        "MOVE 2,2",
        "`move 2,2`",
        "```\nmove 2,2\n```",
        "```text\nmove 2,2\n```",
        "```move 2,2```",
        "I go towards p2.\n```move 2,2```",
        'I go towards p2: ```json {"notation": "move 2,2"}```',
        "```\r\nmove 2,2\r\n```",
        "- move 2,2",
        "1. **move 2,2**",
        "“move 2,2”",
        "‘move 2,2’",
        "'move 2,2'.",
        "**move 2,2**",
        "move\u00a02,2",
        "ACTION: move 2,2",
        "action: Move 2,2",
        "**ACTION:** `move 2,2`",
        "> ACTION: “move 2,2”",
        "I go towards p2.\n\nACTION: move 2,2\n",
        "I go towards p2.\n```\nmove 2,2\n```",
        '{"notation": "move 2,2"}',
        '```json\n{"notation": "move 2,2"}\n```',
        '{\n "action": {"type": "move", "to": "2,2"}\n}',
        '{"type": "move", "to": "2,2"}',
        "ACTION: {“notation”: “move 2,2”}",
    ],
)
def test_an_action_is_accepted_whatever_stands_around_it_that_does_not_count(answer: str, botwars: State) -> None:
    assert accepted(answer, botwars, "p1") == "move 2,2"


def test_capitals_do_not_count_where_the_notation_has_some(skirmish: State, foxhunt: State) -> None:
    assert accepted("k1 > 2,3", skirmish, "ivory") == "K1 > 2,3"
    assert accepted("MOVE n", foxhunt, "p1") == "move N"
    assert accepted("END", skirmish, "ivory") == "end"


def test_a_fence_of_one_line_is_an_action_and_no_language(skirmish: State, foxhunt: State) -> None:
    assert accepted("```K1 > 2,3```", skirmish, "ivory") == "K1 > 2,3"
    assert accepted("```end```", skirmish, "ivory") == "end"
    assert accepted("I wait.\n```stay```", foxhunt, "p1") == "stay"


@pytest.mark.parametrize("around", AROUND)
def test_every_wrapping_of_the_one_rule_is_accepted_in_an_answer(around: str) -> None:
    """Else what a prompt makes models put around an action would change what it seems to be worth."""
    for state, side, action in all_forms():
        assert accepted(AROUND[around](action.notation), state, side) == action.notation


def test_the_last_line_of_several_counts(botwars: State) -> None:
    assert accepted("ACTION: pass\nNo, better:\nACTION: move 2,2", botwars, "p1") == "move 2,2"


@pytest.mark.parametrize(
    "answer",
    [
        "I could play move 2,2, which is legal.\nACTION: move 9,9\nOr else move 1,0.",
        'I like move 2,2.\n```json\n{"notation": "move 9,9"}\n```\nmove 2,2 is legal, too.',
        '{"thought": "move 2,2 is legal", "notation": "move 9,9"}',
        "move 2,2 would be legal.\nACTION: MOVE 9,9.",
    ],
)
def test_prose_that_names_a_legal_move_does_not_stand_in_for_an_illegal_action(answer: str, botwars: State) -> None:
    verdict = judge(answer, botwars, "p1")
    assert (verdict.kind, verdict.action) == ("illegal", None)
    assert verdict.said
    assert verdict.reason


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   \n ",
        "I think about it and then pass, since nothing else\nis worth it.",
        "I will move 2,2",
        "ACTION:",
        "ACTION: then",
        "move 2,2 1,0",
        "ACTION: move 2,2 or pass",
        '{"notation": "move 2,2"',
        '{"notation": 7}',
        '{"notation": "pass", "action": "pass"}',
        "```\nmove 2,2\npass\n```",
        "[1]",
        "n" * 5000,
    ],
)
def test_what_is_no_action_is_unparsable_and_the_reason_is_told(answer: str, botwars: State) -> None:
    verdict = judge(answer, botwars, "p1")
    assert (verdict.kind, verdict.action) == ("unparsable", None)
    assert verdict.reason


def test_an_n_inside_then_is_no_move(foxhunt: State) -> None:
    for answer in ("then", "ACTION: then", "Then I move.\nAnd then I rest.", "ACTION: move then"):
        assert judge(answer, foxhunt, "p1").kind == "unparsable", answer


def test_an_illegal_action_in_other_capitals_is_illegal_and_not_unparsable(skirmish: State, foxhunt: State) -> None:
    assert judge("k1 > 99,99", skirmish, "ivory").kind == "illegal"
    assert judge("Move e", foxhunt, "p1").kind == "illegal"


def test_a_line_of_several_alternatives_is_refused_with_choose_one(botwars: State) -> None:
    assert "choose one" in judge("ACTION: move 2,2 1,0", botwars, "p1").reason


def test_an_action_on_the_line_after_is_not_taken_and_the_reason_says_where_it_must_stand(botwars: State) -> None:
    verdict = judge("ACTION:\nmove 2,2", botwars, "p1")
    assert (verdict.kind, verdict.reason) == ("unparsable", 'nothing stands behind "ACTION:" on its line')


def test_judging_changes_nothing(botwars: State) -> None:
    before = botwars.to_data()
    for answer in ("move 2,2", "move 9,9", "nonsense"):
        judge(answer, botwars, "p1")
    assert botwars.to_data() == before


def test_an_answer_that_is_no_more_than_marks_says_nothing() -> None:
    assert said_action("```\n```") == ""
    assert said_action('"“”"') == ""
