"""`greedy` in the fox hunt: what it does in drawn positions, and how it fares against chance."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.contract.playing import bot_turns, library
from tests.games.foxhunt.drawing import Figures, drawn, fox_of, give, player

from livingtable.agents import choose
from livingtable.games.foxhunt import FoxhuntState

SOON = 40


def choice(state: FoxhuntState, side: str) -> str:
    return choose("greedy", state, side, 1, 0).notation


def outcome(state: FoxhuntState, side: str, notation: str) -> list[str]:
    """The types of what happens to the player if it does that and all others stay."""
    after = state.copy()
    events = give(after, side, notation)
    for other in after.to_act if after.round == state.round else ():
        events += give(after, other, "stay")
    return [event["type"] for event in events if event["side"] == side]


def rounds(state: FoxhuntState, *sides: str) -> Iterator[FoxhuntState]:
    """The state before each of the next rounds, in which these are greedy and all others stay."""
    for _ in range(SOON):
        yield state
        for side in state.to_act:
            give(state, side, choice(state, side) if side in sides else "stay")


def caught(state: FoxhuntState, *sides: str, unhurt: bool = True) -> bool:
    """Whether these hunters catch the fox p1, which stays, and whether nobody is hit meanwhile."""
    for now in rounds(state, *sides):
        if fox_of(now) != "p1":
            return True
        if unhurt:
            assert not any(player(now, side)["paralysed"] for side in sides)
    return False


# the hunter's way

LONG_AND_SHORT = """
    2 _ _ _ 1
    _ W W W _
    _ _ _ _ _
    """


def test_a_hunter_goes_the_shortest_way_to_the_fox() -> None:
    assert choice(drawn(LONG_AND_SHORT), "p2") == "move E"


def test_a_hunter_goes_round_a_breakable_wall_if_that_is_not_far() -> None:
    assert choice(drawn(LONG_AND_SHORT.replace("2 _ _ _", "2 w _ _")), "p2") == "move S"


def test_a_hunter_enters_the_field_of_a_fox_that_cannot_move() -> None:
    assert choice(drawn("2 1 _ \n _ _ _ \n _ _ _", figures={"p1": {"paralysed": 1}}), "p2") == "move E"


def test_a_hunter_enters_the_only_field_to_which_the_fox_can_flee() -> None:
    """p3 stands on the fox's field's other side: where p1 goes, p2 is there too."""
    state = drawn(
        """
        W W W W W
        3 1 _ 2 W
        W W W W W
        """
    )
    assert choice(state, "p2") == "move W"


def test_a_hunter_does_not_move_off_the_fox_s_field_if_the_fox_cannot_move() -> None:
    state = drawn("_ 12 _ \n _ _ _ \n _ _ _", figures={"p1": {"paralysed": 2}})
    assert choice(state, "p2") == "stay"


def test_hunters_on_one_field_part_where_the_ways_to_the_fox_are_equal() -> None:
    state = drawn(
        """
        23 _ _ _
        _  W W _
        _  W W _
        _  _ _ 1
        """
    )
    assert {choice(state, "p2"), choice(state, "p3")} == {"move E", "move S"}


def test_of_a_crowd_the_last_does_not_follow() -> None:
    """Six are nearer: p8 stays where the next fox may turn up."""
    corridor = "1 _ _ 2 3 4 5 6 7 _ _ _ _ _ _ 8 _ _ _ _"
    walls = " W" * 20
    assert choice(drawn(f"{corridor}\n{walls}\n{walls}"), "p8") != "move W"
    assert choice(drawn(f"{corridor.replace('7', '_')}\n{walls}\n{walls}".replace("8", "7")), "p7") == "move W"


def test_a_hunter_takes_a_special_beside_its_way() -> None:
    state = drawn(
        """
        2 _ _ _ _ _ _ _ 1
        R _ _ _ _ _ _ _ _
        _ _ _ _ _ _ _ _ _
        """
    )
    assert choice(state, "p2") == "move S"


def test_a_hunter_leaves_a_special_that_is_farther_than_it_is_worth() -> None:
    state = drawn(
        """
        _ _ _ _ 2 _ _ _ 1
        _ _ _ _ _ _ _ _ _
        R _ _ _ _ _ _ _ _
        """
    )
    assert choice(state, "p2") == "move E"


# walls


def test_a_hunter_blows_its_way_open_gets_out_of_the_beam_and_catches_the_fox() -> None:
    state = drawn(
        """
        W W W W W
        2 _ w 1 W
        _ W W W W
        """
    )
    assert caught(state, "p2")


def test_a_hunter_throws_where_it_cannot_get_out_of_the_beam_of_a_bomb_that_it_lays() -> None:
    state = drawn(
        """
        W W W W W W W
        2 _ _ _ w 1 W
        W W W W W W W
        """,
        figures={"p2": {"range": 3}},
        startRange=3,
        throwRange=1,
    )
    assert caught(state, "p2", unhurt=False)


def test_a_hunter_that_is_shut_in_takes_the_hit_for_its_way_out() -> None:
    state = drawn("2 w 1 \n w W W \n w W W")
    assert caught(state, "p2", unhurt=False)


def test_a_hunter_waits_for_the_bomb_that_opens_its_way() -> None:
    """Another bomb would be wasted: the wall is as good as gone."""
    state = drawn(
        """
        W W W W W
        _ a w 1 W
        2 _ W W W
        """,
        figures={"a": {"fuse": 1, "owner": "p2"}, "p2": {"bombs": 9}},
    )
    assert choice(state, "p2") in ("stay", "move E", "move N")
    assert "paralysed" not in outcome(state, "p2", choice(state, "p2"))


# beams

BURNING: dict[str, tuple[str, Figures]] = {
    "beside a bomb": ("_ _ _ \n a 2 _ \n _ _ 1", {}),
    "on a bomb": ("_ _ _ \n _ 2a _ \n _ _ 1", {"a": {"range": 0}}),
    "where a chain ends": ("_ _ _ _ 1 \n a b c 2 _ \n _ _ _ _ _", {"b": {"fuse": 5}, "c": {"fuse": 5}}),
    "in front of the fox": ("2 _ 1 \n _ a _ \n _ _ _", {}),
    "between two bombs": ("a _ _ \n _ 2 1 \n _ _ b", {"a": {"range": 2}, "b": {"range": 2}}),
}


@pytest.mark.parametrize("picture", BURNING)
@pytest.mark.parametrize("side", ["p1", "p2"])
def test_nobody_walks_into_a_beam_or_waits_for_it(picture: str, side: str) -> None:
    state = drawn(BURNING[picture][0], figures=BURNING[picture][1])
    assert "paralysed" not in outcome(state, side, choice(state, side))


CORRIDOR = """
    W W W W W W
    2 _ _ a _ _
    W W _ W W W
    W W 1 W W W
    """
"""The way out of the bomb's beam is two steps towards it, and one to the south."""


def test_a_hunter_runs_in_time_even_towards_the_bomb() -> None:
    state = drawn(CORRIDOR, figures={"a": {"range": 5, "fuse": 2}, "p1": {"hat": 9}})
    for now in rounds(state, "p2"):
        assert not player(now, "p2")["paralysed"]
        if not now.view(None)["bombs"]:
            break


def test_a_fox_runs_in_time_even_towards_the_hunter() -> None:
    picture = CORRIDOR.replace("2 _ _", "1 _ _").replace("W 1", "W 2")
    state = drawn(picture, figures={"a": {"range": 5, "fuse": 2}})
    assert choice(state, "p1") == "move E"


def test_a_hat_goes_through_beams() -> None:
    state = drawn("2 _ 1 \n W a W \n W W W", figures={"p2": {"hat": 1}, "p1": {"hat": 1}})
    assert choice(state, "p2") == "move E"


def test_a_hat_that_ends_before_the_bomb_goes_off_does_not_help() -> None:
    """The column burns in the next round, the hat is gone by then."""
    state = drawn("2 _ W 1 \n _ W W W \n a W W W", figures={"p2": {"hat": 1}, "a": {"fuse": 1, "range": 3}})
    for now in rounds(state, "p2"):
        assert not player(now, "p2")["paralysed"]


def test_where_all_ways_burn_the_play_goes_on() -> None:
    state = drawn("2a _ W 1 \n W W W W \n W W W W", figures={"a": {"range": 3}})
    assert choice(state, "p2") in ("stay", "move E")


@pytest.mark.parametrize("scenario", ["fox_yard", "open_heath"])
def test_in_whole_games_nobody_is_hit_by_what_it_could_have_avoided(scenario: str) -> None:
    """The engine says what a choice would lead to if all others stayed."""
    for seed in range(2):
        state = library().get(scenario).start(seed)
        for side, action in bot_turns(state, "greedy", seed):
            assert isinstance(state, FoxhuntState)
            if state.bombs and "paralysed" in outcome(without_commands(state), side, action.notation):
                others = [other.notation for other in state.legal_actions(side)]
                assert all("paralysed" in outcome(without_commands(state), side, other) for other in others)
            state.apply(side, action)


def without_commands(state: FoxhuntState) -> FoxhuntState:
    return state.fork()


# bombs against players


DEAD_END = """
    1 _ _ _ _ _ 2 W
    W W W W W W _ W
    W W W W W W _ _
    """
"""A beam can fill it before the hunter could walk in; the hunter has a corner to go round."""


def test_a_hunter_bombs_a_fox_that_has_nowhere_to_go() -> None:
    state = drawn(DEAD_END, figures={"p2": {"range": 9}}, fuse=3)
    assert choice(state, "p2").startswith(("bomb", "throw"))


def test_a_paralysed_fox_is_fetched_not_bombed() -> None:
    state = drawn(DEAD_END, figures={"p2": {"range": 9}, "p1": {"paralysed": 6}}, fuse=3)
    assert choice(state, "p2") == "move W"


def test_a_hunter_lays_no_bomb_that_it_cannot_get_away_from() -> None:
    state = drawn("1 _ _ _ 2 \n W W W W W \n W W W W W", figures={"p2": {"range": 9}}, fuse=3)
    assert choice(state, "p2").startswith(("move", "stay"))


# the fox


def test_a_fox_keeps_away_from_the_hunter() -> None:
    state = drawn("_ _ _ _ _ \n 2 _ 1 _ _ \n _ _ _ _ _")
    assert choice(state, "p1") in ("move E", "move N", "move S")
    far = drawn("2 _ _ 1 _ _ _ \n W W W W W W _ \n _ _ _ _ _ _ _")
    assert choice(far, "p1") == "move E"


def test_a_fox_does_not_walk_into_a_dead_end() -> None:
    """To the north it would be as far from the hunter, for two rounds; to the east there is a round way."""
    state = drawn(
        """
        W W _ W W W W
        W W _ W W W W
        2 _ 1 _ _ _ _
        W W W W _ W _
        W W W W _ _ _
        """
    )
    assert choice(state, "p1") == "move E"


def test_a_fox_reckons_with_the_way_of_hunters_not_with_their_distance() -> None:
    """p2 is next to it behind a wall, p3 comes along the corridor."""
    state = drawn(
        """
        2 W W W W W W
        W _ 1 _ _ _ 3
        W _ W W W W W
        W _ _ _ _ _ _
        """
    )
    assert choice(state, "p1") == "move W"


def test_a_fox_takes_a_special_where_no_hunter_comes() -> None:
    state = drawn(
        """
        _ _ _ _ _ _ _ _ _
        2 _ _ _ _ _ _ 1 _
        _ _ _ _ _ _ _ H _
        """
    )
    assert choice(state, "p1") == "move S"


def test_a_fox_leaves_a_special_beside_a_hunter() -> None:
    state = drawn(
        """
        _ _ _ _ _
        2 H 1 _ _
        _ _ _ _ _
        """
    )
    assert choice(state, "p1") != "move W"


def test_a_cornered_fox_cannot_be_foreseen() -> None:
    """Staying and changing places are equally bad, so it does now the one, now the other."""
    choices = {choice(drawn("1 2 _ \n W W W \n W W W", foxRounds=n), "p1") for n in range(20)}
    assert choices >= {"stay", "move E"}


# all at once


@pytest.mark.parametrize("side", ["p1", "p2"])
def test_a_choice_does_not_depend_on_who_has_given_a_command(side: str) -> None:
    state = drawn("2 _ 1 _ _ \n _ W W W _ \n 3 _ _ _ _")
    before = choice(state, side)
    give(state, "p3", "move E")
    assert choice(state, side) == before


@pytest.mark.slow
def test_greedy_gets_several_times_the_points_of_chance() -> None:
    """On `fox_yard`, two seats each, which go round from game to game."""
    points = {"greedy": 0, "random": 0}
    for seed in range(40):
        state = library().get("fox_yard").start(seed)
        bots = {side: ("greedy", "random")[(i + seed) // 2 % 2] for i, side in enumerate(state.sides)}
        version = 0
        while state.to_act:
            side = state.to_act[0]
            state.apply(side, choose(bots[side], state, side, seed, version))
            version += 1
        for row in state.ranking():
            points[bots[row["side"]]] += row["score"]
    assert points["greedy"] > 3 * points["random"]
