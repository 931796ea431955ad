"""What an entrant answers, and what becomes of an answer that is no legal choice."""

from __future__ import annotations

from typing import Literal

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State, printable
from livingtable.notation import read_action

DETAIL_AT_MOST = 200


Why = Literal["illegal", "unparsable", "overlong", "crash", "timeout"]


class Forfeit(Exception):
    """An entrant has not made a legal choice. `detail` is one line for whoever wrote the entrant."""

    def __init__(self, reason: Why, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = printable(" ".join(detail.split()))[:DETAIL_AT_MOST]


def chosen(given: object, state: State, side: str) -> Action:
    """The action that an entrant's answer writes: a notation, an object, or either in a text. Raises `Forfeit`."""
    if not isinstance(given, str | dict):
        raise no_choice(_shortly(given), state, side)
    try:
        action = read_action(state, given, side)  # pyright: ignore[reportUnknownArgumentType]
    except Refusal as refusal:
        reason: Why = "unparsable" if refusal.code is Code.MALFORMED_ACTION else "illegal"
        raise Forfeit(reason, refusal.reason) from None
    if action not in state.legal_actions(side):
        raise Forfeit("illegal", action.notation)
    return action


def no_choice(came: str, state: State, side: str) -> Forfeit:
    """For an answer of a kind that no choice is of; `came` says of which."""
    (such, *_) = state.legal_actions(side)
    right = f'give one of the legal actions or its notation, such as "{such.notation}"'
    return Forfeit("unparsable", f"neither a notation nor an action, but {came}: {right}")


def no_answer(seconds: float) -> Forfeit:
    return Forfeit("timeout", f"no answer within {seconds:g} s")


def overlong(bytes_at_most: int) -> Forfeit:
    return Forfeit("overlong", f"the answer is longer than {bytes_at_most // 1024} KB; what follows was not read")


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _shortly(given: object) -> str:
    return repr(given)[:20] if given is None or isinstance(given, int | float) else with_article(type(given).__name__)
