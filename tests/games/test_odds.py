"""The odds that the rules tell are those of the engine, worked out exactly with loaded dice, never sampled."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from tests.games.foxhunt.drawing import drawn as yard
from tests.games.skirmish.drawing import act, drawn

from livingtable.dice import Dice
from livingtable.game import get_game
from livingtable.games.botwars.battles import fight
from livingtable.games.foxhunt.position import KINDS


def table(game: str, first: str) -> list[list[str]]:
    """The rows of the table whose first row begins so, the first one included."""
    lines = get_game(game).rules_text().splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith(f"| {first}"))
    rows: list[list[str]] = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            return rows
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def percent(chance: Fraction) -> str:
    return str(int(chance * 100 + Fraction(1, 2)))


def bout(attacker: int, defender: int) -> Fraction:
    """The chance to win a bout; equal products are rolled again, and so count for nothing (BW-2.2)."""
    won = decided = 0
    for a, d in product(range(1, 21), repeat=2):
        first = fight(Dice(1, loaded={20: (a, d)}), "a", attacker, "d", defender)[0]
        if len(first.attacker_rolls) == 1:
            decided += 1
            won += first.winner == "a"
    return Fraction(won, decided)


def battle(attacker: int, defender: int) -> Fraction:
    """Best two of three bouts."""
    p = bout(attacker, defender)
    return p * p * (3 - 2 * p)


def test_who_has_two_bouts_has_won_the_battle() -> None:
    """BW-2.2, on which the figure for a battle rests."""
    for won in product((True, False), repeat=3):
        rolls = [roll for attacker_wins in won for roll in ((20, 1) if attacker_wins else (1, 20))]
        bouts = fight(Dice(1, loaded={20: tuple(rolls)}), "a", 10, "d", 10)
        assert (bouts[-1].winner == "a") is (sum(won) >= 2)


RATIOS = {"0.5": (1, 2), "0.67": (2, 3), "0.8": (4, 5), "1": (1, 1), "1.25": (5, 4), "1.5": (3, 2)}


def test_the_odds_of_a_battle_are_those_of_the_engine() -> None:
    """BW-2.2: by the ratio of the strengths."""
    ratios, _, odds = table("botwars", "your strength : theirs")
    for ratio, told in zip(ratios[1:], odds[1:], strict=True):
        a, d = RATIOS.get(ratio, (int(float(ratio) * 2), 2))
        assert told == percent(battle(a, d)) == percent(battle(a * 7, d * 7)), ratio


def test_the_odds_of_a_challenge_are_those_of_the_engine() -> None:
    """BW-6.3: against a strength of 3.0."""
    strengths, _, odds = table("botwars", "your strength |")
    for strength, told in zip(strengths[1:], odds[1:], strict=True):
        assert told == percent(battle(int(strength.replace(".", "")), 30)), strength


@pytest.mark.parametrize(("row", "modifier"), [("plain", 0), ("Charge", 1), ("leaderless", -1)])
@pytest.mark.parametrize(("column", "ground"), [(1, ""), (2, "F"), (2, "^")])
def test_the_odds_of_a_hit_are_those_of_the_engine(row: str, modifier: int, column: int, ground: str) -> None:
    """SK-3.1 to SK-3.5: how many faces of the die hit."""
    hits = 0
    for roll in range(1, 7):
        state = drawn(
            f"I K1 o1{ground} . C",
            figures={"K1": {"moved": True, "hexesMoved": 3}} if modifier > 0 else {},
            d6=[roll],
            leaderless={"ivory": modifier < 0},
        )
        hits += next(event["hit"] for event in act(state, "K1 x O1") if event["type"] == "attacked")
    rows = {cells[0].split(",")[0]: cells for cells in table("skirmish", "a hit, of 6 dice")}
    assert rows[row][column] == f"{hits} ({percent(Fraction(hits, 6))} %)"


def test_the_odds_of_several_attacks_follow_from_those_of_one() -> None:
    """SK-3.6: two hits destroy a piece of 2 hp."""

    def destroyed(attacks: int, p: Fraction) -> str:
        missed, once = (1 - p) ** attacks, attacks * p * (1 - p) ** (attacks - 1)
        return percent(1 - missed - once)

    text = get_game("skirmish").rules_text()
    half, third = Fraction(1, 2), Fraction(1, 3)
    two, three, four = (destroyed(n, half) for n in (2, 3, 4))
    assert f"two in {two} %, three in {three} %, four in {four} %" in text
    assert f"in {destroyed(2, third)} %, {destroyed(3, third)} %, {destroyed(4, third)} %." in text
    assert f"at least once in {percent(1 - half**2)} %, there in {percent(1 - (1 - third) ** 2)} %" in text


def test_the_odds_of_a_special_are_those_of_the_engine() -> None:
    """FX-4.5, FX-R2: a die of three says which kind, and a setting in millionths whether there is one."""
    settings = yard("1 2 _ \n _ _ _ \n _ _ _", revealChance=0.3).settings
    shown = Fraction(settings.reveal, 1_000_000)
    assert len(KINDS) == 3
    told = f"shows nothing in {percent(1 - shown)} %, and each kind in {percent(shown / len(KINDS))} %"
    assert told in get_game("foxhunt").rules_text()


PROMPTS = sorted((Path(__file__).parents[2] / "prompts" / "botwars").rglob("*.*"))


def test_the_odds_that_prompts_tell_are_those_of_the_engine() -> None:
    """BW-2.2."""
    text = "".join(file.read_text("utf-8") for file in PROMPTS)
    ratios = [(1, 1), (5, 4), (3, 2), (2, 1), (3, 1)]
    told = " / ".join(percent(battle(a, d)) for a, d in ratios)
    assert text.count("1 / 1.25 / 1.5 / 2 / 3 times") == text.count(told) == 3
    assert f"with 1.5 times the foe's strength you win {percent(battle(3, 2))} % of battles" in text
