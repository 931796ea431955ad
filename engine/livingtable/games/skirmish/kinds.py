"""The kinds of pieces and their figures (the seed's Units table, SK-0.3)."""

from __future__ import annotations

from dataclasses import dataclass

SIDES = ("ivory", "crimson")
SIDE_NAMES = {"ivory": "Ivory", "crimson": "the Crimson Horde"}


@dataclass(frozen=True, slots=True)
class Kind:
    """Figures of a kind. `attack` and `defense` are printed on the counter and used by no rule (SK-0.3)."""

    letter: str
    name: str
    move: int
    attack: int
    defense: int
    hp: int
    range: int


KINDS: dict[str, Kind] = {
    kind.letter: kind
    for kind in (
        Kind("K", "Knight", 4, 4, 4, 2, 1),
        Kind("A", "Archer", 4, 3, 2, 2, 3),
        Kind("W", "Wizard", 3, 5, 2, 2, 2),
        Kind("G", "Goblin", 3, 2, 1, 2, 1),
        Kind("O", "Orc", 3, 3, 2, 2, 1),
        Kind("T", "Troll", 2, 5, 4, 3, 1),
        Kind("D", "Dragon", 6, 7, 6, 3, 2),
        Kind("S", "General", 3, 4, 4, 2, 1),
    )
}

KNIGHT, ARCHER, WIZARD, TROLL, DRAGON, GENERAL = "K", "A", "W", "T", "D", "S"
"""The kinds with abilities."""
