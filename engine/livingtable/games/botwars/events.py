"""What can happen in botwars; the shapes are those of the wire contract.

Cells are texts, strength and health exact tenths. `side` is the acting seat. Everything random after the start stands
in them (BW-0.10), so that the events alone, without dice, tell the whole game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from livingtable.events import EventData, Tenths


@dataclass(slots=True)
class Bout(EventData):
    """Rolls of one bout; equal products were rolled again (BW-2.2), so the last pair decides."""

    attacker_rolls: tuple[int, ...]
    defender_rolls: tuple[int, ...]
    winner: str


@dataclass(slots=True)
class Moved(EventData):
    type: ClassVar[str] = "moved"
    side: str
    from_: str
    to: str
    line: dict[str, str]
    """Where each member of the unit stands afterwards."""


@dataclass(slots=True)
class Squeezed(EventData):
    type: ClassVar[str] = "squeezed"
    side: str
    losses: dict[str, Tenths]
    """The strength that each really lost (BW-0.3: never below 0.1)."""


@dataclass(slots=True)
class Passed(EventData):
    type: ClassVar[str] = "passed"
    side: str
    consecutive_passes: int


@dataclass(slots=True)
class Unstuck(EventData):
    type: ClassVar[str] = "unstuck"
    side: str
    line: dict[str, str]


@dataclass(slots=True)
class UnstuckFailed(EventData):
    type: ClassVar[str] = "unstuck_failed"
    side: str


@dataclass(slots=True)
class AllyOffered(EventData):
    type: ClassVar[str] = "ally_offered"
    side: str
    target: str


@dataclass(slots=True)
class AllyAnswered(EventData):
    type: ClassVar[str] = "ally_answered"
    side: str
    accept: bool


@dataclass(slots=True)
class PartyFormed(EventData):
    type: ClassVar[str] = "party_formed"
    side: str
    members: tuple[str, ...]


@dataclass(slots=True)
class Joined(EventData):
    type: ClassVar[str] = "joined"
    side: str
    id: str
    party: str
    position: str


@dataclass(slots=True)
class Battle(EventData):
    type: ClassVar[str] = "battle"
    side: str
    attacker: str
    defender: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attacker_strength: Tenths
    defender_strength: Tenths
    bouts: tuple[Bout, ...]
    winner: str


@dataclass(slots=True)
class Scored(EventData):
    type: ClassVar[str] = "scored"
    side: str
    id: str
    delta: int
    score: int


@dataclass(slots=True)
class Damaged(EventData):
    type: ClassVar[str] = "damaged"
    side: str
    id: str
    amount: Tenths
    """The loss drawn or due; health stops at 0."""
    health: Tenths


@dataclass(slots=True)
class Died(EventData):
    type: ClassVar[str] = "died"
    side: str
    id: str
    position: str


@dataclass(slots=True)
class LineClosed(EventData):
    type: ClassVar[str] = "line_closed"
    side: str
    line: dict[str, str]


@dataclass(slots=True)
class LeaderChanged(EventData):
    type: ClassVar[str] = "leader_changed"
    side: str
    party: str
    """The leader until now."""
    leader: str


@dataclass(slots=True)
class Absorbed(EventData):
    type: ClassVar[str] = "absorbed"
    side: str
    id: str
    party: str
    position: str


@dataclass(slots=True)
class PartyDissolved(EventData):
    type: ClassVar[str] = "party_dissolved"
    side: str
    members: tuple[str, ...]
    """Those who are solos now."""


@dataclass(slots=True)
class Respawned(EventData):
    type: ClassVar[str] = "respawned"
    side: str
    id: str
    position: str


@dataclass(slots=True)
class Challenged(EventData):
    type: ClassVar[str] = "challenge"
    side: str
    challenger: str
    strength: Tenths
    wizard_strength: Tenths
    bouts: tuple[Bout, ...]
    winner: str


@dataclass(slots=True)
class WizardMoved(EventData):
    type: ClassVar[str] = "wizard_moved"
    side: str
    position: str


@dataclass(slots=True)
class Rewarded(EventData):
    type: ClassVar[str] = "rewarded"
    side: str
    choice: str
    id: str
    value: int | float
    """The figure after it: a score, or strength or health with one decimal."""


@dataclass(slots=True)
class Slept(EventData):
    type: ClassVar[str] = "slept"
    side: str
    health: Tenths


@dataclass(slots=True)
class GameOver(EventData):
    type: ClassVar[str] = "game_over"
    side: str
    reason: str
