"""What an experiment may cost, and what it has cost."""

from __future__ import annotations

from livingtable_server.experiments.files import Price


class PurseEmptyError(Exception):
    """The limit is reached: no model is asked any more."""


class Purse:
    """Dollars. No call is made once `limit` is reached; those that are under way then are paid, too."""

    def __init__(self, limit: float | None = None, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent

    @property
    def empty(self) -> bool:
        return self.limit is not None and self.spent >= self.limit

    def check(self) -> None:
        """Raises `PurseEmptyError`."""
        if self.empty:
            raise PurseEmptyError

    def pay(self, cost: float | None) -> None:
        self.spent += cost or 0.0


def cost_of(tokens_in: int, tokens_out: int, price: Price | None) -> float | None:
    """Dollars; None without a price."""
    return None if price is None else (tokens_in * price.input + tokens_out * price.output) / 1_000_000
