"""The board as one self-contained SVG document."""

from __future__ import annotations

from livingtable.games.skirmish.actions import short
from livingtable.games.skirmish.kinds import SIDES
from livingtable.games.skirmish.position import GONE, Position

WIDE, HIGH = 40, 36
"""A hex's width, and the distance of two rows, in units; pointy tops reach a third of a row beyond."""

_FILLS = {
    ".": "#f3eed9", "=": "#d9c79a", "F": "#a9c79b", "^": "#d8c08c",
    "~": "#9cc4e4", "M": "#a59d92", "I": "#fffdf2", "C": "#d98c7d",
}  # fmt: skip
_STYLE = (
    "text{font:600 12px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}"
    ".at{font-size:8px;font-weight:400;fill:#5c5a52}.hp{font-size:8px}"
)


def draw(position: Position) -> str:
    """Hexes with their coordinates; round counters are ivory's, square ones crimson's, dots show hp."""
    terrain = position.terrain
    width = (max(len(row) for row in terrain.rows) + 1) * WIDE
    height = (len(terrain.rows) + 1) * HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-label="skirmish board">',
        f"<style>{_STYLE}</style>",
        *(_hex(position, h) for h in terrain.names),
        *(_counter(position, i) for i, h in enumerate(position.where) if h != GONE),
        "</svg>",
    ]
    return "".join(parts)


def _middle(position: Position, h: int) -> tuple[int, int]:
    q, r = position.terrain.axial[h]
    column = q + (r - (r & 1)) // 2
    return column * WIDE + (WIDE // 2 if r & 1 else 0) + WIDE // 2 + 4, r * HIGH + HIGH // 2 + 10


def _hex(position: Position, h: int) -> str:
    x, y = _middle(position, h)
    half, low, high = WIDE // 2, HIGH // 3, HIGH * 2 // 3
    corners = ((0, -high), (half, -low), (half, low), (0, high), (-half, low), (-half, -low))
    points = " ".join(f"{x + dx},{y + dy}" for dx, dy in corners)
    fill = _FILLS[position.terrain.sign[h]]
    name = position.terrain.names[h]
    return (
        f'<polygon points="{points}" fill="{fill}" stroke="#b8b09a"><title>{name}</title></polygon>'
        f'<text class="at" x="{x}" y="{y - 15}">{name}</text>'
    )


def _counter(position: Position, i: int) -> str:
    x, y = _middle(position, position.where[i])
    kind, side = position.army.kinds[i], position.army.sides[i]
    letter = "★" if kind.letter == "S" else kind.letter
    title = f"<title>{SIDES[side]} {kind.name} {short(position.army.ids[i])}, {position.hp[i]} of {kind.hp} hp</title>"
    if side == 0:
        shape = f'<circle cx="{x}" cy="{y}" r="12" fill="#fffbe8" stroke="#4a4636" stroke-width="2"/>'
        ink = "#2b281d"
    else:
        shape = f'<rect x="{x - 11}" y="{y - 11}" width="22" height="22" rx="2" fill="#9e1b2f" stroke="#4b0d16"/>'
        ink = "#fff"
    dots = "•" * position.hp[i]
    return (
        f'<g>{title}{shape}<text x="{x}" y="{y - 2}" fill="{ink}">{letter}</text>'
        f'<text class="hp" x="{x}" y="{y + 7}" fill="{ink}">{dots}</text></g>'
    )
