"""SK-0: hexes, terrain, sides, pieces, who stands in whose way."""

from __future__ import annotations

from collections import deque

import pytest
from tests.games.skirmish.drawing import (
    act,
    drawn,
    figures_of,
    kinds,
    legal,
    only,
    picture_of,
    piece,
    same_board,
    same_reach,
    targets_of,
    words,
)
from tests.games.skirmish.plain import DIRECTIONS, Hex, hexes_of, written

from livingtable.errors import Code, Refusal
from livingtable.games.skirmish.kinds import KINDS
from livingtable.games.skirmish.terrain import terrain_of
from livingtable.grids import HEX_DIRECTIONS, hex_distance

WHOLE_TABLE = {
    #    name, move, attack, defense, hp, range
    "K": ("Knight", 4, 4, 4, 2, 1),
    "A": ("Archer", 4, 3, 2, 2, 3),
    "W": ("Wizard", 3, 5, 2, 2, 2),
    "G": ("Goblin", 3, 2, 1, 2, 1),
    "O": ("Orc", 3, 3, 2, 2, 1),
    "T": ("Troll", 2, 5, 4, 3, 1),
    "D": ("Dragon", 6, 7, 6, 3, 2),
    "S": ("General", 3, 4, 4, 2, 1),
}
"""The seed's Units."""

# --- hexes ---


def test_map_rows_are_read_odd_r() -> None:
    """SK-0.1: character c of row r is the hex q = c - (r - (r & 1)) / 2."""
    state = drawn(
        """
        I  G1 .
          G2 .  G3
        G4 .  G5
          .  G6 .
        G7 .  g8
          G9 .  C
        """
    )
    assert figures_of(state, "hex") == {
        "G1": "1,0",
        "G2": "0,1",
        "G3": "2,1",
        "G4": "-1,2",
        "G5": "1,2",
        "G6": "0,3",
        "G7": "-2,4",
        "g8": "0,4",
        "G9": "-2,5",
    }
    assert state.view(None)["castles"] == {"ivory": "0,0", "crimson": "0,5"}


def test_the_neighbours_have_the_order_of_the_rules() -> None:
    """SK-0.1: this order everywhere an order is needed."""
    assert HEX_DIRECTIONS == DIRECTIONS == ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def test_a_hex_is_written_q_comma_r() -> None:
    """SK-0.1: no blank; what lies west of the first column of the rows above is negative."""
    state = drawn(
        """
        I  .  C
          .  o1 .
        .  K1 .
        """
    )
    assert piece(state, "K1")["hex"] == "0,2"
    assert "K1 > -1,2" in legal(state)


@pytest.mark.parametrize(
    ("ground", "reached"),
    [
        (
            """
            I  F  F  F  F
              F  .  .  F
            F  .  T1 .  F
              F  .  .  F
            F  F  F  F  C  o1
            """,
            """
            I  F  F  F  F
              F  1  1  F
            F  1  T1 1  F
              F  1  1  F
            F  F  F  F  C  o1
            """,
        ),
        (
            """
            I  F  F  F  F
              F  F  F  F
            F  F  .  .  F
              F  .  T1 .  F
            F  F  .  .  F
              F  F  F  C  o1
            """,
            """
            I  F  F  F  F
              F  F  F  F
            F  F  1  1  F
              F  1  T1 1  F
            F  F  1  1  F
              F  F  F  2  o1
            """,
        ),
    ],
    ids=["even", "odd"],
)
def test_all_six_directions_cost_the_same_on_even_and_odd_rows(ground: str, reached: str) -> None:
    """SK-0.1, C24: with 2 points, and forest beyond the ring, the Troll comes to its six neighbours."""
    assert same_reach(drawn(ground), "T1", reached)


OPEN = ("I......", ".......", ".......", ".......", ".......", ".......", "......C")


def steps_between(hexes: dict[Hex, str], start: Hex) -> dict[Hex, int]:
    """Breadth-first."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        q, r = queue.popleft()
        for dq, dr in DIRECTIONS:
            there = q + dq, r + dr
            if there in hexes and there not in steps:
                steps[there] = steps[q, r] + 1
                queue.append(there)
    return steps


def test_distance_is_the_number_of_steps_on_an_open_map_for_all_pairs() -> None:
    """SK-0.1, C24."""
    terrain = terrain_of(OPEN)
    hexes = hexes_of(OPEN)
    assert set(terrain.axial.values()) == set(hexes)
    for a in hexes:
        for b, steps in steps_between(hexes, a).items():
            assert hex_distance(a, b) == steps
            assert terrain.distance(terrain.index[written(a)], terrain.index[written(b)]) == steps


def test_what_is_within_a_distance_is_what_the_distance_says_for_all_hexes() -> None:
    """SK-0.1, C24: also at the edges, where rows of bits meet."""
    terrain = terrain_of(OPEN)
    for a in terrain.names:
        for far in (1, 2, 3):
            near = {b for b in terrain.names if b != a and terrain.distance(a, b) <= far}
            assert {b for b in terrain.names if terrain.within(a, far) >> b & 1} == near


@pytest.mark.parametrize("rows", [OPEN, ("I.. .", " .F..", "..~ C"), ("I", ".", ".", ".", "C"), ("I...C",)])
def test_neighbours_are_symmetric_and_at_distance_one(rows: tuple[str, ...]) -> None:
    """SK-0.1, C24."""
    terrain = terrain_of(rows)
    around = {h: {b for b in terrain.names if terrain.around(1 << h) >> b & 1} for h in terrain.names}
    for a in terrain.names:
        assert around[a] == {b for b in terrain.names if terrain.distance(a, b) == 1}
        assert all(a in around[b] for b in around[a])


# --- terrain ---


@pytest.mark.parametrize(("sign", "cost"), [(".", 1), ("=", 1), ("F", 2), ("^", 2)])
def test_entering_costs_what_the_terrain_says(sign: str, cost: int) -> None:
    """SK-0.2."""
    state = drawn(f"G1 {sign} I C o1")
    assert only(act(state, "G1 > 1,0"), "moved")["cost"] == cost


@pytest.mark.parametrize("castle", ["I  C", "C  I"])
def test_entering_a_castle_costs_one(castle: str) -> None:
    """SK-0.2: the own one and the enemy's."""
    near, far = castle.split()
    state = drawn(f"G1 {near} {far} o1")
    assert only(act(state, "G1 > 1,0"), "moved")["cost"] == 1


@pytest.mark.parametrize("sign", ["~", "M", "_"])
def test_water_mountains_and_what_is_no_hex_cannot_be_entered(sign: str) -> None:
    """SK-0.2."""
    state = drawn(f"{sign} D1 {sign} o1\n" + "I .  C")
    assert "D1 > 0,0" not in legal(state)
    assert "D1 > 2,0" not in legal(state)
    with pytest.raises(Refusal) as refused:
        act(state, "D1 > 2,0")
    assert refused.value.code is Code.ILLEGAL_ACTION


def test_a_piece_comes_just_as_far_as_its_move_goes() -> None:
    """SK-0.2: the Knight's 4 over roads, plains, forests and hills, with water and mountains in the way."""
    state = drawn(
        """
        I  .  F  .  o1
          K1 ~  ^  ^
        .  =  =  M  C
          F  F  =  .
        """
    )
    assert same_reach(
        state,
        "K1",
        """
        1  1  3  4  o1
          K1 ~  4  ^
        1  1  2  M  C
          3  3  3  4
        """,
    )


# --- pieces ---


@pytest.mark.parametrize("kind", WHOLE_TABLE)
def test_a_piece_has_the_figures_of_its_kind(kind: str) -> None:
    """SK-0.3: attack and defense too are shown."""
    state = drawn(f"I {kind}1 {kind.lower()}1 C")
    for short in (f"{kind}1", f"{kind.lower()}1"):
        shown = piece(state, short)
        name, *figures = WHOLE_TABLE[kind]
        assert [shown[key] for key in ("move", "attack", "defense", "maxHp", "range")] == figures
        assert (shown["name"], shown["kind"], shown["hp"]) == (name, kind, shown["maxHp"])


def test_there_are_no_other_kinds() -> None:
    """SK-0.3."""
    assert KINDS.keys() == WHOLE_TABLE.keys()


def test_a_piece_has_an_id_a_kind_a_side_a_hex_and_hp() -> None:
    """SK-0.3."""
    shown = piece(drawn("I K1 . o2 C"), "K1")
    assert (shown["id"], shown["kind"], shown["side"], shown["hex"], shown["hp"]) == (
        "ivory-K1",
        "K",
        "ivory",
        "1,0",
        2,
    )


def test_the_sides_are_shown_as_ivory_and_the_crimson_horde() -> None:
    """SK-0.3."""
    state = drawn("I K1 . o2 C")
    assert state.sides == ("ivory", "crimson")
    assert dict(state.names) == {"ivory": "Ivory", "crimson": "the Crimson Horde"}


def test_the_generals_glyph_is_a_star() -> None:
    """SK-0.3: in pictures; on the wire and on the text board it is S."""
    state = drawn("I S1 . s1 C")
    assert state.svg(None).count("★") == 2
    assert state.board(None).isascii()
    assert piece(state, "S1")["kind"] == "S"


@pytest.mark.parametrize("attacker", WHOLE_TABLE)
@pytest.mark.parametrize("defender", WHOLE_TABLE)
def test_attack_and_defense_are_used_by_no_rule(attacker: str, defender: str) -> None:
    """SK-0.3: whoever attacks whom on the plain needs 4."""
    state = drawn(f"I {attacker}1 {defender.lower()}1 C", d6=[4])
    attacked = only(act(state, f"{attacker}1 x {defender}1"), "attacked")
    assert (attacked["needed"], attacked["modifier"], attacked["hit"]) == (4, 0, True)


# --- one piece to a hex ---


def test_a_piece_may_pass_through_its_own_side_but_not_stop_there() -> None:
    """SK-0.4."""
    state = drawn("I K1 O1 O2 . . o1 C")
    assert same_reach(state, "K1", "1 K1 O1 O2 3 4 o1 C")


def test_a_friend_on_whose_hex_the_points_run_out_ends_the_way() -> None:
    """SK-0.4, C25: its hex is not listed, nor is what lies beyond."""
    state = drawn("I T1 O1 O2 . o1 C")
    assert same_reach(state, "T1", "1 T1 O1 O2 . o1 C")
    with pytest.raises(Refusal, match="ivory-O2 is there"):
        act(state, "T1 > 3,0")


def test_of_two_pieces_ordered_onto_one_hex_the_second_is_refused() -> None:
    """SK-0.4, C25."""
    state = drawn("I K1 . O1 . o1 C")
    act(state, "K1 > 2,0")
    with pytest.raises(Refusal, match="ivory-K1 is there") as refused:
        act(state, "O1 > 2,0")
    assert refused.value.code is Code.ILLEGAL_ACTION
    assert same_board(state, "I . K1 O1 . o1 C")


def test_a_piece_may_not_pass_through_the_enemy() -> None:
    """SK-0.4."""
    state = drawn("I D1 . o1 . C")
    assert same_reach(state, "D1", "1 D1 1 o1 . C")


def test_a_piece_goes_around_the_enemy() -> None:
    """SK-0.4."""
    state = drawn(
        """
        I  K1 o1 .  C
          .  .  .  .
        """
    )
    assert same_reach(
        state,
        "K1",
        """
        1  K1 o1 3  4
          1  1  2  3
        """,
    )


def test_the_hex_of_a_destroyed_piece_is_free() -> None:
    """SK-0.4, SK-3.6."""
    state = drawn("I K1 o1 . o2 C", figures={"o1": {"hp": 1}}, d6=[4])
    act(state, "K1 x O1")
    assert same_reach(state, "K1", "1 K1 1 2 o2 C")


def test_there_is_no_zone_of_control() -> None:
    """SK-0.4: walking along the enemy's line costs nothing more and stops nowhere."""
    state = drawn(
        """
        I  K1 .  .  .  C
          .  o1 o2 o3 .
        """
    )
    assert same_reach(
        state,
        "K1",
        """
        1  K1 1  2  3  4
          1  o1 o2 o3 4
        """,
    )


@pytest.mark.parametrize("between", ["M", "F", "^", "~", "G1", "o2", "_"])
def test_there_is_no_line_of_sight(between: str) -> None:
    """SK-0.4: an Archer shoots over whatever lies between."""
    state = drawn(
        f"""
        I  A1 {between} . o1 C
          .  .  .  . . .
        """
    )
    assert "o1" in targets_of(state, "A1")


def test_a_drawing_and_its_position_look_alike() -> None:
    """The drawings of these tests are read as they are written."""
    picture = """
        S1I .  _  F  K2^
          W1=  ~  M  o3F
        .   =  =  .  s1C
        """
    state = drawn(picture)
    assert picture_of(state) == words(picture)
    assert kinds(act(state, "end")) == ["turn_ended"]
