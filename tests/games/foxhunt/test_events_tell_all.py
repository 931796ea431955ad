"""The events alone tell the whole game: ground, players, bombs, specials, beams and points."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import given
from tests.games.foxhunt.drawing import cut, data_of, drawn, give, play, started
from tests.games.foxhunt.plain import read, written
from tests.games.foxhunt.random_play import random_play, random_setup, rngs, stable

from livingtable.games.foxhunt.text import describe


def in_map_order(special: Mapping[str, Any]) -> tuple[int, int]:
    x, y = read(special["position"])
    return y, x


class Replayer:
    """What a reader of a record knows: the first view, and what the events say. It has no dice and knows no rule but
    what the figures mean: specials (FX-6.1), what is lost with them (FX-4.6), and that times tick (FX-4.2)."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.view: dict[str, Any] = json.loads(json.dumps(view))
        self.players: dict[str, dict[str, Any]] = {player["id"]: player for player in self.view["players"]}
        self.round = 1
        self.over = False

    def read_all(self, events: list[dict[str, Any]]) -> None:
        """The events of one action: a round ends with them, or with the next `round_resolved`."""
        resolving = False
        for event in events:
            if event["type"] == "round_resolved":
                if resolving:
                    self._end_round()
                resolving = True
            self._read(event)
        if resolving:
            self._end_round()
        for player in self.view["players"]:
            player["bombsLaid"] = sum(bomb["owner"] == player["id"] for bomb in self.view["bombs"])

    def _end_round(self) -> None:
        for player in self.view["players"]:
            player["hat"] = max(0, player["hat"] - 1)
            player["paralysed"] = max(0, player["paralysed"] - 1)
        if not self.over:
            self.round += 1
            for bomb in self.view["bombs"]:
                bomb["fuse"] -= 1

    def _read(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "committed":
                self.players[event["side"]]["committed"] = True
            case "round_resolved":
                self._resolve(event)
            case "exploded":
                self.view["beams"] = event["beams"]
                self.view["bombs"] = [b for b in self.view["bombs"] if b["position"] not in event["bombs"]]
            case "wall_destroyed":
                self._open_up(event["position"])
                if "revealed" in event:
                    self._put(event["position"], event["revealed"])
            case "special_destroyed":
                assert {"position": event["position"], "kind": event["kind"]} in self.view["specials"]
                self._take(event["position"])
            case "special_appeared":
                self._put(event["position"], event["kind"])
            case "game_over":
                self.over = True
            case _:
                self._read_of_player(event, self.players[event["side"]])

    def _resolve(self, event: dict[str, Any]) -> None:
        assert event["round"] == self.round
        assert [command["order"] for command in event["commands"]] == [n + 1 for n in range(len(event["commands"]))]
        given = {side for side, player in self.players.items() if player["committed"]}
        assert {command["side"] for command in event["commands"]} == given
        self.view["beams"] = []
        for player in self.view["players"]:
            player["committed"] = False

    def _read_of_player(self, event: dict[str, Any], player: dict[str, Any]) -> None:
        match event["type"]:
            case "moved":
                assert player["position"] == event["from"]
                player["position"] = event["to"]
            case "teleported":
                player["position"] = event["position"]
            case "picked_up":
                assert player["position"] == event["position"]
                self._take(event["position"])
                if event["kind"] == "hat":
                    player["hat"] = self.view["settings"]["hat"] + 1
                else:
                    player[event["kind"]] += 1
            case "caught":
                assert (self.view["fox"], event["by"]) == (event["fox"], event["side"])
                self.view |= {"fox": event["by"], "foxRounds": 0}
            case "bomb_laid":
                bomb = {key: event[key] for key in ("position", "range", "fuse")}
                self.view["bombs"].append({**bomb, "owner": event["side"]})
            case "paralysed":
                assert player["hat"] == 0
                settings = self.view["settings"]
                player["paralysed"] = event["rounds"] + 1
                player |= {"range": settings["startRange"], "bombs": settings["startBombs"]}
            case "protected":
                assert player["hat"] > 0
            case _:
                assert event["type"] == "scored"
                assert (self.view["fox"], event["total"]) == (player["id"], player["points"] + event["points"])
                self.view["foxRounds"] += 1
                assert event["points"] == self.view["foxRounds"]
                player["points"] = event["total"]

    def _open_up(self, position: str) -> None:
        x, y = read(position)
        row = self.view["map"][y]
        assert row[x] == "w"
        self.view["map"][y] = f"{row[:x]}_{row[x + 1 :]}"

    def _put(self, position: str, kind: str) -> None:
        self.view["specials"].append({"position": position, "kind": kind})
        self.view["specials"].sort(key=in_map_order)

    def _take(self, position: str) -> None:
        self.view["specials"] = [s for s in self.view["specials"] if s["position"] != position]


@given(rngs)
@stable
def test_a_reader_of_the_events_knows_the_position_after_every_action(rng: Random) -> None:
    """The contract: everything random after the start is in them."""
    state = started(random_setup(rng), seed=rng.randint(0, 2**53 - 1))
    told = Replayer(state.view(None))
    for side, action in random_play(rng, state):
        told.read_all(data_of(state.apply(side, action)))
        assert told.view == state.view(None)
        assert (told.round, told.over) == (state.round, state.result is not None)


@given(rngs)
@stable
def test_every_event_names_the_player_concerned_or_the_server(rng: Random) -> None:
    """The contract: in a resolution `side` is the player concerned, without one `server`."""
    state = started(random_setup(rng))
    of_server = {"round_resolved", "exploded", "wall_destroyed", "special_destroyed", "special_appeared", "game_over"}
    for side, action in random_play(rng, state, 40):
        for event in data_of(state.apply(side, action)):
            assert (event["side"] == "server") is (event["type"] in of_server)
            assert event["side"] in (*state.sides, "server")


@given(rngs)
@stable
def test_cells_of_an_explosion_stand_in_map_order(rng: Random) -> None:
    """FX-R8."""
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 40):
        for event in data_of(state.apply(side, action)):
            for cells in (event.get("beams", []), event.get("bombs", [])):
                ordered = sorted({read(cell) for cell in cells}, key=lambda cell: (cell[1], cell[0]))
                assert cells == [written(cell) for cell in ordered]


# --- as texts ---


def test_a_round_is_described_in_short_lines() -> None:
    """The contract's brief events: commands on one line, what a blast does on one line."""
    state = drawn(
        """
        1  _  2  W  5
        W  W  W  W  a
        H  3  W  w  4
        """,
        figures={"a": {"range": 1}, "p5": {"name": "x", "hat": 1}},
        rounds=1,
        revealChance=1,
        d3=[1],
        fuse=3,
    )
    assert describe(play(state, p3="move W", p5="bomb", p2="throw W 2", p1="stay")) == [
        "round 1: p3 move W, p5 bomb, p2 throw W 2, p1 stay, p4 stay",
        "p3 takes a hat at 0,2",
        "p2's bomb lies at 0,0, range 1, fuse 3",
        "p5's bomb lies at 4,0, range 1, fuse 3",
        "explosion of 4,0 4,1; p4 is paralysed for 3 rounds and loses its specials; p5's hat protects it",
        "fox p1 +1 = 1",
        "game over: round_limit",
    ]


def test_walls_and_specials_that_burn_are_described() -> None:
    """FX-4.3, FX-4.5."""
    state = drawn(
        """
        1  W  w  W  2
        W  w  a  R  W
        W  W  _  W  W
        """,
        revealChance=1,
        d3=[3, 2],
        spawnEvery=1,
        figures={"p1": {"points": 4}},
    )
    lines = describe(play(state))
    assert lines[:2] == [
        "round 1: p1 stay, p2 stay",
        "explosion of 2,1; a range special at 3,1 is destroyed; wall 2,0 breaks, under it a hat; "
        "wall 1,1 breaks, under it a bombs special",
    ]
    assert lines[2] == "fox p1 +1 = 5"
    assert lines[3].startswith(("a range special appears at", "a bombs special appears at", "a hat appears at"))


def test_a_catch_is_described() -> None:
    """FX-3."""
    state = drawn(
        """
        1  2  W
        W  W  W
        W  W  W
        """
    )
    assert describe(play(state, p2="move W")) == [
        "round 1: p2 move W, p1 stay",
        "p2 catches the fox p1 and is the fox now; p2 is teleported to 1,0",
        "fox p2 +1 = 1",
    ]


def test_an_open_round_says_who_has_committed() -> None:
    """FX-1.1."""
    state = drawn(
        """
        1  2  3
        W  W  W
        W  W  W
        """
    )
    events = give(state, "p2", "bomb") + give(state, "p1", "move E") + give(state, "p2", "stay")
    assert describe(events) == ["committed: p2, p1"]


def test_a_cut_round_without_commands_is_described() -> None:
    """FX-1.2."""
    state = drawn(
        """
        1  W  3
        W  2  W
        W  W  W
        """
    )
    assert describe(cut(state)) == ["round 1: nobody acts", "fox p1 +1 = 1"]
