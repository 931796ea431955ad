"""What a tournament is to play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from livingtable.arena.entrants import check_entrant
from livingtable.arena.schedule import Fixture, groups_for, schedule, seatings
from livingtable.errors import RecordError
from livingtable.game import Data
from livingtable.records import ACTIONS_AT_MOST
from livingtable.scenarios import ScenarioLibrary

FORMAT = "living-table-arena/1"
SECONDS = 5.0
"""For a choice, if not said."""


@dataclass(frozen=True, slots=True)
class Plan:
    """At least `games` of each scenario. A choice of those not built in may take `seconds`.

    `folders` are those of the user's own scenarios. `compressed`: how the records are kept. `sprt`: the Elo differences
    between which a sequential test of two entrants decides; `games` are then the most that are played.
    """

    scenarios: tuple[str, ...]
    entrants: tuple[str, ...]
    games: int
    seed: int
    seconds: float = SECONDS
    max_actions: int = ACTIONS_AT_MOST
    compressed: bool = False
    folders: tuple[str, ...] = ()
    sprt: tuple[float, float] | None = None

    def fixtures(self) -> Iterator[Fixture]:
        for name in self.scenarios:
            yield from schedule(name, self._seats(name), self.entrants, self.games, self.seed)

    def check(self) -> None:
        """Raises `UnknownNameError` for a scenario or an entrant that there cannot be."""
        for name in self.scenarios:
            game = library(self.folders).get(name).game
            for entrant in self.entrants:
                check_entrant(entrant, game)

    def with_more(self, scenarios: tuple[str, ...], entrants: tuple[str, ...], games: int) -> Plan:
        """The plan with what is new among these. Whoever comes later plays on every seed that was played before."""
        grown = replace(
            self,
            scenarios=tuple(dict.fromkeys(self.scenarios + scenarios)),
            entrants=tuple(dict.fromkeys(self.entrants + entrants)),
        )
        if grown.entrants == self.entrants:
            return replace(grown, games=max(games, self.games))
        before = (self._groups(name) * len(seatings(grown.entrants, self._seats(name))) for name in self.scenarios)
        return replace(grown, games=max(games, self.games, *before))

    def _groups(self, scenario: str) -> int:
        return groups_for(self.games, self.entrants, self._seats(scenario))

    def _seats(self, scenario: str) -> int:
        return len(library(self.folders).get(scenario).start(0).sides)

    def place(self, scenario: str, group: int, seating: Iterable[str]) -> tuple[int, ...]:
        """Where a game stands in the order of the schedule."""
        return self.scenarios.index(scenario), group, *(self.entrants.index(name) for name in seating)

    def place_of(self, row: Data) -> tuple[int, ...]:
        """The same of a game that was played."""
        return self.place(row["scenario"], row["group"], row["seats"].values())

    def extends(self, before: Plan) -> bool:
        """Whether it is the plan before, or that with more games, or scenarios or entrants added at the end."""
        same = replace(self, scenarios=before.scenarios, entrants=before.entrants, games=before.games) == before
        scenarios, entrants = len(before.scenarios), len(before.entrants)
        grown = (self.scenarios[:scenarios], self.entrants[:entrants]) == (before.scenarios, before.entrants)
        return same and grown and self.games >= before.games

    def to_data(self) -> Data:
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_data(cls, data: Data) -> Plan:
        """Raises `RecordError` for another format, `KeyError` or `TypeError` where it is no plan."""
        if data["format"] != FORMAT:
            raise RecordError(
                f'the tournament has the format {str(data["format"])[:40]!a}; this program reads "{FORMAT}"'
            )
        told: Data = {name: data[name] for name in asdict(cls((), (), 0, 0))}
        told |= {name: tuple(told[name]) for name in ("scenarios", "entrants", "folders")}
        told["sprt"] = told["sprt"] and tuple(told["sprt"])
        return cls(**told)


@cache
def library(folders: tuple[str, ...]) -> ScenarioLibrary:
    """One for each process."""
    return ScenarioLibrary([Path(folder) for folder in folders])
