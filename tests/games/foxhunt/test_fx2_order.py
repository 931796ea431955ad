"""FX-2: in which order the steps of a round come."""

from __future__ import annotations

from tests.games.foxhunt.drawing import (
    drawn,
    figures_of,
    fox_of,
    kinds,
    legal,
    named,
    only,
    play,
    player,
    same_board,
)


def test_the_steps_of_one_round_in_their_order() -> None:
    """FX-2: moves, specials, catch, bombs, explosions, points, a special that appears, the end."""
    state = drawn(
        """
        1  _  2  W  _
        W  W  W  W  W
        H  3  w  a  4
        """,
        rounds=1,
        spawnEvery=1,
        revealChance=1,
        fuse=0,
        figures={"p4": {"hat": 1, "range": 0}},
    )
    events = play(state, p1="move E", p2="move W", p3="move W", p4="bomb")
    assert kinds(events[4:]) == [
        *("round_resolved", "moved", "moved", "moved", "picked_up", "caught", "teleported", "bomb_laid", "exploded"),
        *("wall_destroyed", "protected", "scored", "special_appeared", "game_over"),
    ]


def test_the_paralysed_do_nothing() -> None:
    """FX-2, step 1: no move, no bomb, and they are in no list of commands."""
    state = drawn(
        """
        1  _  2
        W  W  W
        _  _  _
        """,
        figures={"p2": {"paralysed": 1}},
    )
    events = play(state, p1="move E")
    assert [command["side"] for command in only(events, "round_resolved")["commands"]] == ["p1"]
    assert figures_of(state, "position") == {"p1": "1,0", "p2": "2,0"}


def test_moves_happen_at_once() -> None:
    """FX-2, step 1: a row of players moves on together, whoever's command came first."""
    picture = """
        W  W  W  W  W
        _  2  3  4  _
        1  W  W  W  W
        """
    for commands in (
        {"p2": "move E", "p3": "move E", "p4": "move E"},
        {"p4": "move E", "p3": "move E", "p2": "move E"},
    ):
        state = drawn(picture)
        play(state, **commands)
        assert same_board(
            state,
            """
            W  W  W  W  W
            _  _  2  3  4
            1  W  W  W  W
            """,
        )


def test_a_wall_that_breaks_this_round_is_not_yet_free() -> None:
    """FX-2: moves come before explosions."""
    state = drawn(
        """
        1  w  a
        W  W  W
        2  _  _
        """
    )
    assert legal(state, "p1") == ["stay"]


def test_a_special_is_picked_up_before_a_beam_reaches_it() -> None:
    """FX-2: step 2 before step 5; the hat protects in that very round."""
    state = drawn(
        """
        1  H  a
        W  W  W
        2  _  _
        """
    )
    events = play(state, p1="move E")
    assert kinds(events[2:]) == ["round_resolved", "moved", "picked_up", "exploded", "protected", "scored"]


def test_the_catcher_is_teleported_before_the_explosion() -> None:
    """FX-2: step 3 before step 5."""
    state = drawn(
        """
        1a 2  W
        W  W  W
        W  W  W
        """,
        figures={"a": {"range": 0}},
    )
    play(state, p2="move W")
    assert figures_of(state, "position") == {"p1": "0,0", "p2": "1,0"}
    assert [side for side, left in figures_of(state, "paralysed").items() if left] == ["p1"]


def test_a_bomb_laid_this_round_can_go_off_in_it() -> None:
    """FX-2: step 4 before step 5 (C28)."""
    state = drawn(
        """
        1  _  a
        W  W  W
        2  _  _
        """,
        figures={"a": {"owner": "p2", "range": 2}},
    )
    assert only(play(state, p1="bomb"), "exploded")["bombs"] == ["0,0", "2,0"]


def test_the_new_fox_gets_the_points_of_the_round() -> None:
    """FX-2: step 3 before step 6."""
    state = drawn(
        """
        1  2  _
        W  W  W
        _  _  _
        """,
        foxRounds=8,
    )
    assert named(play(state, p2="move W"), "scored") == [{"type": "scored", "side": "p2", "points": 1, "total": 1}]


def test_paralysis_and_hats_tick_down_at_the_end_of_a_round() -> None:
    """FX-2, step 7."""
    state = drawn(
        """
        1  _  2
        W  W  W
        _  _  _
        """,
        figures={"p1": {"hat": 2}, "p2": {"paralysed": 2}},
    )
    seen = [(player(state, "p1")["hat"], player(state, "p2")["paralysed"])]
    for _ in range(3):
        play(state)
        seen.append((player(state, "p1")["hat"], player(state, "p2")["paralysed"]))
    assert seen == [(2, 2), (1, 1), (0, 0), (0, 0)]


def test_they_tick_down_in_the_last_round_too() -> None:
    """FX-2, FX-R14: step 7 before step 9; no figure is above its setting."""
    state = drawn(
        """
        1  H  a
        W  W  W
        2b _  _
        """,
        rounds=1,
        paralysis=3,
        hat=5,
    )
    play(state, p1="move E")
    assert state.result is not None
    assert (player(state, "p1")["hat"], player(state, "p2")["paralysed"]) == (5, 3)
    assert "hat 5" in state.board(None)
    assert "paralysed 3" in state.board(None)
    again = type(state).from_data(state.to_data())
    assert again.to_data() == state.to_data()


def test_one_catch_a_round() -> None:
    """FX-2, step 3: who shares the new fox's old field has caught nobody."""
    state = drawn(
        """
        2  1  3
        W  W  W
        _  _  _
        """
    )
    events = play(state, p2="move E", p3="move W")
    assert len(named(events, "caught")) == 1
    assert fox_of(state) == "p2"


def test_the_catcher_is_not_caught_where_it_lands() -> None:
    """FX-2, step 3: p3 stands on the only other free field, and catches it in the next round only."""
    state = drawn(
        """
        1  23 W
        W  W  W
        W  W  W
        """
    )
    play(state, p2="move W")
    assert fox_of(state) == "p2"
    assert figures_of(state, "position") == {"p1": "0,0", "p2": "1,0", "p3": "1,0"}
    play(state)
    assert fox_of(state) == "p3"
