"""The state of a botwars game, as the game contract has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from livingtable.dice import Dice
from livingtable.errors import Code, Refusal
from livingtable.events import tenths_of
from livingtable.game import Action, Data, Game, Result, State
from livingtable.games.botwars import rules
from livingtable.games.botwars.actions import BotwarsAction, parse_action
from livingtable.games.botwars.events import EventData
from livingtable.games.botwars.position import MIN_STRENGTH, NOBODY, Cast, Position
from livingtable.games.botwars.refusals import why_idle, why_illegal
from livingtable.games.botwars.setup import CHARACTERS_AT_MOST
from livingtable.games.botwars.svg import draw
from livingtable.games.botwars.terrain import terrain_of
from livingtable.games.botwars.turns import ranking
from livingtable.games.botwars.view import board, view
from livingtable.scenarios import MAP_AT_MOST

_CLASSIC = (
    "ruleset classic: nobody dies, at 0 health you play on; beating the Wizard is +2 score, a defeat -2.0 health or, "
    "with less, -2 score; no trolls, no unstuck; only a party of all players or the last round ends the game"
)


class BotwarsState(Position, State):
    __slots__ = ("_legal",)

    game: ClassVar[Game]
    _legal: Sequence[BotwarsAction]
    """The legal actions of the seat to act, once they were asked for; empty until then."""

    def __init__(self) -> None:
        """An empty position: whoever makes one (`start`, `from_data`) fills in every figure."""
        self._legal = ()

    @property
    def sides(self) -> tuple[str, ...]:
        return self.cast.ids

    @property
    def names(self) -> Mapping[str, str]:
        return self.cast.names_by_id

    @property
    def round(self) -> int:
        return self.round_number

    @property
    def phase(self) -> str:
        """`turn`, `answer` (an alliance is offered) or `reward` (the wizard is beaten)."""
        if self.reward_open:
            return "reward"
        return "turn" if self.offered_to == NOBODY else "answer"

    @property
    def to_act(self) -> tuple[str, ...]:
        return () if self.outcome else (self.cast.ids[self.deciding_now()],)

    @property
    def result(self) -> Result | None:
        return self.outcome

    @property
    def terms(self) -> str:
        told = [_CLASSIC] if self.cast.classic else []
        if self.cast.wizard_roams and self.wizard_cell != NOBODY:
            told.append(f"at the end of each round {self.cast.wizard_name} takes one random step")
        if self.cast.max_rounds is None:
            told.append("no limit of rounds")
        return "; ".join(told)

    def legal_actions(self, side: str) -> Sequence[BotwarsAction]:
        if self.outcome is not None or self.cast.ids[self.deciding_now()] != side:
            return ()
        return self._legal or self._find_legal()

    def _find_legal(self) -> Sequence[BotwarsAction]:
        """Kept until the next action, so that listing and applying work it out once."""
        self._legal = rules.legal_actions(self)
        return self._legal

    def why_idle(self, side: str) -> str:
        return why_idle(self, side)

    def parse_action(self, given: str | Mapping[str, Any], side: str | None = None) -> BotwarsAction:
        return parse_action(given)

    def apply(self, side: str, action: Action) -> list[EventData]:
        if self.outcome is not None:
            raise Refusal(Code.GAME_OVER, why_idle(self, side))
        if self.cast.ids[self.deciding_now()] != side:
            raise Refusal(Code.NOT_YOUR_TURN, why_idle(self, side))
        chosen = cast(BotwarsAction, action)
        if chosen not in (self._legal or self._find_legal()):
            raise Refusal(Code.ILLEGAL_ACTION, why_illegal(self, chosen))
        self._legal = ()
        events: list[EventData] = []
        rules.play(self, chosen, events)
        return events

    def view(self, side: str | None) -> Data:
        return view(self)

    def board(self, side: str | None) -> str:
        return board(self, side)

    def svg(self, side: str | None) -> str:
        return draw(self)

    def ranking(self) -> tuple[Data, ...]:
        return ranking(self)

    def copy(self) -> BotwarsState:
        other = BotwarsState.__new__(BotwarsState)
        other.cast, other.terrain, other._legal = self.cast, self.terrain, self._legal
        other.dice = self.dice.copy()
        other.cell, other.strength, other.health = self.cell[:], self.strength[:], self.health[:]
        other.max_health, other.score, other.alive = self.max_health[:], self.score[:], self.alive[:]
        other.leader = self.leader[:]
        other.lines = {leader: line[:] for leader, line in self.lines.items()}
        other.passes, other.occupant, other.occupied = self.passes.copy(), self.occupant.copy(), self.occupied
        other.wizard_cell, other.wizard_strength = self.wizard_cell, self.wizard_strength
        other.turn, other.offered_to, other.reward_open = self.turn, self.offered_to, self.reward_open
        other.round_number, other.outcome = self.round_number, self.outcome
        other.living_players, other.living_trolls = self.living_players, self.living_trolls
        return other

    def fork(self, seed: int | None = None) -> BotwarsState:
        other = self.copy()
        if seed is not None:
            other.dice = Dice(seed)
        return other

    def to_data(self) -> Data:
        """The view, and what a view need not say: ruleset, round, phase, dice, result."""
        return {
            "game": "botwars",
            "ruleset": "classic" if self.cast.classic else "full",
            "round": self.round_number,
            "phase": self.phase,
            **view(self),
            "wizardRoams": self.cast.wizard_roams,
            "dice": self.dice.to_data(),
            "result": self.outcome.to_data() if self.outcome else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> BotwarsState:
        """The inverse of `to_data`. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
        state = cls()
        rows = tuple(data["terrain"])
        if len(rows) > MAP_AT_MOST or max(len(row) for row in rows) > MAP_AT_MOST:
            raise ValueError(f"a map has at most {MAP_AT_MOST} rows and columns")
        terrain = terrain_of(rows)
        characters: list[Mapping[str, Any]] = data["characters"]
        wizard: Mapping[str, Any] | None = data["wizard"]
        offer: Mapping[str, Any] | None = data["offer"]
        ids = tuple(c["id"] for c in characters)
        names = tuple(c["name"] for c in characters)
        classic = data["ruleset"] == "classic"
        index = {side: i for i, side in enumerate(ids)}
        state.cast = Cast(
            ids=ids,
            names=names,
            trolls=tuple(c["characterType"] == "troll" for c in characters),
            index=index,
            names_by_id=dict(zip(ids, names, strict=True)),
            classic=classic,
            max_rounds=data["maxRounds"],
            wizard_name=wizard["name"] if wizard else "",
            wizard_roams=data["wizardRoams"],
        )
        state.terrain = terrain
        state.dice = Dice.from_data(data["dice"])
        state.cell = [NOBODY if c["position"] is None else terrain.index[c["position"]] for c in characters]
        state.strength = [tenths_of(c["strength"]) for c in characters]
        state.health = [tenths_of(c["health"]) for c in characters]
        state.max_health = [tenths_of(c["maxHealth"]) for c in characters]
        state.score = [c["score"] for c in characters]
        state.alive = [c["alive"] for c in characters]
        state.leader = [NOBODY if c["leader"] is None else index[c["leader"]] for c in characters]
        state.lines = {index[p["leader"]]: [index[m] for m in p["members"]] for p in data["parties"]}
        state.passes = {index[p["leader"]]: p["consecutivePasses"] for p in data["parties"] if p["consecutivePasses"]}
        state.occupant = {cell: i for i, cell in enumerate(state.cell) if state.alive[i]}
        state.occupied = sum(1 << cell for cell in state.occupant)
        state.wizard_cell = terrain.index[wizard["position"]] if wizard else NOBODY
        state.wizard_strength = tenths_of(wizard["strength"]) if wizard else 0
        state.turn = index[data["turn"]]
        state.offered_to = index[offer["to"]] if offer else NOBODY
        state.reward_open = data["phase"] == "reward"
        state.round_number = data["round"]
        state.living_trolls = sum(a and t for a, t in zip(state.alive, state.cast.trolls, strict=True))
        state.living_players = sum(state.alive) - state.living_trolls
        state.outcome = Result.from_data(data["result"]) if data["result"] else None
        _check_figures(state)
        return state


def _check_figures(state: BotwarsState) -> None:
    """A state from outside keeps to the limits of set-ups: with strength 0 a bout would never end."""
    if len(state.alive) > CHARACTERS_AT_MOST:
        raise ValueError(f"at most {CHARACTERS_AT_MOST} characters play")
    strengths = [*state.strength, *([state.wizard_strength] if state.wizard_cell != NOBODY else [])]
    if min(strengths) < MIN_STRENGTH or min(state.health) < 0:
        raise ValueError("a strength below 0.1 or a health below 0")
