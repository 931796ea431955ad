"""SK-4: how a game ends, who wins, and that nothing happens afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.skirmish.drawing import act, drawn, figures_of, kinds, legal, moves_of, piece, same_board, same_reach

from livingtable.errors import Code, Refusal
from livingtable.games.skirmish import SkirmishState
from livingtable.records import Recording, verify

QUIET = """
    I  K1 .  .
      .  .  .  .
    .  .  o1 C
    """


def ended(state: SkirmishState) -> tuple[str, tuple[str, ...]] | None:
    return (state.result.reason, state.result.winners) if state.result else None


def rows(state: SkirmishState) -> list[dict[str, Any]]:
    assert state.result
    return state.result.to_data()["ranking"]


# --- castle taken ---


def test_a_piece_that_stops_on_the_enemy_castle_wins_at_once() -> None:
    """SK-4.1: its hex, in the middle of the turn."""
    state = drawn("I . K1 . C o1")
    events = act(state, "K1 > 4,0")
    assert kinds(events) == ["moved", "castle_taken", "game_over"]
    assert events[-1] == {"type": "game_over", "side": "ivory", "reason": "castle_taken"}
    assert ended(state) == ("castle_taken", ("ivory",))


def test_crimson_takes_ivorys_castle() -> None:
    """SK-4.1."""
    state = drawn("K1 I . g1 . C", firstSide="crimson")
    act(state, "G1 > 1,0")
    assert ended(state) == ("castle_taken", ("crimson",))


@pytest.mark.parametrize("kind", "KAWGOTDS")
def test_any_piece_takes_a_castle(kind: str) -> None:
    """SK-4.1: a piece."""
    state = drawn(f"I {kind}1 C o1")
    act(state, f"{kind}1 > 2,0")
    assert ended(state) == ("castle_taken", ("ivory",))


def test_the_own_castle_can_be_left_and_entered_and_passed() -> None:
    """SK-4.1: the *enemy* castle."""
    state = drawn("G1 I . . o1 C")
    assert same_reach(state, "G1", "G1 1 2 3 o1 C")
    act(state, "G1 > 1,0", "end", "end", "G1 > 0,0")
    assert state.result is None


def test_nobody_passes_over_the_enemy_castle() -> None:
    """SK-4.1: entering it ends the move there."""
    state = drawn("I D1 . C . . o1")
    assert same_reach(state, "D1", "1 D1 1 2 . . o1")


def test_the_way_leads_around_the_enemy_castle() -> None:
    """SK-4.1: over it, 3,0 would cost 2."""
    state = drawn(
        """
        I  D1 C  .  o1
          .  .  .  .
        """
    )
    assert moves_of(state, "D1")["3,0"]["path"] == ["1,1", "2,1", "3,0"]
    assert moves_of(state, "D1")["3,0"]["cost"] == 3


def test_a_castle_that_the_enemy_stands_on_cannot_be_entered() -> None:
    """SK-4.1, SK-0.4."""
    state = drawn("I D1 . o1C")
    assert same_reach(state, "D1", "1 D1 1 o1C")


def test_the_hit_that_frees_the_castle_does_not_take_it() -> None:
    """SK-4.1: a piece must stop there; another that has not moved may."""
    state = drawn("I K1 K2 o1C o2", figures={"o1": {"hp": 1}}, d6=[4])
    act(state, "K2 x O1")
    assert state.result is None
    act(state, "K1 > 3,0")
    assert ended(state) == ("castle_taken", ("ivory",))


# --- army destroyed ---


def test_a_side_without_a_piece_on_the_board_loses_at_once() -> None:
    """SK-4.2."""
    state = drawn("I K1 o1 C", figures={"o1": {"hp": 1}}, d6=[4])
    events = act(state, "K1 x O1")
    assert kinds(events) == ["attacked", "damaged", "destroyed", "game_over"]
    assert events[-1] == {"type": "game_over", "side": "ivory", "reason": "army_destroyed"}
    assert ended(state) == ("army_destroyed", ("ivory",))


def test_crimson_can_destroy_the_army_of_ivory() -> None:
    """SK-4.2."""
    state = drawn("I S1 o1 C", figures={"S1": {"hp": 1}}, firstSide="crimson", d6=[4])
    act(state, "O1 x S1")
    assert ended(state) == ("army_destroyed", ("crimson",))


def test_one_piece_is_an_army() -> None:
    """SK-4.2: *no* piece; a dead General ends nothing."""
    state = drawn("I K1 s1 . g1 C", figures={"s1": {"hp": 1}}, d6=[4])
    act(state, "K1 x S1")
    assert (state.result, state.to_act) == (None, ("ivory",))


@pytest.mark.parametrize(("picture", "winner"), [("I K1 . C", "ivory"), ("I . o1 C", "crimson")])
def test_a_set_up_without_an_enemy_is_over_at_its_start(picture: str, winner: str) -> None:
    """SK-4.2."""
    state = drawn(picture)
    assert ended(state) == ("army_destroyed", (winner,))
    assert (state.to_act, legal(state), list(state.legal_actions(winner))) == ((), [], [])


# --- the turn limit ---


def turns_played(state: SkirmishState) -> list[tuple[int, str]]:
    """Turn and side of each turn until the end, or of the first 400, each only ended."""
    played: list[tuple[int, str]] = []
    while state.to_act and len(played) < 400:
        played.append((state.round, state.to_act[0]))
        act(state, "end")
    return played


@pytest.mark.parametrize("limit", [1, 2, 12])
@pytest.mark.parametrize("first", ["ivory", "crimson"])
def test_a_game_with_a_limit_has_just_that_many_turns(limit: int, first: str) -> None:
    """SK-4.3, C06: of each side."""
    state = drawn(QUIET, turnLimit=limit, firstSide=first)
    second = "crimson" if first == "ivory" else "ivory"
    assert turns_played(state) == [(n, side) for n in range(1, limit + 1) for side in (first, second)]
    assert ended(state) == ("turn_limit", ())


@pytest.mark.parametrize("side", ["ivory", "crimson"])
@pytest.mark.parametrize("first", ["ivory", "crimson"])
def test_a_game_begun_in_the_middle_ends_with_the_same_turn(first: str, side: str) -> None:
    """SK-4.3, C06: whatever came before."""
    state = drawn(QUIET, turnLimit=12, turn=11, firstSide=first, side=side)
    played = turns_played(state)
    assert played[0] == (11, side)
    assert len(played) == (4 if side == first else 3)
    assert played[-1] == (12, "crimson" if first == "ivory" else "ivory")
    assert ended(state) == ("turn_limit", ())


def test_a_limit_can_be_reached_in_the_very_first_turn() -> None:
    """SK-4.3, C06."""
    state = drawn(QUIET, turnLimit=3, turn=3, side="crimson")
    assert turns_played(state) == [(3, "crimson")]


def test_the_turn_number_stays_at_the_last_one_played() -> None:
    """SK-4.3, the contract's `round`."""
    state = drawn(QUIET, turnLimit=2)
    turns_played(state)
    assert (state.round, state.view(None)["turn"]) == (2, 2)


def test_a_draw_has_no_winner_and_half_a_point_for_each() -> None:
    """SK-4.3, the contract's result."""
    state = drawn(QUIET, turnLimit=1)
    assert kinds(act(state, "end")) == ["turn_ended"]
    events = act(state, "end")
    assert kinds(events) == ["turn_ended", "game_over"]
    assert events[0] == {"type": "turn_ended", "side": "crimson", "turn": 1, "next": None}, "SK-R11"
    assert events[-1] == {"type": "game_over", "side": "crimson", "reason": "turn_limit"}
    assert state.result
    assert state.result.to_data() == {
        "reason": "turn_limit",
        "winners": [],
        "ranking": [
            {"place": 1, "side": "ivory", "name": "Ivory", "score": 0.5},
            {"place": 1, "side": "crimson", "name": "the Crimson Horde", "score": 0.5},
        ],
    }


def test_a_castle_taken_in_the_last_turn_is_a_win() -> None:
    """SK-4.3: with nothing decided."""
    state = drawn("I . K1 . C o1", turnLimit=1)
    act(state, "K1 > 4,0")
    assert ended(state) == ("castle_taken", ("ivory",))


@pytest.mark.parametrize("setup", [{}, {"turnLimit": None}])
def test_without_a_limit_there_is_no_draw(setup: dict[str, Any]) -> None:
    """SK-4.3: Castle Siege; `null` or not given is none."""
    state = drawn(QUIET, **setup)
    assert len(turns_played(state)) == 400
    assert state.result is None


def test_no_troll_heals_after_the_last_turn() -> None:
    """SK-4.3, SK-3.8: there is no next turn."""
    state = drawn("I T1 . o1 C", figures={"T1": {"hp": 1}}, turnLimit=1)
    act(state, "end", "end")
    assert piece(state, "T1")["hp"] == 1


# --- win and loss ---


@pytest.mark.parametrize(("first", "winner", "loser"), [("ivory", 0, 1), ("crimson", 1, 0)])
def test_the_winner_has_place_one_and_one_point(first: str, winner: int, loser: int) -> None:
    """The contract's result: score is 1, 1/2 or 0; `winners` are all at place 1."""
    state = drawn("I K1 o1 C", figures={"K1": {"hp": 1}, "o1": {"hp": 1}}, firstSide=first, d6=[4])
    act(state, "K1 x O1" if first == "ivory" else "O1 x K1")
    sides, names = ("ivory", "crimson"), ("Ivory", "the Crimson Horde")
    assert rows(state) == [
        {"place": 1, "side": sides[winner], "name": names[winner], "score": 1},
        {"place": 2, "side": sides[loser], "name": names[loser], "score": 0},
    ]
    assert list(state.ranking()) == rows(state)


# --- afterwards ---

LAST_ACTIONS: dict[str, tuple[str, dict[str, Any], str]] = {
    "castle": ("I . K1 . C o1", {}, "K1 > 4,0"),
    "army": ("I K1 o1 . . C", {"figures": {"o1": {"hp": 1}}}, "K1 x O1"),
    "limit": ("I K1 o1 . . C", {"turnLimit": 4, "turn": 4, "side": "crimson"}, "end"),
}


@pytest.mark.parametrize("end", LAST_ACTIONS)
def test_after_the_end_nobody_acts_and_no_die_is_rolled(end: str) -> None:
    """SK-4.1, SK-4.2, SK-4.3, C05, C11."""
    picture, setup, last = LAST_ACTIONS[end]
    state = drawn(picture, d6=[4, 5, 6], **setup)
    act(state, last)
    before = state.to_data()
    assert state.to_act == ()
    for side in state.sides:
        assert list(state.legal_actions(side)) == []
        assert "the game is over" in state.why_idle(side)
        for notation in ("end", "K1 x O1", "K1 > 2,0"):
            with pytest.raises(Refusal) as refused:
                state.apply(side, state.parse_action(notation, side))
            assert refused.value.code is Code.GAME_OVER
    assert state.to_data() == before


@pytest.mark.parametrize("end", LAST_ACTIONS)
def test_a_record_verifies_on_its_last_action(end: str) -> None:
    """SK-6.2, C05."""
    picture, setup, last = LAST_ACTIONS[end]
    state = drawn(picture, d6=[4], **setup)
    recording = Recording.begin(state, {}, 1, [])
    recording.apply(state.to_act[0], state.parse_action(last))
    record = recording.to_data()
    assert record["result"] is not None
    assert verify(record).ok
    assert [event["type"] for event in record["events"]][-1] == "game_over"


def test_dice_are_rolled_for_attacks_alone() -> None:
    """C05: loaded dice that nobody has needed are still there at the end."""
    state = drawn("I . K1 . C o1", d6=[4, 5, 6])
    act(state, "K1 > 3,0", "end", "end", "K1 > 4,0")
    assert state.to_data()["dice"]["loaded"] == {"d6": [4, 5, 6]}
    assert state.to_data()["dice"]["draws"] == 0


# --- cut off ---


def test_a_game_that_is_cut_off_is_reported_apart() -> None:
    """SK-4.4: `truncated`, no winners, both level; and it is no rule: the state goes on."""
    state = drawn(QUIET)
    recording = Recording.begin(state, {}, 1, [])
    recording.apply("ivory", state.parse_action("end"))
    result = recording.truncate()
    assert (result.reason, result.winners) == ("truncated", ())
    assert [(row["place"], row["score"]) for row in result.ranking] == [(1, 0.5), (1, 0.5)]
    assert verify(recording.to_data()).ok
    assert state.result is None
    assert state.to_act == ("crimson",)


def test_nothing_is_decided_by_numbers() -> None:
    """SK-4.2, SK-4.3: at the limit the larger army has a draw too."""
    state = drawn("I K1 K2 K3 o1 C", turnLimit=1)
    act(state, "end", "end")
    assert ended(state) == ("turn_limit", ())
    assert figures_of(state, "side")["o1"] == "crimson"


def test_the_board_at_the_end_is_as_the_last_action_left_it() -> None:
    """SK-4.1."""
    state = drawn("I . K1 . C o1")
    act(state, "K1 > 4,0")
    assert same_board(state, "I . . . K1C o1")
