"""An action counts however it is written where nothing is ambiguous (contract, *Liberal input*; C77, C78)."""

from __future__ import annotations

import json

import pytest
from tests.contract.playing import library
from tests.contract.wrappings import AROUND, SPELLINGS, all_forms, forms

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State, game_names, legal_lines
from livingtable.notation import read_action

PROSE = ("{} because it is safe", "I choose {}", "{} (safe)", "not {}", "{}; that is all", "{}\nThat is all.")


def refusal_of(state: State, text: object, side: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read_action(state, text, side)  # pyright: ignore[reportArgumentType]
    return caught.value


@pytest.mark.parametrize("game", game_names())
def test_random_play_meets_every_kind_of_action(game: str) -> None:
    kinds = {action.to_data()["type"] for _, _, action in forms(game)}
    assert len(kinds) >= {"botwars": 6, "skirmish": 3, "foxhunt": 4}[game]


@pytest.mark.parametrize("around", AROUND)
def test_every_form_of_action_is_read_in_every_wrapping(around: str) -> None:
    for state, side, action in all_forms():
        assert read_action(state, AROUND[around](action.notation), side) == action
        if around != "angle brackets":
            assert read_action(state, AROUND[around](json.dumps(action.to_data())), side) == action


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("around", AROUND)
def test_every_form_of_action_is_read_in_every_spelling_and_wrapping(spelling: str, around: str) -> None:
    for state, side, action in all_forms():
        assert read_action(state, AROUND[around](SPELLINGS[spelling](action.notation)), side) == action


@pytest.mark.parametrize("outer", AROUND)
def test_every_form_of_action_is_read_in_two_wrappings(outer: str) -> None:
    for state, side, action in all_forms():
        for inner, wrap in AROUND.items():
            text = AROUND[outer](wrap(action.notation))
            if inner == outer == "full stop":
                continue  # An ellipsis belongs to prose.
            assert read_action(state, text, side) == action, text


def test_an_object_is_read_alone_and_inside_of_another() -> None:
    for state, side, action in all_forms():
        data = action.to_data()
        for given in (data, {"action": data}, {"action": json.dumps(data)}, {"notation": action.notation}):
            assert read_action(state, given, side) == action
        assert read_action(state, {**data, "notation": action.notation}, side) == action
        assert read_action(state, {**data, "notation": ""}, side) == action
        assert read_action(state, {"notation": "", "action": data}, side) == action


def test_an_objects_texts_are_read_in_any_case_and_its_keys_are_not() -> None:
    for state, side, action in all_forms():
        data = action.to_data()
        loud = {key: value.upper() if isinstance(value, str) else value for key, value in data.items()}
        assert read_action(state, loud, side) == action
        assert refusal_of(state, {key.upper(): value for key, value in data.items()}, side).code == "malformed_action"


def test_a_canonical_notation_means_what_it_meant() -> None:
    for state, side, action in all_forms():
        assert read_action(state, action.notation, side) == state.parse_action(action.notation, side) == action


@pytest.mark.parametrize("prose", PROSE)
def test_prose_is_refused_and_the_one_legal_action_that_it_names_is_offered(prose: str) -> None:
    for state, side, action in all_forms():
        text = prose.format(action.notation)
        refusal = refusal_of(state, text, side)
        assert refusal.code is Code.MALFORMED_ACTION
        assert action.notation in refusal.reason
        assert refusal.reason.isprintable()


@pytest.mark.parametrize("text", ["move W because it is safe", "move W (safe)", "move E or move W", "move W E"])
def test_what_is_offered_instead_of_prose_is_legal(text: str) -> None:
    """Of the yard's first position, in which p1 may move N and S only."""
    state = library().get("fox_yard").start(1)
    refusal = refusal_of(state, text, "p1")
    assert refusal.code is Code.MALFORMED_ACTION
    rest = refusal.reason.replace(f'"{text}"', "")
    assert "move E" not in rest
    assert "move W" not in rest
    assert "because" not in rest
    assert '"move N"' in rest


def test_of_several_named_actions_one_is_to_be_chosen_from_the_legal_ones() -> None:
    state = library().get("fox_yard").start(1)
    reason = refusal_of(state, "move N or move E or move S", "p1").reason
    assert reason == "choose one, and send it alone: move N | move S"


def test_a_line_of_alternatives_is_answered_with_a_handful_of_its_own() -> None:
    for state, side, _ in all_forms():
        for line in legal_lines(state.legal_actions(side)):
            notations = [action.notation for action in state.legal_actions(side)]
            if line in notations:
                continue
            refusal = refusal_of(state, line, side)
            assert refusal.code is Code.MALFORMED_ACTION
            shown = refusal.reason.removeprefix("choose one, and send it alone: ").split(" | ")
            assert 2 <= len(shown) <= 5
            assert set(shown) <= set(notations)


@pytest.mark.parametrize(
    "given",
    ["castle", "", "...", "move", "then", '{"type": "castle"}', "{", "x" * 5000, {}, {"type": "castle"}, {"type": 1}],
    ids=lambda given: str(given)[:20],
)
def test_what_is_no_action_is_malformed_and_what_it_offers_is_legal(given: object) -> None:
    for state, side, _ in all_forms():
        refusal = refusal_of(state, given, side)
        assert refusal.code is Code.MALFORMED_ACTION
        assert len(refusal.reason) < 400
        quoted = [part for part in refusal.reason.split('"')[1::2] if part and part not in str(given)]
        notations = {action.notation for action in state.legal_actions(side)}
        words = {"type", *(word for a in state.legal_actions(side) for kv in a.to_data().items() for word in kv)}
        assert set(quoted) <= notations | words, refusal.reason


def test_json_that_is_cut_off_is_told_where() -> None:
    state = library().get("fox_yard").start(1)
    refusal = refusal_of(state, '{"type": "move", "direction" "N"}', "p1")
    assert refusal.code is Code.MALFORMED_ACTION
    assert "at character 29" in refusal.reason


def test_an_object_and_its_notation_must_say_the_same() -> None:
    state = library().get("fox_yard").start(1)
    assert "different actions" in refusal_of(state, {"type": "stay", "notation": "move N"}, "p1").reason
    assert "leave out the other" in refusal_of(state, {"action": "stay", "notation": "stay"}, "p1").reason


def test_in_any_writing_what_is_well_formed_and_not_legal_is_read_as_itself() -> None:
    yard, raid = library().get("fox_yard").start(1), library().get("river_raid").start(1)
    for text in ("move E", "MOVE e", "```move e```", "- **Move E**.", '{"type": "move", "direction": "E"}'):
        assert read_action(yard, text, "p1").notation == "move E"
    for text in ("K1 > 99,99", "`K1 > 99,99`.", "ACTION: K1 > 99,99"):
        assert read_action(raid, text, "ivory").notation == "K1 > 99,99"


class Shouting:
    """A game whose notations differ in case alone, and have marks in them."""

    def __init__(self, *notations: str) -> None:
        self.listed = [Loud(notation) for notation in notations]

    def legal_actions(self, _side: str) -> list[Loud]:
        return self.listed

    def parse_action(self, given: str, _side: str | None = None) -> Action:
        if given in [action.notation for action in self.listed]:
            return Loud(given)
        raise Refusal(Code.MALFORMED_ACTION, "that is no action")


class Loud:
    def __init__(self, notation: str) -> None:
        self.notation = notation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loud) and other.notation == self.notation

    def __hash__(self) -> int:
        return hash(self.notation)

    def to_data(self) -> dict[str, str]:
        return {"type": self.notation}


@pytest.mark.parametrize("notation", ["bxc3", "Bxc3", "(a1)", "*", "- 3", "e8=Q.", "'x'", "json b4", "1. b4", "b4"])
def test_what_is_listed_means_itself_whatever_its_signs(notation: str) -> None:
    """A game of somebody else's may write its actions so."""
    state: object = Shouting("bxc3", "Bxc3", "(a1)", "*", "- 3", "e8=Q.", "'x'", "json b4", "1. b4", "b4")
    for text in (notation, f"`{notation}`", f"```\n{notation}\n```", json.dumps({"notation": notation})):
        assert read_action(state, text, "p1").notation == notation  # pyright: ignore[reportArgumentType]


def test_where_case_alone_tells_two_actions_apart_another_case_is_ambiguous() -> None:
    state: object = Shouting("bxc3", "Bxc3")
    assert refusal_of(state, "BXC3", "p1").reason == "choose one, and send it alone: bxc3 | Bxc3"  # pyright: ignore[reportArgumentType]
