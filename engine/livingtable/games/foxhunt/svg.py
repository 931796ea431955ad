"""The board as one self-contained SVG document."""

from __future__ import annotations

from html import escape

from livingtable.games.foxhunt.position import Position
from livingtable.games.foxhunt.view import SPECIAL_SIGNS
from livingtable.games.foxhunt.yard import HARD, SOFT

CELL = 32
"""Units a field."""

_STYLE = (
    "text{font:600 11px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}"
    ".edge{font-size:9px;font-weight:400;fill:#6b6f76}.small{font-size:8px}"
)
_FILLS = {HARD: "#6d6660", SOFT: "#c99b66"}


def draw(position: Position) -> str:
    """Walls, beams, specials, bombs with their fuses, players as round tokens and the fox as a three-cornered one.

    Players that share a field stand side by side on it. Names come as titles of the tokens, escaped.
    """
    yard = position.yard
    width, height = (yard.width + 1) * CELL, (yard.height + 1) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-label="foxhunt board">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#f6f3ea"/>',
        *_ground(position),
        *_edges(position),
        *_beams(position),
        *_specials(position),
        *_bombs(position),
        *_players(position),
        "</svg>",
    ]
    return "".join(parts)


def _corner(position: Position, field: int) -> tuple[int, int]:
    y, x = divmod(field, position.yard.width)
    return (x + 1) * CELL, (y + 1) * CELL


def _ground(position: Position) -> list[str]:
    """Free fields as one sheet under a grid of lines; walls one by one."""
    yard = position.yard
    right, bottom = (yard.width + 1) * CELL, (yard.height + 1) * CELL
    across = "".join(f"M{CELL} {y * CELL}H{right}" for y in range(1, yard.height + 2))
    down = "".join(f"M{x * CELL} {CELL}V{bottom}" for x in range(1, yard.width + 2))
    shapes = [
        f'<rect x="{CELL}" y="{CELL}" width="{right - CELL}" height="{bottom - CELL}" fill="#fffdf6"/>',
        f'<path d="{across}{down}" stroke="#ddd6c6" fill="none"/>',
    ]
    for field, wall in enumerate(position.ground):
        if not wall:
            continue
        x, y = _corner(position, field)
        shapes.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{_FILLS[wall]}"/>')
        if wall == SOFT:
            bricks = (
                f"M{x} {y + 11}h{CELL}M{x} {y + 22}h{CELL}M{x + 16} {y}v11M{x + 8} {y + 11}v11M{x + 24} {y + 22}v10"
            )
            shapes.append(f'<path d="{bricks}" stroke="#8a6236" fill="none"/>')
    return shapes


def _edges(position: Position) -> list[str]:
    across = [
        f'<text class="edge" x="{(x + 1) * CELL + CELL // 2}" y="{CELL - 9}">{x}</text>'
        for x in range(position.yard.width)
    ]
    down = [
        f'<text class="edge" x="{CELL - 10}" y="{(y + 1) * CELL + CELL // 2}">{y}</text>'
        for y in range(position.yard.height)
    ]
    return across + down


def _beams(position: Position) -> list[str]:
    shapes: list[str] = []
    for field in position.beams:
        x, y = _corner(position, field)
        shapes.append(f'<rect x="{x + 3}" y="{y + 3}" width="26" height="26" rx="6" fill="#f2b134" opacity=".6"/>')
    return shapes


def _specials(position: Position) -> list[str]:
    shapes: list[str] = []
    for field in sorted(position.specials):
        x, y = _corner(position, field)
        kind = position.specials[field]
        box = f'<rect x="{x + 7}" y="{y + 7}" width="18" height="18" rx="3" fill="#2d8a3e"/>'
        sign = f'<text x="{x + 16}" y="{y + 16}" fill="#fff">{SPECIAL_SIGNS[kind]}</text>'
        shapes.append(f"<g><title>{kind}</title>{box}{sign}</g>")
    return shapes


def _bombs(position: Position) -> list[str]:
    shapes: list[str] = []
    for bomb in position.bombs:
        x, y = _corner(position, bomb.field)
        fuse = bomb.explodes - position.round_number
        owner = position.cast.ids[bomb.owner]
        title = f"<title>bomb of {owner}, range {bomb.range}, fuse {fuse}</title>"
        ball = f'<circle cx="{x + 16}" cy="{y + 18}" r="11" fill="#222"/>'
        ball += f'<path d="M{x + 20} {y + 9}l5 -6" stroke="#222" stroke-width="2"/>'
        shapes.append(f'<g>{title}{ball}<text x="{x + 16}" y="{y + 19}" fill="#fff">{fuse}</text></g>')
    return shapes


def _players(position: Position) -> list[str]:
    sharing: dict[int, list[int]] = {}
    for i, field in enumerate(position.field):
        sharing.setdefault(field, []).append(i)
    return [
        _token(position, i, n, len(together))
        for field in sorted(sharing)
        for together in (sharing[field],)
        for n, i in enumerate(together)
    ]


def _token(position: Position, i: int, n: int, of: int) -> str:
    """The n-th of so many players on one field."""
    x, y = _corner(position, position.field[i])
    x, y = x + 16 + (2 * n - of + 1) * 16 // (of + 1), y + 16
    side = position.cast.ids[i]
    hat, paralysed = (position.rounds_left(until) > 0 for until in (position.hat_until[i], position.paralysed_until[i]))
    words = [side, f'"{position.cast.names[i]}"', f"{position.points[i]} points"]
    words += ["the fox"] * (i == position.fox) + ["paralysed"] * paralysed + ["hat"] * hat
    title = f"<title>{escape(', '.join(words))}</title>"
    if i == position.fox:
        shape = f'<path d="M{x - 12} {y - 11}l6 4h12l6 -4v12l-12 12l-12 -12z" fill="#d0581b"/>'
    else:
        shape = f'<circle cx="{x}" cy="{y}" r="11" fill="{"#8d8d8d" if paralysed else "#1f5fa8"}"/>'
    if hat:
        shape += f'<path d="M{x - 9} {y - 9}l9 -7l9 7z" fill="#b8bec7" stroke="#555"/>'
    if paralysed:
        shape += f'<path d="M{x - 11} {y + 9}h22" stroke="#a3172b" stroke-width="3"/>'
    return f'<g>{title}{shape}<text class="small" x="{x}" y="{y}" fill="#fff">{side[:4]}</text></g>'
