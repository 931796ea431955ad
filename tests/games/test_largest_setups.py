"""No call on a set-up of the largest size does more work than its limit: what grows too fast fails here.

`python -m tests.benchmarks.largest_setups` shows the figures.
"""

from __future__ import annotations

import tracemalloc

import pytest
from tests.games.largest import setups
from tests.games.measuring import LIMITS, SEED, START_KIB, calls, forget, iterations_of, searching
from tests.games.work import TooMuchWorkError, counted

from livingtable.scenarios import check_setup

SETUPS = setups()
each_setup = pytest.mark.parametrize("name", SETUPS)


@each_setup
def test_no_call_does_more_work_than_its_limit(name: str) -> None:
    forget()
    for call, made in calls(SETUPS[name]):
        counted(made, LIMITS[call])


@pytest.mark.slow
@each_setup
def test_a_whole_choice_of_search_stays_within_its_limit(name: str) -> None:
    """Told from what its second and third iteration add."""
    forget()
    state = check_setup(SETUPS[name]).start(SEED)
    if state.to_act:
        one, three = (counted(searching(state, n), LIMITS["search"])[0] for n in (1, 3))
        assert one + (three - one) * (iterations_of(state) - 1) // 2 <= LIMITS["search"]


@each_setup
def test_a_start_takes_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        check_setup(SETUPS[name]).start(SEED)
        assert tracemalloc.get_traced_memory()[1] < START_KIB * 1024
    finally:
        tracemalloc.stop()


def test_work_is_counted_by_each_turn_of_a_loop_and_cut_off_at_its_limit() -> None:
    def doubled(n: int) -> list[int]:
        return [2 * m for m in range(n) if m or n]

    few, many = (counted(lambda n=n: doubled(n))[0] for n in (10, 1_000))
    assert many - few >= 990
    with pytest.raises(TooMuchWorkError):
        counted(lambda: doubled(1_000_000), 500)
