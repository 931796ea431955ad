"""BW-2.5 to BW-2.7: where the beaten respawn, where newcomers fall in, when a party dissolves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.games.botwars.drawing import act, character, drawn, figures_of, named, parties_of, same_board

from livingtable.games.botwars.state import BotwarsState

WIN = [20, 1, 20, 1]


def respawn_cells(picture: str, beaten: str = "p1", seeds: int = 60, **setup: Any) -> set[str]:
    """Where the beaten stands after troll t1 has attacked it, over many seeds."""
    found: set[str] = set()
    for seed in range(seeds):
        state = drawn(picture, seed=seed, turn="t1", d20=WIN, **setup)
        act(state, "t1", f"attack {beaten}")
        found.add(character(state, beaten)["position"])
    return found


# --- a random free cell ---


def test_a_respawn_is_random_among_the_roomy_cells() -> None:
    """BW-2.5: cells not within distance 1 of any living character are preferred; each of them may be drawn."""
    assert respawn_cells("T1....") == {"3,0", "4,0", "5,0"}


def test_a_respawn_keeps_away_from_third_parties_too() -> None:
    """BW-2.5: of *any* living character."""
    assert respawn_cells("T1.....2") == {"3,0", "4,0", "5,0"}


def test_the_dead_are_no_reason_to_keep_away() -> None:
    """BW-2.5: without a *living* character; the cell of a grave is as free as others."""
    assert respawn_cells("T1...23", figures={"p2": {"alive": False, "health": 0}}) == {"3,0", "4,0"}
    assert respawn_cells("T1..2", figures={"p2": {"alive": False, "health": 0}}) == {"3,0", "4,0"}


def test_where_there_is_no_roomy_cell_the_others_serve() -> None:
    """BW-2.5: only if there are none, the others serve."""
    assert respawn_cells("T1.M\n.MMM") == {"2,0", "0,1"}


def test_obstacles_are_no_free_cells() -> None:
    """BW-2.5: open."""
    assert respawn_cells("T1.MF.M") == {"5,0"}


def test_the_wizards_cell_is_not_free() -> None:
    """BW-2.5: without the wizard."""
    assert respawn_cells("T1.G.") == {"4,0"}


def test_the_wizard_does_not_crowd_the_cells_beside_him() -> None:
    """BW-2.5: away from living characters, which Gary is not (BW-6.1)."""
    assert respawn_cells("T1..G.") == {"3,0", "5,0"}


@pytest.mark.parametrize("picture", ["T1", "T1G", "T1MF"], ids=str)
def test_without_a_free_cell_the_beaten_stays(picture: str) -> None:
    """BW-2.5: if there is no free cell at all, the character stays where it is."""
    assert respawn_cells(picture, seeds=5) == {"1,0"}


def test_the_preference_holds_for_respawns_only() -> None:
    """BW-2.5: Gary may go beside a living character."""
    cells: set[str] = set()
    for seed in range(60):
        state = drawn("1G......2", seed=seed, d20=WIN)
        act(state, "p1", "challenge")
        cells.add(state.view(None)["wizard"]["position"])
    assert cells == {f"{x},0" for x in range(2, 8)}


def test_a_beaten_solo_respawns_in_classic_too() -> None:
    """BW-2.5: of a solo beaten by a party."""
    state = drawn(
        "123....", parties=[["p2", "p3"]], figures={"p1": {"strength": 3.0}}, d20=[1, 20, 1, 20], ruleset="classic"
    )
    act(state, "p1", "attack p2")
    assert character(state, "p1")["position"] in ("4,0", "5,0", "6,0")


# --- falling in ---


def joined(picture: str, to: str, side: str = "p1", **setup: Any) -> tuple[BotwarsState, list[Mapping[str, Any]]]:
    """A party p1>p2 moves, and p3, a solo, may join it."""
    given: dict[str, Any] = {"parties": [["p1", "p2"]], **setup}
    state = drawn(picture, **given)
    return state, named(act(state, side, f"move {to}"), "joined")


def test_the_newcomer_goes_to_the_nearest_free_cell_beside_the_tail() -> None:
    """BW-2.6: the free open cell next to the line's tail that is nearest to where it stands."""
    state, events = joined(
        """
        ........
        21.3...4
        ........
        """,
        "2,1",
    )
    assert events == [{"type": "joined", "side": "p1", "id": "p3", "party": "p1", "position": "2,0"}]
    assert same_board(
        state,
        """
        ..3.....
        .21....4
        ........
        """,
    )


def test_of_equally_near_cells_the_lowest_y_is_taken() -> None:
    """BW-2.6: nearest, then lowest y: 2,0 and 2,2 are both at distance 1 of 3,1."""
    _, events = joined("........\n21.3...4\n........", "2,1")
    assert events[0]["position"] == "2,0"


def test_of_equally_near_cells_in_a_row_the_lowest_x_is_taken() -> None:
    """BW-2.6: then lowest x: beside the tail at 2,1 both 1,2 and 3,2 are at distance 1 of 2,3."""
    _, events = joined(
        """
        ..2...
        ..1...
        ......
        ..3..4
        """,
        "2,2",
    )
    assert events[0]["position"] == "1,2"


def test_a_near_cell_of_a_higher_y_beats_a_far_one_of_a_lower() -> None:
    """BW-2.6: distance first."""
    _, events = joined(
        """
        .......
        21.....
        ...3..4
        """,
        "2,1",
    )
    assert events[0]["position"] == "2,2"


def test_distance_is_chebyshev_not_by_steps_around_obstacles() -> None:
    """BW-2.6: (Chebyshev, …); obstacles between do not count."""
    _, events = joined(
        """
        M.MM....
        21.3...4
        ..MM....
        """,
        "2,1",
    )
    assert events[0]["position"] == "1,0"


def test_one_beside_the_tail_already_stays() -> None:
    """BW-2.6: if it is next to the tail already it stays."""
    state, events = joined(
        """
        ..3....
        21....4
        .......
        """,
        "1,0",
    )
    assert (events[0]["position"], parties_of(state)) == ("2,0", [["p1", "p2", "p3"]])


def test_the_wizards_cell_counts_as_free_for_falling_in() -> None:
    """BW-2.6: Gary's cell counts as free here."""
    _, events = joined(
        """
        ..G.....
        21.3...4
        ..M.....
        """,
        "2,1",
    )
    assert events[0]["position"] == "2,0"


def test_cells_of_the_living_are_not_free() -> None:
    """BW-2.6: p4 stands on 2,0, which would be the nearest."""
    _, events = joined(
        """
        ..4.....
        21.3....
        ..M.....
        """,
        "2,1",
    )
    assert events[0]["position"] == "1,0"


def test_a_mover_that_joins_is_put_behind_the_tail() -> None:
    """BW-2.6: the newcomer is the one who moved."""
    state, events = joined("3.12.4", "1,0", side="p3", turn="p3")
    assert events[0]["position"] == "4,0"
    assert same_board(state, "..1234")


def test_without_a_free_neighbour_of_the_tail_a_solo_stays_solo() -> None:
    """BW-2.6: if the tail has no free neighbour, it does not join and is a solo where it stands."""
    state, events = joined("3.12M4", "1,0", side="p3", turn="p3")
    assert (events, parties_of(state)) == ([], [["p1", "p2"]])
    assert (character(state, "p3")["leader"], character(state, "p3")["position"]) == (None, "1,0")


def test_without_a_free_neighbour_of_the_tail_a_beaten_follower_is_a_solo_where_it_stands() -> None:
    """BW-2.6: in an absorption too; here p1, whose tail it is itself, has M and p2's held cell beside it."""
    state = drawn("M1234.5", parties=[["p2", "p3", "p4"]], figures={"p1": {"strength": 9.0}}, d20=WIN)
    events = act(state, "p1", "attack p2")
    assert (named(events, "absorbed"), parties_of(state)) == ([], [])
    assert figures_of(state, "position")["p3"] == "3,0"
    assert figures_of(state, "position")["p4"] == "4,0"
    assert set(figures_of(state, "leader").values()) == {None}


def test_the_next_follower_may_fit_where_the_one_before_did_not() -> None:
    """BW-2.6: each by itself; p4 is next to the tail already, p3 is not and finds nothing free there."""
    state = drawn(
        """
        M123
        MM4M
        ...5
        """,
        parties=[["p2", "p3", "p4"]],
        figures={"p1": {"strength": 9.0}},
        d20=WIN,
    )
    events = act(state, "p1", "attack p2")
    assert [e["id"] for e in named(events, "absorbed")] == ["p4"]
    assert parties_of(state) == [["p1", "p4"]]
    assert (character(state, "p3")["leader"], character(state, "p3")["position"]) == (None, "3,0")


# --- dissolving ---


def test_a_party_of_two_whose_follower_dies_dissolves() -> None:
    """BW-2.7: a party reduced to one living member dissolves: that member is a solo."""
    state = drawn("T12....3", parties=[["p1", "p2"]], figures={"p2": {"health": 1.0}}, d20=WIN, d3=[1, 1], turn="t1")
    events = act(state, "t1", "attack p1")
    assert [e["members"] for e in named(events, "party_dissolved")] == [["p1"]]
    assert (parties_of(state), character(state, "p1")["leader"]) == ([], None)


def test_a_party_of_two_whose_leader_dies_dissolves() -> None:
    """BW-2.7: that member is a solo, and has its own turns."""
    state = drawn("G12....3", parties=[["p1", "p2"]], figures={"p1": {"health": 2.0}}, d20=[1, 20, 1, 20])
    events = act(state, "p1", "challenge")
    assert [e["members"] for e in named(events, "party_dissolved")] == [["p2"]]
    assert (parties_of(state), character(state, "p2")["leader"], state.to_act) == ([], None, ("p2",))


def test_a_party_of_two_whose_leader_respawns_dissolves() -> None:
    """BW-2.7, BW-8.5: the leader respawns alone, the one that stays is a solo."""
    state = drawn("T12....3", parties=[["p1", "p2"]], d20=WIN, turn="t1")
    act(state, "t1", "attack p1")
    assert (parties_of(state), figures_of(state, "leader")["p2"]) == ([], None)


def test_a_party_of_two_left_goes_on() -> None:
    """BW-2.7: reduced to *one*."""
    state = drawn("T123...4", parties=[["p1", "p2", "p3"]], d20=WIN, turn="t1")
    act(state, "t1", "attack p1")
    assert parties_of(state) == [["p2", "p3"]]


def test_one_left_of_a_party_may_ally_anew() -> None:
    """BW-2.7: it is a solo like any other."""
    state = drawn("3.21G...", parties=[["p1", "p2"]], figures={"p1": {"health": 2.0}}, d20=[1, 20, 1, 20])
    act(state, "p1", "challenge")
    act(state, "p2", "move 2,0")
    act(state, "p3", "move 1,0")
    act(state, "p2", "ally p3")
    act(state, "p3", "accept")
    assert parties_of(state) == [["p2", "p3"]]
