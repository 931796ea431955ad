"""The schema of skirmish scenarios and set-ups. How the parts must fit together is checked in `start.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from livingtable.scenarios import CellText, Checked, Rows, SetupBase

SideName = Literal["ivory", "crimson"]


class PieceSetup(Checked):
    kind: Literal["K", "A", "W", "G", "O", "T", "D", "S"]
    side: SideName
    hex: CellText
    id: Annotated[str, Field(max_length=20)] | None = None
    hp: Annotated[int, Field(ge=1)] | None = None
    moved: bool = False
    hexes_moved: Annotated[int, Field(ge=0, le=100)] = 0
    attacks_made: Annotated[int, Field(ge=0, le=2)] = 0
    afraid: bool = False


class LeaderlessSetup(Checked):
    ivory: bool = False
    crimson: bool = False


class SkirmishSetup(SetupBase):
    map: Rows
    pieces: Annotated[list[PieceSetup], Field(min_length=1, max_length=64)]
    turn_limit: Annotated[int, Field(ge=1, le=100_000)] | None = None
    first_side: SideName = "ivory"
    turn: Annotated[int, Field(ge=1, le=100_000)] = 1
    side: SideName | None = None
    """Whose turn it is; without it that of `first_side`."""
    leaderless: LeaderlessSetup = LeaderlessSetup()
