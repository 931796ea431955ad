"""FX-4.3, FX-4.4, FX-4.5: how far beams go, what they destroy, and chains of bombs."""

from __future__ import annotations

import pytest
from tests.games.foxhunt.drawing import (
    cut,
    drawn,
    figures_of,
    kinds,
    named,
    only,
    play,
    player,
    same_beams,
    same_board,
)

# --- FX-4.3: the beam ---


@pytest.mark.parametrize(
    ("reach", "picture"),
    [
        (0, "_ _ _ _ _ \n _ _ _ _ _ \n _ _ * _ _ \n _ _ _ _ _ \n _ _ _ _ _"),
        (1, "_ _ _ _ _ \n _ _ * _ _ \n _ * * * _ \n _ _ * _ _ \n _ _ _ _ _"),
        (2, "_ _ * _ _ \n _ _ * _ _ \n * * * * * \n _ _ * _ _ \n _ _ * _ _"),
        (9, "_ _ * _ _ \n _ _ * _ _ \n * * * * * \n _ _ * _ _ \n _ _ * _ _"),
    ],
)
def test_beams_go_out_in_four_directions_up_to_their_range(reach: int, picture: str) -> None:
    """FX-4.3: and over the bomb's own field; the edge ends them."""
    state = drawn(
        """
        1  _  _  _  2
        _  _  _  _  _
        _  _  a  _  _
        _  _  _  _  _
        _  _  _  _  _
        """,
        figures={"a": {"range": reach}},
    )
    play(state)
    assert same_beams(state, picture)


def test_a_wall_that_nothing_destroys_stops_a_beam_before_it() -> None:
    """FX-4.3."""
    state = drawn(
        """
        1  W  2  _  _
        W  W  W  W  W
        _  W  _  a  W
        """,
        figures={"a": {"range": 4}},
    )
    play(state)
    assert same_beams(
        state,
        """
        _  W  _  _  _
        W  W  W  W  W
        _  W  *  *  W
        """,
    )


def test_a_wall_that_a_beam_destroys_stops_it_there() -> None:
    """FX-4.3: the field of the wall is a beam's, the one behind it is not."""
    state = drawn(
        """
        1  W  2  _  _
        W  W  W  W  W
        a  _  w  _  _
        """,
        figures={"a": {"range": 4}},
    )
    events = play(state)
    assert only(events, "wall_destroyed") == {"type": "wall_destroyed", "side": "server", "position": "2,2"}
    assert same_beams(
        state,
        """
        _  W  _  _  _
        W  W  W  W  W
        *  *  *  _  _
        """,
    )
    assert state.view(None)["map"][2] == "_____"


def test_two_walls_and_a_player_in_one_line_and_only_the_first_wall_breaks() -> None:
    """C26: range 4; nothing beyond the first `w` is touched."""
    state = drawn(
        """
        1  W  _  _  _
        W  W  W  W  W
        a  w  w  2  _
        """,
        figures={"a": {"range": 4}},
    )
    events = play(state)
    assert [event["position"] for event in named(events, "wall_destroyed")] == ["1,2"]
    assert named(events, "paralysed") == []
    assert state.view(None)["map"][2] == "__w__"


def test_behind_a_wall_that_stands_a_player_is_safe() -> None:
    """C26: `W`, then a player."""
    state = drawn(
        """
        1  W  _
        W  W  W
        a  W  2
        """,
        figures={"a": {"range": 4}},
    )
    assert named(play(state), "paralysed") == []


def test_a_special_is_destroyed_and_stops_the_beam_there() -> None:
    """FX-4.3: the next one lives."""
    state = drawn(
        """
        1  W  2  _
        W  W  W  W
        a  H  R  _
        """,
        figures={"a": {"range": 3}},
    )
    events = play(state)
    assert only(events, "special_destroyed") == {
        "type": "special_destroyed",
        "side": "server",
        "position": "1,2",
        "kind": "hat",
    }
    assert only(events, "exploded")["beams"] == ["0,2", "1,2"]
    assert same_board(
        state,
        """
        1  W  2  _
        W  W  W  W
        _  _  R  _
        """,
    )


def test_a_special_under_the_bomb_is_destroyed_and_stops_nothing() -> None:
    """FX-4.3."""
    state = drawn(
        """
        1  W  2  _
        W  W  W  W
        _  aB _  _
        """,
        figures={"a": {"range": 2}},
    )
    events = play(state)
    assert only(events, "special_destroyed")["position"] == "1,2"
    assert only(events, "exploded")["beams"] == ["0,2", "1,2", "2,2", "3,2"]


def test_players_and_bombs_stop_no_beam() -> None:
    """FX-4.3."""
    state = drawn(
        """
        _  _  _  _  _
        W  W  W  W  W
        a  1  b  2  _
        """,
        figures={"a": {"range": 4}, "b": {"range": 0, "fuse": 9}},
    )
    assert only(play(state), "exploded")["beams"] == ["0,2", "1,2", "2,2", "3,2", "4,2"]


@pytest.mark.parametrize("thing", ["w", "R"])
def test_two_beams_may_hit_the_same_wall_or_special_and_both_end_there(thing: str) -> None:
    """FX-4.3: all beams are measured on the board as it was before the step."""
    state = drawn(
        f"""
        1  W  2  W  _
        W  W  W  W  W
        a  _  {thing}  _  b
        """,
        figures={"a": {"range": 4}, "b": {"range": 3}},
    )
    events = play(state)
    assert only(events, "exploded")["beams"] == ["0,2", "1,2", "2,2", "3,2", "4,2"]
    assert len(named(events, "wall_destroyed") + named(events, "special_destroyed")) == 1


def test_the_next_explosion_goes_through_where_the_wall_was() -> None:
    """FX-4.5: it is a free field from the next round on."""
    state = drawn(
        """
        1  W  b  W  2
        W  W  _  W  W
        a  _  w  W  W
        W  W  _  W  W
        """,
        figures={"a": {"range": 2}, "b": {"range": 3, "fuse": 1}},
    )
    play(state)
    play(state)
    assert same_beams(
        state,
        """
        _  W  *  W  _
        W  W  *  W  W
        _  _  *  W  W
        W  W  *  W  W
        """,
    )


# --- FX-4.4: chains ---


def test_a_beam_sets_off_the_bombs_that_it_touches_as_far_as_the_chain_reaches() -> None:
    """FX-4.4: around corners, in one step; d is out of reach."""
    state = drawn(
        """
        a  _  b  W  1
        _  W  _  W  W
        _  W  c  _  d
        _  W  _  W  2
        """,
        figures={
            "a": {"range": 2},
            "b": {"range": 2, "fuse": 5},
            "c": {"range": 1, "fuse": 7},
            "d": {"range": 9, "fuse": 9},
        },
    )
    events = play(state)
    assert only(events, "exploded")["bombs"] == ["0,0", "2,0", "2,2"]
    assert same_beams(
        state,
        """
        *  *  *  W  _
        *  W  *  W  W
        *  W  *  *  _
        _  W  *  W  _
        """,
    )
    assert [bomb["position"] for bomb in state.view(None)["bombs"]] == ["4,2"]


def test_a_chain_does_not_go_through_a_wall() -> None:
    """FX-4.4: the beam ends at the `w`, which breaks only afterwards."""
    state = drawn(
        """
        1  W  2  W
        W  W  W  W
        a  w  b  _
        """,
        figures={"a": {"range": 3}, "b": {"fuse": 4}},
    )
    assert only(play(state), "exploded")["bombs"] == ["0,2"]


def test_a_chain_does_not_go_through_a_special() -> None:
    """FX-4.4, FX-4.3."""
    state = drawn(
        """
        1  W  2  W
        W  W  W  W
        a  R  b  _
        """,
        figures={"a": {"range": 3}, "b": {"fuse": 4}},
    )
    assert only(play(state), "exploded")["bombs"] == ["0,2"]


def test_a_bomb_on_a_special_is_set_off_and_the_special_burns() -> None:
    """FX-4.4, FX-4.3: the first beam ends there; that bomb's own beams do not."""
    state = drawn(
        """
        1  W  2  W
        W  W  W  W
        a  bR _  _
        """,
        figures={"a": {"range": 3}, "b": {"range": 2, "fuse": 4}},
    )
    events = play(state)
    assert only(events, "exploded") == {
        "type": "exploded",
        "side": "server",
        "bombs": ["0,2", "1,2"],
        "beams": ["0,2", "1,2", "2,2", "3,2"],
    }
    assert len(named(events, "special_destroyed")) == 1


@pytest.mark.parametrize("bombs", ["ab", "ba"])
def test_bombs_on_one_field_all_go_off_with_the_first(bombs: str) -> None:
    """FX-4.4: the longest range counts, and the shortest fuse, whichever was laid first."""
    state = drawn(
        f"""
        1  W  2  W
        W  W  W  W
        {bombs} _  _  _
        """,
        figures={"a": {"range": 1}, "b": {"owner": "p2", "range": 3, "fuse": 9}},
    )
    events = play(state)
    assert only(events, "exploded") == {
        "type": "exploded",
        "side": "server",
        "bombs": ["0,2"],
        "beams": ["0,2", "1,2", "2,2", "3,2"],
    }
    assert state.view(None)["bombs"] == []
    assert figures_of(state, "bombsLaid") == {"p1": 0, "p2": 0}


def test_two_explosions_far_apart_are_one_event() -> None:
    """FX-4.4: everything is one explosion, one round long."""
    state = drawn(
        """
        a  W  1  W  b
        _  W  W  W  _
        W  W  2  W  W
        """
    )
    assert only(play(state), "exploded")["bombs"] == ["0,0", "4,0"]


def test_a_bomb_laid_where_a_beam_comes_goes_off_once_in_that_round() -> None:
    """C28, FX-4.4."""
    state = drawn(
        """
        1  _  a
        W  W  W
        2  _  _
        """,
        figures={"a": {"owner": "p2", "range": 2}, "p1": {"range": 1}},
    )
    events = play(state, p1="bomb")
    assert only(events, "exploded") == {
        "type": "exploded",
        "side": "server",
        "bombs": ["0,0", "2,0"],
        "beams": ["0,0", "1,0", "2,0"],
    }
    assert state.view(None)["bombs"] == []
    for _ in range(8):
        assert not named(cut(state), "exploded")


def test_a_bomb_thrown_into_an_explosion_goes_off_in_that_round() -> None:
    """C28, FX-4.4."""
    state = drawn(
        """
        1  _  _  _
        W  W  W  a
        2  _  W  _
        """,
        figures={"a": {"owner": "p2"}},
    )
    assert only(play(state, p1="throw E 3"), "exploded")["bombs"] == ["3,0", "3,1"]


def test_a_player_a_bomb_and_a_special_on_one_field_of_a_beam() -> None:
    """C27: all three are handled, and the bomb counts as its owner's no longer."""
    state = drawn(
        """
        1  W  _  W
        W  W  W  W
        a  _  2bH _
        """,
        figures={"a": {"range": 3}, "b": {"owner": "p2", "fuse": 5}},
    )
    events = play(state)
    assert only(events, "exploded")["bombs"] == ["0,2", "2,2"]
    assert only(events, "special_destroyed")["position"] == "2,2"
    assert only(events, "paralysed")["side"] == "p2"
    assert player(state, "p2")["bombsLaid"] == 0


# --- FX-4.5: what walls hide ---


@pytest.mark.parametrize(("kind", "value"), [("range", 1), ("bombs", 2), ("hat", 3)])
def test_a_destroyed_wall_shows_a_special_by_chance(kind: str, value: int) -> None:
    """FX-4.5, FX-R2: of a kind that a die of three decides."""
    state = drawn(
        """
        1  W  2
        W  W  W
        a  w  _
        """,
        revealChance=1,
        d3=[value],
    )
    assert only(play(state), "wall_destroyed") == {
        "type": "wall_destroyed",
        "side": "server",
        "position": "1,2",
        "revealed": kind,
    }
    assert state.view(None)["specials"] == [{"position": "1,2", "kind": kind}]
    assert state.view(None)["map"][2] == "___"


def test_with_chance_0_nothing_is_revealed() -> None:
    """FX-4.5."""
    picture = """
        1  w  a  w  2
        W  W  w  W  W
        W  W  W  W  W
        """
    for seed in range(20):
        events = play(drawn(picture, seed=seed))
        assert kinds(events).count("wall_destroyed") == 3
        assert not [event for event in events if "revealed" in event]


def test_the_chance_is_what_the_settings_say() -> None:
    """FX-4.5: 0.3 of 600 walls, within four standard deviations."""
    picture = """
        1  w  a  w  2
        W  W  w  W  W
        W  W  W  W  W
        """
    hunts = [play(drawn(picture, seed=seed, revealChance=0.3)) for seed in range(200)]
    found = sum("revealed" in event for events in hunts for event in events)
    assert 180 - 45 <= found <= 180 + 45


def test_a_revealed_special_is_not_destroyed_by_the_same_explosion() -> None:
    """FX-4.5: not even where a second beam ends at that wall."""
    state = drawn(
        """
        1  W  2  W  _
        W  W  W  W  W
        a  _  w  _  b
        """,
        figures={"a": {"range": 4}, "b": {"range": 4}},
        revealChance=1,
        d3=[1],
    )
    events = play(state)
    assert named(events, "special_destroyed") == []
    assert same_board(
        state,
        """
        1  W  2  W  _
        W  W  W  W  W
        _  _  R  _  _
        """,
    )


def test_a_revealed_special_can_be_destroyed_by_the_next_explosion() -> None:
    """FX-4.5."""
    state = drawn(
        """
        1  W  2  W
        W  W  W  W
        a  w  b  _
        """,
        figures={"b": {"fuse": 1}},
        revealChance=1,
        d3=[1],
    )
    play(state)
    assert only(play(state), "special_destroyed")["position"] == "1,2"


def test_walls_reveal_in_map_order() -> None:
    """FX-R8: row by row from the north, whatever the bombs' order."""
    state = drawn(
        """
        b  w  1  w  a
        w  W  W  W  w
        W  W  2  W  W
        """,
        revealChance=1,
        d3=[1, 2, 3, 1],
    )
    revealed = [(event["position"], event["revealed"]) for event in named(play(state), "wall_destroyed")]
    assert revealed == [("1,0", "range"), ("3,0", "bombs"), ("0,1", "hat"), ("4,1", "range")]
