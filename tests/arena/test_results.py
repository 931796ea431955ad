"""The page of how the built-in agents do (C76)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.arena.tournaments import write_scenario

from livingtable.agents import agent_kinds
from livingtable.arena import results
from livingtable.arena.plan import library
from livingtable.arena.results import Contest, contests, page_of
from livingtable.arena.run import Run


def test_every_built_in_agent_plays_itself_on_400_seeds_of_every_scenario(tmp_path: Path) -> None:
    found = contests(tmp_path, results.SEEDS)
    for scenario in library(()).all():
        itself = {c.entrants[0]: c for c in found if c.scenario.name == scenario.name and len(c.entrants) == 1}
        assert {"greedy", "random"} <= itself.keys()
        for name in ("greedy", "random"):
            fixtures = list(itself[name].plan.fixtures())
            assert len({fixture.seed for fixture in fixtures}) == len(fixtures) == 400
            assert {entrant for fixture in fixtures for entrant in fixture.seating} == {name}


def test_where_they_meet_both_sides_of_every_seed_are_played(tmp_path: Path) -> None:
    (both,) = (c for c in contests(tmp_path, 400) if c.scenario.name == "castle_siege" and c.entrants == results.QUICK)
    fixtures = list(both.plan.fixtures())
    by_seed = {fixture.seed: {f.seating for f in fixtures if f.seed == fixture.seed} for fixture in fixtures}
    assert len(by_seed) == 400
    assert all(ways == {("greedy", "random"), ("random", "greedy")} for ways in by_seed.values())


def test_search_plays_in_the_small_scenarios_alone_on_50_seeds(tmp_path: Path) -> None:
    found = [c for c in contests(tmp_path, 400) if results.SLOW in c.entrants]
    there = {scenario.name for scenario in library(()).all()} & set(results.SMALL)
    plays = results.SLOW in {kind.name for kind in agent_kinds()}
    assert {c.scenario.name for c in found} == (there if plays else set())
    assert all(len({fixture.seed for fixture in c.plan.fixtures()}) == 50 for c in found)


@pytest.fixture
def played(tmp_path: Path) -> list[Contest]:
    folders = (str(write_scenario(tmp_path / "own")),)
    scenario = library(folders).get("brief")
    found: list[Contest] = []
    for before in (c for c in contests(tmp_path, 2) if c.scenario.name == "castle_siege"):
        plan = replace(before.plan, scenarios=("brief",), folders=folders)
        contest = Contest(scenario, before.entrants, plan, Run(tmp_path / "-".join(before.entrants)))
        contest.run.go_on(plan)
        found.append(contest)
    return found


def test_the_page_has_strengths_seats_and_ends_of_a_scenario(played: list[Contest]) -> None:
    page = page_of(played)
    lines = page.splitlines()
    assert page.startswith("# Results\n")
    assert "## brief" in lines
    rows = [line.split(" | ")[0].strip("| ") for line in lines if line.startswith("| ") and "---" not in line]
    assert sorted(rows) == ["agent", "greedy", "p1", "p2", "random", "seat, first rate"]
    (seat,) = (line for line in lines if line.startswith("| p1 |"))
    assert seat.count(" % (") == 2
    assert sum(line.startswith(("- all greedy: 2 games: ", "- all random: 2 games: ")) for line in lines) == 2
    assert "greedy, random against each other on 2 seeds, each with every seating:" in lines
    assert sum(line.startswith("Head to head: ") for line in lines) == 1
    assert page_of(played) == page


def test_every_table_of_the_page_is_a_table(played: list[Contest]) -> None:
    lines = page_of(played).splitlines()
    for before, line in pairwise(lines):
        if before.startswith("|") and line.startswith("|"):
            assert before.count("|") == line.count("|")
