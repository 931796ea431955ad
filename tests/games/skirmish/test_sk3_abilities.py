"""SK-3: Charge, leaderless, Volley, Regenerate."""

from __future__ import annotations

import pytest
from tests.games.skirmish.drawing import act, drawn, figures_of, kinds, legal, named, only, piece, targets_of

from livingtable.errors import Refusal
from livingtable.games.skirmish import SkirmishState

# --- Charge ---

RUN_UP = "I K1 . . . . o1 C"


def charge_after(hexes: int, kind: str = "K") -> int:
    """The modifier of an attack after entering so many hexes in a straight line, the enemy beside the last of them."""
    state = drawn(f"I {kind}1 {'. ' * hexes}o1 C", d6=[3])
    if hexes:
        act(state, f"{kind}1 > {1 + hexes},0")
    return only(act(state, f"{kind}1 x O1"), "attacked")["modifier"]


@pytest.mark.parametrize(("hexes", "modifier"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_knight_charges_after_three_or_more_hexes(hexes: int, modifier: int) -> None:
    """SK-3.3."""
    assert charge_after(hexes) == modifier


def test_a_charge_hits_with_a_three() -> None:
    """SK-3.3: +1 on the die."""
    state = drawn("I K1 . . . o1 C", d6=[3])
    act(state, "K1 > 4,0")
    assert only(act(state, "K1 x O1"), "attacked")["hit"]


@pytest.mark.parametrize("kind", "AWGODS")
def test_nobody_else_charges(kind: str) -> None:
    """SK-3.3: a Knight; all the others that can move 3 hexes."""
    assert charge_after(3, kind) == 0


def test_hexes_count_not_points() -> None:
    """SK-3.3: forest and plain are 3 points but two hexes."""
    state = drawn("I K1 F . o1 C", d6=[3])
    assert only(act(state, "K1 > 3,0"), "moved")["cost"] == 3
    assert only(act(state, "K1 x O1"), "attacked")["modifier"] == 0


def test_the_longer_of_two_equally_cheap_ways_makes_the_charge() -> None:
    """SK-3.3, SK-2.2: beside the forest there is a way of three hexes."""
    state = drawn(
        """
        I  K1 F  .  o1 C
          .  .  .  .
        """,
        d6=[3],
    )
    act(state, "K1 > 3,0")
    assert only(act(state, "K1 x O1"), "attacked")["modifier"] == 1


def test_an_attack_before_the_move_is_no_charge() -> None:
    """SK-3.3: the hexes of a move that comes after the attack do not count."""
    state = drawn("I . . . K1 o1 C", d6=[3])
    assert only(act(state, "K1 x O1"), "attacked")["modifier"] == 0
    act(state, "K1 > 1,0")
    assert legal(state) == ["end"]


def test_a_move_of_the_last_turn_is_no_charge() -> None:
    """SK-3.3: *this* turn."""
    state = drawn("I K1 . . . o1 C", d6=[3])
    act(state, "K1 > 4,0", "end", "end")
    assert only(act(state, "K1 x O1"), "attacked")["modifier"] == 0


def test_crimsons_knights_charge_too() -> None:
    """SK-3.3."""
    state = drawn("I G1 . . . k1 C", firstSide="crimson", d6=[3])
    act(state, "K1 > 2,0")
    assert only(act(state, "K1 x G1"), "attacked")["modifier"] == 1


# --- leaderless ---

LAST_STAND = "I K1 o1 s1 A1 . o2 C"


def leaderless(state: SkirmishState) -> dict[str, bool]:
    return state.view(None)["leaderless"]


def test_a_side_whose_general_dies_is_leaderless() -> None:
    """SK-3.4."""
    state = drawn(LAST_STAND, figures={"s1": {"hp": 1}}, d6=[4])
    assert leaderless(state) == {"ivory": False, "crimson": False}
    act(state, "A1 x S1")
    assert leaderless(state) == {"ivory": False, "crimson": True}


def test_a_wounded_general_leads() -> None:
    """SK-3.4: dead, not hurt."""
    state = drawn(LAST_STAND, d6=[4])
    act(state, "A1 x S1")
    assert leaderless(state) == {"ivory": False, "crimson": False}


def test_every_die_of_a_leaderless_side_has_one_less() -> None:
    """SK-3.4: 4 misses, 5 hits; the other side's dice are as before."""
    state = drawn(LAST_STAND, figures={"s1": {"hp": 1}}, d6=[4, 3, 4, 5])
    act(state, "A1 x S1")
    assert only(act(state, "A1 x O2"), "attacked")["modifier"] == 0
    act(state, "end")
    first, second = named(act(state, "O1 x K1", "O2 > 5,0", "O2 x A1"), "attacked")
    assert [(e["roll"], e["modifier"], e["hit"]) for e in (first, second)] == [(4, -1, False), (5, -1, True)]


def test_it_lasts_for_the_rest_of_the_game() -> None:
    """SK-3.4."""
    state = drawn(LAST_STAND, figures={"s1": {"hp": 1}}, d6=[4, 4])
    act(state, "A1 x S1", *["end"] * 7)
    assert only(act(state, "O1 x K1"), "attacked")["modifier"] == -1


def test_ivory_without_its_general_is_leaderless_at_once() -> None:
    """SK-3.4: from its next turn's first die on."""
    state = drawn("I S1 o1 . K1 o2 C", figures={"S1": {"hp": 1}}, firstSide="crimson", d6=[4, 4])
    act(state, "O1 x S1", "end")
    assert leaderless(state) == {"ivory": True, "crimson": False}
    assert only(act(state, "K1 x O2"), "attacked")["hit"] is False


def test_a_side_that_never_had_a_general_is_not_leaderless() -> None:
    """SK-3.4, its ruling."""
    state = drawn("I K1 o1 o2 C", figures={"o1": {"hp": 1}}, d6=[4, 4])
    act(state, "K1 x O1")
    assert leaderless(state) == {"ivory": False, "crimson": False}
    assert only(act(drawn("I K1 o1 C", d6=[4]), "K1 x O1"), "attacked")["modifier"] == 0


def test_a_scenario_can_begin_leaderless() -> None:
    """SK-3.4: `leaderless`, its General has died before."""
    state = drawn("I K1 o1 C", leaderless={"ivory": True}, d6=[4])
    assert leaderless(state) == {"ivory": True, "crimson": False}
    assert only(act(state, "K1 x O1"), "attacked")["hit"] is False


def test_with_two_generals_a_side_is_leaderless_when_the_last_has_died() -> None:
    """SK-3.4, SK-R1."""
    state = drawn("I A1 s1 s2 K1 o1 C", figures={"s1": {"hp": 1}, "s2": {"hp": 1}}, d6=[4, 4])
    act(state, "A1 x S1")
    assert leaderless(state) == {"ivory": False, "crimson": False}
    act(state, "K1 x S2")
    assert leaderless(state) == {"ivory": False, "crimson": True}


# --- Volley ---

SHOOTING = "I . A1 . . o1 o2 C"


def archer_may(state: SkirmishState) -> tuple[bool, bool]:
    """Whether it may attack, and whether it may move."""
    return targets_of(state, "A1") != [], any(line.startswith("A1 >") for line in legal(state))


@pytest.mark.parametrize(
    ("done", "attack", "move"),
    [
        ([], True, True),
        (["x"], True, True),
        (["x", "x"], False, False),
        ([">"], True, False),
        ([">", "x"], False, False),
        (["x", ">"], False, False),
    ],
    ids=["nothing", "attack", "two attacks", "move", "move, attack", "attack, move"],
)
def test_an_archer_attacks_twice_if_it_does_not_move(done: list[str], attack: bool, move: bool) -> None:
    """SK-3.7: what is left to it after each order of moves and attacks."""
    state = drawn(SHOOTING, d6=[1, 1])
    act(state, *({"x": "A1 x O1", ">": "A1 > 3,0"}[what] for what in done))
    assert archer_may(state) == (attack, move)


def test_the_two_attacks_may_have_two_targets() -> None:
    """SK-3.7."""
    state = drawn("I A1 . o1 o2 C", d6=[4, 4])
    act(state, "A1 x O1", "A1 x O2")
    assert figures_of(state, "hp") == {"A1": 2, "o1": 1, "o2": 1}


def test_others_may_act_between_the_two_attacks() -> None:
    """SK-3.7, SK-1.2."""
    state = drawn("I A1 K1 o1 . C", d6=[1, 1, 1])
    act(state, "A1 x O1", "K1 x O1", "A1 x O1")
    assert piece(state, "A1")["attacksMade"] == 2


def test_a_third_attack_is_refused() -> None:
    """SK-3.7."""
    state = drawn(SHOOTING, d6=[1, 1, 1])
    act(state, "A1 x O1", "A1 x O1")
    with pytest.raises(Refusal, match="attacked"):
        act(state, "A1 x O1")


def test_an_archer_that_has_moved_is_told_why_it_attacks_once() -> None:
    """SK-3.7, SK-6.3."""
    state = drawn(SHOOTING, d6=[1])
    act(state, "A1 > 3,0", "A1 x O1")
    with pytest.raises(Refusal, match="an Archer that has moved attacks once"):
        act(state, "A1 x O1")


def test_an_archer_that_has_shot_twice_is_told_why_it_stays() -> None:
    """SK-3.7, SK-6.3."""
    state = drawn(SHOOTING, d6=[1, 1])
    act(state, "A1 x O1", "A1 x O1")
    with pytest.raises(Refusal, match="shot twice"):
        act(state, "A1 > 3,0")


def test_the_next_turn_has_a_volley_again() -> None:
    """SK-3.7, SK-1.4."""
    state = drawn(SHOOTING, d6=[1, 1, 1, 1])
    act(state, "A1 x O1", "A1 x O1", "end", "end", "A1 x O1", "A1 x O1")
    assert piece(state, "A1")["attacksMade"] == 2


# --- Regenerate ---


def test_a_troll_heals_one_at_the_start_of_its_sides_turn() -> None:
    """SK-3.8."""
    state = drawn("I K1 . t1 C", figures={"t1": {"hp": 1}})
    events = act(state, "end")
    assert kinds(events) == ["turn_ended", "regenerated"]
    assert (events[1]["pieceId"], events[1]["hp"], piece(state, "t1")["hp"]) == ("crimson-T1", 2, 2)


def test_its_event_has_the_side_that_acted() -> None:
    """The contract: `side` is the acting seat, here the one that has ended its turn."""
    state = drawn("I K1 . t1 C", figures={"t1": {"hp": 1}})
    assert {event["side"] for event in act(state, "end")} == {"ivory"}


def test_a_troll_does_not_heal_at_the_start_of_the_game() -> None:
    """SK-3.8: nor in the turn with which a set-up begins."""
    assert piece(drawn("I K1 . t1 C", figures={"t1": {"hp": 1}}, firstSide="crimson"), "t1")["hp"] == 1
    assert piece(drawn("I K1 . t1 C", figures={"t1": {"hp": 1}}, side="crimson", turn=5), "t1")["hp"] == 1


def test_a_troll_does_not_heal_at_the_start_of_the_others_turn() -> None:
    """SK-3.8: its *side's* turn."""
    state = drawn("I K1 . t1 C", figures={"t1": {"hp": 1}}, firstSide="crimson")
    assert kinds(act(state, "end")) == ["turn_ended"]
    assert kinds(act(state, "end")) == ["turn_ended", "regenerated"]


def test_a_troll_heals_up_to_its_figure_and_no_further() -> None:
    """SK-3.8."""
    state = drawn("I K1 . t1 C", figures={"t1": {"hp": 2}})
    act(state, "end", "end")
    assert piece(state, "t1")["hp"] == 3
    assert kinds(act(state, "end")) == ["turn_ended"]
    assert piece(state, "t1")["hp"] == 3


def test_each_troll_heals_and_nobody_else() -> None:
    """SK-3.8."""
    hurt = {"hp": 1}
    state = drawn("I K1 . t1 o1 t2 d1 C", figures={"t1": hurt, "o1": hurt, "t2": hurt, "d1": hurt})
    assert [event["pieceId"] for event in named(act(state, "end"), "regenerated")] == ["crimson-T1", "crimson-T2"]
    assert figures_of(state, "hp") == {"K1": 2, "t1": 2, "o1": 1, "t2": 2, "d1": 1}


def test_a_destroyed_troll_does_not_come_back() -> None:
    """SK-3.8: on the board."""
    state = drawn("I K1 t1 o1 C", figures={"t1": {"hp": 1}}, d6=[4])
    assert kinds(act(state, "K1 x T1", "end"))[-1] == "turn_ended"
    assert "t1" not in figures_of(state, "hp")


def test_ivorys_trolls_heal_too() -> None:
    """SK-3.8: either side's."""
    state = drawn("I T1 . o1 C", figures={"T1": {"hp": 1}})
    act(state, "end")
    assert piece(state, "T1")["hp"] == 1
    assert named(act(state, "end"), "regenerated")[0]["pieceId"] == "ivory-T1"
