"""SK-3: who may be attacked, when an attack hits and what a hit does. The abilities have their own file."""

from __future__ import annotations

from itertools import product

import pytest
from tests.games.skirmish.drawing import act, drawn, kinds, legal, only, piece, same_board, targets_of

from livingtable.errors import Refusal

RANGES = [("K", 1), ("A", 3), ("W", 2), ("G", 1), ("O", 1), ("T", 1), ("D", 2), ("S", 1)]

# --- targets ---


@pytest.mark.parametrize(("kind", "reach"), RANGES)
def test_a_target_is_an_enemy_within_range(kind: str, reach: int) -> None:
    """SK-3.1: hex distance at most the range; enemies stand at 1, 2, 3 and 4."""
    state = drawn(f"I {kind}1 o1 o2 o3 o4 C")
    assert targets_of(state, f"{kind}1") == ["o1", "o2", "o3", "o4"][:reach]


def test_range_is_measured_in_hexes_all_around() -> None:
    """SK-3.1: the Wizard's two rings."""
    state = drawn(
        """
        I  o1 o2 o3 .
          o4 o5 o6 o7 .
        o8 o9 W1 .  .
          .  .  .  .  .
        .  .  .  .  C
        """
    )
    assert targets_of(state, "W1") == ["o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9"]


def test_what_is_just_out_of_range_is_refused_with_the_distance() -> None:
    """SK-3.1, SK-6.3."""
    state = drawn("I W1 . . o1 C")
    with pytest.raises(Refusal, match="3 hexes away, beyond the range of 2"):
        act(state, "W1 x O1")


def test_friends_are_no_targets() -> None:
    """SK-3.1."""
    state = drawn("I K1 G1 . o1 C")
    assert targets_of(state, "K1") == []
    with pytest.raises(Refusal, match="same side"):
        state.apply("ivory", state.parse_action({"type": "attack", "attackerId": "ivory-K1", "defenderId": "ivory-G1"}))


def test_the_destroyed_are_no_targets() -> None:
    """SK-3.1, SK-3.6."""
    state = drawn("I W1 o1 K1 o2 C", figures={"o1": {"hp": 1}}, d6=[6])
    act(state, "W1 x O1")
    with pytest.raises(Refusal, match="destroyed"):
        act(state, "K1 x O1")


# --- to hit ---


@pytest.mark.parametrize("roll", range(1, 7))
def test_on_open_ground_four_or_better_hits(roll: int) -> None:
    """SK-3.1: one d6."""
    attacked = only(act(drawn("I K1 o1 C", d6=[roll]), "K1 x O1"), "attacked")
    assert (attacked["roll"], attacked["modifier"], attacked["needed"]) == (roll, 0, 4)
    assert attacked["hit"] == (roll >= 4)


def test_an_attack_takes_one_die() -> None:
    """SK-3.1: the second attack rolls the second one."""
    state = drawn("I K1 o1 K2 C", d6=[2, 5])
    assert [only(act(state, f"K{n} x O1"), "attacked")["roll"] for n in (1, 2)] == [2, 5]


@pytest.mark.parametrize("sign", "F^")
@pytest.mark.parametrize("roll", range(1, 7))
def test_in_forest_and_on_hills_five_or_better_hits(sign: str, roll: int) -> None:
    """SK-3.2."""
    attacked = only(act(drawn(f"I K1 o1{sign} C", d6=[roll]), "K1 x O1"), "attacked")
    assert (attacked["needed"], attacked["hit"]) == (5, roll >= 5)


@pytest.mark.parametrize("sign", [".", "=", "C"])
def test_other_ground_shelters_nobody(sign: str) -> None:
    """SK-3.2: plain, road and castle."""
    picture = f"I K1 o1{sign}" if sign == "C" else f"I K1 o1{sign} C"
    assert only(act(drawn(picture, d6=[4]), "K1 x O1"), "attacked")["needed"] == 4


@pytest.mark.parametrize("sign", "F^")
def test_the_ground_of_the_attacker_does_not_matter(sign: str) -> None:
    """SK-3.2: a *defender* in forest or on a hill."""
    assert only(act(drawn(f"I K1{sign} o1 C", d6=[4]), "K1 x O1"), "attacked")["needed"] == 4


@pytest.mark.parametrize("sign", ".F^")
def test_a_wizard_ignores_the_shelter(sign: str) -> None:
    """SK-3.2."""
    attacked = only(act(drawn(f"I W1 . o1{sign} C", d6=[4]), "W1 x O1"), "attacked")
    assert (attacked["needed"], attacked["hit"]) == (4, True)


def test_a_wizard_as_defender_is_sheltered() -> None:
    """SK-3.2: it is the *attacking* Wizard who ignores it."""
    assert only(act(drawn("I K1 w1F C", d6=[4]), "K1 x W1"), "attacked")["needed"] == 5


@pytest.mark.parametrize(
    ("roll", "charge", "leaderless", "sheltered"),
    [*product(range(1, 7), (False, True), (False, True), (False, True))],
)
def test_the_modifiers_add_up(roll: int, charge: bool, leaderless: bool, sheltered: bool) -> None:
    """SK-3.5: hit when d6 + charge - leaderless >= 4 or 5, and no natural 1 or 6 rule."""
    figures = {"K1": {"moved": True, "hexesMoved": 3}} if charge else {}
    ground = "F" if sheltered else "."
    state = drawn(f"I K1 o1{ground} C", figures=figures, leaderless={"ivory": leaderless}, d6=[roll])
    attacked = only(act(state, "K1 x O1"), "attacked")
    needed = 5 if sheltered else 4
    assert (attacked["modifier"], attacked["needed"]) == (charge - leaderless, needed)
    assert type(attacked["modifier"]) is int
    assert attacked["hit"] is (roll + charge - leaderless >= needed)


# --- what a hit does ---


def test_a_hit_takes_one_hp() -> None:
    """SK-3.6."""
    state = drawn("I K1 o1 C", d6=[6])
    events = act(state, "K1 x O1")
    assert kinds(events) == ["attacked", "damaged"]
    assert events[1] == {"type": "damaged", "side": "ivory", "pieceId": "crimson-O1", "hp": 1}
    assert piece(state, "o1")["hp"] == 1


def test_a_miss_takes_nothing() -> None:
    """SK-3.6."""
    state = drawn("I K1 o1 C", d6=[3])
    assert kinds(act(state, "K1 x O1")) == ["attacked"]
    assert piece(state, "o1")["hp"] == 2


def test_at_zero_hp_the_piece_is_removed() -> None:
    """SK-3.6: it is in no list and on no board any more."""
    state = drawn("I K1 o1 . o2 C", figures={"o1": {"hp": 1}}, d6=[4])
    events = act(state, "K1 x O1")
    assert kinds(events) == ["attacked", "damaged", "destroyed"]
    assert events[1]["hp"] == 0
    assert events[2] == {"type": "destroyed", "side": "ivory", "pieceId": "crimson-O1"}
    assert same_board(state, "I K1 . . o2 C")
    assert "O1" not in state.board(None)
    act(state, "end")
    assert not [line for line in legal(state) if line.startswith("O1")]


def test_who_attacks_stays_where_it_is() -> None:
    """SK-3.6: nobody advances into the hex of the destroyed."""
    state = drawn("I K1 o1 . o2 C", figures={"o1": {"hp": 1}}, d6=[4])
    act(state, "K1 x O1")
    assert piece(state, "K1")["hex"] == "1,0"


@pytest.mark.parametrize(("kind", "hits"), [("o", 2), ("t", 3), ("d", 3), ("a", 2)])
def test_it_takes_as_many_hits_as_the_figure_says(kind: str, hits: int) -> None:
    """SK-3.6, SK-0.3."""
    state = drawn(f"K1I {kind}1 K2 o9 C\n" + "K3  . . . .", d6=[4] * hits)
    events = [event for n in range(1, hits + 1) for event in act(state, f"K{n} x {kind.upper()}1")]
    assert kinds(events).count("destroyed") == 1
    assert kinds(events)[-1] == "destroyed"


def test_the_event_of_an_attack_tells_all_of_it() -> None:
    """SK-3.5, the contract's event."""
    state = drawn("I K1 o1F C", figures={"K1": {"moved": True, "hexesMoved": 4}}, d6=[4])
    assert act(state, "K1 x O1")[0] == {
        "type": "attacked",
        "side": "ivory",
        "attackerId": "ivory-K1",
        "defenderId": "crimson-O1",
        "roll": 4,
        "modifier": 1,
        "needed": 5,
        "hit": True,
    }
