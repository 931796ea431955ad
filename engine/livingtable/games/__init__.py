"""The games. Importing this package registers them."""

from livingtable.games import botwars, foxhunt, skirmish

__all__ = ["botwars", "foxhunt", "skirmish"]
