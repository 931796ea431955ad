"""BW-0.10: the start and the events tell the whole game, without the generator."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.games.botwars.drawing import act, drawn, figures_of, named

import livingtable
from livingtable.games.botwars.state import BotwarsState

CROWDED: dict[str, Any] = {
    "game": "botwars",
    "map": ["........", ".M.FM...", "..M..F..", "........", ".F.M..M.", "........"],
    "characters": [
        *({"strength": 1.5 + n / 10, "health": 2.0 + n} for n in range(6)),
        {"characterType": "troll"},
        {"characterType": "troll", "health": 3.0},
    ],
    "wizardRoams": True,
}
FIGURES = ("position", "strength", "health", "score", "alive")


class Reader:
    """Follows a game by its start and its events alone."""

    def __init__(self, start: dict[str, Any]) -> None:
        self.who = {c["id"]: {figure: c[figure] for figure in FIGURES} for c in start["characters"]}
        self.wizard = start["wizard"] and start["wizard"]["position"]

    def read(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "moved" | "unstuck" | "line_closed":
                for side, cell in event["line"].items():
                    self.who[side]["position"] = cell
            case "joined" | "absorbed" | "respawned":
                self.who[event["id"]]["position"] = event["position"]
            case "squeezed":
                for side, loss in event["losses"].items():
                    self.who[side]["strength"] = round(self.who[side]["strength"] - loss, 1)
            case "scored":
                self.who[event["id"]]["score"] = event["score"]
            case "damaged":
                self.who[event["id"]]["health"] = event["health"]
            case "slept":
                self.who[event["side"]]["health"] = event["health"]
            case "rewarded":
                self.who[event["id"]][event["choice"]] = event["value"]
            case "died":
                self.who[event["id"]].update(alive=False, position=event["position"])
            case "wizard_moved":
                self.wizard = event["position"]
            case _:
                pass


@pytest.mark.parametrize("ruleset", ["full", "classic"])
@pytest.mark.parametrize("seed", range(12))
def test_start_and_events_tell_all_figures(seed: int, ruleset: str) -> None:
    """BW-0.10: every random outcome after the start stands in an event."""
    setup = {**CROWDED, "ruleset": ruleset, "characters": CROWDED["characters"][: 8 if ruleset == "full" else 6]}
    state = cast(BotwarsState, livingtable.new_game(setup, seed=seed))
    reader = Reader(state.view(None))
    for n in range(300):
        if not state.to_act:
            break
        side = state.to_act[0]
        options = state.legal_actions(side)
        for event in state.apply(side, options[(seed * 17 + n * 5 + n // 7) % len(options)]):
            reader.read(event.to_data())
        view = state.view(None)
        assert reader.who == {c["id"]: {figure: c[figure] for figure in FIGURES} for c in view["characters"]}
        assert reader.wizard == view["wizard"]["position"]


def test_the_drawn_start_stands_in_the_state_of_version_zero() -> None:
    """BW-0.10: a state made again from its data has the same strengths, cells and wizard, and no generator is asked."""
    state = cast(BotwarsState, livingtable.new_game(CROWDED, seed=3))
    again = BotwarsState.from_data(state.to_data())
    assert again.view(None) == state.view(None)
    assert again.dice.draws == state.dice.draws


def test_the_attackers_die_falls_first() -> None:
    """BW-0.10: in a bout the attacker's die, then the defender's."""
    state = drawn("1.T..2", d20=[11, 12, 13, 14])
    (battle,) = named(act(state, "p1", "move 1,0"), "battle")
    assert (battle["attacker"], battle["defender"]) == ("p1", "t1")
    assert [(bout["attackerRolls"], bout["defenderRolls"]) for bout in battle["bouts"]] == [([11], [12]), ([13], [14])]


def test_the_attacker_rolls_first_whoever_is_registered_first() -> None:
    """BW-0.10: the attacker is the one who moved."""
    state = drawn("1.T..2", d20=[20, 1, 19, 2], turn="t1")
    (battle,) = named(act(state, "t1", "move 1,0"), "battle")
    assert (battle["attacker"], battle["bouts"][1]["attackerRolls"]) == ("t1", [19])


def test_the_challengers_die_falls_first() -> None:
    """BW-0.10: the challenger's, then the wizard's."""
    state = drawn("1G..2", d20=[20, 1, 19, 2])
    (challenge,) = named(act(state, "p1", "challenge"), "challenge")
    assert [(b["attackerRolls"], b["defenderRolls"]) for b in challenge["bouts"]] == [([20], [1]), ([19], [2])]


def test_damage_falls_in_line_order() -> None:
    """BW-0.10: damage in line order, which is not the registration order here."""
    state = drawn("T213...4", d20=[20, 1, 20, 1], d3=[1, 2, 3], parties=[["p2", "p1", "p3"]], turn="t1")
    events = act(state, "t1", "attack p2")
    assert [(e["id"], e["amount"]) for e in named(events, "damaged")] == [("p2", 1.0), ("p1", 2.0), ("p3", 3.0)]


def test_a_respawn_and_the_wizards_way_stand_in_events() -> None:
    """BW-0.10: respawn cell, wizard's cell."""
    state = drawn("T1.....G...", d20=[20, 1, 20, 1], turn="t1", wizard_roams=True, figures={"t1": {"strength": 5.0}})
    events = act(state, "t1", "attack p1")
    (respawned,), (wizard_moved,) = named(events, "respawned"), named(events, "wizard_moved")
    assert respawned["position"] == figures_of(state, "position")["p1"]
    assert wizard_moved["position"] == state.view(None)["wizard"]["position"]


def test_loaded_dice_fall_first_and_are_not_drawn() -> None:
    """BW-0.10: loaded dice take no draw of the generator."""
    state = drawn("T1", d20=[20, 1, 20, 1], d3=[3], turn="t1")
    act(state, "t1", "attack p1")
    assert (state.dice.draws, state.dice.loaded) == (0, {})
