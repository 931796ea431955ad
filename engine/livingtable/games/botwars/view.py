"""What a seat sees: the wire's `state`, and the text board. Nothing is hidden in botwars."""

from __future__ import annotations

from typing import Any

from livingtable.events import shown
from livingtable.games.botwars.actions import Ally, Move
from livingtable.games.botwars.lines import leader_of_two
from livingtable.games.botwars.position import NOBODY, Position
from livingtable.games.botwars.rules import legal_actions

PLAYER_SIGNS = "123456789abcdehijklnopqrsuvwxyzt"
TROLL_SIGNS = "TABCDEHIJKLNOPQRSUVWXYZ123456789"
"""Letters that stand for nothing else, in either case: not forest, Gary, mountain."""
GARY, GRAVE = "G", "+"


def view(position: Position) -> dict[str, Any]:
    names = position.terrain.names
    ids = position.cast.ids
    return {
        "width": position.terrain.width,
        "height": position.terrain.height,
        "terrain": list(position.terrain.rows),
        "turn": ids[position.turn],
        "offer": None
        if position.offered_to == NOBODY
        else {"from": ids[position.turn], "to": ids[position.offered_to]},
        "characters": [_character(position, i) for i in range(len(ids))],
        "parties": [_party(position, leader) for leader in sorted(position.lines)],
        "wizard": None
        if position.wizard_cell == NOBODY
        else {
            "name": position.cast.wizard_name,
            "position": names[position.wizard_cell],
            "strength": shown(position.wizard_strength),
        },
        "graves": [{"id": ids[i], "position": names[position.cell[i]]} for i in _graves(position)],
        "maxRounds": position.cast.max_rounds,
    }


def _character(position: Position, i: int) -> dict[str, Any]:
    kind = "troll" if position.is_troll(i) else "player"
    cell, leader = position.cell[i], position.leader[i]
    return {
        "id": position.cast.ids[i],
        "name": position.cast.names[i],
        "characterType": kind,
        "pieceType": kind,
        "position": None if cell == NOBODY else position.terrain.names[cell],
        "strength": shown(position.strength[i]),
        "health": shown(position.health[i]),
        "maxHealth": shown(position.max_health[i]),
        "score": position.score[i],
        "alive": position.alive[i],
        "leader": None if leader == NOBODY else position.cast.ids[leader],
    }


def _party(position: Position, leader: int) -> dict[str, Any]:
    return {
        "leader": position.cast.ids[leader],
        "members": [position.cast.ids[m] for m in position.lines[leader]],
        "totalStrength": shown(position.total_strength(leader)),
        "consecutivePasses": position.passes.get(leader, 0),
    }


def _graves(position: Position) -> list[int]:
    return [i for i, alive in enumerate(position.alive) if not alive and position.cell[i] != NOBODY]


def signs(position: Position) -> list[str]:
    """The character that stands for each on the board: players 1 to 9, then a, b, …; trolls T, then A, B, …

    No two differ by case alone (BW-R21): trolls take what no player has. There are enough for 32.
    """
    trolls = position.cast.trolls
    for_players = PLAYER_SIGNS[: trolls.count(False)]
    for_trolls = [sign for sign in TROLL_SIGNS if sign.lower() not in for_players]
    left = {False: iter(for_players), True: iter(for_trolls)}
    return [next(left[troll]) for troll in trolls]


def board(position: Position, side: str | None = None) -> str:
    """The grid with its edges numbered, and a line a character; names stay out of it (the seats tell them). The seat
    that is to act is told what notations do not show: which of its moves are squeezes, and who would lead an
    alliance."""
    lines = [*_grid(position), _legend(position), *_lines(position)]
    return "\n".join([*lines, *_squeezes(position, side), *_alliances(position, side)])


def _grid(position: Position) -> list[str]:
    terrain, sign = position.terrain, signs(position)
    ground = list("".join(terrain.rows))
    for i in _graves(position):
        ground[position.cell[i]] = GRAVE
    if position.wizard_cell != NOBODY:
        ground[position.wizard_cell] = GARY
    for cell, i in position.occupant.items():
        ground[cell] = sign[i]
    width, digits = terrain.width, len(str(terrain.height - 1))
    margin = " " * (digits + 1)
    tens = [margin + "".join(str(x // 10) if x >= 10 else " " for x in range(width))] if width > 20 else []
    units = margin + "".join(str(x % 10) for x in range(width))
    # Leading zeros, not blanks: a row is fewer tokens so.
    rows = [f"{y:0{digits}} " + "".join(ground[y * width : (y + 1) * width]) for y in range(terrain.height)]
    return [*tens, units, *rows]


def _legend(position: Position) -> str:
    limit = f"/{position.cast.max_rounds}" if position.cast.max_rounds else ""
    parts = [f"round {position.round_number}{limit}; M F closed"]
    if position.wizard_cell != NOBODY:
        cell, strength = position.terrain.names[position.wizard_cell], shown(position.wizard_strength)
        parts.append(f"{GARY} {position.cast.wizard_name} {cell} {strength}")
    if not all(position.alive):
        parts.append(f"{GRAVE} grave")
    return ", ".join(parts) + "; id=sign cell strength health score:"


def _lines(position: Position) -> list[str]:
    sign = signs(position)
    rows = [_line(position, i, sign[i]) for i in range(len(sign))]
    for leader in sorted(position.lines):
        ids = [position.cast.ids[m] for m in position.lines[leader]]
        rows.append(f"{'>'.join(ids)} {shown(position.total_strength(leader))}{_passes(position, leader)}")
    return rows


def _line(position: Position, i: int, sign: str) -> str:
    side, cell = position.cast.ids[i], position.cell[i]
    where = "" if cell == NOBODY else f" {position.terrain.names[cell]}"
    strength, health = shown(position.strength[i]), shown(position.health[i])
    if not position.alive[i]:
        return f"{side}={GRAVE}{where} {strength} dead {position.score[i]}"
    # p1 is 1 on the board: the sign is told only where the id does not end with it.
    shown_as = "" if side.endswith(sign) else f"={sign}"
    return f"{side}{shown_as}{where} {strength} {health} {position.score[i]}"


def _passes(position: Position, leader: int) -> str:
    count = position.passes.get(leader, 0)
    return f", passed {count}" if count else ""


def _squeezes(position: Position, side: str | None) -> list[str]:
    """The moves that cost the seat strength, and how much (BW-5.2)."""
    i = position.turn
    if position.cast.ids[i] != side or not position.terrain.squeezes[position.cell[i]] or position.outcome:
        return []
    moves = [action.to for action in legal_actions(position) if isinstance(action, Move)]
    tight = [to for to in moves if position.terrain.index[to] in position.terrain.squeezes[position.cell[i]]]
    cost = "-0.2, followers -0.1" if i in position.lines else "-0.1"
    return [f"squeeze {' '.join(tight)}: strength {cost}"] if tight else []


def _alliances(position: Position, side: str | None) -> list[str]:
    """Who would lead the parties that the seat may make or is asked into, and so decide for both (BW-1.2)."""
    i = position.deciding_now()
    if position.cast.ids[i] != side or position.outcome:
        return []
    if position.offered_to != NOBODY:
        return [_alliance(position, "accept", i, position.turn)]
    allies = [action.target for action in legal_actions(position) if isinstance(action, Ally)]
    return [_alliance(position, f"ally {target}", i, position.cast.index[target]) for target in allies]


def _alliance(position: Position, notation: str, i: int, other: int) -> str:
    leads = leader_of_two(position, i, other)[0] == i
    outcome = "you lead, it decides no more" if leads else f"{position.cast.ids[other]} leads, you decide no more"
    return f"{notation}: {outcome}"
