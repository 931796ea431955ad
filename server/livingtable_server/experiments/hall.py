"""Games as Inspect's samples: what is played in one, who plays, and what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from anyio import get_cancelled_exc_class, move_on_after
from inspect_ai.dataset import Sample
from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from livingtable.game import Data
from livingtable.scenarios import Scenario, ScenarioLibrary
from livingtable_server.experiments.asking import Asker
from livingtable_server.experiments.cells import Fixture, Variant
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.experiments.files import OnFailure, Price
from livingtable_server.experiments.measures import MEASURES
from livingtable_server.experiments.over_mcp import ToolGame, own_server
from livingtable_server.experiments.play import Terms, play_chat
from livingtable_server.experiments.prompts import PromptLibrary
from livingtable_server.experiments.purse import Purse, PurseEmptyError
from livingtable_server.experiments.scores import no_scores, scores
from livingtable_server.experiments.table import Decision, Forfeit, Played, Table
from livingtable_server.experiments.watch import StoppedError, Watch

ROW, RECORD, DECISIONS = "row", "record", "decisions"
"""Keys of a sample's store."""
SCORER = "table_scorer"


@dataclass(frozen=True)
class Hall:
    """All that the games of a task have in common."""

    scenarios: ScenarioLibrary
    prompts: PromptLibrary
    opponent: str = "greedy"
    retries: int = 2
    on_failure: OnFailure = "forfeit"
    max_decisions: int = 200
    seconds_a_game: int | None = None
    agree_with: str = ""
    model: str = ""
    """What the model that is measured is called in the report; as Inspect calls it, if left out."""
    price: Price | None = None
    prices: Mapping[str, Price | None] = field(default_factory=dict[str, "Price | None"])
    """Of the models in other seats."""
    purse: Purse = field(default_factory=Purse)
    watch: Watch | None = None
    """Of a run; none where Inspect's own command line plays, which shows and stops by itself."""
    folders: Sequence[Path] = ()
    """The user's scenarios."""

    def terms(self, scenario: Scenario, fixture: Fixture, seats: Sequence[str]) -> Terms:
        """Models in other seats are told and shown the same as the one that is measured."""
        state = scenario.start(fixture.seed)
        return Terms(
            dict.fromkeys(seats, fixture.variant),
            {seat: self.prompts.system_text(state, fixture.variant, seat) for seat in seats},
            self.retries,
            self.on_failure,
            self.max_decisions,
            self.agree_with,
        )


def sample_of(fixture: Fixture, model: str = "") -> Sample:
    """`model` is what the model is called in its experiment."""
    metadata = {
        "model": model,
        "scenario": fixture.scenario,
        "seed": fixture.seed,
        "seat": fixture.seat,
        "variant": fixture.label,
        "factors": fixture.variant.to_data(),
    }
    text = f"{fixture.scenario}, seed {fixture.seed}, as {fixture.seat}: {fixture.label}"
    return Sample(input=text, target="", id=fixture.id, metadata=metadata)


def fixture_of(metadata: Mapping[str, Any]) -> Fixture:
    variant = Variant(**metadata["factors"])
    return Fixture(variant, metadata["variant"], metadata["scenario"], metadata["seed"], metadata["seat"])


def player(hall: Hall) -> Solver:
    """Plays the game of a sample. Roles that are called like seats (`--model-role crimson=…`) have these seats."""

    @solver(name="table_player")
    def table_player() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            fixture = fixture_of(state.metadata)
            scenario = hall.scenarios.get(fixture.scenario)
            state.messages.clear()
            seat = _Seat(hall, fixture, scenario)
            end = ""
            try:
                if hall.watch:
                    hall.watch.check(hall.model, fixture.label)
                seat = (
                    _ToolSeat(hall, fixture, scenario)
                    if fixture.variant.way == "tools"
                    else _Chat(hall, fixture, scenario)
                )
                await seat.play(state)
            except (PurseEmptyError, StoppedError):
                end = "not played"
            except LimitExceededError:  # One of Inspect's: the game has been cut off.
                raise
            except get_cancelled_exc_class():
                end = "not played"
                raise
            except BaseException as error:
                end = "crash"
                if hall.watch:
                    seat.why = hall.watch.crashed(hall.model, fixture.label, error)
                raise
            finally:
                seat.keep(state, end)
            if hall.watch and not end:
                hall.watch.finished(hall.model, fixture.label)
            return state

        return solve

    return table_player()


class _Seat:
    """The seat that is measured, in one game. `ended` is what the game came to, None where it came to no end; `why`
    then says why, if more is known than the error says."""

    def __init__(self, hall: Hall, fixture: Fixture, scenario: Scenario) -> None:
        self._hall = hall
        self._fixture = fixture
        self._scenario = scenario
        self.ended: Played | None = None
        self.why = ""

    @property
    def decisions(self) -> list[Decision]:
        return []

    async def play(self, state: TaskState) -> None:
        """To its end. `state.messages` become all that is said."""

    def keep(self, state: TaskState, end: str) -> None:
        """Into the sample's store: the row of figures, the record, and every decision. `end` is why the game came to
        none."""
        hall, fixture, played = self._hall, self._fixture, None if end else self.ended
        row: Data = {
            "game": self._scenario.game,
            "model": hall.model or str(state.model),
            "variant": fixture.label,
            "factors": fixture.variant.to_data(),
            "scenario": fixture.scenario,
            "seed": fixture.seed,
            "seat": fixture.seat,
        }
        row |= (
            scores(fixture.seat, played)
            if played
            else no_scores(fixture.seat, end or "crash", self.decisions, self.why)
        )
        state.store.set(ROW, row)
        state.store.set(RECORD, played.recording.to_data() if played else None)
        state.store.set(DECISIONS, [decision.to_data() for decision in self.decisions])


class _Chat(_Seat):
    """A game in which the seats that models have are asked in a chat."""

    def __init__(self, hall: Hall, fixture: Fixture, scenario: Scenario) -> None:
        super().__init__(hall, fixture, scenario)
        roles = [side for side in scenario.start(fixture.seed).sides if side in model_roles()]
        self._seats = sorted({fixture.seat, *roles})
        self._table = Table(scenario, fixture.seed, self._seats, hall.opponent)
        self._terms = hall.terms(scenario, fixture, self._seats)

    @property
    def decisions(self) -> list[Decision]:
        return self._table.decisions

    async def play(self, state: TaskState) -> None:
        seat = self._fixture.seat
        models = {side: get_model(role=side) for side in self._seats if side != seat} | {
            seat: _measured(self._hall, seat)
        }
        prices = {**self._hall.prices, seat: self._hall.price}
        ask = Asker(models, prices, self._hall.purse, state.messages)
        try:
            with move_on_after(self._hall.seconds_a_game) as scope:
                await play_chat(self._table, self._terms, ask)
            if scope.cancelled_caught:
                self._table.give_up(self._table.to_decide() or seat, "timeout")
        except LimitExceededError:
            self.ended = self._table.played()
            raise
        self.ended = self._table.played()


class _ToolSeat(_Seat):
    """A game that the model plays over the MCP server."""

    def __init__(self, hall: Hall, fixture: Fixture, scenario: Scenario) -> None:
        super().__init__(hall, fixture, scenario)
        others = [side for side in scenario.start(fixture.seed).sides if side in model_roles() and side != fixture.seat]
        if others:
            reason = f'models play each other in a chat; with way = "tools" nobody has {", ".join(others)} but a bot'
            raise ExperimentError("", "way", reason)
        self._terms = hall.terms(scenario, fixture, [fixture.seat])
        self._game: ToolGame | None = None

    @property
    def decisions(self) -> list[Decision]:
        return self._game.decisions if self._game else []

    async def play(self, state: TaskState) -> None:
        hall, fixture = self._hall, self._fixture
        stopped: Exception | None = None
        async with own_server(hall.folders) as client:
            model = _measured(hall, fixture.seat)
            self._game = game = ToolGame(
                client, fixture, hall.opponent, self._terms, model, hall.price, hall.purse, state.messages
            )
            try:
                with move_on_after(hall.seconds_a_game) as scope:
                    await game.play()
                if scope.cancelled_caught:
                    game.forfeit = Forfeit(fixture.seat, "timeout")
            except Exception as error:  # Within the client it would come out as a group of errors.
                stopped = error
            if stopped is None or isinstance(stopped, LimitExceededError):
                self.ended = await game.played()
        if stopped is not None:
            raise stopped


def _measured(hall: Hall, seat: str) -> Model:
    """The model that is measured: in an experiment the one of the task, whoever has that seat in others' games; else
    the one of the seat's role, if there is one."""
    return get_model() if hall.model else get_model(role=seat)


def game_scorer() -> Scorer:
    """All measures of a game, as Inspect shows them; `nan` where the game has none. The report reads the row."""

    @scorer(metrics={"*": [mean(), stderr()]}, name=SCORER)
    def table_scorer() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
            row = cast(Data, state.store.get(ROW))
            values = {name: measure.of(row) for name, measure in MEASURES.items()}
            known: dict[str, str | int | float | bool | None] = {
                name: float("nan") if value is None else value for name, value in values.items()
            }
            return Score(value=known, answer=row["end"], explanation=row["why"] or row["reason"])

        return score

    return table_scorer()
