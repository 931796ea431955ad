"""Seeded dice with a counter, and loaded dice in front of them.

The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014), used by
counter: draw number n of a seed is a pure function of (seed, n). A die is therefore three plain things (seed, draws,
loaded values) which copy and store as data and give the same throws on every machine and Python version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

MAX_SEED = 2**53 - 1
"""Seeds are whole numbers from 0 to this, so that every JSON reader keeps them exact."""

_MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def derive_seed(seed: int, *salt: int | str) -> int:
    """A seed in range, made from another and any salt: the same salt, the same seed, on every machine."""
    z = _mix((seed + _GAMMA) & _MASK)
    for part in salt:
        # A text is told from a number by the byte in front of it.
        number = part if isinstance(part, int) else int.from_bytes(b"\xff" + part.encode(), "big")
        while True:
            z = _mix((z ^ (number & _MASK)) + _GAMMA & _MASK)
            number >>= 64
            if number <= 0:
                break
    return z & MAX_SEED


class Dice:
    """The dice of one game: loaded values first, then the seeded ones.

    `loaded` maps a number of sides to the values still to come, in order.
    """

    __slots__ = ("_base", "_waiting", "draws", "seed")

    def __init__(self, seed: int, draws: int = 0, loaded: Mapping[int, Sequence[int]] | None = None) -> None:
        self.seed = seed
        self.draws = draws
        # With each die's values how many of them have fallen: throws and copies do not handle the values themselves.
        self._waiting: dict[int, tuple[tuple[int, ...], int]] = {
            n: (tuple(v), 0) for n, v in (loaded or {}).items() if v
        }
        self._base = _mix((seed + _GAMMA) & _MASK)

    @property
    def loaded(self) -> dict[int, tuple[int, ...]]:
        return {n: values[fallen:] for n, (values, fallen) in self._waiting.items()}

    def roll(self, sides: int) -> int:
        """One throw, 1 to `sides`: the next loaded value of such a die, else a seeded one."""
        if self._waiting:
            waiting = self._waiting.get(sides)
            if waiting is not None:
                values, fallen = waiting
                if fallen + 1 < len(values):
                    self._waiting[sides] = values, fallen + 1
                else:
                    del self._waiting[sides]
                return values[fallen]
        return self.below(sides) + 1

    def below(self, n: int) -> int:
        """A seeded number, 0 to n−1, each equally likely (what does not divide evenly is drawn again)."""
        limit = (1 << 64) - (1 << 64) % n
        while True:
            self.draws += 1
            value = _mix((self._base + self.draws * _GAMMA) & _MASK)
            if value < limit:
                return value % n

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, each equally likely."""
        return options[self.below(len(options))]

    def shuffle(self, items: list[Any]) -> None:
        """Puts the items into a random order, in place (Fisher and Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def copy(self) -> Dice:
        other = Dice.__new__(Dice)
        other.seed, other.draws, other._base = self.seed, self.draws, self._base
        other._waiting = self._waiting.copy()
        return other

    def to_data(self) -> dict[str, Any]:
        """`{seed, draws, loaded: {"d20": [values still to come]}}`."""
        loaded = self.loaded
        return {
            "seed": self.seed,
            "draws": self.draws,
            "loaded": {f"d{n}": list(loaded[n]) for n in sorted(loaded)},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Dice:
        loaded: Mapping[str, Sequence[int]] = data["loaded"]
        return cls(data["seed"], data["draws"], {int(name[1:]): values for name, values in loaded.items()})


def shuffled(items: Sequence[T], seed: int) -> list[T]:
    """The items in an order that the seed alone decides, apart from any game's dice."""
    copy = list(items)
    Dice(seed).shuffle(copy)
    return copy
