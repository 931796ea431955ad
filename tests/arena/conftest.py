from __future__ import annotations

import pytest

from livingtable.arena import ratings


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for what the tests ask of an interval, and quick."""
    monkeypatch.setattr(ratings, "RESAMPLES", 40)
