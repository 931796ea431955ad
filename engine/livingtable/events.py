"""Events as JSON objects: field names in camelCase, exact tenths as numbers with one decimal.

A game's events are dataclasses that derive from `EventData`. A field annotated `Tenths` holds a whole number of tenths
inside the engine, which knows no floats, and is shown as a number with one decimal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

Tenths = int
"""A whole number of tenths: 41 is shown as 4.1."""


def shown(tenths: Tenths) -> float:
    """Tenths as the wire's number: the float nearest to it, which prints with one decimal."""
    return tenths / 10


def tenths_of(number: float) -> Tenths:
    """The inverse of `shown`, exact for what it gave."""
    return round(number * 10)


def camel(name: str) -> str:
    """`attacker_strength` as `attackerStrength`; a trailing underscore (`from_`) is dropped."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(part.capitalize() for part in rest)


def _same(value: Any) -> Any:
    return value


def _shown_map(value: dict[str, Tenths]) -> dict[str, float]:
    return {key: shown(tenths) for key, tenths in value.items()}


def _list(value: tuple[Any, ...]) -> list[Any]:
    return [part.to_data() if isinstance(part, EventData) else part for part in value]


def _encoder(annotation: str) -> Callable[[Any], Any]:
    if annotation == "Tenths":
        return shown
    if annotation == "dict[str, Tenths]":
        return _shown_map
    return _list if annotation.startswith("tuple[") else _same


@dataclass(slots=True)
class EventData:
    """The base of events and of the objects inside them."""

    type: ClassVar[str] = ""
    _plan: ClassVar[dict[type, list[tuple[str, str, Callable[[Any], Any]]]]] = {}

    def to_data(self) -> dict[str, Any]:
        plan = self._plan.get(type(self))
        if plan is None:
            plan = [(f.name, camel(f.name), _encoder(str(f.type))) for f in fields(self)]
            self._plan[type(self)] = plan
        data: dict[str, Any] = {"type": self.type} if self.type else {}
        for name, key, encode in plan:
            data[key] = encode(getattr(self, name))
        return data
