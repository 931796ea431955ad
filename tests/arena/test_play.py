"""How a game of a tournament ends."""

from __future__ import annotations

from livingtable.arena.plan import Plan
from livingtable.arena.workers import play_one


def test_a_first_place_of_everybodys_is_nobodys_win_even_where_one_entrant_has_all_seats() -> None:
    plan = Plan(("duel_glade",), ("random",), 12, 0)
    rows = [play_one(plan, fixture).row for fixture in plan.fixtures()]
    all_first = [set(row["places"].values()) == {1} for row in rows]
    assert {*all_first} == {True, False}
    assert [row["end"] for row in rows] == ["drawn" if level else "won" for level in all_first]
