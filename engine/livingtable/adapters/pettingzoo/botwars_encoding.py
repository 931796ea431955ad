"""botwars in numbers."""

from __future__ import annotations

from livingtable.adapters.pettingzoo.encoding import MILLION, Canvas, Encoding, Plane, at
from livingtable.game import Data, State

MOST_SEATS = 32.0
PHASES = ("turn", "answer", "reward")

PLANES = (
    Plane("mountain", "1 on a mountain"),
    Plane("forest", "1 in a forest"),
    Plane("grave", "1 on a gravestone"),
    Plane("own", "1 where the own character stands"),
    Plane("player", "1 where a living player stands"),
    Plane("troll", "1 where a living troll stands"),
    Plane("seat", "the number of the seat that stands there, from 1", MOST_SEATS),
    Plane("leader", "the number of the seat that leads whoever stands there, its own if it leads", MOST_SEATS),
    Plane("place in line", "1 for a leader, 2 for the next of its line, …", MOST_SEATS),
    Plane("strength", "the strength of whoever stands there", MILLION),
    Plane("health", "the health of whoever stands there", MILLION),
    Plane("score", "the score of whoever stands there", MILLION, -MILLION),
    Plane("passes", "on a leader: how often in a row its party has passed", MILLION),
    Plane("turn", "1 where the character stands whose turn it is"),
    Plane("offering", "1 where the character stands that has offered an alliance"),
    Plane("asked", "1 where the character stands that has been offered one"),
    Plane("wizard", "the wizard's strength, where it stands", MILLION),
    Plane("own score", "everywhere the own score", MILLION, -MILLION),
    Plane("phase", "everywhere: 0 a turn, 1 an answer, 2 a reward is to be chosen", 2.0),
    Plane("round", "everywhere the round, from 1", MILLION),
    Plane("rounds left", "everywhere how many rounds follow this one; 0 where there is no limit", MILLION),
)


def encoding(start: State) -> Encoding:
    """Of a scenario, by a state of it: moves to every cell, row by row; then `ally` and `attack` by seat; then the
    rest."""
    view = start.view(None)
    width, height = view["width"], view["height"]
    moves = [f"move {x},{y}" for y in range(height) for x in range(width)]
    targets = [f"{word} {side}" for word in ("ally", "attack") for side in start.sides]
    rest = ["accept", "decline", "challenge", "sleep", "pass", "reward score", "reward strength", "reward health"]
    return Encoding((height, width), PLANES, (*moves, *targets, *rest), _draw)


def _draw(canvas: Canvas, view: Data, state: State, side: str) -> None:
    canvas.ground(view["terrain"], {"mountain": "M", "forest": "F"})
    for grave in view["graves"]:
        canvas.put("grave", *at(grave["position"]))
    _characters(canvas, view, state, side)
    if (wizard := view["wizard"]) is not None:
        canvas.put("wizard", *at(wizard["position"]), wizard["strength"])
    canvas.fill("phase", PHASES.index(state.phase))
    canvas.fill("round", state.round)
    canvas.fill("rounds left", max(0, view["maxRounds"] - state.round) if view["maxRounds"] else 0)


def _characters(canvas: Canvas, view: Data, state: State, side: str) -> None:
    number = {of: seat for seat, of in enumerate(state.sides, 1)}
    offer = view["offer"] or {"from": None, "to": None}
    where = {c["id"]: at(c["position"]) for c in view["characters"] if c["alive"] and c["position"] is not None}
    for character in view["characters"]:
        if character["id"] == side:
            canvas.fill("own score", character["score"])
        if character["id"] not in where:
            continue
        cell = where[character["id"]]
        canvas.put(character["characterType"], *cell)
        canvas.put("seat", *cell, number[character["id"]])
        canvas.put("leader", *cell, number.get(character["leader"], 0))
        for figure in ("strength", "health", "score"):
            canvas.put(figure, *cell, character[figure])
        signs = {"own": side, "turn": view["turn"], "offering": offer["from"], "asked": offer["to"]}
        for plane, of in signs.items():
            if of == character["id"]:
                canvas.put(plane, *cell)
    for party in view["parties"]:
        canvas.put("passes", *where[party["leader"]], party["consecutivePasses"])
        for place, member in enumerate(party["members"], 1):
            canvas.put("place in line", *where[member], place)
