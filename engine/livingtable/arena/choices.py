"""What an entrant answers, and what becomes of an answer that is no legal choice."""

from __future__ import annotations

from typing import Literal

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State, printable

DETAIL_AT_MOST = 200


Why = Literal["illegal", "unparsable", "crash", "timeout"]


class Forfeit(Exception):
    """An entrant has not made a legal choice. `detail` is one line for whoever wrote the entrant."""

    def __init__(self, reason: Why, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = printable(" ".join(detail.split()))[:DETAIL_AT_MOST]


def chosen(given: object, state: State, side: str) -> Action:
    """The action that an entrant's answer writes, a notation or an object. Raises `Forfeit`."""
    if not isinstance(given, str | dict):
        raise Forfeit("unparsable", "neither a notation nor an action")
    try:
        action = state.parse_action(given, side)  # pyright: ignore[reportUnknownArgumentType]
    except Refusal as refusal:
        reason: Why = "unparsable" if refusal.code is Code.MALFORMED_ACTION else "illegal"
        raise Forfeit(reason, refusal.reason) from None
    if action not in state.legal_actions(side):
        raise Forfeit("illegal", action.notation)
    return action
