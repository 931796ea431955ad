"""Records that are replayed for somebody: in a lane, within bounds, and with errors in the table's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from livingtable.errors import RecordError, Refusal
from livingtable.game import Data
from livingtable.records import Each, check_record
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.work import Lane, Stop, check

T = TypeVar("T")

REPLAYED_ACTIONS_AT_MOST = 20_000
"""A session ends long before (`ACTIONS_AT_MOST` of the engine); a record that was sent may claim anything."""


async def replayed(lane: Lane, find: Callable[[], object], compute: Callable[[Data, Each], T]) -> T:
    """What `compute` makes of the record that `find` gives, both in the lane's thread. `compute` hands its second
    argument to the replay, which then ends when the caller is gone.

    Raises `TableError` for what is no record, cannot be replayed or is too long.
    """

    def run(stop: Stop) -> T:
        try:
            record = check_record(find())
            _check_length(record)
            return compute(record, lambda: check(stop))
        except (RecordError, Refusal) as error:
            raise TableError(f"That is no record that can be replayed: {error}") from None

    return await lane.run(run)


def _check_length(record: Data) -> None:
    actions = len(record["actions"])
    if actions > REPLAYED_ACTIONS_AT_MOST:
        raise TableError(
            f"The record has {actions} actions; at most {REPLAYED_ACTIONS_AT_MOST} are replayed here. The commands "
            "living-table verify, replay and render take records of any length."
        )
