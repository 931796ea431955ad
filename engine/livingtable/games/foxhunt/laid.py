"""The bombs that lie, found by their field and by the round in which they go off."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from livingtable.grids import bits_of


class Bomb(NamedTuple):
    field: int
    owner: int
    range: int
    explodes: int
    """The round in whose step 5 it goes off by itself."""


class Laid:
    """All bombs on one field go off with the first of them, and the longest of their beams covers the others: they
    count as one. What an explosion costs so depends on what goes off in it, not on how many bombs lie elsewhere.

    `reach` is, by field, how far the beams go; `bits` are the fields.
    """

    __slots__ = ("_by_round", "bits", "reach")

    def __init__(self, bombs: Iterable[Bomb]) -> None:
        reach: dict[int, int] = {}
        by_round: dict[int, set[int]] = {}
        for field, _, length, explodes in bombs:
            if length > reach.get(field, -1):
                reach[field] = length
            if explodes in by_round:
                by_round[explodes].add(field)
            else:
                by_round[explodes] = {field}
        self.reach, self._by_round, self.bits = reach, by_round, bits_of(reach)

    def due(self, now: int) -> list[int]:
        """The fields of the bombs that go off by themselves in that round."""
        fields = self._by_round.get(now)
        return [field for field in fields if field in self.reach] if fields else []

    def remove(self, fields: Collection[int]) -> None:
        """They have gone off."""
        for field in fields:
            del self.reach[field]
        self.bits ^= bits_of(fields)

    def with_bomb(self, bomb: Bomb) -> Laid:
        """The same with another one, as long as none has gone off."""
        other = self.copy()
        other.reach[bomb.field] = max(bomb.range, self.reach.get(bomb.field, 0))
        other.bits |= 1 << bomb.field
        other._by_round = {**self._by_round, bomb.explodes: self._by_round.get(bomb.explodes, set()) | {bomb.field}}
        return other

    def copy(self) -> Laid:
        other = Laid.__new__(Laid)
        other.reach, other._by_round, other.bits = self.reach.copy(), self._by_round, self.bits
        return other
