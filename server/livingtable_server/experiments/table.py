"""One game of an experiment, apart from who asks the model: the record, the bots, and every decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from livingtable.agents import choose, next_command
from livingtable.game import Action, Data, State
from livingtable.records import Recording
from livingtable.scenarios import Scenario
from livingtable_server.experiments.parsing import Kind

AttemptKind = Kind | Literal["cut"]
"""`cut`: without an action, because the provider's limit of tokens cut it short."""
How = Literal["model", "random", "skip", "none"]
SKIPS = ("pass", "decline", "end", "stay")
"""What a seat does that does nothing, as the games write it."""


@dataclass(slots=True)
class Attempt:
    """One answer of a model."""

    kind: AttemptKind
    said: str
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0

    def add(self, tokens_in: int, tokens_out: int, cost: float | None, seconds: float) -> None:
        """What a call took that belongs to this answer."""
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.seconds += seconds
        self.cost = None if cost is None else (self.cost or 0.0) + cost

    def to_data(self) -> Data:
        return {
            "kind": self.kind,
            "said": self.said,
            "reason": self.reason,
            "tokensIn": self.tokens_in,
            "tokensOut": self.tokens_out,
            "cost": self.cost,
            "seconds": round(self.seconds, 3),
        }


@dataclass(slots=True)
class Decision:
    """One choice of a seat that a model has. `version` is the record's before it: `replay --from VERSION` shows the
    position. `how`: by whom `notation` was chosen; `none` where the game ended without one. `advised` is what the
    agent for comparison would have done."""

    side: str
    version: int
    round: int
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    how: How = "none"
    notation: str = ""
    advised: str = ""

    def to_data(self) -> Data:
        return {
            "side": self.side,
            "version": self.version,
            "round": self.round,
            "how": self.how,
            "notation": self.notation,
            "advised": self.advised,
            "attempts": [attempt.to_data() for attempt in self.attempts],
        }


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who gave a game up, and by what: `illegal`, `unparsable`, `cut`, `timeout`."""

    side: str
    why: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has ended, one way or the other."""

    recording: Recording
    decisions: list[Decision]
    forfeit: Forfeit | None


class Table:
    """A game that is being played: `models` are the seats that models have, `bot` has the others."""

    def __init__(self, scenario: Scenario, seed: int, models: Sequence[str], bot: str) -> None:
        state = scenario.start(seed)
        self.models = tuple(models)
        seats = [
            {"side": side, "name": name, "controller": "agent" if side in models else f"bot:{bot}"}
            for side, name in state.names.items()
        ]
        self.recording = Recording.begin(state, scenario.data, seed, seats)
        self.decisions: list[Decision] = []
        self.forfeit: Forfeit | None = None
        self._bot = bot
        self._seen = dict.fromkeys(models, 0)

    @property
    def state(self) -> State:
        return self.recording.state

    @property
    def over(self) -> bool:
        return self.recording.result is not None or self.forfeit is not None

    def to_decide(self) -> str | None:
        """The model's seat that is to choose now; models choose before bots where all choose at once."""
        return None if self.over else next((side for side in self.state.to_act if side in self.models), None)

    def play_bot(self) -> None:
        """One action of a bot, where no model is to choose."""
        seed = self.recording.seed
        bots = [side for side in self.state.sides if side not in self.models]
        side = next_command(self.state, seed, bots)
        self.recording.apply(side, choose(self._bot, self.state, side, seed, self.recording.version))

    def news(self, side: str) -> list[Data]:
        """The events since that seat's last decision."""
        return self.recording.events_after(self._seen[side])

    def begin_decision(self, side: str) -> Decision:
        decision = Decision(side, self.recording.version, self.state.round)
        self.decisions.append(decision)
        return decision

    def play(self, decision: Decision, action: Action, how: How) -> None:
        """The choice of a decision, by the model or in its place."""
        decision.how, decision.notation = how, action.notation
        self._seen[decision.side] = self.recording.version
        self.recording.apply(decision.side, action)

    def advice(self, side: str, agent: str) -> str:
        """The notation that an agent would choose in that seat now."""
        return choose(agent, self.state, side, self.recording.seed, self.recording.version).notation

    def give_up(self, side: str, why: str) -> None:
        self.forfeit = Forfeit(side, why)

    def cut_off(self) -> None:
        """Ends a game that has gone on for long enough."""
        if self.recording.result is None:
            self.recording.truncate()

    def played(self) -> Played:
        """What is kept of the game. A forfeit is the experiment's, not the rules': the record is one of a game that was
        cut off, and says by whose forfeit."""
        if self.forfeit is not None:
            self.recording.forfeit(self.forfeit.side, self.forfeit.why)
        self.cut_off()
        return Played(self.recording, self.decisions, self.forfeit)


def in_its_place(state: State, side: str, seed: int, version: int, how: How) -> Action:
    """What is played for a seat whose model gave no action: any legal one, or the one that does nothing (any, where the
    rules allow no such)."""
    if how == "skip":
        for action in state.legal_actions(side):
            if action.notation in SKIPS:
                return action
    return choose("random", state, side, seed, version)
