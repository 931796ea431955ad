"""The games. Importing this package registers them."""

from livingtable.games import botwars, skirmish

__all__ = ["botwars", "skirmish"]
