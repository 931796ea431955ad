"""The board as one self-contained SVG document."""

from __future__ import annotations

from html import escape

from livingtable.events import shown
from livingtable.games.botwars.position import NOBODY, Position

CELL = 32
"""Units a cell."""

_STYLE = (
    "text{font:600 11px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}"
    ".edge{font-size:9px;font-weight:400;fill:#6b6f76}.figure{font-size:8px;font-weight:400}"
)


def draw(position: Position) -> str:
    """Cells, lines of parties, graves, the wizard; round tokens are players, square ones trolls, a bar shows health.

    Names come as titles of the tokens, escaped.
    """
    terrain = position.terrain
    width, height = (terrain.width + 1) * CELL, (terrain.height + 1) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-label="botwars board">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#f6f3ea"/>',
        *_ground(position),
        *_edges(position),
        *_party_lines(position),
        *_graves(position),
        *_wizard(position),
        *(_token(position, i) for i in range(len(position.alive)) if position.alive[i]),
        "</svg>",
    ]
    return "".join(parts)


def _corner(position: Position, cell: int) -> tuple[int, int]:
    y, x = divmod(cell, position.terrain.width)
    return (x + 1) * CELL, (y + 1) * CELL


def _middle(position: Position, cell: int) -> tuple[int, int]:
    x, y = _corner(position, cell)
    return x + CELL // 2, y + CELL // 2


def _ground(position: Position) -> list[str]:
    shapes: list[str] = []
    for cell, sign in enumerate("".join(position.terrain.rows)):
        x, y = _corner(position, cell)
        fill = {"M": "#b9b2a6", "F": "#a9c79b"}.get(sign, "#fffdf6")
        shapes.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#ddd6c6"/>')
        if sign == "M":
            shapes.append(f'<path d="M{x + 5} {y + 26}l10 -18 4 7 3 -4 6 15z" fill="#7d766b"/>')
        elif sign == "F":
            shapes.append(f'<path d="M{x + 16} {y + 5}l9 16h-7v6h-4v-6h-7z" fill="#4f7a43"/>')
    return shapes


def _edges(position: Position) -> list[str]:
    across = [
        f'<text class="edge" x="{(x + 1) * CELL + CELL // 2}" y="{CELL - 9}">{x}</text>'
        for x in range(position.terrain.width)
    ]
    down = [
        f'<text class="edge" x="{CELL - 10}" y="{(y + 1) * CELL + CELL // 2}">{y}</text>'
        for y in range(position.terrain.height)
    ]
    return across + down


def _party_lines(position: Position) -> list[str]:
    lines: list[str] = []
    for leader in sorted(position.lines):
        points = " ".join(
            "{},{}".format(*_middle(position, position.cell[member])) for member in position.lines[leader]
        )
        lines.append(f'<polyline points="{points}" fill="none" stroke="#1f5fa8" stroke-width="6" opacity=".45"/>')
    return lines


def _graves(position: Position) -> list[str]:
    shapes: list[str] = []
    for i, alive in enumerate(position.alive):
        if alive or position.cell[i] == NOBODY:
            continue
        x, y = _corner(position, position.cell[i])
        title = f"<title>grave of {escape(position.cast.ids[i])} {_name(position, i)}</title>"
        shapes.append(f'<g>{title}<path d="M{x + 10} {y + 27}v-14a6 6 0 0 1 12 0v14z" fill="#8d8d8d"/></g>')
    return shapes


def _wizard(position: Position) -> list[str]:
    if position.wizard_cell == NOBODY:
        return []
    x, y = _corner(position, position.wizard_cell)
    title = f"<title>{escape(position.cast.wizard_name)} {shown(position.wizard_strength)}</title>"
    hat = f'<path d="M{x + 16} {y + 2}l8 22h-16z" fill="#6a3fa0"/>'
    return [f'<g>{title}{hat}<text x="{x + 16}" y="{y + 19}" fill="#fff">G</text></g>']


def _token(position: Position, i: int) -> str:
    x, y = _middle(position, position.cell[i])
    side = position.cast.ids[i]
    strength, health = shown(position.strength[i]), shown(position.health[i])
    title = f"<title>{side} {_name(position, i)} strength {strength}, health {health}</title>"
    if position.is_troll(i):
        shape = f'<rect x="{x - 12}" y="{y - 13}" width="24" height="24" rx="2" fill="#a33a2a"/>'
    else:
        ring = ' stroke="#0d2f57" stroke-width="3"' if i in position.lines else ""
        shape = f'<circle cx="{x}" cy="{y - 1}" r="12" fill="#1f5fa8"{ring}/>'
    share = position.health[i] * 24 // max(1, position.max_health[i])
    bar = f'<rect x="{x - 12}" y="{y + 12}" width="24" height="3" fill="#ccc"/>'
    bar += f'<rect x="{x - 12}" y="{y + 12}" width="{share}" height="3" fill="#2d8a3e"/>'
    text = f'<text x="{x}" y="{y - 4}" fill="#fff">{side[:4]}</text>'
    figure = f'<text class="figure" x="{x}" y="{y + 6}" fill="#fff">{strength}</text>'
    return f"<g>{title}{shape}{bar}{text}{figure}</g>"


def _name(position: Position, i: int) -> str:
    return escape(f'"{position.cast.names[i]}"')
