"""What a seat sees: the wire's `state`, and the text board. Commands of the open round are left out, at this place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from livingtable.games.foxhunt.position import MILLION, Position, Settings
from livingtable.games.foxhunt.yard import rows_of

WINDOW = 21
"""Columns and rows of the board that a player sees of a larger map; a spectator sees all of it."""
PLAYER_SIGNS = "123456789acdegij"
"""No letter that means something else in the other case (FX-R21)."""
OWN, FOX, SEVERAL, BOMB, BEAM = "@", "F", "&", "o", "*"
SPECIAL_SIGNS = {"range": "R", "bombs": "B", "hat": "H"}


def view(position: Position) -> dict[str, Any]:
    names, ids, now = position.yard.names, position.cast.ids, position.round_number
    return {
        "width": position.yard.width,
        "height": position.yard.height,
        "map": rows_of(position.ground, position.yard.width),
        "rounds": position.settings.rounds,
        "fox": ids[position.fox],
        "foxRounds": position.fox_rounds,
        "players": [_player(position, i) for i in range(len(ids))],
        "bombs": [
            {"position": names[b.field], "owner": ids[b.owner], "range": b.range, "fuse": b.explodes - now}
            for b in position.bombs
        ],
        "specials": [
            {"position": names[field], "kind": position.specials[field]} for field in sorted(position.specials)
        ],
        "beams": [names[field] for field in position.beams],
        "settings": _settings(position.settings),
        "secondsLeft": None,
    }


def _player(position: Position, i: int) -> dict[str, Any]:
    return {
        "id": position.cast.ids[i],
        "name": position.cast.names[i],
        "position": position.yard.names[position.field[i]],
        "points": position.points[i],
        "range": position.range[i],
        "bombs": position.bomb_count[i],
        "bombsLaid": position.bombs_laid(i),
        "hat": position.rounds_left(position.hat_until[i]),
        "paralysed": position.rounds_left(position.paralysed_until[i]),
        "committed": i in position.commands,
    }


def _settings(settings: Settings) -> dict[str, Any]:
    milliseconds = settings.round_milliseconds
    return {
        "rounds": settings.rounds,
        "fuse": settings.fuse,
        "paralysis": settings.paralysis,
        "hat": settings.hat,
        "startRange": settings.start_range,
        "startBombs": settings.start_bombs,
        "throwRange": settings.throw_range,
        "startSpecials": settings.start_specials,
        "spawnEvery": settings.spawn_every,
        "revealChance": settings.reveal / MILLION,
        "roundSeconds": None if milliseconds is None else milliseconds / 1000,
    }


def settings_from_view(data: Mapping[str, Any]) -> Settings:
    """The inverse of a view's `settings`."""
    seconds = data["roundSeconds"]
    return Settings(
        rounds=data["rounds"],
        fuse=data["fuse"],
        paralysis=data["paralysis"],
        hat=data["hat"],
        start_range=data["startRange"],
        start_bombs=data["startBombs"],
        throw_range=data["throwRange"],
        start_specials=data["startSpecials"],
        spawn_every=data["spawnEvery"],
        reveal=round(data["revealChance"] * MILLION),
        round_milliseconds=None if seconds is None else round(seconds * 1000),
    )


def board(position: Position, side: str | None) -> str:
    """The grid with its edges numbered, a legend, a line a player, and the bombs.

    Of a map larger than 21 x 21 a player sees that much, around its own field.
    """
    own = position.cast.index.get(side or "")
    left, top, columns, rows = _window(position, own)
    digits = len(str(top + rows - 1))
    margin = " " * (digits + 1)
    across = range(left, left + columns)
    tens = [margin + "".join(str(x // 10) if x >= 10 else " " for x in across)] if left + columns > 20 else []
    units = margin + "".join(str(x % 10) for x in across)
    signs = _signs(position, own)
    width = position.yard.width
    grid = [
        # Leading zeros, not blanks: a row is fewer tokens so.
        f"{y:0{digits}} " + "".join(signs[y * width + left : y * width + left + columns])
        for y in range(top, top + rows)
    ]
    shown = {sign for row in grid for sign in row[digits + 1 :]}
    return "\n".join([*tens, units, *grid, _heading(position, columns, rows), *_lines(position, own, shown)])


def _window(position: Position, own: int | None) -> tuple[int, int, int, int]:
    """West column, north row, number of columns, number of rows."""
    width, height = position.yard.width, position.yard.height
    if own is None:
        return 0, 0, width, height
    y, x = divmod(position.field[own], width)
    columns, rows = min(width, WINDOW), min(height, WINDOW)
    left = min(max(0, x - WINDOW // 2), width - columns)
    top = min(max(0, y - WINDOW // 2), height - rows)
    return left, top, columns, rows


def _heading(position: Position, columns: int, rows: int) -> str:
    width, height = position.yard.width, position.yard.height
    part = "" if (columns, rows) == (width, height) else f", part of {width}x{height} (all: get_state)"
    fox = f"fox {position.cast.ids[position.fox]}"
    # Nobody scores any more once the game is over.
    fox += "" if position.outcome else f", next +{position.fox_rounds + 1}"
    return f"round {position.round_number} of {position.settings.rounds}{part}; {fox}"


def player_signs(position: Position, own: int | None) -> list[str]:
    """The character that stands for each player on the board."""
    signs = list(PLAYER_SIGNS[: len(position.field)])
    signs[position.fox] = FOX
    if own is not None:
        signs[own] = OWN
    return signs


def _signs(position: Position, own: int | None) -> list[str]:
    """One character a field: who stands there, else what lies there, else the ground."""
    signs = list("".join(rows_of(position.ground, position.yard.width)))
    for field in position.beams:
        signs[field] = BEAM
    for field, kind in position.specials.items():
        signs[field] = SPECIAL_SIGNS[kind]
    for bomb in position.bombs:
        signs[bomb.field] = BOMB
    taken: set[int] = set()
    for field, sign in zip(position.field, player_signs(position, own), strict=True):
        signs[field] = SEVERAL if field in taken else sign
        taken.add(field)
    return signs


def _legend(position: Position, own: int | None, shown: set[str]) -> str:
    """A spectator's explains every sign, a player's those that it sees: one board a decision is read by a model."""
    told = ((OWN, "you"), (FOX, "fox"), (SEVERAL, "several"), ("W", "wall"), ("w", "breakable"), (BOMB, "bomb"))
    specials = [(SPECIAL_SIGNS[kind], kind) for kind in SPECIAL_SIGNS if own is None or SPECIAL_SIGNS[kind] in shown]
    seen = {*shown, OWN} if own is not None else {sign for sign, _ in told} - {OWN}
    parts = [f"{sign} {name}" for sign, name in told if sign in seen]
    if specials:
        signs, kinds = zip(*specials, strict=True)
        parts.append(f"{' '.join(signs)} special{'s' * (len(kinds) > 1)} {' '.join(kinds)}")
    if own is None or BEAM in shown:
        parts.append(f"{BEAM} beam")
    fuse = "fuse 0 explodes this round; " if own is None or position.bombs else ""
    return f"{', '.join(parts)}; {fuse}id(=sign) cell points range bombs:"


def _lines(position: Position, own: int | None, shown: set[str]) -> list[str]:
    names, legend = position.yard.names, _legend(position, own, shown)
    signs = player_signs(position, own)
    rows = [_line(position, i, signs[i]) for i in range(len(signs))]
    now = position.round_number
    bombs = [f"{names[b.field]} range {b.range} fuse {b.explodes - now}" for b in position.bombs]
    return [legend, *rows, *(["bombs: " + "; ".join(bombs)] if bombs else [])]


def _line(position: Position, i: int, sign: str) -> str:
    side = position.cast.ids[i]
    # p1 is 1 on the board: the sign is told only where the id does not end with it.
    shown_as = "" if side.endswith(sign) else f"={sign}"
    laid, may = position.bombs_laid(i), position.bomb_count[i]
    text = f"{side}{shown_as} {position.yard.names[position.field[i]]} {position.points[i]} {position.range[i]}"
    text += f" {laid}/{may}" if laid else f" {may}"
    for word, until in (("hat", position.hat_until[i]), ("paralysed", position.paralysed_until[i])):
        left = position.rounds_left(until)
        if left:
            text += f" {word} {left}"
    return text + (" committed" if i in position.commands else "")
