"""What anybody can read before the resolution never depends on a hidden command (FX-1.1)."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from tests.games.foxhunt.drawing import data_of, drawn, started
from tests.games.foxhunt.random_play import random_play, random_setup, rngs, stable

from livingtable.games.foxhunt import FoxhuntState
from livingtable.games.foxhunt.actions import FoxhuntAction
from livingtable.games.foxhunt.text import describe


def readable(state: FoxhuntState) -> list[Any]:
    """All that the seats and a spectator can ask for."""
    asked: list[Any] = [(state.view(side), state.board(side)) for side in (*state.sides, None)]
    asked += [(list(state.legal_actions(side)), state.why_idle(side)) for side in state.sides]
    asked += [state.svg(state.sides[0]), state.svg(state.sides[-1]), state.svg(None)]
    return [*asked, state.to_act, state.ranking(), state.round, state.phase, state.result]


def after_each(state: FoxhuntState, side: str) -> list[tuple[FoxhuntAction, FoxhuntState, list[Any]]]:
    """Each command that the player may give: with the state after it and what the events and texts say."""
    found: list[tuple[FoxhuntAction, FoxhuntState, list[Any]]] = []
    for action in state.legal_actions(side):
        after = state.copy()
        events = data_of(after.apply(side, action))
        found.append((action, after, [events, describe(events)]))
    return found


def hidden(state: FoxhuntState, side: str) -> bool:
    """Whether the player's next command leaves the round open."""
    return bool(set(state.to_act) - {side})


@given(rngs)
@stable
def test_what_can_be_read_is_the_same_whatever_was_commanded(rng: Random) -> None:
    """FX-1.1: view, board, picture, legal lists, who is to act and why not, ranking, events, their texts: for all legal
    commands of a seat, given for the first time or replaced."""
    state = started(random_setup(rng, most=5))
    for side, action in random_play(rng, state, 16):
        seat = rng.choice(state.sides)
        if hidden(state, seat):
            outcomes = [(said, readable(after)) for _, after, said in after_each(state, seat)]
            assert all(outcome == outcomes[0] for outcome in outcomes)
        state.apply(side, action)


FOUR = """
    1  _  2  w  R
    W  _  W  _  a
    3  _  _  _  4
    """


def test_a_commitment_shows_that_it_was_given_and_nothing_else() -> None:
    """FX-1.1: the one thing that is seen of it is `committed`."""
    state = drawn(FOUR, figures={"a": {"fuse": 9}})
    before = state.view(None)
    for action, after, said in after_each(state, "p4"):
        assert said == [[{"type": "committed", "side": "p4"}], ["committed: p4"]], action.notation
        view = after.view("p1")
        assert view["players"][3].pop("committed") is True
        shown = {**before["players"][3]}
        shown.pop("committed")
        assert view["players"][3] == shown
        assert {**view, "players": view["players"][:3]} == {**before, "players": before["players"][:3]}


def test_who_replaces_shows_only_that_it_has_done_so() -> None:
    """FX-1.1, FX-1.3: whatever was given before and after."""
    state = drawn(FOUR, figures={"a": {"fuse": 9}})
    said: set[str] = set()
    seen: set[str] = set()
    for _, once, _ in after_each(state, "p4"):
        for _, twice, told in after_each(once, "p4"):
            said.add(str(told))
            seen.add(str(readable(twice)))
    assert len(said) == len(seen) == 1


def test_the_hidden_commands_are_in_the_stored_state_and_nowhere_else() -> None:
    """FX-1.1: for those who store games, not for readers; a reader finds no `move` of an open round."""
    state = drawn(FOUR, figures={"a": {"fuse": 9}})
    state.apply("p4", state.parse_action("throw W 3"))
    assert "throw" in str(state.to_data())
    assert "'throw'" not in str([state.view(side) for side in (*state.sides, None)])
