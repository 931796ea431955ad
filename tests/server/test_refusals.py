"""Refused actions: the codes in the order in which they are looked at, and nothing changed by any of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.asking import Asker
from tests.server.setups import BESIDE_A_TROLL, FAR_APART, NEIGHBOURS, ONE_LEFT_TO_BEAT, PARTY_OF_TWO

from livingtable.game import Data

pytestmark = pytest.mark.anyio

STALE: dict[str, Any] = {"expectedVersion": 7}
MALFORMED: dict[str, Any] = {"notation": "castle"}
ILLEGAL: dict[str, Any] = {"notation": "move 9,9"}
NOT_MINE: dict[str, Any] = {"side": "p2"}


async def ended(asker: Asker, **more: Any) -> str:
    """A session of which one action was the end."""
    session = await asker.begin(ONE_LEFT_TO_BEAT, **more)
    answer = await asker.submit(session, "attack t1", expectedVersion=0)
    assert answer["result"]
    return session


# each code


async def test_a_bots_seat_is_not_yours(asker: Asker) -> None:
    session = await asker.begin(FAR_APART, side="p1")
    answer = await asker.refused("not_your_seat", session, notation="pass", side="p2")
    assert "Yours: p1" in answer["reason"]
    assert answer["toAct"] == ["p1"]


@pytest.mark.parametrize("side", ["p9", " ", "P1", "all", "troll", "two\nlines"])
async def test_a_seat_that_is_not_there_is_not_yours(asker: Asker, side: str) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.refused("not_your_seat", session, notation="pass", side=side)
    assert "p1, p2, p3" in answer["reason"]


async def test_a_version_behind_is_stale(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.submit(session, "pass", expectedVersion=0)
    answer = await asker.refused("stale_version", session, notation="move 6,0", expectedVersion=0)
    assert answer["version"] == 1
    assert "version 1" in answer["reason"]


@pytest.mark.parametrize("expected", [1, 2, 10**9, pytest.param(10**5000, id="5001 digits")])
async def test_a_version_ahead_is_stale(asker: Asker, expected: int) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.refused("stale_version", session, notation="pass", expectedVersion=expected)
    assert answer["version"] == 0
    assert answer["legal"], "what to do instead"


async def test_after_the_end_the_game_is_over(asker: Asker) -> None:
    session = await ended(asker)
    for more in ({}, {"side": "p1"}, {"side": "t1"}, {"expectedVersion": 1}):
        answer = await asker.refused("game_over", session, notation="pass", **more)
        assert answer["toAct"] == []
        assert "sole_survivor" in answer["reason"]
        assert "legal" not in answer


async def test_a_seat_that_waits_is_not_on_turn(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.refused("not_your_turn", session, notation="pass", side="p2")
    assert answer["toAct"] == ["p1"]
    assert "p1" in answer["reason"]


async def test_a_follower_is_not_on_turn(asker: Asker) -> None:
    session = await asker.begin(PARTY_OF_TWO)
    answer = await asker.refused("not_your_turn", session, notation="pass", side="p2")
    assert "follows p1" in answer["reason"]


async def test_while_an_offer_is_open_only_its_receiver_is_to_act(asker: Asker) -> None:
    session = await asker.begin(NEIGHBOURS)
    await asker.submit(session, "ally p2")
    answer = await asker.refused("not_your_turn", session, notation="pass", side="p1")
    assert answer["toAct"] == ["p2"]
    refused = await asker.refused("illegal_action", session, notation="pass", side="p2")
    assert refused["legal"] == ["accept", "decline"]


@pytest.mark.parametrize(
    "given",
    [
        # no form of the game's set
        {"notation": ""},
        {"notation": "castle"},
        {"notation": "move"},
        {"notation": "move A1"},
        {"notation": "move 1,0.."},
        {"notation": "pass now"},
        {"notation": "reward gold"},
        {"notation": "I choose move 1,0"},
        {"notation": "x" * 100_000},
        {"notation": "\0"},
        {"action": {}},
        {"action": {"type": "castle"}},
        {"action": {"type": None}},
        {"action": {"type": ["move"]}},
        {"action": {"to": "1,0"}},
        {"action": {"type": "move"}},
        {"action": {"type": "move", "to": 10}},
        {"action": {"type": "move", "to": None}},
        {"action": {"type": "move", "to": [1, 0]}},
        {"action": {"type": "move", "to": {"x": 1, "y": 0}}},
        {"action": {"type": "ally", "target": 2}},
        {"action": {"type": "answer", "accept": "yes"}},
        {"action": {"type": "answer", "accept": 1}},
        {"action": {"type": "reward", "choice": "gold"}},
        # unknown keys
        {"action": {"type": "pass", "why": "tired"}},
        {"action": {"type": "move", "to": "1,0", "from": "0,0"}},
        {"action": {"type": "move", "To": "1,0"}},
        {"action": {"type": "move", "to": "1,0", "side": "p1"}},
        # both or neither
        {},
        {"action": {"type": "pass"}, "notation": "pass"},
        {"action": None, "notation": None},
        # nothing that could be one
        {"action": 5},
        {"action": True},
        {"action": []},
        {"action": [{"type": "pass"}]},
        {"action": 1.5},
        {"notation": 5},
        {"notation": ["pass"]},
        {"notation": False},
        # lines of several alternatives
        {"notation": "move 1,0 1,1"},
        {"action": {"type": "move", "to": "1,0 1,1"}},
    ],
    ids=lambda given: ascii(given)[:60],
)
async def test_what_is_no_action_is_malformed(asker: Asker, given: Data) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.refused("malformed_action", session, **given)
    assert answer["legal"]
    assert len(answer["reason"]) < 600


async def test_of_a_line_with_several_alternatives_one_is_to_be_chosen(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    (line, *_) = (await asker.ask("list_legal_actions", sessionId=session, detail="brief"))["legal"]
    answer = await asker.refused("malformed_action", session, notation=line)
    assert "choose one" in answer["reason"]
    assert "move 1,0" in answer["reason"]


@pytest.mark.parametrize("text", ["MOVE1,0", "move1,0", "`move1,0`", "move (1,0)", "Move 1, 0", "“move 1, 0”"])
async def test_a_notation_that_is_all_but_right_is_refused_with_how_to_write_it(asker: Asker, text: str) -> None:
    answer = await asker.refused("malformed_action", await asker.begin(FAR_APART), notation=text)
    assert answer["reason"].endswith('; write it as it is listed: "move 1,0"')


@pytest.mark.parametrize("text", ["move W because it is safe", "move W (safe)", "move E or move W"])
async def test_prose_around_an_action_is_answered_with_what_is_legal(asker: Asker, text: str) -> None:
    session = await asker.begin("fox_yard", seed=1, side="p1")
    legal = await asker.legal(session, "p1")
    reason = (await asker.refused("malformed_action", session, notation=text))["reason"]
    rest = reason.removeprefix(f'"{text}"')
    named = [notation for notation in ("move N", "move E", "move S", "move W") if notation in rest]
    assert named
    assert set(named) <= set(legal)
    assert "because" not in rest


async def test_of_both_or_neither_exactly_one_is_asked_for(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for given in ({}, {"action": {"type": "pass"}, "notation": "pass"}):
        assert "exactly one" in (await asker.refused("malformed_action", session, **given))["reason"]


async def test_of_both_the_refusal_says_which_to_leave_out(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    both = await asker.refused("malformed_action", session, action={"type": "pass"}, notation="pass")
    assert both["reason"].endswith('leave out "action"')


@pytest.mark.parametrize(
    "given",
    [
        {"notation": "move 99,99"},
        {"notation": "move 8,0"},
        {"action": {"type": "move", "to": "100,0"}},
        {"notation": "move 0,0"},
        {"notation": "move 5,0"},
        {"notation": "ally p9"},
        {"notation": "ally p2"},
        {"notation": "ally p1"},
        {"notation": "attack nobody"},
        {"action": {"type": "attack", "target": "Gary the Wizard"}},
        {"action": {"type": "ally", "target": ""}},
        {"notation": "accept"},
        {"notation": "sleep"},
        {"notation": "challenge"},
        {"notation": "reward score"},
        {"action": {"type": "answer", "accept": False}},
    ],
    ids=lambda given: ascii(given)[:60],
)
async def test_a_well_formed_action_that_cannot_be_is_illegal(asker: Asker, given: Data) -> None:
    session = await asker.begin(FAR_APART)
    answer = await asker.refused("illegal_action", session, **given)
    assert answer["legal"]
    assert answer["toAct"] == ["p1"]


async def test_beside_a_foe_all_but_attacks_are_illegal(asker: Asker) -> None:
    session = await asker.begin(BESIDE_A_TROLL)
    answer = await asker.refused("illegal_action", session, notation="pass")
    assert answer["legal"] == ["attack t1"]
    assert "attack" in answer["reason"]


# their order


ORDER: list[tuple[str, dict[str, Any]]] = [
    ("not_your_seat", {"side": "p9", **STALE, **MALFORMED}),
    ("not_your_seat", {"side": "p9", **ILLEGAL}),
    ("stale_version", {**NOT_MINE, **STALE, **MALFORMED}),
    ("stale_version", {**NOT_MINE, **STALE, **ILLEGAL}),
    ("stale_version", {**STALE, **MALFORMED}),
    ("stale_version", {**STALE, **ILLEGAL}),
    ("not_your_turn", {**NOT_MINE, **MALFORMED}),
    ("not_your_turn", {**NOT_MINE, **ILLEGAL}),
    ("not_your_turn", {**NOT_MINE}),
    ("malformed_action", {"notation": "move 9,9 9,8"}),
    ("malformed_action", {"action": {"type": "move", "to": "9,9", "x": 1}}),
    ("illegal_action", ILLEGAL),
]


@pytest.mark.parametrize(("code", "given"), ORDER)
async def test_the_first_reason_wins(asker: Asker, code: str, given: dict[str, Any]) -> None:
    session = await asker.begin(FAR_APART)
    await asker.refused(code, session, **given)


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("not_your_seat", {"side": "p9", **STALE, **MALFORMED}),
        ("not_your_seat", {"side": "t1", **MALFORMED}),
        ("stale_version", {**STALE, **MALFORMED}),
        ("stale_version", {"expectedVersion": 0, "notation": "pass"}),
        ("game_over", MALFORMED),
        ("game_over", ILLEGAL),
        ("game_over", {"notation": "pass", "expectedVersion": 1}),
        ("game_over", {}),
    ],
)
async def test_the_first_reason_wins_after_the_end(asker: Asker, code: str, given: dict[str, Any]) -> None:
    session = await ended(asker, side="p1")
    await asker.refused(code, session, **given)


async def test_a_repeated_action_comes_before_its_version_and_the_end(asker: Asker) -> None:
    session = await ended(asker)
    again = await asker.submit(session, "attack t1", expectedVersion=0)
    assert (again["ok"], again["repeated"]) == (True, True)
    assert again["result"]


async def test_anothers_seat_comes_before_a_repeated_action(asker: Asker) -> None:
    session = await asker.begin(FAR_APART, side="p1")
    await asker.submit(session, "pass", expectedVersion=0)
    await asker.refused("not_your_seat", session, notation="pass", expectedVersion=0, side="p2")


# nothing has changed


REFUSED: list[dict[str, Any]] = [
    {"side": "p9", "notation": "pass"},
    {"notation": "pass", "expectedVersion": 5},
    {"notation": "pass", "side": "p2"},
    {"notation": "castle"},
    {"notation": "move 9,9"},
    {},
    {"action": 5},
]


@pytest.mark.parametrize("given", REFUSED, ids=str)
async def test_a_refusal_changes_nothing(asker: Asker, given: dict[str, Any]) -> None:
    """C12"""
    session = await asker.begin("troll_night", seed=4, side="p1")
    state, record = await asker.ask("get_state", sessionId=session), await asker.whole_record(session)
    answer = await asker.ask("submit_action", sessionId=session, **given)
    assert answer["ok"] is False
    assert await asker.ask("get_state", sessionId=session) == state
    assert await asker.whole_record(session) == record


async def test_after_refusals_the_same_version_is_accepted_with_the_same_dice(asker: Asker) -> None:
    """C12"""
    setup = {key: value for key, value in BESIDE_A_TROLL.items() if key != "dice"}
    calm = await asker.begin(setup, seed=6)
    expected = await asker.submit(calm, "attack t1", expectedVersion=0)
    session = await asker.begin(setup, seed=6)
    for given in REFUSED:
        assert not (await asker.ask("submit_action", sessionId=session, **given))["ok"]
        assert not (await asker.ask("submit_action", sessionId=session, **{"expectedVersion": 0, **given}))["ok"]
    assert await asker.submit(session, "attack t1", expectedVersion=0) == expected


async def test_the_tenth_refusal_is_as_the_first(asker: Asker) -> None:
    """C12"""
    session = await asker.begin(FAR_APART)
    for given in REFUSED:
        first, *more = [await asker.both("submit_action", sessionId=session, **given) for _ in range(10)]
        assert all(refusal == first for refusal in more)


async def test_a_refusal_is_the_same_in_both_details(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    for given in REFUSED:
        brief = await asker.ask("submit_action", sessionId=session, **given)
        assert await asker.ask("submit_action", sessionId=session, detail="full", **given) == brief


async def test_an_error_of_the_request_is_no_refusal(asker: Asker) -> None:
    session = await asker.begin(FAR_APART)
    await asker.error("submit_action", sessionId="nowhere", notation="pass")
    await asker.error("submit_action", sessionId=session, notation="pass", detail="long")
    await asker.error("submit_action", sessionId=session, notation="pass", side=1)
    assert (await asker.ask("get_state", sessionId=session))["version"] == 0


async def test_what_is_listed_is_accepted_and_the_rest_of_the_set_refused(asker: Asker) -> None:
    """C10, over the wire: at versions 0 to 11 of one game."""
    sides = ["p1", "p2", "p3", "p4", "t1", "t2"]
    every = ["pass", "accept", "decline", "challenge", "sleep", "reward score", "reward strength", "reward health"]
    every += [f"{verb} {side}" for verb in ("ally", "attack") for side in sides]
    every += [f"move {x},{y}" for x in range(-1, 17) for y in range(-1, 17) if x >= 0 and y >= 0]
    fork_point = await asker.begin("crossroads", seed=8)
    for version in range(0, 12, 4):
        listed = await asker.ask("list_legal_actions", sessionId=fork_point)
        legal = await asker.legal(fork_point)
        for notation in every:
            if notation not in legal:
                await asker.refused("illegal_action", fork_point, notation=notation, expectedVersion=version)
        for notation, action in zip(legal, listed["actions"], strict=True):
            for given in ({"notation": notation}, {"action": action}):
                fork = (await asker.ask("new_game", fork=fork_point, detail="brief"))["sessionId"]
                assert (await asker.ask("submit_action", sessionId=fork, **given))["ok"] is True
        for _ in range(4):
            await asker.submit(fork_point, (await asker.legal(fork_point))[0])
