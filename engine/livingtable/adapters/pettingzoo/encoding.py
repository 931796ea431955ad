"""How a game is written in numbers: planes of a board, and a number for every notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livingtable.game import Data, State
from livingtable.scenarios import Scenario, ScenarioLibrary, check_setup

Observation = NDArray[np.float32]
MILLION = 1_000_000.0
"""No strength, health or score of a set-up is larger."""


@dataclass(frozen=True)
class Plane:
    """One number a cell. `least` and `most` are its bounds."""

    name: str
    meaning: str
    most: float = 1.0
    least: float = 0.0


class Canvas:
    """An observation that is being drawn: rows × columns × planes, zero where nothing is drawn."""

    def __init__(self, rows: int, columns: int, planes: Sequence[Plane]) -> None:
        self.cells = np.zeros((rows, columns, len(planes)), np.float32)
        self._number = {plane.name: number for number, plane in enumerate(planes)}
        self._planes = planes

    def put(self, plane: str, row: int, column: int, value: float = 1.0) -> None:
        self.cells[row, column, self._number[plane]] = self._bounded(plane, value)

    def ground(self, rows: Sequence[str], signs: Mapping[str, str]) -> None:
        """By plane: 1 wherever a map has one of these signs. Its rows may be of different lengths."""
        width = self.cells.shape[1]
        whole = "".join(row.ljust(width) for row in rows).encode("ascii")
        cells = np.frombuffer(whole, np.uint8).reshape(len(rows), width)
        for plane, there in signs.items():
            self.cells[:, :, self._number[plane]] = sum(cells == ord(sign) for sign in there)

    def most(self, plane: str, row: int, column: int, value: float) -> None:
        """The larger of what is there and this, where several may share a cell."""
        self.put(plane, row, column, max(value, float(self.cells[row, column, self._number[plane]])))

    def add(self, plane: str, row: int, column: int) -> None:
        """One more than is there."""
        self.put(plane, row, column, 1 + float(self.cells[row, column, self._number[plane]]))

    def fill(self, plane: str, value: float) -> None:
        """The same number in every cell."""
        self.cells[:, :, self._number[plane]] = self._bounded(plane, value)

    def _bounded(self, plane: str, value: float) -> float:
        """A figure beyond the bounds stands as the bound."""
        of = self._planes[self._number[plane]]
        return min(of.most, max(of.least, float(value)))


@dataclass(frozen=True)
class Encoding:
    """What one scenario looks like in numbers. `actions[k]` is the notation that the action k stands for."""

    shape: tuple[int, int]
    planes: tuple[Plane, ...]
    actions: tuple[str, ...]
    draw: Callable[[Canvas, Data, State, str], None]

    def observation(self, state: State, side: str) -> Observation:
        """Shape (rows, columns, planes). Shows no more than `State.view` does."""
        canvas = Canvas(*self.shape, self.planes)
        self.draw(canvas, state.view(side), state, side)
        return canvas.cells

    def mask(self, legal: Mapping[int, Any]) -> NDArray[np.int8]:
        """1 for each legal action's number, else 0."""
        mask = np.zeros(len(self.actions), np.int8)
        mask[list(legal)] = 1
        return mask

    def bounds(self) -> tuple[Observation, Observation]:
        low = np.array([plane.least for plane in self.planes], np.float32)
        high = np.array([plane.most for plane in self.planes], np.float32)
        whole = (*self.shape, len(self.planes))
        return np.broadcast_to(low, whole).copy(), np.broadcast_to(high, whole).copy()


def scenario_of(given: str | Mapping[str, Any], game: str) -> Scenario:
    """A shipped scenario by its name, or a set-up as the wire's object.

    Raises `UnknownNameError`, `ScenarioError`, and `ValueError` where it is one of another game.
    """
    found = ScenarioLibrary().get(given) if isinstance(given, str) else check_setup(given)
    if found.game != game:
        raise ValueError(f"{found.name} is a scenario of {found.game}, not of {game}.")
    return found


def at(cell: str) -> tuple[int, int]:
    """Row and column of a square cell "x,y"."""
    x, y = cell.split(",")
    return int(y), int(x)
