"""foxhunt in numbers."""

from __future__ import annotations

from livingtable.adapters.pettingzoo.encoding import MILLION, Canvas, Encoding, Plane, at
from livingtable.game import Data, State

STAY = "stay"
DIRECTIONS = "NESW"
MOST_PLAYERS = 16.0
HUNDRED = 100.0

PLANES = (
    Plane("wall", "1 on a wall"),
    Plane("breakable", "1 on a wall that bombs break"),
    Plane("own", "1 where the own player stands"),
    Plane("others", "how many others stand there", MOST_PLAYERS),
    Plane("fox", "1 where the fox stands"),
    Plane("points", "the most points of those that stand there", MILLION),
    Plane("paralysed", "the most rounds that somebody there is still paralysed", MILLION),
    Plane("hat", "the most rounds that somebody there still has a hat for", MILLION),
    Plane("bomb", "1 where a bomb lies"),
    Plane("own bomb", "1 where an own bomb lies"),
    Plane("fuse", "in how many rounds the bomb there explodes; 0 at the end of this one", HUNDRED),
    Plane("bomb range", "how far the beams of the bomb there go", HUNDRED),
    Plane("longer beam", "1 where that special lies"),
    Plane("more bombs", "1 where that special lies"),
    Plane("tinfoil hat", "1 where that special lies"),
    Plane("beam", "1 where a beam passed in the round before"),
    Plane("own points", "everywhere the own points", MILLION),
    Plane("own range", "everywhere how far the own beams go", HUNDRED),
    Plane("own bombs", "everywhere how many bombs one may have lying", HUNDRED),
    Plane("own bombs laid", "everywhere how many bombs one has lying", HUNDRED),
    Plane("own paralysed", "everywhere how many rounds one is still paralysed", MILLION),
    Plane("own hat", "everywhere how many rounds one still has a hat for", MILLION),
    Plane("fox rounds", "everywhere for how many rounds in a row the fox has scored", MILLION),
    Plane("round", "everywhere the round, from 1", MILLION),
    Plane("rounds left", "everywhere how many rounds follow this one", MILLION),
)
SPECIALS = {"range": "longer beam", "bombs": "more bombs", "hat": "tinfoil hat"}


def encoding(start: State) -> Encoding:
    """Of a scenario, by a state of it: `move N E S W`, `bomb`, `throw` N, E, S, W, each from near to far; last `stay`,
    which is also what an illegal action comes to."""
    view = start.view(None)
    far = min(view["settings"]["throwRange"], max(view["width"], view["height"]) - 1)
    moves = [f"move {direction}" for direction in DIRECTIONS]
    throws = [f"throw {direction} {n}" for direction in DIRECTIONS for n in range(1, far + 1)]
    return Encoding((view["height"], view["width"]), PLANES, (*moves, "bomb", *throws, STAY), _draw)


def _draw(canvas: Canvas, view: Data, state: State, side: str) -> None:
    canvas.ground(view["map"], {"wall": "W", "breakable": "w"})
    for bomb in view["bombs"]:
        _bomb(canvas, bomb, side)
    for special in view["specials"]:
        canvas.put(SPECIALS[special["kind"]], *at(special["position"]))
    for cell in view["beams"]:
        canvas.put("beam", *at(cell))
    for player in view["players"]:
        _player(canvas, player, view["fox"], side)
    canvas.fill("fox rounds", view["foxRounds"])
    canvas.fill("round", state.round)
    canvas.fill("rounds left", max(0, view["rounds"] - state.round))


def _bomb(canvas: Canvas, bomb: Data, side: str) -> None:
    cell = at(bomb["position"])
    canvas.put("bomb", *cell)
    if bomb["owner"] == side:
        canvas.put("own bomb", *cell)
    canvas.put("fuse", *cell, bomb["fuse"])
    canvas.put("bomb range", *cell, bomb["range"])


def _player(canvas: Canvas, player: Data, fox: str, side: str) -> None:
    cell = at(player["position"])
    for plane in ("points", "paralysed", "hat"):
        canvas.most(plane, *cell, player[plane] or 0)
    if player["id"] == fox:
        canvas.put("fox", *cell)
    if player["id"] != side:
        canvas.add("others", *cell)
        return
    canvas.put("own", *cell)
    for plane in ("points", "range", "bombs", "paralysed", "hat"):
        canvas.fill(f"own {plane}", player[plane] or 0)
    canvas.fill("own bombs laid", player["bombsLaid"])
