"""Counting tokens as a model's host does (o200k), without network."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Protocol, cast


class Encoding(Protocol):
    def encode(self, text: str) -> list[int]: ...


@cache
def encoding() -> Encoding:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it opens its data by a deprecated way
        from bpe_openai import get_encoding  # pyright: ignore[reportMissingTypeStubs]

        return cast(Encoding, get_encoding("o200k_base"))


def tokens(text: str) -> int:
    return len(encoding().encode(text))
