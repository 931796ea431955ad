"""The statements that change a session or a room, as PostgreSQL also tells the change: in the same transaction."""

from __future__ import annotations

from sqlalchemy import ClauseElement, Text, bindparam, func, literal_column, select

from livingtable_server.store import tables

CHANNEL = "living_table"


def telling(sender: str) -> dict[ClauseElement, ClauseElement]:
    """For each statement of `tables.CHANGES` the one that tells it: a notice `SENDER CHANGE-KEY` on the channel.

    Where nothing was changed nothing is told. A notice goes out when the transaction is committed.
    """
    told: dict[ClauseElement, ClauseElement] = {}
    for statement in tables.CHANGES:
        changed = statement.cte("changed")
        # As `changes.change_key` has it.
        key = func.encode(func.sha256(func.convert_to(changed.c.session_id, literal_column("'UTF8'"))), "hex")
        notice = bindparam("sender", f"{sender} ", type_=Text).concat(key)
        told[statement] = select(changed.c.session_id, func.pg_notify(CHANNEL, notice)).select_from(changed)
    return told
