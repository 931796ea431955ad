"""FX-4.6: players on a beam's field, and how paralysis and hats count."""

from __future__ import annotations

import pytest
from tests.games.foxhunt.drawing import cut, drawn, figures_of, fox_of, kinds, legal, named, only, play, player

from livingtable.games.foxhunt import FoxhuntState

HIT = """
    1  W  W
    W  W  W
    2a _  _
    """
"""A bomb goes off under p2; p1 is far away."""


def rounds_without(state: FoxhuntState, side: str, most: int = 12) -> list[int]:
    """The numbers of the next rounds in which the player may do nothing."""
    idle: list[int] = []
    for _ in range(most):
        if side not in state.to_act:
            idle.append(state.round)
        play(state)
    return idle


@pytest.mark.parametrize("paralysis", [0, 1, 3, 7])
def test_who_is_hit_in_round_n_does_nothing_in_rounds_n_plus_1_to_n_plus_paralysis(paralysis: int) -> None:
    """FX-4.6: with 0 in none."""
    state = drawn(HIT, paralysis=paralysis)
    assert only(play(state), "paralysed") == {"type": "paralysed", "side": "p2", "rounds": paralysis}
    assert rounds_without(state, "p2") == list(range(2, 2 + paralysis))


def test_what_is_left_of_paralysis_counts_down() -> None:
    """FX-4.2: the current round included."""
    state = drawn(HIT)
    seen: list[int] = []
    for _ in range(6):
        seen.append(player(state, "p2")["paralysed"])
        play(state)
    assert seen == [0, 3, 2, 1, 0, 0]


def test_the_paralysis_of_a_set_up_counts_the_current_round() -> None:
    """FX-4.2."""
    state = drawn(HIT.replace("2a", "2 "), figures={"p2": {"paralysed": 2}})
    assert rounds_without(state, "p2") == [1, 2]


def test_all_players_on_one_field_are_hit() -> None:
    """C27, FX-4.6: in seat order."""
    state = drawn(HIT.replace("2a", "32a"))
    assert [event["side"] for event in named(play(state), "paralysed")] == ["p2", "p3"]


def test_a_player_where_beams_cross_is_hit_once() -> None:
    """FX-R18."""
    state = drawn(
        """
        1  W  b
        W  W  _
        a  _  2
        """,
        figures={"a": {"range": 2}, "b": {"range": 2}},
    )
    assert len(named(play(state), "paralysed")) == 1


def test_the_owner_of_a_bomb_is_hit_by_it() -> None:
    """FX-4.6."""
    state = drawn(HIT.replace("2a", "2 "), fuse=0)
    assert only(play(state, p2="bomb"), "paralysed")["side"] == "p2"


def test_the_fox_is_hit_and_stays_the_fox() -> None:
    """FX-4.6."""
    state = drawn(HIT, fox="p2")
    assert only(play(state), "paralysed")["side"] == "p2"
    assert fox_of(state) == "p2"


def test_who_moves_onto_a_beam_is_hit_and_who_moves_off_is_not() -> None:
    """FX-4.6, FX-2: where they stand after the moves."""
    state = drawn(
        """
        1  W  W  W
        W  W  W  W
        a  2  3  _
        """
    )
    assert [event["side"] for event in named(play(state, p2="move E", p3="move W"), "paralysed")] == ["p3"]


def test_who_is_hit_loses_all_collected_specials() -> None:
    """FX-4.6: range and bomb count are back at the start's."""
    state = drawn(
        HIT.replace("2a _  _", "2  a  _"), figures={"p2": {"range": 7, "bombs": 5}}, startRange=2, startBombs=3
    )
    play(state)
    assert (player(state, "p2")["range"], player(state, "p2")["bombs"]) == (2, 3)


def test_the_others_keep_their_specials() -> None:
    """FX-4.6."""
    state = drawn(HIT, figures={"p1": {"range": 7, "bombs": 5}})
    play(state)
    assert (player(state, "p1")["range"], player(state, "p1")["bombs"]) == (7, 5)


def test_points_are_not_lost() -> None:
    """FX-4.6."""
    state = drawn(HIT, figures={"p2": {"points": 12}})
    play(state)
    assert player(state, "p2")["points"] == 12


def test_being_hit_again_while_paralysed_starts_the_count_again() -> None:
    """FX-4.6: hit in rounds 1 and 3, so idle in rounds 2 to 6."""
    state = drawn(HIT.replace("2a _", "2a b"), figures={"a": {"range": 0}, "b": {"fuse": 2}})
    assert [len(named(play(state), "paralysed")) for _ in range(3)] == [1, 0, 1]
    assert state.round == 4
    assert player(state, "p2")["paralysed"] == 3
    assert rounds_without(state, "p2") == [4, 5, 6]


def test_the_count_starts_again_even_if_more_was_left() -> None:
    """FX-4.6, FX-R10: a set-up may have paralysed somebody for longer."""
    state = drawn(HIT, figures={"p2": {"paralysed": 9}})
    play(state)
    assert player(state, "p2")["paralysed"] == 3


# --- hats ---


def test_with_a_hat_a_player_is_unharmed() -> None:
    """FX-4.6."""
    state = drawn(HIT, figures={"p2": {"hat": 1, "range": 4, "bombs": 3}})
    events = play(state)
    assert only(events, "protected") == {"type": "protected", "side": "p2"}
    assert named(events, "paralysed") == []
    assert (player(state, "p2")["range"], player(state, "p2")["bombs"]) == (4, 3)
    assert "p2" in state.to_act


def test_a_beam_does_not_use_up_a_hat() -> None:
    """FX-4.6, FX-6.1."""
    state = drawn(HIT.replace("2a _", "2a b"), figures={"p2": {"hat": 3}, "a": {"range": 0}, "b": {"fuse": 2}})
    assert [kinds(play(state)).count("protected") for _ in range(3)] == [1, 0, 1]


def test_a_hat_does_not_end_paralysis() -> None:
    """FX-4.6: it keeps off beams only."""
    state = drawn(HIT.replace("2a", "2 "), figures={"p2": {"hat": 9, "paralysed": 2}})
    assert legal(state, "p2") == []
    assert rounds_without(state, "p2") == [1, 2]


def test_who_is_hit_without_a_hat_beside_one_with_a_hat() -> None:
    """FX-4.6: in seat order."""
    state = drawn(HIT.replace("2a", "32a"), figures={"p2": {"hat": 1}})
    assert [(e["side"], e["type"]) for e in play(state) if e["type"] in ("paralysed", "protected")] == [
        ("p2", "protected"),
        ("p3", "paralysed"),
    ]


def protected_in(state: FoxhuntState, side: str, rounds: int) -> list[int]:
    """The rounds in which a bomb that the other one lays under the player would not hurt it: each is tried out apart
    from the game, which goes on with nobody doing anything."""
    safe: list[int] = []
    for _ in range(rounds):
        data = state.to_data()
        where = player(state, side)["position"]
        bomb = {"position": where, "owner": side, "range": 0, "fuse": 0}
        tried = FoxhuntState.from_data({**data, "bombs": [bomb]})
        if named(cut(tried), "protected"):
            safe.append(state.round)
        cut(state)
    return safe


@pytest.mark.parametrize("hat", [0, 1, 5])
def test_a_hat_picked_up_in_round_n_protects_in_rounds_n_to_n_plus_hat(hat: int) -> None:
    """FX-6.1, FX-4.6: picked up in round 3."""
    state = drawn(
        """
        1  W  W
        W  W  W
        2  H  _
        """,
        hat=hat,
    )
    play(state)
    play(state)
    data = state.to_data()
    bomb = {"position": "1,2", "owner": "p1", "range": 0, "fuse": 0}
    same_round = FoxhuntState.from_data({**data, "bombs": [bomb]})
    assert named(play(same_round, p2="move E"), "protected"), "in the round itself"
    play(state, p2="move E")
    assert player(state, "p2")["hat"] == hat
    assert protected_in(state, "p2", 9) == list(range(4, 4 + hat))


def test_the_hat_of_a_set_up_counts_the_current_round() -> None:
    """FX-4.2."""
    state = drawn(HIT.replace("2a", "2 "), figures={"p2": {"hat": 2}})
    assert protected_in(state, "p2", 5) == [1, 2]


def test_a_new_hat_starts_the_count_again() -> None:
    """FX-6.1: 5 more rounds, not 5 and what was left."""
    state = drawn(
        """
        1  W  W  W
        W  W  W  W
        2  H  H  _
        """
    )
    play(state, p2="move E")
    assert player(state, "p2")["hat"] == 5
    play(state)
    assert player(state, "p2")["hat"] == 4
    play(state, p2="move E")
    assert player(state, "p2")["hat"] == 5


def test_hats_go_by_themselves_for_the_others_too() -> None:
    """FX-2, step 7."""
    state = drawn(HIT.replace("2a", "2 "), figures={"p1": {"hat": 1}, "p2": {"hat": 3}})
    seen: list[tuple[int, int]] = []
    for _ in range(4):
        hats = figures_of(state, "hat")
        seen.append((hats["p1"], hats["p2"]))
        play(state)
    assert seen == [(1, 3), (0, 2), (0, 1), (0, 0)]
