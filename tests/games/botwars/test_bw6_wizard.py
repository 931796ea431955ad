"""BW-6: Gary the Wizard, his challenges, his rewards, his ways."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.botwars.drawing import (
    act,
    character,
    drawn,
    figures_of,
    graves_of,
    kinds,
    legal,
    named,
    only,
    parties_of,
)

from livingtable.errors import Refusal
from livingtable.games.botwars.state import BotwarsState

WON, LOST = [20, 1, 20, 1], [1, 20, 1, 20]
SEEDS = range(80)


def gary(state: BotwarsState) -> str:
    return state.view(None)["wizard"]["position"]


# --- BW-6.1 ---


def test_gary_has_strength_3() -> None:
    """BW-6.1: strength 3.0."""
    assert drawn("1G.2").view(None)["wizard"] == {"name": "Gary the Wizard", "position": "1,0", "strength": 3.0}


def test_gary_starts_on_a_random_free_open_cell() -> None:
    """BW-6.1: free of the living, no obstacle; a grave does not count."""
    dead = {"p3": {"alive": False, "health": 0}}
    cells = {gary(drawn("1.M\n.F3\n..2", figures=dead, wizard={}, seed=seed)) for seed in SEEDS}
    assert cells == {"1,0", "0,1", "2,1", "0,2", "1,2"}


def test_gary_is_no_seat_and_takes_no_turn() -> None:
    """BW-6.1: he takes no turns."""
    state = drawn("1G.2")
    assert state.sides == ("p1", "p2")
    act(state, "p1", "pass")
    act(state, "p2", "pass")
    assert state.to_act == ("p1",)


def test_gary_stays_where_he_is_if_nothing_else_is_said() -> None:
    """BW-6.1: `wizardRoams` is false by default."""
    state = drawn("1..G..2")
    for side in ("p1", "p2", "p1", "p2"):
        assert kinds(act(state, side, "pass")) == ["passed"]
    assert gary(state) == "3,0"


def test_a_roaming_gary_takes_one_step_at_the_end_of_each_round() -> None:
    """BW-6.1: at the end of the round, not of a turn."""
    state = drawn("1..G..2", wizardRoams=True)
    assert kinds(act(state, "p1", "pass")) == ["passed"]
    assert kinds(act(state, "p2", "pass")) == ["passed", "wizard_moved"]
    assert gary(state) in {"2,0", "4,0"}


def test_a_roaming_gary_goes_to_any_open_neighbour() -> None:
    """BW-6.1: a random open neighbouring cell; he blocks nobody, and nobody blocks him."""
    cells: set[str] = set()
    for seed in SEEDS:
        state = drawn("1M2\n.G.\nF..", wizardRoams=True, seed=seed)
        act(state, "p1", "pass")
        event = only(act(state, "p2", "pass"), "wizard_moved")
        assert event["position"] == gary(state)
        cells.add(gary(state))
    assert cells == {"0,0", "2,0", "0,1", "2,1", "1,2", "2,2"}


def test_a_roaming_gary_walled_in_stays() -> None:
    """BW-6.1: no open neighbouring cell."""
    state = drawn("1.2MG", wizardRoams=True)
    act(state, "p1", "pass")
    assert kinds(act(state, "p2", "pass")) == ["passed"]


# --- BW-6.2 ---


@pytest.mark.parametrize(("cell", "may"), [("3,0", True), ("4,0", True), ("2,0", True), ("5,0", False), ("1,0", False)])
def test_a_solo_may_challenge_within_distance_1(cell: str, may: bool) -> None:
    """BW-6.2: at distance 1 or 0, not 2."""
    state = drawn("2..1....", wizard={"position": cell}, turn="p1")
    assert ("challenge" in legal(state, "p1")) is may


def test_a_diagonal_is_distance_1() -> None:
    """BW-6.2, BW-0.1: Chebyshev, past corners too."""
    assert "challenge" in legal(drawn("1M2\nMG."), "p1")


def test_nobody_has_to_challenge() -> None:
    """BW-6.2: may."""
    assert legal(drawn("1G..2"), "p1") == ["move 1,0", "challenge", "pass"]


def test_a_leader_may_challenge() -> None:
    """BW-6.2: a leader."""
    assert "challenge" in legal(drawn("G12..3", parties=[["p1", "p2"]]), "p1")


def test_a_followers_distance_does_not_count() -> None:
    """BW-6.2: only the leader's does."""
    assert "challenge" not in legal(drawn("12G..3", parties=[["p1", "p2"]]), "p1")


def test_there_is_no_challenge_from_afar() -> None:
    """BW-6.2: refused, with the reason."""
    with pytest.raises(Refusal, match="further than distance 1"):
        act(drawn("1..G2"), "p1", "challenge")


def test_a_foe_nearby_comes_before_gary() -> None:
    """BW-6.2, BW-8.4: only attacks are legal then."""
    assert legal(drawn("G1T..2"), "p1") == ["attack t1"]


# --- BW-6.3 ---


def test_a_challenge_is_fought_in_bouts_of_d20_times_strength() -> None:
    """BW-6.3, BW-2.2: the challenger's die first; 2.0 x 10 beats 3.0 x 6, 2.0 x 8 loses to 3.0 x 6."""
    state = drawn("1G..2", d20=[10, 6, 8, 6, 10, 6])
    event = only(act(state, "p1", "challenge"), "challenge")
    assert event == {
        "type": "challenge",
        "side": "p1",
        "challenger": "p1",
        "strength": 2.0,
        "wizardStrength": 3.0,
        "bouts": [
            {"attackerRolls": [10], "defenderRolls": [6], "winner": "p1"},
            {"attackerRolls": [8], "defenderRolls": [6], "winner": "wizard"},
            {"attackerRolls": [10], "defenderRolls": [6], "winner": "p1"},
        ],
        "winner": "p1",
    }


def test_a_challenge_is_over_with_the_second_bout_won() -> None:
    """BW-6.3, BW-2.2: two bouts decide."""
    event = only(act(drawn("1G..2", d20=LOST), "p1", "challenge"), "challenge")
    assert [bout["winner"] for bout in event["bouts"]] == ["wizard", "wizard"]
    assert event["winner"] == "wizard"


def test_an_equal_product_is_rolled_again() -> None:
    """BW-6.3, BW-2.2: 2.0 x 9 against 3.0 x 6, within the bout."""
    event = only(act(drawn("1G..2", d20=[9, 6, 20, 1, 20, 1]), "p1", "challenge"), "challenge")
    assert event["bouts"][0] == {"attackerRolls": [9, 20], "defenderRolls": [6, 1], "winner": "p1"}
    assert len(event["bouts"]) == 2


def test_a_leader_has_the_strength_of_its_whole_party() -> None:
    """BW-6.3: the challenger's total strength: 2.0 + 2.5 + 0.1; 4.6 x 3 beats 3.0 x 4, 2.0 x 3 would not."""
    state = drawn(
        "G123..4",
        parties=[["p1", "p2", "p3"]],
        figures={"p2": {"strength": 2.5}, "p3": {"strength": 0.1}},
        d20=[3, 4, 3, 4],
    )
    event = only(act(state, "p1", "challenge"), "challenge")
    assert (event["strength"], event["winner"]) == (4.6, "p1")


# --- BW-6.4 ---


def beaten(picture: str = "1G...2", **more: Any) -> BotwarsState:
    """The state after p1 beat Gary."""
    state = drawn(picture, d20=WON, **more)
    act(state, "p1", "challenge")
    return state


def test_the_victor_must_choose_a_reward_before_anything_else() -> None:
    """BW-6.4: the same seat, one of three."""
    state = beaten()
    assert state.phase == "reward"
    assert state.to_act == ("p1",)
    assert legal(state, "p1") == ["reward score", "reward strength", "reward health"]
    assert legal(state, "p2") == []
    with pytest.raises(Refusal, match="must choose"):
        act(state, "p1", "pass")


def test_a_victory_alone_brings_no_figure() -> None:
    """BW-6.4: nothing but what is chosen."""
    state = beaten()
    assert figures_of(state, "score") == {"p1": 0, "p2": 0}
    assert figures_of(state, "health") == {"p1": 10.0, "p2": 10.0}


@pytest.mark.parametrize(("choice", "figure", "value"), [("score", "score", 2), ("strength", "strength", 4.0)])
def test_a_reward_raises_what_was_chosen_by_2(choice: str, figure: str, value: float) -> None:
    """BW-6.4: score +2, strength +2.0; one event that shows the figure after it."""
    state = beaten()
    before = character(state, "p1")
    events = act(state, "p1", f"reward {choice}")
    assert events == [{"type": "rewarded", "side": "p1", "choice": choice, "id": "p1", "value": value}]
    assert character(state, "p1") == {**before, figure: value}


@pytest.mark.parametrize(("health", "after", "most"), [(5.0, 7.0, 10.0), (8.0, 10.0, 10.0), (8.1, 10.1, 10.1)])
def test_health_raises_its_maximum_only_if_it_exceeds_it(health: float, after: float, most: float) -> None:
    """BW-6.4: health +2.0; the maximum rises with it if exceeded."""
    state = beaten(figures={"p1": {"health": health, "maxHealth": 10.0}})
    events = act(state, "p1", "reward health")
    assert only(events, "rewarded")["value"] == after
    assert (character(state, "p1")["health"], character(state, "p1")["maxHealth"]) == (after, most)


def test_a_leaders_reward_is_its_own() -> None:
    """BW-6.4: to that character alone; the party's total rises with it."""
    state = beaten("G12..3", parties=[["p1", "p2"]])
    act(state, "p1", "reward strength")
    assert figures_of(state, "strength") == {"p1": 4.0, "p2": 2.0, "p3": 2.0}
    assert state.view(None)["parties"][0]["totalStrength"] == 6.0


def test_the_reward_ends_the_turn() -> None:
    """BW-6.4, BW-0.7: then it is the next one's turn."""
    state = beaten()
    act(state, "p1", "reward score")
    assert state.phase == "turn"
    assert state.to_act == ("p2",)


def test_the_round_ends_after_the_reward_not_before() -> None:
    """BW-6.4, BW-0.6: the last of the rotation chooses in its own round."""
    state = drawn("1...G2", d20=WON, turn="p2")
    act(state, "p2", "challenge")
    assert state.round == 1
    act(state, "p2", "reward score")
    assert state.round == 2


# --- BW-6.5 ---


@pytest.mark.parametrize(("health", "after", "score"), [(10.0, 8.0, 0), (2.1, 0.1, 0), (1.9, 1.9, -2), (0.1, 0.1, -2)])
def test_a_defeat_costs_2_health_or_with_less_2_score(health: float, after: float, score: int) -> None:
    """BW-6.5: one who has less than 2.0 has none to lose."""
    state = drawn("1G...2", d20=LOST, figures={"p1": {"health": health}})
    events = act(state, "p1", "challenge")
    assert (character(state, "p1")["health"], character(state, "p1")["score"]) == (after, score)
    assert kinds(events) == ["challenge", "scored" if score else "damaged", "wizard_moved"]
    assert character(state, "p1")["alive"]


def test_exactly_2_health_is_paid_in_health_and_that_is_death() -> None:
    """BW-6.5: not in score."""
    state = drawn("1G...2..3", d20=LOST, figures={"p1": {"health": 2.0}})
    events = act(state, "p1", "challenge")
    assert kinds(events) == ["challenge", "damaged", "died", "wizard_moved"]
    assert (character(state, "p1")["health"], character(state, "p1")["score"]) == (0.0, 0)
    assert not character(state, "p1")["alive"]
    assert graves_of(state) == {"p1": "0,0"}


def test_a_defeat_leaves_no_reward() -> None:
    """BW-6.5: the turn is over."""
    state = drawn("1G...2", d20=LOST)
    act(state, "p1", "challenge")
    assert state.phase == "turn"
    assert state.to_act == ("p2",)


def test_a_defeated_leader_pays_alone() -> None:
    """BW-6.5: its followers lose nothing, and the party goes on."""
    state = drawn("G12..3", parties=[["p1", "p2"]], d20=LOST)
    act(state, "p1", "challenge")
    assert figures_of(state, "health") == {"p1": 8.0, "p2": 10.0, "p3": 10.0}
    assert parties_of(state) == [["p1", "p2"]]


# --- BW-6.6 ---


def places(picture: str, **more: Any) -> set[str]:
    """All cells to which Gary goes after p1's challenge, over many seeds."""
    cells: set[str] = set()
    for seed in SEEDS:
        state = drawn(picture, seed=seed, **more)
        events = act(state, "p1", "challenge")
        assert only(events, "wizard_moved")["position"] == gary(state)
        cells.add(gary(state))
    return cells


@pytest.mark.parametrize("rolls", [WON, LOST], ids=["won", "lost"])
def test_after_a_challenge_gary_goes_to_a_random_free_cell_but_not_his_last(rolls: list[int]) -> None:
    """BW-6.6: any open cell but his last and those of the living."""
    assert places("1G.M\n.F.2", d20=rolls) == {"2,0", "0,1", "2,1"}


def test_gary_goes_elsewhere_from_the_challengers_own_cell_too() -> None:
    """BW-6.6: his last cell is then the challenger's."""
    assert places("1..M2", d20=LOST, wizard={"position": "0,0"}) == {"1,0", "2,0"}


def test_gary_avoids_the_cell_on_which_his_challenger_died() -> None:
    """BW-6.6: after a fatal challenge too, and other than the challenger's cell; other graves are free."""
    dead = {"p1": {"health": 2.0}, "p4": {"alive": False, "health": 0}}
    assert places("1G..M24.3", d20=LOST, figures=dead) == {"2,0", "3,0", "6,0", "7,0"}


def test_gary_moves_before_the_reward_is_chosen() -> None:
    """BW-6.6: with a victory he moves first, and not again."""
    state = drawn("1G...2", d20=WON)
    assert kinds(act(state, "p1", "challenge")) == ["challenge", "wizard_moved"]
    assert named(act(state, "p1", "reward score"), "wizard_moved") == []


def test_gary_moves_though_the_challenge_ends_the_game() -> None:
    """BW-6.6, BW-9.1: the end is looked at when Gary has moved."""
    state = drawn("1G...2", d20=LOST, figures={"p1": {"health": 2.0}})
    assert kinds(act(state, "p1", "challenge"))[-2:] == ["wizard_moved", "game_over"]


def test_gary_stays_where_no_free_cell_is_left() -> None:
    """BW-6.6, BW-R6: without a word."""
    state = drawn("1GM2", d20=LOST)
    assert named(act(state, "p1", "challenge"), "wizard_moved") == []
    assert gary(state) == "1,0"
