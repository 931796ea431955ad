"""The events alone tell the whole game: who stands where, hurt, spent and afraid."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import given
from tests.games.skirmish.drawing import act, drawn, started
from tests.games.skirmish.random_play import random_play, random_setup, rngs, stable

from livingtable.games.skirmish import SkirmishState
from livingtable.games.skirmish.text import describe

FIGURES = ("hex", "hp", "moved", "hexesMoved", "attacksMade", "afraid")


class Replayer:
    """What a reader of a record knows: the start, and what the events say. It has no dice and knows no rule but what
    the marks mean: they end with the turn, and fear with the move (SK-1.4)."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.pieces = {p["id"]: {key: p[key] for key in FIGURES} for p in view["pieces"]}
        self.side: str = view["side"]

    def read(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "moved":
                piece = self.pieces[event["pieceId"]]
                assert piece["hex"] == event["from"]
                assert event["path"][-1] == event["to"]
                piece.update(hex=event["to"], moved=True, hexesMoved=len(event["path"]), afraid=False)
            case "attacked":
                self.pieces[event["attackerId"]]["attacksMade"] += 1
                assert event["hit"] is (event["roll"] + event["modifier"] >= event["needed"])
            case "damaged" | "regenerated":
                self.pieces[event["pieceId"]]["hp"] = event["hp"]
            case "destroyed":
                assert self.pieces.pop(event["pieceId"])["hp"] == 0
            case "afraid":
                for piece_id in event["pieceIds"]:
                    self.pieces[piece_id]["afraid"] = True
            case "turn_ended":
                assert event["side"] == self.side != event["next"]
                for piece_id, piece in self.pieces.items():
                    if piece_id.startswith(self.side):
                        piece.update(moved=False, hexesMoved=0, attacksMade=0, afraid=False)
                self.side = event["next"]
            case _:
                assert event["type"] in ("castle_taken", "game_over")


def check_against(state: SkirmishState, told: Replayer) -> None:
    view = state.view(None)
    assert told.pieces == {p["id"]: {key: p[key] for key in FIGURES} for p in view["pieces"]}
    if state.result is None:
        assert told.side == view["side"]


@given(rngs)
@stable
def test_a_reader_of_the_events_knows_the_position_after_every_action(rng: Random) -> None:
    """The contract: everything random after the start is in them."""
    state = started(random_setup(rng), seed=rng.randint(0, 2**53 - 1))
    told = Replayer(state.view(None))
    for side, action in random_play(rng, state):
        for event in state.apply(side, action):
            data = event.to_data()
            assert data["side"] == side
            told.read(data)
        check_against(state, told)


def test_a_move_tells_the_hexes_entered_and_what_they_cost() -> None:
    """SK-2.2, the contract's event."""
    state = drawn("I K1 F . o1 C")
    assert act(state, "K1 > 3,0") == [
        {
            "type": "moved",
            "side": "ivory",
            "pieceId": "ivory-K1",
            "from": "1,0",
            "to": "3,0",
            "path": ["2,0", "3,0"],
            "cost": 3,
        }
    ]


def test_events_are_described_in_short_lines() -> None:
    """The contract's brief events: what belongs to one attack stands on one line."""
    state = drawn(
        "I K1 d1 t1 . C",
        firstSide="crimson",
        figures={"K1": {"hp": 1}, "t1": {"hp": 1}},
        d6=[4],
        leaderless={"crimson": True},
    )
    assert describe(act(state, "D1 x K1", "T1 > 4,0", "end", "end")) == [
        "crimson-D1 x ivory-K1: 4-1, needs 4, misses; afraid: ivory-K1",
        "crimson-T1 3,0 > 4,0",
        "crimson ends turn 1",
        "ivory ends turn 1",
        "crimson-T1 heals to 2 hp",
    ]


def test_the_end_is_described() -> None:
    """The contract's brief events."""
    state = drawn("I K1 C o1")
    assert describe(act(state, "K1 > 2,0")) == [
        "ivory-K1 1,0 > 2,0",
        "ivory-K1 takes the castle",
        "game over: castle_taken",
    ]
