"""The state of a fox hunt, as the game contract has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from livingtable.dice import Dice
from livingtable.errors import Code, Refusal
from livingtable.events import EventData
from livingtable.game import Action, Data, Game, Result, State
from livingtable.games.foxhunt import rules
from livingtable.games.foxhunt.actions import CLOCK, SERVER, FoxhuntAction, parse_action
from livingtable.games.foxhunt.laid import Bomb
from livingtable.games.foxhunt.position import Cast, Position
from livingtable.games.foxhunt.refusals import why_idle, why_illegal
from livingtable.games.foxhunt.restored import check_restored
from livingtable.games.foxhunt.svg import draw
from livingtable.games.foxhunt.view import board, settings_from_view, view
from livingtable.games.foxhunt.yard import SOFT, ground_of, yard_of
from livingtable.scenarios import MAP_AT_MOST


class FoxhuntState(Position, State):
    __slots__ = ()

    game: ClassVar[Game]

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
        """Always `round`."""
        return "round"

    @property
    def to_act(self) -> tuple[str, ...]:
        """Those who can act and have not yet given their command (FX-1.1)."""
        if self.outcome is not None:
            return ()
        ids, commands = self.cast.ids, self.commands
        return tuple(ids[i] for i in range(len(ids)) if i not in commands and self.can_act(i))

    @property
    def open_commands(self) -> Sequence[tuple[str, FoxhuntAction]]:
        return [(self.cast.ids[i], action) for i, action in self.commands.items()]

    @property
    def clock(self) -> tuple[str, Action] | None:
        return (SERVER, CLOCK)

    @property
    def round_milliseconds(self) -> int | None:
        return self.settings.round_milliseconds

    @property
    def terms(self) -> str:
        s = self.settings
        appearing = f"a special appears every {s.spawn_every} rounds" if s.spawn_every else "no special appears later"
        broken = f"; a broken wall shows one in {s.reveal / 10_000:g} %" if SOFT in self.ground else ""
        clock = "" if s.round_milliseconds is None else f"; a round lasts {s.round_milliseconds / 1000:g} s at most"
        return (
            f"fuse {s.fuse}, paralysis {s.paralysis} rounds, a hat {s.hat} rounds; at the start range {s.start_range}, "
            f"bombs {s.start_bombs}; throws up to {s.throw_range} fields; {appearing}{broken}{clock}"
        )

    @property
    def result(self) -> Result | None:
        return self.outcome

    def legal_actions(self, side: str) -> Sequence[FoxhuntAction]:
        """Also of a player who has given its command: it may be replaced (FX-1.3)."""
        i = self.cast.index.get(side)
        if i is None or self.outcome is not None or not self.can_act(i):
            return ()
        return self.listed(i)

    def why_idle(self, side: str) -> str:
        return why_idle(self, side)

    def parse_action(self, given: str | Mapping[str, Any], side: str | None = None) -> FoxhuntAction:
        return parse_action(given, side)

    def apply(self, side: str, action: Action) -> list[EventData]:
        if self.outcome is not None:
            raise Refusal(Code.GAME_OVER, f"the game is over: {self.outcome.reason}")
        events: list[EventData] = []
        if side == SERVER:
            if action != CLOCK:
                raise Refusal(Code.ILLEGAL_ACTION, "the table itself can only cut the round off")
            rules.resolve_rounds(self, events)
            return events
        i = self.cast.index.get(side)
        if i is None or not self.can_act(i):
            raise Refusal(Code.NOT_YOUR_TURN, why_idle(self, side))
        chosen = cast(FoxhuntAction, action)
        if chosen not in self.listed(i):
            raise Refusal(Code.ILLEGAL_ACTION, why_illegal(self, i, chosen))
        rules.commit(self, i, chosen, events)
        return events

    def view(self, side: str | None) -> Data:
        return view(self)

    def board(self, side: str | None) -> str:
        return board(self, side)

    def svg(self, side: str | None) -> str:
        return draw(self)

    def ranking(self) -> tuple[Data, ...]:
        return self.outcome.ranking if self.outcome else rules.ranking(self)

    def copy(self) -> FoxhuntState:
        other = FoxhuntState.__new__(FoxhuntState)
        other.yard, other.settings, other.cast = self.yard, self.settings, self.cast
        other.ground, other._listed = self.ground[:], self._listed
        other._laid, other._special_bits = None, self._special_bits
        other.field, other.points = self.field[:], self.points[:]
        other.range, other.bomb_count = self.range[:], self.bomb_count[:]
        other.hat_until, other.paralysed_until = self.hat_until[:], self.paralysed_until[:]
        other.fox, other.fox_rounds = self.fox, self.fox_rounds
        other.bombs, other.specials, other.beams = self.bombs[:], self.specials.copy(), self.beams
        other.commands, other.round_number = self.commands.copy(), self.round_number
        other.dice, other.outcome = self.dice.copy(), self.outcome
        return other

    def fork(self, seed: int | None = None) -> FoxhuntState:
        other = self.copy()
        other.commands = {}
        if seed is not None:
            other.dice = Dice(seed)
        return other

    def to_data(self) -> Data:
        """The view, and what a view must not say: the commands of the open round, the dice; and the result."""
        commands = [{"side": self.cast.ids[i], "action": a.to_data()} for i, a in self.commands.items()]
        return {
            "game": "foxhunt",
            **view(self),
            "round": self.round_number,
            "commands": commands,
            "dice": self.dice.to_data(),
            "result": self.outcome.to_data() if self.outcome else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> FoxhuntState:
        """The inverse of `to_data`. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
        rows: list[str] = list(data["map"])
        if not rows or len(rows) > MAP_AT_MOST or not 0 < len(rows[0]) <= MAP_AT_MOST:
            raise ValueError(f"a map has 1 to {MAP_AT_MOST} rows and columns")
        if any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("the rows of a map are of one length")
        players: list[Mapping[str, Any]] = list(data["players"])
        ids, names = tuple(p["id"] for p in players), tuple(p["name"] for p in players)
        state = cls()
        state.yard, state.ground = yard_of(len(rows[0]), len(rows)), ground_of(rows)
        state.settings = settings_from_view(data["settings"])
        state.cast = Cast(ids, names, {side: i for i, side in enumerate(ids)}, dict(zip(ids, names, strict=True)))
        state.round_number = now = data["round"]
        state.outcome = Result.from_data(data["result"]) if data["result"] else None
        index = state.yard.index
        state.field = [index[p["position"]] for p in players]
        state.points = [p["points"] for p in players]
        state.range, state.bomb_count = [p["range"] for p in players], [p["bombs"] for p in players]
        state.hat_until = [last_round(state.ticked_to, p["hat"]) for p in players]
        state.paralysed_until = [last_round(state.ticked_to, p["paralysed"]) for p in players]
        state.fox, state.fox_rounds = state.cast.index[data["fox"]], data["foxRounds"]
        state.bombs = [
            Bomb(index[b["position"]], state.cast.index[b["owner"]], b["range"], now + b["fuse"]) for b in data["bombs"]
        ]
        state.specials = {index[s["position"]]: s["kind"] for s in data["specials"]}
        state.beams = tuple(index[name] for name in data["beams"])
        state.dice = Dice.from_data(data["dice"])
        state.forget_worked_out()
        check_restored(state)
        state.commands = {}
        for command in data["commands"]:
            state.commands[state.cast.index[command["side"]]] = _restored(state, command["side"], command["action"])
        return state


def _restored(state: FoxhuntState, side: str, given: Mapping[str, Any]) -> FoxhuntAction:
    """A command of the open round. Raises `ValueError` where its player could not have given it."""
    try:
        action = parse_action(given, side)
    except Refusal as refusal:
        raise ValueError(f"the command of {side} is none: {refusal.reason}") from None
    if action not in state.legal_actions(side):
        raise ValueError(f"the command of {side} is not legal: {action.notation}")
    return action


def last_round(now: int, left: int) -> int:
    """The last round of something that holds for so many rounds more, the current one included; 0 for none."""
    return now + left - 1 if left else 0
