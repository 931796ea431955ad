"""The rotation, the rounds, and the end (BW-0.6, BW-0.8, BW-9)."""

from __future__ import annotations

from typing import Any

from livingtable.events import shown
from livingtable.game import Result
from livingtable.games.botwars.events import GameOver
from livingtable.games.botwars.position import Events, Position
from livingtable.games.botwars.wizard import roam


def finish_action(position: Position, actor: int, events: Events) -> None:
    """When a whole action is resolved: the end, or, where nothing is left to decide, the next turn."""
    reason = ending(position)
    if reason:
        _end(position, actor, reason, events)
    elif not position.reward_open:
        _next_turn(position, actor, events)


def ending(position: Position) -> str | None:
    """`united`, `sole_survivor` or `only_trolls`, where it is so (BW-9.1 to BW-9.3)."""
    players = position.living_players
    if len(position.lines) == 1 and players > 1 and len(next(iter(position.lines.values()))) == players:
        return "united"
    if position.cast.classic:
        return None
    if players + position.living_trolls == 1:
        return "sole_survivor"
    return "only_trolls" if not players else None


def first_decider(position: Position) -> int:
    """The first seat in registration order that decides for a unit."""
    return next(i for i in range(len(position.alive)) if position.decides(i))


def ranking(position: Position) -> tuple[dict[str, Any], ...]:
    """Everybody, dead or alive, by score, then strength; equals share a place: 1, 1, 3 (BW-9.4)."""
    keys = [(-position.score[i], -position.strength[i]) for i in range(len(position.alive))]
    order = sorted(range(len(keys)), key=lambda i: (keys[i], i))
    best_first = sorted(keys)
    cast = position.cast
    return tuple(
        {
            "place": best_first.index(keys[i]) + 1,
            "side": cast.ids[i],
            "name": cast.names[i],
            "score": position.score[i],
            "strength": shown(position.strength[i]),
            "health": shown(position.health[i]),
            "characterType": "troll" if cast.trolls[i] else "player",
            "alive": position.alive[i],
        }
        for i in order
    )


def result_of(position: Position, reason: str) -> Result:
    """The result of a game that ended so (BW-9.5)."""
    rows = ranking(position)
    winners = tuple(row["side"] for row in rows if row["place"] == 1)
    extra: dict[str, Any] = {}
    if reason == "united":
        extra["party"] = [position.cast.ids[i] for i in next(iter(position.lines.values()))]
    return Result(reason, winners, rows, extra)


def _next_turn(position: Position, actor: int, events: Events) -> None:
    """To the next seat of the rotation that decides for a unit; a round ends as it passes the last one (BW-0.6)."""
    last = len(position.alive) - 1
    i = position.turn
    while True:
        if i == last:
            roam(position, position.cast.ids[actor], events)
            if position.round_number == position.cast.max_rounds:
                _end(position, actor, "round_limit", events)
                return
            position.round_number += 1
            i = 0
        else:
            i += 1
        if position.decides(i):
            position.turn = i
            return


def _end(position: Position, actor: int, reason: str, events: Events) -> None:
    position.outcome = result_of(position, reason)
    position.reward_open = False
    events.append(GameOver(position.cast.ids[actor], reason))
