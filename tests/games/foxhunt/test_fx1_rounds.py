"""FX-1.1, FX-1.2, FX-1.3: everybody chooses at once, and what resolves the round."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.foxhunt.drawing import (
    cut,
    data_of,
    drawn,
    figures_of,
    fox_of,
    give,
    kinds,
    legal,
    named,
    only,
    play,
    refused,
    same_board,
    started,
    wait,
)

from livingtable.errors import Code, Refusal, ScenarioError
from livingtable.games.foxhunt import FoxhuntState

THREE = """
    1  _  _  2
    W  _  _  W
    _  3  _  _
    """


# --- FX-1.1: one command each, hidden ---


def test_all_who_can_act_are_to_act_in_seat_order() -> None:
    """FX-1.1."""
    assert drawn(THREE).to_act == ("p1", "p2", "p3")


def test_who_has_given_its_command_is_no_longer_to_act() -> None:
    """FX-1.1."""
    state = drawn(THREE)
    give(state, "p2", "move W")
    assert state.to_act == ("p1", "p3")
    assert figures_of(state, "committed") == {"p1": False, "p2": True, "p3": False}


def test_nothing_moves_before_all_have_chosen() -> None:
    """FX-1.1, FX-1.2."""
    state = drawn(THREE)
    assert give(state, "p1", "bomb") == [{"type": "committed", "side": "p1"}]
    assert give(state, "p2", "move W") == [{"type": "committed", "side": "p2"}]
    assert same_board(state, THREE)
    assert state.round == 1


def test_who_is_paralysed_is_not_to_act() -> None:
    """FX-1.1: it has nothing to choose, and is told why."""
    state = drawn(THREE, figures={"p3": {"paralysed": 2}})
    assert state.to_act == ("p1", "p2")
    assert legal(state, "p3") == []
    assert state.why_idle("p3") == "p3 is paralysed for 2 more rounds, this one included"
    refusal = refused(state, "p3", "stay")
    assert (refusal.code, refusal.reason) == (Code.NOT_YOUR_TURN, state.why_idle("p3"))


def test_the_last_round_of_paralysis_is_told_as_one() -> None:
    """FX-1.1, C11."""
    state = drawn(THREE, figures={"p3": {"paralysed": 1}})
    assert state.why_idle("p3") == "p3 is paralysed for 1 more round, this one included"


# --- FX-1.2: the resolution ---


def test_the_last_command_resolves_the_round() -> None:
    """FX-1.2: within the same action."""
    state = drawn(THREE)
    give(state, "p3", "stay")
    give(state, "p1", "move E")
    events = give(state, "p2", "move W")
    assert events[0] == {"type": "committed", "side": "p2"}
    assert events[1] == {
        "type": "round_resolved",
        "side": "server",
        "round": 1,
        "commands": [
            {"side": "p3", "action": {"type": "stay"}, "order": 1},
            {"side": "p1", "action": {"type": "move", "direction": "E"}, "order": 2},
            {"side": "p2", "action": {"type": "move", "direction": "W"}, "order": 3},
        ],
    }
    assert state.round == 2
    assert state.to_act == ("p1", "p2", "p3")


def test_the_paralysed_are_not_waited_for() -> None:
    """FX-1.2."""
    state = drawn(THREE, figures={"p3": {"paralysed": 1}})
    give(state, "p1", "stay")
    assert "round_resolved" in kinds(give(state, "p2", "stay"))
    assert state.to_act == ("p1", "p2", "p3")


def test_all_seats_of_a_round_submit_at_once() -> None:
    """C41, FX-1.2: all are accepted, and there is one resolution."""
    state = drawn(THREE)
    events = play(state, p1="bomb", p2="bomb", p3="bomb")
    assert kinds(events).count("committed") == 3
    assert kinds(events).count("round_resolved") == 1
    assert [command["side"] for command in only(events, "round_resolved")["commands"]] == ["p1", "p2", "p3"]


def test_the_clock_cuts_a_round_off() -> None:
    """FX-1.2: whoever has given no command stays."""
    state = drawn(THREE)
    events = cut(state, p2="move W")
    assert kinds(events) == ["committed", "round_resolved", "moved", "scored"]
    assert only(events, "round_resolved")["commands"] == [
        {"side": "p2", "action": {"type": "move", "direction": "W"}, "order": 1}
    ]
    assert same_board(
        state,
        """
        1  _  2  _
        W  _  _  W
        _  3  _  _
        """,
    )
    assert (state.round, state.to_act) == (2, ("p1", "p2", "p3"))


def test_the_clock_cuts_a_round_off_in_which_nobody_has_chosen() -> None:
    """FX-1.2."""
    state = drawn(THREE)
    events = cut(state)
    assert only(events, "round_resolved")["commands"] == []
    assert same_board(state, THREE)
    assert state.round == 2


BORDER = """
    1  2  3
    4  W  5
    6  7  8
    """


def test_players_without_a_command_on_every_border_field_stay_there() -> None:
    """C30, FX-1.2."""
    state = drawn(BORDER)
    for _ in range(3):
        cut(state)
        assert same_board(state, BORDER)


def test_a_command_after_the_resolution_counts_for_the_next_round() -> None:
    """FX-1.2."""
    state = drawn(THREE)
    cut(state, p1="move E")
    give(state, "p2", "move W")
    assert [(side, action.notation) for side, action in state.open_commands] == [("p2", "move W")]
    assert state.to_act == ("p1", "p3")


ONLY_ONE_ACTS = """
    1  _  2
    W  W  W
    _  3a _
    """


def blasted(paralysis: int, **setup: Any) -> tuple[FoxhuntState, list[str], list[int]]:
    """p3 is hit while the others are paralysed for two more rounds; what happens then, and the rounds resolved."""
    state = drawn(ONLY_ONE_ACTS, figures={"p1": {"paralysed": 2}, "p2": {"paralysed": 3}}, paralysis=paralysis, **setup)
    events = give(state, "p3", "stay")
    return state, kinds(events), [event["round"] for event in named(events, "round_resolved")]


def test_rounds_in_which_nobody_can_act_are_resolved_within_the_action_before() -> None:
    """FX-1.2: p1 can act in round 3, so round 2 goes by."""
    state, _, rounds = blasted(paralysis=3)
    assert rounds == [1, 2]
    assert (state.round, state.to_act) == (3, ("p1",))


def test_nobody_commands_in_such_a_round_and_the_fox_goes_on_scoring() -> None:
    """FX-1.2, FX-5.1, FX-R15."""
    state, types, _ = blasted(paralysis=3)
    assert types == [
        *("committed", "round_resolved", "exploded", "paralysed", "scored"),
        *("round_resolved", "scored"),
    ]
    assert figures_of(state, "points")["p1"] == 1 + 2


def test_if_nobody_can_act_any_more_the_game_goes_to_its_end_at_once() -> None:
    """FX-1.2, FX-2."""
    state, types, rounds = blasted(paralysis=9, rounds=2)
    assert rounds == [1, 2]
    assert types[-1] == "game_over"
    assert state.result is not None


def test_after_a_cut_too_rounds_in_which_nobody_can_act_are_resolved_at_once() -> None:
    """FX-1.2."""
    state = drawn(ONLY_ONE_ACTS, figures={"p1": {"paralysed": 2}, "p2": {"paralysed": 3}})
    assert [event["round"] for event in named(cut(state), "round_resolved")] == [1, 2]
    assert state.round == 3


def test_a_set_up_in_which_nobody_can_act_is_refused() -> None:
    """FX-1.2, FX-R15."""
    with pytest.raises(ScenarioError) as caught:
        drawn(THREE, figures={side: {"paralysed": 1} for side in ("p1", "p2", "p3")})
    assert (caught.value.key, caught.value.reason) == (
        "players",
        "at least one must not be paralysed: nobody could act",
    )


def test_only_the_table_cuts_a_round_off() -> None:
    """FX-1.2, FX-R19: a player that writes `clock` is told that it is no action; the table has no other one."""
    state = drawn(THREE)
    for given, side in (("clock", "p1"), ({"type": "clock"}, "p1"), ("stay", "server"), ({"type": "bomb"}, "server")):
        with pytest.raises(Refusal) as caught:
            state.parse_action(given, side)
        assert caught.value.code is Code.MALFORMED_ACTION
    clock = state.parse_action({"type": "clock"}, "server")
    with pytest.raises(Refusal, match="only the table itself") as caught:
        state.apply("p1", clock)
    assert caught.value.code is Code.ILLEGAL_ACTION
    with pytest.raises(Refusal, match="only cut the round off"):
        state.apply("server", state.parse_action("stay", "p1"))
    assert state.clock == ("server", clock)


def test_who_is_no_player_cannot_act() -> None:
    """FX-1.1."""
    refusal = refused(drawn(THREE), "p4", "stay")
    assert refusal.code is Code.NOT_YOUR_TURN
    assert refusal.reason == "there is no seat 'p4'; the seats are p1, p2, p3"


@pytest.mark.parametrize(("seconds", "milliseconds"), [(None, None), (0.1, 100), (2.5, 2500), (30, 30_000)])
def test_the_clock_of_the_settings_is_told_to_whoever_keeps_it(seconds: float | None, milliseconds: int | None) -> None:
    """FX-0.4, FX-1.2: `roundSeconds`; the engine itself has no clock."""
    state = drawn(THREE, roundSeconds=seconds)
    assert state.round_milliseconds == milliseconds
    assert state.view(None)["settings"]["roundSeconds"] == seconds


# --- FX-1.3: replacing ---


def test_a_command_can_be_replaced_until_the_round_is_resolved() -> None:
    """FX-1.3: by any other legal one; the last one counts."""
    state = drawn(THREE)
    give(state, "p1", "bomb")
    assert give(state, "p1", "move E") == [{"type": "committed", "side": "p1"}]
    assert give(state, "p1", "throw E 1") == [{"type": "committed", "side": "p1"}]
    assert state.to_act == ("p2", "p3")
    events = play(state)
    assert only(events, "round_resolved")["commands"][0]["action"] == {
        "type": "throw",
        "direction": "E",
        "distance": 1,
    }
    assert same_board(
        state,
        """
        1  o  _  2
        W  _  _  W
        _  3  _  _
        """,
    )


def test_who_has_given_its_command_still_sees_what_it_may_do() -> None:
    """FX-1.3: and is not told that it has nothing to choose."""
    state = drawn(THREE)
    before = legal(state, "p1")
    give(state, "p1", "bomb")
    assert legal(state, "p1") == before
    assert state.why_idle("p1") == ""


def test_a_replaced_command_arrives_with_the_last_one() -> None:
    """FX-1.3: the order of the record is p2, p3, p1."""
    state = drawn(THREE)
    for side, notation in (("p1", "stay"), ("p2", "stay"), ("p1", "move E")):
        give(state, side, notation)
    commands = only(give(state, "p3", "stay"), "round_resolved")["commands"]
    assert [(c["order"], c["side"]) for c in commands] == [(1, "p2"), (2, "p1"), (3, "p3")]


def test_the_same_command_given_again_arrives_anew() -> None:
    """FX-1.3."""
    state = drawn(THREE)
    for side in ("p1", "p2", "p1"):
        give(state, side, "stay")
    commands = only(give(state, "p3", "stay"), "round_resolved")["commands"]
    assert [c["side"] for c in commands] == ["p2", "p1", "p3"]


def test_an_illegal_command_does_not_replace_a_legal_one() -> None:
    """FX-1.3, C12."""
    state = drawn(THREE)
    give(state, "p1", "bomb")
    assert refused(state, "p1", "move W").code is Code.ILLEGAL_ACTION
    assert [action.notation for _, action in state.open_commands] == ["bomb"]


def test_a_state_with_one_of_two_commands_in_survives_storing() -> None:
    """C03: nothing of it is lost, nor its order."""
    state = drawn(THREE)
    give(state, "p3", "throw E 2")
    give(state, "p2", "move W")
    again = FoxhuntState.from_data(state.to_data())
    assert again.to_data() == state.to_data()
    assert again.to_act == ("p1",)
    assert play(again, p1="bomb") == play(state, p1="bomb")
    assert [c["position"] for c in again.view(None)["bombs"]] == ["0,0", "3,2"]


def test_a_fork_begins_the_round_without_its_commands() -> None:
    """The contract: without commands of an unresolved round; the dice go on."""
    state = drawn(THREE, seed=5)
    give(state, "p3", "bomb")
    fork = state.fork()
    assert (fork.to_act, list(fork.open_commands)) == (("p1", "p2", "p3"), [])
    assert fork.to_data()["dice"] == state.to_data()["dice"]
    assert state.fork(9).to_data()["dice"]["seed"] == 9
    assert len(state.open_commands) == 1


@pytest.mark.parametrize(
    "command",
    [
        {"side": "p1", "action": {"type": "move", "direction": "S"}},
        {"side": "p2", "action": {"type": "stay"}},
        {"side": "p1", "action": {"type": "clock"}},
        {"side": "p1", "action": {"type": "fly"}},
    ],
    ids=["illegal", "paralysed", "the table's", "malformed"],
)
def test_a_stored_state_with_a_command_that_nobody_could_have_given_is_none(command: object) -> None:
    """FX-1.4: it is refused as `Game.restore` says, before it does harm."""
    data = drawn(THREE, figures={"p2": {"paralysed": 1}}).to_data()
    with pytest.raises(ValueError, match="command"):
        FoxhuntState.from_data({**data, "commands": [command]})


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ({"round": -(10**12)}, "the round is one of 1 to 200"),
        ({"round": 201}, "the round is one of 1 to 200"),
        ({"settings": {"rounds": 10**12}}, "a setting is beyond its limit"),
        ({"settings": {"paralysis": 10**12}}, "a setting is beyond its limit"),
        ({"settings": {"revealChance": 2}}, "a setting is beyond its limit"),
        ({"players": {"paralysed": 10**12}}, "nobody is paralysed for more than 1000 rounds"),
        ({"players": {"paralysed": 1}}, "nobody can act"),
        ({"players": {"range": -1}}, "whole numbers from 0"),
        ({"players": {"points": 1.5}}, "whole numbers from 0"),
        ({"players": {"id": "p1"}}, "2 to 16 players play, each with an id of its own"),
        ({"players": {"position": "0,1"}}, "on free fields"),
        ({"bombs": [{"position": "0,0", "owner": "p1", "range": 1, "fuse": -1}]}, "whole numbers from 0"),
        ({"specials": [{"position": "0,1", "kind": "hat"}]}, "on free fields"),
    ],
)
def test_a_stored_state_beyond_the_limits_of_set_ups_is_none(damage: dict[str, Any], told: str) -> None:
    """FX-1.2, C04: rounds in which nobody can act must come to an end, also those of a forged record."""
    data = drawn(THREE).to_data()
    for key, value in damage.items():
        if key == "players":
            data["players"] = [{**player, **value} for player in data["players"]]
        else:
            data[key] = {**data[key], **value} if isinstance(value, dict) else value
    with pytest.raises(ValueError, match=told):
        FoxhuntState.from_data(data)


# --- the round's number ---


def test_the_game_has_exactly_so_many_rounds() -> None:
    """C06, FX-2: whatever came before; the number stays at the last one."""
    state = drawn(THREE, rounds=200)
    events = wait(state, 200)
    assert [event["round"] for event in named(events, "round_resolved")] == list(range(1, 201))
    assert (state.round, state.result is not None, state.to_act) == (200, True, ())


def test_after_the_end_nothing_is_legal_and_everything_refused() -> None:
    """C11: the clock too."""
    state = drawn(THREE, rounds=1)
    wait(state, 1)
    assert legal(state, "p1") == []
    assert state.why_idle("p1") == "the game is over: round_limit"
    assert refused(state, "p1", "stay").code is Code.GAME_OVER
    with pytest.raises(Refusal) as caught:
        cut(state)
    assert caught.value.code is Code.GAME_OVER


def test_a_version_is_an_action_and_a_round_is_several() -> None:
    """FX-1.1: the fox, too, gives one command a round."""
    state = started({"game": "foxhunt", "map": ["___"] * 3, "players": 4, "rounds": 2, "spawnEvery": 0})
    assert fox_of(state) in state.to_act
    actions = 0
    while state.result is None:
        data_of(state.apply(state.to_act[0], state.parse_action("stay")))
        actions += 1
    assert actions == 2 * 4
