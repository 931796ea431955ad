"""The schema of foxhunt scenarios and set-ups. How the parts must fit together is checked in `start.py`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from livingtable.scenarios import CellText, Checked, Name, Rows, SetupBase, Side

PLAYERS_AT_LEAST, PLAYERS_AT_MOST = 2, 16
FIGURE_AT_MOST = 100_000
SMALL_AT_MOST = 100
ROUNDS_AT_MOST = 10_000
PARALYSIS_AT_MOST = 1_000
"""Rounds in which nobody can act pass within one action (FX-1.2), which must not take minutes."""

Count = Annotated[int, Field(ge=0, le=FIGURE_AT_MOST)]
Small = Annotated[int, Field(ge=0, le=SMALL_AT_MOST)]
Paralysis = Annotated[int, Field(ge=0, le=PARALYSIS_AT_MOST)]
Kind = Literal["range", "bombs", "hat"]


class GeneratedMap(Checked):
    """A map drawn from the seed (FX-6.2)."""

    width: Annotated[int, Field(ge=10, le=100)]
    height: Annotated[int, Field(ge=10, le=100)]


class PlayerSetup(Checked):
    id: Side | None = None
    name: Name | None = None
    position: CellText | None = None
    points: Count = 0
    range: Small | None = None
    bombs: Small | None = None
    hat: Count = 0
    paralysed: Paralysis = 0


class SpecialSetup(Checked):
    position: CellText
    kind: Kind


class BombSetup(Checked):
    position: CellText
    owner: str
    range: Small
    fuse: Count


def _rows_or_size(value: object) -> object:
    if not isinstance(value, list | dict):
        raise PydanticCustomError("map", "must be a list of rows, or an object with width and height")
    return cast(object, value)


def _kind_of_map(value: Any) -> str:
    return "<rows>" if isinstance(value, list) else "<generated>"


def _players_or_number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, list | int):
        raise PydanticCustomError("players", "must be a list of players, or their number, 2 to 16")
    return cast(object, value)


def _kind_of_players(value: Any) -> str:
    return "<number>" if isinstance(value, int) else "<players>"


Map = Annotated[
    Annotated[Rows, Tag("<rows>")] | Annotated[GeneratedMap, Tag("<generated>")],
    Discriminator(_kind_of_map),
    BeforeValidator(_rows_or_size),
]
Number = Annotated[int, Field(ge=PLAYERS_AT_LEAST, le=PLAYERS_AT_MOST)]
Players = Annotated[list[PlayerSetup], Field(min_length=PLAYERS_AT_LEAST, max_length=PLAYERS_AT_MOST)]


class FoxhuntSetup(SetupBase):
    map: Map
    players: Annotated[
        Annotated[Number, Tag("<number>")] | Annotated[Players, Tag("<players>")],
        Discriminator(_kind_of_players),
        BeforeValidator(_players_or_number),
    ]
    fox: str | None = None
    fox_rounds: Count = 0
    specials: Annotated[list[SpecialSetup], Field(max_length=10_000)] | None = None
    bombs: Annotated[list[BombSetup], Field(max_length=10_000)] = Field(default_factory=list[BombSetup])
    rounds: Annotated[int, Field(ge=1, le=ROUNDS_AT_MOST)] = 200
    fuse: Count = 5
    paralysis: Paralysis = 3
    hat: Count = 5
    start_range: Small = 1
    start_bombs: Small = 1
    throw_range: Small = 3
    start_specials: Count = 4
    spawn_every: Count = 10
    reveal_chance: Annotated[float, Field(ge=0, le=1)] = 0.3
    round_seconds: Annotated[float, Field(ge=0.1, le=86_400)] | None = None
