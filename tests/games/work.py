"""Work counted, not timed: the lines of Python that a call runs, each turn of a loop anew, comprehensions too.

It is the same on every machine, however busy; it grows with what is done, and so shows work that grows too fast. What
the interpreter does within a line (arithmetic, sorting, `in` of a list) does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


class TooMuchWorkError(AssertionError):
    """More lines were run than the limit; what they were for is not done."""


def counted(call: Callable[[], T], limit: int | None = None) -> tuple[int, T]:
    """How many lines the call runs, and what it returns. Raises `TooMuchWorkError` as soon as they are too many."""
    lines = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            if limit is not None and lines > limit:
                raise TooMuchWorkError(f"more than {limit:,} lines")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        result = call()
    finally:
        sys.settrace(before)
    return lines, result
