"""SK-3.9: the fear of the Dragon."""

from __future__ import annotations

import pytest
from tests.games.skirmish.drawing import act, afraid, drawn, kinds, legal, named, only, piece, targets_of

from livingtable.errors import Code, Refusal
from livingtable.games.skirmish import SkirmishState

BESIDE = """
    I  .  .  .  .  .
      .  K1 d1 .  .
    .  G1 G2 .  .  C
    """
"""K1 and G2 stand beside the Dragon, G1 does not."""


def frightened(picture: str = BESIDE, target: str = "K1", roll: int = 3) -> SkirmishState:
    """Crimson's Dragon has attacked, and it is ivory's turn."""
    state = drawn(picture, firstSide="crimson", d6=[roll, 1, 1, 1])
    act(state, f"D1 x {target}", "end")
    return state


# --- who is afraid ---


@pytest.mark.parametrize("roll", [1, 6], ids=["miss", "hit"])
def test_after_a_dragons_attack_the_enemies_beside_it_are_afraid(roll: int) -> None:
    """SK-3.9: hit or miss; the attacked piece is included."""
    state = drawn(BESIDE, firstSide="crimson", d6=[roll])
    events = act(state, "D1 x K1")
    assert kinds(events) == (["attacked", "damaged", "afraid"] if roll == 6 else ["attacked", "afraid"])
    assert only(events, "afraid")["pieceIds"] == ["ivory-K1", "ivory-G2"]
    assert afraid(state) == ["K1", "G2"]


def test_an_attacked_piece_that_is_not_adjacent_is_not_afraid() -> None:
    """SK-3.9: a Dragon has range 2."""
    state = drawn("I K1 . d1 G1 C", firstSide="crimson", d6=[6])
    act(state, "D1 x K1")
    assert afraid(state) == ["G1"]


def test_with_nobody_adjacent_nobody_is_afraid() -> None:
    """SK-3.9: and no event says so."""
    state = drawn("I K1 . d1 . C", firstSide="crimson", d6=[6])
    assert kinds(act(state, "D1 x K1")) == ["attacked", "damaged"]
    assert afraid(state) == []


def test_an_attacked_piece_that_dies_is_not_afraid() -> None:
    """SK-3.9: if it lives."""
    state = drawn(BESIDE, firstSide="crimson", figures={"K1": {"hp": 1}}, d6=[6])
    events = act(state, "D1 x K1")
    assert kinds(events) == ["attacked", "damaged", "destroyed", "afraid"]
    assert only(events, "afraid")["pieceIds"] == ["ivory-G2"]


def test_the_dragons_own_side_is_not_afraid() -> None:
    """SK-3.9: each *enemy*."""
    state = drawn("I K1 d1 o1 C", firstSide="crimson", d6=[3])
    act(state, "D1 x K1")
    assert afraid(state) == ["K1"]


def test_a_dragon_that_does_not_attack_frightens_nobody() -> None:
    """SK-3.9: after a Dragon *attacks*."""
    state = drawn("I K1 . d1 C", firstSide="crimson")
    act(state, "D1 > 2,0", "end")
    assert afraid(state) == []
    assert targets_of(state, "K1") == ["d1"]


@pytest.mark.parametrize("kind", "kawgots")
def test_nobody_else_frightens(kind: str) -> None:
    """SK-3.9: a *Dragon*."""
    state = drawn(f"I K1 {kind}1 C", firstSide="crimson", d6=[6])
    act(state, f"{kind.upper()}1 x K1")
    assert afraid(state) == []


def test_who_stood_beside_it_before_its_move_is_not_afraid() -> None:
    """SK-3.9: *then* adjacent; it moves first, from G1 to K1."""
    state = drawn(
        """
        I  K1 .  .  d1 G1
          .  .  .  .  C
        """,
        firstSide="crimson",
        d6=[3],
    )
    act(state, "D1 > 2,0", "D1 x K1")
    assert afraid(state) == ["K1"]


def test_whom_it_comes_to_after_its_attack_is_not_afraid() -> None:
    """SK-3.9: it attacks first, then moves from K1 to G1; K1 stays afraid without it."""
    state = drawn(
        """
        I  K1 d1 .  .  G1
          .  .  .  .  C
        """,
        firstSide="crimson",
        d6=[3],
    )
    act(state, "D1 x K1", "D1 > 4,0")
    assert afraid(state) == ["K1"]


def test_ivorys_dragon_frightens_crimson() -> None:
    """SK-3.9: either side's."""
    state = drawn("I D1 o1 C", d6=[3])
    act(state, "D1 x O1", "end")
    assert afraid(state) == ["o1"]
    assert targets_of(state, "o1") == []


def test_two_dragons_frighten_each_its_neighbours() -> None:
    """SK-3.9."""
    state = drawn("I K1 d1 . d2 G1 C", firstSide="crimson", d6=[3, 3])
    act(state, "D1 x K1", "D2 x G1")
    assert afraid(state) == ["K1", "G1"]


# --- what fear does ---


def test_who_is_afraid_may_not_attack_in_its_next_turn() -> None:
    """SK-3.9."""
    state = frightened()
    assert targets_of(state, "K1") == []
    before = state.to_data()
    with pytest.raises(Refusal, match="afraid of the Dragon and must move") as refused:
        act(state, "K1 x D1")
    assert refused.value.code is Code.ILLEGAL_ACTION
    assert state.to_data() == before


def test_the_others_of_its_side_may_attack() -> None:
    """SK-3.9: A1 stands two hexes away."""
    state = frightened("I K1 d1 . A1 C")
    assert targets_of(state, "A1") == ["d1"]


def test_who_is_afraid_may_move() -> None:
    """SK-3.9."""
    state = frightened()
    assert "K1 > 1,0" in legal(state)


def test_who_is_afraid_may_attack_when_it_has_moved_first() -> None:
    """SK-3.9: the Dragon too."""
    state = frightened()
    act(state, "K1 > 2,0")
    assert targets_of(state, "K1") == ["d1"]
    assert kinds(act(state, "K1 x D1")) == ["attacked"]


def test_the_mark_ends_with_the_move() -> None:
    """SK-3.9: the piece's move in that turn; the other's mark stays."""
    state = frightened()
    act(state, "K1 > 2,0")
    assert afraid(state) == ["G2"]


def test_the_mark_ends_with_that_turn() -> None:
    """SK-3.9: unmoved, it attacks in the turn after."""
    state = frightened()
    act(state, "end")
    assert afraid(state) == []
    act(state, "end")
    assert targets_of(state, "K1") == ["d1"]


def test_the_mark_does_not_end_with_the_dragons_turn() -> None:
    """SK-3.9: the *next* turn of its own side."""
    state = drawn(BESIDE, firstSide="crimson", d6=[3])
    act(state, "D1 x K1", "end")
    assert afraid(state) == ["K1", "G2"]


def test_a_dragon_that_attacks_each_turn_frightens_each_turn() -> None:
    """SK-3.9."""
    state = frightened()
    act(state, "end", "D1 x K1", "end")
    assert targets_of(state, "K1") == []


def test_the_mark_stays_when_the_dragon_is_gone() -> None:
    """SK-3.9: A1, from afar, destroys it; K1 is still afraid of it and of all others."""
    state = drawn(
        """
        I  o1 K1 d1 .  A1
          .  .  .  .  C
        """,
        firstSide="crimson",
        figures={"d1": {"hp": 1}},
        d6=[3, 4],
    )
    act(state, "D1 x K1", "end", "A1 x D1")
    assert afraid(state) == ["K1"]
    assert targets_of(state, "K1") == []


def test_who_is_afraid_and_cannot_move_can_do_nothing() -> None:
    """SK-3.9: walled in by mountains and the Dragon."""
    state = frightened(
        """
        M  M  M  I
          M  K1 d1 .
        M  M  M  C
        """
    )
    assert legal(state) == ["end"]


def test_an_archer_that_is_afraid_moves_and_then_attacks_once() -> None:
    """SK-3.9, SK-3.7: its volley is gone with the move."""
    state = frightened("I . A1 d1 C", target="A1")
    assert targets_of(state, "A1") == []
    act(state, "A1 > 1,0")
    assert targets_of(state, "A1") == ["d1"]
    act(state, "A1 x D1")
    assert legal(state) == ["end"]


def test_a_knight_that_is_afraid_charges_when_it_comes_from_afar() -> None:
    """SK-3.9, SK-3.3: the mark takes nothing from the die."""
    state = drawn("I K1 . . . d1 C", figures={"K1": {"afraid": True}}, d6=[3])
    act(state, "K1 > 4,0")
    assert only(act(state, "K1 x D1"), "attacked")["hit"]


def test_a_set_up_can_begin_with_fear() -> None:
    """SK-3.9: `afraid` in a set-up is the mark."""
    state = drawn("I K1 o1 C", figures={"K1": {"afraid": True}})
    assert piece(state, "K1")["afraid"]
    assert targets_of(state, "K1") == []


def test_the_last_enemy_destroyed_by_a_dragon_leaves_nobody_to_fear_it() -> None:
    """SK-3.9, SK-4.2."""
    state = drawn("I K1 d1 C", firstSide="crimson", figures={"K1": {"hp": 1}}, d6=[6])
    events = act(state, "D1 x K1")
    assert kinds(events) == ["attacked", "damaged", "destroyed", "game_over"]
    assert named(events, "afraid") == []
