"""What a report tells: ends apart, rates over both, head to head, by seat."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from tests.arena.tournaments import brief, row, write_scenario

from livingtable.arena.notable import notable
from livingtable.arena.plan import Plan
from livingtable.arena.report import as_csv, as_html, as_markdown, games_of, report_of, write_report
from livingtable.arena.run import Run
from livingtable.arena.table import summary, wilson, wilson_by_group
from livingtable.game import Data

AB = ("a", "b")


def entrant(rows: list[Data], name: str) -> Data:
    return next(found for found in summary(rows, AB)["entrants"] if found["entrant"] == name)


def crash(group: int) -> Data:
    return row({"a": 1, "b": 2}, group, "forfeit", by="b", side="seat-of-b", why="crash", detail="KeyError: 1")


TEN = [*(row({"a": 2, "b": 1}, n) for n in range(7)), *(crash(n) for n in range(7, 10))]
"""Ten games, of which b has won seven and crashed in three."""


def test_of_ten_games_with_three_crashes_ten_are_shown_three_are_listed_and_rates_given_over_both() -> None:
    found = entrant(TEN, "b")
    assert (found["games"], found["ended"], found["forfeits"], found["forfeitRate"]) == (10, 7, {"crash": 3}, 0.3)
    assert (found["firsts"], found["firstRate"], found["firstRateOfAll"]) == (7, 1.0, 0.7)
    listed = summary(TEN, AB)["forfeits"]
    assert [(lost["number"], lost["by"], lost["why"], lost["detail"]) for lost in listed] == [
        (n, "b", "crash", "KeyError: 1") for n in (8, 9, 10)
    ]


def test_a_forfeit_is_no_win_of_the_others() -> None:
    found = entrant(TEN, "a")
    assert (found["firsts"], found["firstRate"], found["forfeits"]) == (0, 0.0, {})


def test_a_game_that_was_cut_off_is_no_win() -> None:
    found = entrant([row({"a": 1, "b": 2}, 0, "truncated"), row({"a": 1, "b": 1}, 1, "drawn")], "a")
    assert (found["games"], found["ended"], found["truncated"], found["firsts"]) == (2, 1, 1, 1)


def test_ends_are_kept_apart() -> None:
    rows = [*TEN, row({"a": 1, "b": 2}, 10, "truncated"), row({"a": 1, "b": 1}, 11, "drawn")]
    assert summary(rows, AB)["ends"] == {"won": 7, "drawn": 1, "truncated": 1, "forfeit": 3}


def test_doubles_are_counted() -> None:
    assert summary(TEN, AB)["duplicates"] == 0
    assert summary([*TEN, TEN[0], TEN[0]], AB)["duplicates"] == 2


def test_head_to_head_counts_every_pair_of_seats_and_level_places_as_a_half() -> None:
    rows = [row({"a": 1, "b": 2}), row({"a": 1, "b": 1}), row({"a": 1, "b": 2, "a'": 3, "b'": 4})]
    found = summary(rows, AB)["headToHead"]
    assert found["a"]["b"] == {"points": 4.5, "of": 6, "rate": 0.75}
    assert found["b"]["a"] == {"points": 1.5, "of": 6, "rate": 0.25}


def test_the_rate_of_a_seat_has_an_interval() -> None:
    (a, b) = summary(TEN, AB)["seats"]
    assert (b["side"], b["games"], b["firstRate"], b["meanPlace"]) == ("seat-of-b", 7, 1.0, 1.0)
    assert 0.5 < b["low"] < b["high"] == 1.0
    assert (a["places"], b["places"]) == ({"2": 7}, {"1": 7})
    assert (a["side"], a["firstRate"]) == ("seat-of-a", 0.0)


@pytest.mark.parametrize(
    ("successes", "of", "low", "high"),
    # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_of_rates_are_wilsons(successes: int, of: int, low: float, high: float) -> None:
    assert wilson(successes, of) == pytest.approx((low, high), abs=0.0001)


def test_where_the_games_of_a_seed_all_go_alike_a_seed_counts_as_one() -> None:
    alike = [(4 * (n % 2), 4) for n in range(1_000)]
    assert wilson_by_group(alike) == pytest.approx(wilson(500, 1_000), abs=0.0001)
    assert wilson_by_group([(4, 4)] * 20) == wilson(20, 20)
    assert wilson_by_group([(0, 4)] * 20) == wilson(0, 20)


def test_where_they_go_their_own_ways_each_game_counts() -> None:
    random = Random(1)
    apart = [(sum(random.random() < 0.3 for _ in range(4)), 4) for _ in range(5_000)]
    low, high = wilson(sum(won for won, _ in apart), 20_000)
    assert wilson_by_group(apart) == pytest.approx((low, high), abs=0.0005)


def test_no_interval_is_narrower_than_if_every_seat_were_a_game() -> None:
    assert wilson_by_group([(1, 2)] * 50) == pytest.approx(wilson(50, 100))
    assert wilson_by_group([(1, 2)]) == pytest.approx(wilson(0.5, 1))
    assert wilson_by_group([]) == (0.0, 1.0)


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_the_interval_covers_the_rate_in_19_of_20_tournaments_however_alike_the_games_of_a_seed_are(
    rate: float,
) -> None:
    random = Random(3)
    covered = 0
    for _ in range(1_000):
        groups: list[tuple[int, int]] = []
        for _ in range(60):
            same = random.random() < 0.5
            first = random.random() < rate
            groups.append((sum(first if same else random.random() < rate for _ in range(4)), 4))
        low, high = wilson_by_group(groups)
        covered += low <= rate <= high
    assert 0.93 < covered / 1_000 < 0.97


# games to look at


def test_games_to_look_at_are_the_first_forfeits_of_a_kind_those_cut_off_the_shortest_and_the_longest() -> None:
    rows = [
        *(row({"a": 1, "b": 2}, n, actions=actions) for n, actions in enumerate([9, 30, 4, 30, 8])),
        *(crash(n) for n in range(5, 9)),
        {**crash(9), "why": "timeout"},
        *(row({"a": 1, "b": 2}, n, "truncated", actions=99) for n in range(10, 14)),
    ]
    assert [(found["number"], found["why"]) for found in notable(rows)] == [
        (2, "longest of brief"),
        (3, "shortest of brief"),
        (6, "b forfeits: crash"),
        (7, "b forfeits: crash"),
        (10, "b forfeits: timeout"),
        (11, "cut off"),
        (12, "cut off"),
    ]


def test_one_game_is_the_shortest_and_the_longest() -> None:
    assert [found["why"] for found in notable([row({"a": 1, "b": 2})])] == ["shortest of brief, longest of brief"]
    assert notable([]) == []


def test_lengths_are_spread_over_a_dozen_ranges() -> None:
    (found,) = summary([row({"a": 1, "b": 2}, n, rounds=n + 3) for n in range(50)], AB)["lengths"]
    assert [(one["from"], one["to"]) for one in found["rounds"]] == [(n, n + 4) for n in range(3, 50, 5)]
    assert [one["games"] for one in found["rounds"]] == [5] * 10
    (alike,) = summary([row({"a": 1, "b": 2}, n) for n in range(4)], AB)["lengths"]
    assert alike["rounds"] == [{"from": 3, "to": 3, "games": 4}]


# pages


class Page(HTMLParser):
    """Whether every element is closed, and what a page would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.loads += [value or "" for name, value in attrs if name == "src" or (tag == "link" and name == "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = Run(tmp_path / "run")
    run.go_on(brief(tmp_path / "own"))
    return run


def drawn(record: Data) -> str:
    return f"<svg><!-- {record['seed']} --></svg>"


def test_the_report_is_one_page_and_the_same_as_json_csv_and_markdown(run: Run) -> None:
    assert [file.name for file in write_report(run, drawn)] == ["report.html", "report.json", "report.csv", "report.md"]
    page = Page((run.folder / "report.html").read_text("utf-8"))
    assert (page.open, page.loads) == ([], [])
    data = json.loads((run.folder / "report.json").read_text("utf-8"))
    assert (data["games"], data["seed"], data["scenarios"]) == (4, 7, ["brief"])
    table = list(csv.DictReader(io.StringIO((run.folder / "report.csv").read_text("utf-8"))))
    assert {line["entrant"]: line["games"] for line in table} == {"random": "4", "greedy": "4"}
    assert "| random | " in (run.folder / "report.md").read_text("utf-8")


def test_notable_games_can_be_watched_from_the_page(run: Run) -> None:
    write_report(run, drawn)
    page = (run.folder / "report.html").read_text("utf-8")
    numbers = [found["number"] for found in notable(run.rows())]
    assert sorted(file.name for file in (run.folder / "replays").iterdir()) == sorted(
        f"{number}{ending}" for number in numbers for ending in (".svg", ".json")
    )
    records = list(run.records())
    for number in numbers:
        assert f'href="replays/{number}.svg"' in page
        assert json.loads((run.folder / f"replays/{number}.json").read_text("utf-8")) == records[number - 1]
        assert f"<!-- {records[number - 1]['seed']} -->" in (run.folder / f"replays/{number}.svg").read_text("utf-8")


def test_every_report_of_an_unfinished_tournament_says_how_many_games_are_to_come(tmp_path: Path) -> None:
    def told(done: int, _of: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    run = Run(tmp_path / "run")
    plan = brief(tmp_path / "own", games=10)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(plan, told=told)
    write_report(run, drawn)
    assert "<p>3 of 10 games so far, seed 7." in (run.folder / "report.html").read_text("utf-8")
    assert (run.folder / "report.md").read_text("utf-8").startswith("3 of 10 games so far of brief, seed 7.")
    run.go_on(plan)
    write_report(run, drawn)
    assert "<p>10 games, seed 7." in (run.folder / "report.html").read_text("utf-8")


def test_a_game_that_was_cut_off_is_called_so_and_nothing_else_wherever_it_is_read(tmp_path: Path) -> None:
    run = Run(tmp_path / "run")
    run.go_on(brief(tmp_path / "own", max_actions=2))
    write_report(run, drawn)
    page = (run.folder / "report.html").read_text("utf-8")
    markdown = (run.folder / "report.md").read_text("utf-8")
    assert "truncated" not in page + markdown
    assert "Ends: cut off 4." in page
    assert "Ends: cut off 4." in markdown
    assert '<td class="text">cut off</td>' in page
    assert "Reasons: cut off 4." in page
    assert json.loads((run.folder / "report.json").read_text("utf-8"))["ends"]["truncated"] == 4


def test_a_sequential_test_that_is_decided_is_finished_and_else_has_a_most() -> None:
    rows = {"games": 12, "scheduled": 200}
    assert games_of({**rows, "sprt": {"verdict": "undecided"}}) == "12 of at most 200 games so far"
    assert games_of({**rows, "sprt": {"verdict": "elo1"}}) == "12 games"


def test_games_beyond_the_schedule_do_not_stand_for_those_that_are_to_come(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "own", seats=3)
    run = Run(tmp_path / "run")
    plan = Plan(("brief",), ("random",), 3, 7, folders=(str(folder),))
    run.go_on(plan)
    run.begin(plan.with_more((), ("greedy",), 0))
    assert games_of(report_of(run)) == "3 of 9 games so far"


def test_of_several_scenarios_each_has_a_table_of_its_own_too(tmp_path: Path) -> None:
    folders = tuple(str(write_scenario(tmp_path / name, name)) for name in ("one", "two"))
    run = Run(tmp_path / "run")
    run.go_on(Plan(("one", "two"), ("random", "greedy"), 4, 7, folders=folders))
    write_report(run, drawn)
    data = json.loads((run.folder / "report.json").read_text("utf-8"))
    assert {name: [row["games"] for row in rows] for name, rows in data["byScenario"].items()} == {
        "one": [4, 4],
        "two": [4, 4],
    }
    assert [row["games"] for row in data["entrants"]] == [8, 8]
    for name in ("one", "two"):
        assert f"<h3>{name} alone</h3>" in (run.folder / "report.html").read_text("utf-8")
        assert f"{name} alone:" in (run.folder / "report.md").read_text("utf-8")


def test_a_report_made_again_is_the_same(run: Run) -> None:
    before = [file.read_bytes() for file in write_report(run, drawn)]
    assert [file.read_bytes() for file in write_report(run, drawn)] == before


def test_what_a_crash_says_is_text_in_every_report(run: Run) -> None:
    lost = {**crash(0), "detail": "<script>|x"}
    name = "a|<b>.py:B"
    told: Data = {"scenarios": ["brief"], "seed": 1, "asked": 1, "scheduled": 1, "sprt": None, "byScenario": {}}
    data = {**told, **summary([lost], (*AB, name)), "notable": notable([lost])}
    page = as_html(data, run.plan())
    assert "<script>" not in page
    assert "<b>.py" not in page
    assert [len(line) for line in csv.reader(io.StringIO(as_csv(data)))] == [13] * 4
    rows = [line for line in as_markdown(data).splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {14}
