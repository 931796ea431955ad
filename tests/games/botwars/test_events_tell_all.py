"""The events alone tell the whole game: who stands where, with what figures, in which line (BW-0.10)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import given
from tests.games.botwars.random_play import random_play, random_setup, rngs, stable, started

from livingtable.games.botwars.state import BotwarsState

FIGURES = ("position", "strength", "health", "score", "alive")


class Replayer:
    """What a reader of a record knows: the start, and what the events say. It has no dice and knows no rule; of lines
    it knows what the words mean (who joins stands at the tail, who leads at the head, who respawns is alone)."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.characters = {c["id"]: {key: c[key] for key in FIGURES} for c in view["characters"]}
        self.lines = {party["leader"]: list(party["members"]) for party in view["parties"]}
        self.wizard = view["wizard"] and view["wizard"]["position"]

    def read(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "moved" | "unstuck" | "line_closed":
                for side, cell in event["line"].items():
                    self.characters[side]["position"] = cell
            case "squeezed":
                for side, loss in event["losses"].items():
                    self.characters[side]["strength"] = round(self.characters[side]["strength"] - loss, 1)
            case "scored":
                self.characters[event["id"]]["score"] = event["score"]
            case "damaged":
                self.characters[event["id"]]["health"] = event["health"]
            case "slept":
                self.characters[event["side"]]["health"] = event["health"]
            case "rewarded":
                self.characters[event["id"]][event["choice"]] = event["value"]
            case "wizard_moved":
                self.wizard = event["position"]
            case _:
                self.read_of_lines(event)

    def read_of_lines(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "party_formed":
                self.lines[event["members"][0]] = list(event["members"])
            case "joined" | "absorbed":
                self.leave(event["id"])
                self.lines.setdefault(event["party"], [event["party"]]).append(event["id"])
                self.characters[event["id"]]["position"] = event["position"]
            case "died":
                self.leave(event["id"])
                self.characters[event["id"]]["alive"] = False
                assert self.characters[event["id"]]["position"] == event["position"]
            case "respawned":
                self.leave(event["id"])
                self.characters[event["id"]]["position"] = event["position"]
            case "party_dissolved":
                for side in event["members"]:
                    self.leave(side)
            case "leader_changed":
                rest = self.lines.pop(event["party"])
                rest.remove(event["leader"])
                self.lines[event["leader"]] = [event["leader"], *rest]
            case _:
                assert event["type"] in (
                    "passed", "unstuck_failed", "ally_offered", "ally_answered", "battle", "challenge", "game_over"
                )  # fmt: skip

    def leave(self, side: str) -> None:
        for leader, line in list(self.lines.items()):
            if side in line:
                line.remove(side)
                if not line:
                    del self.lines[leader]


def check_against(state: BotwarsState, told: Replayer) -> None:
    view = state.view(None)
    assert told.characters == {c["id"]: {key: c[key] for key in FIGURES} for c in view["characters"]}
    assert told.lines == {party["leader"]: party["members"] for party in view["parties"]}
    assert told.wizard == (view["wizard"] and view["wizard"]["position"])


@given(rngs)
@stable
def test_a_reader_of_the_events_knows_the_position_after_every_action(rng: Random) -> None:
    """BW-0.10: without dice and without the rules, in the ruleset full and in classic."""
    state = started(random_setup(rng, classic=rng.random() < 0.2), seed=rng.randint(0, 2**53 - 1))
    told = Replayer(state.view(None))
    for side, action in random_play(rng, state):
        for event in state.apply(side, action):
            told.read(event.to_data())
        check_against(state, told)
