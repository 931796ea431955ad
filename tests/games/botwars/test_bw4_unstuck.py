"""BW-4.3, BW-4.4: the forced unstuck maneuver and the count of passes that triggers it."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.games.botwars.drawing import (
    act,
    character,
    drawn,
    figures_of,
    kinds,
    legal,
    named,
    only,
    parties_of,
    passes_of,
    same_board,
)
from tests.games.botwars.random_play import (
    Cell,
    around,
    open_cells,
    random_line,
    random_rows,
    read,
    rngs,
    stable,
    started,
    written,
)

from livingtable.games.botwars.movement import PLACEMENTS_TRIED_AT_MOST, find_unstuck
from livingtable.games.botwars.state import BotwarsState

LINE_OF_THREE = [["p1", "p2", "p3"]]
ON_THE_BRINK = {"p1": 1}
"""The leader has passed once."""


def steps(before: dict[str, str], after: dict[str, str]) -> dict[str, int]:
    """How far each went, as a king goes."""
    ends = {side: (read(before[side]), read(after[side])) for side in before}
    return {side: max(abs(ax - bx), abs(ay - by)) for side, ((ax, ay), (bx, by)) in ends.items()}


# --- when ---


def test_the_first_pass_counts_and_moves_nobody() -> None:
    """BW-4.3: each pass by a leader adds one to its party's count."""
    state = drawn("..123...4", parties=LINE_OF_THREE)
    assert act(state, "p1", "pass") == [{"type": "passed", "side": "p1", "consecutivePasses": 1}]
    assert passes_of(state, "p1") == 1
    assert same_board(state, "..123...4")


def test_the_second_pass_triggers_the_maneuver_within_the_same_action() -> None:
    """BW-4.3: at 2 the maneuver triggers within that action; other seats' turns in between do not count."""
    state = drawn("..123...4", parties=LINE_OF_THREE)
    act(state, "p1", "pass")
    act(state, "p4", "move 7,0")
    events = act(state, "p1", "pass")
    assert kinds(events) == ["passed", "unstuck"]
    assert events[0]["consecutivePasses"] == 2
    assert state.to_act == ("p4",)


def test_the_count_returns_to_0_with_the_maneuver() -> None:
    """BW-4.3: the count returns to 0, so that two more passes bring the next one."""
    state = drawn("..123...4", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    act(state, "p1", "pass")
    assert passes_of(state, "p1") == 0
    act(state, "p4", "pass")
    assert kinds(act(state, "p1", "pass")) == ["passed"]
    act(state, "p4", "pass")
    assert kinds(act(state, "p1", "pass")) == ["passed", "unstuck"]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_count_of_2_or_more_triggers_it(count: int) -> None:
    """BW-4.3: at 2 or more."""
    state = drawn("..123...4", parties=LINE_OF_THREE, consecutivePasses={"p1": count})
    events = act(state, "p1", "pass")
    assert kinds(events) == ["passed", "unstuck"]
    assert events[0]["consecutivePasses"] == count + 1


def test_each_party_has_a_count_of_its_own() -> None:
    """BW-4.3: its party's count."""
    state = drawn("12.....34", parties=[["p1", "p2"], ["p3", "p4"]])
    act(state, "p1", "pass")
    assert kinds(act(state, "p3", "pass")) == ["passed"]
    assert (passes_of(state, "p1"), passes_of(state, "p3")) == (1, 1)


# --- where to ---


def test_everybody_moves_by_exactly_1() -> None:
    """BW-4.3: nobody stays."""
    state = drawn(
        """
        ......M
        ..32...
        ..M.1.M
        ......4
        """,
        parties=LINE_OF_THREE,
        consecutivePasses=ON_THE_BRINK,
        figures={"p4": {"strength": 1.0}},
    )
    before = figures_of(state, "position")
    act(state, "p1", "pass")
    gone = steps(before, figures_of(state, "position"))
    assert [gone[side] for side in LINE_OF_THREE[0]] == [1, 1, 1]


def test_the_event_shows_the_whole_line() -> None:
    """BW-4.3: the line as it stands after the maneuver."""
    state = drawn("...321.M4", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    event = only(act(state, "p1", "pass"), "unstuck")
    positions = figures_of(state, "position")
    assert event["line"] == {side: positions[side] for side in LINE_OF_THREE[0]}


def test_the_leader_goes_to_the_neighbouring_cell_with_the_greatest_clearance() -> None:
    """BW-4.3: the cell whose own distance to the obstacle nearest to that cell is greatest."""
    state = drawn(
        """
        MMMMMMMM
        M.......
        M.......
        M2......
        M.1.....
        M.......
        MMMMMMMM
        3.......
        """,
        parties=[["p1", "p2"]],
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert character(state, "p1")["position"] == "3,3"  # Of the three at distance 3 of the west (3,3 3,4 3,5) the
    # north and the south leave 3,3 alone.


def test_not_the_distance_to_the_leaders_own_nearest_obstacle_counts() -> None:
    """BW-4.3: the obstacle nearest to that cell, not the one nearest to the leader: going away from the mountain in
    the west brings the leader next to the one in the east."""
    state = drawn(
        """
        M.1.M....
        ..2......
        .........
        ........3
        """,
        parties=[["p1", "p2"]],
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert character(state, "p1")["position"] == "2,1"


@pytest.mark.parametrize("ground", ["M", "F"])
def test_mountains_and_forests_are_both_obstacles(ground: str) -> None:
    """BW-4.3, BW-0.2: away from either."""
    state = drawn(f"{ground}.12....3", parties=[["p1", "p2"]], consecutivePasses=ON_THE_BRINK)
    act(state, "p1", "pass")
    assert same_board(state, f"{ground}.21....3")


def test_without_obstacles_the_lowest_y_then_x_is_taken() -> None:
    """BW-4.3: no obstacles: all equal; ties: lowest y, then x. The edge is no obstacle."""
    state = drawn(
        """
        .....
        ..12.
        .....
        .....
        ....3
        """,
        parties=[["p1", "p2"]],
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert same_board(
        state,
        """
        .1...
        ..2..
        .....
        .....
        ....3
        """,
    )


def test_equal_clearance_is_decided_by_the_lowest_y_then_x() -> None:
    """BW-4.3: the three cells on the far side of a mountain in the west are equal: the north one is taken."""
    state = drawn(
        """
        M.......
        M.1.....
        M2......
        .......3
        """,
        parties=[["p1", "p2"]],
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert character(state, "p1")["position"] == "3,0"


def test_the_members_take_the_cells_vacated_ahead() -> None:
    """BW-4.3: where that works."""
    state = drawn(
        """
        ....M321..
        ..........
        4.........
        """,
        parties=LINE_OF_THREE,
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert same_board(
        state,
        """
        ....M.321.
        ..........
        4.........
        """,
    )


def test_a_line_in_a_dead_end_backs_out() -> None:
    """BW-4.3: cells that the party itself leaves are free; the leader goes back through its own line."""
    state = drawn("M123..M4", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    assert legal(state, "p1") == ["pass"]
    act(state, "p1", "pass")
    assert same_board(state, "M.123.M4")


def test_two_in_a_closed_pocket_change_places() -> None:
    """BW-4.3: all targets distinct and free of others, no more is asked."""
    state = drawn("12M3", parties=[["p1", "p2"]], consecutivePasses=ON_THE_BRINK)
    assert kinds(act(state, "p1", "pass")) == ["passed", "unstuck"]
    assert same_board(state, "21M3")


def test_a_member_leaves_the_vacated_cell_where_it_leads_nowhere() -> None:
    """BW-4.3: the vacated cell where that works, else another: were 2 to take 1's cell, 3 could not follow."""
    state = drawn(
        """
        MMMMM
        MM1M4
        M23MM
        MMMMM
        """,
        parties=LINE_OF_THREE,
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert same_board(
        state,
        """
        MMMMM
        MM3M4
        M12MM
        MMMMM
        """,
    )


def test_a_member_that_cannot_take_the_vacated_cell_takes_the_first_by_y_then_x() -> None:
    """BW-4.3: the first in y, x order that lets the rest of the line be placed: here 2 goes on to 3's cell."""
    state = drawn(
        """
        M12MM4
        MM3MMM
        M.MMMM
        """,
        parties=LINE_OF_THREE,
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert same_board(
        state,
        """
        M31MM4
        MM2MMM
        M.MMMM
        """,
    )


def test_the_first_cell_by_y_then_x_is_left_where_the_rest_could_not_be_placed() -> None:
    """BW-4.3: complete search: the first cell for 2 (after 1's own) is 4's, but then 3 could go nowhere."""
    state = drawn(
        """
        MMMMM5
        .M21MM
        M43MMM
        """,
        parties=[["p1", "p2", "p3", "p4"]],
        consecutivePasses=ON_THE_BRINK,
    )
    act(state, "p1", "pass")
    assert same_board(
        state,
        """
        MMMMM5
        4M1.MM
        M32MMM
        """,
    )


def test_the_next_best_leader_cell_is_taken_where_the_best_lets_nobody_follow() -> None:
    """BW-4.3: best leader cell first; 2's cell lies furthest from the mountains, but then 3 could not move."""
    state = drawn("4MM.123", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    act(state, "p1", "pass")
    assert same_board(state, "4MM123.")


def test_others_keep_their_cells() -> None:
    """BW-4.3: free of others: the only way out is held by a solo (whom the party would not fight)."""
    state = drawn("M1234M5", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    assert kinds(act(state, "p1", "pass")) == ["passed", "unstuck_failed"]
    assert same_board(state, "M1234M5")


def test_gary_and_graves_are_not_in_the_way() -> None:
    """BW-4.3, BW-4.1: they do not block."""
    dead = {"p5": {"alive": False, "health": 0}}
    state = drawn("M1235GM4", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK, figures=dead)
    act(state, "p1", "pass")
    assert figures_of(state, "position") == {"p1": "2,0", "p2": "3,0", "p3": "4,0", "p4": "7,0", "p5": "4,0"}


# --- when there is no way ---


def test_without_an_arrangement_nothing_moves_and_an_event_says_so() -> None:
    """BW-4.3: three in a closed corridor."""
    state = drawn("123M4", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    events = act(state, "p1", "pass")
    assert events == [
        {"type": "passed", "side": "p1", "consecutivePasses": 2},
        {"type": "unstuck_failed", "side": "p1"},
    ]
    assert same_board(state, "123M4")


def test_a_failed_maneuver_leaves_the_count_and_the_next_pass_tries_again() -> None:
    """BW-4.3: the count stays, and 3 is 2 or more."""
    state = drawn("M1234.M5", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    act(state, "p1", "pass")
    assert passes_of(state, "p1") == 2
    act(state, "p4", "move 5,0")
    act(state, "p5", "pass")
    events = act(state, "p1", "pass")
    assert kinds(events)[:2] == ["passed", "unstuck"]
    assert events[0]["consecutivePasses"] == 3
    assert passes_of(state, "p1") == 0


# --- what follows ---


def test_encounters_are_resolved_as_after_a_move() -> None:
    """BW-4.3, BW-2.0: the maneuver brings the party to a troll: it is the attacker."""
    state = drawn(
        "M123.T..4",
        parties=LINE_OF_THREE,
        consecutivePasses=ON_THE_BRINK,
        d20=[20, 1, 20, 1],
        d3=[1],
    )
    events = act(state, "p1", "pass")
    assert kinds(events)[:3] == ["passed", "unstuck", "battle"]
    battle = only(events, "battle")
    assert (battle["attacker"], battle["defender"], battle["winner"]) == ("p1", "t1", "p1")


def test_a_solo_met_in_the_maneuver_joins() -> None:
    """BW-4.3, BW-3.1: encounters as after a move."""
    state = drawn("M123.4....5", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    assert kinds(act(state, "p1", "pass")) == ["passed", "unstuck", "joined"]
    assert parties_of(state) == [["p1", "p2", "p3", "p4"]]


def test_a_failed_maneuver_brings_no_encounter() -> None:
    """BW-4.3, BW-2.0: encounters arise from a maneuver, not from a pass."""
    state = drawn("M1234M5", parties=LINE_OF_THREE, consecutivePasses=ON_THE_BRINK)
    act(state, "p1", "pass")
    assert parties_of(state) == LINE_OF_THREE


# --- the search against all arrangements ---


def all_arrangements(rows: list[str], line: list[Cell], others: set[Cell]) -> list[tuple[Cell, ...]]:
    """Every arrangement that BW-4.3 allows, in the order in which it prefers them."""
    ground = set(open_cells(rows))
    obstacles = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "."]

    def clearance(cell: Cell) -> int:
        return min((max(abs(cell[0] - x), abs(cell[1] - y)) for x, y in obstacles), default=0)

    free = [[cell for cell in around(old) if cell in ground and cell not in others] for old in line]
    choices = [sorted(free[0], key=lambda cell: -clearance(cell))]
    choices += [sorted(cells, key=lambda cell: cell != ahead) for ahead, cells in zip(line, free[1:], strict=False)]
    return [
        targets
        for targets in product(*choices)
        if len(set(targets)) == len(targets)
        and all(max(abs(ax - bx), abs(ay - by)) == 1 for (ax, ay), (bx, by) in pairwise(targets))
    ]


@given(rngs)
@stable
def test_the_search_finds_the_first_arrangement_in_the_stated_order_if_there_is_one(rng: Random) -> None:
    """BW-4.3: complete search, held against all arrangements of the whole line on small boards."""
    rows = random_rows(rng, most=5, share=rng.choice([0.0, 0.2, 0.4, 0.6]))
    free = open_cells(rows)
    if len(free) < 3:
        return
    line = random_line(rng, free, rng.randint(2, 5))
    if len(line) < 2 or not free:
        return
    others = [cell for cell in free[1:] if rng.random() < 0.25]
    setup: dict[str, Any] = {
        "game": "botwars",
        "map": rows,
        "characters": [{"id": f"p{n}", "position": written(cell)} for n, cell in enumerate([*line, free[0], *others])],
        "parties": [[f"p{n}" for n in range(len(line))]],
    }
    state = started({**setup, "wizard": None}, seed=1)
    expected = all_arrangements(rows, line, {free[0], *others})
    found = find_unstuck(state, state.lines[0])
    names = state.terrain.names
    assert (found and [names[c] for c in found]) == (list(map(written, expected[0])) if expected else None)


SNAKE = """
    0MMMMM
    1MMMMM
    234567
    dcba98
    efghij
    ponmlk
    qrstu.
    ......
    MMMMMM
    *MMMMM
    """
"""A line of 31 in the order 0-9, a-u. It can move on, but the order of BW-4.3 comes to that only after turning back."""


def snake() -> BotwarsState:
    rows = [row.strip() for row in SNAKE.split()]
    cells = {sign: (x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign not in "M."}
    outsider = cells.pop("*")
    order = "0123456789abcdefghijklmnopqrstu"
    sides = [f"m{n}" for n in range(len(order))]
    characters = [
        {"id": side, "position": written(cells[s]), "strength": 1.0} for side, s in zip(sides, order, strict=True)
    ]
    return started(
        {
            "game": "botwars",
            "map": ["".join("M" if sign == "M" else "." for sign in row) for row in rows],
            "characters": [*characters, {"id": "far", "position": written(outsider)}],
            "parties": [sides],
            "consecutivePasses": {"m0": 1},
            "wizard": None,
        },
        seed=1,
    )


def test_a_search_of_too_many_placements_counts_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """BW-4.3: though an arrangement exists and a longer search finds it."""
    state = snake()
    assert find_unstuck(state, state.lines[0]) is not None
    monkeypatch.setattr("livingtable.games.botwars.movement.PLACEMENTS_TRIED_AT_MOST", len(state.lines[0]))
    before = figures_of(state, "position")
    events = [event.to_data() for event in state.apply("m0", state.parse_action("pass"))]
    assert kinds(events) == ["passed", "unstuck_failed"]
    assert figures_of(state, "position") == before
    assert passes_of(state, "m0") == 2


def test_the_search_tries_100000_placements() -> None:
    """BW-4.3: the ruling's limit."""
    assert PLACEMENTS_TRIED_AT_MOST == 100_000


# --- BW-4.4 ---


def test_a_move_resets_the_count() -> None:
    """BW-4.4: any successful move."""
    state = drawn("..12...3", parties=[["p1", "p2"]], consecutivePasses=ON_THE_BRINK)
    act(state, "p1", "move 1,0")
    assert passes_of(state, "p1") == 0


def test_an_attack_resets_the_count() -> None:
    """BW-4.4: any successful attack."""
    state = drawn("21T...3", parties=[["p1", "p2"]], consecutivePasses=ON_THE_BRINK, d20=[20, 1, 20, 1], d3=[1])
    act(state, "p1", "attack t1")
    assert passes_of(state, "p1") == 0


@pytest.mark.parametrize("rolls", [[20, 1, 20, 1], [1, 20, 1, 20]], ids=["won", "lost"])
def test_a_challenge_resets_the_count(rolls: list[int]) -> None:
    """BW-4.4: any challenge, won or lost."""
    state = drawn("21G...3", parties=[["p1", "p2"]], consecutivePasses=ON_THE_BRINK, d20=rolls)
    act(state, "p1", "challenge")
    assert passes_of(state, "p1") == 0


def test_a_refused_action_does_not_reset_the_count() -> None:
    """BW-4.4: a successful action."""
    state = drawn("..12...3", parties=[["p1", "p2"]], consecutivePasses=ON_THE_BRINK)
    with pytest.raises(Exception, match="one cell at a time"):
        act(state, "p1", "move 6,0")
    assert passes_of(state, "p1") == 1


def test_what_others_do_does_not_reset_the_count() -> None:
    """BW-4.3, BW-4.4: consecutive passes of this leader: a battle that others bring is none of its actions."""
    state = drawn(
        "12.T...3",
        parties=[["p1", "p2"]],
        consecutivePasses=ON_THE_BRINK,
        turn="t1",
        d20=[1, 20, 1, 20],
        d3=[1],
    )
    act(state, "t1", "move 2,0")
    assert passes_of(state, "p1") == 1


def test_solos_pass_freely() -> None:
    """BW-4.4: their count means nothing."""
    state = drawn("1..2")
    for _ in range(4):
        assert kinds(act(state, "p1", "pass")) == ["passed"]
        assert kinds(act(state, "p2", "pass")) == ["passed"]
    assert same_board(state, "1..2")


def test_trolls_pass_freely() -> None:
    """BW-4.4: their count means nothing."""
    state = drawn("1..T")
    for _ in range(4):
        act(state, "p1", "pass")
        assert kinds(act(state, "t1", "pass")) == ["passed"]
    assert same_board(state, "1..T")


def test_a_new_party_starts_at_0() -> None:
    """BW-4.4: whatever its leader passed before as a solo, even when it answers the offer."""
    state = drawn("12...3", figures={"p1": {"strength": 3.0}})
    for side in ("p1", "p2", "p3", "p1"):
        act(state, side, "pass")
    act(state, "p2", "ally p1")
    act(state, "p1", "accept")
    assert parties_of(state) == [["p1", "p2"]]
    act(state, "p3", "pass")
    assert kinds(act(state, "p1", "pass")) == ["passed"]
    assert passes_of(state, "p1") == 1


def test_a_new_leader_starts_at_0() -> None:
    """BW-4.4: a troll kills the leader, who had passed once."""
    state = drawn(
        "321.T...4",
        parties=[["p1", "p2", "p3"]],
        figures={"p1": {"health": 1.0}},
        consecutivePasses=ON_THE_BRINK,
        turn="t1",
        d20=[20, 1, 20, 1],
        d3=[1, 1, 1],
    )
    act(state, "t1", "move 3,0")
    assert parties_of(state) == [["p2", "p3"]]
    assert passes_of(state, "p2") == 0


def test_a_leader_that_lost_its_party_starts_at_0_with_the_next() -> None:
    """BW-4.4: a new party, though the same leads it and has done nothing but pass in between."""
    state = drawn(
        """
        T12M..34
        MMMM....
        """,
        parties=[["p1", "p2"], ["p3", "p4"]],
        figures={"p1": {"strength": 5.0}, "p2": {"health": 1.0}},
        consecutivePasses=ON_THE_BRINK,
        turn="t1",
        d20=[20, 1, 20, 1, 1, 20, 1, 20],
        d3=[1, 1, 1, 1],
    )
    act(state, "t1", "attack p1")
    act(state, "p1", "pass")
    act(state, "p3", "move 5,0")
    assert parties_of(state) == [["p1", "p4"]]
    assert passes_of(state, "p1") == 0


def test_all_pass_for_ever_and_the_cap_ends_it() -> None:
    """BW-4.3, BW-0.8: the maneuver comes at every second pass, the round limit ends the game (C22)."""
    state = drawn("..12..M3", parties=[["p1", "p2"]], maxRounds=6)
    said = [event for _ in range(6) for side in ("p1", "p3") for event in act(state, side, "pass")]
    assert len(named(said, "unstuck")) == 3
    assert state.result is not None
    assert state.result.reason == "round_limit"
