"""The schema of botwars scenarios and set-ups. How the parts must fit together is checked in `start.py`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from livingtable.scenarios import CellText, Checked, ExactTenths, Name, Rows, SetupBase, Side, tenths_between

CHARACTERS_AT_MOST = 32
FIGURE_AT_MOST = 10_000
"""In tenths: strength and health up to 1000.0."""

Strength = Annotated[ExactTenths, tenths_between(1, FIGURE_AT_MOST)]
Health = Annotated[ExactTenths, tenths_between(0, FIGURE_AT_MOST)]
Kind = Literal["player", "troll"]


class GeneratedMap(Checked):
    """A map drawn from the seed: `obstacles` is the share of cells that are mountains or forests."""

    width: Annotated[int, Field(ge=1, le=100)]
    height: Annotated[int, Field(ge=1, le=100)]
    obstacles: Annotated[float, Field(ge=0, le=0.9)]


class CharacterSetup(Checked):
    id: Side | None = None
    name: Name | None = None
    character_type: Kind | None = None
    piece_type: Kind | None = None
    position: CellText | None = None
    strength: Strength | None = None
    health: Health | None = None
    max_health: Health | None = None
    score: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = 0
    alive: bool = True


class WizardSetup(Checked):
    position: CellText | None = None
    strength: Strength = 30


def _rows_or_size(value: object) -> object:
    if not isinstance(value, list | dict):
        raise PydanticCustomError("map", "must be a list of rows, or an object with width, height and obstacles")
    return cast(object, value)


def _kind_of_map(value: Any) -> str:
    return "<rows>" if isinstance(value, list) else "<generated>"


Map = Annotated[
    Annotated[Rows, Tag("<rows>")] | Annotated[GeneratedMap, Tag("<generated>")],
    Discriminator(_kind_of_map),
    BeforeValidator(_rows_or_size),
]


class BotwarsSetup(SetupBase):
    map: Map
    ruleset: Literal["full", "classic"] = "full"
    characters: Annotated[list[CharacterSetup], Field(min_length=1, max_length=CHARACTERS_AT_MOST)]
    parties: list[Annotated[list[str], Field(min_length=2)]] = Field(default_factory=list[list[str]])
    wizard: WizardSetup | None = WizardSetup()
    """Absent: at a random cell. `null`: there is none."""
    wizard_roams: bool = False
    health: Annotated[ExactTenths, tenths_between(1, FIGURE_AT_MOST)] = 100
    max_rounds: Annotated[int, Field(ge=1, le=1_000_000)] | None = 200
    turn: str | None = None
    consecutive_passes: dict[str, Annotated[int, Field(ge=0, le=1_000_000)]] = Field(default_factory=dict[str, int])
