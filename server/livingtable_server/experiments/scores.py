"""The figures of a seat in one game."""

from __future__ import annotations

from typing import Literal, get_args

from livingtable.game import Data, Result
from livingtable.records import TRUNCATED
from livingtable_server.experiments.table import Decision, Forfeit, Played

End = Literal["won", "lost", "drawn", "truncated", "forfeit", "forfeit of another", "crash", "not played"]
ENDS: tuple[End, ...] = get_args(End)


def scores(side: str, played: Played) -> Data:
    """How a game ended for a seat, and what its model did in it.

    Ends are kept apart (C74). Who forfeits is last, without a win, with the score as it stood; the others' games then
    have no outcome (`place`, `score` and `win` are None), for nobody's play brought it about. A game that was cut off
    has the ranking as it stood and no win.
    """
    result, forfeit = played.recording.result, played.forfeit
    assert result is not None, "a game that is played has ended"
    end = end_of(side, result, forfeit)
    row = next(row for row in result.ranking if row["side"] == side)
    last = len(result.ranking)
    outcome: Data = {"place": row["place"], "score": row["score"], "win": int(end == "won")}
    if end == "forfeit":
        outcome["place"] = last
    elif end == "forfeit of another":
        outcome = {"place": None, "score": None, "win": None}
    return {
        "end": end,
        "reason": "forfeit" if forfeit else result.reason,
        "why": forfeit.why if forfeit else "",
        "by": forfeit.side if forfeit else "",
        **outcome,
        **conduct([d for d in played.decisions if d.side == side], end),
    }


def no_scores(side: str, end: str, decisions: list[Decision], why: str = "") -> Data:
    """The same of a game that came to no end: it crashed, or was not played on."""
    outcome: Data = {"place": None, "score": None, "win": None}
    return {
        **{"end": end, "reason": end, "why": why, "by": ""},
        **outcome,
        **conduct([d for d in decisions if d.side == side], end),
    }


def end_of(side: str, result: Result, forfeit: Forfeit | None) -> End:
    if forfeit is not None:
        return "forfeit" if forfeit.side == side else "forfeit of another"
    if result.reason == TRUNCATED:
        return "truncated"
    if not result.winners:
        return "drawn"
    return "won" if side in result.winners else "lost"


def conduct(decisions: list[Decision], end: str) -> Data:
    """What the model of a seat did, counted over its answers."""
    attempts = [attempt for decision in decisions for attempt in decision.attempts]
    costs = [attempt.cost for attempt in attempts]
    compared = [d for d in decisions if d.advised and d.how == "model"]
    return {
        "decisions": len(decisions),
        "answers": len(attempts),
        "illegal": sum(a.kind == "illegal" for a in attempts),
        "unparsable": sum(a.kind == "unparsable" for a in attempts),
        "cut": sum(a.kind == "cut" for a in attempts),
        "retries": sum(max(0, len(d.attempts) - 1) for d in decisions),
        "forfeits": int(end == "forfeit"),
        "replaced": sum(d.how in ("random", "skip") for d in decisions),
        "compared": len(compared),
        "agreed": sum(d.notation == d.advised for d in compared),
        "tokensIn": sum(a.tokens_in for a in attempts),
        "tokensOut": sum(a.tokens_out for a in attempts),
        "cost": None if not costs or None in costs else sum(c for c in costs if c is not None),
        "seconds": round(sum(a.seconds for a in attempts), 3),
    }
