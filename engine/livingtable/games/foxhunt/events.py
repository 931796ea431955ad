"""What can happen in foxhunt; the shapes are those of the wire contract.

`side` is the player concerned, `server` where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from livingtable.events import EventData


@dataclass(slots=True)
class Committed(EventData):
    """A player has given its command, which stays hidden until the round is resolved (FX-1.1)."""

    type: ClassVar[str] = "committed"
    side: str


@dataclass(slots=True)
class Command(EventData):
    """One command of a resolved round; `order` is its place in the order of arrival, from 1."""

    side: str
    action: dict[str, Any]
    order: int


@dataclass(slots=True)
class RoundResolved(EventData):
    type: ClassVar[str] = "round_resolved"
    side: str
    round: int
    commands: tuple[Command, ...]


@dataclass(slots=True)
class Moved(EventData):
    type: ClassVar[str] = "moved"
    side: str
    from_: str
    to: str


@dataclass(slots=True)
class PickedUp(EventData):
    type: ClassVar[str] = "picked_up"
    side: str
    kind: str
    position: str


@dataclass(slots=True)
class Caught(EventData):
    type: ClassVar[str] = "caught"
    side: str
    fox: str
    by: str


@dataclass(slots=True)
class Teleported(EventData):
    type: ClassVar[str] = "teleported"
    side: str
    position: str


@dataclass(slots=True)
class BombLaid(EventData):
    type: ClassVar[str] = "bomb_laid"
    side: str
    position: str
    range: int
    fuse: int


@dataclass(slots=True)
class Exploded(EventData):
    """All that goes off in one round: the fields of the bombs, and of their beams, in map order."""

    type: ClassVar[str] = "exploded"
    side: str
    bombs: tuple[str, ...]
    beams: tuple[str, ...]


@dataclass(slots=True)
class WallDestroyed(EventData):
    type: ClassVar[str] = "wall_destroyed"
    side: str
    position: str


@dataclass(slots=True)
class SpecialRevealed(WallDestroyed):
    """A wall under which a special lay (FX-4.5)."""

    revealed: str


@dataclass(slots=True)
class SpecialDestroyed(EventData):
    type: ClassVar[str] = "special_destroyed"
    side: str
    position: str
    kind: str


@dataclass(slots=True)
class Paralysed(EventData):
    type: ClassVar[str] = "paralysed"
    side: str
    rounds: int


@dataclass(slots=True)
class Protected(EventData):
    type: ClassVar[str] = "protected"
    side: str


@dataclass(slots=True)
class Scored(EventData):
    type: ClassVar[str] = "scored"
    side: str
    points: int
    total: int


@dataclass(slots=True)
class SpecialAppeared(EventData):
    type: ClassVar[str] = "special_appeared"
    side: str
    position: str
    kind: str


@dataclass(slots=True)
class GameOver(EventData):
    type: ClassVar[str] = "game_over"
    side: str
    reason: str
