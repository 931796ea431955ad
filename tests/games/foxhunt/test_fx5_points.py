"""FX-5: points, the end and the ranking."""

from __future__ import annotations

import pytest
from tests.games.foxhunt.drawing import Figures, drawn, figures_of, fox_of, named, play, wait

from livingtable.games.foxhunt import FoxhuntState

APART = """
    1  W  2  W  3
    W  W  W  W  W
    4  W  _  W  _
    """


def points(rounds: int, state: FoxhuntState) -> list[int]:
    """What is scored in each of the next rounds."""
    return [event["points"] for event in named(wait(state, rounds), "scored")]


def test_the_fox_gets_1_then_2_then_3_points() -> None:
    """FX-5.1."""
    state = drawn(APART)
    assert points(5, state) == [1, 2, 3, 4, 5]
    assert figures_of(state, "points") == {"p1": 15, "p2": 0, "p3": 0, "p4": 0}
    assert state.view(None)["foxRounds"] == 5


def test_the_event_tells_the_points_and_the_total() -> None:
    """FX-5.1."""
    state = drawn(APART, figures={"p1": {"points": 40}}, foxRounds=6)
    assert named(play(state), "scored") == [{"type": "scored", "side": "p1", "points": 7, "total": 47}]


def test_the_count_starts_again_with_each_new_fox() -> None:
    """FX-5.1: the catcher scores 1 in the round of the catch; the one who was the fox keeps its points."""
    state = drawn(
        """
        1  _  _  2
        W  W  W  W
        W  W  W  W
        """
    )
    events = [event for _ in range(3) for event in play(state, p2="move W")] + wait(state, 1)
    assert [(event["side"], event["points"]) for event in named(events, "scored")] == [
        ("p1", 1),
        ("p1", 2),
        ("p2", 1),
        ("p2", 2),
    ]
    assert figures_of(state, "points") == {"p1": 3, "p2": 3}


def test_whoever_becomes_the_fox_again_starts_at_1() -> None:
    """FX-5.1."""
    state = drawn(
        """
        W  W  W
        W  12 W
        W  W  W
        """
    )
    assert [(event["side"], event["points"]) for event in named(wait(state, 4), "scored")] == [
        ("p2", 1),
        ("p1", 1),
        ("p2", 1),
        ("p1", 1),
    ]


def test_a_paralysed_fox_goes_on_scoring() -> None:
    """FX-5.1."""
    state = drawn(APART, figures={"p1": {"paralysed": 3}})
    assert points(4, state) == [1, 2, 3, 4]


def test_nobody_else_scores() -> None:
    """FX-5.1."""
    state = drawn(APART)
    assert {event["side"] for event in named(wait(state, 6), "scored")} == {fox_of(state)}


# --- FX-5.2 ---


def ranked(figures: Figures) -> list[tuple[int, str, int]]:
    """Place, side and score of a game that ends with this round; p1, the fox, scores 1 in it."""
    state = drawn(APART, figures=figures, rounds=1)
    assert play(state)[-1] == {"type": "game_over", "side": "server", "reason": "round_limit"}
    assert state.result is not None
    return [(row["place"], row["side"], row["score"]) for row in state.result.ranking]


def test_the_ranking_is_by_points() -> None:
    """FX-5.2."""
    assert ranked({"p2": {"points": 5}, "p3": {"points": 9}, "p4": {"points": 2}}) == [
        (1, "p3", 9),
        (2, "p2", 5),
        (3, "p4", 2),
        (4, "p1", 1),
    ]


def test_equal_points_share_the_place_and_the_next_one_is_skipped() -> None:
    """FX-5.2: in seat order."""
    assert ranked({"p1": {"points": 6}, "p2": {"points": 7}, "p3": {"points": 9}, "p4": {"points": 7}}) == [
        (1, "p3", 9),
        (2, "p1", 7),
        (2, "p2", 7),
        (2, "p4", 7),
    ]
    assert [place for place, _, _ in ranked({"p2": {"points": 1}, "p4": {"points": 3}})] == [1, 2, 2, 4]


@pytest.mark.parametrize(
    ("figures", "winners"),
    [
        ({"p3": {"points": 9}}, ("p3",)),
        ({"p2": {"points": 9}, "p4": {"points": 9}}, ("p2", "p4")),
        ({side: {"points": 3 - (side == "p1")} for side in ("p1", "p2", "p3", "p4")}, ("p1", "p2", "p3", "p4")),
    ],
    ids=["one", "two", "all"],
)
def test_the_winners_are_all_at_place_1(figures: Figures, winners: tuple[str, ...]) -> None:
    """FX-5.2, FX-R1."""
    state = drawn(APART, figures=figures, rounds=1)
    play(state)
    assert state.result is not None
    assert (state.result.reason, state.result.winners) == ("round_limit", winners)


def test_a_row_of_the_ranking_has_the_name() -> None:
    """The contract's result."""
    state = drawn(APART, figures={"p1": {"name": "Reynard"}}, rounds=1)
    play(state)
    assert state.ranking()[0] == {"place": 1, "side": "p1", "name": "Reynard", "score": 1}


def test_the_ranking_as_it_stands_is_known_at_any_time() -> None:
    """FX-5.2, for games that are cut off."""
    state = drawn(APART)
    wait(state, 2)
    assert [(row["place"], row["side"], row["score"]) for row in state.ranking()][:2] == [(1, "p1", 3), (2, "p2", 0)]


def test_the_last_round_is_played_whole() -> None:
    """C05, FX-5.2: a blast, the points and what appears come before the end, and no die is thrown after it."""
    state = drawn(
        """
        1  W  2a
        W  W  W
        W  W  _
        """,
        rounds=1,
        spawnEvery=1,
    )
    types = [event["type"] for event in play(state)]
    assert types[2:] == ["round_resolved", "exploded", "paralysed", "scored", "special_appeared", "game_over"]
