"""`greedy` for botwars: the gain and risk of each action, weighed one step ahead.

It allies, best where it leads or where nobody is stronger than the leader, battles with good odds and keeps away from
bad ones, challenges Gary when it is likely to win, and as a troll hunts the weak and sleeps off its wounds. All
weights are thousandths of a point of score; equal values are decided by the order of the legal actions, so the choice
is a function of the view alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from livingtable.events import Tenths, tenths_of
from livingtable.game import Action, Data
from livingtable.games.botwars.actions import Ally, Answer, Attack, Challenge, Move, Pass, Reward, Sleep
from livingtable.games.botwars.terrain import Terrain, terrain_of

SURE = 1000
"""Odds are thousandths."""
NO_WAY = 10_000
SQUEEZE_STEPS = 4
"""A squeeze is worth a detour of three steps."""
SMALL = 1_024
"""Cells; what is kept of larger boards is kept in fewer bytes."""


@lru_cache(maxsize=4096)
def battle_odds(attacker: Tenths, defender: Tenths) -> int:
    """The attacker's chance, in thousandths, in best two of three bouts of D20 times strength, equals rolled again."""
    won = lost = 0
    for a in range(1, 21):
        for d in range(1, 21):
            won += a * attacker > d * defender
            lost += a * attacker < d * defender
    bout = SURE * won // (won + lost)
    return bout * bout * (3 * SURE - 2 * bout) // SURE**2


@lru_cache(maxsize=4096)
def steps_from(terrain: Terrain, cell: int) -> Sequence[int]:
    """How many steps each cell is away, by open cells, a squeeze counted dearer; a large number where there is no way.

    The price of a squeeze is in the way, not in the step, so that one who stands before a gap does not shrink back
    from it each time anew.
    """
    steps = [NO_WAY] * terrain.size
    steps[cell] = 0
    edges: dict[int, list[int]] = {0: [cell]}
    exits, squeezes = terrain.exits, terrain.squeezes
    far = 0
    while edges:
        edge, onward = edges.pop(far, ()), far + 1
        for here in edge:
            if far > steps[here]:
                continue
            tight = squeezes[here]
            for target in exits[here]:
                if onward < steps[target]:
                    there = far + SQUEEZE_STEPS if target in tight else onward
                    if there < steps[target]:
                        steps[target] = there
                        if there in edges:
                            edges[there].append(target)
                        else:
                            edges[there] = [target]
        far = onward
    return steps if terrain.size <= SMALL else array("H", steps)


@dataclass(frozen=True, slots=True)
class Unit:
    """A solo, a party or a troll, as far as it matters here."""

    decider: str
    cells: tuple[int, ...]
    """The leader's first."""
    total: Tenths
    leader_strength: Tenths
    health: Tenths
    troll: bool

    @property
    def size(self) -> int:
        return len(self.cells)


class GreedyBotwars:
    def __init__(self, side: str, seed: int) -> None:
        self.side = side

    def choose(self, view: Data, legal: Sequence[Action]) -> Action:
        if len(legal) == 1:
            return legal[0]
        table = Table(view, self.side)
        return max(legal, key=table.value)


class Table:
    """One view, read once: the units, the wizard, and what each action is worth to the deciding one."""

    def __init__(self, view: Data, side: str) -> None:
        self.terrain = terrain_of(tuple(view["terrain"]))
        self.characters: dict[str, Data] = {c["id"]: c for c in view["characters"]}
        self.units = self._units(view)
        self.me = self.units.pop(side)
        wizard = view["wizard"]
        self.wizard_cell = self.terrain.index[wizard["position"]] if wizard else None
        self.wizard_strength = tenths_of(wizard["strength"]) if wizard else 0
        self.foes = [u for u in self.units.values() if self._battles(u)]

    def value(self, action: Action) -> int:
        """In thousandths of a point of score."""
        match action:
            case Attack(target):
                return self._battle_value(self.units[target])
            case Move(to):
                return self._move_value(self.terrain.index[to])
            case Ally(target):
                return self._standing_value() + self._ally_value(self.units[target])
            case Answer(accept):
                return 1 if accept else 0
            case Challenge():
                return self._standing_value() + self._challenge_value()
            case Reward(choice):
                return self._reward_value(choice)
            case Sleep():
                return self._standing_value() + (150 if self._wounds() else -50)
            case Pass():
                return self._standing_value() - 100
            case _:
                return -SURE

    # reading the view

    def _units(self, view: Data) -> dict[str, Unit]:
        lines: dict[str, list[str]] = {p["leader"]: p["members"] for p in view["parties"]}
        units: dict[str, Unit] = {}
        for side, c in self.characters.items():
            if not c["alive"] or c["leader"] not in (None, side):
                continue
            members = [self.characters[m] for m in lines.get(side, [side])]
            units[side] = Unit(
                side,
                tuple(self.terrain.index[m["position"]] for m in members),
                sum(tenths_of(m["strength"]) for m in members),
                tenths_of(c["strength"]),
                tenths_of(c["health"]),
                c["characterType"] == "troll",
            )
        return units

    def _battles(self, other: Unit) -> bool:
        """Whether an encounter with it is a battle (BW-2.0)."""
        me = self.me
        if me.troll or other.troll:
            return me.troll != other.troll
        if (me.size > 1) == (other.size > 1):
            return me.size > 1
        party, solo = (me, other) if me.size > 1 else (other, me)
        return party.leader_strength < solo.leader_strength

    # what things are worth

    def _battle_value(self, foe: Unit) -> int:
        win = battle_odds(self.me.total, foe.total)
        return (win * self._gain(foe) - (SURE - win) * self._loss()) // SURE

    def _gain(self, foe: Unit) -> int:
        """Two points for the win, and the followers that fall in; a troll near death is worth finishing."""
        if self.me.troll:
            return 2000
        if foe.troll:
            return 2000 + (1000 if foe.health <= 30 else 300)
        return 2500 + 800 * (foe.size - 1)

    def _loss(self) -> int:
        """A point, two of health on the average, the party; the nearer to death the dearer."""
        health = 4000 if self.me.health <= 30 else 1200 if self.me.health <= 60 else 500
        return health + (0 if self.me.troll else 1000) + 700 * (self.me.size - 1)

    def _meeting_value(self, other: Unit) -> int:
        """Of coming to distance 1 of a unit."""
        if self._battles(other):
            return self._battle_value(other)
        if self.me.troll or other.troll:
            return 0
        if self.me.size > 1:
            return 1500  # A solo that joins us.
        if other.size > 1:
            return 700  # A party that takes us on.
        return self._ally_value(other) // 2

    def _ally_value(self, other: Unit) -> int:
        """To lead is worth more than to follow; a leader whom nobody outgrows can take on everyone."""
        leads = self.me.leader_strength >= other.leader_strength
        strength = max(self.me.leader_strength, other.leader_strength)
        outgrown = any(u.leader_strength > strength for u in self.units.values() if not u.troll and u is not other)
        return (1800 if leads else 1300) + (0 if outgrown else 1000)

    def _challenge_value(self) -> int:
        win = battle_odds(self.me.total, self.wizard_strength)
        health = self.me.health
        cost = 2000 if health < 20 else 9000 if health == 20 else 3000 if health <= 40 else 900
        return (win * 2200 - (SURE - win) * cost) // SURE

    def _reward_value(self, choice: str) -> int:
        outmatched = any(u.total > self.me.total for u in self.foes)
        worth = {
            "score": 2000,
            "strength": 2400 if outmatched or self._outgrown() else 1200,
            "health": 3000 if self.me.health <= 30 else 800,
        }
        return worth[choice]

    def _outgrown(self) -> bool:
        """A solo is stronger than I, who lead: it will not join as long as it is."""
        if self.me.size == 1:
            return False
        solos = (u for u in self.foes if u.size == 1 and not u.troll)
        return any(u.leader_strength > self.me.leader_strength for u in solos)

    def _wounds(self) -> Tenths:
        mine = self.characters[self.me.decider]
        return tenths_of(mine["maxHealth"]) - self.me.health

    # where to stand

    def _move_value(self, cell: int) -> int:
        start = self.me.cells[0]
        cells = (cell, *self.me.cells[:-1])
        near = 0
        for c in cells:
            near |= self.terrain.around[c]
        met = [u for u in self.units.values() if any(near >> c & 1 for c in u.cells)]
        value = sum(self._meeting_value(u) for u in met)
        if cell in self.terrain.squeezes[start]:
            value -= 10  # Of two equal steps the other one.
        return value + self._place_value(cell, {u.decider for u in met})

    def _standing_value(self) -> int:
        return self._place_value(self.me.cells[0], set())

    def _place_value(self, cell: int, met: set[str]) -> int:
        """What can be reached from there, the nearer the better, and who could come: the best hope less the risk."""
        hope = risk = 0
        for unit in self.units.values():
            if unit.decider in met:
                continue
            steps = min(steps_from(self.terrain, c)[cell] for c in unit.cells)
            worth = self._meeting_value(unit)
            if worth > 0:
                hope = max(hope, worth * 4 // (steps + 4))
            elif steps <= 3:
                risk = max(risk, -worth * 2 // (steps + 2))
        if self.wizard_cell is not None and not self.me.troll:
            worth = self._challenge_value()
            steps = steps_from(self.terrain, self.wizard_cell)[cell]
            if worth > 0:
                hope = max(hope, worth * 4 // (max(0, steps - 1) + 4))
        return hope - risk
