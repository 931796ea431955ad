"""The games. Importing this package registers them."""

from livingtable.games import botwars

__all__ = ["botwars"]
