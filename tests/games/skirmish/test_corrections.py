"""What a refusal offers instead of an illegal action is legal (SK-6.3; the contract, *Liberal input*)."""

from __future__ import annotations

import re
from random import Random

from hypothesis import given
from tests.games.skirmish.drawing import drawn, started
from tests.games.skirmish.random_play import random_play, random_setup, rngs, stable

from livingtable.errors import Refusal
from livingtable.games.skirmish.state import SkirmishState


def reason_for(state: SkirmishState, side: str, notation: str) -> str:
    try:
        state.copy().apply(side, state.parse_action(notation, side))
    except Refusal as refusal:
        return refusal.reason
    return ""


def offered(reason: str, piece: str) -> tuple[list[str], list[str]]:
    """The notations that a reason offers, and the pieces that it says can still act."""
    notations = [
        f"{piece} > {to}" for found in re.findall(r"nearest it reaches ([-\d, ]+)", reason) for to in found.split()
    ]
    for found in re.findall(r"it may attack ([\w ]+)", reason):
        notations += [f"{piece} x {target}" for target in found.split()]
    pieces = [
        name for found in re.findall(r"([A-Z\d ]+)(?: \(and \d+ more\))? can still", reason) for name in found.split()
    ]
    return notations, pieces


@given(rngs)
@stable
def test_what_is_offered_instead_of_an_illegal_action_is_legal(rng: Random) -> None:
    state = started(random_setup(rng))
    for side, action in random_play(rng, state, 12):
        legal = [one.notation for one in state.legal_actions(side)]
        can_act = {notation.split()[0] for notation in legal}
        for piece in ("K1", "A1", "O1", "D1", "Z9"):
            for notation in (f"{piece} > 3,3", f"{piece} > 99,0", f"{piece} x O1", f"{piece} x K9"):
                reason = reason_for(state, side, notation)
                notations, pieces = offered(reason, piece)
                assert set(notations) <= set(legal), reason
                assert set(pieces) <= can_act, reason
        state.apply(side, action)


def test_at_most_a_handful_of_pieces_is_named() -> None:
    state = drawn("""
        I  K1 K2 K3 K4 K5
        .  .  .  .  .  .
        .  .  K6 K7 o1 C
        """)
    reason = reason_for(state, "ivory", "Z9 > 0,0")
    assert reason.endswith("; K1 K2 K3 K4 K5 (and 2 more) can still move or attack")
