"""The state of a skirmish game, as the game contract has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from livingtable.dice import Dice
from livingtable.errors import Code, Refusal
from livingtable.events import EventData
from livingtable.game import Action, Data, Game, Result, State
from livingtable.games.skirmish import rules
from livingtable.games.skirmish.actions import SkirmishAction, parse_action
from livingtable.games.skirmish.kinds import KINDS, SIDE_NAMES, SIDES
from livingtable.games.skirmish.position import GONE, Army, Position, make_army
from livingtable.games.skirmish.refusals import why_idle, why_illegal
from livingtable.games.skirmish.svg import draw
from livingtable.games.skirmish.terrain import Terrain, terrain_of
from livingtable.games.skirmish.view import board, view
from livingtable.scenarios import MAP_AT_MOST


class SkirmishState(Position, State):
    __slots__ = ()

    game: ClassVar[Game]

    def __init__(self, terrain: Terrain, army: Army, dice: Dice) -> None:
        """A board without pieces: whoever makes one (`start`, `from_data`) puts them on it."""
        self.terrain, self.army, self.dice = terrain, army, dice
        self.where, self.hp, self.hexes_moved, self.attacks_made = [], [], [], []
        self.moved, self.afraid = [], []
        self.leaderless = [False, False]
        self.occupant, self.occupied = {}, [0, 0]
        self.side, self.turn, self.outcome = 0, 1, None
        self.forget_reach()

    @property
    def sides(self) -> tuple[str, ...]:
        return SIDES

    @property
    def names(self) -> Mapping[str, str]:
        return SIDE_NAMES

    @property
    def round(self) -> int:
        return self.turn

    @property
    def phase(self) -> str:
        """Always `turn`."""
        return "turn"

    @property
    def to_act(self) -> tuple[str, ...]:
        return () if self.outcome else (SIDES[self.side],)

    @property
    def result(self) -> Result | None:
        return self.outcome

    @property
    def terms(self) -> str:
        """The figures of the kinds that are on the board, which shows where they stand alone."""
        kinds = dict.fromkeys(self.army.kinds[i] for i, h in enumerate(self.where) if h != GONE)
        figures = ", ".join(f"{kind.letter} {kind.name} {kind.move} {kind.range} {kind.hp}" for kind in kinds)
        no_limit = "" if self.army.turn_limit else "; no limit of turns"
        return f"move, range, hp: {figures}{no_limit}"

    def legal_actions(self, side: str) -> Sequence[SkirmishAction]:
        if self.outcome is not None or side != SIDES[self.side]:
            return ()
        return rules.legal_actions(self)

    def why_idle(self, side: str) -> str:
        return why_idle(self, side)

    def parse_action(self, given: str | Mapping[str, Any], side: str | None = None) -> SkirmishAction:
        if side is not None and side not in SIDES:
            raise Refusal(Code.NOT_YOUR_SEAT, why_idle(self, side))
        return parse_action(given, side or SIDES[self.side])

    def apply(self, side: str, action: Action) -> list[EventData]:
        if self.outcome is not None:
            raise Refusal(Code.GAME_OVER, why_idle(self, side))
        if side != SIDES[self.side]:
            raise Refusal(Code.NOT_YOUR_TURN, why_idle(self, side))
        chosen = cast(SkirmishAction, action)
        if not rules.is_legal(self, chosen):
            raise Refusal(Code.ILLEGAL_ACTION, why_illegal(self, chosen))
        events: list[EventData] = []
        rules.play(self, chosen, events)
        return events

    def view(self, side: str | None) -> Data:
        return view(self)

    def board(self, side: str | None) -> str:
        return board(self)

    def svg(self, side: str | None) -> str:
        return draw(self)

    def ranking(self) -> tuple[Data, ...]:
        return self.outcome.ranking if self.outcome else rules.level_ranking()

    def copy(self) -> SkirmishState:
        other = SkirmishState(self.terrain, self.army, self.dice.copy())
        other.where, other.hp = self.where[:], self.hp[:]
        other.moved, other.hexes_moved = self.moved[:], self.hexes_moved[:]
        other.attacks_made, other.afraid = self.attacks_made[:], self.afraid[:]
        other.leaderless, other.occupied = self.leaderless[:], self.occupied[:]
        other.occupant = self.occupant.copy()
        other.side, other.turn, other.outcome = self.side, self.turn, self.outcome
        return other

    def fork(self, seed: int | None = None) -> SkirmishState:
        other = self.copy()
        if seed is not None:
            other.dice = Dice(seed)
        return other

    def to_data(self) -> Data:
        """The view with the pieces that are gone, and what a view need not say: who is first, dice, result."""
        data = view(self)
        gone = [
            {"id": self.army.ids[i], "kind": self.army.kinds[i].letter, "side": SIDES[self.army.sides[i]], "order": i}
            for i, h in enumerate(self.where)
            if h == GONE
        ]
        return {
            "game": "skirmish",
            **data,
            "gone": gone,
            "firstSide": SIDES[self.army.first_side],
            "dice": self.dice.to_data(),
            "result": self.outcome.to_data() if self.outcome else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> SkirmishState:
        """The inverse of `to_data`. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
        rows = tuple(data["map"])
        if len(rows) > MAP_AT_MOST or max(len(row) for row in rows) > MAP_AT_MOST:
            raise ValueError(f"a map has at most {MAP_AT_MOST} rows and columns")
        terrain = terrain_of(rows)
        pieces: list[Mapping[str, Any]] = list(data["pieces"])
        for lost in data["gone"]:
            pieces.insert(lost["order"], lost)
        army = make_army(
            terrain,
            tuple(p["id"] for p in pieces),
            tuple(KINDS[p["kind"]] for p in pieces),
            tuple(SIDES.index(p["side"]) for p in pieces),
            data["turnLimit"],
            SIDES.index(data["firstSide"]),
        )
        state = cls(terrain, army, Dice.from_data(data["dice"]))
        for n, p in enumerate(pieces):
            h = terrain.index[p["hex"]] if "hex" in p else GONE
            state.where.append(h)
            state.hp.append(p.get("hp", 0))
            state.moved.append(p.get("moved", False))
            state.hexes_moved.append(p.get("hexesMoved", 0))
            state.attacks_made.append(p.get("attacksMade", 0))
            state.afraid.append(p.get("afraid", False))
            if h != GONE:
                state.occupant[h] = n
                state.occupied[army.sides[n]] |= 1 << h
        state.leaderless = [data["leaderless"][side] for side in SIDES]
        state.side, state.turn = SIDES.index(data["side"]), data["turn"]
        state.outcome = Result.from_data(data["result"]) if data["result"] else None
        return state
