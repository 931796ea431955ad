from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

import pytest
from threadpoolctl import threadpool_limits  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from livingtable.arena import ratings


@pytest.fixture(autouse=True)
def quick_fits(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Enough resamples for what the tests ask of an interval; threads would only wait for each other."""
    monkeypatch.setattr(ratings, "RESAMPLES", 40)
    with cast(Any, threadpool_limits)(1, "blas"):
        yield
