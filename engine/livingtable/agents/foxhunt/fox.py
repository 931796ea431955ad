"""The fox: where hunters come late and much room is its own, and a bomb behind it if there is time for one."""

from __future__ import annotations

from functools import cached_property

from livingtable.agents.foxhunt.fire import Fire
from livingtable.agents.foxhunt.flight import CAUGHT, flight
from livingtable.agents.foxhunt.mind import FAR, Mind
from livingtable.agents.foxhunt.sight import Player, Sight

AT_LEISURE = 3
"""Rounds before a hunter comes, so that the fox can stand still for a bomb."""


class Fox(Mind):
    def __init__(self, sight: Sight) -> None:
        super().__init__(sight)
        self.worth = flight(sight, self.fire, self.closed)

    def place_value(self, field: int) -> int:
        """Where hunters can come anyway it goes by whim, so that they cannot know."""
        caught = self.closed.get(field, FAR) == 0
        return self.worth[field] + (self.whim(field, CAUGHT // 5) if caught else self.special_value(field))

    @cached_property
    def pursuer(self) -> Player | None:
        able = [hunter for hunter in self.sight.hunters if not hunter.paralysed]
        return min(able, key=lambda h: self.sight.apart(h.field, self.me.field), default=None)

    @cached_property
    def places_of_the_pursuer(self) -> int:
        return self.few_places(self.pursuer, {}) if self.pursuer else 0

    def may_matter(self, field: int) -> bool:
        if self.pursuer is None or self.closed.get(self.me.field, FAR) < AT_LEISURE:
            return False
        return self.sight.apart(field, self.pursuer.field) <= self.me.range + 2 and self.places_of_the_pursuer > 0

    def use_of(self, fire: Fire) -> int:
        """It opens no walls: they keep the hunters off."""
        if self.pursuer is None or fire.walls.keys() != self.fire.walls.keys():
            return 0
        return self.pinned(self.pursuer, self.places_of_the_pursuer, fire, {})
