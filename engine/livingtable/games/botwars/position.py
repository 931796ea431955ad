"""A botwars position: who stands where, who follows whom, whose decision it is.

Characters are numbers in registration order. Strength and health are exact tenths. A *unit* is a solo player, a party
or a troll, and is named by its deciding seat: the solo, the leader, the troll (BW-0.6).
"""

from __future__ import annotations

from dataclasses import dataclass

from livingtable.dice import Dice
from livingtable.game import Result
from livingtable.games.botwars.events import EventData
from livingtable.games.botwars.terrain import Terrain
from livingtable.grids import nth_bit

NOBODY = -1
MIN_STRENGTH = 1

Events = list[EventData]


@dataclass(frozen=True, slots=True)
class Cast:
    """What never changes about the characters and the game; copies of a position share it."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    trolls: tuple[bool, ...]
    index: dict[str, int]
    names_by_id: dict[str, str]
    classic: bool
    max_rounds: int | None
    wizard_name: str
    wizard_roams: bool


class Position:
    """The figures of one moment, and the few changes of which every rule is made."""

    __slots__ = (
        "alive",
        "cast",
        "cell",
        "dice",
        "health",
        "leader",
        "lines",
        "living_players",
        "living_trolls",
        "max_health",
        "occupant",
        "occupied",
        "offered_to",
        "outcome",
        "passes",
        "reward_open",
        "round_number",
        "score",
        "strength",
        "terrain",
        "turn",
        "wizard_cell",
        "wizard_strength",
    )

    cast: Cast
    terrain: Terrain
    dice: Dice
    cell: list[int]
    """Where each stands; of the dead, where the grave is (`NOBODY`: nowhere)."""
    strength: list[int]
    health: list[int]
    max_health: list[int]
    score: list[int]
    alive: list[bool]
    leader: list[int]
    """The leader of each one's party (its own number if it leads), `NOBODY` for solos, trolls and the dead."""
    lines: dict[int, list[int]]
    """By leader: the members in line order, the leader first."""
    passes: dict[int, int]
    """Consecutive passes of leaders, where not 0."""
    occupant: dict[int, int]
    occupied: int
    wizard_cell: int
    wizard_strength: int
    turn: int
    offered_to: int
    """Who has an alliance to answer, `NOBODY` where nobody has."""
    reward_open: bool
    round_number: int
    living_players: int
    living_trolls: int
    outcome: Result | None

    # who is who

    def is_troll(self, i: int) -> bool:
        return self.cast.trolls[i]

    def members(self, i: int) -> list[int]:
        """The unit that `i` decides for, in line order."""
        return self.lines.get(i) or [i]

    def decider(self, i: int) -> int:
        """The deciding seat of the unit that `i` belongs to."""
        leader = self.leader[i]
        return i if leader == NOBODY else leader

    def decides(self, i: int) -> bool:
        leader = self.leader[i]
        return self.alive[i] and leader in (NOBODY, i)

    def total_strength(self, i: int) -> int:
        line = self.lines.get(i)
        return self.strength[i] if line is None else sum(self.strength[m] for m in line)

    def deciding_now(self) -> int:
        """The one seat that is to act: the answering one, else the one whose turn (or reward) it is."""
        return self.turn if self.offered_to == NOBODY else self.offered_to

    # who is near

    def reach_bits(self, i: int) -> int:
        """All cells within distance 1 of any member of the unit."""
        around, cell = self.terrain.around, self.cell
        line = self.lines.get(i)
        if line is None:
            return around[cell[i]]
        bits = 0
        for member in line:
            bits |= around[cell[member]]
        return bits

    def own_bits(self, i: int) -> int:
        bits = 0
        for member in self.members(i):
            bits |= 1 << self.cell[member]
        return bits

    def neighbouring_units(self, i: int) -> list[int]:
        """The other units with a living member at distance 1, by deciding seat, in registration order."""
        near = self.reach_bits(i) & self.occupied & ~self.own_bits(i)
        units: set[int] = set()
        while near:
            low = near & -near
            units.add(self.decider(self.occupant[low.bit_length() - 1]))
            near ^= low
        return sorted(units)

    def touches(self, i: int, j: int) -> bool:
        """Whether two units have members at distance 1 of each other (BW-2.0)."""
        return bool(self.reach_bits(i) & self.own_bits(j))

    def near_wizard(self, i: int) -> bool:
        """Whether the character itself is within distance 1 of the wizard, his own cell included (BW-6.2)."""
        return self.wizard_cell != NOBODY and bool(self.terrain.around[self.cell[i]] >> self.wizard_cell & 1)

    # random free cells (BW-2.5)

    def free_bits(self) -> int:
        """Open cells without a living character and without the wizard."""
        bits = self.terrain.open_bits & ~self.occupied
        return bits if self.wizard_cell == NOBODY else bits & ~(1 << self.wizard_cell)

    def crowded_bits(self) -> int:
        """Cells within distance 1 of a living character."""
        bits = 0
        for cell in self.occupant:
            bits |= self.terrain.around[cell]
        return bits

    def draw_cell(self, bits: int) -> int:
        """One of the cells, each equally likely; `NOBODY` if there is none."""
        return nth_bit(bits, self.dice.below(bits.bit_count())) if bits else NOBODY

    # changes

    def put(self, i: int, cell: int) -> None:
        """Moves one living character to a free cell."""
        old = self.cell[i]
        del self.occupant[old]
        self.occupant[cell] = i
        self.occupied ^= 1 << old | 1 << cell
        self.cell[i] = cell

    def place(self, line: list[int], cells: list[int]) -> None:
        """Moves several at once: the first to the first cell, and so on."""
        for i in line:
            del self.occupant[self.cell[i]]
            self.occupied ^= 1 << self.cell[i]
        for i, cell in zip(line, cells, strict=True):
            self.cell[i] = cell
            self.occupant[cell] = i
            self.occupied |= 1 << cell

    def bury(self, i: int) -> None:
        """Death: off the board and out of the rotation; the figures stay (BW-7.2)."""
        self.alive[i] = False
        self.leader[i] = NOBODY
        del self.occupant[self.cell[i]]
        self.occupied ^= 1 << self.cell[i]
        if self.is_troll(i):
            self.living_trolls -= 1
        else:
            self.living_players -= 1

    def make_party(self, line: list[int]) -> None:
        """A new party, leader first; its count of passes starts at 0 (BW-4.4)."""
        self.lines[line[0]] = line
        for member in line:
            self.leader[member] = line[0]

    def disband(self, leader: int) -> None:
        """Ends a party: those of it who live are solos."""
        for member in self.lines.pop(leader, ()):
            self.leader[member] = NOBODY
        self.passes.pop(leader, None)

    def add_to_party(self, leader: int, newcomer: int) -> None:
        """At the tail; a solo that takes somebody on becomes a leader by it."""
        line = self.lines.get(leader)
        if line is None:
            self.make_party([leader, newcomer])
        else:
            line.append(newcomer)
            self.leader[newcomer] = leader

    def weaken(self, i: int, tenths: int) -> int:
        """Takes strength and returns what was really lost: it never falls below 0.1 (BW-0.3)."""
        lost = min(tenths, self.strength[i] - MIN_STRENGTH)
        self.strength[i] -= lost
        return lost

    def line_data(self, line: list[int]) -> dict[str, str]:
        """Each one's cell, as the events show it."""
        ids, names, cell = self.cast.ids, self.terrain.names, self.cell
        return {ids[i]: names[cell[i]] for i in line}
