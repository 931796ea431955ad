"""What can happen in skirmish; the shapes are those of the wire contract. `side` is the acting side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from livingtable.events import EventData


@dataclass(slots=True)
class Moved(EventData):
    type: ClassVar[str] = "moved"
    side: str
    piece_id: str
    from_: str
    to: str
    path: tuple[str, ...]
    """The hexes entered, in order; their number decides Charge (SK-3.3)."""
    cost: int


@dataclass(slots=True)
class Attacked(EventData):
    type: ClassVar[str] = "attacked"
    side: str
    attacker_id: str
    defender_id: str
    roll: int
    modifier: int
    """Charge less leaderless: what is added to the roll."""
    needed: int
    hit: bool


@dataclass(slots=True)
class Damaged(EventData):
    type: ClassVar[str] = "damaged"
    side: str
    piece_id: str
    hp: int


@dataclass(slots=True)
class Destroyed(EventData):
    type: ClassVar[str] = "destroyed"
    side: str
    piece_id: str


@dataclass(slots=True)
class Afraid(EventData):
    type: ClassVar[str] = "afraid"
    side: str
    piece_ids: tuple[str, ...]


@dataclass(slots=True)
class Regenerated(EventData):
    type: ClassVar[str] = "regenerated"
    side: str
    piece_id: str
    hp: int


@dataclass(slots=True)
class TurnEnded(EventData):
    type: ClassVar[str] = "turn_ended"
    side: str
    turn: int
    next: str | None
    """Whose turn it is then; None where the turn limit ends the game."""


@dataclass(slots=True)
class CastleTaken(EventData):
    type: ClassVar[str] = "castle_taken"
    side: str
    piece_id: str


@dataclass(slots=True)
class GameOver(EventData):
    type: ClassVar[str] = "game_over"
    side: str
    reason: str
