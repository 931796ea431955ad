"""What an entrant answers, and what becomes of an answer that is no legal choice."""

from __future__ import annotations

from collections.abc import Sequence

from livingtable.errors import Code, Refusal
from livingtable.game import Action, State


class Forfeit(Exception):
    """An entrant has not made a legal choice. `reason`: `illegal`, `unparsable`, `crash` or `timeout`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


def chosen(given: object, state: State, legal: Sequence[Action], side: str) -> Action:
    """The action that an entrant's answer writes, a notation or an object. Raises `Forfeit`."""
    if not isinstance(given, str | dict):
        raise Forfeit("unparsable", "neither a notation nor an action")
    try:
        action = state.parse_action(given, side)  # pyright: ignore[reportUnknownArgumentType]
    except Refusal as refusal:
        reason = "unparsable" if refusal.code is Code.MALFORMED_ACTION else "illegal"
        raise Forfeit(reason, refusal.reason) from None
    if action not in legal:
        raise Forfeit("illegal", action.notation)
    return action
